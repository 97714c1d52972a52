"""Tables as lines: a row each, with the header's labels where there is one: `Year: 2022; Team: X`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from benchwright.builders.wiki.text.lists import LINE, one_line

_ATTRIBUTES = re.compile(r"\s*(?:[\w-]+\s*=\s*(?:\"[^\"|]*+\"|'[^'|]*+'|[^\s|\"']++)\s*+|\w+\s*+(?=\|))*+\|(?!\|)")
_OF_A_CELL = re.compile(
    r"\s*+(?:(?:rowspan|colspan|style|scope|align|valign|class|width|bgcolor|data-[\w-]+)\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s\"']++)\s*+)++",
    re.IGNORECASE,
)
"""Attributes before a template that closes them: `rowspan="2" {{won}}`."""
_SPAN = re.compile(r"(row|col)span\s*=\s*[\"']?\s*(\d{1,3})", re.IGNORECASE)
_STYLED = re.compile(r"\|\||!!")
_WIDEST, _TALLEST = 60, 200
"""Columns and rows that one cell may span."""


@dataclass(slots=True)
class _Cell:
    text: str
    is_header: bool
    columns: int = 1
    rows: int = 1


def render_table(source: str) -> str:
    """A table's lines, from what stands between `{|` and `|}`, in which links and templates are text already."""
    caption, rows = _read(source)
    grid = _spread(rows)
    header, lines = _headers(grid)
    labels = header or []
    if not caption and not lines:
        return ""
    told = [_line(row, labels) for row in lines]
    return "\n\n" + "\n".join(line for line in [caption, *told] if line) + "\n\n"


def _read(source: str) -> tuple[str, list[list[_Cell]]]:
    """The caption, and the rows of cells."""
    caption, rows, row = "", list[list[_Cell]](), list[_Cell]()
    is_caption = is_before = True
    for line in source.split("\n")[1:]:
        plain = line.lstrip()
        mark = plain[:2]
        if mark == "|-":
            rows.append(row)
            row, is_caption, is_before = [], False, False
        elif mark == "|+":
            caption, is_caption = _without_attributes(plain[2:])[1].strip(), True
        elif plain[:1] in ("|", "!"):
            row += _cells(plain)
            is_caption = is_before = False
        elif row:
            row[-1].text += "\n" + line
        elif is_caption and not is_before:
            caption = f"{caption} {plain}".strip()
    rows.append(row)
    return caption, [[_Cell(_told(c), c.is_header, c.columns, c.rows) for c in cells] for cells in rows if cells]


def _told(cell: _Cell) -> str:
    """A cell as one line: a header that is broken into several is one label."""
    if cell.is_header:
        return " ".join(cell.text.replace(LINE, " ").lstrip("*#; ").split())
    return one_line(cell.text)


def _cells(line: str) -> list[_Cell]:
    """The cells of a line that begins with `|` or `!`."""
    is_header = line[0] == "!"
    found = []
    for part in _STYLED.split(line[1:]) if is_header else line[1:].split("||"):
        attributes, text = _without_attributes(part)
        spans = {kind.lower(): int(count) for kind, count in _SPAN.findall(attributes)} if attributes else {}
        columns, rows = (max(1, spans.get(kind, 1)) for kind in ("col", "row"))
        found.append(_Cell(text, is_header, min(columns, _WIDEST), min(rows, _TALLEST)))
    return found


def _without_attributes(part: str) -> tuple[str, str]:
    """`scope="col" | Year` as its attributes and its text."""
    if "|" not in part:
        match = _OF_A_CELL.match(part) if "=" in part else None
        return (match.group(), part[match.end() :]) if match else ("", part)
    match = _ATTRIBUTES.match(part)
    return (match.group(), part[match.end() :]) if match else ("", part)


def _spread(rows: Sequence[Sequence[_Cell]]) -> list[list[_Cell]]:
    """The rows with a cell that spans several repeated in each; one that spans columns stays one."""
    found: list[list[_Cell]] = []
    above: dict[int, tuple[int, _Cell]] = {}
    for cells in rows:
        row, column, waiting = list[_Cell](), 0, iter(cells)
        while True:
            if column in above:
                left, cell = above.pop(column)
                if left > 1:
                    above[column] = (left - 1, cell)
            else:
                cell = next(waiting, None)
                if cell is None:
                    break
                if cell.rows > 1:
                    above[column] = (cell.rows - 1, cell)
            row.append(cell)
            column += cell.columns
            if column > 500:
                break
        found.append(row)
    return found


def _headers(grid: Sequence[Sequence[_Cell]]) -> tuple[list[str], Sequence[Sequence[_Cell]]]:
    """The label of each column, from one or two first rows that are all headers, and the rows that remain."""
    rows = list(grid)
    while rows and len(rows[0]) == 1 and len(rows) > 1 and rows[0][0].is_header and rows[0][0].columns > 1:
        rows.pop(0)
    if not rows or len(rows[0]) < 2 or not all(cell.is_header for cell in rows[0]):
        return [], grid
    first = _labels(rows.pop(0))
    if rows and len(rows[0]) > 1 and all(cell.is_header for cell in rows[0]) and len(_labels(rows[0])) == len(first):
        second = _labels(rows.pop(0))
        first = [
            one if one == two or not two else f"{one} {two}".strip() for one, two in zip(first, second, strict=True)
        ]
    return first, rows


def _labels(row: Sequence[_Cell]) -> list[str]:
    return [cell.text for cell in row for _ in range(cell.columns)]


def _line(row: Sequence[_Cell], labels: Sequence[str]) -> str:
    """A row as text."""
    if not labels:
        if len(row) == 2 and row[0].is_header and row[0].text and row[1].text:
            return f"{row[0].text}: {row[1].text}"
        return "; ".join(cell.text for cell in row if cell.text)
    if len(row) == 1 and row[0].columns > 1:
        return row[0].text
    told, column = [], 0
    for cell in row:
        label = labels[column] if column < len(labels) else ""
        column += cell.columns
        if cell.text and cell.text not in ("—", "–", "-"):
            told.append(f"{label}: {cell.text}" if label else cell.text)
    return "; ".join(told)
