"""Columns of yes and no: found by name and values, asked as a question that people ask, and understood by `correct`."""

from collections import Counter

import pytest

from benchwright.benchmarks.metrics.correct import correct
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question
from benchwright.builders.sql.booleans import may_hold_truths
from benchwright.builders.sql.wording.by_rule import FORMS, write
from benchwright.builders.sql.wording.meaning import AskedColumn, Entity, Given, Meaning
from benchwright.builders.sql.wording.truths import truth_of


@pytest.mark.parametrize(
    ("words", "asks", "says"),
    [
        ("discontinued", "is the product X discontinued", "the product X is discontinued"),
        ("is active", "is the product X active", "the product X is active"),
        ("active flag", "is the product X active", "the product X is active"),
        ("is manager", "is the product X a manager", "the product X is a manager"),
        ("has parking", "does the product X have parking", "the product X has parking"),
        ("has basement", "does the product X have a basement", "the product X has a basement"),
        ("has shipped", "has the product X shipped", "the product X has shipped"),
        ("allows pets", "does the product X allow pets", "the product X allows pets"),
        ("can fly", "can the product X fly", "the product X can fly"),
        ("pet friendly", "is the product X pet friendly", "the product X is pet friendly"),
        ("parking", "is the entry under ‘parking’ for the product X yes", "the entry under ‘parking’ for the product X is yes"),
        ("payment received", "is the payment of the product X received", "the payment of the product X is received"),
        ("terms accepted", "are the terms of the product X accepted", "the terms of the product X are accepted"),
        ("passed", "has the product X passed", "the product X has passed"),
        ("needs visa", "does the product X need a visa", "the product X needs a visa"),
        ("lives on campus", "does the product X live on campus", "the product X lives on campus"),
        ("full time", "is the product X full time", "the product X is full time"),
        ("on call", "is the product X on call", "the product X is on call"),
        ("organ donor", "is the product X an organ donor", "the product X is an organ donor"),
        ("smoker", "is the product X a smoker", "the product X is a smoker"),
    ],
)  # fmt: skip
def test_a_question_and_a_statement(words: str, asks: str, says: str) -> None:
    found = truth_of(words, "the product X")
    assert (found.asks, found.says) == (asks, says)


@pytest.mark.parametrize(
    ("name", "values", "is_one"),
    [
        ("discontinued", ["0", "1"], True),
        ("IsActive", [0, 1], True),
        ("has_pool", [1.0, 0.0], True),
        ("vip_flag", [1], True),
        ("parking", ["Y", "N"], True),
        ("parking", ["Yes", "no"], True),
        ("parking", ["Y"], False),
        ("floors", [0, 1], False),
        ("email_verified", [0, 1], True),
        ("feed", [0, 1], False),
        ("team", ["T", "F"], False),
        ("discontinued", [0, 1, 2], False),
        ("discontinued", [], False),
    ],
)
def test_names_and_values_together(name: str, values: list[object], is_one: bool) -> None:
    assert may_hold_truths(name, values) is is_one


@pytest.mark.parametrize(
    ("noun", "words", "name", "yes", "no"),
    [
        ("product", "discontinued", "Chai", "{} is discontinued.", "{} is not discontinued."),
        ("hotel", "has parking", "Meridian", "{} has parking.", "{} does not have parking."),
        ("hotel", "allows pets", "Meridian", "{} allows pets.", "{} does not allow pets."),
    ],
)
def test_no_wording_makes_a_denial_right(noun: str, words: str, name: str, yes: str, no: str) -> None:
    """What stands around the question, such as why it is asked, is no part of what is denied."""
    meaning = Meaning((AskedColumn(words, "boolean", False),), Entity(noun, (Given("name", "[x.n]", True),)))
    found: Counter[tuple[bool, str | None]] = Counter()
    for text in (text for form in FORMS for text in write(meaning, form, limit=None)):
        question = Question("q", text.replace("[x.n]", name), ("yes",), ((),), "boolean")
        for is_yes, said in ((True, yes), (False, no)):
            found[is_yes, correct(question, Prediction("", said.format(name))).outcome] += 1
    assert not found[True, "wrong"] and not found[False, "correct"]
    assert found[True, "correct"] + found[False, "wrong"] > 0.97 * found.total()
