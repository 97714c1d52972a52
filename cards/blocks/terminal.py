"""Blocks in a terminal, by rich: plain text where stdout is none. What is folded away stays so."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Literal

from benchwright.benchmarks.reports.blocks import (
    AnswerList,
    Block,
    Chart,
    Definitions,
    Details,
    Figure,
    Finding,
    Inline,
    Listing,
    SideBySide,
    Table,
    Text,
)
from benchwright.benchmarks.reports.format import count, percent
from benchwright.cards.blocks.foreign_text import readable
from benchwright.cards.blocks.spans import figure_note, figure_value, finding_said, plain, spans, written_table

if TYPE_CHECKING:
    from rich.console import Console

_STYLES = {"heading": "bold", "notice": "yellow", "missing": "italic"}


def draw(console: "Console", blocks: Iterable[Block]) -> None:
    """Prints blocks below each other."""
    for block in blocks:
        _DRAWN[type(block)](console, block)


def line(console: "Console", text: Inline, style: str = "") -> None:
    """Prints a text."""
    from rich.text import Text as Line

    said = "".join(f"[{span.text}] " if span.style == "pill" else span.text for span in spans(text))
    console.print(Line(readable(said), style=style))


def _text(console: "Console", block: Text) -> None:
    line(console, block.text, _STYLES.get(block.role, ""))


def _figure(console: "Console", block: Figure) -> None:
    note = plain(figure_note(block))
    line(console, f"{plain(block.name)}: {figure_value(block)}" + (f" ({note})" if note else ""))


def _table(console: "Console", block: Table) -> None:
    from rich import box
    from rich.table import Table as Grid
    from rich.text import Text as Line

    if not block.rows:
        return
    if plain(block.caption):
        line(console, block.caption, "bold")
    head, rows = written_table(block)
    aligned: list[Literal["left", "right"]] = [column.align for column in block.columns if not column.drawn]
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False)
    names, *cells = [[readable(plain(cell)) for cell in row] for row in (head, *rows)]
    for place, (name, width) in enumerate(zip(names, _widths([names, *cells], console.width), strict=False)):
        side = aligned[place] if place else "left"
        grid.add_column(Line(name), justify=side, overflow="fold", width=width)
    for row in cells:
        grid.add_row(*map(Line, row))
    console.print(grid)


def _widths(rows: Sequence[Sequence[str]], total: int) -> Sequence[int | None]:
    """Characters of each column where rich would fold a word although other columns can give room; else None of each.

    Args:
        rows: the cells, of the head too.
        total: characters of a line.
    """
    from rich.cells import cell_len

    columns = [[line for cell in column for line in cell.splitlines()] for column in zip_longest(*rows, fillvalue="")]
    room = total - 3 * len(columns) + 1  # the edges, and three characters between two columns
    longest = [min(total, max(map(cell_len, column), default=0)) for column in columns]
    words = [max((cell_len(word) for line in column for word in line.split()), default=0) for column in columns]
    caps = range(max(longest, default=0), -1, -1)

    def cut(least: Sequence[int]) -> list[int]:
        """Widths with the widest columns cut to the same, but none below its least."""
        wanted = ([max(low, min(each, most)) for low, each in zip(least, longest, strict=True)] for most in caps)
        return next((widths for widths in wanted if sum(widths) <= room), list(least))

    is_folded = any(width < word for width, word in zip(cut([0] * len(columns)), words, strict=True))
    return cut(words) if is_folded and sum(words) <= room else [None] * len(columns)


def _chart(console: "Console", block: Chart) -> None:
    if block.style == "cells":
        line(console, block.label)
        return
    total = sum(mark.value for mark in block.marks) or 1
    parts = (f"{mark.label} {count(mark.value)} ({percent(mark.value / total)})" for mark in block.marks)
    line(console, f"{block.label}: {', '.join(parts)}")


def _listing(console: "Console", block: Listing) -> None:
    for item in block.items:
        line(console, ("- ", *spans(item)))


def _definitions(console: "Console", block: Definitions) -> None:
    for item in block.items:
        line(console, (*spans(item.term), ": ", *spans(item.text)))


def _details(console: "Console", block: Details) -> None:
    line(console, ("+ ", *spans(block.summary)))


def _side_by_side(console: "Console", block: SideBySide) -> None:
    for panel in block.panels:
        if plain(panel.title):
            line(console, panel.title, "bold")
        draw(console, panel.blocks)


def _finding(console: "Console", block: Finding) -> None:
    line(console, ("- ", *spans(finding_said(block))))
    for note in block.notes:
        line(console, ("  ", *spans(note)))
    if plain(block.advice):
        line(console, ("  → ", *spans(block.advice)))


def _answer_list(console: "Console", block: AnswerList) -> None:
    line(console, f"All {count(block.total)} answers are in report.html.")


_DRAWN: Mapping[type, Callable[[Any, Any], None]] = {
    Text: _text,
    Figure: _figure,
    Table: _table,
    Chart: _chart,
    Listing: _listing,
    Definitions: _definitions,
    Details: _details,
    SideBySide: _side_by_side,
    Finding: _finding,
    AnswerList: _answer_list,
}
