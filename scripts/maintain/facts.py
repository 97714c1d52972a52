"""Writes `benchmarks/facts/NAME.json`: the counts and the content hash of a default build, which the tests pin.

    python -m benchwright.scripts.maintain.facts [NAME ...]

Run it after a change that is meant to give other content, and raise the builder's VERSION with it.
"""

import json
import tempfile
from pathlib import Path
from typing import Any

import click

from benchwright.benchmarks.releases.manifest import Manifest
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card

FACTS = Path(__file__).resolve().parents[2] / "benchmarks" / "facts"


def facts_of(manifest: Manifest) -> dict[str, Any]:
    """What of a manifest is pinned."""
    return {
        "builder_version": manifest.builder_version,
        "checks": manifest.checks,
        "content_hash": manifest.content_hash,
        "rows": manifest.rows,
        "seed": manifest.seed,
        "splits": manifest.splits,
    }


@click.command()
@click.argument("benchmarks", nargs=-1)
def main(benchmarks: tuple[str, ...]) -> None:
    """Build BENCHMARKS with their defaults and write their facts; without names, all that have facts already."""
    for name in benchmarks or sorted(path.stem for path in FACTS.glob("*.json")):
        with tempfile.TemporaryDirectory() as folder:
            release, _ = build_release(name, {}, render_card, output=Path(folder))
        text = json.dumps(facts_of(release.manifest), ensure_ascii=False, indent=2, sort_keys=True)
        (FACTS / f"{name}.json").write_text(text + "\n", encoding="utf-8")
        click.echo(FACTS / f"{name}.json")


if __name__ == "__main__":
    main()
