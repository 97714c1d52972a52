"""Builds a benchmark from a database, as `build-benchmark grammar` does, and prints a sample of it for reading.

    python -m benchwright.scripts.measure.database_questions DATABASE [--count 100] [--seed 1] [--set KEY=VALUE]

One question of each group is taken at most, so that no two ask the same. A reader who knows the business and no
database says of each whether somebody would ask it so, and whether the answer is what was wanted; the verdicts are
kept in `benchmarks/facts/databases_read.jsonl`.
"""

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import click

from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card


def questions_of(database: str, count: int, seed: int, settings: Mapping[str, str]) -> list[dict[str, Any]]:
    """So many questions of a build from a database, each of another group, in a seeded order.

    Args:
        database: what `--set database=` takes.
        count: of how many groups; -1: of all.
        seed: of the build's sample, the groups and the wordings.
        settings: further parameters of the build.
    """
    with tempfile.TemporaryDirectory() as folder:
        parameters = {"documents": "none", **settings, "database": database}
        release, _ = build_release("grammar", parameters, render_card, output=Path(folder), name="read", seed=seed)
        return _sample(release, count, Random(seed))


def _sample(release: Release, count: int, random: Random) -> list[dict[str, Any]]:
    groups: dict[str, list[dict[str, Any]]] = {}
    for batch in release.batches("questions", "test"):
        for row in batch.select(["id", "question", "answers", "aliases", "group", "sql"]).to_pylist():
            groups.setdefault(row["group"], []).append(row)
    names = sorted(groups)
    drawn = sorted(names, key=lambda name: (random.random(), name))[: None if count < 0 else count]
    return [groups[name][int(random.random() * len(groups[name]))] for name in drawn]


@click.command()
@click.argument("database")
@click.option("--count", default=100, show_default=True, help="So many are printed; -1: one of each group.")
@click.option("--seed", default=1, show_default=True, help="Draws the groups, the questions and the sample.")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="A parameter of the build.")
@click.option("--json", "as_json", is_flag=True, help="As JSON lines, with ids and SQL.")
def main(database: str, count: int, seed: int, settings: tuple[str, ...], as_json: bool) -> None:
    """Print questions that are asked of DATABASE, with their answers."""
    given = dict(setting.split("=", 1) for setting in settings)
    for number, row in enumerate(questions_of(database, count, seed, given), start=1):
        if as_json:
            shown = {key: row[key] for key in ("id", "question", "answers", "aliases", "sql")}
            click.echo(json.dumps(shown, ensure_ascii=False))
        else:
            forms = [" = ".join([answer, *also]) for answer, also in zip(row["answers"], row["aliases"], strict=True)]
            click.echo(f"{number}. {row['question']} → {'; '.join(forms)}")


if __name__ == "__main__":
    main()
