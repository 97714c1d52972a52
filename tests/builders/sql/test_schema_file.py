"""A person's understanding of a database: drafted, edited, given back, and refused where it or the data say otherwise."""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import Database, open_database
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.builders.base import build_release
from benchwright.builders.grammar.understanding import open_source, understand
from benchwright.builders.rebuild import Given, rebuild
from benchwright.builders.sql.own_database import given_database
from benchwright.builders.sql.reflection import reflect
from benchwright.builders.sql.schema import DatabaseSchema, SchemaColumn, SchemaTable
from benchwright.builders.sql.schema_file.apply import apply_schema_file
from benchwright.builders.sql.schema_file.content import read_schema_file
from benchwright.builders.sql.schema_file.part import known_part
from benchwright.builders.sql.schema_file.write import write_schema
from benchwright.builders.sql.templates.enumeration import enumerate_templates, paths_left_out
from benchwright.cards.dataset.card import render_card

TABLES = """
CREATE TABLE firms (firm_no INTEGER PRIMARY KEY, name TEXT, town TEXT, contact TEXT, vat_paid INTEGER, stars INTEGER);
CREATE TABLE people (id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, email TEXT, boss_id INTEGER,
    firm INTEGER, FOREIGN KEY (boss_id) REFERENCES people (id));
CREATE TABLE "it's > a.b" (name TEXT, "c.d" TEXT);
CREATE TABLE "Order Lines" (order_no INTEGER, line INTEGER, person_id INTEGER REFERENCES people (id), "say ""hi"" " TEXT,
    PRIMARY KEY (order_no, line));
"""
HEADER = '[table."Order Lines".columns]\n'


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    path = tmp_path_factory.mktemp("schema") / "firms.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(TABLES)
        for number in range(40):
            name = "Ash & Sons" if number in (3, 4) else f"Firm {number}"
            contact = f"+44 20 7946 00{number:02}"
            row = (number + 500, name, f"Town {number % 7}", contact, number % 2, number % 5)
            connection.execute("INSERT INTO firms VALUES (?, ?, ?, ?, ?, ?)", row)
            row = (number, f"Ann {number}", f"Lee {number}", None, number // 5 or None, number % 30 + 500)
            connection.execute("INSERT INTO people VALUES (?, ?, ?, ?, ?, ?)", row)
            connection.execute('INSERT INTO "Order Lines" VALUES (?, 1, ?, ?)', (number, number, f"T{number}"))
    connection.close()
    with open_database(f"sqlite:///{path}") as opened:
        yield opened


@pytest.fixture(scope="module")
def found(database: Database) -> DatabaseSchema:
    return reflect(database)


def applied(text: str, folder: Path, found: DatabaseSchema, database: Database) -> DatabaseSchema:
    path = folder / "schema.toml"
    path.write_text(text, encoding="utf-8")
    return apply_schema_file(read_schema_file(path), found, database)


def test_an_unedited_draft_changes_nothing(tmp_path: Path, found: DatabaseSchema, database: Database) -> None:
    draft = write_schema(found, "firms\n[table.x]", left_out=paths_left_out(found))
    again = applied(draft, tmp_path, found, database)
    assert again.tables == found.tables
    assert enumerate_templates(again) == enumerate_templates(found)
    for table in found.tables.values():
        assert again.vocabulary.noun(table.name) == found.vocabulary.noun(table.name)
        for column in table.columns:
            assert again.vocabulary.column(table.name, column) == found.vocabulary.column(table.name, column)
            assert again.vocabulary.role(table.name, column) == found.vocabulary.role(table.name, column)
    assert write_schema(again, "firms\n[table.x]", left_out=paths_left_out(again)) == draft


def test_a_draft_says_what_was_found_and_how(found: DatabaseSchema) -> None:
    lines = [" ".join(line.split()) for line in write_schema(found, "firms", "by names and values").splitlines()]
    for line in [
        '[table."Order Lines"]',
        'named_by = ["name"] # nearly unique: 2 of 40 rows share theirs and are not asked about',
        'named_by = ["first_name", "last_name"] # unique in 40 rows',
        'boss_id = {to = "people.id", role = "boss"} # by names and values',
        'firm_no = {words = "firm number", ask = false} # key',
        'contact = {words = "contact", ask = true, personal = true} # personal: telephone numbers',
        'email = {words = "email address", ask = true, reach = 1, personal = true} # personal: e-mail addresses; empty in the first rows',
        '"say \\"hi\\" " = {words = "say hi", ask = true} # names a row',
    ]:
        assert line in lines


def test_everything_can_be_overruled(tmp_path: Path, found: DatabaseSchema, database: Database) -> None:
    text = """
    ask_personal = false
    paths = {"people.boss_id > people.firm" = false, "PEOPLE.boss_id > people.boss_id" = false}
    [table.Firms]
    called = "company"
    named_by = ["name", "town"]
    columns.vat_paid = {words = "VAT payment", format = "boolean"}
    columns.stars = {ask = false, personal = true}
    columns.town.reach = 0
    columns.firm_no = {ask = true, unit = "points"}
    [table.people]
    kind = "event"
    called_by = ["last_name"]
    keys = {firm = {to = "firms.firm_no", role = "employer"}}
    [table."Order Lines"]
    ask = false
    keys = {person_id = false}
    """
    schema = applied(text, tmp_path, found, database)
    firms, people, lines = (schema.tables[name] for name in ("firms", "people", "Order Lines"))
    assert (schema.vocabulary.noun("firms"), schema.vocabulary.role("people", "firm")) == ("company", "employer")
    assert firms.naming == firms.called_by == ("name", "town")
    assert [column.name for column in firms.askable] == ["firm_no", "vat_paid"]
    assert (firms.columns["town"].reach, firms.columns["vat_paid"].reach) == (0, None)
    assert (firms.columns["vat_paid"].kind, firms.columns["firm_no"].unit) == ("boolean", "points")
    assert (firms.columns["contact"].why_not, firms.columns["stars"].why_not) == ("personal", "by the schema file")
    assert (firms.columns["contact"].personal, firms.columns["stars"].personal) == (
        "telephone numbers",
        "marked in the schema file",
    )
    assert (people.kind, people.naming, people.called_by) == ("event", ("first_name", "last_name"), ("last_name",))
    assert [(key.columns, key.table, key.found) for key in people.foreign_keys] == [
        (("boss_id",), "people", "declared"),
        (("firm",), "firms", "by the schema file"),
    ]
    assert (lines.ask, lines.foreign_keys) == (False, ())
    templates = enumerate_templates(schema)
    assert not [one for one in templates if "Order Lines" in one or "contact" in one]
    assert any("JOIN firms ON people.firm = firms.firm_no" in one for one in templates)
    assert not [one for one in templates if "people_2" in one and "JOIN firms" in one]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[table", "not valid TOML: Expected ']'"),
        ("[tables]\npeople = 'person'", "this is a file of labels, which the schema file has replaced: write one with"),
        ("[tabel.people]", "tabel: there is no such key: it can be ask_personal, paths, table; did you mean 'table'?"),
        ("[table.peopel]", "[table.peopel]: there is no table 'peopel'; did you mean 'people'?"),
        ("[table.people]\n[table.PEOPLE]", "[table]: 'PEOPLE' is the same name as 'people': keep one of the two"),
        ("table = 3", "[table]: must be a table, not a whole number"),
        ("[table.people]\ncaled = 'x'", "[table.people] caled: there is no such key: it can be called, kind,"),
        ("[table.people]\ncalled = 7", "[table.people] called: must be a text in quotes, not a whole number"),
        ("[table.people]\ncalled = '[x]'", "[table.people] called: must be words on one line, up to 200 characters"),
        ("[table.people]\nkind = 'entitty'", "must be one of entity, event, lookup, carrier, junction; it is 'entitty'; did you mean 'entity'?"),
        ("[table.people]\nnamed_by = 'email'", "[table.people] named_by: must be a list of texts"),
        ("[table.people]\nask = 'no'", "[table.people] ask: must be true or false, not a text"),
        ("[table.people.columns]\nemail = 'e'", "[table.people.columns] email: must be a table in braces, such as {words = …"),
        ("[table.people.columns]\nemial.ask = true", "[table.people.columns] emial: the table 'people' has no column 'emial'; did you mean 'email'?"),
        ("[table.people.columns]\nemail.aks = true", "[table.people.columns] email.aks: there is no such key"),
        ("[table.people.columns]\nid.format = 'boolean'", "id.format: a boolean is yes or no, and other values are there"),
        ("[table.people]\nnamed_by = ['first_name', 'FIRST_NAME']", "named_by: a column stands there twice"),
        ("[table.people]\nnamed_by = ['firm']", "20 of 40 rows have the same firm as another, and a name must say which row is meant"),
        ("[table.people]\nkind = 'junction'", "a junction ties two rows or more together, and 'people' has 1 keys"),
        ("[table.people.keys]\nfirm = 'firm.firm_no'", "[table.people.keys] firm: there is no table 'firm'; did you mean 'firms'?"),
        ("[table.people.keys]\nfirm = 'firms.number'", "the table 'firms' has no column 'number'"),
        ("[table.people.keys]\nfirm = 'firms'", "firm: 'firms' must be written as \"table.column\""),
        ("[table.people.keys]\nfirm = true", "[table.people.keys] firm: must be a table in braces, such as {to = …, role = …}, not true"),
        ("[table.firms.keys]\nstars = 'Order Lines.line'", "several rows have the same Order Lines.line"),
        ("[table.\"it's > a.b\"]\nnamed_by = ['name']", "a name with a bracket, a dot or an apostrophe cannot stand in a template"),
        ("[table.people.columns]\nemail.reach = 3", "email.reach: must be one of 0, 1, 2; it is 3"),
        ("[table.people.keys]\nid = 'firms.firm_no'", "[table.people.keys] id: none of its 40 values is in firms.firm_no"),
        ("[table.people.keys]\nfirm = 'firms.town'", "none of its 30 values is in firms.town"),
        ("[table.firms.keys]\ntown = 'firms.town'", "firms.keys] town: it leads from each row to itself"),
        ("[table.firms.keys]\nstars = 'firms.vat_paid'", "a key leads to one row, and several rows have the same firms.vat_paid"),
        ("[table.people.keys]\n'firm, id' = 'firms.firm_no'", "2 columns cannot lead to 1: name as many"),
        ("[paths]\n'people.boss' = true", "[paths] \"people.boss\": there is no key 'people.boss'; did you mean 'people.boss_id'?"),
        ("[paths]\n'people.boss_id > Order Lines.person_id' = true", "'Order Lines.person_id' does not go on from where 'people.boss_id' leads"),
        ("[paths]\n'people.boss_id' = 'no'", "[paths] \"people.boss_id\": must be true or false, not a text"),
    ],
)  # fmt: skip
def test_a_wrong_line_is_named(
    text: str, message: str, tmp_path: Path, found: DatabaseSchema, database: Database
) -> None:
    with pytest.raises(BenchwrightError) as error:
        applied(text, tmp_path, found, database)
    assert str(error.value).startswith(f"{tmp_path / 'schema.toml'}: ")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_schema_file_says_where_a_column_of_files_leads(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for name, rows in {"staff": "id,name,boss_id\n1,Ann,\n2,Bob,1\n", "towns": "id,name\n1,Ash\n2,Elm\n"}.items():
        (tmp_path / f"{name}.csv").write_text(rows)
    (tmp_path / "schema.toml").write_text('[table.staff.keys]\nboss_id = "staff.id"\n')
    for schema, keys in (("", []), (str(tmp_path / "schema.toml"), [(("boss_id",), "staff")])):
        caplog.clear()
        with ExitStack() as stack:
            parameters = {"database": str(tmp_path), "schema": schema}
            database, _ = open_source(parameters, stack)
            staff = understand(database, parameters).tables["staff"]
        assert [(key.columns, key.table) for key in staff.foreign_keys] == keys
        assert ("staff.boss_id (no other table is called so)" in caplog.text) is (not schema)


def test_a_release_is_proved_as_its_schema_file_understood_the_database(tmp_path: Path) -> None:
    """The file knows a key that the database does not declare, and a name that two rows share."""
    with sqlite3.connect(tmp_path / "shop.sqlite") as connection:
        connection.executescript(
            "CREATE TABLE firm (no INTEGER, brand TEXT); CREATE TABLE job (name TEXT, firm INTEGER);"
        )
        firms = [(1000 + 7 * number, "Ash" if number < 2 else f"Firm {number}") for number in range(60)]
        connection.executemany("INSERT INTO firm VALUES (?, ?)", firms)
        connection.executemany(
            "INSERT INTO job VALUES (?, ?)", [(f"job {number}", 1420 - 7 * (number + 1)) for number in range(60)]
        )
    connection.close()
    file = tmp_path / "schema.toml"
    file.write_text(
        '[table.firm]\nnamed_by = ["brand"]\ncolumns.no = {ask = true, unit = "points"}\n[table.job.keys]\nfirm = "firm.no"'
    )
    place = str(tmp_path / "shop.sqlite")
    settings = {"database": place, "schema": str(file), "forms": "short", "wordings": "1", "groups": "0"}
    release, _ = build_release("grammar", settings, render_card, output=tmp_path / "releases", name="shop")
    left_out = release.manifest.checks["fillings_left_out"]
    assert (release.manifest.checks["sql_queries"], left_out["several rows bear the name"]) == (58 + 60 + 60, 1)
    with given_database(place) as given:
        found = verify_release(release, given)
    assert found.problems == []
    assert found.proved["templates of which no filling is missing"] == 3
    rows = [row for batch in release.batches("questions", "test") for row in batch.to_pylist()]
    assert {row["hops"] for row in rows if row["sql"].startswith("SELECT firm.brand FROM job JOIN")} == {2}
    again = Given({"database": place, "schema": str(file)}, render_card)
    rebuild(release, found, again)
    assert (found.problems, found.proved["content hash, built again"]) == ([], 1)
    file.write_text(file.read_text() + "\n# other\n")
    rebuild(release, found, again)
    assert found.problems == []


def test_the_part_of_a_file_that_is_shipped_keeps_columns_with_a_comma_in_their_names(tmp_path: Path) -> None:
    path = tmp_path / "schema.toml"
    path.write_text('[table.fares.columns]\n"Price, EUR" = {words = "fare"}\n"Price, USD" = {words = "fare abroad"}\n')
    there = SchemaTable("fares", {"Price, EUR": SchemaColumn("Price, EUR", "number")}, (), (), (), (), "entity")
    part = known_part(read_schema_file(path), DatabaseSchema({"fares": there}, "sqlite"))
    assert list(part.tables["fares"].columns) == ["Price, EUR"]
