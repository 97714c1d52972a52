"""A template of which one answer is nearly always right is left out, counted and named; `commonest` sets the share."""

import logging
from pathlib import Path

import pytest
from support import make_sqlite

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card

REASON = "one answer is nearly always right"


def people(path: Path, rows: int, others: int) -> Path:
    """People of one land, `others` of them of another, each with a town of their own."""
    values = ", ".join(f"('P{i}', '{'Peru' if i < others else 'Chile'}', 'T{i}')" for i in range(rows))
    return make_sqlite(
        path, f"CREATE TABLE person (name TEXT, land TEXT, town TEXT); INSERT INTO person VALUES {values};"
    )


def build(root: Path, database: Path, **settings: object) -> Release:
    texts = {"database": str(database), "forms": "short", **{key: str(value) for key, value in settings.items()}}
    return build_release("grammar", texts, render_card, output=root / "releases")[0]


@pytest.mark.parametrize("groups", [0, 10])
def test_always_the_same(tmp_path: Path, caplog: pytest.LogCaptureFixture, groups: int) -> None:
    database = people(tmp_path / "d.sqlite", 100, 9)
    with caplog.at_level(logging.INFO, logger="benchwright"):
        release = build(tmp_path, database, groups=groups)
    assert release.manifest.checks["sql_templates"] == 1
    assert release.manifest.checks["sql_templates_left_out"][REASON] == 1
    assert "91 % of its 100 answers are Chile" in caplog.text
    assert "one answer has more than the share" in (release.folder / "README.md").read_text()
    found = verify_release(release, f"sqlite:///{database}")
    assert (found.problems, found.proved["SQL queries"]) == ([], groups or 100)


@pytest.mark.parametrize(
    ("rows", "others", "share"), [(100, 10, 0.9), (100, 9, 1), (19, 1, 0.9)], ids=["at the share", "any", "too few"]
)
def test_what_stays(tmp_path: Path, rows: int, others: int, share: float) -> None:
    release = build(tmp_path, people(tmp_path / "d.sqlite", rows, others), commonest=share)
    assert release.manifest.checks["sql_queries"] == 2 * rows
    assert REASON not in release.manifest.checks["sql_templates_left_out"]


def test_nothing_stays(tmp_path: Path) -> None:
    with pytest.raises(BenchwrightError, match=r"more than 0\.001 of all.*commonest=1"):
        build(tmp_path, people(tmp_path / "d.sqlite", 100, 9), commonest=0.001)
