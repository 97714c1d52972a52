"""Answers as people write them: a date without a time of day, a whole number without decimals."""

from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from support import make_sqlite

from benchwright.benchmarks.grounding.values import answer_array, to_answer, to_literal
from benchwright.benchmarks.metrics.correct import correct
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.rows import load_questions
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card


@pytest.mark.parametrize(
    ("value", "answer"),
    [
        ("1992-08-14 00:00:00", "1992-08-14"),
        ("1992-08-14T00:00", "1992-08-14"),
        ("1992-08-14 00:00:00.000000", "1992-08-14"),
        (datetime(1992, 8, 14), "1992-08-14"),
        (datetime(1992, 8, 14, 9, 30), "1992-08-14 09:30:00"),
        ("1992-08-14 00:00:01", "1992-08-14 00:00:01"),
        ("on 1992-08-14 00:00:00", "on 1992-08-14 00:00:00"),
        ("1992-08-14 00:00:00\n", "1992-08-14 00:00:00\n"),
        (19.0, "19"),
        (Decimal("0.990"), "0.99"),
    ],
)
def test_a_value_as_an_answer(value: Any, answer: str) -> None:
    assert to_answer(value) == answer
    assert answer_array([value, value]).to_pylist() == [answer, answer]


def test_midnight_stays_in_the_query() -> None:
    assert to_literal(datetime(1992, 8, 14)) == "'1992-08-14 00:00:00'"


def test_dates_are_answered_as_dates_and_proved(tmp_path: Path) -> None:
    database = make_sqlite(
        tmp_path / "staff.sqlite",
        "CREATE TABLE employees (id INTEGER PRIMARY KEY, name TEXT UNIQUE, birth_date DATETIME, price NUMERIC(10, 2), "
        "height_cm INTEGER);"
        "INSERT INTO employees VALUES (1, 'Ada Byron', '1992-08-14 00:00:00', 19.0, 170), (2, 'Bo Li', '1990-02-03 00:00:00', 0.99, 181)",
    )
    parameters = {"database": str(database), "ship": "all"}
    release = build_release("grammar", parameters, render_card, output=tmp_path / "releases", name="staff")[0]
    questions = list(load_questions(release, "test"))
    answers = {question.answers[0] for question in questions if question.sql and "birth_date FROM" in question.sql}
    assert answers == {"1992-08-14", "1990-02-03"}
    assert {question.answers[0] for question in questions if "SELECT price" in (question.sql or "")} == {"19", "0.99"}
    tall = {(one.answers, one.aliases) for one in questions if "height in cm" in one.question}
    forms = {"170": ("170 centimetres", "170 cm"), "181": ("181 centimetres", "181 cm")}
    assert tall == {((height,), (others,)) for height, others in forms.items()}
    dated = next(question for question in questions if question.answers == ("1992-08-14",))
    for said in ("1992-08-14 00:00:00", "She was born on 14 August 1992.", "Aug 14, 1992"):
        assert correct(dated, Prediction("", said)).outcome == "correct"
    assert verify_release(release).problems == []


def test_units_and_formats_are_what_the_schema_file_says(tmp_path: Path) -> None:
    """Also in the release: whoever proves it reads the database anew, and finds other ones by name."""
    database = make_sqlite(
        tmp_path / "rooms.sqlite",
        "CREATE TABLE rooms (name TEXT UNIQUE, size_m2 INTEGER, discount NUMERIC, balcony TEXT, sold INTEGER);"
        "INSERT INTO rooms VALUES ('Elm', 20, 0.5, 'Y', 1), ('Oak', 31, 0, 'N', 0), ('Fir', 44, 0.25, 'N', 0);",
    )
    file = tmp_path / "schema.toml"
    file.write_text(
        '[table.rooms.columns]\nsize_m2 = {unit = ""}\ndiscount = {unit = "$"}\nbalcony = {format = "text"}\n'
        'sold = {format = "number"}\n'
    )
    parameters = {"database": str(database), "schema": str(file), "forms": "short"}
    release = build_release("grammar", parameters, render_card, output=tmp_path / "releases", name="rooms")[0]
    questions = load_questions(release, "test")
    found = {(one.sql or "").split()[1]: (one.answers, one.aliases) for one in questions if one.entity == "Fir"}
    assert found == {
        "size_m2": (("44",), ((),)),
        "discount": (("0.25",), (("$0.25", "0.25 dollars", "USD 0.25"),)),
        "balcony": (("N",), ((),)),
        "sold": (("0",), ((),)),
    }
    assert verify_release(release, f"sqlite:///{database}").problems == verify_release(release).problems == []
