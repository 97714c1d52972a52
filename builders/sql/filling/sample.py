"""A seeded sample of fillings that never enumerates all combinations, of which there may be a billion.

The first placeholder's value is drawn among its distinct values; the others are drawn given it. So every named entity
has the same chance to be asked about, however many combinations it is part of; few entities get several each. Draws are
by hash: the values with the smallest hashes of seed, template and value win, in whatever order they come.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import nsmallest
from math import prod
from typing import Any

from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.releases.budget import BATCH_ROWS
from benchwright.builders.sql.filling.fill import BOUND, Chosen, Filler, Fillings
from benchwright.builders.sql.filling.pools import Pools
from benchwright.builders.sql.filling.questions import WordedTemplate
from benchwright.builders.sql.filling.shares import share_out

_LEAST_TRIED = 50
"""First values that are tried at least: the one group that is wanted may be hard to find."""
POOL = 10_000
"""Values of a column that are drawn from at least, where there are as many."""
_SPARE = 3
"""How many times more first values are drawn than fillings are wanted: some have no answer, or several."""
_TRIES = 4
"""Combinations that are tried with each first value before all of its own are read."""

Combination = tuple[Any, ...]


def fill_templates(
    filler: Filler,
    templates: Sequence[WordedTemplate],
    groups: int,
    seed: int,
    progress: Callable[[str, int, int], None] = lambda what, done, total: None,
) -> Iterator[tuple[WordedTemplate, Fillings]]:
    """The fillings of templates, in parts of which each is small enough to be written at once.

    Args:
        filler: fills them.
        templates: in the order in which their fillings are wanted.
        groups: so many fillings, a seeded sample that is shared out as `shares.py` says; 0: all.
        seed: of the sample.
        progress: told how much of a sample is drawn.
    """
    if not groups:
        for worded in templates:
            for fillings in filler.fill(worded.sql, max(1, BATCH_ROWS // len(worded.wordings))):
                yield worded, fillings
        return
    progress("groups", 0, groups)
    pools = Pools(filler.database, seed, max(POOL, groups * _SPARE))
    sampled: dict[str, list[Fillings]] = {}
    drawn: dict[str, int] = {}

    def take(worded: WordedTemplate, wanted: int) -> int:
        name = worded.sql.id
        filler.counts.pop(name, None)
        sampled[name] = list(sample_fillings(filler, worded.sql, wanted, seed, pools))
        drawn[name] = sum(map(len, sampled[name]))
        progress("groups", sum(drawn.values()), groups)
        return drawn[name]

    share_out(templates, groups, seed, {worded.sql.id: _possible(pools, worded.sql) for worded in templates}, take)
    for worded in templates:
        yield from ((worded, fillings) for fillings in sampled.get(worded.sql.id, ()))


def _possible(pools: Pools, template: SqlTemplate) -> int:
    """About how many combinations of its placeholders' values a template has."""
    return prod(pools.of(item.table, item.column).count for item in template.placeholders)


def sample_fillings(filler: Filler, template: SqlTemplate, wanted: int, seed: int, pools: Pools) -> Iterator[Fillings]:
    """Up to `wanted` fillings of a template, at least 1, each with an answer of its own.

    The work is a few passes over the columns that the placeholders stand for, whatever the number of combinations.
    """
    firsts = _draw(pools, template, 0, max(_LEAST_TRIED, wanted * _SPARE), seed)
    each = -(-wanted * _SPARE // max(1, len(firsts)))
    missing = wanted
    for start in range(0, len(firsts), wanted):
        if missing <= 0:
            return
        some = firsts[start : start + wanted]
        if len(template.placeholders) == 1:
            chosen: list[Combination] = [(value,) for value in some]
        else:
            chosen = _combine(filler, template, some, each, seed, pools)
        while chosen and missing > 0:
            part, chosen = chosen[:missing], chosen[missing:]
            for fillings in filler.fill_some(template, part, BOUND):
                yield fillings
                missing -= len(fillings)


def _draw(pools: Pools, template: SqlTemplate, number: int, wanted: int, seed: int) -> list[Any]:
    """Up to `wanted` distinct values of a placeholder, in the order of their hashes."""
    item = template.placeholders[number]
    values = pools.of(item.table, item.column).values
    return nsmallest(wanted, values, key=lambda value: _rank(seed, template.id, number, value))


def _combine(
    filler: Filler, template: SqlTemplate, firsts: Sequence[Any], each: int, seed: int, pools: Pools
) -> list[Combination]:
    """For each first value up to `each` existing combinations: tried at random, else drawn among all that it has."""
    others = [
        _draw(pools, template, i, len(firsts) + _TRIES * each, seed) for i in range(1, len(template.placeholders))
    ]
    tries = [
        (first, *(values[(i + attempt) % len(values)] for values in others))
        for attempt in range(_TRIES * each)
        for i, first in enumerate(firsts)
        if all(others)
    ]
    found: dict[Any, set[Combination]] = {first: set() for first in firsts}

    def keep(combinations: Iterable[Combination]) -> None:
        for combination in combinations:
            known = found[combination[0]]
            known.add(combination)
            if len(known) > 4 * each:
                found[combination[0]] = set(smallest(known))

    def smallest(known: Iterable[Combination]) -> list[Combination]:
        return nsmallest(each, known, key=lambda combination: _rank(seed, template.id, -1, combination))

    for part in _chunks(list(dict.fromkeys(tries)), BOUND):
        keep(_existing(filler, template, part))
    for part in _chunks([(first,) for first in firsts if len(found[first]) < each], BOUND):
        keep(_existing(filler, template, part))
    return [combination for first in firsts for combination in smallest(found[first])]


def _existing(filler: Filler, template: SqlTemplate, values: Sequence[Combination]) -> Iterator[Combination]:
    """The existing combinations that begin with one of those given, as a stream."""
    chosen = Chosen(template, values)
    columns = ", ".join(item.compared_sql for item in template.placeholders)
    where = " AND ".join(f"({item})" for item in template.conditions_sql) or "1 = 1"
    sql = f"{chosen.before}SELECT DISTINCT {columns} {template.source_sql}{chosen.join} WHERE {where}"
    for part in filler.database.rows(sql, chosen.bound):
        yield from (tuple(row) for row in part if all(value is not None for value in row))


def _rank(seed: int, template: str, number: int, value: Any) -> bytes:
    return rank(seed, template, number, repr(value), joined_by="\0")


def _chunks(items: Sequence[Combination], size: int) -> Iterable[Sequence[Combination]]:
    return (items[start : start + size] for start in range(0, len(items), size))
