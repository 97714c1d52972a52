"""Hypotheses over pages: pairs of forms in stratified and unbalanced samples, of lookups and of other kinds."""

import json
from collections import Counter
from pathlib import Path

import pytest
from support import make_sqlite

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card

CLUBS = """
CREATE TABLE club (club_id INTEGER PRIMARY KEY, name TEXT, colour TEXT, town TEXT);
CREATE TABLE player (player_id INTEGER PRIMARY KEY, name TEXT, club_id INTEGER REFERENCES club (club_id), caps INTEGER);
INSERT INTO club VALUES (1, 'Lions', 'Red', 'Arfeld'), (2, 'Otters', 'Green', 'Bexhill'), (3, 'Swifts', 'Blue', 'Corby');
INSERT INTO player VALUES (1, 'Ada Moor', 1, 12), (2, 'Ben Tal', 2, 31), (3, 'Cy Orr', 3, 45), (4, 'Di Poe', 1, 52);
"""
FORMS = ("short", "typos", "keyword")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_sqlite(tmp_path_factory.mktemp("clubs") / "clubs.sqlite", CLUBS)


def build(root: Path, file: Path, **settings: str) -> Release:
    given = {"database": str(file), "forms": ",".join(FORMS), "wordings": "4", "commonest": "1", **settings}
    return build_release("spider", given, render_card, output=root)[0]


def pairs_of(release: Release) -> Counter[tuple[str, ...]]:
    """Forms of the questions that say the same → how often."""
    found: dict[tuple[str, str], list[str]] = {}
    for batch in release.batches("questions", "test"):
        for row in batch.to_pylist():
            if mark := json.loads(row["metadata"] or "{}").get("contrast"):
                found.setdefault((row["group"], mark), []).append(row["form"])
    return Counter(tuple(sorted(forms)) for forms in found.values())


def test_a_stratified_sample_has_pairs_of_each_kind(tmp_path: Path, file: Path) -> None:
    release = build(tmp_path, file, sampling="stratified", kinds="lookup,count")
    rows = [row for batch in release.batches("questions", "test") for row in batch.to_pylist()]
    assert {row["kind"] for row in rows} == {"lookup", "count"}
    assert set(Counter((row["group"], row["form"]) for row in rows).values()) == {4}
    assert pairs_of(release) == {tuple(sorted(FORMS)): len(rows) // len(FORMS)}
    assert verify_release(release, f"sqlite:///{file}").problems == []


def test_an_unbalanced_sample_is_said_and_proved(tmp_path: Path, file: Path) -> None:
    release = build(tmp_path, file, sampling="unbalanced", reduced="player")
    lost = release.manifest.checks["reduced_groups"]
    assert set(lost) == {"player", "club, player"}
    assert all(sorted(told["lost"].values())[0] == 0 < sorted(told["lost"].values())[1] for told in lost.values())
    rows = [row for batch in release.batches("questions", "test") for row in batch.to_pylist()]
    assert len(set(Counter((row["group"], row["form"]) for row in rows).values())) > 1
    assert verify_release(release, f"sqlite:///{file}").problems == []


def test_a_sampling_that_cannot_be_meant(tmp_path: Path, file: Path) -> None:
    with pytest.raises(BenchwrightError, match="reduced: there is no table 'coach': choose from club, player"):
        build(tmp_path, file, sampling="unbalanced", reduced="coach")
    with pytest.raises(BenchwrightError, match="there is no form 'loud': choose from short, long"):
        build(tmp_path, file, forms="loud")
