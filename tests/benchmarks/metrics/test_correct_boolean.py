"""Yes and no: a table of answers, and what no answer may be taken for."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.benchmarks.metrics.answers import judge
from benchwright.benchmarks.metrics.answers.answer_text import read_answer_text
from benchwright.benchmarks.metrics.answers.boolean import read_boolean
from benchwright.benchmarks.metrics.answers.boolean_question import read_asked, stem
from benchwright.benchmarks.metrics.correct import correct
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question

CASES = [
    json.loads(line) for line in (Path(__file__).parents[2] / "cases" / "boolean.jsonl").read_text("utf-8").splitlines()
]
"""`written`: before the rule was made, after it, or while it was mended."""
UNDECIDED = {
    "The city council approved the budget on 14 December 2022.",
    "They use the same supplier.",
    "Children were excluded from the study.",
    "It was founded by Marta Holm and Erik Holm.",
    "Neither the house nor the barn has a basement.",
}
"""Answers that people decide and the rules leave to a judge."""


def judged(question: str, gold: str, answer: str) -> judge.AnswerJudgment:
    return judge.judge_answer(answer, question=question, answers=(gold,), answer_type="boolean")


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['question']} {case['answers'][0]} <- {case['answer']}")
def test_each_case(case: dict[str, Any]) -> None:
    result = judged(case["question"], case["answers"][0], case["answer"])
    assert result.outcome == ("unscored" if case["answer"] in UNDECIDED else case["outcome"]), result.reason


def test_the_cases_are_many_and_half_of_them_are_older_than_the_rule() -> None:
    written = Counter(case["written"] for case in CASES)
    assert written == {"before": 160, "after": 165, "during": 101}
    assert len({case["question"] for case in CASES}) == 72
    outcomes = Counter(case["outcome"] for case in CASES)
    assert outcomes == {"correct": 211, "wrong": 124, "abstained": 18, "unscored": 73}


def test_a_statement_about_something_else_is_no_yes_and_no_no() -> None:
    """Each statement of the table beside the questions that it does not answer."""
    questions = sorted({case["question"] for case in CASES})
    about = {question: set(read_asked(question).stems) for question in questions}
    taken, tried = [], 0
    for case in CASES:
        lowered = read_answer_text(case["answer"]).lowered
        if read_boolean(lowered, "Xyzzy?") is not None:
            continue  # a word says yes or no, or that it is not known
        for question in questions[::3]:
            if not about[question] & about[case["question"]]:
                tried += 1
                if read_boolean(lowered, question) in ("yes", "no"):
                    taken.append((question, case["answer"]))
    assert tried > 5_000
    assert taken == []


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("The weather is fine.", "not understood"),
        ("It has a basement.", "says the same"),
        ("It has no basement.", "says the opposite"),
        ("It may have one.", "does not commit itself to the gold answer"),
        ("The documents do not say.", "says that the answer is not known"),
    ],
)
def test_every_outcome_has_its_reason(answer: str, reason: str) -> None:
    assert judged("Does the house have a basement?", "yes", answer).reason == reason


def test_what_is_not_understood_has_no_score() -> None:
    question = Question("q", "Does the house have a basement?", ("yes",), (), "boolean")
    score = correct(question, Prediction("q", "The weather is fine."))
    assert (score.value, score.reason, score.outcome) == (None, "not understood", "unscored")
    assert correct(question, Prediction("q", "It has no basement.")).value == 0.0


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("founded", "founding"),
        ("authorised", "authorize"),
        ("travelled", "traveled"),
        ("colour", "colors"),
        ("centre", "centers"),
        ("wrote", "written"),
        ("carried", "carries"),
        ("stopped", "stopping"),
        ("succeed", "succeeded"),
    ],
)
def test_forms_and_spellings_of_a_word_are_one(first: str, second: str) -> None:
    assert stem(first) == stem(second)


@given(st.text(max_size=400), st.text(max_size=120))
def test_any_answer_to_any_question_has_an_outcome(answer: str, question: str) -> None:
    assert judged(question, "no", answer).outcome in ("correct", "wrong", "abstained", "unscored")


@pytest.mark.parametrize("part", ["not until 1990 ", "no, ", "(", ", which ", "yes. ", "the answer ", "so ", "in a b "])
def test_long_and_hostile_answers_are_judged(part: str) -> None:
    answer = part * (1_000_000 // len(part))
    assert judged("Is the house not free of, or without, a basement?", "no", answer).outcome is not None
