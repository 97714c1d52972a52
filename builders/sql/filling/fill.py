"""Filling templates: one SELECT per template returns every existing combination of values with its answer.

The published algorithm substitutes each combination of the Cartesian product and executes each query (Algorithm 1).
Here the database groups by the columns that the placeholders stand for: what it returns are exactly the combinations
for which the query has a result, with the smallest and the largest answer of each, which are the same where the answer
is one.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, Literal

import pyarrow as pa

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import Database, DatabaseRow
from benchwright.benchmarks.grounding.dialects import extremes
from benchwright.benchmarks.grounding.sql import Ranked, SqlTemplate
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.benchmarks.grounding.values import answer_array, text_array, to_answer
from benchwright.builders.sql.filling.chosen import BOUND, Chosen
from benchwright.builders.sql.filling.fillings import FillingCounts, Fillings
from benchwright.builders.sql.filling.usable import holds_separators, is_usable

Several = Literal["refuse", "set"]
_ROUNDED = re.compile(r"(ROUND\(CAST\(AVG\(.*)(, 2\))", re.DOTALL)
_HAIR = "0.000001"
"""Less than any mean of rounded values is apart from the middle, unless it is the middle."""
_COUNTED = 10_000
"""Fillings that are held at a time where they are only counted."""


@dataclass(frozen=True)
class Filler:
    """Fills the templates of one database."""

    database: Database
    several: Several = "refuse"
    booleans: frozenset[tuple[str, str]] = frozenset()
    """Table and column of those that hold booleans, which SQLite keeps as 0 and 1."""
    nearly_unique: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Table → the columns that name its rows, where a few rows share their names, which are not asked about."""
    counts: dict[str, FillingCounts] = field(default_factory=dict)
    """Template's id → what became of its fillings."""
    _distinct: dict[tuple[str, str], int] = field(default_factory=dict)

    def fill(self, template: SqlTemplate, size: int) -> Iterator[Fillings]:
        """All fillings of a template, ordered by their values, at most `size` at a time.

        Raises:
            BenchwrightError: the database refuses the query, or holds a value that no text can show.
        """
        counts = self.counts.setdefault(template.id, FillingCounts())
        counts.possible = self.possible(template)
        counts.shared = self._count_shared(template)
        if own := own_fill(template):
            yield from own(self, template, size)
            return
        yield from self._read(template, self.select(template), None, size, counts)

    def fill_some(
        self, template: SqlTemplate, chosen: Sequence[Sequence[Any]], size: int, bound: int = BOUND
    ) -> Iterator[Fillings]:
        """The fillings among the combinations of values that are given, ordered by their values where no more are given
        than are bound into one query."""
        counts = self.counts.setdefault(template.id, FillingCounts())
        for start in range(0, len(chosen), bound):
            chosen_sql = Chosen(template, chosen[start : start + bound])
            yield from self._read(template, self.select(template, chosen_sql), chosen_sql.bound, size, counts)

    def fill_lists(self, template: SqlTemplate, size: int, least: int, most: int) -> Iterator[Fillings]:
        """All fillings of a template with all answers of each, of those that have so many: none is left out of them.

        Fillings with fewer or more are counted as `FillingCounts.unlisted`, those with an element that looks like
        several as `unshown`.
        """
        counts = self.counts.setdefault(template.id, FillingCounts())
        compared = [item.compared_sql for item in template.placeholders]
        conditions = " AND ".join(f"({item})" for item in (*_conditions(template), *self._unshared(template)))
        columns = ", ".join([*(f"{sql} AS filled_{i}" for i, sql in enumerate(compared)), *template.selected_sql])
        order = ", ".join([*compared, *template.selected_sql])
        sql = f"SELECT DISTINCT {columns} {template.source_sql} WHERE {conditions} ORDER BY {order}"
        parts = self.database.rows(sql)
        for rows in self._sets(template, parts, size, counts):
            short = [row for row in rows if least <= len(row[1]) <= most]
            kept = [row for row in short if not any(map(holds_separators, row[1]))]
            counts.kept -= len(rows) - len(kept)
            counts.unlisted += len(rows) - len(short)
            counts.unshown += len(short) - len(kept)
            if kept:
                yield _fillings(kept, self.holds_booleans(template))

    def combinations(self, template: SqlTemplate) -> Iterator[Sequence[DatabaseRow]]:
        """All combinations of values that are there, without NULL, each once and in order, a part at a time."""
        columns = ", ".join(f"{item.compared_sql} AS filled_{i}" for i, item in enumerate(template.placeholders))
        where = " AND ".join(f"({item})" for item in (*_conditions(template), *self._unshared(template)))
        order = ", ".join(item.compared_sql for item in template.placeholders)
        return self.database.rows(f"SELECT DISTINCT {columns} {template.source_sql} WHERE {where} ORDER BY {order}")

    def is_usable(self, template: SqlTemplate, values: Sequence[Any], counts: FillingCounts) -> bool:
        """Whether a template can be filled with values in a text; where not, it is counted why."""
        return is_usable(template, values, (), counts)

    def possible(self, template: SqlTemplate) -> int:
        """The size of the Cartesian product of the placeholders' distinct values."""
        product = 1
        for item in template.placeholders:
            key = (item.table, item.column)
            if key not in self._distinct:
                sql = f"SELECT COUNT(DISTINCT {quoted(item.column)}) FROM {quoted(item.table)}"
                self._distinct[key] = int(self.database.all(sql)[0][0])
            product *= self._distinct[key]
        return product

    def holds_booleans(self, template: SqlTemplate) -> list[bool]:
        """Of each column that a template selects, whether it holds booleans."""
        return [
            is_predicate or (projection is not None and (projection.table, projection.column) in self.booleans)
            for projection, is_predicate in zip(template.projections, template.predicates, strict=True)
        ]

    def select(self, template: SqlTemplate, chosen: Chosen | None = None) -> str:
        """The SELECT that returns every filling of a template, or those that are chosen, ordered by their values."""
        compared = [item.compared_sql for item in template.placeholders]
        names = [f"{column} AS filled_{i}" for i, column in enumerate(compared)]
        unshared = self._unshared(template, chosen)
        conditions = [*_conditions(template), *unshared, *(chosen.conditions if chosen else ())]
        before, join = (chosen.before, chosen.join_if_needed) if chosen else ("", "")
        source = f"{template.source_sql}{join} WHERE {' AND '.join(f'({item})' for item in conditions)}"
        keys = ", ".join(compared)
        if self.several == "set" and not template.aggregates and template.ranked is None:
            order = ", ".join([*compared, *template.selected_sql])
            selected = ", ".join([*names, *template.selected_sql])
            return f"{before}SELECT DISTINCT {selected} {source} ORDER BY {order}"
        if template.aggregates:
            found = [", ".join(("COUNT(*)", *_ends(answer))) for answer in template.selected_sql]
        else:
            found = [
                ", ".join((f"COUNT({answer})", *extremes(answer, self.database.dialect, is_boolean)))
                for answer, is_boolean in zip(template.selected_sql, self.holds_booleans(template), strict=True)
            ]
        if template.ranked is not None:
            return f"{before}{self._ranked(template, template.ranked, source)}"
        selected = ", ".join([*names, "COUNT(*)", *found])
        return f"{before}SELECT {selected} {source} GROUP BY {keys} ORDER BY {keys}"

    def _ranked(self, template: SqlTemplate, ranked: Ranked, source: str) -> str:
        """The same of a ranking: all rows that have the place that is asked for, of which there may be several."""
        keys = ", ".join(item.compared_sql for item in template.placeholders)
        names = ", ".join(f"filled_{number}" for number, _ in enumerate(template.placeholders))
        answers = [f"answer_{number}" for number, _ in enumerate(template.selected_sql)]
        selected = [f"{item.compared_sql} AS filled_{number}" for number, item in enumerate(template.placeholders)]
        selected += [f"{sql} AS {name}" for sql, name in zip(template.selected_sql, answers, strict=True)]
        order = f"{ranked.order_sql} DESC" if ranked.is_descending else ranked.order_sql
        selected.append(f"RANK() OVER (PARTITION BY {keys} ORDER BY {order}) AS place_taken")
        selected.append(f"COUNT(*) OVER (PARTITION BY {keys}) AS rows_there")
        found = [", ".join((f"COUNT({name})", *extremes(name, self.database.dialect, False))) for name in answers]
        return (
            f"SELECT {', '.join([names, 'COUNT(*)', *found])} FROM (SELECT {', '.join(selected)} {source}) AS ranked "
            f"WHERE place_taken = {ranked.place} AND rows_there > 1 GROUP BY {names} ORDER BY {names}"
        )

    def _unshared(self, template: SqlTemplate, chosen: Chosen | None = None) -> list[str]:
        """Conditions that leave out rows which are called as others of their table are; among the chosen alone, where
        not all are wanted."""
        if self.several == "set":
            return []
        found = []
        for alias, table in template.tables.items():
            compared = {
                item.compared.column: item.compared_sql
                for item in template.placeholders
                if item.compared.alias == alias
            }
            name = self.nearly_unique.get(table)
            if not name or not set(name) <= set(compared):
                continue
            columns = ", ".join(quoted(column) for column in name)
            known = " AND ".join(f"{quoted(column)} IS NOT NULL" for column in name)
            among = {chosen.names.get(compared[column]): quoted(column) for column in name} if chosen else {}
            known += "".join(
                f" AND {column} IN (SELECT {value} FROM chosen)" for value, column in among.items() if value
            )
            shared = f"SELECT {columns} FROM {quoted(table)} WHERE {known} GROUP BY {columns} HAVING COUNT(*) > 1"
            given = ", ".join(compared[column] for column in name)
            found.append(f"{given if len(name) == 1 else f'({given})'} NOT IN ({shared})")
        return found

    def _count_shared(self, template: SqlTemplate) -> int:
        """The combinations that are left out since several rows are called so."""
        unshared = self._unshared(template)
        if not unshared:
            return 0
        compared = ", ".join(f"{item.compared_sql} AS filled_{i}" for i, item in enumerate(template.placeholders))
        conditions = [*_conditions(template), f"NOT ({' AND '.join(f'({item})' for item in unshared)})"]
        where = " AND ".join(f"({item})" for item in conditions)
        rows = f"SELECT DISTINCT {compared} {template.source_sql} WHERE {where}"
        return int(self.database.all(f"SELECT COUNT(*) FROM ({rows}) AS shared")[0][0])

    def count(self, template: SqlTemplate, most: int | None = None) -> int:
        """How many fillings `fill` gives, of which no text is made; `most` at least where there are more.

        Raises:
            BenchwrightError: the database refuses the query.
        """
        counted = 0
        if own := own_fill(template):
            return sum(map(len, own(replace(self, counts={}), template, _COUNTED)))
        parts = self.database.rows(self.select(template))
        for kept in self._kept(template, parts, _COUNTED, FillingCounts()):
            counted += len(kept)
            if most is not None and counted >= most:
                break
        return counted

    def _read(
        self, template: SqlTemplate, sql: str, bound: Mapping[str, Any] | None, size: int, counts: FillingCounts
    ) -> Iterator[Fillings]:
        booleans = self.holds_booleans(template)
        try:
            for rows in self._kept(template, self.database.rows(sql, bound, size), size, counts):
                if rows:
                    yield _fillings(rows, booleans)
        except BenchwrightError as error:
            raise BenchwrightError(f"{error} (SQL template: {template.text})") from None

    def _kept(
        self, template: SqlTemplate, parts: Iterator[Sequence[DatabaseRow]], size: int, counts: FillingCounts
    ) -> Iterator[list[tuple[DatabaseRow, list[Any]]]]:
        read = (
            self._sets
            if self.several == "set" and not template.aggregates and template.ranked is None
            else self._single
        )
        return read(template, parts, size, counts)

    def _single(
        self, template: SqlTemplate, parts: Iterator[Sequence[DatabaseRow]], size: int, counts: FillingCounts
    ) -> Iterator[list[tuple[DatabaseRow, list[Any]]]]:
        """Fillings with one answer, of rows: values, then for each projection rows with a value, smallest, largest."""
        width, answers = len(template.placeholders), len(template.projections)
        least = least_rows(template)
        for part in parts:
            kept: list[tuple[DatabaseRow, list[Any]]] = []
            for row in part:
                values, total = row[:width], row[width]
                found = [row[width + 2 + 3 * i] for i in range(answers)]
                if total < least:
                    counts.few += 1
                elif any(
                    row[width + 3 + 3 * i] != low or row[width + 1 + 3 * i] not in (0, total)
                    for i, low in enumerate(found)
                ):
                    counts.several += 1
                elif is_usable(template, values, found, counts):
                    kept.append((values, found))
            counts.kept += len(kept)
            yield kept

    def _sets(
        self, template: SqlTemplate, parts: Iterator[Sequence[DatabaseRow]], size: int, counts: FillingCounts
    ) -> Iterator[list[tuple[DatabaseRow, list[Any]]]]:
        """Fillings with all their answers, of rows: values, then one answer."""
        width = len(template.placeholders)
        rows = (row for part in parts for row in part)
        kept: list[tuple[DatabaseRow, list[Any]]] = []
        for values, group in groupby(rows, key=lambda row: tuple(row[:width])):
            found = [list(row[width:]) for row in group]
            flat = [item for row in found for item in row]
            if len(found) > 1 and len(template.projections) > 1:
                counts.several += 1
            elif is_usable(template, values, flat, counts):
                kept.append((values, flat))
                counts.kept += 1
            if len(kept) >= size:
                yield kept
                kept = []
        yield kept


def _ends(answer: str) -> tuple[str, str]:
    """The value of a function over rows, twice; with another one of a mean in the middle of two rounded values, which
    people round up, or to an even digit, and databases as their binary numbers lie."""
    found = _ROUNDED.fullmatch(answer)
    if found is None:
        return answer, answer
    less, more = (f"{found[1]} {sign} {_HAIR}{found[2]}" for sign in "-+")
    return answer, f"CASE WHEN {less} = {more} THEN {answer} ELSE {answer} + 1 END"


def own_fill(template: SqlTemplate) -> Callable[[Any, SqlTemplate, int], Iterator[Any]] | None:
    """How the kind of a template fills it, where it has a way of its own."""
    from benchwright.builders.sql.kinds import kinds  # they fill templates themselves

    kind = kinds().get(template.declared) if template.declared else None
    return kind.fill if kind else None


def least_rows(template: SqlTemplate) -> int:
    """The rows that each combination of values must have."""
    from benchwright.builders.sql.kinds import kinds

    kind = kinds().get(template.declared) if template.declared else None
    return kind.least_rows if kind else 1


def _conditions(template: SqlTemplate) -> list[str]:
    """What holds for every row that a template can be filled with."""
    return [
        *template.conditions_sql,
        *(f"{item.compared_sql} IS NOT NULL" for item in template.placeholders),
        *(
            f"{item.compared_sql} IN (SELECT {quoted(item.column)} FROM {quoted(item.table)})"
            for item in template.placeholders
            if (item.compared.table, item.compared.column) != (item.table, item.column)
        ),
    ]


def _fillings(rows: Sequence[tuple[DatabaseRow, list[Any]]], booleans: Sequence[bool]) -> Fillings:
    values = tuple(zip(*(row for row, _ in rows), strict=True))
    flat = [item for _, found in rows for item in found]
    if any(booleans):
        truths = [booleans[i % len(booleans)] for _, found in rows for i in range(len(found))]
        texts = pa.array([to_answer(item, truth) for item, truth in zip(flat, truths, strict=True)])
    else:
        texts = answer_array(flat)
    offsets = [0]
    for _, found in rows:
        offsets.append(offsets[-1] + len(found))
    if all(booleans) and len(booleans) == 1:
        kinds = ["boolean" if len(found) == 1 else "set" for _, found in rows]
    else:
        kinds = ["one" if len(found) == 1 else "set" for _, found in rows]
    return Fillings(
        values,
        tuple(text_array(column) for column in values),
        pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), texts),
        kinds,
    )
