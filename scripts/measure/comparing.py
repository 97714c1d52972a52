"""Measures `compare-systems` as users meet it: the command, cold, on runs of 40,000 questions.

    python -m benchwright.scripts.measure.comparing [--runs 20 --runs 500] [--questions 40000]

The release and the runs are made: 2,000 semantic groups of 20 wordings, ten metrics, systems whose shares of right
groups go from a tenth to nine tenths, some of them alike. Prints seconds, processor seconds and peak memory.
"""

import json
import os
import sys
import tempfile
import time
from pathlib import Path

import click
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.runs.run import SCORES, Run, RunQuestions, RunSystem, ScoringBasis, write_run
from benchwright.benchmarks.runs.score_table import SCHEMA
from benchwright.benchmarks.types import Document, Question

WORDINGS = 20
METRICS = (
    "correct",
    "exact_match",
    "token_f1",
    "rouge_l",
    "evidence_recall@5",
    "hit@5",
    "recall@5",
    "precision@5",
    "mrr",
    "ndcg@5",
)
FACTS = {"builder": "measure", "builder_version": "1", "parameters": {}, "seed": 0, "canary": "c"}


@click.command()
@click.option("--runs", "sizes", type=int, multiple=True, default=(20, 500), show_default=True, help="How many runs.")
@click.option("--questions", type=int, default=40_000, show_default=True, help="Questions of each run.")
def main(sizes: tuple[int, ...], questions: int) -> None:
    """Measure comparing and print what was found."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        release = make_release(root / "release", questions)
        click.echo("| runs | questions | seconds | processor seconds | peak memory, MB |\n|---|---|---|---|---|")
        made: list[Path] = []
        for size in sizes:
            made += [make_run(release, root / f"run-{number}", number) for number in range(len(made), size)]
            seconds, processor, megabytes = taken(release, made[:size], root / "out")
            click.echo(f"| {size:,} | {questions:,} | {seconds:.1f} | {processor:.1f} | {megabytes:,.0f} |")


def make_release(folder: Path, questions: int) -> Release:
    """A release of so many questions, in groups of WORDINGS."""
    folder.mkdir()
    writer = ReleaseWriter(folder)
    writer.questions(_question(number) for number in range(questions))
    writer.documents([Document("d", "A document", "It states nothing.")])
    writer.seal(writer.finish(name="measured", version="1.0.0", **FACTS), "card")
    return Release.load(folder)


def _question(number: int) -> Question:
    group = number // WORDINGS
    return Question(
        id=f"{group:06}-{number % WORDINGS:02}",
        question=f"Wording {number % WORDINGS} of what group {group} asks?",
        answers=("Oslo",),
        answer_type="one",
        answerability="answerable",
        group=f"{group:06}",
        form=("short", "long")[number % 2],
        kind=("lookup", "count")[group % 2],
        hops=1 + group % 3,
        template=f"t{group % 50}",
        documents=("d",),
    )


def make_run(release: Release, folder: Path, number: int) -> Path:
    """A run with scores and an answer to every question; every seventh system is as good as the first."""
    folder.mkdir()
    ids = [row for batch in release.batches("questions", "test", ["id"]) for row in batch.column("id").to_pylist()]
    draw = np.random.default_rng(number)
    share = 0.5 if number % 7 == 0 else draw.uniform(0.1, 0.9)
    groups = draw.random(-(-len(ids) // WORDINGS)) < share
    right = np.repeat(groups, WORDINGS)[: len(ids)] ^ (draw.random(len(ids)) < 0.1)
    values = np.where(right[:, None], 1.0, draw.random((len(ids), len(METRICS))).round(2))
    values[:, 0] = right
    size = len(ids) * len(METRICS)
    columns = {
        "id": pa.array(ids).take(pa.array(np.repeat(np.arange(len(ids)), len(METRICS)))),
        "condition": pa.array(["own"] * size),
        "repeat": pa.array(np.zeros(size, dtype=np.int32)),
        "metric": pa.array(METRICS).take(pa.array(np.tile(np.arange(len(METRICS)), len(ids)))),
        "value": pa.array(values.ravel()),
        "reason": pa.nulls(size, pa.string()),
        "judge": pa.nulls(size, pa.string()),
    }
    table = pa.Table.from_arrays([columns[field.name].cast(field.type) for field in SCHEMA], schema=SCHEMA)
    pq.write_table(table, folder / SCORES, compression="zstd")
    with (folder / "predictions.jsonl").open("w", encoding="utf-8") as file:
        for id, is_right in zip(ids, right.tolist(), strict=True):
            line = {"id": id, "answer": "Oslo" if is_right else "Rome", "contexts": [{"id": "d", "text": "It states."}]}
            file.write(json.dumps(line) + "\n")
    manifest = release.manifest
    system = RunSystem(folder.name, "made:answer", "made for a measurement", settings={"number": number})
    basis = ScoringBasis(metrics=METRICS, primary="correct", questions=len(ids))
    asked = RunQuestions("test", len(ids))
    write_run(folder, Run(manifest.name, manifest.version, manifest.content_hash, system, asked, scoring=basis))
    return folder


def taken(release: Release, folders: list[Path], output: Path) -> tuple[float, float, float]:
    """Seconds, processor seconds and megabytes of one comparison through the command."""
    options = ["--release", str(release.folder), "--output", str(output), "-q"]
    command = [sys.executable, "-m", "benchwright.scripts.compare_systems", *map(str, folders), *options]
    began = time.perf_counter()
    child = os.posix_spawn(
        sys.executable, command, os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, 1, 0)]
    )
    _, status, used = os.wait4(child, 0)
    if status:
        raise click.ClickException("compare-systems failed")
    return time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


if __name__ == "__main__":
    main()
