"""Which facts are held out: cells of a database are drawn by the secret, and with them every group that needs one.

A group that is held out alone is still answered by its neighbours: the same cell is asked on another path, or follows
from two open answers. So cells are drawn, not groups: what needs a drawn cell is held out, and what is open needs none.
Whether a cell is drawn depends on its name, the secret and the stratum below, never on its value: which questions are
held out then says nothing of what their answers are.

A question of many hops needs many cells, and would be held out more often than others. Cells are therefore drawn in
strata: a cell belongs to the group of fewest hops that needs it, and to the known gaps where nothing but gaps needs it.
Each stratum has a share of its own, chosen so that of the groups of `test` with so many hops, answerable or gaps, the
share that was asked for is held out as nearly as it can be; then all are raised or lowered together until the share of
all groups is as near as it can be. Where strata still come out unlike, cells are drawn the less often the more groups
need them: a row that hundreds of others point at would hold out questions of many hops alone. What came out is in the
manifest.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchwright.benchmarks.releases.commitments import derive

EVERYTHING = "*"
"""A cell of a group that reads more than can be told: the group is never open."""
_ROUNDS = 12
_STEPS = 50
_POWERS = (0.0, 0.5, 1.0)
"""How much less often a cell is drawn that many groups need, where strata come out unlike otherwise."""
_GOOD = 0.05
"""Strata are alike where their shares are within this of the one that is wanted."""


@dataclass(frozen=True)
class GroupStratum:
    """What decides in which stratum a semantic group is."""

    number: int
    """Of the group."""
    hops: int
    is_gap: bool
    counts: bool
    """Whether the share is one of groups such as this: those of `test`."""


@dataclass
class Needs:
    """Which cells which group needs, as numbers that only the secret gives: 12 bytes for each cell of each group."""

    secret: bytes = field(repr=False)
    _groups: list[np.ndarray] = field(default_factory=list)
    _numbers: list[np.ndarray] = field(default_factory=list)

    def add(self, groups: Sequence[int], cells: Sequence[Sequence[str]]) -> None:
        """Notes the cells of some groups, which are counted from 0."""
        counts = np.array([len(of) for of in cells], dtype=np.int64)
        self._groups.append(np.repeat(np.array(groups, dtype=np.int32), counts))
        self._numbers.append(numbers(self.secret, (cell for of in cells for cell in of)))

    def any_but(self, drawn: "Drawn", size: int) -> np.ndarray:
        """For each of so many groups, whether it needs a cell that was not drawn."""
        found = np.zeros(size, dtype=bool)
        for groups, cells in zip(self._groups, self._numbers, strict=True):
            found[groups[~drawn.among(cells)]] = True
        return found

    def draw(self, strata: Sequence[GroupStratum], share: float) -> "Drawn":
        """Draws cells so that about a share of the groups needs one of them.

        Args:
            strata: of every group.
            share: of the groups that count, above 0. Of 1, everything is drawn, and every group is held out.
        """
        none = np.empty(0, dtype=np.int32)
        strata = sorted(strata, key=lambda one: one.number)
        groups = np.concatenate([none, *self._groups])
        cells, index = np.unique(
            np.concatenate([none.astype(np.uint64), *self._numbers]).astype(np.uint64), return_inverse=True
        )
        if share >= 1:
            return Drawn(cells, np.ones(len(strata), dtype=bool), 1.0)
        hops = np.array([one.hops for one in strata], dtype=np.int64)
        gaps = np.array([one.is_gap for one in strata], dtype=bool)
        counts = np.array([one.counts for one in strata], dtype=bool)
        fewest = np.full(len(cells), np.iinfo(np.int64).max)
        np.minimum.at(fewest, index, hops[groups])
        only_gaps = np.ones(len(cells), dtype=bool)
        np.logical_and.at(only_gaps, index, gaps[groups])
        kinds, stratum = np.unique(np.stack([fewest, only_gaps.astype(np.int64)], 1), axis=0, return_inverse=True)
        stratum = stratum.reshape(-1)
        members = [(hops == kind[0]) & (gaps == bool(kind[1])) & counts for kind in kinds]
        places = np.where(cells == 0, -1.0, cells.astype(np.float64) / 2.0**64)
        often = np.bincount(index, minlength=len(cells)).astype(np.float64)
        fits = []
        for power in _POWERS:
            fit = _Fit(groups, (places * often**power)[index], stratum[index], len(strata), counts, members, share)
            fits.append((fit, places * often**power < fit.thresholds[stratum]))
            if fit.deviation <= _GOOD:
                break
        fit, drawn = min(fits, key=lambda one: one[0].deviation)
        able = np.zeros(len(strata), dtype=bool)
        able[groups] = True
        return Drawn(cells[drawn], fit.held(fit.thresholds), float(able[counts].mean()) if counts.any() else 0.0)


@dataclass(frozen=True)
class Drawn:
    """What is held out."""

    cells: np.ndarray
    """The numbers of the cells that were drawn, sorted."""
    groups: np.ndarray
    """For each group, whether it needs one."""
    most: float
    """The share of the groups that count which need any cell: no more can be held out."""

    def among(self, cells: np.ndarray) -> np.ndarray:
        """Which of some cells were drawn, by their numbers."""
        return np.isin(cells, self.cells)


def numbers(secret: bytes, cells: Iterable[str]) -> np.ndarray:
    """The number of each cell, of 64 bits, which nobody can tell without the secret; 0 of what is never open."""
    known: dict[str, bytes] = {EVERYTHING: bytes(8)}
    found = [known.get(cell) or known.setdefault(cell, derive(secret, "cell", cell)[:8]) for cell in cells]
    return np.frombuffer(b"".join(found), dtype=">u8").astype(np.uint64)


def default_cells(group: str, row: Mapping[str, Any]) -> list[str]:
    """What a group needs of which the builder does not say it: what it asks about, and each place that states a part of
    its answer. So two groups of one entity are held out together, and two that one sentence answers."""
    entity = [f"entity {row['entity']}"] if row["entity"] else [f"group {group}"]
    return entity + [f"{one['document']}[{one['start']}:{one['end']}]" for one in row["evidence"] or ()]


class _Fit:
    """Finds how much of each stratum of cells is drawn: those whose places are below its threshold."""

    def __init__(
        self,
        groups: np.ndarray,
        places: np.ndarray,
        stratum: np.ndarray,
        size: int,
        counts: np.ndarray,
        members: Sequence[np.ndarray],
        share: float,
    ) -> None:
        """
        Args:
            groups: the group of each need of a cell.
            places: the place of the cell.
            stratum: its stratum.
            size: the number of groups.
            counts: which groups the share is one of.
            members: for each stratum of cells, which of these groups are of it.
            share: of the groups.
        """
        self._groups, self._places, self._stratum = groups, places, stratum
        self._size, self._counts, self._members, self._share = size, counts, members, share
        self._all = float(places.max(initial=0.0)) + 1.0
        self.thresholds = self._near(self._even())
        of = [(self.held(self.thresholds)[one].mean() - share, one.sum()) for one in members if one.any()]
        self.deviation = float(sum(off**2 * many for off, many in of) / max(1, sum(many for _, many in of))) ** 0.5
        """Of the shares of the strata from the one that is wanted, as the root of the mean square over groups."""

    def held(self, thresholds: np.ndarray) -> np.ndarray:
        """Which groups need a cell that is drawn."""
        found = np.zeros(self._size, dtype=bool)
        if len(self._groups):
            found[self._groups[self._places < thresholds[self._stratum]]] = True
        return found

    def _even(self) -> np.ndarray:
        """The thresholds that hold out the same share of each stratum, as far as there are such."""
        found = np.full(len(self._members), self._share)
        for _ in range(_ROUNDS):
            for number in range(len(found)):
                found[number] = self._best(number, found)
        return found

    def _near(self, thresholds: np.ndarray) -> np.ndarray:
        """The thresholds raised or lowered together, so that the share of all groups is the one that is wanted."""
        low, high = 0.0, self._all / max(thresholds[thresholds > 0].min(initial=1.0), 1e-9)
        for _ in range(_STEPS):
            middle = (low + high) / 2
            if self._came_out(thresholds * middle) < self._share:
                low = middle
            else:
                high = middle
        return min((thresholds * end for end in (low, high)), key=lambda end: abs(self._came_out(end) - self._share))

    def _came_out(self, thresholds: np.ndarray) -> float:
        held = self.held(thresholds)[self._counts]
        return float(held.mean()) if len(held) else 0.0

    def _best(self, number: int, thresholds: np.ndarray) -> float:
        """The threshold of a stratum that holds out the share of its groups, given those of the others."""
        members = self._members[number]
        if not members.any():
            return self._share
        others = thresholds.copy()
        others[number] = 0.0
        held = self.held(others)
        missing = round(self._share * members.sum()) - int((held & members).sum())
        first = np.full(self._size, np.inf)
        mine = self._stratum == number
        np.minimum.at(first, self._groups[mine], self._places[mine])
        left = np.sort(first[members & ~held])
        left = left[np.isfinite(left)]
        if missing <= 0 or not len(left):
            return 0.0
        return self._all if missing >= len(left) else float((left[missing - 1] + left[missing]) / 2)
