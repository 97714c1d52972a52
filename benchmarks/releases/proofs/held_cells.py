"""No open question of a release with held-out ones needs a cell that is held out."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.hashing import hash_texts
from benchwright.benchmarks.releases.manifest import is_private
from benchwright.benchmarks.releases.proofs.base import Material, Proof
from benchwright.benchmarks.releases.release import HELDOUT, Release
from benchwright.benchmarks.schemas import CELLS

_WHAT = "open semantic groups that need no held-out cell"
_OLD = "groups of this release were held out one by one, and nothing says which cells they need: build the next version"
_NO_PUBLIC = "the public release is not there: name it with --public RELEASE"


@dataclass(frozen=True)
class _Needs:
    """What the private half says: hashes of the groups, and of those that need a drawn cell; both sorted."""

    groups: np.ndarray
    held: np.ndarray
    wrong: tuple[str, ...]
    """Groups of which it says that a cell was drawn, or was not, where another says otherwise."""


def check(material: Material) -> None:
    """Looks up what every group of both halves needs; nothing where the release is not a private half."""
    release, found = material.release, material.found
    if not is_private(release.manifest):
        return
    if CELLS.name not in release.manifest.splits:
        found.leave(_WHAT, release.manifest.rows.get("questions", 0), _OLD)
        return
    needs = _read(release)
    for group in needs.wrong:
        found.problem("cells", f"group {group}: what it says of the cells that were drawn is not what others say")
    _look(release, needs, material, wanted=True)
    if material.public is None:
        found.leave(_WHAT, release.manifest.rows[CELLS.name], _NO_PUBLIC)
    else:
        _look(material.public, needs, material, wanted=False)


def _read(release: Release) -> _Needs:
    """Reads the config `cells` twice: first which cells were drawn, then who needs one."""
    empty = np.empty(0, dtype=np.uint64)
    drawn = np.unique(
        np.concatenate([empty, *(hash_texts(batch.column("drawn").flatten()) for batch in _cells(release))])
    )
    groups, held, wrong = [empty], [empty], []
    for batch in _cells(release):
        cells = batch.column("cells")
        counts = pc.list_value_length(cells).fill_null(0).to_numpy(zero_copy_only=False)
        told = pc.list_value_length(batch.column("drawn")).fill_null(0).to_numpy(zero_copy_only=False)
        hit = np.isin(hash_texts(cells.flatten()), drawn)
        many = np.bincount(np.repeat(np.arange(len(counts)), counts)[hit], minlength=len(counts))
        names = hash_texts(batch.column("group"))
        groups.append(names)
        held.append(names[many > 0])
        wrong += batch.column("group").filter(pa.array(many != told)).to_pylist()
    return _Needs(np.unique(np.concatenate(groups)), np.unique(np.concatenate(held)), tuple(wrong))


def _cells(release: Release) -> Iterator[pa.RecordBatch]:
    yield from release.batches(CELLS.name, CELLS.name)


def _look(release: Release, needs: _Needs, material: Material, *, wanted: bool) -> None:
    """Looks at the groups of one half: those of the private one need a drawn cell, those that are open need none."""
    for split in release.manifest.splits.get("questions", {}):
        is_wanted = wanted or split == HELDOUT
        seen = np.empty(0, dtype=np.uint64)
        for batch in release.batches("questions", split, ["id", "group"]):
            column = pc.coalesce(batch.column("group"), batch.column("id"))
            names, first = np.unique(hash_texts(column), return_index=True)
            known, held = np.isin(names, needs.groups), np.isin(names, needs.held)
            for place in first[~known]:
                material.found.problem("cells", f"group {column[int(place)]}: nothing says which cells it needs")
            for place in first[known & (held != is_wanted)]:
                said = "is held out, and needs no cell that is" if is_wanted else "is open, and needs a held-out cell"
                material.found.problem("cells", f"group {column[int(place)]} {said}")
            seen = np.union1d(seen, names[known & (held == is_wanted)])
        if not is_wanted:
            material.found.proved[_WHAT] += len(seen)


PROOF = Proof("held-out cells", "no open question needs a cell that is held out", 110, whole=check)
