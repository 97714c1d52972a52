"""A leaderboard made by hand: a release of two wordings a group, systems whose answers are a row of marks."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.benchmarks.leaderboards.board import Board, BoardBenchmark
from benchwright.benchmarks.leaderboards.entries import Entry
from benchwright.benchmarks.leaderboards.system_file import SystemFile
from benchwright.benchmarks.leaderboards.verdict import Costs, Figure, Part, Verdict
from benchwright.benchmarks.metrics.answers.judge import ABSTAINED
from benchwright.benchmarks.metrics.base import NO_ANSWER
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.runs.score_table import NO_PREDICTION, SCHEMA
from benchwright.benchmarks.types import Document, Evidence, Question

GROUPS = 60
TEXT = "The office is in Oslo."
Row = tuple[float | None, str | None, str | None]
MARKS: dict[str, Row] = {
    "1": (1.0, None, None),
    "0": (0.0, None, None),
    "a": (0.0, ABSTAINED.reason, None),
    "f": (None, NO_ANSWER.reason, None),
    "m": (None, NO_PREDICTION, None),
    "?": (None, "needs a judge", None),
    "j": (1.0, "it is right", "model wise 1"),
    "k": (1.0, "it is right", "model wiser 2"),
    "g": (None, "the question has no gold answer", None),
    "G": (None, "the question has no gold answer", "model wise 1"),
}
"""Mark → value, reason and judge: right, wrong, abstained, failed, missing, undecided, judged by one, by another, without
gold, and without gold as a judge says."""


def question(group: int, number: int, **more: Any) -> Question:
    """One of the two wordings of a group."""
    return Question(
        id=f"g{group:02}-{number}",
        question=f"Wording {number} of where firm {group} sits?",
        answers=("Oslo",),
        answer_type="one",
        **{
            "answerability": "answerable",
            "group": f"g{group:02}",
            "form": ("short", "long")[number],
            "kind": ("lookup", "count")[group % 2],
            "hops": 1 + group % 3,
            "template": f"t{group % 4}",
            "documents": ("d0",),
            "evidence": (Evidence("d0", 17, 21),),
            **more,
        },
    )


def board_release(root: Path, version: str = "1.0.0", *, gaps: int = 0, groups: int = GROUPS) -> Release:
    """The release `firms`; the last groups are known gaps."""
    folder = root / "firms" / version
    folder.mkdir(parents=True)
    writer = ReleaseWriter(folder)
    writer.documents([Document("d0", "Firms", TEXT)])
    for group in range(groups):
        more = {} if group < groups - gaps else {"answerability": "gap", "documents": (), "evidence": ()}
        writer.questions([question(group, number, **more) for number in range(2)])
    facts = {"builder": "firms", "builder_version": "1", "parameters": {}, "seed": 0, "canary": "c"}
    writer.seal(writer.finish(name="firms", version=version, **facts), "# card\n")
    return Release.load(folder)


def marks_of(marks: str, groups: int = GROUPS) -> str:
    """A mark for each question: the last one given goes on to the end."""
    return marks + marks[-1] * (2 * groups - len(marks))


def score_rows(marks: str, metric: str = "correct", *, repeat: int = 0) -> list[tuple[Any, ...]]:
    """Rows of a file of scores."""
    rows = []
    for place, mark in enumerate(marks):
        value, reason, judge = MARKS[mark]
        rows.append((f"g{place // 2:02}-{place % 2}", "own", repeat, metric, value, reason, judge))
    return rows


def write_scores_file(path: Path, rows: Iterable[Sequence[Any]]) -> Path:
    """A file of scores with these rows."""
    path.parent.mkdir(parents=True, exist_ok=True)
    columns = zip(*rows, strict=True)
    arrays = [pa.array(list(values), field.type) for values, field in zip(columns, SCHEMA, strict=True)]
    pq.write_table(pa.Table.from_arrays(arrays, schema=SCHEMA), path)
    return path


def verdict_of(slug: str, marks: str, *, split: str = "test", version: str = "1.0.0", **more: Any) -> Verdict:
    """What maintainers found in a submission with these marks."""
    values = [MARKS[mark][0] for mark in marks]
    scored = [value for value in values if value is not None]
    missing, failed = marks.count("m"), marks.count("f")
    figure = Figure(sum(scored) / len(scored) if scored else None, None, None, len(scored), len(marks), "verified")
    part = Part(split, len(marks), len(marks) - missing, marks.count("a"), failed, missing, {"correct": figure})
    verdict = Verdict(
        benchmark="firms",
        version=version,
        system=slug,
        content_hash="c" * 64,
        submitter=f"user-of-{slug}",
        number=1,
        revision="r" * 40,
        submitted="2026-11-20T10:00:00Z",
        accepted=True,
        parts=(part,),
        scored_by="1.0.0",
    )
    return replace(verdict, **more)


def entry_of(root: Path, slug: str, marks: str, **more: Any) -> Entry:
    """A submission with these marks, of all questions."""
    marks = marks_of(marks)
    version = more.get("version", "1.0.0")
    path = write_scores_file(root / "scores" / "firms" / version / f"{slug}.parquet", score_rows(marks))
    costs = more.pop("costs", Costs())
    system = SystemFile(slug.title(), (f"Author of {slug}",), "closed", "none")
    return Entry(system, replace(verdict_of(slug, marks, **more), costs=costs), {"test": path})


BOARD = Board("Firms", {"firms": BoardBenchmark("somebody/firms", metric="correct")}, ("organiser",))
