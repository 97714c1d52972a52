"""Measures the ranking of a leaderboard: many systems that each answered many questions.

    python -m benchwright.scripts.measure.ranking [--systems 500] [--questions 40000] [--wordings 6] [--undecided 0]

Release and files of scores are made, ten metrics each, as `publish-leaderboard` keeps them. Systems' shares of right
groups go from a tenth to nine tenths, some of them are alike. Prints seconds, processor seconds and peak memory of the
ranking alone, which runs in a process of its own on one processor.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click
import numpy as np

from benchwright.benchmarks.leaderboards.board import Board, BoardBenchmark
from benchwright.benchmarks.leaderboards.entries import Entry, parts_of
from benchwright.benchmarks.leaderboards.ranking import make_standings
from benchwright.benchmarks.leaderboards.results import results_bytes
from benchwright.benchmarks.leaderboards.system_file import SystemFile
from benchwright.benchmarks.leaderboards.verdict import Part, Verdict
from benchwright.benchmarks.releases.release import Release

METRICS = 10


@click.command()
@click.option("--systems", type=int, default=500, show_default=True, help="How many.")
@click.option("--questions", type=int, default=40_000, show_default=True, help="That each answered.")
@click.option("--wordings", type=int, default=6, show_default=True, help="Questions of a semantic group.")
@click.option("--undecided", type=float, default=0.0, show_default=True, help="Share of answers not decided.")
@click.option("--only", type=click.Path(path_type=Path), hidden=True, help="Rank what is in this folder.")
def main(systems: int, questions: int, wordings: int, undecided: float, only: Path | None) -> None:
    """Measure ranking and print what was found."""
    if only is not None:
        rank(only)
        return
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        release = make_release(root, questions, wordings)
        for number in range(systems):
            make_scores(release, root / "scores" / f"{number:04}.parquet", number, wordings, undecided)
        size = sum(path.stat().st_size for path in (root / "scores").iterdir())
        click.echo(f"{systems:,} systems, {questions:,} questions, {size / 1e6:,.0f} MB of scores")
        command = [sys.executable, "-m", "benchwright.scripts.measure.ranking", "--only", str(root)]
        alone = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        began = time.perf_counter()
        child = subprocess.Popen(command, env=os.environ | alone)
        _, status, used = os.wait4(child.pid, 0)
        if status:
            raise click.ClickException("ranking failed")
        seconds, processor = time.perf_counter() - began, used.ru_utime + used.ru_stime
        click.echo(f"{seconds:.1f} seconds, {processor:.1f} of them processor, {used.ru_maxrss / 1024:,.0f} MB at most")


def make_release(root: Path, questions: int, wordings: int) -> Release:
    """A release of so many questions."""
    from benchwright.benchmarks.releases.writer import ReleaseWriter
    from benchwright.benchmarks.types import Document, Question

    folder = root / "release"
    folder.mkdir()
    writer = ReleaseWriter(folder)
    writer.documents([Document("d", "D", "It states.")])
    writer.questions(
        Question(
            id=f"{number:016x}",
            question=f"Question {number}?",
            answers=("Oslo",),
            answer_type="one",
            answerability="answerable",
            group=f"{number // wordings:06}",
            documents=("d",),
        )
        for number in range(questions)
    )
    facts = {"builder": "measure", "builder_version": "1", "parameters": {}, "seed": 0, "canary": "c"}
    writer.seal(writer.finish(name="made", version="1.0.0", **facts), "# card\n")
    return Release.load(folder)


def make_scores(release: Release, path: Path, number: int, wordings: int, undecided: float) -> None:
    """A system's scores; every seventh system is as good as the first."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from benchwright.benchmarks.leaderboards.part_scores import write_board_scores
    from benchwright.benchmarks.runs.score_table import SCHEMA

    path.parent.mkdir(exist_ok=True)
    ids = [row for batch in release.batches("questions", "test", ["id"]) for row in batch.column("id").to_pylist()]
    draw = np.random.default_rng(number)
    share = 0.5 if number % 7 == 0 else draw.uniform(0.1, 0.9)
    groups = draw.random(-(-len(ids) // wordings)) < share
    right = np.repeat(groups, wordings)[: len(ids)] ^ (draw.random(len(ids)) < 0.1)
    values = np.tile(right.astype(float)[:, None], (1, METRICS))
    values[draw.random(len(ids)) < undecided, 0] = np.nan
    names = ["correct", *(f"recall@{cut}" for cut in range(1, METRICS))]
    size = values.size
    columns = {
        "id": pa.array(ids).take(pa.array(np.repeat(np.arange(len(ids)), METRICS))),
        "condition": pa.array(["own"] * size),
        "repeat": pa.array(np.zeros(size, dtype=np.int32)),
        "metric": pa.array(names).take(pa.array(np.tile(np.arange(METRICS), len(ids)))),
        "value": pa.array(values.ravel(), mask=np.isnan(values.ravel())),
        "reason": pa.array(["needs a judge"] * size, pa.string(), mask=~np.isnan(values.ravel())),
        "judge": pa.nulls(size, pa.string()),
    }
    table = pa.Table.from_arrays([columns[field.name].cast(field.type) for field in SCHEMA], schema=SCHEMA)
    made = path.with_name("run.parquet")
    pq.write_table(table, made, compression="zstd")
    write_board_scores(made, path)
    made.unlink()


def rank(root: Path) -> None:
    """Ranks what is in the folder."""
    parts = parts_of(Release.load(root / "release"))
    size = len(parts["test"].questions.ids)
    part = Part("test", size, size, 0, 0, 0, {})
    entries = [
        Entry(
            SystemFile(path.stem, ("somebody",), "closed", "none"),
            Verdict("made", "1.0.0", path.stem, "c" * 64, "user", 1, "r" * 40, "", True, parts=(part,)),
            {"test": path},
        )
        for path in sorted((root / "scores").iterdir())
    ]
    board = Board("Made", {"made": BoardBenchmark("somebody/made", metric="correct")})
    began = time.perf_counter()
    standings = make_standings("somebody/board", board, entries, {("made", "1.0.0"): parts})
    (table,) = standings.tables
    ranked = [each.ranks for each in table.standings if each.ranks]
    alone = sum(low == high for low, high in ranked)
    click.echo(f"ranked in {time.perf_counter() - began:.1f} s; {len(ranked)} ranked, {alone} with a rank of their own")
    click.echo(f"results.parquet: {len(results_bytes(standings)) / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
