"""GRAMMAR generation from start to finish: published counts, values of every kind, what is left out and counted."""

import json
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support import make_sqlite

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card
from benchwright.scripts.measure.generation import make_database


def build(root: Path, database: Path, **settings: object) -> Release:
    texts = {key: str(value) for key, value in {"database": database, **settings}.items() if key != "seed"}
    seed = int(str(settings.get("seed", 0)))
    return build_release("grammar", texts, render_card, output=root / "releases", name="made", seed=seed)[0]


def questions(release: Release) -> list[dict[str, Any]]:
    return [row for batch in release.batches("questions", "test") for row in batch.to_pylist()]


def prove(release: Release, database: Path) -> Counter[str]:
    found = verify_release(release, f"sqlite:///{database}")
    assert found.problems == []
    assert dict(found.unchecked) == {}
    return found.proved


def test_published_spider_templates(shared: Path, tmp_path: Path) -> None:
    database = shared / "spider" / "company_employee.sqlite"
    release = build(tmp_path, database, templates=shared / "grammar_published" / "spider_templates.json")
    assert release.manifest.checks["sql_templates"] == 5
    assert release.manifest.checks["sql_queries"] == 57
    assert release.manifest.checks["text_queries"] == {"short": 570, "long": 570}
    assert prove(release, database)["SQL queries"] == 57


def test_published_aurp_templates(shared: Path, tmp_path: Path) -> None:
    database = make_aurp_shaped(tmp_path / "aurp.sqlite")
    release = build(tmp_path, database, templates=shared / "grammar_published" / "aurp_templates.json")
    assert release.manifest.checks["sql_templates"] == 10
    assert release.manifest.checks["sql_queries"] == 157
    assert release.manifest.checks["text_queries"] == {"short": 471, "long": 471}
    assert prove(release, database)["SQL queries"] == 157


def make_aurp_shaped(path: Path) -> Path:
    """Tables of the papers' sizes, 29 employees, 10 clients, 10 projects, with all values present."""
    connection = sqlite3.connect(path)
    connection.executescript(
        "CREATE TABLE Client (Name TEXT, Industry TEXT, Location TEXT);"
        "CREATE TABLE Employee (Name TEXT, JobTitle TEXT, Department TEXT, SupervisorOrManager TEXT);"
        "CREATE TABLE Project (Name TEXT, StartDate TEXT, EndDate TEXT, Client TEXT, ProjectDirector TEXT, ProjectManager TEXT);"
    )
    connection.executemany(
        "INSERT INTO Client VALUES (?, ?, ?)", [(f"Client {i}", f"I{i % 3}", f"L{i}") for i in range(10)]
    )
    staff = [(f"Person {i}", f"Job {i % 7}", f"Dep {i % 4}", f"Person {i // 3}") for i in range(29)]
    connection.executemany("INSERT INTO Employee VALUES (?, ?, ?, ?)", staff)
    work = [
        (f"Project {i}", f"2020-01-{i + 1:02d}", f"2022-03-{i + 1:02d}", f"Client {i}", "Person 1", "Person 2")
        for i in range(10)
    ]
    connection.executemany("INSERT INTO Project VALUES (?, ?, ?, ?, ?, ?)", work)
    connection.commit()
    connection.close()
    return path


ODD = """
CREATE TABLE thing (
  name TEXT, colour TEXT, born DATE, price NUMERIC(10, 2), weight REAL, active BOOLEAN, rank INTEGER, picture BLOB, thing_id INTEGER);
INSERT INTO thing VALUES
  ('O''Brien', 'deep "red"', '2020-02-29', 12.50, 0.1, 1, 9007199254740993, x'00', 1),
  ('Łódź – 東京 🏯', 'naïve [blue]', '1999-12-31', 1000000, 1e16, 0, -5, x'00', 2),
  ('Mr. [thing.name] %s {x} :bound_0 \\', 'a''b''''c', '2001-01-01', 0.05, 2.0, 1, 0, x'00', 3),
  ('line
break', '  padded  ', NULL, NULL, NULL, NULL, NULL, NULL, 4),
  (NULL, 'nobody', '2000-01-01', 1, 1, 1, 1, NULL, 5),
  ('   ', 'blank name', '2000-01-01', 1, 1, 1, 1, NULL, 6),
  ('void', '', '2000-01-01', 1, 1, 1, 1, NULL, 7),
  ('twin', 'black', '2000-01-01', 1, 1, 1, 1, NULL, 8),
  ('twin', 'white', '2000-01-01', 1, 1, 1, 1, NULL, 9),
  ('binary', x'00ff', '2000-01-01', 1, 9e999, 1, 1, NULL, 10);
"""


def test_values_of_every_kind_come_out_right(tmp_path: Path) -> None:
    database = make_sqlite(tmp_path / "odd.sqlite", ODD)
    long = "é" * 10_000
    connection = sqlite3.connect(database)
    connection.execute("INSERT INTO thing (name, colour) VALUES (?, 'grey')", (long,))
    connection.commit()
    connection.close()
    templates = tmp_path / "t.json"
    columns = ("colour", "born", "price", "weight", "active", "rank")
    sql = {c: f"SELECT {c} FROM thing WHERE name = '[thing.name]';" for c in columns}
    templates.write_text(
        json.dumps(
            {
                "sql_templates": {"x": list(sql.values())},
                "text_templates_short": {s: ["<[thing.name]>"] for s in sql.values()},
            }
        )
    )
    release = build(tmp_path, database, templates=templates, forms="short")
    rows = {(row["entity"], row["sql"].split()[1]): row for row in questions(release)}
    answers = {key: row["answers"] for key, row in rows.items()}
    assert [answers["O'Brien", c] for c in columns] == [
        ['deep "red"'], ["2020-02-29"], ["12.5"], ["0.1"], ["yes"], ["9007199254740993"]]  # fmt: skip
    assert [answers["Łódź – 東京 🏯", c] for c in columns] == [
        ["naïve [blue]"], ["1999-12-31"], ["1000000"], ["10000000000000000"], ["no"], ["-5"]]  # fmt: skip
    odd = "Mr. [thing.name] %s {x} :bound_0 \\"
    assert [answers[odd, c] for c in columns] == [["a'b''c"], ["2001-01-01"], ["0.05"], ["2"], ["yes"], ["0"]]
    assert rows[odd, "colour"]["question"] == f"<{odd}>"
    assert rows["O'Brien", "colour"]["sql"] == "SELECT colour FROM thing WHERE name = 'O''Brien';"
    assert rows["O'Brien", "active"]["answer_type"] == "boolean"
    assert rows["line\nbreak", "colour"]["answers"] == ["  padded  "]
    assert rows[long, "colour"]["question"] == f"<{long}>"
    assert ("   ", "colour") not in rows
    assert ("void", "colour") not in rows
    assert ("line\nbreak", "born") not in rows
    assert ("twin", "colour") not in rows
    assert ("binary", "colour") not in rows
    assert ("binary", "weight") not in rows
    assert answers["binary", "price"] == ["1"]
    assert answers["twin", "born"] == ["2000-01-01"]
    assert release.manifest.checks["fillings_left_out"] == {
        "answer is NULL or blank": 11, "several answers": 1, "blank value": 6, "no text can show it": 2, "no result": 0}  # fmt: skip
    assert prove(release, database)["SQL queries"] == len(rows)


def test_several_answers_are_kept_as_a_set_on_request(tmp_path: Path) -> None:
    script = (
        "CREATE TABLE team (name TEXT, member TEXT, city TEXT); INSERT INTO team VALUES ('A', 'x', 'P'), ('A', 'z', 'P'), "
        "('A', 'y', 'P'), ('B', 'x', 'Q'), ('C', 'v', 'R'), ('C', NULL, 'R');"
    )
    database = make_sqlite(tmp_path / "team.sqlite", script)
    release = build(tmp_path, database, forms="short", several="set")
    found = {(row["entity"], row["sql"].split()[1]): (row["answers"], row["answer_type"]) for row in questions(release)}
    assert found == {
        ("A", "member"): (["x", "y", "z"], "set"),
        ("B", "member"): (["x"], "one"),
        ("A", "city"): (["P"], "one"),
        ("B", "city"): (["Q"], "one"),
        ("C", "city"): (["R"], "one"),
    }
    row = next(row for row in questions(release) if row["answer_type"] == "set")
    assert [(item["start"], item["fact"]) for item in row["evidence"]] == [(26, 0), (29, 1), (32, 2)]
    assert prove(release, database)["evidence spans"] == 10 * 7


def test_people_of_two_columns_are_one_entity(tmp_path: Path) -> None:
    script = (
        "CREATE TABLE staff (first_name TEXT, last_name TEXT, town TEXT);"
        "INSERT INTO staff VALUES ('Ada', 'Moor', 'P'), ('Ada', 'Orr', 'Q');"
    )
    database = make_sqlite(tmp_path / "staff.sqlite", script)
    release = build(tmp_path, database, forms="short")
    assert {row["entity"]: row["answers"] for row in questions(release)} == {"Ada Moor": ["P"], "Ada Orr": ["Q"]}
    assert "town of staff member Ada Moor" in {row["question"] for row in questions(release)}
    assert prove(release, database)["records"] == 2


def test_counts_and_aggregates_of_a_user_are_filled_too(tmp_path: Path, company: Path) -> None:
    sql = "SELECT COUNT(*) FROM project p JOIN company c ON p.client_id = c.company_id WHERE c.name = '[company.name]'"
    templates = tmp_path / "t.json"
    templates.write_text(
        json.dumps({"sql_templates": {"": [sql]}, "text_templates_short": {sql: ["How many for [company.name]?"]}})
    )
    release = build(tmp_path, company, templates=templates, forms="short")
    assert {row["entity"]: row["answers"] for row in questions(release)} == {
        "Halden Marine": ["1"],
        "Brightwater": ["1"],
    }
    assert {row["kind"] for row in questions(release)} == {"aggregate"}
    templates.write_text(json.dumps({"sql_templates": {"": [sql]}}))
    with pytest.raises(
        BenchwrightError, match=r"entry 1 has no short texts, and goes beyond .* under text_templates_short"
    ):
        build(tmp_path, company, templates=templates, forms="short")


def test_a_placeholder_of_another_table_than_the_column(tmp_path: Path) -> None:
    script = (
        "CREATE TABLE client (name TEXT); INSERT INTO client VALUES ('X'), ('Y');"
        "CREATE TABLE work (title TEXT, client TEXT); INSERT INTO work VALUES ('a', 'X'), ('b', 'Z');"
    )
    database = make_sqlite(tmp_path / "w.sqlite", script)
    sql = "SELECT title FROM work WHERE client = '[client.name]';"
    templates = tmp_path / "t.json"
    templates.write_text(json.dumps({"sql_templates": {"": [sql]}}))
    release = build(tmp_path, database, templates=templates, forms="short")
    assert {row["entity"]: row["answers"] for row in questions(release)} == {"X": ["a"]}
    assert release.manifest.checks["fillings_left_out"]["no result"] == 1


def test_balanced_or_not(tmp_path: Path, company: Path, caplog: pytest.LogCaptureFixture) -> None:
    one, two = (
        "SELECT industry FROM company WHERE name = '[company.name]';",
        "SELECT nationality FROM person WHERE name = '[person.name]';",
    )
    content = {
        "sql_templates": {"": [one, two]},
        "text_templates_short": {
            one: [f"{i} [company.name]" for i in range(4)],
            two: [f"{i} [person.name]" for i in range(2)],
        },
    }
    templates = tmp_path / "t.json"
    templates.write_text(json.dumps(content))
    as_they_are = build(tmp_path / "a", company, templates=templates, forms="short")
    assert sorted(Counter(row["group"] for row in questions(as_they_are)).values()) == [2, 2, 2, 4, 4]
    assert as_they_are.manifest.checks["texts_unused_for_balance"] == 0
    assert caplog.messages == [
        f"SQL templates have 2 (short: {two}) to 4 wordings in a form: balanced=auto takes those of a file as they are; "
        "--set balanced=true cuts all to 2"
    ]
    caplog.clear()
    every = build(tmp_path / "b", company, templates=templates, forms="short", balanced="false")
    assert every.manifest.content_hash == as_they_are.manifest.content_hash
    balanced = build(tmp_path / "c", company, templates=templates, forms="short", balanced="true")
    assert set(Counter(row["group"] for row in questions(balanced)).values()) == {2}
    assert balanced.manifest.checks["texts_unused_for_balance"] == 2
    assert caplog.messages == [
        "2 wordings are not used: balanced=true cuts every SQL template to the 2 wordings of the one with the fewest "
        f"(short: {two}); --set balanced=false keeps them",
        "4 questions of 1 SQL templates are not asked for that reason",
    ]


def test_one_template_with_fewer_wordings_costs_only_its_own(tmp_path: Path, company: Path) -> None:
    """One list was cut from 10 wordings to 2, and all others with it."""
    first = build(tmp_path / "a", company)
    file = next((first.folder / "templates").glob("*.json"))
    content = json.loads(file.read_text())
    sql = "SELECT industry FROM company WHERE name = '[company.name]';"
    dropped = len(content["text_templates_short"][sql]) - 2
    content["text_templates_short"][sql] = content["text_templates_short"][sql][:2]
    content["text_templates_formal"] = {sql: ["What is the industry of [company.name]?"]}
    edited = tmp_path / "edited.json"
    edited.write_text(json.dumps(content))
    second = build(tmp_path / "b", company, templates=edited)
    groups = {row["group"] for row in questions(second) if row["sql"].startswith("SELECT industry FROM company")}
    assert len(questions(first)) - len(questions(second)) == dropped * len(groups) == 8 * 2
    assert second.manifest.checks["texts_in_other_forms"] == 1
    told = "Wordings of the file of templates in forms that are not asked | 1 |"
    assert told in (second.folder / "README.md").read_text(encoding="utf-8")


def test_templates_of_a_release_are_edited_and_used_again(tmp_path: Path, company: Path) -> None:
    first = build(tmp_path / "a", company)
    folder = first.folder / "templates"
    again = build(tmp_path / "b", company, templates=folder)
    assert again.manifest.content_hash == first.manifest.content_hash
    content = json.loads((folder / "made.json").read_text())
    sql = "SELECT industry FROM company WHERE name = '[company.name]';"
    content["text_templates_short"][sql][0] = "What does [company.name] do?"
    edited = tmp_path / "edited.json"
    edited.write_text(json.dumps(content))
    changed = build(tmp_path / "c", company, templates=edited)
    before, after = ({row["id"]: row["question"] for row in questions(release)} for release in (first, changed))
    assert sorted(after[key] for key in after.keys() - before.keys()) == [
        "What does Brightwater do?",
        "What does Halden Marine do?",
    ]
    assert len(before.keys() - after.keys()) == 2


def test_an_edited_file_is_taken_as_it_is_and_what_it_costs_is_told(
    tmp_path: Path, company: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Deleted in one place: its texts in the two others were an error. An emptied or a lacking list is told."""
    first = build(tmp_path / "a", company)
    file = first.folder / "templates" / "made.json"
    content = json.loads(file.read_text())
    gone, emptied, lacking = (
        f"SELECT {column} FROM {table} WHERE name = '[{table}.name]';"
        for column, table in (("industry", "company"), ("headquarters", "company"), ("nationality", "person"))
    )
    for statements in content["sql_templates"].values():
        if gone in statements:
            statements.remove(gone)
    texts = content["text_templates_short"]
    texts[emptied] = []
    del texts[lacking]
    edited = tmp_path / "edited.json"
    edited.write_text(json.dumps(content))
    with pytest.raises(BenchwrightError, match=r"is an empty list: add texts, have them .* emptied=refill"):
        build(tmp_path / "b", company, templates=edited)
    caplog.clear()
    second = build(tmp_path / "b", company, templates=edited, emptied="refill")
    lost = {row["id"] for row in questions(first) if row["sql"].startswith("SELECT industry FROM company WHERE")}
    kept = {row["id"]: row["question"] for row in questions(first) if row["id"] not in lost}
    assert lost and {row["id"]: row["question"] for row in questions(second)} == kept
    where = next(key for key, listed in content["sql_templates"].items() if lacking in listed)
    number = content["sql_templates"][where].index(lacking) + 1
    assert caplog.messages == [
        f"{edited}: text_templates_short[{gone!r}]: sql_templates does not list this SQL template, so it is left out "
        "with its 10 short and 10 long texts",
        f"{edited}: text_templates_short[{emptied!r}] is an empty list: its texts are written anew",
        f"{edited}: sql_templates[{where!r}], entry {number} has none: 10 short texts are written by rule",
        f"{edited} lacks a built-in SQL template, which is not asked: {gone}",
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "line 1, column 2: "),
        ("[]", "t.json must be an object, with names before its values"),
        ("{}", "t.json holds no SQL template under 'sql_templates'"),
        ('{"sql_templates": {"x": "SELECT"}}', "t.json: sql_templates['x'] must be a list of texts"),
        ('{"sql_templates": {"x": [""]}}', "t.json: sql_templates['x'], entry 1 must be a text that is not empty"),
        ('{"sql_templates": {"x": ["SELECT nme FROM company WHERE name = \'[company.name]\'"]}}',
         "t.json: sql_templates['x'], entry 1: the SQL template is refused, there is no column nme (did you mean name?)"),
        ('{"sql_templates": {"x": ["%s", "%s"]}, "text_templates_short": {"%s": ["industry?"]}}',
         "entry 1, short text 1 lacks the placeholder [company.name]: 'industry?'"),
        ('{"sql_templates": {"x": ["%s"]}, "text_templates_short": {"%s": ["[company.name]", "[company.name] [person.name]"]}}',
         "short text 2 has [person.name], which its SQL template has not"),
        ('{"sql_templates": {"x": ["%s"]}, "text_templates_short": {"%s": ["[company.name]?", "[company.name]?"]}}',
         "short text 2 is the same as text 1: '[company.name]?'"),
        ('{"sql_templates": {"x": []}, "text_templates_short": {"SELECT 1": ["x"]}}',
         "t.json holds no SQL template under 'sql_templates'"),
        ('{"sql_templates": {"x": ["%s"]}, "text_template_short": {"%s": ["[company.name]?"]}}',
         "t.json: 'text_template_short' is none of sql_templates, text_templates_FORM: correct or delete it"),
        ('{"sql_templates": {"x": ["%s"]}, "text_templates_short": {"%s": []}}',
         "is an empty list: add texts, have them written anew with --set emptied=refill, or delete the SQL template"),
        ('{"sql_templates": {"x": ["%s"]}, "text_templates_short": {"a": ["b"], "a": ["c"]}}',
         "t.json: the name 'a' stands there twice in one object: join the two"),
    ],
)  # fmt: skip
def test_a_bad_file_of_templates_is_refused_with_the_place(
    tmp_path: Path, company: Path, content: str, message: str
) -> None:
    sql = "SELECT industry FROM company WHERE name = '[company.name]'"
    (tmp_path / "t.json").write_text(content.replace("%s", sql))
    with pytest.raises(BenchwrightError) as error:
        build(tmp_path, company, templates=tmp_path / "t.json", forms="short")
    assert message in str(error.value)
    assert not (tmp_path / "releases" / "made" / "1.0.0").exists()


def test_a_schema_file_names_columns_better(tmp_path: Path, company: Path) -> None:
    schema = tmp_path / "schema.toml"
    schema.write_text('[table.company]\ncalled = "firm"\ncolumns.headquarters.words = "seat"\n')
    release = build(tmp_path, company, schema=schema, forms="short", hops=1)
    texts = [row["question"] for row in questions(release) if row["answers"] == ["Perth"]]
    assert "seat of firm Brightwater" in texts
    assert not [text for text in texts if "company" in text or "headquarters" in text]
    schema.write_text('[table.company.columns]\nheadquarter.words = "seat"\n')
    with pytest.raises(BenchwrightError, match=r"schema\.toml.*company\.columns\] headquarter.*'headquarters'"):
        build(tmp_path, company, schema=schema)


def test_a_database_is_never_written_to(tmp_path: Path, company: Path) -> None:
    before = company.read_bytes(), sorted(tmp_path.iterdir())
    build(tmp_path / "out", company)
    assert company.read_bytes() == before[0]
    assert [path for path in sorted(tmp_path.iterdir()) if path.name != "out"] == before[1]


@pytest.mark.parametrize("ship", ["none", "touched", "all"])
def test_other_peoples_data_stays_theirs(tmp_path: Path, ship: str) -> None:
    script = "CREATE TABLE a (name TEXT, town TEXT, salary_id INTEGER, picture BLOB); INSERT INTO a VALUES ('Xanthe', 'Zlin', 77, x'41');"
    database = make_sqlite(
        tmp_path / "private.sqlite", script + "CREATE TABLE secret (word TEXT); INSERT INTO secret VALUES ('hush');"
    )
    release = build(tmp_path, database, ship=ship, documents="none")
    for path in [release.folder / "manifest.json", *(release.folder / "templates").iterdir()]:
        text = path.read_text()
        assert "Xanthe" not in text
        assert "Zlin" not in text
        assert str(tmp_path) not in text
    assert release.manifest.sources[0]["uri"] == "sqlite:///private.sqlite"
    assert release.manifest.sources[0]["rows_shipped"] == ship
    if ship == "none":
        assert release.databases() == []
        return
    connection = sqlite3.connect(release.databases()[0])
    tables = dict(connection.execute("SELECT name, sql FROM sqlite_master").fetchall())
    connection.close()
    assert list(tables) == (["a"] if ship == "touched" else ["a", "secret"])
    assert ("picture" in tables["a"]) == (ship == "all")
    found = verify_release(release)
    assert (found.problems, found.proved["SQL queries"]) == ([], 1)


def test_without_documents_there_is_no_corpus(tmp_path: Path, company: Path) -> None:
    release = build(tmp_path, company, documents="none")
    assert release.manifest.rows["corpus"] == 0
    assert "corpus" not in release.manifest.splits
    card = (release.folder / "README.md").read_text()
    assert "config_name: corpus" not in card
    assert "There are no documents here" in card


def test_a_sample_of_a_billion_combinations(tmp_path: Path) -> None:
    """40,000 people, each with every one of 25,000 companies: more than could be enumerated in the time of a test."""
    database = make_database(tmp_path / "wide.sqlite", 40_000, 25_000)
    sql = (
        "SELECT p.Age FROM people p JOIN company c ON p.Nationality <> c.Headquarters "
        "WHERE p.Name = '[people.Name]' AND c.Name = '[company.Name]';"
    )
    templates = tmp_path / "t.json"
    templates.write_text(
        json.dumps({"sql_templates": {"": [sql]}, "text_templates_short": {sql: ["[people.Name] [company.Name]"]}})
    )
    settings: dict[str, object] = {"templates": templates, "forms": "short", "groups": 400}
    one = build(tmp_path / "one", database, **settings)
    assert one.manifest.checks["sql_queries"] == 400
    assert one.manifest.checks["fillings_left_out"]["no result"] == 0
    assert len({row["entity"] for row in questions(one)}) == 400
    assert prove(one, database)["SQL queries"] == 400
    same = build(tmp_path / "two", database, **settings)
    assert same.manifest.content_hash == one.manifest.content_hash
    other = build(tmp_path / "three", database, seed=1, **settings)
    assert len({row["id"] for row in questions(one)} & {row["id"] for row in questions(other)}) < 40


def test_a_sample_is_shared_out_over_tables(tmp_path: Path) -> None:
    database = make_database(tmp_path / "n.sqlite", 500, 5)
    release = build(tmp_path, database, groups=100, forms="short", hops=2)
    groups = {row["group"]: row["template"] for row in questions(release)}
    assert len(groups) == 100
    sizes = sorted(Counter(groups.values()).values())
    assert len(sizes) == release.manifest.checks["sql_templates"]
    assert sizes[:2] == [5, 5]  # there are five companies
    assert max(sizes) <= 34  # three tables
    assert prove(release, database)["SQL queries"] == 100
