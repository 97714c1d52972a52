"""All documents of a world, one after the other, each with what it states."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.types import Document
from benchwright.builders.aurp.cells import Cells
from benchwright.builders.aurp.document_ids import round_id
from benchwright.builders.aurp.document_text import StatedCell
from benchwright.builders.aurp.documents_pages import (
    Projects,
    client_page,
    contact_sheets,
    employee_page,
    organisation_page,
    simple_page,
)
from benchwright.builders.aurp.documents_reports import Made, package_register, project_reports
from benchwright.builders.aurp.schema import STANDARD, Column
from benchwright.builders.aurp.world import Row, World, is_gap, key, source

DEFAULT_COVERAGE = 0.9

Cell = tuple[str, int | str, str]
"""Table, key and column, as the world's schema names them."""


Rewrite = Callable[[Cells, Iterator[Made]], Iterator[Made]]
"""Writes the documents anew; what it gives for each states the same cells."""


def documents(
    world: World, coverage: float = DEFAULT_COVERAGE, rewrite: Rewrite | None = None
) -> Iterator[tuple[Document, tuple[StatedCell, ...]]]:
    """The documents of a world, made one at a time, each with the cells of the world's schema that it states.

    About the share 1 - `coverage` of the cells is stated nowhere; `names_seed` decides which. Raises UsageError for
    a coverage outside 0 to 1.
    """
    cells = Cells(world, checked_coverage(coverage))
    show, made = shown_in(world), _made(cells)
    if world.public_names is not None:
        made = _disguised(world, made)
    for document, stated in rewrite(cells, made) if rewrite else made:
        yield document, show(stated)


def _disguised(world: World, made: Iterator[Made]) -> Iterator[Made]:
    """The documents with the ids of a round, in their order, so that neither tells what a document is about."""
    renamed = ((replace(document, id=round_id(world.names_seed, document.id)), stated) for document, stated in made)
    yield from sorted(renamed, key=lambda one: one[0].id)


def shown_in(world: World) -> Callable[[Sequence[StatedCell]], tuple[StatedCell, ...]]:
    """A function that gives what is stated in the words of the world's schema; what that does not show is left out."""
    names = _cell_names(world)
    return lambda stated: tuple(shown for one in stated if (shown := _shown(world, one, names)) is not None)


def gap_cells(world: World, coverage: float = DEFAULT_COVERAGE) -> Iterator[Cell]:
    """The known gaps: cells of the world's schema that hold a value and that no document states."""
    checked_coverage(coverage)
    for table in world.schema.tables:
        for row in world.rows(table.source):
            for column in table.columns:
                if column.kind in ("key", "name"):
                    continue
                if is_gap(world, coverage, table.source, row.id, source(column)) and not _unknown(world, row, column):
                    yield table.name, key(table, row), column.name


def checked_coverage(coverage: float) -> float:
    """The coverage itself; raises UsageError if it is not a share."""
    if not 0 <= coverage <= 1:
        raise UsageError(f"coverage={coverage}: give the share of facts that documents state, from 0 to 1")
    return coverage


def _unknown(world: World, row: Row, column: Column) -> bool:
    name = source(column)
    return getattr(row, name) is None and not (world.schema.name == "paper" and name == "supervisor_id")


def _made(cells: Cells) -> Iterator[Made]:
    """Every document; the papers' schema has no pages of what its tables do not hold."""
    world = cells.world
    whole = world.schema is STANDARD
    projects, superseded = Projects.of(cells), cells.superseded()
    yield organisation_page(cells)
    for table in ("office", "department") if whole else ():
        for row in world.rows(table):
            yield simple_page(cells, table, row.id)
    for row in world.employee:
        yield employee_page(cells, row.id, projects)
    for row in world.client:
        yield client_page(cells, row.id, projects)
    if whole:
        yield from contact_sheets(cells)
        for row in world.supplier:
            yield simple_page(cells, "supplier", row.id)
    packages = groupby(world.work_package, key=lambda package: package.project_id)
    for project, (_, let) in zip(world.project, packages, strict=True):
        yield from project_reports(cells, project, superseded.get(project.id, {}))
        if whole:
            yield package_register(cells, project, list(let))


def _cell_names(world: World) -> dict[tuple[str, str], tuple[str, str]]:
    """What the world's schema calls the columns of the standard one; columns that it does not show are missing."""
    return {
        (table.source, source(column)): (table.name, column.name)
        for table in world.schema.tables
        for column in table.columns
    }


def _shown(world: World, stated: StatedCell, names: dict[tuple[str, str], tuple[str, str]]) -> StatedCell | None:
    if world.schema is STANDARD:
        return stated
    found = names.get((stated.table, stated.column))
    if found is None:
        return None
    name = world.rows(stated.table)[int(stated.key) - 1].name
    return StatedCell(found[0], name, found[1], stated.start, stated.end, stated.value_text, stated.superseded)
