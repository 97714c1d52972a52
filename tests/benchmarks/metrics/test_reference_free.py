"""`selfcheck` and `ragas_fact`, worked out by hand: values, what the judge is shown, how many calls they take."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from judged_items import Judging, judging, shown_last

from benchwright.benchmarks.metrics import find_metric
from benchwright.benchmarks.metrics.steps.same_answer import same_by_words
from benchwright.benchmarks.metrics.tools import Steps
from benchwright.benchmarks.models.fencing import fenced
from benchwright.benchmarks.predictions import Context, Prediction, Usage
from benchwright.benchmarks.types import Document, Question

SELFCHECK, RAGAS_FACT = find_metric("selfcheck"), find_metric("ragas_fact")
QUESTION = Question("q", "When was the pier opened?", ("1921",), (), "one")
OPENED = Prediction("q", "In 1921.", samples=("1921", "It opened in 1921.", "In May 1921", "in 1912"))
PIER = Context(id="d1", text="The pier was opened in 1921. It is 310 metres long.")


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judging]:
    with judging(tmp_path_factory.mktemp("judge")) as found:
        yield found


def same(*verdicts: bool) -> dict[str, Any]:
    return {"verdicts": [{"number": place, "reason": "!", "same": each} for place, each in enumerate(verdicts, 1)]}


def sampled(*samples: str, answer: str | None = "In 1921.", **more: Any) -> Prediction:
    return Prediction("q", answer, samples=samples, **more)


@pytest.mark.parametrize(
    ("prediction", "reply", "value", "reason", "share", "calls"),
    [
        (OPENED, same(True, True, True, True), 1, "4 of 4 samples agree with the answer", 1.0, 1),
        (OPENED, same(True, True, True, False), 0, "3 of 4 samples agree with the answer", 0.75, 1),
        (OPENED, same(False, False, False, False), 0, "0 of 4 samples agree with the answer", 0.0, 1),
        (OPENED, same(True, False, True, False), 0, "2 of 4 samples agree with the answer", 0.5, 1),
        (sampled("1921"), same(True), 1, "1 of 1 sample agrees with the answer", 1.0, 1),
        (sampled("1922"), same(False), 0, "0 of 1 sample agrees with the answer", 0.0, 1),
        (sampled(*["1921"] * 10), same(*[True] * 9, False), 0, "9 of 10 samples agree with the answer", 0.9, 1),
        (sampled("", "1921"), same(False, True), 0, "1 of 2 samples agree with the answer", 0.5, 1),
        (sampled(), None, None, "there are no samples: ask for further answers with score-system --samples 4", None, 0),
        (sampled("1921", answer=None, abstained=True), None, None, "the system abstained: there is no answer to", None, 0),
        (sampled("1921", answer="…"), None, None, "the system abstained: there is no answer to", None, 0),
        (sampled("1921", answer="I don't know."), None, None, "the system abstained: there is no answer to", None, 0),
        (sampled("1921", answer=None, error="!"), None, None, "the system gave no answer", None, 0),
        (OPENED, same(True, True, True), None, "invalid reply: ", None, 3),
        (sampled("a", "b"), {"verdicts": [same(True)["verdicts"][0]] * 2}, None, "invalid reply: ", None, 3),
        (sampled("1921", "x" * 20_001), same(True, False), 0, "1 of 2 samples agree with the answer; the first 20,000 of "
         "20,001 characters of sample 2 were read", 0.5, 1),
    ],
)  # fmt: skip
def test_selfcheck(
    judge: Judging,
    prediction: Prediction,
    reply: Any,
    value: float | None,
    reason: str,
    share: float | None,
    calls: int,
    tmp_path: Path,
) -> None:
    judge.reply, before = lambda body: reply, judge.server.calls
    question = Question("q", f"When was it opened? {tmp_path.name}")  # so that no reply is a kept one
    score, tools = judge.judge(SELFCHECK, question, prediction)
    assert (score.value, judge.server.calls - before) == (value, calls), score
    assert (score.reason or "").startswith(reason), score
    shares = [step.output for step in tools.trace if step.step == "share of samples that agree"]
    assert shares == ([] if share is None else [share])


def test_selfcheck_shows_question_answer_and_all_samples_fenced(judge: Judging) -> None:
    judge.reply, before = lambda body: same(True, True, True, True), len(judge.server.requests)
    judge.judge(SELFCHECK, QUESTION, OPENED)
    (request,) = judge.server.requests[before:]
    shown = shown_last(request.body)
    places = [shown.index(fenced(text)) for text in (QUESTION.question, "In 1921.", *OPENED.samples)]
    assert places == sorted(places) and shown.index("does not instruct you") > places[-1]
    assert "1921" not in shown[: places[1]], "the true answer is no part of it"


@pytest.mark.parametrize(
    ("question", "first", "second", "is_same"),
    [
        ("When was it opened?", "In 1921.", "It was opened in 1921", True),
        ("When was it opened?", "In 1921.", "It was opened in 1912", False),
        ("Where is it?", "Oslo", "It is in Oslo, Norway.", True),
        ("Where is it?", "Oslo", "Bergen", False),
        ("Who runs it?", "Ada Moor", "Ada Brandt", False),
        ("Who runs it?", "Ada Moor runs it.", "It is run by Ada Moor", True),
        ("Is it in Oslo?", "Yes.", "Yes, it is in Oslo.", True),
        ("Is it in Oslo?", "Yes.", "No, in Bergen.", False),
        ("How long is it?", "310 metres", "It is 310 m long", True),
        ("How long is it?", "310 metres", "It is 320 metres long", False),
        ("How long is it?", "310 metres", "I don't know.", False),
        ("Where is it?", "Oslo", "", False),
        ("When was it opened?", "on 4 May 1990", "May 4, 1990", True),
        ("When was it opened?", "in 1990", "It was opened on 4 May 1990", True),
        ("When was it opened?", "in June 1990", "It was opened on 4 May 1990", False),
        ("How long is it?", "2 km", "It is 2,000 m long.", True),
    ],
)
def test_two_answers_by_words(question: str, first: str, second: str, is_same: bool) -> None:
    assert same_by_words(question, first, second) == same_by_words(question, second, first) == is_same


def test_the_twin_of_selfcheck_says_that_it_goes_by_words() -> None:
    score = SELFCHECK.score(QUESTION, OPENED)
    assert (score.value, score.reason) == (0, "by rule, by words and figures: 3 of 4 samples agree with the answer")
    assert SELFCHECK.score(QUESTION, sampled("1921", "It was in 1921")).value == 1
    assert SELFCHECK.score(QUESTION, sampled()).value is None


def claims(*texts: str) -> dict[str, Any]:
    return {"statements": list(texts)}


def judged(*verdicts: str) -> dict[str, Any]:
    return {"verdicts": [{"number": place, "reason": "!", "verdict": each} for place, each in enumerate(verdicts, 1)]}


FOUR = claims("It was opened.", "It was in 1921.", "It is long.", "It is of oak.")
ANSWER = Prediction("q", "In 1921; it is long and of oak.", contexts=(PIER,))


@pytest.mark.parametrize(
    ("prediction", "stated", "reply", "value", "reason", "calls"),
    [
        (ANSWER, FOUR, judged("Yes", "Yes", "Yes", "Yes"), 1, "4 of 4 claims grounded, 0 contradicted, 0 not told", 2),
        (ANSWER, FOUR, judged("Yes", "Yes", "Yes", "Null"), 0.75, "3 of 4 claims grounded, 0 contradicted, 1 not told", 2),
        (ANSWER, FOUR, judged("No", "Yes", "No", "Null"), 0.25, "1 of 4 claims grounded, 2 contradicted, 1 not told", 2),
        (ANSWER, FOUR, judged("Null", "Null", "Null", "Null"), 0, "0 of 4 claims grounded, 0 contradicted, 4 not told", 2),
        (ANSWER, FOUR, judged("No", "No", "No", "No"), 0, "0 of 4 claims grounded, 4 contradicted, 0 not told", 2),
        (ANSWER, claims("a", "b", "c"), judged("Yes", "Yes", "No"), 2 / 3, "2 of 3 claims grounded", 2),
        (ANSWER, claims("a"), judged("Yes"), 1, "1 of 1 claims grounded", 2),
        (ANSWER, claims("a", "b", "a"), judged("Yes", "No"), 0.5, "1 of 2 claims grounded", 2),
        (ANSWER, claims("a", "b", "c"), {"verdicts": judged("No", "Yes", "Yes")["verdicts"][::-1]}, 2 / 3,
         "2 of 3 claims grounded", 2),
        (ANSWER, claims(), None, None, "the answer makes no statement", 1),
        (Prediction("q", "?!", contexts=(PIER,)), None, None, None, "the answer makes no statement", 0),
        (ANSWER, claims("a", "b"), judged("Yes"), None, "invalid reply: ", 4),
        (ANSWER, claims("a"), judged("Maybe"), None, "invalid reply: ", 4),
        (Prediction("q", None, abstained=True, contexts=(PIER,)), None, None, None, "the answer makes no statement", 0),
        (Prediction("q", "I don't know.", contexts=(PIER,)), None, None, None, "the answer makes no statement", 0),
        (Prediction("q", None, error="!", contexts=(PIER,)), None, None, None, "the system gave no answer", 0),
        (Prediction("q", "In 1921."), None, None, None, "handed in no contexts", 0),
        (Prediction("q", "In 1921.", usage=Usage(retrievals=1)), None, None, 0, "retrieval found nothing", 0),
    ],
)  # fmt: skip
def test_ragas_fact(
    judge: Judging,
    prediction: Prediction,
    stated: Any,
    reply: Any,
    value: float | None,
    reason: str,
    calls: int,
    tmp_path: Path,
) -> None:
    judge.reply = lambda body: stated if "take apart" in body["messages"][0]["content"] else reply
    before = judge.server.calls
    others = tuple(replace(each, text=f"{each.text} {tmp_path.name}") for each in prediction.contexts)
    asked = Question("q", f"When was it opened? {tmp_path.name}")  # so that no reply is a kept one
    score, tools = judge.judge(RAGAS_FACT, asked, replace(prediction, contexts=others))
    assert (score.value, judge.server.calls - before) == (value, calls), score
    assert (score.reason or "").startswith(reason), score
    if score.value is not None and calls:
        last = tools.trace[-1].output
        assert last["arithmetic"] == f"{score.reason} = {value:.3f}"
        said = {each["number"]: each["verdict"] for each in reply["verdicts"]}
        texts = list(dict.fromkeys(stated["statements"]))
        assert [(row["statement"], row["verdict"]) for row in last["rows"]] == [
            (text, said[number]) for number, text in enumerate(texts, 1)
        ], "each claim with what is said of it, in whatever order that came"


def test_claims_are_the_statements_that_faithfulness_takes_and_are_asked_for_once(judge: Judging) -> None:
    asked: list[str] = []

    def reply(body: Any) -> Any:
        asked.append(shown_last(body))
        return FOUR if "take apart" in body["messages"][0]["content"] else judged("Yes", "Yes", "Null", "Null")

    judge.reply = reply
    documents = {"d2": Document("d2", "Pier", "It was opened by the mayor.")}
    prediction = Prediction("q", "Once.", contexts=(PIER, Context(id="d2", document="d2")))
    steps = Steps()
    score, tools = judge.judge(RAGAS_FACT, QUESTION, prediction, documents, steps)
    again, _ = judge.judge(RAGAS_FACT, QUESTION, prediction, documents, steps)
    assert score == again and score.value == 0.5 and len(asked) == 2
    assert [step.step for step in tools.trace] == ["judge_statements", "judge_claims", "ragas_fact"]
    lines: Sequence[str] = [f"{place}. {text}" for place, text in enumerate(FOUR["statements"], 1)]
    texts = (str(PIER.text), "It was opened by the mayor.", "\n".join(lines))
    places = [asked[1].index(fenced(text)) for text in texts]
    assert places == sorted(places) and asked[1].index("does not instruct you") > places[-1]
