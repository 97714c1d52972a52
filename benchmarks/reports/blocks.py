"""What a section of a report is made of: blocks, which `benchwright.cards.blocks` draws as HTML, Markdown, terminal.

A block holds plain texts and figures and no markup. Whoever draws it escapes every text, so that a section may hand on
whatever a release or a system said.

Text         a paragraph                    Listing      items, one below or beside another
Figure       one large figure               Definitions  terms with what they stand for
Table        rows under a caption           Details      blocks that are folded away
Chart        shares, columns, cells         SideBySide   panels beside each other
Finding      what was found, what to do     AnswerList   every answer, to be searched and filtered
"""

from dataclasses import dataclass
from typing import Any, Literal

Tone = Literal["good", "mixed", "bad", "quiet", "faint", "known", "lucky"]
"""How something is coloured: `known` and `lucky` are cells of known gaps, `faint` is what was not scored."""
Range = tuple[float, float]
"""The lowest and the highest value that there can be."""
TEXT_LENGTH = 2_000


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text with a style."""

    text: str
    style: Literal["plain", "strong", "soft", "code", "mark", "pill", "key"] = "plain"
    """`mark` is highlighted, `pill` is a label with an outline, `key` is a swatch of its tone before a text."""
    tone: Tone | None = None
    foreign: bool = False
    """Somebody else wrote it: where it is drawn it keeps its own direction of writing."""


@dataclass(frozen=True, slots=True)
class Link:
    """A way to some of the answers of the report's AnswerList. Where there is no such list, it is its text."""

    text: str
    filters: tuple[tuple[str, str], ...]
    """Key of a facet and value: `(("cause", "in-part"), ("hops", "3"))`."""


Inline = str | Span | Link | tuple[str | Span | Link, ...]
"""A text in a line."""


def cut(text: str, limit: int) -> str:
    """A text of at most so many characters, with a note of how many were left out."""
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text) - limit:,} more characters)"


def foreign(text: str, limit: int = TEXT_LENGTH) -> Span:
    """A text that a release or a system brought, cut to a length."""
    return Span(cut(text, limit), foreign=True)


def soft(text: str) -> Span:
    """A text that stands back."""
    return Span(text, "soft")


def strong(text: str) -> Span:
    """A text that stands out."""
    return Span(text, "strong")


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph, or a line of its own."""

    text: Inline
    role: Literal["body", "soft", "small", "heading", "notice", "missing", "pre"] = "body"
    """`notice` is a box that is not to be overlooked, `missing` says why something is not there, `pre` is code.
    It keeps its lines."""
    kind: Literal["text"] = "text"


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure, drawn large. Figures that follow each other are drawn beside each other."""

    name: Inline
    value: int | float | None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    """Of how many the value is."""
    total: int | None = None
    """How many there are."""
    note: Inline = ""
    """What stands below the value, after the interval."""
    range: Range = (0.0, 1.0)
    """From 0 to 1 is a share, which is drawn in per cent."""
    tone: Tone = "good"
    lead: bool = False
    """It is the largest of those beside it."""
    kind: Literal["figure"] = "figure"


@dataclass(frozen=True, slots=True)
class Interval:
    """A cell that draws a value and its interval on a scale; nothing where there is no interval."""

    value: float | None
    low: float | None
    high: float | None
    range: Range = (0.0, 1.0)
    tone: Tone = "good"
    reference: float | None = None
    """A value with a line of its own: 0 of a difference."""


Cell = Inline | Interval


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    name: Inline
    align: Literal["right", "left"] = "right"
    drawn: bool = False
    """Its cells are Intervals. It is left out where they cannot be drawn: the figures stand in other columns too."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a caption. The first cell of a row is its heading; the last cell of a short row fills it."""

    caption: Inline
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    width: Literal["full", "fit", "wide"] = "full"
    """`fit`: no wider than it must be. `wide`: never narrower than its columns need, also on a phone."""
    kind: Literal["table"] = "table"


@dataclass(frozen=True, slots=True)
class Mark:
    """A part of a chart."""

    label: str
    tone: Tone
    value: int
    """Of shares and columns the part's count; of cells how many cells in a row look so."""


@dataclass(frozen=True, slots=True)
class Chart:
    """Counts as a picture: one bar that is divided into shares, a column for each mark, or a cell for each of many."""

    style: Literal["shares", "columns", "cells"]
    label: str
    """What it shows, for who cannot see it."""
    marks: tuple[Mark, ...]
    kind: Literal["chart"] = "chart"


@dataclass(frozen=True, slots=True)
class Listing:
    """Items."""

    items: tuple[Inline, ...]
    style: Literal["bullets", "legend"] = "bullets"
    """A legend stands in a line."""
    kind: Literal["listing"] = "listing"


@dataclass(frozen=True, slots=True)
class Definition:
    """A term and what stands for it."""

    term: Inline
    text: Inline


@dataclass(frozen=True, slots=True)
class Definitions:
    """Terms with what stands for them."""

    items: tuple[Definition, ...]
    kind: Literal["definitions"] = "definitions"


@dataclass(frozen=True, slots=True)
class Details:
    """Blocks under a line that opens them."""

    summary: Inline
    blocks: "tuple[Block, ...]"
    is_open: bool = False
    kind: Literal["details"] = "details"


@dataclass(frozen=True, slots=True)
class Panel:
    """One of several beside each other."""

    title: Inline
    blocks: "tuple[Block, ...]"


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Panels beside each other; below each other where there is no room."""

    panels: tuple[Panel, ...]
    kind: Literal["side_by_side"] = "side_by_side"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of some answers, what to do, and the way to them. Findings in a row stand beside each other."""

    count: int
    total: int
    of: str
    """What the total is of: `lost answers`."""
    share: float
    text: Inline
    """What they have in common; goes on after "203 of 405 lost answers"."""
    low: float | None = None
    high: float | None = None
    notes: tuple[Inline, ...] = ()
    """What it is made of, and where it is most."""
    advice: Inline = ""
    link: Link | None = None
    tone: Tone = "bad"
    kind: Literal["finding"] = "finding"


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value that answers can be filtered by."""

    value: str
    count: int
    label: str = ""
    """What is shown where the value itself says little."""


@dataclass(frozen=True, slots=True)
class Facet:
    """What answers can be filtered by."""

    key: str
    label: str
    values: tuple[FacetValue, ...]
    others: int = 0
    """Answers with values that are not listed, the rarest."""


@dataclass(frozen=True, slots=True)
class AnswerList:
    """Every answer of the run in the condition shown. The page brings their texts; others say where they stand."""

    total: int
    facets: tuple[Facet, ...]
    kind: Literal["answer_list"] = "answer_list"


Block = Text | Figure | Table | Chart | Listing | Definitions | Details | SideBySide | Finding | AnswerList


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a report, computed."""

    id: str
    title: str
    blocks: tuple[Block, ...]
    brief: tuple[Block, ...]
    """What a terminal shows of it."""
    data: Any = None
    """What a section of another package has computed, as JSON. What ours have stands in the report itself."""
    error: str | None = None
    """Why it could not be computed."""


def missing(reason: str) -> Text:
    """A paragraph that says why something is not there."""
    return Text((foreign(f"{reason[:1].upper()}{reason[1:]}."),), "missing")
