"""A cell of a table by its row and its column."""

import re
from collections.abc import Iterable, Iterator, Mapping

from benchwright.builders.documents.sections import Span
from benchwright.builders.telequad.questions.asked import Asked, Specification, Stated
from benchwright.builders.telequad.questions.headers import Column, without_notes
from benchwright.builders.telequad.questions.tables import Grid, grids, is_asked_column, says_nothing
from benchwright.builders.telequad.questions.wordings import worded

LONGEST = 200
"""Characters of a cell that can be an answer."""
_REFERS = re.compile(
    r"(?:\(?(?:see|as (?:defined|specified|described) in|defined in|refer to|same as)\b.*|"
    r"(?:notes?|clause|section|table|annex|figure|subclause) ?\(?[A-Z]?[\d.]+[\w.-]*\)?|\[\d+\].*|"
    r"not (?:available|applicable|supported|used|specified|defined|known|present|given|set|required)\b.*)",
    re.IGNORECASE,
)
"""Cells whose answer stands elsewhere or nowhere."""
_FIGURE = re.compile(r"[-+±]?\d[\d.,]*")
_UNIT_COLUMNS = ("unit", "units")


def cells(specification: Specification) -> Iterable[Asked]:
    """A question for each cell that its row and its column name alone and that says something."""
    for grid in grids(specification):
        asked = [column for column in grid.columns if _is_asked(grid, column)]
        for row in grid.rows:
            for column in asked:
                if _says(grid, row, column):
                    yield _asked(specification, grid, row, column)


def _is_asked(grid: Grid, column: Column) -> bool:
    """Whether somebody would ask for a column: it is not the key, and does not say the same of every row."""
    texts = {grid.table.rows[row][column.place].text for row in grid.rows}
    return is_asked_column(column) and column.place not in grid.keys and (len(texts) > 1 or len(grid.rows) < 3)


def _says(grid: Grid, row: int, column: Column) -> bool:
    """Whether the cell says something, and something of this row rather than of its neighbour."""
    cells = grid.table.rows[row]
    text = without_notes(cells[column.place].text)
    is_merged = any(
        cells[place].text == cells[column.place].text and (cells[max(place, column.place)].repeated)
        for place in (column.place - 1, column.place + 1)
        if 0 <= place < len(cells)
    )
    return (
        not says_nothing(text)
        and len(text) <= LONGEST
        and "\n" not in text
        and "[^" not in text
        and not is_merged
        and _REFERS.fullmatch(text) is None
        and re.search(rf"(?<!\w){re.escape(text)}(?!\w)", grid.key(row), re.IGNORECASE) is None
    )


def _asked(specification: Specification, grid: Grid, row: int, column: Column) -> Asked:
    spans = grid.placed.cells[row]
    start = spans[column.place].start
    answer = Span(start, start + len(without_notes(grid.table.rows[row][column.place].text)))
    return Asked(
        pattern="cell",
        wordings=cell_wordings(specification, grid, row, column),
        context=grid.section,
        answers=(answer,),
        stated=(Stated(grid.section, Span(spans[0].start, spans[-1].end)),),
        asks=column.header,
        entity=grid.key(row),
        aliases=tuple(_with_unit(grid, row, column)),
        metadata={
            "table": grid.table.caption or grid.called,
            "row": grid.key(row),
            "column": column.header,
            "clause": specification.sections[grid.section].clause.number,
        },
    )


def cell_wordings(specification: Specification, grid: Grid, row: int, column: Column) -> Mapping[str, tuple[str, ...]]:
    """The wordings that ask for a cell, whether or not anything stands in it."""
    called = grid.row_called(row)
    return worded(
        "cell_prose" if column.is_prose else "cell_noun" if column.is_noun else "cell_entry",
        document=specification.called,
        table=grid.called,
        column=f"{column.name} in {column.unit}" if column.is_noun and column.unit else column.name,
        header=column.header,
        row=called,
        of_row=f"{'of' if len(grid.keys) == 1 else 'for'} {called}",
        for_row=f"for {called}",
    )


def _with_unit(grid: Grid, row: int, column: Column) -> Iterator[str]:
    """A figure with the unit that its header, or the row's column of units, has."""
    cells = grid.table.rows[row]
    text = without_notes(cells[column.place].text)
    units = [column.unit, *(cells[each.place].text for each in grid.columns if each.header.lower() in _UNIT_COLUMNS)]
    if _FIGURE.fullmatch(text):
        yield from (f"{text} {unit}" for unit in units if any(map(str.isalpha, unit)) or unit in ("%", "‰"))
