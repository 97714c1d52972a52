"""Questions of yes or no that rules word: whatever the wording, `correct` understands a statement as the answer."""

from pathlib import Path

import pytest
from support import make_sqlite

from benchwright.benchmarks.metrics.correct import correct
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_questions
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card


@pytest.fixture(scope="module")
def houses(tmp_path_factory: pytest.TempPathFactory) -> Release:
    folder = tmp_path_factory.mktemp("houses")
    database = make_sqlite(
        folder / "houses.sqlite",
        "CREATE TABLE houses (id INTEGER PRIMARY KEY, name TEXT, has_basement BOOLEAN, sold TEXT, garden TEXT, floors INT);"
        "INSERT INTO houses VALUES (1, 'Oak Villa', 1, 'Y', 'yes', 1), (2, 'Mill House', 1, 'N', 'no', 0)",
    )
    texts = {"database": str(database), "forms": "short,long"}
    return build_release("grammar", texts, render_card, output=folder / "releases", name="houses")[0]


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("{name} has a basement.", "correct"),
        ("{name} does not have a basement.", "wrong"),
        ("{name} lacks a basement.", "wrong"),
        ("According to the documents, it has no basement.", "wrong"),
        ("The entry under 'has basement' for {name} is yes.", "correct"),
        ("Has basement: no", "wrong"),
        ("has_basement = true", "correct"),
        ("1", "correct"),
        ("Mill Pond has a basement.", "unscored"),
        ("{name} was built in 1901.", "unscored"),
        ("The documents do not state whether {name} has a basement.", "abstained"),
    ],
)
def test_statements_answer_every_wording(houses: Release, answer: str, outcome: str) -> None:
    questions = [question for question in load_questions(houses, "test") if "has_basement" in (question.sql or "")]
    assert len(questions) == 40
    found = {
        question.question: correct(question, Prediction("", answer.format(name=question.entity))).outcome
        for question in questions
    }
    assert {question: said for question, said in found.items() if said != outcome} == {}


def test_yes_and_no_are_found_by_name_and_values(houses: Release) -> None:
    questions = [one for one in load_questions(houses, "test") if one.entity == "Mill House"]
    found = {(one.sql or "").split()[1]: (one.answers, one.answer_type) for one in questions}
    assert found == {
        "has_basement": (("yes",), "boolean"),
        "sold": (("no",), "boolean"),
        "garden": (("no",), "boolean"),
        "floors": (("0",), "one"),
    }
    texts = {one.question for one in questions}
    assert {"is house Mill House sold?", "is the entry under ‘garden’ for house Mill House yes?"} <= texts
    assert verify_release(houses).problems == []


def test_a_boolean_column_that_has_both_answers_is_a_set(tmp_path: Path) -> None:
    database = make_sqlite(
        tmp_path / "houses.sqlite",
        "CREATE TABLE houses (id INTEGER PRIMARY KEY, name TEXT, has_basement BOOLEAN);"
        "INSERT INTO houses VALUES (1, 'Elm', 1), (2, 'Elm', 0), (3, 'Elm', 1), (4, 'Oak Villa', 1), (5, 'Oak Villa', 1)",
    )
    settings = {"database": str(database), "several": "set", "forms": "short"}
    release = build_release("grammar", settings, render_card, output=tmp_path / "releases", name="houses")[0]
    questions = load_questions(release, "test")
    assert {(one.entity, tuple(sorted(one.answers)), one.answer_type) for one in questions} == {
        ("Elm", ("no", "yes"), "set"),
        ("Oak Villa", ("yes",), "boolean"),
    }
    found = verify_release(release, f"sqlite:///{database}")
    assert (found.problems, dict(found.unchecked)) == ([], {})
    assert found.proved["SQL queries"] == 2
