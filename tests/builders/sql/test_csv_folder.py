"""A folder of CSV files becomes a database: types, keys and references are found in the data."""

import json
from pathlib import Path

import pytest
from support import ROOT, Run

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import open_database
from benchwright.builders.sql.csv_folder import database_of_csv
from benchwright.builders.sql.schema import reflect


def folder(tmp_path: Path, **files: str | bytes) -> Path:
    made = tmp_path / "csv"
    made.mkdir()
    for name, content in files.items():
        (made / f"{name}.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    return made


def test_the_library_of_the_quickstart(tmp_path: Path) -> None:
    database_of_csv(ROOT / "scripts" / "library", tmp_path / "l.sqlite")
    with open_database(f"sqlite:///{tmp_path / 'l.sqlite'}") as database:
        schema = reflect(database)
    assert {name: table.label for name, table in schema.tables.items()} == {
        "authors": "name", "books": "title", "branches": "name", "holdings": None, "librarians": "name"}  # fmt: skip
    assert {
        (name, key.column, key.table, key.target) for name, table in schema.tables.items() for key in table.foreign_keys
    } == {
        ("books", "author_id", "authors", "author_id"),
        ("holdings", "book_id", "books", "book_id"),
        ("holdings", "branch_id", "branches", "branch_id"),
        ("librarians", "branch_id", "branches", "branch_id"),
        ("librarians", "supervisor_id", "librarians", "librarian_id"),
    }
    assert [name for name, table in schema.tables.items() if table.associative] == ["holdings"]
    assert schema.tables["authors"].columns["date_of_birth"].kind == "date"
    assert schema.tables["holdings"].columns["copies"].kind == "number"


def test_types_and_values(tmp_path: Path) -> None:
    text = '\ufeffname,n,r,b,d,code,note\r\n"A, ""B""",1,1.5,true,2020-02-29,007,"two\nlines"\r\nC,-2,3,FALSE,2021-01-01,008,\r\n\r\n'
    database_of_csv(folder(tmp_path, things=text), tmp_path / "t.sqlite")
    with open_database(f"sqlite:///{tmp_path / 't.sqlite'}") as database:
        rows = database.all("SELECT * FROM things")
        kinds = {name: column.kind for name, column in reflect(database).tables["things"].columns.items()}
    assert [tuple(row) for row in rows] == [
        ('A, "B"', 1, 1.5, 1, "2020-02-29", "007", "two\nlines"),
        ("C", -2, 3.0, 0, "2021-01-01", "008", None),
    ]
    assert kinds == {
        "name": "text", "n": "number", "r": "number", "b": "boolean", "d": "date", "code": "text", "note": "text"}  # fmt: skip


def test_names_refer_where_every_value_is_there(tmp_path: Path) -> None:
    made = folder(
        tmp_path, client="name,city\nX,Rome\nY,Oslo\n", project="name,client\nP,X\nQ,Y\n", other="name,client\nR,Z\n"
    )
    database_of_csv(made, tmp_path / "t.sqlite")
    with open_database(f"sqlite:///{tmp_path / 't.sqlite'}") as database:
        tables = reflect(database).tables
    assert [(key.column, key.table, key.target) for key in tables["project"].foreign_keys] == [
        ("client", "client", "name")
    ]
    assert tables["other"].foreign_keys == ()


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "holds no *.csv file"),
        ({"a": ""}, "a.csv has no header: its first line must name every column"),
        ({"a": "x,\n1,2\n"}, "a.csv has no header"),
        ({"a": "x,X\n1,2\n"}, "a.csv, line 1: two columns have the same name"),
        ({"a": "x,y\n1,2\n1\n"}, "a.csv, line 3 has 1 values for 2 columns"),
        ({"a": b"x\n\xff\n"}, "a.csv is not UTF-8 text: save it as CSV UTF-8"),
        ({"a": 'x\n"open\n'}, "a.csv is no CSV file"),
    ],
)
def test_bad_files(tmp_path: Path, files: dict[str, str | bytes], message: str) -> None:
    with pytest.raises(BenchwrightError) as error:
        database_of_csv(folder(tmp_path, **files), tmp_path / "t.sqlite")
    assert message in str(error.value)


def test_a_benchmark_from_csv_files(run: Run, tmp_path: Path) -> None:
    made = folder(tmp_path, client="name,city\nX,Rome\nY,Oslo\n")
    assert run("build-benchmark", "grammar", "--set", f"database={made}", "--set", "ship=all").returncode == 0
    manifest = json.loads((tmp_path / "releases/grammar/1.0.0/manifest.json").read_text())
    assert manifest["sources"][0]["uri"] == "csv:csv"
    assert manifest["parameters"]["database"] == "csv"
    assert "proved: 2 SQL queries" in run("verify-benchmark", "grammar").stdout
