"""A release beside what its builder made again: whether both are the same, and what differs where they are not."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.benchmarks.grounding.sqlite_file import rows_digest
from benchwright.benchmarks.releases.baseline_figures import FILE as BASELINES
from benchwright.benchmarks.releases.diff import compare
from benchwright.benchmarks.releases.manifest import CARD, MANIFEST, Manifest
from benchwright.benchmarks.releases.proofs.base import Verification
from benchwright.benchmarks.releases.readable_figures import CHECK
from benchwright.benchmarks.releases.readable_figures import FILE as READABLE
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.schemas import in_order

_TOLD = ("canary", "checks", "texts", "sources", "models", "rows", "splits")
"""Fields of the manifest that a build makes of its parameters, seed and sources."""
_SHOWN = 5
"""Differences of one sort that are named."""
REBUILT = "content hash, built again"
COUNTED = "counts of checks and texts, built again"
_SQLITE_VERSION = slice(96, 100)
"""Where a SQLite file says which version of the library wrote it (https://www.sqlite.org/fileformat2.html, 1.2.14)."""


def compare_rebuilt(release: Release, again: Release, found: Verification, *, with_manifest: bool = True) -> list[str]:
    """Compares a release with what was built again. What is the same is noted as proved.

    Args:
        release: the release.
        again: what was built.
        found: where it is noted what is the same, and what of it could not be compared.
        with_manifest: whether the same parameters built it, so that the manifest's counts must be the same too.

    Returns:
        What differs, a line each; nothing where the content is the same.
    """
    old, new = release.manifest, again.manifest
    lines = [] if old.content_hash == new.content_hash else list(_content(release, again))
    if not lines:
        found.proved[REBUILT] += 1
    if with_manifest:
        counted = list(_fields(_counts(old), _counts(new)))
        different = [f"{MANIFEST} says {text}" for text in counted]
        lines += _first(different)
        if not different:
            found.proved[COUNTED] += len(_counts(old)["checks"]) + len(old.texts)
    if old.content_hash == new.content_hash:
        _compare_bytes(release, again, found)
    return lines


def _counts(manifest: Manifest) -> dict[str, Any]:
    """What a build tells, without what a reader made of the gold documents: that has a proof of its own."""
    told = {name: getattr(manifest, name) for name in _TOLD}
    return {**told, "checks": {name: value for name, value in manifest.checks.items() if name != CHECK}}


def _content(release: Release, again: Release) -> Iterator[str]:
    """What differs in rows, templates and databases."""
    difference = compare(release, again)
    for what, change in (("questions", difference.questions), ("documents", difference.documents)):
        for ids, words in ((change.removed, "are in the release alone"), (change.added, "are missing in it")):
            if ids:
                yield f"{len(ids):,} {what} {words}: {', '.join(ids[:_SHOWN])}{', …' if len(ids) > _SHOWN else ''}"
    ours, theirs = release.manifest.splits, again.manifest.splits
    for config in in_order({*ours, *theirs}):
        for split in dict.fromkeys([*ours.get(config, {}), *theirs.get(config, {})]):
            yield from _split(release, again, config, split)
    for path, one, other in _paired(release.templates(), again.templates()):
        if one != other:
            yield f"templates/{path} holds other templates"
    databases = [{path.name: rows_digest(path) for path in one.databases()} for one in (release, again)]
    for path, one, other in _paired(*databases):
        if one != other:
            yield f"database/{path} holds other rows"


@dataclass
class _Column:
    """Rows of a split whose values in one column differ."""

    rows: int
    first: str


def _split(release: Release, again: Release, config: str, split: str) -> Iterator[str]:
    """What differs in one split; its columns where both have the same rows."""
    name = config if config == split else f"{config} ({split})"
    counts = [one.manifest.splits.get(config, {}).get(split, 0) for one in (release, again)]
    if counts[0] != counts[1]:
        yield f"{name} has {counts[0]:,} rows, built again {counts[1]:,}"
        return
    key = release.config(config).id
    columns: dict[str, _Column] = {}
    for number, (one, other) in enumerate(zip_longest(_rows(release, config, split), _rows(again, config, split))):
        if key is not None and one[key] != other[key]:
            yield f"{name}: row {number + 1} is {one[key]}, built again {other[key]}"
            return
        for column, value in one.items():
            if value != other.get(column):
                first = (
                    f"{one[key] if key else f'row {number + 1}'}: {value!r:.80}, built again {other.get(column)!r:.80}"
                )
                columns.setdefault(column, _Column(0, first)).rows += 1
    for column, differing in columns.items():
        yield f"{name}: {differing.rows:,} of {counts[0]:,} rows differ in {column}, the first {differing.first}"


def _rows(release: Release, config: str, split: str) -> Iterator[dict[str, Any]]:
    for batch in release.batches(config, split):
        yield from batch.to_pylist()


def _paired(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Key, and its values in both."""
    for key in sorted({*old, *new}):
        yield key, old.get(key), new.get(key)


def _fields(old: Mapping[str, Any], new: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """Values of objects within each other that differ."""
    for key, one, other in _paired(old, new):
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            yield from _fields(one, other, f"{path}{key}.")
        elif one != other and not (isinstance(one, list | tuple) and [*one] == [*(other or ())]):
            yield f"{path}{key} is {_told(one)}, built again {_told(other)}"


def _told(value: Any) -> str:
    return "not there" if value is None else f"{value!r:.120}"


def _first(lines: list[str]) -> list[str]:
    more = [f"{len(lines) - _SHOWN:,} more values of {MANIFEST} differ"] if len(lines) > _SHOWN else []
    return lines[:_SHOWN] + more


def _compare_bytes(release: Release, again: Release, found: Verification) -> None:
    """Compares the files of two releases with the same content, as far as the same libraries wrote them."""
    ours, theirs = release.manifest.files, again.manifest.files
    others: list[str] = []
    libraries: set[str] = set()
    for path, one, other in _paired(ours, theirs):
        if path in (CARD, BASELINES, READABLE):  # which are written anew, and asked again
            continue
        if one == other:
            found.proved["files with the same bytes, built again"] += 1
        else:
            others.append(path)
            versions = [_library(each.folder / path) for each in (release, again)]
            if versions[0] != versions[1]:
                libraries.add(f"{versions[0]}, and {versions[1]} here")
    if others:
        by = (
            f"they were written by {'; '.join(sorted(libraries))}"
            if libraries
            else "the same versions of libraries wrote them, and may have been built in another way"
        )
        names = ", ".join(others[:_SHOWN])
        found.leave("files with the same bytes, built again", len(others), f"the content is the same; {by}: {names}")


def _library(path: Path) -> str:
    """The library that wrote a file, as the file says."""
    try:
        if path.suffix == ".parquet":
            return str(pq.read_metadata(path).created_by)
        if path.suffix == ".sqlite":
            with path.open("rb") as file:
                return f"SQLite {int.from_bytes(file.read(100)[_SQLITE_VERSION], 'big')}"
    except (OSError, pa.ArrowException):
        pass
    return "a library that does not say so"
