"""Proves the documents of a release from its database: that they are all there, what they state, and what they do not.

Nothing of how they were made is used, neither plan nor seed, so that documents by a model are proved in the same way.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchwright.benchmarks.releases.proofs.base import Material
from benchwright.benchmarks.releases.rows import read_metadata
from benchwright.builders.aurp.document_ids import (
    Expected,
    expected_documents,
    is_second_report,
    plain_ids,
    second_report,
)
from benchwright.builders.aurp.document_text import long_date
from benchwright.builders.aurp.documents import Cell
from benchwright.builders.aurp.documents_by_model import ROLE
from benchwright.builders.aurp.find_absent import Absent
from benchwright.builders.aurp.read_pages import Entity, Page, Rows
from benchwright.builders.aurp.read_statements import Said, denials, given_away, stated_cells, states
from benchwright.builders.aurp.schema import STANDARD

Place = tuple[str, int, int]
"""A document, and start and end of a stretch of its text."""
_NO_DATABASE = "no database is there to compare them with: name it with --database URL"
_NO_TEXT = "their texts are not in this release"
_SHOWN = 120


@dataclass
class Claims:
    """What the questions of a release say of its documents, by fact as metadata calls them."""

    cells: dict[str, Cell] = field(default_factory=dict)
    spans: dict[str, tuple[Place, ...]] = field(default_factory=dict)
    """Where they are stated."""
    silent: dict[str, str] = field(default_factory=dict)
    """Which no document states → the first question that says so."""
    stated: dict[str, str] = field(default_factory=dict)
    """Which some document states, without evidence of where → the first question that says so."""
    absent: Absent = field(default_factory=Absent)
    """What is nowhere, as questions without an answer have it."""


def check_corpus(material: Material, rows: Rows | None, claims: Claims) -> None:
    """Reads every document once."""
    found = material.found
    if rows is None:
        found.leave("documents, for what they state", material.release.manifest.rows.get("corpus", 0), _NO_DATABASE)
        return
    metadata = {
        row["_id"]: read_metadata(row["metadata"]) for row in material.rows("corpus", "corpus", ["_id", "metadata"])
    }
    called = None
    if material.release.manifest.parameters.get("names_of"):
        called = plain_ids(rows.world, list(metadata.items()))
    reading = _Reading(material, rows, claims, called)
    for row in material.rows("corpus", "corpus"):
        if row["text"] is None:
            found.leave("documents, for what they state", 1, _NO_TEXT)
            continue
        page = Page(rows, row["title"] or "", row["text"])
        reading.read(row["_id"], page, metadata[row["_id"]].get("writer") == "model")
        for text in claims.absent.said(page, row["title"] or ""):
            found.problem("absent", f"{row['_id']} {text}")
        if searches := claims.absent.count(page):
            found.proved["searches of a document for what is nowhere"] += searches
        for text in _title_problems(rows, row["_id"], row["title"] or "", metadata[row["_id"]]):
            found.problem("document", f"{row['_id']} {text}")
    reading.finish()
    _check_ids(material, rows, metadata, called)


class _Reading:
    """Compares documents with what the questions say of them."""

    def __init__(self, material: Material, rows: Rows, claims: Claims, plain: Mapping[str, str] | None) -> None:
        self.found, self.rows, self.claims, self.plain = material.found, rows, claims, plain
        self.models = [one for one in material.release.manifest.models if one.get("role") == ROLE]
        self.gaps: defaultdict[Entity, set[Cell]] = defaultdict(set)
        for name in claims.silent:
            if cell := claims.cells.get(name):
                self.gaps[cell[:2]].add(cell)
        self.spans: defaultdict[str, list[tuple[str, int, int]]] = defaultdict(list)
        for name, places in claims.spans.items():
            for document, start, end in places:
                self.spans[document].append((name, start, end))
        self.listed = {claims.cells[name]: {place[0] for place in places} for name, places in claims.spans.items()}
        self.read_through: set[str] = set()
        self.contradicting: set[str] = set()
        self.former: list[tuple[str, Said]] = []
        """Documents and the former values that they state, which a second report must revise."""
        self.revised: set[Cell] = set()
        """What second reports state of their projects."""
        self.missing = {claims.cells[name] for name in claims.stated if name not in claims.spans}

    def read(self, document: str, page: Page, by_model: bool) -> None:
        if by_model and not self.models:
            self.found.problem("document", f"{document} says that a model wrote it, and the manifest names none")
        for name, start, end in self.spans.get(document, ()):
            if states(page, self.claims.cells[name], start, end):
                self.found.proved["statements of facts"] += 1
            else:
                text = f"{document}[{start}:{end}] {page.text[start:end][:_SHOWN]!r} does not state {name}"
                self.found.problem("statement", text)
        for said in given_away(page, self.gaps):
            self.found.problem("gap", f"{document} states {_called(said.cell)}: {said.sentence[:_SHOWN]!r}")
        self.read_through.add(document)
        is_second = is_second_report(document if self.plain is None else self.plain.get(document, ""))
        for said in denials(page):
            if not said.former:
                self._contradicts(document, said)
            elif not (is_second and any(cell[:2] in page.titled for cell in said.former)):
                self.former.append((document, said))
        for cell, is_plain in stated_cells(page):
            self.missing.discard(cell)
            if is_second and cell[:2] in page.titled:
                self.revised.add(cell)
            if is_plain and not by_model and document not in self.listed.get(cell, {document}):
                self.found.problem("statement", f"{document} states {_called(cell)}, and no evidence of it is there")
        self.found.proved["searches of a document for a known gap that it could state"] += sum(
            len(self.gaps[entity]) for entity in page.named if entity in self.gaps
        )

    def _contradicts(self, document: str, said: Said) -> None:
        self.contradicting.add(document)
        self.found.problem("contradiction", f"{document} contradicts {_called(said.cell)}: {said.sentence[:_SHOWN]!r}")

    def finish(self) -> None:
        for document, said in self.former:
            if self.revised.isdisjoint(said.former):
                self._contradicts(document, said)
        self.found.proved["documents that contradict nothing"] += len(self.read_through - self.contradicting)
        for cell in sorted(self.missing, key=str):
            name = _called(cell)
            text = f"question {self.claims.stated[name]} says that documents state {name}, and none does"
            self.found.problem("facts", text)


def _called(cell: Cell) -> str:
    return f"{cell[0]} {cell[1]}, {cell[2]}"


def _title_problems(rows: Rows, document: str, title: str, metadata: Mapping[str, Any]) -> Iterator[str]:
    """What in a document's title and metadata does not go together."""
    entity, day = metadata.get("entity"), metadata.get("date")
    if entity is not None and str(entity) not in title:
        yield f"is of {str(entity)[:_SHOWN]!r}, and its title is {title[:_SHOWN]!r}"
    if metadata.get("kind") == "project report" and (not isinstance(day, str) or not _is_dated(title, day)):
        yield f"is of {str(day)[:_SHOWN]!r}, and its title is {title[:_SHOWN]!r}"


def _is_dated(title: str, day: str) -> bool:
    try:
        return long_date(day) in title
    except ValueError:
        return False


def _check_ids(
    material: Material, rows: Rows, metadata: Mapping[str, Mapping[str, Any]], plain: Mapping[str, str] | None
) -> None:
    """Whether every document that the tables call for is there, and is what its id says; and no other.

    In the edition of a round ids say nothing: there `plain` tells by their metadata what documents are.
    """
    if plain is not None:
        metadata = {plain.get(name, name): told for name, told in metadata.items()}
    found, world = material.found, rows.world
    wanted: dict[str, Expected] = {}
    for one in expected_documents(world):
        wanted[one.id] = one
        if one.id not in metadata:
            found.problem("document", f"{one.id} is missing")
        second = second_report(one)
        if second is not None and second.id in metadata:
            wanted[second.id] = second
    for name, told in metadata.items():
        one = wanted.get(name)
        if one is None:
            found.problem("document", f"{name} is none that the database calls for")
            continue
        entity = world.rows(one.table)[one.key - 1].name if one.table else None
        is_known = world.schema is STANDARD and one.table
        if told.get("kind") != one.kind or (is_known and told.get("entity") != entity):
            found.problem(
                "document", f"{name} is a {told.get('kind')} of {told.get('entity')}, by its id it is another"
            )
        else:
            found.proved["documents that are what their id says"] += 1
