"""Runs that may be submitted: of a small release, with and without held-out questions, through the real harness."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from lighthouses import HEIGHTS, lighthouse, questions

from benchwright.benchmarks.leaderboards.predictions_table import read_prediction_lines
from benchwright.benchmarks.leaderboards.system_file import SystemFile
from benchwright.benchmarks.predictions import Prediction, read_prediction
from benchwright.benchmarks.releases.holdout import Holdout
from benchwright.benchmarks.releases.holdout_writer import HoldoutWriter
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_questions
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.reports.report import make_report
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.score_system import score_system

SYSTEM = SystemFile("Lamp Finder", ("Ada Moor",), "closed", "bm25", link="https://example.org/lamp")
FACTS: dict[str, Any] = {"builder": "lights", "builder_version": "1.0.0", "parameters": {}, "seed": 0}

Said = dict[str, Any]


def make_release(root: Path, *, version: str = "1.0.0", taller: int = 0, builder: str = "lights") -> Release:
    """The release `lights` in root/lights/VERSION: 8 questions of `test`."""
    folder = root / "lights" / version
    folder.mkdir(parents=True)
    writer = ReleaseWriter(folder)
    for name, height in HEIGHTS.items():
        writer.documents([lighthouse(name, height + taller)])
        writer.questions(questions(name, height + taller))
    facts = {**FACTS, "builder": builder, "canary": "none"}
    writer.seal(writer.finish(name="lights", version=version, **facts), "# card\n")
    return Release.load(folder)


def make_halves(root: Path) -> tuple[Release, Release]:
    """The public and the private half of it: of two lighthouses, of 4 questions, the answers are held out."""
    public, private = root / "lights" / "1.0.0", root / "lights-private" / "1.0.0"
    for folder in (public, private):
        folder.mkdir(parents=True)
    writer = HoldoutWriter(private, public, Holdout("lights", 0.5, b"s" * 32), canaries=("hidden", "none"))
    for name, height in HEIGHTS.items():
        writer.documents([lighthouse(name, height)])
        writer.questions(questions(name, height))
    told = writer.finish_public(name="lights", version="1.0.0", **{**FACTS, "seed": None}, canary="none")
    kept = writer.finish(name="lights-private", version="1.0.0", **{**FACTS, "seed": None}, canary="hidden")
    writer.public.seal(told, "# card\n")
    writer.seal(kept, "# card\n")
    return Release.load(public), Release.load(private)


def asked(release: Release, split: str) -> list[str]:
    """The lighthouses that a split asks for."""
    return list(dict.fromkeys(each.entity or "" for each in load_questions(release, split)))


def answers(height: int = 31, *names: str, **more: Any) -> list[Said]:
    """Predictions of all questions about some lighthouses, by default those of `test`: the same height for each."""
    found = []
    for name in names or HEIGHTS:
        text = lighthouse(name, HEIGHTS[name]).body
        for each in questions(name, 0):
            context = {"id": lighthouse(name, 0).id, "text": text}
            found.append({"id": each.id, "answer": f"{height} metres", "contexts": [context], **more})
    return found


def make_run(
    release: Release,
    root: Path,
    said: Sequence[Said] | Callable[[str], str],
    name: str = "lamp",
    *,
    split: str = "test",
    **options: Any,
) -> Path:
    """The folder of a scored run in root/runs, of predictions or of a function, with its report."""
    if callable(said):
        given: Any = said
    else:
        path = root / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(each) + "\n" for each in said))
        given = str(path)
    scored = score_system(release, given, output=root / "runs", name=name, options=Options(split=split, **options))
    make_report(release, scored.folder)
    return scored.folder


def read_predictions_table(path: Path) -> Iterator[Prediction]:
    """The predictions of a table that `write_predictions_table` made."""
    for number, line in enumerate(read_prediction_lines(path), start=1):
        yield read_prediction(line, f"{path.name}, row {number}")
