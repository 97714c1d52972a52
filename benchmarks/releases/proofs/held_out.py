"""A public release with held-out questions tells no answer to them."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from benchwright.benchmarks.releases.commitments import PUBLIC_COLUMNS, is_seed
from benchwright.benchmarks.releases.manifest import MANIFEST, is_private
from benchwright.benchmarks.releases.proofs.base import CheckRow, Material, Proof
from benchwright.benchmarks.releases.release import HELDOUT, Release
from benchwright.benchmarks.schemas import CELLS

_COMMITMENT = re.compile(r'\{"commitment":"[0-9a-f]{64}"\}')


def leaks(release: Release) -> Iterator[str]:
    """What a public release with held-out questions holds, and must not hold; nothing for any other release."""
    manifest = release.manifest
    if manifest.holdout is None or is_private(manifest):
        return
    seeds = {"seed": manifest.seed, **{name: value for name, value in manifest.parameters.items() if is_seed(name)}}
    for name, value in seeds.items():
        if value is not None:
            yield f"{MANIFEST} tells the {name}, from which the held-out answers can be made again"
    for path in release.databases():
        yield f"database/{path.name} answers the held-out questions"
    for config, splits in manifest.splits.items():
        if config not in ("questions", "queries") and splits.get(HELDOUT):
            yield f"there are {config} of the split {HELDOUT}"
        if config == CELLS.name:
            yield f"the config {config} says which cells are held out"


def row_leak(row: Mapping[str, Any]) -> str | None:
    """What a held-out question of a public release tells, or lacks; None where it is as it must be."""
    told = [
        name
        for name, value in row.items()
        if name not in PUBLIC_COLUMNS and name != "metadata" and value not in (None, [])
    ]
    if told:
        return f"it is held out, and its {', '.join(told)} can be read"
    if not _COMMITMENT.fullmatch(row["metadata"] or ""):
        return "it is held out, and its metadata is not a commitment alone"
    return None


def _whole(material: Material) -> None:
    for text in leaks(material.release):
        material.found.problem("holdout", text)


def _rows(material: Material) -> CheckRow:
    def check(split: str, row: Mapping[str, Any]) -> None:
        text = row_leak(row)
        if not row["id"] or not row["question"]:
            material.found.problem("question", f"question {row['id']} has no id or no text")
        if text:
            material.found.problem("holdout", f"question {row['id']}: {text}")
        else:
            material.found.proved["held-out questions without their answers"] += 1

    return check


PROOF = Proof(
    "held out",
    "what is held out cannot be read, nor made again from what can",
    20,
    held_out_rows=_rows,
    whole=_whole,
    is_of_rows=True,
)
