"""A small Aurp with held-out questions, and rows of releases, for the tests of held-out questions."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchwright.benchmarks.releases.manifest import list_files
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.schemas import CELLS
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card

SETTINGS: dict[str, Any] = {"size": "10", "wordings": "2", "groups": "0"}
SECRET = bytes(range(100, 132))
SHARE = 0.4


def build(root: Path, settings: Mapping[str, str] = SETTINGS, **options: Any) -> Release:
    """A build of Aurp."""
    return build_release("aurp", settings, render_card, output=root, **options)[0]


def build_halves(root: Path, **options: Any) -> tuple[Release, Release]:
    """The public and the private half of a build whose secret is the one above."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("benchwright.benchmarks.releases.holdout.secrets.token_bytes", lambda size: SECRET[:size])
        build(root, holdout=SHARE, **options)
    return load_halves(root)


def load_halves(root: Path) -> tuple[Release, Release]:
    """The halves in a folder of releases."""
    return Release.load(root / "aurp" / "1.0.0"), Release.load(root / "aurp-private" / "1.0.0")


def rows(release: Release, split: str, config: str = "questions") -> list[dict[str, Any]]:
    """All rows of a split; none where there is no such split."""
    if split not in release.manifest.splits.get(config, {}):
        return []
    return [row for batch in release.batches(config, split) for row in batch.to_pylist()]


def reseal_cells(release: Release, change: Callable[[list[dict[str, Any]]], object]) -> Release:
    """Changes the rows of the config `cells` of a private half, and every hash with them."""
    path = release.shards("cells", "cells")[0]
    table = pq.read_table(path).to_pylist()
    change(table)
    pq.write_table(pa.Table.from_pylist(table, schema=CELLS.columns), path)
    fitted = replace(release.manifest, content_hash=release.content_hash(), files=list_files(release.folder))
    (release.folder / "manifest.json").write_text(fitted.to_json())
    return Release.load(release.folder)
