"""What all that draw blocks have in common: the spans of a text in a line, and how a figure is written."""

from collections.abc import Sequence

from benchwright.benchmarks.reports.blocks import Figure, Inline, Interval, Span, Table
from benchwright.benchmarks.reports.format import SHARE, amount, interval


def spans(text: Inline) -> list[Span]:
    """A text in a line as its spans."""
    parts: Sequence[str | Span] = (text,) if isinstance(text, str | Span) else text
    return [Span(part) if isinstance(part, str) else part for part in parts]


def plain(text: Inline) -> str:
    """A text in a line without its styles."""
    return "".join(span.text for span in spans(text))


def figure_value(figure: Figure) -> str:
    """The value: in per cent, on a scale of its own, or a whole number."""
    whole = isinstance(figure.value, int) and figure.range != SHARE
    return f"{figure.value:,}" if whole else amount(figure.value, figure.range)


def figure_note(figure: Figure) -> Inline:
    """The interval and the note of a figure."""
    if figure.value is None or figure.low is None or figure.high is None:
        return figure.note
    shown = interval(figure.low, figure.high, figure.range)
    return (f"{shown} · ", *spans(figure.note)) if plain(figure.note) else shown


def written_table(table: Table) -> tuple[list[Inline], list[list[Inline]]]:
    """A table's head and rows without the columns that can only be drawn; short rows are filled up."""
    kept = [place for place, column in enumerate(table.columns) if not column.drawn]
    rows: list[list[Inline]] = []
    for row in table.rows:
        cells = [row[place] if place < len(row) else "" for place in kept]
        rows.append(["" if isinstance(cell, Interval) else cell for cell in cells])
    return [table.columns[place].name for place in kept], rows
