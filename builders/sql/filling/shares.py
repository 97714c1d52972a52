"""How a sample of groups is shared out: evenly over kinds, then over the tables whose values are asked for, then over
their columns, over hops, and over templates.

Shared out over rows, nearly all questions would be about the largest table; over templates, about the one with the
most columns.
"""

from collections.abc import Callable, Mapping, Sequence

from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.benchmarks.hashing import rank
from benchwright.builders.sql.filling.questions import WordedTemplate

_LEVELS = 3
"""Levels above the templates themselves: table, columns, hops; above them all, at -1, kinds that are asked by name."""


def asked_table(template: SqlTemplate) -> str:
    """The table whose values a template asks for; where it asks for what is no plain column, the first it names."""
    first = template.projections[0]
    return first.table if first is not None else next(iter(template.tables.values()))


def share_out(
    templates: Sequence[WordedTemplate],
    groups: int,
    seed: int,
    capacities: Mapping[str, int],
    take: Callable[[WordedTemplate, int], int],
) -> int:
    """Takes groups of templates until there are enough, or none is left.

    Args:
        templates: whose groups are taken.
        groups: how many are wanted, one at least.
        seed: decides who gets what cannot be divided.
        capacities: template's id → so many groups it gives at most.
        take: takes up to so many groups of a template, all of them in one go, and says how many it gave; called again
            with more where others gave less than was hoped.

    Returns:
        How many were taken.
    """
    sharing = _Sharing(seed, capacities, take)
    taken, left = 0, list(templates)
    while left and taken < groups:
        taken += sharing.share(left, groups - taken, -1)
        left = [worded for worded in left if worded.sql.id not in sharing.exhausted]
    return taken


class _Sharing:
    """What each template gave so far."""

    def __init__(self, seed: int, capacities: Mapping[str, int], take: Callable[[WordedTemplate, int], int]) -> None:
        self._seed, self._capacities, self._take = seed, capacities, take
        self.given: dict[str, int] = {}
        self.exhausted: set[str] = set()

    def share(self, templates: Sequence[WordedTemplate], wanted: int, level: int) -> int:
        """Takes up to so many more groups of templates, evenly over the parts of this level. Returns how many."""
        if level > _LEVELS:
            return self._more(templates[0], wanted)
        parts = self._parts(templates, level, wanted)
        left = wanted
        for number, part in enumerate(parts):
            share = -(-left // (len(parts) - number))
            if share:
                left -= self.share(part, share, level + 1)
        return wanted - left

    def _parts(self, templates: Sequence[WordedTemplate], level: int, wanted: int) -> list[list[WordedTemplate]]:
        """The parts of a level: first those that cannot give an even share, then the others, by lot."""
        parts: dict[str, list[WordedTemplate]] = {}
        for worded in templates:
            parts.setdefault(_key(worded, level), []).append(worded)
        even = -(-wanted // len(parts))

        def place(key: str) -> tuple[int, bytes]:
            return min(even, sum(map(self._room, parts[key]))), rank(self._seed, str(level), key, joined_by="\0")

        return [parts[key] for key in sorted(parts, key=place)]

    def _room(self, worded: WordedTemplate) -> int:
        return self._capacities[worded.sql.id] - self.given.get(worded.sql.id, 0)

    def _more(self, worded: WordedTemplate, wanted: int) -> int:
        name, had = worded.sql.id, self.given.get(worded.sql.id, 0)
        self.given[name] = self._take(worded, had + wanted)
        if self.given[name] < had + wanted:
            self.exhausted.add(name)
        return self.given[name] - had


def _key(worded: WordedTemplate, level: int) -> str:
    if level < 0:
        return worded.sql.declared
    return (asked_table(worded.sql), _asked_columns(worded.sql), str(worded.hops), worded.sql.id)[level]


def _asked_columns(template: SqlTemplate) -> str:
    return "\n".join(
        one.column if one is not None else sql
        for one, sql in zip(template.projections, template.selected_sql, strict=True)
    )
