"""Whether a thing has a value: the true one, or another that its column holds, in equal number."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from heapq import nsmallest
from itertools import groupby, islice

import pyarrow as pa

from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.benchmarks.grounding.values import NO, YES, text_array, to_answer, to_text
from benchwright.benchmarks.types import YES_NO
from benchwright.builders.sql.filling.fill import Filler
from benchwright.builders.sql.filling.fillings import FillingCounts, Fillings
from benchwright.builders.sql.kinds import Ground, Kind, KindTemplate, Made
from benchwright.builders.sql.kinds.steps.by_chance import Row, in_a_circle, place_of
from benchwright.builders.sql.kinds.steps.lookups import column_sql, given_sql, lookups
from benchwright.builders.sql.kinds.steps.plausible import is_plainly_another
from benchwright.builders.sql.wording.template_meaning import side_by_side

_ALWAYS_OPEN = "every second question names the true value, which would tell what is held out"
_MOST = 2_000
"""Questions of one template: of more, those whose hashes are the smallest."""
_TRIED = 200
"""Other values that are looked at for one that is plainly another."""


def _make(ground: Ground) -> Made:
    found: list[KindTemplate] = []
    for template, meaning in lookups(ground):
        columns = template.names[0]
        given = {(item.table, item.column) for item in template.placeholders}
        is_same = any((column.table, column.column) in given for column in columns)
        if is_same or any(asked.kind == "boolean" or asked.plural for asked in meaning.asked):
            continue
        texts = {column.column: f"[{column.table}.{column.column}]" for column in columns}
        values = " AND ".join(f"{column_sql(column)} = '{texts[column.column]}'" for column in columns)
        sql = f"SELECT COUNT(*) > 0 {template.source_sql} WHERE {given_sql(template)} AND {values};"
        said = side_by_side(tuple(texts), texts)
        found.append(KindTemplate(sql, replace(meaning, kind=YES_NO, said=said)))
    return Made(tuple(found), "" if found else "no thing that is named has anything that is asked for")


def _fill(filler: Filler, template: SqlTemplate, size: int) -> Iterator[Fillings]:
    counts = filler.counts.setdefault(template.id, FillingCounts())
    width = len(template.placeholders) - _width_of_value(template)
    facts = _facts(filler, template, width, counts)
    pool = sorted({value for _, value in facts}, key=lambda value: place_of(template, "value", value))
    kept: list[tuple[Row, Row, bool]] = []
    for given, value in nsmallest(_MOST, facts, key=lambda fact: place_of(template, "fact", fact[0])):
        is_true = len(kept) % 2 == 0
        other = value if is_true else _other(template, pool, given, value)
        if other is None:
            counts.undenied += 1
        else:
            kept.append((given, other, is_true))
    del kept[len(kept) - len(kept) % 2 :]
    kept.sort(key=lambda row: [to_text(value) for value in row[0]])
    counts.kept += len(kept)
    for start in range(0, len(kept), size):
        yield _fillings(kept[start : start + size])


def _width_of_value(template: SqlTemplate) -> int:
    """The placeholders at the end that are what is asked about: of another table all of it, else the last one."""
    first, last = template.placeholders[0].compared, template.placeholders[-1].compared
    if first.alias == last.alias:
        return 1
    return sum(1 for item in template.placeholders if item.compared.alias == last.alias)


def _facts(filler: Filler, template: SqlTemplate, width: int, counts: FillingCounts) -> list[tuple[Row, Row]]:
    """What is given with its one value, ordered; without what has several values, or one that no text can show."""
    found: list[tuple[Row, Row]] = []
    rows = (row for part in filler.combinations(template) for row in part)
    for given, group in groupby(rows, key=lambda row: tuple(row[:width])):
        values = [tuple(row[width:]) for row in group]
        if len(values) > 1:
            counts.several += 1
        elif any(to_answer(value) != to_text(value) for value in values[0] if not isinstance(value, bytes)):
            counts.unshown += 1  # a day that is kept with the time of midnight: nobody asks whether it is 00:00
        elif filler.is_usable(template, (*given, *values[0]), counts):
            found.append((given, values[0]))
    return found


def _other(template: SqlTemplate, pool: Sequence[Row], given: Row, value: Row) -> Row | None:
    """Another value of the column, by chance that the hash of what is given decides; None where there is none."""
    true = " ".join(map(to_text, value))
    for other in islice(in_a_circle(template, pool, given), _TRIED):
        if is_plainly_another(" ".join(map(to_text, other)), true):
            return other
    return None


def _fillings(rows: Sequence[tuple[Row, Row, bool]]) -> Fillings:
    values = tuple(zip(*((*given, *value) for given, value, _ in rows), strict=True))
    answers = pa.array([[YES if is_true else NO] for *_, is_true in rows], pa.list_(pa.string()))
    return Fillings(values, tuple(text_array(column) for column in values), answers, ["boolean"] * len(rows))


KIND = Kind(
    YES_NO, "whether a thing has a value, true and false in equal number", _make, _fill, always_open=_ALWAYS_OPEN
)
