"""What documents state of a world that is only known by its rows: no genuine one is called wrong, and what a forger says."""

from collections.abc import Mapping
from hashlib import sha256

import pytest

from benchwright.benchmarks.releases.holdout import Holdout
from benchwright.builders.aurp.cells import Cells
from benchwright.builders.aurp.cues import cues
from benchwright.builders.aurp.documents import Cell, documents, gap_cells
from benchwright.builders.aurp.documents_pages import Projects, employee_page
from benchwright.builders.aurp.generate import make_world
from benchwright.builders.aurp.read_pages import Entity, Page, Rows
from benchwright.builders.aurp.read_statements import contradictions, given_away, stated_cells, states

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
        evident = {(one.table, one.key, one.column) for one in stated}
        assert {cell for cell, is_plain in stated_cells(page) if is_plain} <= evident


def test_no_name_of_an_edition_begins_as_the_words_that_speak_of_a_column() -> None:
    """ "Deskane was hired on February 1, 2006" speaks of no desks."""
    secret = Holdout("round", 1.0, sha256(b"141").digest())
    world = make_world(20, seed=secret.seed(), names_seed=secret.seed("names_seed"), names_of=0)
    published = {word for row in make_world(20).employee for word in row.name.split()}
    fresh = {word for row in world.employee for word in row.name.split()} - published
    assert len(fresh) > 15
    assert not [word for word in fresh if any(pattern.match(word) for pattern in cues().values())]


def test_a_page_that_says_in_full_who_leads_the_company_is_evidence_of_it() -> None:
    secret = Holdout("round", 1.0, sha256(b"23").digest())
    world = make_world(10, seed=secret.seed(), names_seed=secret.seed("names_seed"), names_of=0)
    cells = Cells(world, 0.9)
    document, stated = employee_page(cells, 1, Projects.of(cells))
    name = world.employee[0].name
    assert f"{name} leads Aurp as Chief Executive Officer." in document.body
    found = [one for one in stated if one.table == "company"]
    assert [(one.column, one.value_text, document.body[one.start : one.end]) for one in found] == [
        ("chief_executive_id", name, name)
    ]


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
