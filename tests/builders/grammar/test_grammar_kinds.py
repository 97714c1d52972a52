"""Kinds of questions beside lookups: built, proved, refused by name where they cannot be."""

import logging
from pathlib import Path
from typing import Any

import pytest
from support import make_sqlite

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card

ALL_FORMS = "short,long,interrogative,directive,formal,casual"


def build(root: Path, database: Path, **settings: object) -> Release:
    texts = {key: str(value) for key, value in {"database": database, "commonest": 1, **settings}.items()}
    return build_release("grammar", texts, render_card, output=root / "releases", name="made")[0]


def prove(release: Release, database: Path) -> None:
    found = verify_release(release, f"sqlite:///{database}")
    assert found.problems == []
    assert dict(found.unchecked) == {}
    assert found.proved["SQL queries"] == release.manifest.checks["sql_queries"]


def questions(release: Release) -> list[dict[str, Any]]:
    return [row for batch in release.batches("questions", "test") for row in batch.to_pylist()]


def short_answers(release: Release, first: str) -> dict[str, str]:
    """Question → answer, of the short wordings that begin so."""
    rows = [row for row in questions(release) if row["form"] == "short" and row["question"].startswith(first)]
    return {row["question"]: row["answers"][0] for row in rows}


def test_a_count_is_asked_of_what_points_at_a_thing(company: Path, tmp_path: Path) -> None:
    release = build(tmp_path, company, kinds="count", forms=ALL_FORMS)
    rows = questions(release)
    assert {(row["kind"], row["hops"], row["answer_type"]) for row in rows} == {("count", 2, "one")}
    assert {row["form"] for row in rows} == set(ALL_FORMS.split(","))
    assert short_answers(release, "how many projects whose") == {
        f"how many projects whose client is company {name}{end}": count
        for name, count in (("Halden Marine", "1"), ("Brightwater", "1"), ("Corvane", "0"))
        for end in ("?", " in all")
    }
    assert short_answers(release, "how many people whose manager is person Ada Moor?") == {
        "how many people whose manager is person Ada Moor?": "1"
    }
    prove(release, company)


def test_lookups_beside_another_kind_are_those_of_a_build_without(company: Path, tmp_path: Path) -> None:
    alone = build(tmp_path / "alone", company)
    both = build(tmp_path / "both", company, kinds="lookup, count")
    lookups = [row for row in questions(both) if row["kind"] == "lookup"]
    assert {row["id"] for row in lookups} == {row["id"] for row in questions(alone)}
    assert len(lookups) < len(questions(both))
    prove(both, company)


def test_templates_of_a_kind_are_read_again_as_of_that_kind(company: Path, tmp_path: Path) -> None:
    first = build(tmp_path / "first", company, kinds="count", documents="none")
    templates = first.folder / "templates"
    again = build(tmp_path / "again", company, templates=templates, documents="none")
    assert [row["id"] for row in questions(again)] == [row["id"] for row in questions(first)]
    assert {row["kind"] for row in questions(again)} == {"count"}
    with pytest.raises(UsageError, match="kinds and templates=… exclude each other"):
        build(tmp_path / "refused", company, templates=templates, kinds="count")


def test_what_cannot_be_asked_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    alone = make_sqlite(
        tmp_path / "alone.sqlite",
        "CREATE TABLE club (name TEXT PRIMARY KEY, town TEXT); INSERT INTO club VALUES ('Rowers', 'Oslo'), ('Hikers', 'Bern')",
    )
    with pytest.raises(UsageError, match="there is no kind 'sums': choose from lookup, "):
        build(tmp_path, alone, kinds="sums")
    with pytest.raises(UsageError, match="kinds is empty: choose from lookup, "):
        build(tmp_path, alone, kinds=" , ")
    reason = "no rows of a table point at rows of another one that have names"
    with pytest.raises(BenchwrightError, match=f"no template can be made: none of the kind count, for {reason}"):
        build(tmp_path, alone, kinds="count")
    with caplog.at_level(logging.WARNING):
        release = build(tmp_path, alone, kinds="lookup,count")
    assert f"no questions of the kind count: {reason}" in caplog.text
    assert release.manifest.checks["kinds_left_out"] == {"count": 1}
