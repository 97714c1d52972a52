"""Kinds of questions beside lookups on pages: what each needs is stated where its evidence says, or it is a gap."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from support import make_sqlite

from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card

LONG = "The Very " * 14 + "Long Hammer"
TOOLS = f"""
CREATE TABLE maker (maker_id INTEGER PRIMARY KEY, name TEXT, sponsor TEXT);
CREATE TABLE tool (tool_id INTEGER PRIMARY KEY, name TEXT, maker_id INTEGER REFERENCES maker (maker_id), cost NUMERIC,
  colour TEXT, weight NUMERIC);
INSERT INTO maker VALUES (1, 'Alder', 'Velm Trust'), (2, 'Birch', 'Tark Fund'), (3, 'Cedar', NULL), (4, 'Dogwood', 'Orno'),
  (5, 'Elm', 'Pashley');
INSERT INTO tool VALUES
  (1, 'Anvil', 1, 10.5, 'red', 9), (2, 'Bucket', 1, 20.25, 'blue', NULL), (3, 'Chisel', 1, 20.75, 'red', 2),
  (4, 'Drill', 2, 30, 'blue', 3), (5, 'Easel', 2, 41.25, 'red', 4), (6, 'File', 2, 12.5, 'blue', 5),
  (7, 'Gauge', 3, 25, 'red', 6), (8, 'Hoe', 5, 11, 'blue', 8), (9, '{LONG}', 5, 33, 'green', 7),
  (10, 'Jack', 3, 27, 'green', 1);
"""
"""Nobody made anything at Dogwood, one of Elm's tools has a name that no page can bear, and Cedar has no sponsor."""
KINDS = "lookup,count,filter,comparison,minimum,maximum,sum,average,ranking,list,yes_no,unanswerable"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Release]:
    """The database and a release of all kinds."""
    folder = tmp_path_factory.mktemp("kinds")
    file = make_sqlite(folder / "tools.sqlite", TOOLS)
    given = {"database": str(file), "kinds": KINDS, "forms": "short", "wordings": "1", "commonest": "1"}
    return file, build_release("spider", given, render_card, output=folder)[0]


def rows(release: Release, config: str = "questions", split: str = "test") -> list[dict[str, Any]]:
    return [row for batch in release.batches(config, split) for row in batch.to_pylist()]


def of(release: Release, kind: str, entity: str) -> dict[str, Any]:
    """The first question of a kind about something."""
    return next(row for row in rows(release) if row["kind"] == kind and row["entity"] == entity)


def stated(release: Release, row: dict[str, Any]) -> list[str]:
    """What pages say where the evidence of a question stands."""
    texts = {page["_id"]: page["text"] for page in rows(release, "corpus", "corpus")}
    return [texts[item["document"]][item["start"] : item["end"]] for item in row["evidence"]]


def test_all_kinds_are_there_and_proved(made: tuple[Path, Release]) -> None:
    file, release = made
    assert {row["kind"] for row in rows(release)} == set(KINDS.split(","))
    found = verify_release(release, f"sqlite:///{file}")
    assert not found.problems
    gaps = sum(row["answerability"] == "gap" for row in rows(release))
    assert found.proved["known gaps that no page closes"] == gaps == release.manifest.checks["known_gaps"] > 0
    silent = sum(row["answerability"] == "unanswerable" for row in rows(release))
    assert found.proved["questions without an answer, of which pages say nothing"] == silent > 0
    facts = found.proved["questions' facts, found on pages"]
    assert facts == len(rows(release)) - gaps - silent
    assert release.manifest.checks["groups_per_kind"].keys() == set(KINDS.split(","))


def test_a_count_needs_each_row_that_is_counted(made: tuple[Path, Release]) -> None:
    _, release = made
    row = of(release, "count", "Alder")
    assert row["answers"] == ["3"] and {item["fact"] for item in row["evidence"]} == {0, 1, 2}
    said = stated(release, row)
    assert all("Alder" in text for text in said)
    assert {name for name in ("Anvil", "Bucket", "Chisel") for text in said if name in text} == {
        "Anvil", "Bucket", "Chisel",
    }  # fmt: skip
    assert len(row["documents"]) == 3
    assert not any(row["kind"] == "count" and row["entity"] == "Dogwood" for row in rows(release))
    assert release.manifest.checks["fillings_left_out"]["no page states that there are none"] > 0


def test_a_value_over_many_needs_the_values_of_all(made: tuple[Path, Release]) -> None:
    _, release = made
    row = next(
        row for row in rows(release)
        if row["kind"] == "maximum" and row["entity"] == "Birch" and row["answers"] == ["41.25"]
    )  # fmt: skip
    said = stated(release, row)
    assert {"30", "41.25", "12.5"} <= set(said) and len({item["fact"] for item in row["evidence"]}) == 6


def test_what_a_page_lacks_is_a_known_gap(made: tuple[Path, Release]) -> None:
    _, release = made
    row = of(release, "count", "Elm")
    assert (row["answers"], row["answerability"], row["documents"], row["evidence"]) == (["2"], "gap", [], [])


def test_what_is_not_there_is_said_nowhere(made: tuple[Path, Release]) -> None:
    _, release = made
    row = next(row for row in rows(release) if row["kind"] == "unanswerable" and row["entity"] == "Cedar")
    assert "sponsor" in row["question"] and row["answers"] == [] and row["documents"] == []


def test_a_database_that_says_otherwise_is_named(made: tuple[Path, Release], tmp_path: Path) -> None:
    _, release = made
    other = make_sqlite(tmp_path / "other.sqlite", TOOLS)
    with sqlite3.connect(other) as connection:
        connection.execute("UPDATE maker SET sponsor = 'Quell' WHERE name = 'Cedar'")
        connection.execute("INSERT INTO tool VALUES (11, 'Kettle', 2, 14, 'red', 4)")
    problems = verify_release(release, f"sqlite:///{other}").problems
    assert any("the query returns" in one for one in problems)


def test_an_answer_that_its_question_tells_is_not_asked(tmp_path: Path) -> None:
    script = "CREATE TABLE bank (name TEXT, country TEXT, chair TEXT);" + "".join(
        f"INSERT INTO bank VALUES ('{name}', '{country}', '{chair}');"
        for name, country, chair in (
            ("Bank of Norway", "Norway", "Ada"), ("Quell", "Chad", "Bo"), ("Tark", "Peru", "Cy"), ("Velm", "Mali", "Di"),
            ("Orno", "Oman", "Ed"),
        )
    )  # fmt: skip
    file = make_sqlite(tmp_path / "banks.sqlite", script)
    given = {"database": str(file), "forms": "short", "wordings": "1"}
    release = build_release("spider", given, render_card, output=tmp_path)[0]
    asked = {(row["entity"], *row["answers"]) for row in rows(release)}
    assert ("Quell", "Chad") in asked and ("Bank of Norway", "Norway") not in asked
    assert release.manifest.checks["fillings_left_out"]["the question tells the answer"] == 1
