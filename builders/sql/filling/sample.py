"""A seeded sample of fillings that never enumerates all combinations, of which there may be a billion.

What names the first row is drawn among the names of its table; what names the others is drawn given it. So every named
row has the same chance to be asked about, however many combinations it is part of; few rows get several each. Draws are
by hash: the values with the smallest hashes of seed, template and value win, in whatever order they come.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import groupby
from math import prod
from typing import Any

from benchwright.benchmarks.grounding.sql import Placeholder, SqlTemplate
from benchwright.benchmarks.grounding.values import YES
from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.types import YES_NO
from benchwright.builders.base import Progress
from benchwright.builders.sql.filling.chosen import Chosen
from benchwright.builders.sql.filling.coverage import Coverage, cover
from benchwright.builders.sql.filling.everything import Everything
from benchwright.builders.sql.filling.fill import Filler, own_fill
from benchwright.builders.sql.filling.fillings import FillingCounts, Fillings, joined
from benchwright.builders.sql.filling.pools import Pools
from benchwright.builders.sql.filling.questions import WordedTemplate
from benchwright.builders.sql.filling.shares import share_out
from benchwright.builders.sql.filling.usual import NOTHING, Usual, usual_among

LOOKED_AT = 1_000
"""Fillings of each template that are drawn to see what its answers are like, and to take the sample from."""
POOL = 10_000
"""Names of the rows of a table that are drawn from at least, where there are as many."""
_LEAST_TRIED = 50
"""First values that are tried at least: the one group that is wanted may be hard to find."""
_LEAST_KEPT = 20
"""Fillings of a template that are kept at least once it was looked at."""
_SPARE = 3
"""How many times more first values are drawn than fillings are wanted: some have no answer, or several."""
_TRIES = 4
"""Combinations that are tried with each first value before all of its own are read."""
_BOUND = 1_000
"""Combinations that are bound into one query."""

Combination = tuple[Any, ...]


@dataclass(frozen=True)
class _Drawn:
    """Fillings of a template that were drawn."""

    fillings: Fillings | None
    """In the order of their hashes, of which the first are taken; None where there are none."""
    found: int
    """So many there were, of which some may not be kept here."""
    tried: int
    """So many were looked for: where fewer were found, there are no more."""
    usual: Usual

    @property
    def kept(self) -> int:
        """How many are here."""
        return 0 if self.fillings is None else len(self.fillings)

    @property
    def is_all(self) -> bool:
        """Whether the template has no more than are here."""
        return self.kept == self.found < self.tried


class Sample:
    """A sample of the groups of templates, shared out as `shares.py` says; all of them where there are no more."""

    def __init__(
        self,
        filler: Filler,
        groups: int,
        seed: int,
        progress: Progress = lambda what, done, total: None,
    ) -> None:
        """
        Args:
            filler: fills the templates.
            groups: how many groups are wanted of all templates together.
            seed: of the sample.
            progress: told what is done.
        """
        self._filler, self._groups, self._seed, self._progress = filler, groups, seed, progress
        self._pools = Pools(filler.database, seed, max(POOL, groups * _SPARE), progress)
        self._drawn: dict[str, _Drawn] = {}
        self._keep = groups
        self._is_whole: bool | None = None
        self._ends_with_no: frozenset[str] = frozenset()
        """Ids of templates of yes or no with an odd number of questions, of which the last is false."""
        self.undrawn: frozenset[str] = frozenset()
        """Ids of templates that can be asked, and of which no group is in the sample."""
        self.coverage: Coverage | None = None
        """What the sample covers; None until it is drawn, and where there are no more groups than are wanted."""

    def look(self, templates: Sequence[WordedTemplate]) -> Iterator[tuple[WordedTemplate, Usual]]:
        """What the answers of templates are like, among some that are drawn."""
        self._keep = max(_LEAST_KEPT, 4 * self._groups // max(1, len(templates)))
        for number, worded in enumerate(templates):
            self._progress("templates", number, len(templates))
            yield worded, self._look(worded).usual
        self._progress("templates", len(templates), len(templates))

    def example(self, worded: WordedTemplate) -> Fillings | None:
        """A filling of a template that was looked at; nothing where it has none."""
        fillings = self._look(worded).fillings
        return fillings and fillings.take([0])

    def usual(self, worded: WordedTemplate) -> Usual:
        """The commonest answer of a template, among those that were drawn when it was looked at."""
        return self._look(worded).usual

    def fill(self, templates: Sequence[WordedTemplate]) -> Iterator[tuple[WordedTemplate, Fillings]]:
        """The fillings of the sample, in the order of the templates."""
        for _ in self.look(templates):
            pass
        if self._is_whole is None:
            self._is_whole = self._are_few(templates)
        if self._is_whole:
            yield from Everything(self._filler).fill(templates)
            return
        taken = self._share(templates)
        self._balance(templates, taken)
        covered = ((one, part) for one in templates if (part := self._taken(one, taken)))
        self.coverage = cover(covered, {one.sql.id: self._names(one.sql) for one in templates if taken.get(one.sql.id)})
        self.undrawn = frozenset(
            worded.sql.id for worded in templates if not taken.get(worded.sql.id) and self._drawn[worded.sql.id].found
        )
        for worded in templates:
            self._filler.counts[worded.sql.id].kept = taken.get(worded.sql.id, 0)
            part = self._taken(worded, taken)
            if part is not None:
                yield worded, part

    def _taken(self, worded: WordedTemplate, taken: Mapping[str, int]) -> Fillings | None:
        fillings = self._drawn[worded.sql.id].fillings
        count = taken.get(worded.sql.id, 0)
        if fillings is None or not count:
            return None
        return fillings.take([*range(count - 1), count if worded.sql.id in self._ends_with_no else count - 1])

    def _balance(self, templates: Sequence[WordedTemplate], taken: dict[str, int]) -> None:
        """Lets as many questions be true as are false, of all templates of yes or no together.

        Of each, pairs are taken; what is left over is true of one template and false of the next.
        """
        odd = [one.sql.id for one in templates if one.sql.declared == YES_NO and taken.get(one.sql.id, 0) % 2]
        if len(odd) % 2:
            taken[odd.pop()] -= 1
        self._ends_with_no = frozenset(odd[1::2])

    def _names(self, template: SqlTemplate) -> int:
        """About how many names there are of the rows that a template asks about."""
        first = _units(template)[0]
        return self._pools.of(first[0].table, [item.column for item in first]).count

    def _share(self, templates: Sequence[WordedTemplate]) -> dict[str, int]:
        """Template's id → how many of its groups are taken."""
        taken: dict[str, int] = {}

        def take(worded: WordedTemplate, wanted: int) -> int:
            taken[worded.sql.id] = min(wanted, self._look(worded, wanted).kept)
            self._progress("groups", sum(taken.values()), self._groups)
            return taken[worded.sql.id]

        capacities = {worded.sql.id: self._capacity(worded.sql) for worded in templates}
        share_out(templates, self._groups, self._seed, capacities, take)
        return taken

    def _look(self, worded: WordedTemplate, wanted: int = 0) -> _Drawn:
        """Fillings of a template that were drawn: so many where it has them, anew where fewer were kept."""
        name = worded.sql.id
        known = self._drawn.get(name)
        if known is not None and (known.kept >= wanted or known.is_all):
            return known
        tried = LOOKED_AT if known is None else max(LOOKED_AT, wanted * 3 // 2)
        self._filler.counts[name] = FillingCounts()
        parts = list(sample_fillings(self._filler, worded.sql, tried, self._seed, self._pools))
        if not parts:
            self._drawn[name] = _Drawn(None, 0, tried, NOTHING)
            return self._drawn[name]
        found = joined(parts)
        order = sorted(range(len(found)), key=lambda place: self._place(worded.sql, found, place))
        usual = _usual(worded.sql, found) if known is None else known.usual
        keep = self._keep
        if worded.sql.declared == YES_NO:
            order, keep = _in_pairs(order, found), keep + keep % 2
        kept = order[:keep] if known is None else order
        self._drawn[name] = _Drawn(found.take(kept), len(found), tried, usual)
        return self._drawn[name]

    def _place(self, template: SqlTemplate, fillings: Fillings, place: int) -> bytes:
        values = tuple(column[place] for column in fillings.values)
        return _rank(self._seed, template.id, -2, values)

    def _capacity(self, template: SqlTemplate) -> int:
        """How many groups a template gives at most."""
        drawn = self._drawn[template.id]
        return drawn.found if drawn.found < drawn.tried else self._combinations(template)

    def _combinations(self, template: SqlTemplate) -> int:
        return prod(self._pools.of(unit[0].table, [item.column for item in unit]).count for unit in _units(template))

    def _are_few(self, templates: Sequence[WordedTemplate]) -> bool:
        """Whether there are no more groups than are wanted: counted only where little speaks against it."""
        if sum(self._drawn[worded.sql.id].found for worded in templates) > self._groups:
            return False
        units = [unit for worded in templates for unit in _units(worded.sql)]
        if not all(self._pools.of(unit[0].table, [item.column for item in unit]).is_whole for unit in units):
            return False
        left = self._groups
        for worded in templates:
            left -= self._filler.count(worded.sql, left + 1)
            if left < 0:
                return False
        return True


def _in_pairs(order: Sequence[int], found: Fillings) -> list[int]:
    """Places of fillings of yes or no, each that is true before one that is false; what has no counterpart is left."""
    answers = found.answers.to_pylist()
    true = [place for place in order if answers[place] == [YES]]
    false = [place for place in order if answers[place] != [YES]]
    return [place for pair in zip(true, false, strict=False) for place in pair]


def _usual(template: SqlTemplate, fillings: Fillings) -> Usual:
    """The commonest answer of some fillings; nothing of a template that counts and is of no kind by name."""
    return NOTHING if template.aggregates and not template.declared else usual_among(fillings.answers.to_pylist())


def sample_fillings(filler: Filler, template: SqlTemplate, wanted: int, seed: int, pools: Pools) -> Iterator[Fillings]:
    """Up to `wanted` fillings of a template, at least 1, each with an answer of its own.

    The work is a few passes over the columns that the placeholders stand for, whatever the number of combinations. Of a
    kind that fills its templates itself, all fillings.
    """
    if own_fill(template):
        yield from filler.fill(template, _BOUND)
        return
    units = _units(template)
    firsts = _draw(pools, template, units, 0, max(_LEAST_TRIED, wanted * _SPARE), seed)
    each = -(-wanted * _SPARE // max(1, len(firsts)))
    missing = wanted
    for start in range(0, len(firsts), wanted):
        if missing <= 0:
            return
        chosen = firsts[start : start + wanted]
        if len(units) > 1:
            chosen = _combine(filler, template, units, chosen, each, seed, pools)
        while chosen and missing > 0:
            part, chosen = chosen[:missing], chosen[missing:]
            for fillings in filler.fill_some(template, part, _BOUND, _BOUND):
                yield fillings
                missing -= len(fillings)


def _units(template: SqlTemplate) -> list[list[Placeholder]]:
    """The placeholders in groups that name a row together: those that follow each other and are of one table."""

    def row(item: Placeholder) -> tuple[str, str]:
        return item.table, item.compared.alias if item.compared.table == item.table else item.text

    return [list(unit) for _, unit in groupby(template.placeholders, key=row)]


def _draw(
    pools: Pools, template: SqlTemplate, units: Sequence[Sequence[Placeholder]], number: int, wanted: int, seed: int
) -> list[Combination]:
    """Up to `wanted` distinct names of a row, in the order of their hashes."""
    unit = units[number]
    values = pools.of(unit[0].table, [item.column for item in unit]).values
    return nsmallest(wanted, values, key=lambda value: _rank(seed, template.id, number, value))


def _combine(
    filler: Filler,
    template: SqlTemplate,
    units: Sequence[Sequence[Placeholder]],
    firsts: Sequence[Combination],
    each: int,
    seed: int,
    pools: Pools,
) -> list[Combination]:
    """For each first name up to `each` existing combinations: tried at random, else drawn among all that it has."""
    others = [_draw(pools, template, units, i, len(firsts) + _TRIES * each, seed) for i in range(1, len(units))]
    tries = [
        sum((values[(i + attempt) % len(values)] for values in others), first)
        for attempt in range(_TRIES * each)
        for i, first in enumerate(firsts)
        if all(others)
    ]
    width = len(units[0])
    found: dict[Combination, set[Combination]] = {first: set() for first in firsts}

    def keep(combinations: Iterable[Combination]) -> None:
        for combination in combinations:
            known = found[combination[:width]]
            known.add(combination)
            if len(known) > 4 * each:
                found[combination[:width]] = set(smallest(known))

    def smallest(known: Iterable[Combination]) -> list[Combination]:
        return nsmallest(each, known, key=lambda combination: _rank(seed, template.id, -1, combination))

    for part in _chunks(list(dict.fromkeys(tries))):
        keep(_existing(filler, template, part))
    for part in _chunks([first for first in firsts if len(found[first]) < each]):
        keep(_existing(filler, template, part))
    return [combination for first in firsts for combination in smallest(found[first])]


def _existing(filler: Filler, template: SqlTemplate, values: Sequence[Combination]) -> Iterator[Combination]:
    """The existing combinations that begin with one of those given, as a stream."""
    chosen = Chosen(template, values)
    columns = ", ".join(item.compared_sql for item in template.placeholders)
    where = " AND ".join(f"({item})" for item in (*template.conditions_sql, *chosen.conditions))
    sql = f"{chosen.before}SELECT DISTINCT {columns} {template.source_sql}{chosen.join_if_needed} WHERE {where}"
    for part in filler.database.rows(sql, chosen.bound):
        yield from (tuple(row) for row in part if all(value is not None for value in row))


def _rank(seed: int, template: str, number: int, value: Any) -> bytes:
    return rank(seed, template, number, repr(value), joined_by="\0")


def _chunks(items: Sequence[Combination]) -> Iterable[Sequence[Combination]]:
    return (items[start : start + _BOUND] for start in range(0, len(items), _BOUND))
