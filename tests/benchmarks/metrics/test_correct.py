"""The rule-based judgment of free-text answers, case by case."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.metrics.answers import cues, judge
from benchwright.benchmarks.metrics.answers.answer_text import read_answer_text
from benchwright.benchmarks.metrics.answers.gold import read_gold
from benchwright.benchmarks.metrics.answers.judged_answer import asked_with, beside
from benchwright.benchmarks.metrics.answers.values import prepare_values
from benchwright.benchmarks.metrics.base import ReleaseData
from benchwright.benchmarks.metrics.correct import METRIC, correct, template_values
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question

CASES = [
    json.loads(line) for line in (Path(__file__).parents[2] / "cases" / "correct.jsonl").read_text("utf-8").splitlines()
]


def judged(case: dict[str, Any]) -> judge.AnswerJudgment:
    return judge.judge_answer(
        case["answer"],
        question=case["question"],
        answers=tuple(case["answers"]),
        aliases=tuple(map(tuple, case["aliases"])),
        answer_type=case["answer_type"],
        values=prepare_values((value, ()) for value in case["confusable"]),
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{'+'.join(case['answers'])} <- {case['answer'][:60]}")
def test_each_case(case: dict[str, Any]) -> None:
    result = judged(case)
    assert result.outcome == case["outcome"], result.reason


def test_the_cases_are_many_and_varied() -> None:
    outcomes = Counter(case["outcome"] for case in CASES)
    assert len(CASES) >= 350
    assert min(outcomes["correct"], outcomes["wrong"]) >= 150 and outcomes["abstained"] >= 40
    assert len({case["question"] for case in CASES}) >= 45


def test_without_a_cue_word_the_cues_change_nothing() -> None:
    """Where no word of `triggers` stands in an answer its cues are not looked for: looking gives the same."""
    differing, spared = [], 0
    for case in CASES:
        if case["answer_type"] in ("one", "set") and case["answers"] and case["answer"].strip():
            gold = read_gold(tuple(case["answers"]), tuple(map(tuple, case["aliases"])))
            values = prepare_values((value, ()) for value in case["confusable"])
            judged = beside(read_answer_text(case["answer"]), asked_with(case["question"], gold, values))
            spared += not judged.is_cued
            closely = judge.judge_beside(judged._replace(is_cued=True, abstains=judged.answer_text.abstains))
            if closely.outcome != case["outcome"]:
                differing.append((case["answer"], closely))
    assert differing == []
    assert spared > 300


def test_every_outcome_has_its_reason() -> None:
    reasons = {judged(case).reason for case in CASES}
    assert reasons >= {
        "names the gold answer and no other value",
        "names another value besides the gold answer",
        "names another value",
        "names the gold answer only to deny it or date it back",
        "does not commit itself to the gold answer",
        "lists candidates",
        "names the gold answer only in the question's words",
        "names only a part of the gold answer",
        "does not name the gold answer",
        "says that the answer is not known",
        "the answer is empty",
        "the question has no gold answer",
    }


def test_thousands_of_values_can_be_confused() -> None:
    people = [
        f"{first}{middle} {last}"
        for first in ["Ann", "Bob", "Cid", "Dan"]
        for middle in "abcdefghijklmnopqrst"
        for last in (
            f"{start}{end}"
            for start in ["Ber", "Cal", "Dor", "Ent", "Fil"]
            for end in ["man", "ton", "sen", "ley", "ford", "wick"]
        )
    ]
    values = prepare_values((person, ()) for person in people)
    assert len(values.items) == len(people) == 2400
    for gold, other in zip(people[:50], people[1000:1050], strict=True):
        both = {"question": "Who is the manager?", "answers": (gold,), "values": values}
        assert judge.judge_answer(f"It is {gold}.", **both) == judge.CORRECT
        assert judge.judge_answer(f"It is {other}.", **both) == judge.OTHER
        assert judge.judge_answer(f"{gold} and {other}", **both) == judge.BESIDES


@pytest.mark.parametrize("answer", ["8 to 10 octets", "Its length is 8 to 10 octets.", "It is 8 to 10 octets"])
def test_a_figure_within_the_gold_answer_is_no_other_value(answer: str) -> None:
    values = prepare_values([("8 to 10 octets", ()), ("8", ()), ("10", ()), ("12 octets", ())])
    asked = {"question": "How long is the message?", "answers": ("8 to 10 octets",), "values": values}
    assert judge.judge_answer(answer, **asked).outcome == "correct"
    assert judge.judge_answer(f"{answer}, or 12 octets", **asked).outcome == "wrong"


def test_without_values_nothing_can_be_confused() -> None:
    asked = {"question": "What is the industry of 'Acme'?", "answers": ("Banking",)}
    assert judge.judge_answer("Banking and Retailing", **asked) == judge.CORRECT
    values = prepare_values([("Banking", ()), ("Retailing", ())])
    assert judge.judge_answer("Banking and Retailing", **asked, values=values) == judge.BESIDES


@pytest.mark.parametrize(
    ("question", "gold", "answer", "open_outcome", "beside_others"),
    [
        ("When did it open?", "1 May 1990", "le 1er mai 1990", "correct", "correct"),
        ("What did it cost?", "$3.5 million", "US$3.5 million", "correct", "correct"),
        ("How many?", "35", "thirty-five", "correct", "correct"),
        ("When did it open?", "1990", "on 1 May 1990", "correct", "correct"),
        ("When did it open?", "1 May 1990", "in May 1990", "unscored", "wrong"),
        ("When did it open?", "1 May 1990", "in 1990", "unscored", "wrong"),
        ("On what day did it open?", "1 May 1990", "in May 1990", "wrong", "wrong"),
        ("Which king?", "Louis XIV", "Louis the Fourteenth", "correct", "wrong"),
        ("Which harbour?", "Blue Harbour", "Blue Harbor", "correct", "correct"),
        ("Who leads?", "Anna Maria Keller", "Anna Keller", "correct", "correct"),
        ("Who leads?", "Anna Keller", "Anna Maria Keller", "correct", "correct"),
        ("Who leads?", "Anna Keller", "Keller", "correct", "correct"),
        ("Who leads?", "Anna Keller", "Peter Keller", "wrong", "wrong"),
        ("Who left the company?", "Anna Keller", "Anna Keller left the company.", "correct", "correct"),
        ("Who won?", "Germany", "Argentina, who met Germany", "wrong", "correct"),
        ("Who won?", "Germany", "Germany or Argentina", "wrong", "wrong"),
        ("When?", "1999", "Some say 1999, others say 2001.", "wrong", "correct"),
        ("What for?", "to protect the rights of workers", "for workers", "unscored", "wrong"),
    ],
)
def test_what_the_guide_says(question: str, gold: str, answer: str, open_outcome: str, beside_others: str) -> None:
    asked = {"question": question, "answers": (gold,)}
    assert judge.judge_answer(answer, **asked).outcome == open_outcome
    values = prepare_values([(gold, ()), ("something else", ())])
    assert judge.judge_answer(answer, **asked, values=values).outcome == beside_others


def test_a_very_long_answer_is_judged_by_its_beginning() -> None:
    asked = {"question": "What is the industry of 'Acme'?", "answers": ("Banking",)}
    assert judge.judge_answer("Banking. " + "x" * 10_000_000, **asked) == judge.CORRECT
    assert judge.judge_answer("x " * 5_000_000 + "Banking", **asked) == judge.NOT_FOUND


@pytest.mark.parametrize(
    "text",
    ["a " * 9000, "not " * 5000, "is not the " * 2000, "may " * 5000, "1 " * 9000, "((((" * 5000, ", or " * 4000],
)
def test_no_answer_takes_long(text: str) -> None:
    values = prepare_values([("Banking", ()), ("2022-09-01", ()), ("37", ()), ("USA", ())])
    for answer in ("Banking", "2022-09-01", "37", "USA"):
        outcome = judge.judge_answer(text + "Banking", question="?", answers=(answer,), values=values).outcome
        assert outcome in ("correct", "wrong", "abstained")


@given(
    st.text(max_size=200), st.sampled_from(["Banking", "2022-09-01", "37", "USA", "$4.2 million", "Dr. Sarah Connor"])
)
def test_any_text_has_an_outcome(answer: str, gold: str) -> None:
    values = prepare_values([(gold, ()), ("Retailing", ()), ("UK", ()), ("3", ()), ("2020-02-02", ())])
    judgment = judge.judge_answer(answer, question="Who or what?", answers=(gold,), values=values)
    assert judgment.outcome in ("correct", "wrong", "abstained")


@given(st.sampled_from([case for case in CASES if case["outcome"] == "correct" and case["answer_type"] == "one"]))
def test_the_gold_answer_itself_is_right(case: dict[str, Any]) -> None:
    assert judged(case | {"answer": case["answers"][0]}).outcome == "correct"


def question(**fields: Any) -> Question:
    defaults = {
        "id": "q",
        "question": "Industry of 'Acme'?",
        "answers": ("Banking",),
        "answer_type": "one",
        "template": "t",
    }
    return Question(**(defaults | fields))


def test_the_metric_learns_the_values_of_a_template() -> None:
    questions = [
        question(),
        question(id="r", answers=("Retailing",), aliases=(("Shops",),)),
        question(id="s", template=None),
    ]
    assert template_values(questions)["t"].items == {("Banking", ()), ("Retailing", ("Shops",))}
    assert METRIC.rule is not None
    answers = [Prediction(each.id, "Banking and shops") for each in questions]
    scores = METRIC.rule(ReleaseData(questions))(questions, answers)
    assert [score.outcome for score in scores] == ["wrong", "wrong", "correct"]
    assert METRIC.score(questions[0], Prediction("q", "Banking and shops")).value == 1.0


@pytest.mark.parametrize(
    ("asked", "prediction", "value", "outcome", "reason"),
    [
        (question(), Prediction("q", None, abstained=True), 0.0, "abstained", "said to abstain"),
        (
            question(answerability="gap"),
            Prediction("q", "I don't know."),
            0.0,
            "abstained",
            "says that the answer is not known",
        ),
        (
            question(answerability="gap"),
            Prediction("q", "Banking"),
            1.0,
            "correct",
            "names the gold answer and no other value",
        ),
        (
            question(answerability="unanswerable"),
            Prediction("q", "x"),
            None,
            "unscored",
            "the question is unanswerable",
        ),
        (question(answers=()), Prediction("q", "x"), None, "unscored", "the question has no gold answer"),
        (question(answer_type="none"), Prediction("q", "x"), None, "unscored", "the question has no gold answer"),
        (question(), Prediction("q", None, error="timeout"), None, "unscored", "the system gave no answer"),
    ],
)
def test_what_is_scored(
    asked: Question, prediction: Prediction, value: float | None, outcome: str, reason: str
) -> None:
    score = correct(asked, prediction)
    assert (score.value, score.outcome, score.reason) == (value, outcome, reason)


def test_every_list_of_cues_is_an_expression() -> None:
    for name in read_toml("benchwright.benchmarks.metrics.answers", "cues.toml"):
        if name != "triggers":
            assert cues.pattern(name).search("zzz") is None, name
