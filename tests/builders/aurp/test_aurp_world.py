"""The world of Aurp: who there is, what is true of them, and the database that holds it."""

import hashlib
import sqlite3
from pathlib import Path

import pytest
from rapidfuzz import fuzz, process

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.aurp.database import rows, write_database
from benchwright.builders.aurp.generate import make_world
from benchwright.builders.aurp.names import Words, blocklist
from benchwright.builders.aurp.schema import PAPER, STANDARD
from benchwright.builders.aurp.world import WorkPackage, World

NEAR = 88
"""Two names of one table are less alike than this, in percent, unless they are meant to be near."""


@pytest.fixture(scope="module")
def standard() -> World:
    return make_world()


@pytest.fixture(scope="module")
def paper() -> World:
    return make_world("paper")


def test_counts_of_the_standard_world(standard: World) -> None:
    assert {table.name: len(standard.rows(table.name)) for table in STANDARD.tables} == {
        "company": 1,
        "office": 10,
        "department": 14,
        "employee": 150,
        "client_contact": 40,
        "client": 40,
        "supplier": 30,
        "project": 120,
        "work_package": 295,
    }
    assert len(standard.superseded) == 53


def test_chosen_records_of_the_standard_world(standard: World) -> None:
    project = standard.project[0]
    assert (project.name, project.structure_type, project.location) == (
        "Mibholt Green",
        "ferry terminal",
        "Linz, Austria",
    )
    assert (project.start_on, project.end_on, project.budget_usd) == ("2018-09-26", "2020-06-02", 7_070_000)
    assert standard.employee[0].name == "Moltora Pralane"
    assert standard.client[0].name == "Ketex Collective"
    assert standard.work_package[0].name == "Mibholt Green Temporary Works"


def test_the_papers_tables_give_157_fillings(paper: World) -> None:
    counts = {table.name: len(rows(paper, table)) for table in PAPER.tables}
    assert counts == {"Client": 10, "Employee": 29, "Project": 10}
    assert counts["Project"] * 5 + counts["Employee"] * 3 + counts["Client"] * 2 == 157
    for table in PAPER.tables:
        made = rows(paper, table)
        assert all(value is not None for row in made for value in row)
        assert len({row[0] for row in made}) == len(made)


def test_the_papers_columns_are_those_of_the_published_templates() -> None:
    assert {table.name: [column.name for column in table.columns] for table in PAPER.tables} == {
        "Client": ["Name", "Industry", "Location"],
        "Employee": ["Name", "JobTitle", "Department", "SupervisorOrManager"],
        "Project": ["Name", "Location", "StartDate", "EndDate", "Client", "ProjectDirector", "ProjectManager"],
    }


def test_same_seeds_same_bytes(standard: World, tmp_path: Path) -> None:
    write_database(standard, tmp_path / "one.sqlite")
    write_database(make_world(), tmp_path / "two.sqlite")
    write_database(standard, tmp_path / "one.sqlite")
    first, second = ((tmp_path / name).read_bytes() for name in ("one.sqlite", "two.sqlite"))
    assert hashlib.sha256(first).hexdigest() == hashlib.sha256(second).hexdigest()


def test_database_holds_every_row_and_every_key_points_somewhere(standard: World, tmp_path: Path) -> None:
    path = tmp_path / "aurp.sqlite"
    write_database(standard, path)
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        for table in STANDARD.tables:
            assert connection.execute(f'SELECT * FROM "{table.name}" ORDER BY id').fetchall() == rows(standard, table)
        plan = connection.execute("EXPLAIN QUERY PLAN SELECT budget_usd FROM project WHERE name = 'X'").fetchall()
        assert "USING INDEX project_name" in plan[0][3]


def test_paper_database_has_its_keys(paper: World, tmp_path: Path) -> None:
    write_database(paper, tmp_path / "aurp.sqlite")
    with sqlite3.connect(tmp_path / "aurp.sqlite") as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        boss = connection.execute(
            "SELECT SupervisorOrManager FROM Employee WHERE JobTitle LIKE 'Chief Exec%'"
        ).fetchall()
    assert boss == [("Board of Directors",)]


def test_another_seed_has_the_same_entities_and_other_facts(standard: World) -> None:
    other = make_world(seed=1)
    same = total = 0
    for table in STANDARD.tables:
        before, after = rows(standard, table), rows(other, table)
        assert [row[:2] for row in before] == [row[:2] for row in after]
        for one, two in zip(before, after, strict=True):
            assert [value is None for value in one] == [value is None for value in two]
            fixed = {"project_id", "chief_executive_id", "employees", "supervisor_id" if one[0] == 1 else ""}
            for column, left, right in zip(table.columns, one, two, strict=True):
                if column.kind not in ("key", "name") and column.name not in fixed and left is not None:
                    total += 1
                    same += left == right
    assert same / total < 0.1
    assert [(one.key, one.column) for one in standard.superseded] == [(one.key, one.column) for one in other.superseded]


def test_another_names_seed_has_other_entities(standard: World) -> None:
    other = make_world(names_seed=1)
    assert not {row.name for row in standard.project} & {row.name for row in other.project}


def test_no_name_is_a_common_real_one(standard: World) -> None:
    blocked = blocklist()
    assert len(blocked) > 1400
    for table in ("employee", "client_contact", "client", "supplier", "project", "office"):
        for row in standard.rows(table):
            words = row.name.split()
            made = words[:2] if table in ("employee", "client_contact") else words[:1]
            if row.name.split()[0] in ("Old", "New", "Upper", "Lower", "Great", "Little", "Inner", "Outer", "Middle"):
                made = words[1:2]
            assert not {word.lower() for word in made} & blocked, row.name


@pytest.mark.parametrize("table", ["employee", "client_contact", "client", "supplier", "project", "office"])
def test_names_are_not_near_each_other_unless_meant(standard: World, table: str) -> None:
    sisters = (" Phase I", " Phase II", " East", " West", " North", " South", " Stage 1", " Stage 2")
    names = {row.name for row in standard.rows(table)}
    base = sorted({next((name.removesuffix(end) for end in sisters if name.endswith(end)), name) for name in names})
    alike = process.cdist(base, base, scorer=fuzz.ratio)
    for place in range(len(base)):
        alike[place, place] = 0
    assert alike.max() < NEAR


def test_namesakes_and_sisters_are_there_on_purpose(standard: World) -> None:
    names = [row.name for row in standard.employee]
    assert len(names) - len(set(names)) == 3
    assert sum(row.name.endswith((" Phase I", " East", " North", " Stage 1")) for row in standard.project) == 10


def test_facts_make_sense(standard: World) -> None:
    packages: dict[int, list[WorkPackage]] = {row.id: [] for row in standard.project}
    for package in standard.work_package:
        packages[package.project_id].append(package)
    for project in standard.project:
        assert project.start_on < project.end_on
        assert project.director_id != project.manager_id
        assert standard.employee[project.director_id - 1].hired_on < project.start_on
        assert sum(package.value_usd for package in packages[project.id]) < project.budget_usd
        for package in packages[project.id]:
            assert project.start_on <= package.start_on < package.end_on <= project.end_on
        if project.structure_type == "footbridge":
            assert project.budget_usd <= 14_000_000
    for old in standard.superseded:
        assert getattr(standard.project[old.key - 1], old.column) != old.value


@pytest.mark.parametrize("size", ["paper", "standard", 10, 600])
def test_nobody_is_above_oneself(size: str | int) -> None:
    world = make_world(size)
    for employee in world.employee:
        steps, at = 0, employee
        while at.supervisor_id is not None:
            at, steps = world.employee[at.supervisor_id - 1], steps + 1
            assert steps <= 4
        assert at.id == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"size": "huge"}, "size=huge: not paper, standard or a number of projects"),
        ({"size": 10_001}, "size=10001: a world has 10 to 10,000 projects"),
        ({"size": 9}, "size=9: a world has 10 to 10,000 projects"),
        ({"employees": 19}, "employees=19: the reporting tree needs at least 20"),
        ({"employees": 10_001}, "employees=10001: no more than 10,000 unlike names of people can be made"),
        ({"clients": 0}, "clients=0: a world has 1 to 5,000 clients"),
        (
            {"size": "paper", "clients": 3},
            "size=paper has 29 employees and 10 clients: leave out employees and clients, or name another size",
        ),
    ],
)
def test_sizes_that_cannot_work(arguments: dict[str, int | str], message: str) -> None:
    with pytest.raises(BenchwrightError) as caught:
        make_world(**arguments)  # pyright: ignore[reportArgumentType]
    assert str(caught.value) == message


def test_more_names_than_can_be_made() -> None:
    with pytest.raises(BenchwrightError) as caught:
        Words(0).given(100_000)
    assert str(caught.value) == "no further given name can be made that is unlike those taken: lower the size"


def test_ten_thousand_projects_can_be_named() -> None:
    world = make_world(10_000)
    names = [row.name for row in world.project]
    assert len(set(names)) == 10_000
    assert (len(world.employee), len(world.client), len(world.work_package)) == (2_620, 1_275, 24_934)
    base = sorted(
        {name for name in names if name.split()[-1] not in ("I", "II", "East", "West", "North", "South", "1", "2")}
    )
    alike = process.cdist(base[::40], base, scorer=fuzz.ratio, score_cutoff=60)
    for place, name in enumerate(base[::40]):
        alike[place, base.index(name)] = 0
    assert alike.max() < 92
