"""Kinds of questions at Aurp: each fact that an answer over many rows needs, where it stands, and what is refused."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from built import Built
from tampering import RELEASES

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.grounding.database import open_database
from benchwright.benchmarks.grounding.sql import parse_template
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.aurp.find_absent import Absent
from benchwright.builders.aurp.generate import make_world
from benchwright.builders.aurp.needed_cells import Absence, needed_cells
from benchwright.builders.aurp.read_pages import Page, Rows
from benchwright.builders.aurp.world import World
from benchwright.builders.base import build_release
from benchwright.builders.sql.kinds import all_kinds
from benchwright.cards.dataset.card import render_card, render_for


@pytest.fixture(scope="module")
def release(built: Built) -> Release:
    return RELEASES["aurp with kinds"](built)


@pytest.fixture(scope="module")
def world() -> World:
    return make_world(10)


def counts(release: Release, kind: str = "count") -> Iterator[dict[str, Any]]:
    for split in release.manifest.splits["questions"]:
        for batch in release.batches("questions", split):
            yield from (row for row in batch.to_pylist() if row["kind"] == kind)


def test_a_count_needs_a_fact_of_each_row(release: Release, world: World) -> None:
    clients = {client.name: client.id for client in world.client}
    asked = [row for row in counts(release) if " projects " in row["question"] and row["entity"] in clients]
    assert len(asked) > 1
    for row in asked:
        own = [one.id for one in world.project if one.client_id == clients[row["entity"]]]
        facts = json.loads(row["metadata"])["facts"]
        assert row["answers"] == [str(len(own))] and row["answer_type"] == "one"
        assert facts == [f"project {key}, client_id" for key in own]
        assert {item["fact"] for item in row["evidence"]} == (
            set(range(len(own))) if row["answerability"] == "answerable" else set()
        )


def test_some_counts_are_known_gaps_and_none_is_of_nothing(release: Release) -> None:
    rows = list(counts(release))
    assert {row["answerability"] for row in rows} == {"answerable", "gap"}
    assert "0" not in {row["answers"][0] for row in rows}
    left_out = release.manifest.checks["fillings_left_out"]
    assert left_out["no document states that there are none"] > 0
    kinds = release.manifest.checks["groups_per_kind"]
    assert kinds["count"] == len({row["group"] for row in rows}) > 20
    assert set(kinds) == {"lookup", "count", "yes_no", "unanswerable"}
    assert 180 < sum(kinds.values()) <= 200 and kinds["yes_no"] == kinds["unanswerable"] == 50


def test_counts_differ(release: Release) -> None:
    """Who counts nothing and says the commonest number is not mostly right."""
    said = Counter({row["group"]: row["answers"][0] for row in counts(release)}.values())
    assert max(said.values()) <= said.total() / 2


def test_the_card_says_what_is_true_of_this_release(release: Release) -> None:
    card = render_for(release, None)
    kinds = release.manifest.checks["groups_per_kind"]
    for kind, count in kinds.items():
        assert re.search(rf"^\| {kind} \| [^|]+ \| {count} \|", card, re.MULTILINE)
    assert "Its questions are of 4 kinds" in card and "lookups along foreign keys" not in card
    assert set(read_toml("benchwright.cards.dataset", "kinds.toml")) == set(all_kinds())


def test_what_is_denied_needs_the_fact_that_denies_it(release: Release, world: World) -> None:
    rows = list(counts(release, "yes_no"))
    said = Counter(row["answers"][0] for row in rows)
    assert set(said) == {"yes", "no"} and abs(said["yes"] - said["no"]) <= len(rows) / 4
    projects = {project.name: project for project in world.project}
    asked = [row for row in rows if " AND client.name = " in row["sql"] and row["entity"] in projects]
    for row in asked:
        project = projects[row["entity"]]
        client = world.client[project.client_id - 1].name.replace("'", "''")
        assert row["answers"] == ["yes" if f"'{client}'" in row["sql"] else "no"]
        assert json.loads(row["metadata"])["facts"] == [f"project {project.id}, client_id"]


def test_what_has_no_answer_needs_nothing_and_is_nowhere(release: Release) -> None:
    rows = list(counts(release, "unanswerable"))
    assert {(row["answerability"], row["answer_type"]) for row in rows} == {("unanswerable", "none")}
    assert {row["metadata"] for row in rows} <= {
        f'{{"facts":[],"no_answer":"{sort}"}}' for sort in ("made_name", "null", "false_premise")
    }
    assert not any(row["answers"] or row["evidence"] or row["documents"] for row in rows)
    counted = release.manifest.checks
    answered = sum(counted["answerable_groups"].values()) + sum(counted["gap_groups"].values())
    assert answered + counted["groups_per_kind"]["unanswerable"] == counted["sql_queries"]


def test_a_value_for_a_cell_that_holds_none_is_found() -> None:
    world = make_world(40)
    rows = Rows(world)
    one = next(row for row in world.employee if row.degree is None)
    degree = next(row.degree for row in world.employee if row.degree)
    absent = Absent()
    absent.add(Absence(("Nimbus Wharf",), (("employee", one.id, "degree"),)), "q1")
    texts = {
        f"{one.name} holds the degree {degree}.": [f"gives employee {one.id} a degree, which question q1 says is not there"],
        f"{one.name} works here. No degree is on record.": [],
        "The way leads past nimbus wharf.": ["names 'Nimbus Wharf', of which nothing is there, as question q1 has it"],
    }  # fmt: skip
    for text, wrong in texts.items():
        found = [said.partition(": ")[0] for said in absent.said(Page(rows, "Staff", text), "Staff")]
        assert found == wrong, text


QUERIES: list[tuple[str, str, Sequence[str]]] = [
    ("count", "SELECT COUNT(project.client_id) FROM client LEFT JOIN project ON client.id = project.client_id WHERE {};", ["client_id"]),
    ("maximum", "SELECT MAX(project.budget_usd) FROM client JOIN project ON client.id = project.client_id WHERE {};", ["client_id", "budget_usd"]),
    ("comparison", "SELECT COUNT(*) FROM client JOIN project ON client.id = project.client_id WHERE {} AND project.budget_usd > 9;", ["client_id", "budget_usd"]),
    ("list", "SELECT project.name FROM client JOIN project ON client.id = project.client_id WHERE {};", ["client_id"]),
    ("sum", "SELECT SUM(project.steel_t) FROM client JOIN project ON client.id = project.client_id WHERE {};", ["client_id", "steel_t"]),
]  # fmt: skip


def test_cells_of_queries(release: Release, world: World) -> None:
    """Of each row that belongs to the client, also those that a condition leaves out; none of what holds nothing."""
    names = {table.name: [column.name for column in table.columns] for table in world.schema.tables}
    client = max(world.client, key=lambda one: sum(project.client_id == one.id for project in world.project))
    own = [project for project in world.project if project.client_id == client.id]
    (path,) = release.databases()
    with open_database(f"sqlite:///{path}") as database:
        for kind, query, columns in QUERIES:
            template = parse_template(query.format("client.name = '[client.name]'"), names, "sqlite", kind)
            found = needed_cells(database, template, world.schema, [f"'{client.name}'"])
            wanted = [("project", one.id, name) for one in own for name in columns if getattr(one, name) is not None]
            assert sorted(found) == sorted(wanted) and len(own) > 1, kind


def test_it_is_proved(release: Release) -> None:
    found = verify_release(release)
    assert found.problems == []
    assert dict(found.unchecked) == {}
    assert found.proved["questions with all their facts"] == release.manifest.rows["questions"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kinds": "tally"}, "there is no kind 'tally'"),
        ({"kinds": "count", "names_of": 7}, "kinds=count is not possible in a round"),
        ({"kinds": "lookup,count", "templates": "own.json"}, "kinds=count and templates=… exclude each other"),
    ],
)
def test_what_is_refused(tmp_path: Path, settings: dict[str, object], message: str) -> None:
    given = {key: str(value) for key, value in {"size": 10, **settings}.items()}
    with pytest.raises(UsageError) as caught:
        build_release("aurp", given, render_card, output=tmp_path)
    assert message in str(caught.value)


def test_held_out_facts_are_not_counted(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="kinds=count is not possible with --holdout: an answer over several rows"):
        build_release("aurp", {"size": "10", "kinds": "count"}, render_card, output=tmp_path, holdout=0.2)
