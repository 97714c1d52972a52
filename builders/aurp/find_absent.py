"""Whether documents say anything of what has no answer: a name that nothing has, or a cell that holds nothing."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from benchwright.builders.aurp.documents import Cell
from benchwright.builders.aurp.needed_cells import Absence
from benchwright.builders.aurp.read_pages import Entity, Page, Rows, sort_of
from benchwright.builders.aurp.read_statements import explained
from benchwright.builders.aurp.world import source


@dataclass
class Absent:
    """What no document may say, for the sake of questions that have no answer."""

    names: dict[str, str] = field(default_factory=dict)
    """Name → the first question about it."""
    blank: defaultdict[Entity, dict[Cell, str]] = field(default_factory=lambda: defaultdict(dict))
    """Row → its cells that hold nothing → the first question that asks for it."""

    def add(self, absence: Absence, question: str) -> None:
        """Notes why a question has no answer."""
        for name in absence.names:
            self.names.setdefault(name, question)
        for cell in absence.blank:
            self.blank[cell[:2]].setdefault(cell, question)

    def said(self, page: Page, title: str) -> Iterator[str]:
        """What a document says, though a question rests on its being nowhere."""
        low = f"{title}\n{page.text}".lower()
        for name, question in self.names.items():
            if name.lower() in low:
                yield f"names {name!r:.100}, of which nothing is there, as question {question} has it"
        known = [entity for entity in page.named if entity in self.blank]
        if not known:
            return
        true = {place.start for place, _ in explained(page)}
        for entity in sorted(known, key=str):
            for cell, question in self.blank[entity].items():
                if sentence := _gives(page, page.rows, cell, true):
                    wrong = f"gives {cell[0]} {cell[1]} a {cell[2]}, which question {question} says is not there"
                    yield f"{wrong}: {sentence!r:.120}"

    def count(self, page: Page) -> int:
        """The names and cells that a document was searched for."""
        return len(self.names) + sum(len(self.blank[entity]) for entity in page.named if entity in self.blank)


def _gives(page: Page, rows: Rows, cell: Cell, true: set[int]) -> str | None:
    """The sentence that speaks of a cell's row and column and has a value of its sort that is no other cell's."""
    table = rows.world.schema.table(cell[0])
    column = table.column(cell[2])
    sort = sort_of(column, table.source)
    for window in page.sentences:
        if cell[:2] not in page.near(window) or not page.speaks(source(column), window):
            continue
        for place in page.within(window):
            if place.start not in true and any(reading[0] == sort for reading in place.readings):
                return page.text[slice(*window)].strip()
    return None
