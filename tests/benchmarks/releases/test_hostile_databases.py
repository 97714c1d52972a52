"""SQLite files of strangers: what their schema, pages and values try ends with one line, in bounded time and memory."""

import sqlite3
from pathlib import Path

import pytest
from hostile_sql import ENDLESS, make, wrong

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.checking import open_for_checking
from benchwright.benchmarks.grounding.execution import difference
from benchwright.benchmarks.grounding.sqlite_file import rows_digest


def _damaged(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("UPDATE sqlite_master SET sql = 'CREATE TABLE t (' WHERE name = 't'")
    connection.commit()
    connection.close()


def _huge(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("INSERT INTO t VALUES (zeroblob(120000000), 3)")
    connection.commit()
    connection.close()


def test_a_damaged_schema(tmp_path: Path) -> None:
    path = make(tmp_path / "d.sqlite")
    _damaged(path)
    with pytest.raises(BenchwrightError, match=r"is damaged or is no SQLite database .*restore it from a copy$"):
        open_for_checking(f"sqlite:///{path}")


@pytest.mark.parametrize(
    ("script", "table"),
    [
        ("CREATE TABLE g (x, y AS (hex(printf('%.*c', 40000000, x))))", "g"),
        ("CREATE TABLE g (x, y AS (x || 'z') STORED)", "g"),
        ("CREATE VIRTUAL TABLE f USING fts5(x)", "f"),
    ],
)
def test_a_shipped_database_holds_stored_rows_alone(tmp_path: Path, script: str, table: str) -> None:
    path = make(tmp_path / "d.sqlite", script)
    with pytest.raises(BenchwrightError) as refused:
        rows_digest(path)
    assert str(refused.value) == (
        f"the database {path} computes what the table '{table}' holds: only stored rows are shipped"
    )


def test_a_huge_value_is_not_read(tmp_path: Path) -> None:
    path = make(tmp_path / "d.sqlite")
    _huge(path)
    with pytest.raises(BenchwrightError, match="holds a value of more than 25,000,000 bytes"):
        rows_digest(path)
    with open_for_checking(f"sqlite:///{path}") as database:
        assert "(string or blob too big)" in wrong(database, "SELECT name FROM t")
        assert difference(database, "SELECT size FROM t WHERE size = 3", ["3"], []) is None


def _forged(path: Path) -> None:
    """Every page below the first of one table is the first page of another."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA page_size = 512")
        for name in ("first", "second"):
            connection.execute(f"CREATE TABLE {name} (x TEXT)")
            connection.executemany(f"INSERT INTO {name} VALUES (?)", [("abcdef",)] * 1_500)
        roots = [
            (connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()[0] - 1) * 512
            for name in ("first", "second")
        ]
    connection.close()
    data = bytearray(path.read_bytes())
    first, second = roots
    other = (second // 512 + 1).to_bytes(4, "big")
    assert data[first] == data[second] == 5  # pages that name others
    data[first + 8 : first + 12] = other
    for place in range(first + 12, first + 12 + 2 * int.from_bytes(data[first + 3 : first + 5], "big"), 2):
        cell = first + int.from_bytes(data[place : place + 2], "big")
        data[cell : cell + 4] = other
    path.write_bytes(data)


def test_pages_that_stand_for_others_are_not_read_over_and_over(tmp_path: Path) -> None:
    path = tmp_path / "d.sqlite"
    _forged(path)
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT count(*) FROM first").fetchone()[0] > 50_000
    connection.close()
    with pytest.raises(BenchwrightError, match=r"d\.sqlite cannot be read: its pages name each other$"):
        rows_digest(path)


@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16"])
@pytest.mark.parametrize("table", ["n (x)", "n (x INTEGER PRIMARY KEY)", "n (x TEXT PRIMARY KEY) WITHOUT ROWID"])
def test_the_smallest_rows_fit_into_their_file(tmp_path: Path, encoding: str, table: str) -> None:
    path = tmp_path / "d.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA encoding = '{encoding}'")
        connection.execute(f"CREATE TABLE {table}")
        values = (
            (number if "INTEGER" in table else chr(number + 1) if "TEXT" in table else None,)
            for number in range(50_000)
        )
        connection.executemany("INSERT INTO n VALUES (?)", values)
        connection.execute("CREATE TABLE long (x)")
        connection.execute("INSERT INTO long VALUES (?)", ("é" * 1_000_000,))
    connection.execute("VACUUM")
    connection.close()
    assert len(rows_digest(path)) == 64


@pytest.mark.parametrize(
    "script",
    [
        "CREATE VIRTUAL TABLE f USING fts5(x)",
        "CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM t; END",
        "CREATE INDEX g ON t (length(printf('%.*c', size, 'x')))",
        f"CREATE TABLE m ({', '.join(f'c{i}' for i in range(2_000))})",
        f"CREATE VIEW g AS {ENDLESS} SELECT x FROM c",
        "CREATE TABLE g (x, y AS (replace(x, 'a', 'b')))",
        'CREATE TABLE "a""b\'c" ("d""e")',
    ],
)
def test_odd_databases_answer_what_they_hold(tmp_path: Path, script: str) -> None:
    with open_for_checking(f"sqlite:///{make(tmp_path / 'd.sqlite', script)}") as database:
        assert difference(database, "SELECT name FROM t", ["a", "b"], []) is None


def test_a_virtual_table_is_not_read(tmp_path: Path) -> None:
    path = make(tmp_path / "d.sqlite", "CREATE VIRTUAL TABLE f USING fts5(x); INSERT INTO f VALUES ('y')")
    with open_for_checking(f"sqlite:///{path}") as database:
        assert "(vtable constructor failed: f)" in wrong(database, "SELECT x FROM f")
