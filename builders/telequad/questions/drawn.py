"""Tables that are drawn in characters, as RFCs have them, read as tables: cells between `|`, rows between `+---+`."""

import re
from itertools import accumulate, pairwise

from benchwright.builders.documents.outline import TABLE_CAPTION
from benchwright.builders.documents.sections import Placed, Section, Span
from benchwright.builders.documents.tree import Cell, Code, Paragraph, Table

_RULE = re.compile(r"\+(?:[-=]{3,}\+){2,}")


def drawn_tables(section: Section) -> dict[int, Placed]:
    """Place of a part of the section that draws a table → the table, with each cell's characters in the section.

    A cell of several lines has a line break in its text, since its words do not stand in one stretch.
    """
    found = {}
    for place, placed in enumerate(section.placed):
        if isinstance(placed.part, Code) and (read := _read(placed, placed.part)) is not None:
            cells, spans = read
            table = Table(_caption(section, place), cells, (), placed.part.place)
            found[place] = Placed(table, placed.span, spans)
    return found


def _read(placed: Placed, code: Code) -> tuple[tuple[tuple[Cell, ...], ...], tuple[tuple[Span, ...], ...]] | None:
    """Rows of cells, and rows of spans; None where the lines draw something else."""
    lines = code.text.split("\n")
    if not (_RULE.fullmatch(lines[0].strip()) and _RULE.fullmatch(lines[-1].strip())):
        return None
    rules = [number for number, line in enumerate(lines) if _RULE.fullmatch(line.strip())]
    edges = [place for place, letter in enumerate(lines[0]) if letter == "+"]
    if any([place for place, letter in enumerate(lines[rule]) if letter == "+"] != edges for rule in rules):
        return None
    content = sorted({*range(len(lines))} - {*rules})
    if any(len(lines[number]) <= edges[-1] or any(lines[number][edge] != "|" for edge in edges) for number in content):
        return None
    groups = [[*range(above + 1, below)] for above, below in pairwise(rules) if above + 1 < below]
    if len(groups) < 2:
        return None
    if len(groups) == 2:
        groups = [groups[0], *_rows_of_lines(lines, groups[1], edges)]
    starts = [*accumulate((len(line) + 1 for line in lines), initial=placed.span.start)]
    cells, spans = [], []
    for number, group in enumerate(groups):
        row = [_cell(lines, starts, group, left + 1, right) for left, right in pairwise(edges)]
        cells.append(tuple(Cell(text, header=not number) for text, _ in row))
        spans.append(tuple(span for _, span in row))
    return tuple(cells), tuple(spans)


def _rows_of_lines(lines: list[str], group: list[int], edges: list[int]) -> list[list[int]]:
    """The lines of each row where no rule parts them: one without a first cell goes on with the row before it."""
    rows: list[list[int]] = []
    for number in group:
        if lines[number][edges[0] + 1 : edges[1]].strip() or not rows:
            rows.append([number])
        else:
            rows[-1].append(number)
    return rows


def _cell(lines: list[str], starts: list[int], group: list[int], left: int, right: int) -> tuple[str, Span]:
    """A cell's text and its characters, those of its first line that says something to those of its last."""
    pieces = []
    for number in group:
        text = lines[number][left:right]
        if text.strip():
            start = starts[number] + left + len(text) - len(text.lstrip())
            pieces.append((text.strip(), Span(start, start + len(text.strip()))))
    if not pieces:
        return "", Span(starts[group[0]] + left, starts[group[0]] + left)
    return "\n".join(text for text, _ in pieces), Span(pieces[0][1].start, pieces[-1][1].end)


def _caption(section: Section, place: int) -> str:
    """The paragraph below or above that is its caption."""
    for beside in (place + 1, place - 1):
        part = section.placed[beside].part if 0 <= beside < len(section.placed) else None
        if isinstance(part, Paragraph) and TABLE_CAPTION.fullmatch(part.text):
            return part.text
    return ""
