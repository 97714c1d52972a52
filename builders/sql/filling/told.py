"""Templates whose answer stands in the question, and those of whose path a step leads to the row that it starts from.

What a schema does not tell, its rows do: a first name beside the full name by which a person is asked about, a manager
who is always the employee himself. The first rows show which templates are in question; more of them decide.
"""

import logging
import re
from collections.abc import Iterator, Sequence
from typing import Any

from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.benchmarks.text.folding import fold
from benchwright.builders.sql.filling.fill import Filler
from benchwright.builders.sql.filling.questions import WordedTemplate

TOLD = "the question tells the answer"
SAME_ROW = "a step of its path leads to the row that it starts from"
LEAST = 4
"""Rows of a template at least, before any of them speaks for all."""
_SHARE = 0.9
"""The least share of rows that speak for all."""
_FIRST, _DECIDING = 100, 10_000

log = logging.getLogger("benchwright")


def without_told(
    filler: Filler, templates: Sequence[WordedTemplate]
) -> tuple[tuple[WordedTemplate, ...], dict[str, int]]:
    """The templates that ask for what the question does not tell, and why the others are left out: reason → how many.

    Raises:
        BenchwrightError: the database refuses to look.
    """
    kept: list[WordedTemplate] = []
    left: dict[str, int] = {}
    for worded in templates:
        reason = why_told(filler, worded.sql)
        if reason:
            left[reason] = left.get(reason, 0) + 1
            log.info("left out: %s: %s", reason, worded.sql.text)
        else:
            kept.append(worded)
    return tuple(kept), left


def why_told(filler: Filler, template: SqlTemplate) -> str:
    """Why nobody need be asked what a template asks; nothing where there is something to ask."""
    if not template.plain or any(item is None for item in template.projections):
        return ""
    for reason, sql, tells in _looks(filler, template):
        for limit in (_FIRST, _DECIDING):
            rows = filler.database.all(f"{sql} LIMIT {limit}")
            if len(rows) < LEAST or sum(map(tells, rows)) < _SHARE * len(rows):
                break
        else:
            return reason
    return ""


def _looks(filler: Filler, template: SqlTemplate) -> Iterator[tuple[str, str, Any]]:
    """What is looked at: reason, the rows that show it, and whether one of them does."""
    given = [item.compared_sql for item in template.placeholders]
    asked = list(template.selected_sql)
    known = [*template.conditions_sql, *(f"{item} IS NOT NULL" for item in (*given, *asked))]
    where = f"{template.source_sql} WHERE {' AND '.join(f'({item})' for item in known)}"
    if not any(filler.holds_booleans(template)):
        count = len(asked)
        yield TOLD, f"SELECT {', '.join([*asked, *given])} {where}", lambda row: is_told(row[:count], row[count:])
    for own, other in template.joins:
        if own.table == other.table and own.alias != other.alias:
            ends = [f"{quoted(own.alias)}.{quoted(column)}" for column in (own.column, other.column)]
            yield SAME_ROW, f"SELECT {', '.join(ends)} {where}", lambda row: row[0] == row[1]


def is_told(answers: Sequence[Any], given: Sequence[Any]) -> bool:
    """Whether all that is asked for stands in what is given, as whole words."""
    """Whether all that is asked for stands in what is given, as whole words."""
    said = f" {_words(' '.join(str(value) for value in given))} "
    return all((words := _words(str(answer))) and f" {words} " in said for answer in answers)


def _words(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", fold(text).casefold()))
