"""Configs beyond the basic four: rows with and without splits, and where they go when questions are held out."""

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from lighthouses import lighthouse, questions

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.holdout import Holdout
from benchwright.benchmarks.releases.holdout_writer import HoldoutWriter
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.schemas import PAIRS, ConfigSchema, triplets

FACTS = {
    "version": "1.0.0",
    "builder": "lights",
    "builder_version": "1.0.0",
    "parameters": {},
    "seed": 0,
    "canary": "c",
}
NOTES = ConfigSchema(
    "notes",
    pa.schema([("question", pa.string()), ("note", pa.string())]),
    "what keepers noted",
    references={"question": "questions"},
)
HEIGHTS = {f"{'Long ' * (number % 7)}Light {number}": 20 + number for number in range(60)}
"""Names of many lengths: the ids and texts of a batch differ in theirs."""


def texts(manifest_of: Release, config: str, split: str, column: str) -> list[str]:
    return [text for batch in manifest_of.batches(config, split) for text in batch.column(column).to_pylist()]


def test_held_out_rows_follow_their_question(tmp_path: Path) -> None:
    folders = (tmp_path / "private", tmp_path / "public")
    for folder in folders:
        folder.mkdir()
    writer = HoldoutWriter(folders[0], folders[1], Holdout("lights", 0.5, b"s" * 32), [NOTES])
    rows = []
    for name, height in HEIGHTS.items():
        writer.documents([lighthouse(name, height)])
        asked = [replace(row, id=f"{'x' * (height % 11)}-{row.id}") for row in questions(name, height)]
        writer.questions(asked)
        rows += [{"question": row.id, "note": f"{name} is {height} metres tall"} for row in asked]
    writer.rows("notes", rows)
    public = writer.finish_public(name="lights", **FACTS)
    private = writer.finish(name="lights", **FACTS)
    halves = [Release(folder, manifest) for folder, manifest in zip(folders, (private, public), strict=True)]
    held, shown = (texts(half, "notes", "test", "question") for half in halves)
    assert held == texts(halves[0], "questions", "test", "id")
    assert shown == texts(halves[1], "questions", "test", "id")
    assert sorted([*held, *shown]) == sorted(row["question"] for row in rows) and held and shown


def test_rows_that_name_no_question_are_not_held_out(tmp_path: Path) -> None:
    for name in ("private", "public"):
        (tmp_path / name).mkdir()
    writer = HoldoutWriter(tmp_path / "private", tmp_path / "public", Holdout("lights", 0.5, b"s" * 32), [NOTES])
    with pytest.raises(BenchwrightError, match="names the question nobody, which was not written"):
        writer.rows("notes", [{"question": "nobody", "note": "?"}])
    with pytest.raises(BenchwrightError, match="the config pairs names no question"):
        writer.rows(PAIRS.name, [{"id": "p"}])
    writer.abandon()


def test_triplets_have_as_many_negatives_as_are_declared(tmp_path: Path) -> None:
    writer = ReleaseWriter(tmp_path, [triplets(3)])
    row = {"anchor": "a", "positive": "p", "negative_1": "x", "negative_2": "y", "negative_3": "z"}
    writer.rows("triplets", [row], "train")
    with pytest.raises(BenchwrightError, match="the config triplets has no column 'negative_4'"):
        writer.rows("triplets", [{**row, "negative_4": "w"}], "train")
    writer.questions(questions("Gannet Rock", 31)[:1])
    writer.documents([lighthouse("Gannet Rock", 31)])
    manifest = writer.finish(name="lights", **FACTS)
    assert manifest.splits["triplets"] == {"train": 1}
    (batch,) = Release(tmp_path, manifest).batches("triplets", "train")
    assert batch.to_pylist() == [row]
