"""What all that draw blocks have in common: the spans of a text in a line, and how a figure is written."""

from collections.abc import Sequence

from benchwright.benchmarks.reports.blocks import Figure, Finding, Inline, Interval, Link, Span, Table
from benchwright.benchmarks.reports.format import SHARE, amount, count, interval, percent


def parts(text: Inline) -> list[Span | Link]:
    """A text in a line as its spans and links."""
    found: Sequence[str | Span | Link] = (text,) if isinstance(text, str | Span | Link) else text
    return [Span(part) if isinstance(part, str) else part for part in found]


def spans(text: Inline) -> list[Span]:
    """A text in a line as its spans, a link as its text: where there is no list that it could lead to."""
    return [Span(part.text) if isinstance(part, Link) else part for part in parts(text)]


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


def finding_share(finding: Finding) -> str:
    """The share of a finding, with its interval."""
    share = percent(finding.share)
    if finding.low is None or finding.high is None:
        return share
    return f"{share}, 95 % interval {interval(finding.low, finding.high)}"


def finding_said(finding: Finding) -> Inline:
    """The sentence of a finding: "203 of 405 lost answers had … (50.1 %, 95 % interval 45.2 to 55.0)."."""
    head = f"{count(finding.count)} of {count(finding.total)} {finding.of} "
    return head, *spans(finding.text), f" ({finding_share(finding)})."
