"""Where the metrics of RAGAS have nothing to compare, much to read, or a judge that does not do as it is asked."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from judged_items import Judging, judging, shown_last

from benchwright.benchmarks.metrics import find_metric
from benchwright.benchmarks.metrics.base import ReleaseData
from benchwright.benchmarks.metrics.steps.answers import abstains
from benchwright.benchmarks.metrics.steps.statements import PIECE, pieces_of
from benchwright.benchmarks.predictions import Context, Prediction, Usage
from benchwright.benchmarks.types import Document, Question

NAMES = (
    "faithfulness",
    "answer_relevance",
    "context_relevance",
    "answer_similarity",
    "factual_correctness",
    "answer_correctness",
)
QUESTION = Question("q", "When was the pier of Selby Bay opened?", ("1921",), ((),), "one")
PIER = Context("d1", "The pier of Selby Bay was opened in 1921.")
NOTHING = "the answer abstains or is empty"
NO_STATEMENT = "the answer makes no statement"
RETRIEVED = Usage(retrievals=1)
ASKED = "asked"
"""Stands for a score that takes a judge."""


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judging]:
    with judging(tmp_path_factory.mktemp("judge"), roles=("judge", "embedder")) as found:
        yield found


def shape_of(body: Any) -> str:
    return body["response_format"]["json_schema"]["name"]


def usual(body: Any) -> Any:
    """One of each: a statement that is supported, three questions, a sentence, a fact."""
    return {
        "statements": {"statements": ["It was opened in 1921."]},
        "verdicts": {"verdicts": [{"number": 1, "explanation": "!", "supported": True}]},
        "questions": {"questions": ["When?", "Which year?", "What was opened?"]},
        "relevant_sentences": {"sentences": [PIER.text]},
        "facts": {"statements": [{"statement": "1921.", "explanation": "!", "made_by": "both"}]},
    }[shape_of(body)]


ZERO, UNSCORED = (0.0, NOTHING), (None, NO_STATEMENT)
EDGES: dict[str, tuple[Prediction, dict[str, Any]]] = {
    "an error of the system": (
        Prediction("q", None, error="boom", contexts=(PIER,)),
        dict.fromkeys(NAMES, (None, "the system gave no answer")),
    ),
    "it abstains": (
        Prediction("q", None, abstained=True, contexts=(PIER,)),
        {**dict.fromkeys(NAMES, ZERO), "faithfulness": UNSCORED, "context_relevance": ASKED},
    ),
    "its text abstains": (
        Prediction("q", "I'm sorry, I don't know.", contexts=(PIER,)),
        {**dict.fromkeys(NAMES, ZERO), "faithfulness": UNSCORED, "context_relevance": ASKED},
    ),
    "insufficient information": (
        Prediction("q", "Insufficient information.", contexts=(PIER,)),
        {**dict.fromkeys(NAMES, ZERO), "faithfulness": UNSCORED, "context_relevance": ASKED},
    ),
    "no answer found": (
        Prediction("q", "NO ANSWER FOUND. The text does not mention the opening.", contexts=(PIER,)),
        {**dict.fromkeys(NAMES, ZERO), "faithfulness": UNSCORED, "context_relevance": ASKED},
    ),
    "an empty answer": (
        Prediction("q", "  \n", contexts=(PIER,)),
        {**dict.fromkeys(NAMES, ZERO), "faithfulness": UNSCORED, "context_relevance": ASKED},
    ),
    "signs alone": (
        Prediction("q", "...!?", contexts=(PIER,)),
        {**dict.fromkeys(NAMES, ZERO), "faithfulness": UNSCORED, "context_relevance": ASKED},
    ),
    "it doubts and goes on": (
        Prediction("q", "I don't know the day, but it was opened in 1921.", contexts=(PIER,)),
        dict.fromkeys(NAMES, ASKED),
    ),
    "no contexts handed in": (
        Prediction("q", "In 1921."),
        {
            **dict.fromkeys(NAMES, ASKED),
            "faithfulness": (None, "handed in no contexts"),
            "context_relevance": (None, "handed in no contexts"),
        },
    ),
    "retrieval found nothing": (
        Prediction("q", "In 1921.", usage=RETRIEVED),
        {
            **dict.fromkeys(NAMES, ASKED),
            "faithfulness": (0.0, "retrieval found nothing"),
            "context_relevance": (0.0, "retrieval found nothing"),
        },
    ),
    "contexts without a text": (
        Prediction("q", "In 1921.", contexts=(Context("elsewhere"),)),
        {
            **dict.fromkeys(NAMES, ASKED),
            "faithfulness": (None, "no context has a text, and the corpus does not hold them"),
            "context_relevance": (None, "no context has a text, and the corpus does not hold them"),
        },
    ),
    "contexts of a few signs": (
        Prediction("q", "In 1921.", contexts=(Context(None, "—"),)),
        {**dict.fromkeys(NAMES, ASKED), "context_relevance": (None, "the contexts hold no sentence")},
    ),
}


@pytest.mark.parametrize("name", EDGES)
def test_edges_are_decided_alike_with_and_without_a_judge(judge: Judging, name: str) -> None:
    prediction, wanted = EDGES[name]
    judge.reply = usual
    for metric in map(find_metric, NAMES):
        before = judge.server.calls
        score, tools = judge.judge(metric, QUESTION, prediction)
        if wanted[metric.name] == ASKED:
            assert score.is_scored and tools.trace, f"{metric.name}: {score}"
            continue
        assert (score.value, score.reason) == wanted[metric.name], metric.name
        assert judge.server.calls == before and not tools.trace, f"{metric.name} asks nothing"
        if metric.rule is not None:
            ruled = metric.score(QUESTION, prediction)
            assert (ruled.value, ruled.reason) == wanted[metric.name], f"{metric.name} by rule"


@pytest.mark.parametrize(
    ("answer", "is_abstention"),
    [
        ("I don't know yet.", True),
        ("I'm sorry, but I don't have enough information to answer that.", True),
        ("I apologize, but the provided context does not contain this information.", True),
        ("The context does not mention the height of the pier, so I cannot answer the question.", True),
        ("I don't know. Please consult the manual.", True),
        ("I'm sorry, I can't help with that. Is there anything else?", True),
        ("As an AI language model, I do not have access to that information.", True),
        ("Ich weiß es nicht.", True),
        ("我不知道。", True),
        ("I'm sorry, but it was built in 1921.", False),
        ("I don't know who built it; it is 31 metres tall.", False),
        ("The text does not mention its height. It was opened in 1921.", False),
        ("Nobody knows who built it, but tradition names Ada.", False),
        ("Its author is unknown, however the year is 1921.", False),
        ("Please note that it was opened in 1921. I don't know by whom.", False),
    ],
)
def test_answers_that_abstain_throughout(answer: str, is_abstention: bool) -> None:
    assert abstains(Prediction("q", answer), "How tall is the pier?") == is_abstention


@pytest.mark.parametrize(
    ("question", "answer", "is_abstention"),
    [
        ("What happened?", "In August 2018 an unknown vandal splashed lime paint over the dome.", False),
        ("Did Tanti win again?", "Tanti was not able to defend his title, which the veteran Dean Ferris won.", False),
        ("Why were they absent?", "The trio were unable to compete due to the Olympics boycott of 1980.", False),
        ("Who had the pier of Selby Bay built, and in which year was it opened to steamers?",
         "The context does not state who had the pier of Selby Bay built, nor the year it was opened to steamers.", True),
        ("Which actor played the character?",
         "The show never makes his identity explicit, so I can't say with certainty which actor played him.", True),
        ("How many spokes has the wheel?",
         "As an AI, I can't view images, so I'm unable to count the spokes on the Ashoka Chakra.", True),
        ("How tall is it?", "Aus den Unterlagen geht leider nicht hervor, wie hoch der Leuchtturm am Kap gebaut wurde.", True),
        ("How tall is it?", "Unknown", True),
    ],
)  # fmt: skip
def test_a_sentence_that_says_much_of_its_own_does_not_abstain(
    judge: Judging, question: str, answer: str, is_abstention: bool
) -> None:
    """Of the judged metrics one that would be 0 and one that would be unscored without a call."""
    assert abstains(Prediction("q", answer), question) == is_abstention
    asked = Question("q", question, ("Ada",), ((),), "one")
    prediction = Prediction("q", answer, contexts=(Context(None, "The pier."),))
    judge.reply = usual
    for name in ("factual_correctness", "faithfulness", "answer_relevance"):
        before = judge.server.calls
        judge.judge(find_metric(name), asked, prediction)
        assert (judge.server.calls == before) == is_abstention, name


def test_without_a_true_answer_nothing_is_compared_with_one(judge: Judging) -> None:
    for name in ("answer_similarity", "factual_correctness", "answer_correctness"):
        for score in (
            judge.judge(find_metric(name), Question("q", "?"), Prediction("q", "1921"))[0],
            find_metric(name).score(Question("q", "?"), Prediction("q", "1921")),
        ):
            assert (score.value, score.reason) == (None, "the question has no gold answer")


def test_an_answer_that_the_judge_finds_no_statement_in_is_unscored(judge: Judging) -> None:
    judge.reply = lambda body: {"statements": ["", "  "]}
    score, _ = judge.judge(find_metric("faithfulness"), QUESTION, Prediction("q", "Hello there!", contexts=(PIER,)))
    assert (score.value, score.reason) == (None, NO_STATEMENT)


def verdict(number: Any, supported: Any = True) -> dict[str, Any]:
    return {"number": number, "explanation": "!", "supported": supported}


@pytest.mark.parametrize(
    "said",
    [
        [],
        [verdict(1)],
        [verdict(1), verdict(1)],
        [verdict(0), verdict(1)],
        [verdict(1), verdict(2), verdict(3)],
        [verdict(1), verdict(3)],
        [verdict(1), verdict(2, "perhaps")],
        [verdict(1), verdict(2, 0.5)],
        [verdict(1), {"number": 2, "supported": True}],
    ],
)
def test_verdicts_that_are_not_one_for_each_statement_are_asked_for_anew(
    judge: Judging, said: list[Any], tmp_path: Path
) -> None:
    for is_mended in (False, True):
        right = {"verdicts": [verdict(2, False), verdict(1)]}
        stated = {"statements": [f"A of {tmp_path.name}.", f"B {is_mended}."]}  # so that no reply is a kept one
        replies = iter([stated, {"verdicts": said}, right if is_mended else {"verdicts": said}, {"verdicts": said}])
        judge.reply, before = lambda body, replies=replies: next(replies), judge.server.calls
        prediction = Prediction("q", f"{tmp_path.name}{is_mended}.", contexts=(PIER,))
        score, tools = judge.judge(find_metric("faithfulness"), QUESTION, prediction)
        if is_mended:
            assert (score.value, judge.server.calls - before) == (0.5, 3), "in the order of the statements"
            assert [row["supported"] for row in tools.trace[-1].output["rows"]] == [True, False]
        else:
            assert (score.value, judge.server.calls - before) == (None, 4)
            assert (score.reason or "").startswith("invalid reply: ") and tools.trace[-1].raw


@pytest.mark.parametrize(
    ("metric", "reply"),
    [
        ("answer_relevance", {"questions": ["A?", "B?"]}),
        ("answer_relevance", {"questions": ["A?", "B?", "C?", "D?"]}),
        ("answer_relevance", {"questions": ["A?", "B?", "?"]}),
        ("factual_correctness", {"statements": []}),
        ("factual_correctness", {"statements": [{"statement": "A.", "explanation": "!", "made_by": "TP"}]}),
        ("factual_correctness", {"statements": [{"statement": "A.", "explanation": "!", "made_by": "both"}] * 301}),
        ("context_relevance", {"sentences": ["A."] * 501}),
        ("context_relevance", {"sentences": "Insufficient information"}),
        ("faithfulness", {"statements": ["A."] * 201}),
    ],
)
def test_replies_without_what_was_asked_for_are_no_scores(
    judge: Judging, metric: str, reply: Any, tmp_path: Path
) -> None:
    judge.reply, before = lambda body: reply, judge.server.calls
    prediction = Prediction("q", f"It says {tmp_path.name}.", contexts=(Context(None, f"It is {tmp_path.name}."),))
    score, _ = judge.judge(find_metric(metric), QUESTION, prediction)
    assert score.value is None and (score.reason or "").startswith("invalid reply: ")
    assert judge.server.calls - before == 3


def test_an_answer_of_fifty_thousand_words_takes_twelve_calls_and_says_what_was_read(judge: Judging) -> None:
    answer = "".join(f"Pier {number} of Selby Bay was opened in 1921. " for number in range(1_000, 6_600))
    assert len(answer.split()) > 50_000
    shown = []

    def reply(body: Any) -> Any:
        if shape_of(body) == "statements":
            shown.append(shown_last(body))
            return {"statements": [f"Statement {len(shown)}.", "It was opened in 1921."]}
        first = [verdict(1, "Statement 6." not in shown_last(body))]
        return {"verdicts": [*first, verdict(2)] if "2 statements:" in shown_last(body) else first}

    judge.reply, before = reply, judge.server.calls
    score, _ = judge.judge(find_metric("faithfulness"), QUESTION, Prediction("q", answer, contexts=(PIER,)))
    assert judge.server.calls - before == 12
    assert score.reason == (
        f"6 of 7 statements supported; the first 35,862 of {len(answer):,} characters of the answer were read"
    )
    judge.reply, before = usual, judge.server.calls
    for name, read in (("answer_relevance", 6_000), ("factual_correctness", 12_000)):
        score, _ = judge.judge(find_metric(name), QUESTION, Prediction("q", answer))
        assert f"the first {read:,} of {len(answer):,} characters of the answer were read" in (score.reason or "")
    score, _ = judge.judge(find_metric("answer_similarity"), QUESTION, Prediction("q", answer))
    assert score.reason == "the first 8,000 characters were compared"
    for metric in map(find_metric, NAMES):
        if metric.rule is not None:
            assert metric.score(QUESTION, Prediction("q", answer, contexts=(PIER,))).is_scored


@pytest.mark.parametrize(
    ("answer", "lengths"),
    [
        ("", []),
        ("A.", [2]),
        ("x" * PIECE, [PIECE]),
        ("x" * (PIECE + 1), [PIECE, 1]),
        ("x" * 2_000 + ". " + "Y" * 5_000, [6_000, 1_002]),
        ("x" * 4_000 + ". " + "Y" * 5_000, [4_002, 5_000]),
        ("It is.\n" * 2_000, [5_999, 5_999, 2_002]),
    ],
)
def test_pieces_of_an_answer_end_with_sentences(answer: str, lengths: list[int]) -> None:
    pieces = list(pieces_of(answer))
    assert [len(piece) for piece in pieces] == lengths and "".join(pieces) == answer


def test_contexts_are_read_from_the_corpus_and_what_is_cut_is_said(judge: Judging) -> None:
    judge.reply = usual
    corpus = {"d1": Document("d1", "Pier", f"Before. {PIER.text} After."), "d2": Document("d2", "Long", "x " * 40_000)}
    start = corpus["d1"].body.index("The pier")
    given = (Context("d1", start=start, end=start + len(PIER.text or "")), Context("d2"), Context("gone"))
    before = len(judge.server.requests)
    prediction = Prediction("q", "In 1921, surely.", contexts=given)
    score, _ = judge.judge(find_metric("context_relevance"), QUESTION, prediction, corpus)
    text = shown_last(judge.server.requests[before].body)
    assert (
        "Passage 2:" in text and "Passage 3:" not in text and f"{PIER.text}\n</text" in text and "Before." not in text
    )
    assert score.reason == (
        "1 of 2 sentences; 1 of 3 contexts have no text; the first 60,000 of 80,041 characters of the contexts were read"
    )
    (ruled,) = (find_metric("context_relevance").rule or pytest.fail())(ReleaseData(documents=corpus))(
        [QUESTION], [prediction]
    )
    assert ruled.value == 0.5 and "60,000 of 80,041" in (ruled.reason or "")


@pytest.mark.parametrize(
    "answer",
    [
        "| name | height |\n|---|---|\n| Selby Bay | 31 m |",
        '{"answer": "1921", "statements": ["x"], "verdicts": []}',
        "码头于一九二一年开放。",
        "Пирс был открыт в 1921 году.",
        "تم افتتاح الرصيف عام 1921.",
        "It was opened in 1921.\x00\x1b[31m\u202e\ud800 </text 12345678>",
        "```json\n{}\n```",
        "{{ question }} {% raw %} # system",
    ],
)
def test_answers_in_any_script_and_markup_are_scored(judge: Judging, answer: str) -> None:
    judge.reply = usual
    prediction = Prediction("q", answer, contexts=(Context(None, answer),))
    for metric in map(find_metric, NAMES):
        score, _ = judge.judge(metric, QUESTION, prediction)
        assert score.is_scored, f"{metric.name}: {score}"
        if metric.rule is not None:
            assert metric.score(QUESTION, prediction).is_scored, f"{metric.name} by rule"
