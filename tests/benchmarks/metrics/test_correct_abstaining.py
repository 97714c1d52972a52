"""Answers that say in one of fourteen languages that they do not know, and answers that look like them."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.metrics.answers import abstaining, cues, judge
from benchwright.benchmarks.metrics.correct import correct
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.reports.prediction_facts import says_nothing
from benchwright.benchmarks.text.folding import fold
from benchwright.benchmarks.types import Question

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "cases" / "abstaining.jsonl").read_text("utf-8").splitlines()
]
MOST_SPOKEN = ("en", "zh", "hi", "es", "fr", "ar", "bn", "pt", "ru", "ur")


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['language']} {case['answer']}")
def test_each_case(case: dict[str, Any]) -> None:
    """Of a question whose answer it does not name, of yes and no, and where nothing can be answered."""
    outcome = judge.judge_answer(case["answer"], question="Where is the head office?", answers=("Trondheim",)).outcome
    assert outcome == ("abstained" if case["abstains"] else "wrong")
    boolean = judge.judge_answer(
        case["answer"], question="Is the office in Oslo?", answers=("yes",), answer_type="boolean"
    ).outcome
    assert (boolean == "abstained") == case["abstains"]
    assert says_nothing(case["answer"]) == case["abstains"]


def test_each_language_has_cases() -> None:
    there = Counter((case["language"], case["abstains"]) for case in CASES)
    languages = {language for language, _ in there}
    assert languages == {*MOST_SPOKEN, "de", "ja", "id", "it"}
    assert languages - {"en"} == set(read_toml("benchwright.benchmarks.metrics.answers", "abstaining.toml"))
    assert all(there[language, True] >= 8 and there[language, False] >= 4 for language in languages)


@pytest.mark.parametrize(
    ("answer", "gold", "outcome"),
    [
        ("No sé si es Trondheim.", "Trondheim", "abstained"),
        ("La oficina está en Trondheim. No se sabe cuándo abrió.", "Trondheim", "correct"),
        ("总部在 Trondheim 。", "Trondheim", "correct"),
        ("NO LO SÉ", "Trondheim", "abstained"),
        ("JE NE SAIS PAS.", "Trondheim", "abstained"),
        ("**Не знаю.**", "Trondheim", "abstained"),
        ("je ne sais pas", "Trondheim", "abstained"),
    ],
)
def test_beside_a_value_an_answer_abstains_where_its_clause_does(answer: str, gold: str, outcome: str) -> None:
    assert judge.judge_answer(answer, question="Where is the head office?", answers=(gold,)).outcome == outcome


@pytest.mark.parametrize("answer", ["لا أعرف", "لا اعرف", "لا أعرِف", "ﻻ أعرف", "لا أعــرف"])
def test_forms_of_arabic_letters_are_one(answer: str) -> None:
    assert says_nothing(answer)


def test_english_answers_are_not_looked_at_in_other_languages() -> None:
    """Words that begin the search in another language are none of the common words of English."""
    common = "the of and to in is was for on that by with as it at from his an were are which this be or has had not no"
    more = "information idea context document text data answer possible impossible response person non disponible"
    assert abstaining.latin_triggers().isdisjoint(common.split())
    assert abstaining.latin_triggers() & set(more.split()) == {"non", "disponible"}
    assert not cues.may_change("the head office stands in trondheim", ("the", "head", "office", "stands"))
    assert cues.may_change(fold("不知道"), ())


def test_abstaining_is_told_by_its_reason() -> None:
    question = Question("q", "Where is the head office?", ("Oslo",), (), "one")
    score = correct(question, Prediction("q", "No lo sé."))
    assert (score.value, score.reason, score.outcome) == (0.0, "says that the answer is not known", "abstained")
