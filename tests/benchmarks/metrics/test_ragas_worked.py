"""The metrics of RAGAS on examples that are worked out by hand: the formulas, the papers' figures, the number of calls.

A judge's replies are scripted. Texts that are embedded end with the angle of their vector in the plane: `@60`.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from judged_items import Judging, judging
from pytest import approx

from benchwright.benchmarks.metrics import Score, find_metric
from benchwright.benchmarks.metrics.tools import Steps, Tools
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.types import Question


def vector(text: str) -> list[float]:
    angle = math.radians(float(text.rpartition("@")[2]))
    return [math.cos(angle), math.sin(angle)]


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judging]:
    with judging(tmp_path_factory.mktemp("judge"), roles=("judge", "embedder")) as found:
        found.server.vector_for = vector
        yield found


def shape_of(body: Any) -> str:
    """The name of the reply that a request asks for."""
    return body["response_format"]["json_schema"]["name"]


def asked(judge: Judging, since: int) -> list[str]:
    """What was asked for since then, in order."""
    requests = judge.server.requests[since:]
    return ["vectors" if "input" in each.body else shape_of(each.body) for each in requests]


class Case:
    """One prediction that is scored by a metric, with what the judge says by what it is asked for."""

    def __init__(self, judge: Judging, tmp_path: Path) -> None:
        self.judge, self.mark = judge, tmp_path.name  # the mark keeps replies of other cases apart
        self.asked: list[str] = []

    def score(
        self, metric: str, prediction: Prediction, question: Question | None = None, **replies: Any
    ) -> tuple[Score, Tools]:
        said = {name: iter(each) if isinstance(each, Iterator) else each for name, each in replies.items()}

        def reply(body: Any) -> Any:
            found = said[shape_of(body)]
            return next(found) if isinstance(found, Iterator) else found

        self.judge.reply, before = reply, len(self.judge.server.requests)
        question = question or Question("q", f"What of {self.mark}?")
        found = self.judge.judge(find_metric(metric), question, prediction)
        self.asked = asked(self.judge, before)
        return found


@pytest.fixture
def case(judge: Judging, tmp_path: Path) -> Case:
    return Case(judge, tmp_path)


def stating(*texts: str) -> dict[str, Any]:
    return {"statements": list(texts)}


def verdicts(*supported: bool) -> dict[str, Any]:
    given = [{"number": place, "explanation": "!", "supported": each} for place, each in enumerate(supported, 1)]
    return {"verdicts": given}


@pytest.mark.parametrize(
    ("statements", "supported", "value"),
    [
        # Figure 3 of Roychowdhury et al.: verdicts on the statements of six answers
        (("CAMEL Phase 3 is required for MSP Phase 2.", "It is its base.", "MSP Phase 2 needs it."), (0, 0, 0), 0),
        (("MBMS bearer event notification (B) triggers a bearer.",), (0,), 0),
        (("The question is of LocationUpdate.", "It is another operation.", "Nothing is said of it."), (0, 0, 0), 0),
        (("No bandwidth is given for 6 paths.", "The SCM model is given."), (1, 1), 1),
        (("The middle tier TS has the events.", "It has their content.", "It has the responses."), (1, 1, 1), 1),
        (("Profile data is in the gsmSCF.", "It is there when a subscriber switches to MSP."), (1, 1), 1),
        # Table 2 of Es et al.: an answer that has the director and the actor, and one that has neither
        (("Christopher Nolan directed Oppenheimer.", "Cillian Murphy plays the lead."), (1, 1), 1),
        (("James Cameron directed Oppenheimer.", "Tom Cruise plays the lead."), (0, 0), 0),
        # others
        (("It is 31 metres tall.", "It is white."), (1, 0), 1 / 2),
        (("A.", "B.", "C."), (1, 0, 1), 2 / 3),
        (("A.", "B.", "C.", "D.", "E.", "F.", "G."), (1, 0, 0, 0, 1, 1, 0), 3 / 7),
        (tuple(f"It says {number}." for number in range(40)), (1,) * 39 + (0,), 39 / 40),
        (("The same.", "The  same.", "", "Another."), (0, 1), 1 / 2),
    ],
)  # fmt: skip
def test_faithfulness(case: Case, statements: Sequence[str], supported: Sequence[int], value: float) -> None:
    prediction = Prediction("q", f"An answer to {case.mark}.", contexts=(Context("d", "What was found."),))
    said = verdicts(*map(bool, supported))
    score, tools = case.score("faithfulness", prediction, statements=stating(*statements), verdicts=said)
    assert (score.value, score.reason) == (approx(value), f"{sum(supported)} of {len(supported)} statements supported")
    assert case.asked == ["statements", "verdicts"], "two calls a question"
    rows = tools.trace[-1].output["rows"]
    assert [row["supported"] for row in rows] == list(map(bool, supported))
    assert tools.trace[-1].output["arithmetic"] == f"{score.reason} = {value:.3f}"


@pytest.mark.parametrize(
    ("asked_at", "angles", "value"),
    [
        (0, (0, 0, 0), 1),
        (0, (60, 60, 60), 0.5),
        (0, (0, 60, 90), 0.5),
        (30, (30, 90, 90), (1 + 0.5 + 0.5) / 3),
        (45, (0, 90, 45), (2 * math.sqrt(0.5) + 1) / 3),
        (10, (40, 70, 100), (math.sqrt(3) / 2 + 0.5 + 0) / 3),
        (0, (90, 90, 90), 0),
        (0, (120, 120, 120), 0),  # -0.5 each
        (0, (180, 0, 60), (0 + 1 + 0.5) / 3),
        (0, (300, 60, 0), (0.5 + 0.5 + 1) / 3),
        (90, (90, 150, 30), (1 + 0.5 + 0.5) / 3),
    ],
)
def test_answer_relevance(case: Case, asked_at: int, angles: Sequence[int], value: float) -> None:
    question = Question("q", f"What of {case.mark}? @{asked_at}")
    said = {"questions": [f"Question {number}? @{angle}" for number, angle in enumerate(angles)]}
    score, tools = case.score("answer_relevance", Prediction("q", f"It is {case.mark}."), question, questions=said)
    below = sum(math.cos(math.radians(angle - asked_at)) < -1e-6 for angle in angles)
    reason = "3 questions" + (f"; {below} of 3 cosines below 0 count as 0" if below else "")
    assert (score.value, score.reason) == (approx(value, abs=1e-6), reason)
    assert case.asked == ["questions", "vectors"], "one call a question, and one of vectors"
    cosines = [row["cosine"] for row in tools.trace[-1].output["rows"]]
    assert cosines == [approx(math.cos(math.radians(angle - asked_at)), abs=1e-6) for angle in angles], "as they are"
    assert "What of" not in case.judge.server.requests[-2].body["messages"][-1]["content"], (
        "it is not shown what was asked"
    )


def bearers(count: int) -> str:
    return " ".join(f"Bearer {number} is set up by procedure {number}." for number in range(count))


TOWER = (
    "The tower stands in Vadodara. It was finished in 1896 and is named after Chinnabai. Its style is Indo-Saracenic. "
    "History. The tower was built in 1896. Its name is that of Queen Chinnabai. A last Nawab opened it. Trams halted "
    "there. It cost 25,000."
)


@pytest.mark.parametrize(
    ("contexts", "copied", "relevant", "invented", "sentences"),
    [
        # Figure 3 of Roychowdhury et al.: 0.333, 0.091 and 0.018 are one sentence of 3, of 11 and of 55
        ((bearers(3),), ("Bearer 1 is set up by procedure 1.",), 1, 0, 3),
        ((bearers(11),), ("Bearer 7 is set up by procedure 7.",), 1, 0, 11),
        ((bearers(12),), (), 0, 0, 12),
        ((bearers(9),), ("Insufficient Information",), 0, 0, 9),
        ((bearers(55),), ("Bearer 54 is set up by procedure 54.",), 1, 0, 55),
        # Table 4 of Es et al.: what was found of a clock tower, short and long
        ((TOWER[: TOWER.index(" Its style")],), ("It was finished in 1896 and is named after Chinnabai.",), 1, 0, 2),
        ((TOWER,), ("It was finished in 1896 and is named after Chinnabai.", "The tower was built in 1896.", "Its name is "
         "that of Queen Chinnabai."), 3, 0, 9),
        # others
        (("It is red. It is 31 m tall.", "It is old."), ("It is 31 m tall.", "It is old."), 2, 0, 3),
        (("It is red. It is 31 m tall.",), ("It is 32 m tall.",), 0, 1, 2),
        (("It is red. It is 31 m tall.",), ("It is red.", "It is 31 m tall, and white."), 1, 1, 2),
        (("It’s “red”\u00a0– here. It is tall.",), ('It\'s "red" - here.',), 1, 0, 2),
        (("It is red.\n  It is tall.",), ("It is   red. It is tall.",), 2, 0, 2),
        (("It is red. It is tall.",), ("It is red.", "It is red."), 1, 0, 2),
        (("It is red.", "It is red."), ("It is red.",), 1, 0, 2),
        (("It is red.", "It is red."), ("It is red.", "It is red."), 2, 0, 2),
        (("It was finished in 1896 by masons. It is tall.",), ("finished in 1896",), 1, 0, 2),
        (("It was finished in 1896. It is tall.",), ("It was finished in 189",), 0, 1, 2),
        (("It is red. It is tall.",), ('"It is red."', "  ", "insufficient information."), 1, 0, 2),
        (("灯塔高三十一米。它是白色的。\n建于一八九六年。",), ("建于一八九六年。",), 1, 0, 3),
        (("Dr. A. Brandt built it, e.g. No. 7. It is old.",), ("It is old.",), 1, 0, 2),
        (("| a | b |\n|---|---|\n| 31 m | red |",), ("| 31 m | red |",), 1, 0, 2),
    ],
)  # fmt: skip
def test_context_relevance(
    case: Case, contexts: Sequence[str], copied: Sequence[str], relevant: int, invented: int, sentences: int
) -> None:
    prediction = Prediction("q", "It is.", contexts=tuple(Context(None, text) for text in contexts))
    score, tools = case.score("context_relevance", prediction, relevant_sentences={"sentences": list(copied)})
    assert score.value == approx(relevant / sentences)
    said = f"{relevant} of {sentences} sentences"
    shown = f"; {invented} invented, which do not count: “{copied[-1]}”" if invented else ""
    assert score.reason == said + shown
    assert case.asked == ["relevant_sentences"], "one call a question"
    output = tools.trace[-1].output
    assert output["arithmetic"] == f"{said} = {relevant / sentences:.3f}"
    assert [row["in the contexts"] for row in output["rows"]] == [True] * relevant + [False] * invented


def facts(both: int, answer: int, truth: int) -> dict[str, Any]:
    kinds = ["both"] * both + ["answer"] * answer + ["truth"] * truth
    given = [{"statement": f"S{place}.", "explanation": "!", "made_by": kind} for place, kind in enumerate(kinds)]
    return {"statements": given}


FACTS = [
    (1, 0, 0, 1.0),
    (2, 0, 1, 2 / 2.5),
    (0, 1, 1, 0.0),
    (0, 2, 1, 0.0),
    (1, 0, 1, 1 / 1.5),
    (1, 1, 0, 1 / 1.5),
    (1, 1, 1, 1 / 2),
    (3, 1, 2, 3 / 4.5),
    (5, 5, 0, 5 / 7.5),
    (2, 7, 3, 2 / 7),
    (10, 1, 0, 10 / 10.5),
    (0, 0, 4, 0.0),
]


@pytest.mark.parametrize(("positives", "only_answer", "only_truth", "value"), FACTS)
def test_factual_correctness(case: Case, positives: int, only_answer: int, only_truth: int, value: float) -> None:
    question = Question("q", f"What of {case.mark}?", ("1921",), ((),), "one")
    given = facts(positives, only_answer, only_truth)
    score, tools = case.score("factual_correctness", Prediction("q", "In 1921."), question, facts=given)
    assert (score.value, score.reason) == (approx(value), f"TP {positives}, FP {only_answer}, FN {only_truth}")
    assert case.asked == ["facts"], "one call a question"
    half = f"{positives} / ({positives} + 0.5 · ({only_answer} + {only_truth})) = {value:.3f}"
    assert tools.trace[-1].output["arithmetic"] == half


@pytest.mark.parametrize(
    ("answer", "forms", "value"),
    [
        (0, (0,), 1),
        (0, (60,), 0.5),
        (0, (90,), 0),
        (0, (120,), 0),
        (30, (75,), math.sqrt(0.5)),
        (0, (60, 30), math.sqrt(3) / 2),
        (0, (90, 180, 60), 0.5),
        (200, (200, 20), 1),
        (45, (90, 0), math.sqrt(0.5)),
        (0, tuple(range(90, 30, -5)), math.cos(math.radians(35))),
        (10, (340,), math.sqrt(3) / 2),
    ],
)
def test_answer_similarity(case: Case, answer: int, forms: Sequence[int], value: float) -> None:
    gold = [f"The gold {number} of {case.mark} @{angle}" for number, angle in enumerate(forms)]
    question = Question("q", "What?", (gold[0],), (tuple(gold[1:]),), "one")
    prediction = Prediction("q", f"The answer @{answer}")
    score, tools = case.score("answer_similarity", prediction, question)
    below = sum(math.cos(math.radians(angle - answer)) < -1e-6 for angle in forms)
    notes = [f"the nearest of {len(forms)} accepted forms"] if len(forms) > 1 else []
    notes += [f"{below} of {len(forms)} cosines below 0 count as 0"] if below else []
    assert (score.value, score.reason) == (approx(value, abs=1e-6), "; ".join(notes) or None)
    assert case.asked == ["vectors"], "no call of a judge"
    assert tools.trace[-1].output["arithmetic"] == f"the highest cosine = {abs(value):.3f}"


@pytest.mark.parametrize(
    ("both", "answer", "truth", "cosine", "value"),
    [
        # Figure 3 of Roychowdhury et al.: with these statements its five figures follow from these similarities
        (1, 0, 0, 0.704, 0.926),
        (1, 0, 0, 0.752, 0.938),
        (0, 2, 1, 0.444, 0.111),
        (1, 0, 1, 0.352, 0.588),
        (1, 0, 0, 0.620, 0.905),
        # others
        (1, 0, 0, 1.0, 1.0),
        (0, 1, 1, 0.0, 0.0),
        (0, 1, 1, 1.0, 0.25),
        (1, 0, 0, 0.0, 0.75),
        (1, 1, 1, 0.5, 0.5),
        (3, 1, 2, 0.8, 0.7),
        (1, 1, 0, -0.4, 0.5),
    ],
)
def test_answer_correctness(
    case: Case, both: int, answer: int, truth: int, cosine: float, value: float, tmp_path: Path
) -> None:
    question = Question("q", f"What of {case.mark}?", (f"Gold of {case.mark} @0",), ((),), "one")
    prediction = Prediction("q", f"The answer @{math.degrees(math.acos(cosine))}")
    score, tools = case.score("answer_correctness", prediction, question, facts=facts(both, answer, truth))
    assert score.value == approx(value, abs=5e-4)
    assert case.asked == ["facts", "vectors"], "one call a question, and one of vectors"
    assert (score.reason or "").startswith(f"TP {both}, FP {answer}, FN {truth}")
    factual = both / (both + 0.5 * (answer + truth))
    said = f"0.75 · {factual:.3f} + 0.25 · {max(0, cosine):.3f} = {score.value:.3f}"
    assert tools.trace[-1].output["arithmetic"] == said


WORDS = Question("q", "How tall is the pier?", ("31 metres",), (("31 m",),), "one")
DESIGNED = Question("q", "Who designed the tall granite pier?", ("Ada Brandt",), ((),), "one")


@pytest.mark.parametrize(
    ("metric", "question", "answer", "contexts", "value"),
    [
        # words of each sentence that stand in the contexts: 2 of 2 and 0 of 2; the s of a plural does not count
        ("faithfulness", WORDS, "Christopher Nolan. James Cameron.", ("Nolan, Christopher.",), 1 / 2),
        ("faithfulness", WORDS, "Piers are old.", ("The old pier.",), 1),
        ("faithfulness", WORDS, "It is old and tall.", ("It is new and tall.",), 1 / 2),
        ("faithfulness", WORDS, "Tall, white, granite, Danish pier.", ("A pier.", "tall"), 2 / 5),
        ("faithfulness", WORDS, "Red green blue. Grey pink. Black.", ("blue; pink black",), (1 / 3 + 1 / 2 + 1) / 3),
        ("faithfulness", WORDS, "灯塔高", ("高塔",), 2 / 3),
        # the marks of citations, numbers of lists and abbreviations are no sentences, and spellings no difference
        ("faithfulness", WORDS, "The pier costs €14 [1]. [1]", ("Piers cost 14 euros.",), 1),
        ("faithfulness", WORDS, "1. The pier [1]\n2. The house [2]", ("A pier and a house.",), 1),
        ("faithfulness", WORDS, "Erlaubt ist z. B. Wasser bis zwei Stunden vorher.", ("Wasser, 2 Stunden",), 3 / 5),
        # a sentence with a figure that is not there, and one that is denied there, count 0
        ("faithfulness", WORDS, "It is 31 metres tall. A pier.", ("It is 32 metres tall. A pier.",), 1 / 2),
        ("faithfulness", WORDS, "Dogs may enter the pier.", ("Dogs may not enter the pier.",), 0),
        ("faithfulness", WORDS, "Les shorts sont autorisés.", ("Les shorts ne sont pas autorisés.",), 0),
        ("faithfulness", WORDS, "Dogs never walk alone.", ("Dogs walk there, and never alone.",), 1),
        ("faithfulness", WORDS, "L'eau est à 27 degrés celsius.", ("L'eau: 27 °C",), 1),
        ("faithfulness", WORDS, "Dogs bark.", ("The pier.",), 0),
        # sentences with half of the words "tall" and "pier"
        ("context_relevance", WORDS, "!", ("The pier is long. It is tall. It is red.",), 2 / 3),
        ("context_relevance", WORDS, "!", ("Nothing of it. Nor here.",), 0),
        ("context_relevance", WORDS, "!", ("The tall pier.",), 1),
        ("context_relevance", WORDS, "!", ("A pier.", "A house. A dog. A cat."), 1 / 4),
        ("context_relevance", WORDS, "!", ("TALL! Piers? A dog.",), 2 / 3),
        ("context_relevance", WORDS, "!", ("A tall dog.", "A pier of stone."), 1),
        ("context_relevance", WORDS, "!", ("Der Pier ist hoch. Er ist rot.",), 1 / 2),
        ("context_relevance", WORDS, "!", ("The pier was built. " * 3 + "It is red. " * 5,), 3 / 8),
        ("context_relevance", DESIGNED, "!", ("The pier is tall. The pier is old. Granite was brought. It was designed "
         "of granite.",), 2 / 4),
        ("context_relevance", DESIGNED, "!", ("The pier is old.", "It is of granite."), 0),
        # 2 / √(2 · 3), the counts {31, metre} and {31, metre, tall}
        ("answer_similarity", WORDS, "It is 31 metres tall.", (), 2 / math.sqrt(6)),
        ("answer_similarity", WORDS, "31 metres", (), 1),
        ("answer_similarity", WORDS, "a dog", (), 0),
        ("answer_similarity", WORDS, "31 31 m", (), 2 / math.sqrt(4)),
        ("answer_similarity", WORDS, "metres", (), 1 / math.sqrt(2)),
        ("answer_similarity", WORDS, "32 metres", (), 1 / 2),
        ("answer_similarity", WORDS, "31 metres, 31 metres", (), 1),
        ("answer_similarity", WORDS, "31 31 metres", (), 3 / math.sqrt(10)),
        ("answer_similarity", Question("q", "?", ("Yes",), ((),), "boolean"), "yes", (), 1),
        ("answer_similarity", Question("q", "?", ("No",), ((),), "boolean"), "no, no", (), 1),
        # words as statements: TP 2, FP 3 of "it is 31 metres tall"
        ("factual_correctness", WORDS, "It is 31 metres tall.", (), 2 / 3.5),
        ("factual_correctness", WORDS, "31 m", (), 1),
        ("factual_correctness", WORDS, "32 metres", (), 1 / 2),
        ("factual_correctness", WORDS, "a dog", (), 0),
        ("factual_correctness", WORDS, "metres", (), 1 / 1.5),
        ("factual_correctness", WORDS, "31", (), 1 / 1.5),
        ("factual_correctness", WORDS, "The 31 metres.", (), 1),
        ("factual_correctness", WORDS, "31 31 metres", (), 2 / 2.5),
        ("factual_correctness", WORDS, "31 feet", (), 1 / 2),
        ("factual_correctness", WORDS, "about 31 m or 32 m", (), 2 / 4),
        ("answer_correctness", WORDS, "It is 31 metres tall.", (), 0.75 * 2 / 3.5 + 0.25 * 2 / math.sqrt(6)),
        ("answer_correctness", WORDS, "31 metres", (), 1),
        ("answer_correctness", WORDS, "32 metres", (), 0.75 / 2 + 0.25 / 2),
        ("answer_correctness", WORDS, "31 m", (), 1),
        ("answer_correctness", WORDS, "a dog", (), 0),
        ("answer_correctness", WORDS, "31", (), 0.75 / 1.5 + 0.25),
        ("answer_correctness", WORDS, "metres", (), 0.75 / 1.5 + 0.25 / math.sqrt(2)),
        ("answer_correctness", WORDS, "31 feet", (), 0.75 / 2 + 0.25 / math.sqrt(2)),
        ("answer_correctness", WORDS, "31 31 metres", (), 0.75 * 2 / 2.5 + 0.25 * 3 / math.sqrt(10)),
        ("answer_correctness", WORDS, "The 31 metres.", (), 1),
    ],
)  # fmt: skip
def test_twins_by_rule(metric: str, question: Question, answer: str, contexts: Sequence[str], value: float) -> None:
    prediction = Prediction("q", answer, contexts=tuple(Context(None, text) for text in contexts))
    score = find_metric(metric).score(question, prediction)
    assert score.value == approx(value)
    assert (score.reason or "").startswith("by rule: "), "which a report shows"


def test_without_an_embedder_words_are_compared_and_the_reason_says_so(tmp_path: Path) -> None:
    said = {"questions": ["How tall is the pier?", "How tall is it?", "Who built a house?"]}
    reply = {"questions": said, "facts": facts(1, 0, 0)}
    with judging(tmp_path, lambda body: reply[shape_of(body)]) as judge:
        relevance, tools = judge.judge(find_metric("answer_relevance"), WORDS, Prediction("q", "31 metres."))
        correctness, _ = judge.judge(find_metric("answer_correctness"), WORDS, Prediction("q", "The pier: 31 metres."))
        assert judge.server.calls == 2
    assert (relevance.value, relevance.reason) == (
        approx((1 + 1 / math.sqrt(2) + 0) / 3),
        "3 questions; lexical: no model embeds",
    )
    assert [step.step for step in tools.trace] == ["judge_questions", "similarities", "answer_relevance"]
    assert correctness.value == approx(0.75 + 0.25 * 2 / math.sqrt(6))
    assert correctness.reason == "TP 1, FP 0, FN 0; the nearest of 2 accepted forms; lexical: no model embeds"


def test_an_answer_that_gives_what_was_asked_for_is_more_relevant(tmp_path: Path) -> None:
    """Table 3 of Es et al.: of a launch, one answer has when and where, the other that it matters. Of the
    question's five words the first one's questions have all, the second one's have one of their two."""
    asked = Question("q", "When and where is the PSLV-C56 launch scheduled, at which site?")
    questions = {
        "On 30 July 2023": "PSLV-C56 launch: scheduled at which site?",
        "It matters": "Which satellite is the PSLV-?",
    }

    def reply(body: Any) -> Any:
        text = body["messages"][-1]["content"]
        return {"questions": [next(made for start, made in questions.items() if start in text)] * 3}

    metric = find_metric("answer_relevance")
    with judging(tmp_path, reply) as judge:
        high, _ = judge.judge(metric, asked, Prediction("q", "On 30 July 2023, from Sriharikota."))
        low, _ = judge.judge(metric, asked, Prediction("q", "It matters to India: a satellite."))
    assert (high.value, low.value) == (approx(1), approx(1 / math.sqrt(5 * 2)))


def test_metrics_of_one_prediction_share_their_steps(judge: Judging, tmp_path: Path) -> None:
    replies = {
        "statements": stating("A.", "B."),
        "verdicts": verdicts(True, False),
        "facts": facts(1, 1, 0),
        "claim_verdicts": {"verdicts": [{"number": n, "reason": "!", "verdict": "Yes"} for n in (1, 2)]},
    }
    judge.reply, before, steps = lambda body: replies[shape_of(body)], len(judge.server.requests), Steps()
    question = replace(WORDS, question=f"How tall of {tmp_path.name}? @0", answers=("31 metres @0",), aliases=((),))
    prediction = Prediction("q", f"31 {tmp_path.name} @60", contexts=(Context(None, "It is 31 metres."),))
    values = {}
    for name in ("faithfulness", "ragas_fact", "factual_correctness", "answer_similarity", "answer_correctness"):
        score, tools = judge.judge(find_metric(name), question, prediction, steps=steps)
        values[name] = score.value, [step.step for step in tools.trace]
    assert asked(judge, before) == ["statements", "verdicts", "claim_verdicts", "facts", "vectors"], (
        "nothing is asked twice"
    )
    assert values["faithfulness"] == (0.5, ["judge_statements", "judge_verdicts", "faithfulness"])
    assert values["answer_similarity"] == (approx(0.5), ["embed", "similarities", "answer_similarity"])
    whole = ["judge_facts", "fact_counts", "embed", "similarities", "answer_similarity", "answer_correctness"]
    assert values["answer_correctness"] == (approx(0.75 * 2 / 3 + 0.125), whole), "a whole trace, of shared steps too"
