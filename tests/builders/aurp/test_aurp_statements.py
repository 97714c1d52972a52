"""What documents state of a world that is only known by its rows: no genuine one is called wrong, and what a forger says."""

from collections.abc import Mapping

import pytest

from benchwright.builders.aurp.documents import Cell, documents, gap_cells
from benchwright.builders.aurp.generate import make_world
from benchwright.builders.aurp.read_statements import Entity, Page, Rows, contradictions, given_away, states

PROJECT = 4


@pytest.fixture(scope="module")
def rows() -> Rows:
    return Rows(make_world(10))


@pytest.mark.parametrize(
    ("size", "seed", "coverage"),
    [(10, seed, 0.9) for seed in range(8)]
    + [(10, 3, 0.5), ("paper", 1, 0.9), ("paper", 2, 0.5)]
    + [("paper", 29, 0.9), ("standard", 5, 0.9)],
)
def test_nothing_is_wrong_with_genuine_documents(size: str | int, seed: int, coverage: float) -> None:
    world = make_world(size, seed=seed, names_seed=seed)
    rows, gaps = Rows(world), dict[Entity, set[Cell]]()
    for cell in gap_cells(world, coverage):
        gaps.setdefault(cell[:2], set()).add(cell)
    for document, stated in documents(world, coverage):
        page = Page(rows, document.title, document.body)
        assert not [*contradictions(page), *given_away(page, gaps)]
        for one in stated:
            is_stated = states(page, (one.table, one.key, one.column), one.start, one.end)
            assert is_stated or one.superseded, document.body[slice(*page.sentence(one.start))]


@pytest.mark.parametrize(
    ("said", "is_found"),
    [
        ("The budget of {name} is $1.01 million.", True),
        ("{name} will finish on 3 May 2031.", True),
        ("{name} is managed by {other}.", True),
        ("{name} started on {end}.", True),
        ("It was until now a budget of $1.01 million for {name}.", True),
        ("{name} costs $1.01 million to build.", False),
        ("{name} is budgeted at one million dollars.", False),
        ("Ribbon-cutting at {name}: 3 May 2031.", False),
        ("The manager of {name} is John Doe.", False),
        ("{name} has a frame of bamboo.", False),
    ],
)
def test_contradictions_that_are_found_and_that_are_not(rows: Rows, said: str, is_found: bool) -> None:
    project = rows.world.project[PROJECT - 1]
    line = said.format(name=project.name, end=project.end_on, other=rows.world.employee[5].name)
    assert bool([*contradictions(Page(rows, "Notes", line))]) == is_found


@pytest.mark.parametrize(
    ("said", "is_found"),
    [
        ("The budget of {name} is ${whole:,}.", True),
        ("Budget of {name}: USD {whole:,}", True),
        ("Spending on {name} will reach {millions:g} million US dollars.", True),
        ("{name} costs ${millions:g} million.", False),
        ("{name} has {millions:g} million in its budget.", False),
    ],
)
def test_known_gaps_that_are_found_and_that_are_not(rows: Rows, said: str, is_found: bool) -> None:
    project = rows.world.project[PROJECT - 1]
    cell: Cell = ("project", PROJECT, "budget_usd")
    gaps: Mapping[Entity, set[Cell]] = {("project", PROJECT): {cell}}
    line = said.format(name=project.name, whole=project.budget_usd, millions=project.budget_usd / 1e6)
    assert bool([*given_away(Page(rows, "Notes", line), gaps)]) == is_found
