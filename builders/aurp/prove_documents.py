"""Proves the documents: every span says what its cell holds, every other cell is a gap that nothing gives away."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.types import Document
from benchwright.builders.aurp.document_text import StatedCell
from benchwright.builders.aurp.documents import Cell, gap_cells
from benchwright.builders.aurp.evidence import called
from benchwright.builders.aurp.read_pages import Entity, Page, Rows
from benchwright.builders.aurp.read_statements import contradictions, given_away, states
from benchwright.builders.aurp.read_values import canonical, read
from benchwright.builders.aurp.schema import Column
from benchwright.builders.aurp.world import World, key, stored

GAP, CONTRADICTION, UNCLEAR = "known gap stated", "contradiction", "fact not clear"


@dataclass(frozen=True, slots=True)
class ProofCounts:
    """What was proved, in counts."""

    documents: int
    spans: int
    superseded_spans: int
    stated_cells: int
    gap_cells: int
    gap_documents: int
    """Pairs of a known gap and a document that names its entity: searched, and found silent."""


class WronglyStated(BenchwrightError):
    """A document says something that it must not: a known gap, or what the world denies."""

    def __init__(self, sort: str, text: str, sentence: str) -> None:
        super().__init__(f"{text}: {sentence!r}")
        self.sort, self.sentence = sort, sentence


class Checker:
    """Takes the documents of a world one by one, then says what they prove."""

    def __init__(self, world: World, coverage: float, more_gaps: Iterable[Cell] = ()) -> None:
        """`more_gaps`: cells that no document may state either, whatever the coverage says of them."""
        self._world = world
        self._gaps: defaultdict[Entity, set[Cell]] = defaultdict(set)
        for cell in (*gap_cells(world, coverage), *more_gaps):
            self._gaps[cell[:2]].add(cell)
        self.rows = Rows(world)
        self._columns = {(t.name, c.name): c for t in world.schema.tables for c in t.columns}
        self._superseded = {(one.table, one.key, one.column): one.value for one in world.superseded}
        self._seen: set[Cell] = set()
        self._documents = self._spans = self._old = self._pairs = 0

    def see(self, document: Document, stated: Sequence[StatedCell]) -> None:
        """Checks one document; raises BenchwrightError that names the document and the cell."""
        self._documents += 1
        for one in stated:
            self._check_span(document, one)
        self._check_page(document, stated)

    def finish(self) -> ProofCounts:
        """What all documents prove; raises BenchwrightError for a cell that is neither stated nor a known gap."""
        gaps = sum(map(len, self._gaps.values()))
        for table in self._world.schema.tables:
            for row in self._world.rows(table.source):
                row_key = key(table, row)
                for column in table.columns:
                    cell = (table.name, row_key, column.name)
                    if column.kind in ("key", "name") or cell in self._seen or self._is_gap(cell):
                        continue
                    if stored(self._world, table, row, column) is not None:
                        raise BenchwrightError(f"no document states {called(cell)}, and it is not a known gap")
        return ProofCounts(self._documents, self._spans, self._old, len(self._seen), gaps, self._pairs)

    def _is_gap(self, cell: Cell) -> bool:
        return cell in self._gaps.get(cell[:2], ())

    def _check_span(self, document: Document, one: StatedCell) -> None:
        cell = (one.table, one.key, one.column)
        column, held = self._columns[one.table, one.column], self.rows.held.get(cell)
        expected = self._earlier(cell, column) if one.superseded else held and held.shown
        if document.body[one.start : one.end] != one.value_text:
            raise BenchwrightError(f"document {document.id}: the span of {called(cell)} is not its text")
        found = read(column.kind, one.value_text, column.unit)
        if expected is None or found != canonical(column.kind, expected):
            raise BenchwrightError(
                f"document {document.id}: {one.value_text!r} does not say what {called(cell)} holds: {expected}"
            )
        if self._is_gap(cell):
            raise BenchwrightError(f"document {document.id} states the known gap {called(cell)}")
        self._spans += 1
        if one.superseded:
            self._old += 1
        else:
            self._seen.add(cell)

    def _earlier(self, cell: Cell, column: Column) -> str | int | None:
        value = self._superseded.get((cell[0], int(cell[1]), cell[2]))
        return self._world.rows(column.references)[int(value) - 1].name if column.references and value else value

    def _check_page(self, document: Document, stated: Sequence[StatedCell]) -> None:
        """What is proved of a release's documents again, whoever wrote them: see `read_statements`."""
        page = Page(self.rows, document.title, document.body)
        self._pairs += sum(len(self._gaps[entity]) for entity in page.named if entity in self._gaps)
        for said in given_away(page, self._gaps):
            gap = f"document {document.id} gives away the known gap {called(said.cell)}"
            raise WronglyStated(GAP, gap, said.sentence)
        for said in contradictions(page):
            other = f"document {document.id} contradicts {called(said.cell)}"
            raise WronglyStated(CONTRADICTION, other, said.sentence)
        for one in stated:
            cell = (one.table, one.key, one.column)
            if not one.superseded and not states(page, cell, one.start, one.end):
                sentence = document.body[slice(*page.sentence(one.start))].strip()
                raise WronglyStated(UNCLEAR, f"document {document.id} does not clearly state {called(cell)}", sentence)
