"""The figures of a template, which a wording must keep, and on which side of them it asks: above is not at least."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import sqlglot
from sqlglot import exp

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.builders.sql.wording.text_checks import Problem

FIGURES = ("\x01", "\x02")
"""Stand for the figures of a threshold, the lower one first."""
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_GAP = r"(?:(?:the|a|an|of|than|value|figure|year|date|day|is|are|was|lies?|lying|being)\s+)*"
_SIDES = {exp.GT: "above", exp.LT: "below", exp.GTE: "from", exp.LTE: "up_to"}
_DIALECT = "sqlite"


@dataclass(frozen=True)
class Threshold:
    """A condition of a template on a column, with its figures."""

    column: str
    """SQL of the column."""
    side: str
    """A list of `words.toml`: above, below, from, up_to, between."""
    figures: tuple[str, ...]
    """As they stand in SQL: a number, or a day in ISO 8601."""


def threshold_of(template: SqlTemplate) -> Threshold | None:
    """The one condition of a template with figures; None where there is none, or it is of another shape."""
    found: list[Threshold] = []
    for sql in template.conditions_sql:
        tree = sqlglot.parse_one(sql, read=_DIALECT)
        if isinstance(tree, exp.Between):
            parts, side = (tree.args["low"], tree.args["high"]), "between"
        elif (side := _SIDES.get(type(tree), "")) and isinstance(tree.this, exp.Column):
            parts = (tree.expression,)
        else:
            return None
        if not all(isinstance(part, exp.Literal) for part in parts):
            return None
        found.append(Threshold(tree.this.sql(_DIALECT), side, tuple(part.name for part in parts)))
    return found[0] if len(found) == 1 else None


def marked(text: str, threshold: Threshold) -> tuple[str, Problem | None]:
    """A wording with a mark in place of each figure, and why not where one is not there once."""
    for mark, figure in zip(FIGURES, threshold.figures, strict=False):
        text, count = _spellings(figure).subn(mark, text)
        if count != 1:
            return text, Problem("lacks a figure", figure) if not count else Problem("has a figure twice", figure)
    return text, None


def taken_off(text: str, threshold: Threshold, *, is_time: bool) -> tuple[str, Problem | None]:
    """A wording with marks, without its threshold and the words for the side of it; why not where it says another side.

    Args:
        text: the wording, with marks.
        threshold: what it must say.
        is_time: whether the figures are days or years.
    """
    said = read_toml(__package__, "words.toml")["sides"]
    right = threshold.side if not is_time or threshold.side == "between" else f"{threshold.side}_time"
    for pattern in said[right]:
        found = re.search(pattern.replace("~", _GAP), text, re.IGNORECASE)
        if found is None:
            continue
        before, after = text[: found.start()], text[found.end() :]
        denied = re.search(r"(?:\b(?:not|no|never|neither|nor|or)|n['’]t)\s+(?:\w+\s+)?$", before, re.IGNORECASE)
        more = re.match(said["more"][0], after, re.IGNORECASE)
        if denied or more:
            return text, Problem("asks for another side of the figure", (denied or more or found)[0].strip())
        return f"{before} {after}", None
    return text, Problem("asks for another side of the figure", _around(text))


def _around(text: str) -> str:
    """The words before the first mark."""
    return " ".join(text.partition(FIGURES[0])[0].split()[-3:])


@cache
def _spellings(figure: str) -> re.Pattern[str]:
    """Every way in which people write a figure."""
    parts = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", figure)
    said = list(_days(*parts.groups())) if parts else [_number(figure)]
    return re.compile("|".join(said), re.IGNORECASE)


def _number(figure: str) -> str:
    whole, _, rest = figure.partition(".")
    grouped = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", "[, \u202f]?", whole)
    return rf"(?<![\d.,-]){grouped}{rf'[.]{rest}0*' if rest else r'(?:[.]0+)?'}(?![\d]|[.,]\d)"


def _days(year: str, month: str, day: str) -> Iterator[str]:
    name = _MONTHS[int(month) - 1]
    names: Sequence[str] = rf"(?:{name}|{name[:3]}\.?)"
    number = rf"0?{int(day)}(?:st|nd|rd|th)?"
    yield rf"(?<!\d){year}-{month}-{day}(?!\d)"
    yield rf"(?<!\d)(?:the )?{number} (?:day )?(?:of )?{names},? (?:of )?{year}(?!\d)"
    yield rf"\b{names} {number},? {year}(?!\d)"
    if day == "01":
        yield rf"\b(?:the )?first (?:day )?of {names},? {year}(?!\d)"
