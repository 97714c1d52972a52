"""No open question of a release with held-out ones needs a cell that is held out.

Which cells a group needs is in the private half, in the config `cells`. A builder whose module registers
`held_cells_proof` says the same again from each question and the database, so that nobody is trusted with it.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.hashing import hash_texts
from benchwright.benchmarks.releases.manifest import is_private
from benchwright.benchmarks.releases.proofs.base import Material, Proof
from benchwright.benchmarks.releases.release import HELDOUT, Release
from benchwright.benchmarks.schemas import CELLS

CellsOf = Callable[[Mapping[str, Any]], Sequence[str] | None]
"""Given a question of a group (`COLUMNS`): the cells that its answer needs, in any order; None where that cannot be
told."""

COLUMNS = ("id", "group", "template", "sql", "entity", "evidence")
_WHAT = "open semantic groups that need no held-out cell"
_FOLLOW = "semantic groups whose cells are computed again"
_OLD = "groups of this release were held out one by one, and nothing says which cells they need: build the next version"
_NO_PUBLIC = "the public release is not there: name it with --public RELEASE"
_NO_RULE = "its builder registers nothing that computes them"
_UNTOLD = "their SQL or the database does not tell which cells they need"


@dataclass(frozen=True)
class _Needs:
    """What the private half says: hashes of the groups, and of those that need a drawn cell; both sorted."""

    groups: np.ndarray
    cells: np.ndarray
    """For each group a hash of the cells that it needs."""
    held: np.ndarray
    wrong: tuple[str, ...]
    """Groups of which it says that a cell was drawn, or was not, where another says otherwise."""
    rows: int


def held_cells_proof(cells_of: Callable[[Material], CellsOf | str]) -> Proof:
    """The proof that a builder registers.

    Args:
        cells_of: given what is proved, what computes the cells of a group as the build did; or why nothing can.
    """

    def whole(material: Material) -> None:
        if is_private(material.release.manifest):
            _check(material, cells_of(material))

    return Proof("held-out cells", "no open question needs a cell that is held out", 110, whole=whole)


def _check(material: Material, cells_of: CellsOf | str) -> None:
    """Looks up what every group of both halves needs."""
    release, found = material.release, material.found
    if CELLS.name not in release.manifest.splits:
        found.leave(_WHAT, release.manifest.rows.get("questions", 0), _OLD)
        return
    needs = _read(release)
    for group in needs.wrong:
        found.problem("cells", f"group {group}: what it says of the cells that were drawn is not what others say")
    if len(needs.groups) != needs.rows:
        found.problem("cells", f"of {needs.rows} rows some are about the same group")
    _look(release, needs, material, wanted=True)
    if material.public is None:
        found.leave(_WHAT, release.manifest.rows[CELLS.name], _NO_PUBLIC)
    else:
        _look(material.public, needs, material, wanted=False)
    if isinstance(cells_of, str):
        found.leave(_FOLLOW, release.manifest.rows[CELLS.name], cells_of)
        return
    for half in (release, material.public):
        if half is not None:
            _compare(half, needs, material, cells_of)


def _read(release: Release) -> _Needs:
    """Reads the config `cells` twice: first which cells were drawn, then who needs one."""
    empty = np.empty(0, dtype=np.uint64)
    drawn = np.unique(
        np.concatenate([empty, *(hash_texts(batch.column("drawn").flatten()) for batch in _cells(release))])
    )
    groups, told_cells, held, wrong, rows = [empty], [empty], [empty], [], 0
    for batch in _cells(release):
        cells = batch.column("cells")
        counts = pc.list_value_length(cells).fill_null(0).to_numpy(zero_copy_only=False)
        told = pc.list_value_length(batch.column("drawn")).fill_null(0).to_numpy(zero_copy_only=False)
        hit = np.isin(hash_texts(cells.flatten()), drawn)
        many = np.bincount(np.repeat(np.arange(len(counts)), counts)[hit], minlength=len(counts))
        names = hash_texts(batch.column("group"))
        groups.append(names)
        told_cells.append(_hashed(cells.to_pylist()))
        held.append(names[many > 0])
        wrong += batch.column("group").filter(pa.array(many != told)).to_pylist()
        rows += len(batch)
    numbers, first = np.unique(np.concatenate(groups), return_index=True)
    return _Needs(numbers, np.concatenate(told_cells)[first], np.unique(np.concatenate(held)), tuple(wrong), rows)


def _hashed(cells: Sequence[Sequence[str] | None]) -> np.ndarray:
    """A hash of each set of cells."""
    return hash_texts(pa.array([json.dumps(sorted(set(some or ()))) for some in cells], pa.string()))


def _cells(release: Release) -> Iterator[pa.RecordBatch]:
    yield from release.batches(CELLS.name, CELLS.name)


def _look(release: Release, needs: _Needs, material: Material, *, wanted: bool) -> None:
    """Looks at the groups of one half: those of the private one need a drawn cell, those that are open need none.

    Where everything is held out, a group that needs no cell is too, and none is open.
    """
    is_everything = (material.release.manifest.holdout or {}).get("share") == 1
    for split in release.manifest.splits.get("questions", {}):
        is_wanted = wanted or split == HELDOUT
        seen = np.empty(0, dtype=np.uint64)
        for batch in release.batches("questions", split, ["id", "group"]):
            column = pc.coalesce(batch.column("group"), batch.column("id"))
            names, first = np.unique(hash_texts(column), return_index=True)
            known = np.isin(names, needs.groups)
            held = np.ones(len(names), dtype=bool) if is_everything else np.isin(names, needs.held)
            for place in first[~known]:
                material.found.problem("cells", f"group {column[int(place)]}: nothing says which cells it needs")
            for place in first[known & (held != is_wanted)]:
                said = "is held out, and needs no cell that is" if is_wanted else "is open, and needs a held-out cell"
                material.found.problem("cells", f"group {column[int(place)]} {said}")
            seen = np.union1d(seen, names[known & (held == is_wanted)])
        if not is_wanted:
            material.found.proved[_WHAT] += len(seen)


def _compare(release: Release, needs: _Needs, material: Material, cells_of: CellsOf) -> None:
    """Computes what the groups of one half need, and compares it with what the private half says."""
    found, last = material.found, np.uint64(0)
    for split in (split for split in release.manifest.splits.get("questions", {}) if split != HELDOUT):
        for batch in release.batches("questions", split, COLUMNS):
            hashes = hash_texts(pc.coalesce(batch.column("group"), batch.column("id")))
            is_first = np.concatenate([[last], hashes[:-1]]) != hashes
            is_first &= np.isin(hashes, needs.groups)
            last = hashes[-1] if len(hashes) else last
            rows = batch.filter(pa.array(is_first)).to_pylist()
            computed = [cells_of(row) for row in rows]
            told = needs.cells[np.searchsorted(needs.groups, hashes[is_first])]
            is_same = _hashed(computed) == told
            for row, cells, same in zip(rows, computed, is_same, strict=True):
                if cells is None:
                    found.leave(_FOLLOW, 1, _UNTOLD)
                elif same:
                    found.proved[_FOLLOW] += 1
                else:
                    shown = ", ".join(sorted(set(cells))) or "none"
                    text = f"group {row['group'] or row['id']}: it needs other cells than those that are told: {shown}"
                    found.problem("cells", text[:300])


PROOF = held_cells_proof(lambda material: _NO_RULE)
