"""Tables of a page: rows of one length, `rowspan` and `colspan` repeated."""

from lxml import html

from benchwright.builders.documents.html_text import Lost, text_of
from benchwright.builders.documents.tree import Cell, Table

WIDEST = 1_000
"""Columns or rows that a cell may span: a larger number is a mistake in the page."""
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def is_layout(table: html.HtmlElement) -> bool:
    """Whether a table only places text: it is one cell, or has headings in it."""
    cells = [cell for row in rows_in(table) for cell in row.iterchildren("td", "th")]
    return len(cells) == 1 or next(table.iter(*_HEADINGS), None) is not None


def rows_in(table: html.HtmlElement) -> list[html.HtmlElement]:
    """The rows of a table, without those of tables in it."""
    return [row for row in table.iter("tr") if next(row.iterancestors("table")) is table]


def read_table(table: html.HtmlElement, place: str, lost: Lost) -> Table:
    """Reads a table. A row of one cell is as wide as the others, whatever it says."""
    caption = table.find("caption")
    elements = rows_in(table)
    cells = [list(element.iterchildren("td", "th")) for element in elements]
    widest = max((sum(_span(cell, "colspan") for cell in row) for row in cells if len(row) > 1), default=1)
    inner = sum(1 for _ in table.iter("table")) - 1
    lost[_INNER] = lost.get(_INNER, 0) + inner
    hanging: dict[int, tuple[Cell, int]] = {}
    rows: list[tuple[Cell, ...]] = []
    for element, found in zip(elements, cells, strict=True):
        row: list[Cell] = []
        in_head = element.getparent().tag == "thead"
        for cell in found:
            _hang(row, hanging)
            text, header = text_of(cell, lost), cell.tag == "th" or in_head
            down, across = _span(cell, "rowspan"), _span(cell, "colspan")
            for place_in_cell in range(min(across, widest) if len(found) == 1 else across):
                if down > 1:
                    hanging[len(row)] = Cell(text, header, True), down - 1
                row.append(Cell(text, header, bool(place_in_cell)))
        _hang(row, hanging)
        if row:
            rows.append(tuple(row))
    width = max(map(len, rows), default=0)
    full = tuple(row + (Cell(""),) * (width - len(row)) for row in rows)
    return Table(text_of(caption, lost) if caption is not None else "", full, (), place)


_INNER = "tables inside tables, of which the text is in the cell"


def _hang(row: list[Cell], hanging: dict[int, tuple[Cell, int]]) -> None:
    """Adds the cells that reach down from rows above."""
    while (at := len(row)) in hanging and hanging[at][1]:
        cell, left = hanging[at]
        row.append(cell)
        hanging[at] = cell, left - 1


def _span(cell: html.HtmlElement, name: str) -> int:
    value = (cell.get(name) or "1").strip()
    return max(1, min(int(value), WIDEST)) if value.isdecimal() and len(value) < 9 else 1
