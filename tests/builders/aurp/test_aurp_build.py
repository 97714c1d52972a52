"""The benchmark Aurp from start to finish: what is asked, what proves it, what another seed changes, what is refused."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from built import Built, Said, copy_release
from support import ROOT, Run, in_full

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import open_database
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.types import Document
from benchwright.builders.aurp.build import selected_templates, vocabulary
from benchwright.builders.aurp.database import write_database
from benchwright.builders.aurp.document_text import StatedCell
from benchwright.builders.aurp.documents import documents, gap_cells
from benchwright.builders.aurp.evidence import Group, Spans, columns
from benchwright.builders.aurp.generate import make_world
from benchwright.builders.aurp.lookups import asked_column, asked_lookups, other_forms
from benchwright.builders.aurp.schema import STANDARD, Lookup
from benchwright.builders.aurp.select_groups import entity_split
from benchwright.builders.aurp.world import World
from benchwright.builders.base import build_release
from benchwright.builders.sql.reflection import reflect
from benchwright.cards.dataset.card import render_card
from benchwright.scripts.maintain.facts import FACTS, facts_of

SMALL: dict[str, Any] = {"size": 10, "wordings": 2, "groups": 250}
"""As tests of tampering build it."""
SMALLER: dict[str, Any] = {"size": 30, "wordings": 1, "forms": "short", "groups": 500}
"""With one wording of each question."""


def build(root: Path, seed: int = 0, **settings: object) -> Release:
    given = {key: str(value) for key, value in settings.items()}
    return build_release("aurp", given, render_card, output=root, seed=seed)[0]


def groups(release: Release) -> dict[str, dict[str, Any]]:
    """The first question of each semantic group, with its split."""
    found: dict[str, dict[str, Any]] = {}
    for split in release.manifest.splits["questions"]:
        for batch in release.batches("questions", split):
            for row in batch.to_pylist():
                found.setdefault(row["group"], {**row, "split": split, "facts": json.loads(row["metadata"])["facts"]})
    return found


def ids(release: Release) -> set[str]:
    return {
        question
        for split in release.manifest.splits["questions"]
        for batch in release.batches("questions", split, ["id"])
        for question in batch.column("id").to_pylist()
    }


@pytest.fixture(scope="module")
def release(standard_aurp: Said) -> Release:
    return standard_aurp.release


@pytest.fixture(scope="module")
def asked(release: Release) -> dict[str, dict[str, Any]]:
    return groups(release)


@pytest.fixture(scope="module")
def world() -> World:
    return make_world()


def test_the_default_build_is_the_pinned_one(release: Release) -> None:
    pinned = json.loads((FACTS / "aurp.json").read_text(encoding="utf-8"))
    made = json.loads(json.dumps(facts_of(release.manifest)))
    assert made == pinned, "if the change is meant, run python -m benchwright.scripts.maintain.facts"


def test_the_size_of_the_default_build(release: Release) -> None:
    checks = release.manifest.checks
    assert checks["sql_templates_per_split"] == {"test": 77, "dev": 43}
    assert checks["sql_queries_per_split"] == {"test": 1980, "dev": 497}
    assert checks["answerable_groups"]["test"] >= 1500
    assert set(checks["test_groups_per_hops"]) == {"1", "2", "3"}
    assert checks["sql_queries"] * 10 == checks["text_queries"]["short"] == checks["text_queries"]["long"]
    assert checks["executed_again"] == checks["one_answer_per_filling"] == checks["sql_queries"]
    assert checks["minimum_detectable_difference"] == 0.0676


def test_all_kinds_of_entities_are_asked_about(asked: dict[str, dict[str, Any]], world: World) -> None:
    tables = Counter(
        table.name
        for row in asked.values()
        for table in world.schema.tables
        if any(row["entity"] == one.name for one in world.rows(table.name))
    )
    assert set(tables) == {table.name for table in STANDARD.tables}
    assert min(tables[name] for name in ("project", "employee", "client", "supplier", "work_package")) > 150


def test_a_build_is_the_same_bytes_in_another_process(built: Built, run_program: Run, tmp_path: Path) -> None:
    release = built.release("aurp", **SMALL)
    given = [part for name, value in SMALL.items() for part in ("--set", f"{name}={value}")]
    place = ("--releases", tmp_path / "again")
    result = run_program("build-benchmark", "aurp", *given, *place, env={"PYTHONHASHSEED": "77"})
    assert result.returncode == 0, result
    again = Release.load(tmp_path / "again" / "aurp" / "1.0.0")
    assert again.manifest.to_json() == release.manifest.to_json()
    assert len(again.manifest.files) == 11
    for path in again.manifest.files:
        assert (again.folder / path).read_bytes() == (release.folder / path).read_bytes(), path


@pytest.mark.parametrize(("seed", "settings"), [(1, SMALLER), *in_full((1, {}), (2, {}))])
def test_another_seed_asks_the_same_and_has_other_answers(
    built: Built, tmp_path: Path, seed: int, settings: dict[str, Any]
) -> None:
    release, other = built.release("aurp", **settings), build(tmp_path, seed=seed, **settings)
    first, second = ids(release), ids(other)
    assert len(first & second) / len(first | second) >= 0.95
    asked, there = groups(release), groups(other)
    both = asked.keys() & there.keys()
    changed = sum(asked[group]["answers"] != there[group]["answers"] for group in both)
    assert changed / len(both) > 0.9
    assert all(asked[group]["split"] == there[group]["split"] for group in both)
    assert release.templates() == other.templates()


def test_another_names_seed_asks_about_others(built: Built, world: World, tmp_path: Path) -> None:
    here = {row["entity"] for row in groups(built.release("aurp", **SMALL)).values()}
    there = {row["entity"] for row in groups(build(tmp_path, names_seed=5, **SMALL)).values()}
    assert len(here) > 50
    assert here & there <= {"Aurp", *(row.name for row in world.department)}


def test_splits_share_neither_template_nor_entity(asked: dict[str, dict[str, Any]]) -> None:
    for column in ("template", "entity"):
        test, dev = ({row[column] for row in asked.values() if row["split"] == split} for split in ("test", "dev"))
        assert test
        assert dev
        assert not test & dev
    assert all(entity_split(0, row["entity"]) == row["split"] for row in asked.values())


def test_cells_are_all_accounted_for(release: Release, world: World) -> None:
    checks = release.manifest.checks
    sizes = {table.name: len({row.name for row in world.rows(table.name)}) for table in STANDARD.tables}
    cells = sum(sizes[table] for table, _, _ in asked_lookups("standard"))
    left_out = checks["mixed_cells_dropped"] + sum(checks["fillings_left_out"].values())
    assert cells == checks["sql_queries"] + left_out


def test_verification_proves_everything(release: Release) -> None:
    found = verify_release(release)
    assert found.problems == []
    assert dict(found.unchecked) == {}
    assert found.proved["SQL queries"] == release.manifest.checks["sql_queries"]
    assert found.proved["ids and wordings"] == release.manifest.rows["questions"]


def test_gaps_lack_a_fact_and_answerable_groups_none(asked: dict[str, dict[str, Any]], world: World) -> None:
    gaps = {f"{table} {key}, {column}" for table, key, column in gap_cells(world)}
    for row in asked.values():
        missing = [number for number, fact in enumerate(row["facts"]) if fact in gaps]
        assert json.loads(row["metadata"]).get("not_stated", []) == missing
        if missing:
            assert (row["answerability"], row["documents"], row["evidence"]) == ("gap", [], [])
        else:
            assert row["answerability"] == "answerable"
            assert {item["fact"] for item in row["evidence"]} == set(range(len(row["facts"])))
            assert row["documents"] == list(dict.fromkeys(item["document"] for item in row["evidence"]))


def test_hops_and_facts(asked: dict[str, dict[str, Any]]) -> None:
    assert {(row["hops"], len(row["facts"])) for row in asked.values()} == {(1, 1), (2, 1), (2, 2), (3, 2), (3, 3)}
    assert {row["answer_type"] for row in asked.values()} == {"one"}


def test_superseded_values_are_no_evidence(asked: dict[str, dict[str, Any]], world: World) -> None:
    old = {(d.id, one.start, one.end) for d, stated in documents(world) for one in stated if one.superseded}
    used = {(e["document"], e["start"], e["end"]) for row in asked.values() for e in row["evidence"]}
    revised = {f"{one.table} {one.key}, {one.column}" for one in world.superseded}
    assert len(old) == 100
    assert not old & used
    assert sum(bool(row["evidence"]) and not revised.isdisjoint(row["facts"]) for row in asked.values()) == 37


def test_a_mention_that_takes_a_reference_for_granted_is_no_evidence(world: World) -> None:
    for document, stated in documents(world):
        for one in stated:
            if one.column == "manager_id" and one.table == "project":
                assert not document.body.startswith((" belongs to", " comes from"), one.end), document.id


def test_namesakes_are_not_asked_about_and_counted(
    release: Release, asked: dict[str, dict[str, Any]], world: World
) -> None:
    counts = Counter(row.name for row in world.employee)
    shared = {name for name, count in counts.items() if count > 1}
    assert len(shared) == 3
    assert not shared & {row["entity"] for row in asked.values()}
    asked_of_employees = sum(table == "employee" for table, _, _ in asked_lookups("standard"))
    assert release.manifest.checks["fillings_left_out"]["several rows bear the name"] == 3 * asked_of_employees


def test_a_spoilt_answer_is_found(built: Built, tmp_path: Path) -> None:
    made = copy_release(built.release("aurp", size=20, groups=40), tmp_path)
    path = made.shards("questions", "test")[0]
    table = pq.read_table(path)
    rows = table.to_pylist()
    row = next(number for number, one in enumerate(rows) if one["answerability"] == "answerable")
    rows[row]["answers"], rows[row]["aliases"] = ["no such thing"], [[]]
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), path)
    found = verify_release(made).problems
    name = rows[row]["id"]
    assert any(text.startswith(f"sql: question {name}: the query returns ") for text in found)
    assert any(
        text.startswith(f"evidence: question {name}: no evidence states the answer 'no such thing'") for text in found
    )


def test_a_spoilt_database_is_found(built: Built, tmp_path: Path) -> None:
    made = copy_release(built.release("aurp", size=20, groups=40), tmp_path)
    with sqlite3.connect(made.databases()[0]) as connection:
        connection.execute("UPDATE project SET budget_usd = budget_usd + 1, location = 'Elsewhere'")
        connection.execute("UPDATE employee SET job_title = 'Poet', extension = '1', specialism = 'verse'")
    found = verify_release(made).problems
    assert any(text.startswith("sql: question ") for text in found)
    assert any(text.startswith("content hash: ") for text in found)


def test_the_papers_size_has_the_papers_counts(built: Built) -> None:
    made = built.release("aurp", size="paper")
    checks = made.manifest.checks
    assert (checks["sql_templates"], checks["sql_queries"]) == (10, 157)
    assert checks["text_queries"] == {"short": 471, "long": 471}
    assert checks["sql_queries_per_split"] == {"test": 157}
    assert checks["gap_groups"] == {"test": 13}
    assert verify_release(made).problems == []


def test_the_published_templates_give_the_papers_counts(shared: Path, tmp_path: Path) -> None:
    made = build(tmp_path, size="paper", templates=shared / "grammar_published" / "aurp_templates.json")
    checks = made.manifest.checks
    assert (checks["sql_templates"], checks["sql_queries"], checks["text_templates_by_rule"]) == (10, 157, 0)
    assert checks["text_queries"] == {"short": 471, "long": 471}
    assert made.manifest.parameters["templates"] == "aurp_templates.json"
    found = verify_release(made)
    assert (found.problems, found.proved["SQL queries"]) == ([], 157)


def test_written_templates_can_be_edited_and_used_again(built: Built, tmp_path: Path) -> None:
    first = built.release("aurp", **SMALL)
    again = build(tmp_path, **SMALL, templates=first.folder / "templates" / "aurp.json")
    assert ids(first) == ids(again)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT budget_usd FROM project WHERE location = '[project.location]';",
        "SELECT id FROM project WHERE name = '[project.name]';",
        "SELECT client_id FROM project WHERE name = '[project.name]';",
        "SELECT COUNT(*) FROM project WHERE name = '[project.name]';",
        "SELECT start_on, end_on FROM project WHERE name = '[project.name]';",
        "SELECT project.name FROM project JOIN client ON project.client_id = client.id WHERE client.name = '[client.name]';",
        "SELECT client.name FROM project JOIN client ON project.office_id = client.id WHERE project.name = '[project.name]';",
    ],
)
def test_templates_that_cannot_be_proved_are_refused(tmp_path: Path, sql: str) -> None:
    placeholder = sql[sql.index("[") : sql.index("]") + 1]
    content = {"sql_templates": {"": [sql]}, "text_templates_short": {sql: [f"about {placeholder}?"]}}
    (tmp_path / "t.json").write_text(json.dumps(content))
    with pytest.raises(BenchwrightError) as caught:
        build(tmp_path, size=20, forms="short", templates=tmp_path / "t.json")
    assert str(caught.value) == (
        "this SQL template cannot be asked at Aurp, where one name is given and foreign keys lead to one column that "
        f"holds no key: {sql}"
    )


def test_groups_are_bounded_and_shared_out(built: Built) -> None:
    checks = built.release("aurp", **SMALL).manifest.checks
    assert 240 <= checks["sql_queries"] <= 250
    assert checks["sql_queries_per_split"]["dev"] <= 50
    assert checks["sql_templates"] > 110


@pytest.mark.parametrize(("coverage", "gaps"), [(1, 0), (0.5, 1)])
def test_coverage_decides_the_gaps(tmp_path: Path, coverage: float, gaps: int) -> None:
    checks = build(tmp_path, size=10, groups=100, coverage=coverage).manifest.checks
    assert min(checks["gap_groups"]["test"], 1) == gaps
    assert (checks["documents_checked"]["known gaps"] > 0) == bool(gaps)


def test_all_that_is_asked_can_be_enumerated(world: World, tmp_path: Path) -> None:
    write_database(world, tmp_path / "a.sqlite")
    with open_database(f"sqlite:///{tmp_path / 'a.sqlite'}") as database:
        schema = reflect(database)
    assert len(selected_templates(schema, world)) == len(asked_lookups("standard")) == 125
    named = {*schema.tables, *(f"{table}.{one}" for table, columns in schema.names.items() for one in columns)}
    assert {*vocabulary().tables, *vocabulary().columns} <= named


def test_answers_in_other_forms() -> None:
    def forms(table: str, column: str, answer: str) -> list[str]:
        return other_forms(asked_column(Lookup(table, (), column, 1), STANDARD), answer)

    assert forms("project", "design_life_years", "50") == ["50 years", "50-year"]
    assert forms("project", "peak_workforce", "1250") == ["1,250"]
    assert forms("work_package", "crew", "11") == ["eleven"]
    assert forms("department", "budget_usd", "988000") == [
        "$988,000", "USD 988,000", "US$988,000", "988,000 US dollars",
    ]  # fmt: skip
    assert forms("client", "client_since", "2009-12-23")[:2] == ["23 December 2009", "December 23, 2009"]
    assert forms("company", "founded_year", "1987") == []
    assert asked_column(Lookup("project", ("client_id",), "name", 1), STANDARD).name == "client_id"


def test_evidence_that_does_not_state_the_answer_stops_the_build() -> None:
    cell = ("project", 1, "location")
    group = Group("Quay", ["Porto, Portugal"], [[]], [cell])
    spans = Spans.wanted([group])
    spans.see(Document("d", "", "It lies in Lyon."), [StatedCell(*cell, 11, 15, "Lyon", False)])
    with pytest.raises(BenchwrightError) as caught:
        columns([group], spans)
    assert str(caught.value) == (
        "document d states 'Lyon' where the database holds 'Porto, Portugal': project 1, location"
    )


def test_a_failed_quality_check_stops_the_build(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def silent(world: World, coverage: float) -> Iterator[tuple[Document, tuple[StatedCell, ...]]]:
        return (one for one in documents(world, coverage) if one[0].id != "supplier-0004")

    monkeypatch.setattr(import_module("benchwright.builders.aurp.build"), "documents", silent)
    with pytest.raises(BenchwrightError, match=r"^no document states supplier 4, \w+, and it is not a known gap$"):
        build(tmp_path, size=10)
    assert not list(tmp_path.rglob("manifest.json"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["size=5"], "size=5: a world has 10 to 10,000 projects"),
        (["size=10001"], "size=10001: a world has 10 to 10,000 projects"),
        (["size=big"], "size=big: not paper, standard or a number of projects"),
        (["employees=12"], "employees=12: the reporting tree needs at least 20"),
        (["employees=20000"], "employees=20000: no more than 10,000 unlike names of people can be made"),
        (["clients=6000"], "clients=6000: a world has 1 to 5,000 clients"),
        (["size=paper", "clients=3"],
         "size=paper has 29 employees and 10 clients: leave out employees and clients, or name another size"),
        (["coverage=1.5"], "coverage=1.5 is out of range: give a number from 0 to 1"),
        (["coverage=-0.1"], "coverage=-0.1 is out of range: give a number from 0 to 1"),
        (["coverage=nan"], "coverage=nan is out of range: give a number from 0 to 1"),
        (["coverage=most"], "coverage=most is not possible: give a number"),
        (["names_seed=-1"], "names_seed=-1 is out of range: give a number 0 or more"),
        (["names_seed=x"], "names_seed=x is not possible: give a whole number"),
        (["wordings=11"], "wordings=11 is out of range: give a number from 0 to 10"),
        (["forms=loud"], "there is no form 'loud': choose from short, long, interrogative, directive, formal, casual, "
         "keyword, passive, polite, typos, or give a file FORM.toml or a folder ./FORMS"),
        (["covrage=1"], "aurp has no parameter 'covrage': did you mean coverage?"),
        (["name_seed=1"], "aurp has no parameter 'name_seed': did you mean names_seed?"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(run: Run, arguments: list[str], message: str) -> None:
    result = run("build-benchmark", "aurp", *(part for one in arguments for part in ("--set", one)))
    assert (result.returncode, result.stdout, result.stderr) == (2, "", f"error: {message}\n")


@pytest.mark.parametrize(
    ("seed", "message"),
    [
        ("-1", "error: Invalid value for '--seed': -1 is not in the range x>=0.\n"),
        ("x", "error: Invalid value for '--seed': 'x' is not a valid integer range.\n"),
    ],
)
def test_a_wrong_seed(run: Run, seed: str, message: str) -> None:
    result = run("build-benchmark", "aurp", "--seed", seed)
    assert (result.returncode, result.stderr) == (2, message)


CARD = (ROOT / "tests" / "golden" / "card_of_aurp_parts.md").read_text(encoding="utf-8").split("\n=====\n")


@pytest.mark.parametrize("part", CARD, ids=lambda part: part.strip().splitlines()[0])
def test_the_card_states_what_was_made_and_proved(release: Release, part: str) -> None:
    assert part.strip() in (release.folder / "README.md").read_text(encoding="utf-8")


def test_datasets_reads_it(release: Release) -> None:
    from datasets import load_dataset

    loaded = {split: load_dataset(str(release.folder), "questions", split=split) for split in ("test", "dev")}
    assert {split: rows.num_rows for split, rows in loaded.items()} == release.manifest.splits["questions"]
