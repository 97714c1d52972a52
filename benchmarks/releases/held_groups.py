"""Which semantic groups are held out: drawn by the cells that they need, once all of them are known.

A group of `test` that needs a drawn cell, and is a known gap for the sake of another, is given away: open questions say
that no document states that one. It is in neither half, and is not counted in the share that is held out.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.releases.cells import Drawn, GroupStratum, Needs, numbers
from benchwright.benchmarks.releases.release import TEST

MARGIN = 0.02
"""By how much the share that is held out may miss the one that was asked for before it is said."""
_DRAWS = 6
_NEAR = 0.003
_NEVER = 1_000
"""Hops of a group that nobody asks."""

log = logging.getLogger("benchwright")


class HeldGroups:
    """What groups need, and after `draw` which of them are held out."""

    def __init__(self, secret: bytes, share: float) -> None:
        """
        Args:
            secret: of the build; it decides which cells are drawn.
            share: of the groups of `test` that are to be held out, above 0; with 1 every group is, of all splits.
        """
        self._secret, self._share = secret, share
        self._needs, self._silent = Needs(secret), Needs(secret)
        """The cells that a group needs, and those of them that make it a known gap."""
        self._numbers: dict[str, int] = {}
        """Group → its number, of those whose cells are known."""
        self._strata: dict[str, GroupStratum] = {}
        self._drawn: Drawn | None = None
        self._given_away = np.zeros(0, dtype=bool)
        """For each group, whether it is a known gap, and an open one says so."""

    def __contains__(self, group: str) -> bool:
        """Whether the cells of a group are known."""
        return group in self._numbers

    def add(self, groups: Sequence[str], cells: Sequence[list[str]], silent: Sequence[Sequence[str]] | None) -> None:
        """Notes the cells of groups that are new; `silent` are those that make each a known gap."""
        start = len(self._numbers)
        self._numbers.update(zip(groups, range(start, start + len(groups)), strict=True))
        places = [self._numbers[group] for group in groups]
        self._needs.add(places, cells)
        if silent is not None:
            self._silent.add(places, silent)

    def place(self, rows: Mapping[str, Mapping[str, Any]], split: str) -> None:
        """Notes the stratum of each group by a question of it; the first time that it is seen counts."""
        for name, row in rows.items():
            if name not in self._strata:
                gap = row["answerability"] == "gap"
                self._strata[name] = GroupStratum(self._numbers[name], row["hops"] or 0, gap, split == TEST)

    def draw(self) -> tuple[int, int]:
        """Draws cells until the share of what is held out is the one that was asked for, without what is given away.

        Returns:
            How many of the groups that count are held out, and how many count.
        """
        unasked = [
            GroupStratum(number, _NEVER, False, False)
            for name, number in self._numbers.items()
            if name not in self._strata
        ]
        strata = [*self._strata.values(), *unasked]
        counted = np.array([one.number for one in strata if one.counts], dtype=np.int64)
        share = wanted = self._share
        drawn = self._draw_once(strata, share)
        for _ in range(_DRAWS):
            held = drawn.groups[counted] & ~self._given_away[counted]
            came_out = held.sum() / max(1, len(counted) - self._given_away[counted].sum())
            if not self._given_away.any() or abs(came_out - wanted) < _NEAR:
                break
            share = min(0.999, max(0.001, share + wanted - came_out))
            drawn = self._draw_once(strata, share)
        left = counted[~self._given_away[counted]]
        return int(drawn.groups[left].sum()), len(left)

    def _draw_once(self, strata: Sequence[GroupStratum], share: float) -> Drawn:
        """Draws cells, and notes what is given away then: nothing where no group is open."""
        self._drawn = drawn = self._needs.draw(strata, share)
        told = self._silent.any_but(drawn, len(drawn.groups))
        self._given_away = drawn.groups & told if share < 1 else np.zeros_like(drawn.groups)
        return drawn

    @property
    def drawn(self) -> Drawn:
        """What was drawn.

        Raises:
            ValueError: nothing was drawn yet.
        """
        if self._drawn is None:
            raise ValueError("which groups are held out is asked before cells were drawn")
        return self._drawn

    @property
    def given_away(self) -> int:
        """How many groups of `test` are in neither half."""
        return sum(one.counts and bool(self._given_away[one.number]) for one in self._strata.values())

    def are_held(self, names: pa.Array) -> pa.Array:
        """For each name of a group, whether it is held out."""
        return self._each(names, self.drawn.groups)

    def are_given_away(self, names: pa.Array) -> pa.Array:
        """For each name of a group, whether it would be in neither half, were it of `test`."""
        return self._each(names, self._given_away)

    def _each(self, names: pa.Array, marks: np.ndarray) -> pa.Array:
        encoded = names.dictionary_encode()
        found = [bool(marks[self._numbers[name]]) for name in encoded.dictionary.to_pylist()]
        return pa.array(found, pa.bool_()).take(encoded.indices)

    def with_drawn(self, batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
        """Rows of `group` and `cells`, those in neither half left out, with what of the cells was drawn."""
        asked = [self._is_asked(name) for name in batch.column("group").to_pylist()]
        batch = batch.filter(pa.array(asked, pa.bool_()))
        cells = batch.column("cells")
        is_drawn = self.drawn.among(numbers(self._secret, cells.flatten().to_pylist()))
        before = np.concatenate([[0], np.cumsum(is_drawn)])
        offsets = pa.array(before[cells.offsets.to_numpy() - cells.offsets[0].as_py()].astype(np.int32))
        found = pa.ListArray.from_arrays(offsets, cells.flatten().filter(pa.array(is_drawn)))
        return pa.RecordBatch.from_arrays([batch.column("group"), cells, found], schema=schema)

    def _is_asked(self, group: str) -> bool:
        """Whether a half has questions of a group: of `test` not where it is given away."""
        one = self._strata.get(group)
        return one is None or not (one.counts and self._given_away[one.number])

    def say_share(self, held: int, count: int) -> None:
        """Warns of a share that is not the one that was asked for; on few groups each weighs more."""
        share, wanted = held / count, self._share
        if abs(share - wanted) <= max(MARGIN, 1.5 / count):
            return
        why = "facts that many questions need are held out as a whole"
        if share < wanted:
            most = 100 * self.drawn.most
            why = f"the most that can be is {most:.1f} %, for the others need nothing that can be held out"
        said = "%.1f %% of the semantic groups of test are held out, where --holdout %g was asked for: %s"
        log.warning(said, 100 * share, wanted, why)


def groups_of(batch: pa.RecordBatch) -> pa.Array:
    """The group of each question; one without is a group of its own."""
    return pc.coalesce(batch.column("group"), batch.column("id"))


def first_of_groups(batch: pa.RecordBatch, columns: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Group → some columns of its first question."""
    encoded = groups_of(batch).dictionary_encode()
    names = encoded.dictionary.to_pylist()
    first = np.full(len(names), -1)
    places = encoded.indices.to_numpy()
    first[places[::-1]] = np.arange(len(places))[::-1]
    rows = batch.select(list(columns)).take(pa.array(first)).to_pylist()
    return dict(zip(names, rows, strict=True))
