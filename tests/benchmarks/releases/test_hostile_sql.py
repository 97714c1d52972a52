"""SQL and databases of strangers: each thing that one tried ends with its line, and nothing is written anywhere."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from growing_sql import GROWING, with_of
from hostile_sql import ENDLESS, make, wrong
from support import Run

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding import checking
from benchwright.benchmarks.grounding.checking import CheckingDatabase, open_for_checking
from benchwright.benchmarks.grounding.database import open_database
from benchwright.benchmarks.grounding.execution import difference
from benchwright.benchmarks.grounding.one_select import require_one_select

REFUSED = "nothing but reading is allowed"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[CheckingDatabase]:
    views = "CREATE VIEW sizes AS SELECT size FROM t; CREATE VIEW loads AS SELECT load_extension('x') AS y;"
    with open_for_checking(f"sqlite:///{make(tmp_path / 'd.sqlite', views)}") as opened:
        yield opened


@pytest.fixture(params=["copied", "above the size that is copied"])
def either(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[CheckingDatabase]:
    if request.param != "copied":
        monkeypatch.setattr(checking, "_COPIED_BYTES", 0)
    with open_for_checking(f"sqlite:///{make(tmp_path / 'd.sqlite')}") as opened:
        yield opened


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("VACUUM INTO '{folder}/written.db'", f"(authorization denied: {REFUSED})"),
        ("VACUUM", f"(authorization denied: {REFUSED})"),
        ("ATTACH '{folder}/written.db' AS y", f"(not authorized: {REFUSED})"),
        ("DETACH main", f"(not authorized: {REFUSED})"),
        ("PRAGMA journal_mode = DELETE", f"(not authorized: {REFUSED})"),
        ("PRAGMA table_info(t)", f"(not authorized: {REFUSED})"),
        ("PRAGMA writable_schema = ON", f"(not authorized: {REFUSED})"),
        ("SELECT * FROM pragma_table_info('t')", f"{REFUSED})"),
        ("SELECT * FROM json_each('[1]')", "(vtable constructor failed: json_each)"),
        ("DELETE FROM t", f"(not authorized: {REFUSED})"),
        ("INSERT INTO t VALUES ('c', 3) RETURNING name", f"(not authorized: {REFUSED})"),
        ("WITH x AS (SELECT 1) UPDATE t SET name = 'z'", f"(not authorized: {REFUSED})"),
        ("CREATE TABLE u (x)", f"(not authorized: {REFUSED})"),
        ("CREATE TEMP TABLE u (x)", f"(not authorized: {REFUSED})"),
        ("CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; END", f"(not authorized: {REFUSED})"),
        ("CREATE VIRTUAL TABLE u USING fts5(x)", f"(not authorized: {REFUSED})"),
        ("DROP TABLE t", f"(not authorized: {REFUSED})"),
        ("ANALYZE", f"(not authorized: {REFUSED})"),
        ("BEGIN", f"(not authorized: {REFUSED})"),
        ("SAVEPOINT x", f"(not authorized: {REFUSED})"),
        ("SELECT load_extension('x')", f"(not authorized to use function: load_extension: {REFUSED})"),
        ("SELECT zeroblob(900000000)", f"(not authorized to use function: zeroblob: {REFUSED})"),
        ("SELECT randomblob(900000000)", f"(not authorized to use function: randomblob: {REFUSED})"),
        ("SELECT fts3_tokenizer('x')", f"(not authorized to use function: fts3_tokenizer: {REFUSED})"),
        ("SELECT name FROM t WHERE name REGEXP '(a+)+$'", f"(not authorized to use function: REGEXP: {REFUSED})"),
        ("SELECT readfile('/etc/passwd')", "(no such function: readfile)"),
        ("SELECT writefile('{folder}/written.db', 'x')", "(no such function: writefile)"),
        ("SELECT edit('x')", "(no such function: edit)"),
        ("SELECT printf('%.*c', 2000000000, 'x')", "(user-defined function raised exception)"),
        ("SELECT format('%.2000000000c', 'x')", "(user-defined function raised exception)"),
        ("SELECT printf('%' || '0.*c', '2000000000 x', 'x')", "(user-defined function raised exception)"),
        ("SELECT printf(replace(hex(printf('%.90000c', 'x')), '78', '%.999c'), 'x')", "raised exception)"),
        ("SELECT trim(printf('%.900000c', 'x'), printf('%.900000c', 'y') || 'x')", "raised exception)"),
        ("SELECT replace(printf('%.*c', 999999, 'x'), 'x', 'yyyyyy')", "(string or blob too big)"),
        ("SELECT 1; SELECT 2", "(You can only execute one statement at a time.)"),
        ("SELECT 1; VACUUM INTO '{folder}/written.db'", "(You can only execute one statement at a time.)"),
        ("SELECT 1 -- \0 x", "(the query contains a null character)"),
        ("SELECT '\ud800'", "surrogates not allowed)"),
        ("SELECT " + "(" * 5_000 + "1" + ")" * 5_000, "(parser stack overflow)"),
        ("SELECT " + "1 + " * 5_000 + "1", "(Expression tree is too large (maximum depth 1000))"),
        ("SELECT " + "1, " * 200 + "1", "(too many columns in result set)"),
        ("SELECT '" + "x" * 1_100_000 + "'", "(query string is too large)"),
        ("", "a query is refused, it must be one SELECT: "),
        ("-- SELECT name FROM t", "a query is refused, it must be one SELECT: -- SELECT name FROM t"),
    ],
)
def test_a_query_that_does_more_than_read(either: CheckingDatabase, tmp_path: Path, sql: str, said: str) -> None:
    assert said in wrong(either, sql.replace("{folder}", str(tmp_path)))
    assert [path.name for path in tmp_path.iterdir()] == ["d.sqlite"]
    assert difference(either, "SELECT name FROM t", ["a", "b"], []) is None


@pytest.mark.parametrize(
    "sql",
    [
        pytest.param(f"{ENDLESS} SELECT COUNT(*) FROM c", id="sql_recursive"),
        f"{ENDLESS} SELECT x FROM c WHERE x < 0",
        pytest.param("SELECT COUNT(*) FROM " + ", ".join(f"t AS t{i}" for i in range(40)), id="sql_cross"),
        f"{ENDLESS} SELECT MAX(LENGTH(REPLACE(PRINTF('%.*c', 900000, 'x'), 'x', 'y'))) FROM c",
        f"{ENDLESS} SELECT x FROM c ORDER BY x DESC",
    ],
)
def test_a_query_that_never_ends(either: CheckingDatabase, monkeypatch: pytest.MonkeyPatch, sql: str) -> None:
    monkeypatch.setattr(checking, "SECONDS", 0.1)
    assert wrong(either, sql).startswith("a query was interrupted: it takes longer than 0.1 seconds: ")


def test_after_three_that_never_end_no_other_is_run(
    database: CheckingDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "SECONDS", 0.05)
    for _ in range(3):
        assert "interrupted" in wrong(database, f"{ENDLESS} SELECT COUNT(*) FROM c")
    assert wrong(database, "SELECT name FROM t") == (
        "a query is not run, since 3 others took too long or too much memory: SELECT name FROM t"
    )


def test_the_clock_starts_with_each_query(database: CheckingDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter(range(0, 10_000, 15))
    monkeypatch.setattr("benchwright.benchmarks.grounding.sqlite_guard.monotonic", lambda: float(next(now)))
    for _ in range(5):
        assert difference(database, "SELECT name FROM t", ["a", "b"], []) is None


def test_all_queries_together_have_a_clock(database: CheckingDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "ALL_SECONDS", 0.0)
    monkeypatch.setattr(checking, "SECONDS_EACH", 0.0)
    assert difference(database, "SELECT name FROM t", ["a", "b"], []) is None
    said = wrong(database, "SELECT name FROM t")
    assert said == "a query is not run, since all before it took 0 seconds: SELECT name FROM t"
    monkeypatch.setattr(checking, "SECONDS_EACH", 60.0)
    assert difference(database, "SELECT name FROM t", ["a", "b"], []) is None


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        pytest.param(f"{ENDLESS} SELECT x FROM c", "a query returns more than 100,000 rows: ", id="sql_rowsbomb"),
        (f"{ENDLESS} SELECT PRINTF('%.*c', 900000, 'x') FROM c", "a query returns more than 50,000,000 bytes: "),
    ],
)
def test_a_query_that_returns_too_much(database: CheckingDatabase, sql: str, said: str) -> None:
    assert wrong(database, sql).startswith(said)


GROWS = """
import resource, sys
from benchwright.benchmarks.grounding.checking import open_for_checking
from benchwright.benchmarks.grounding.execution import difference

before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
with open_for_checking("sqlite:///d.sqlite") as database:
    for sql in sys.argv[1:]:
        print(difference(database, sql, ["a"], [])[:70])
    print(difference(database, "SELECT name FROM t", ["a", "b"], []))
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1000)
"""


def test_a_query_whose_plan_would_fill_the_memory(tmp_path: Path, run: Run) -> None:
    """Its clock does not run while SQLite plans. Views may come with a database."""
    views = ["CREATE VIEW v0 AS SELECT name AS x FROM t"]
    views += [f"CREATE VIEW v{i + 1} AS SELECT {'||'.join(['x'] * 10)} AS x FROM v{i}" for i in range(8)]
    make(tmp_path / "d.sqlite", ";".join(views))
    done = run("-c", GROWS, with_of("||".join(["x"] * 10)), "SELECT x FROM v8")
    *said, grew = done.stdout.splitlines()
    assert [line.partition(": ")[2].partition(": ")[0] for line in said[:2]] == [
        "it needs more memory than it may have"
    ] * 2
    assert said[2:] == ["None"]
    assert int(grew) < 1_100, f"{grew} MB"


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        ("SELECT printf('%.3c|%05d|%.2f|%s|%q', 'x', 7, 2.345, NULL, 'a''b')", "xxx|00007|2.35||a''b"),
        ("SELECT format('%s of 2000000000', name) FROM t WHERE size = 1", "a of 2000000000"),
        ("SELECT printf('%,d', 12345678)", "12,345,678"),
        ("SELECT trim('  x ') || ltrim('..x.', '.') || rtrim('..x.', '.') || trim('abxba', 'ab')", "xx...xx"),
        ("SELECT coalesce(trim(NULL, 'x'), trim('x', NULL), printf(NULL), 'none')", "none"),
    ],
)
def test_functions_that_are_held_give_what_they_gave(database: CheckingDatabase, sql: str, value: str) -> None:
    assert database.all(sql) == [(value,)]


def test_views_are_read_unless_they_call_what_is_not_harmless(database: CheckingDatabase) -> None:
    assert difference(database, "SELECT size FROM sizes", ["1", "2"], []) is None
    assert "load_extension" in wrong(database, "SELECT y FROM loads")


@pytest.mark.parametrize(
    "sql", ["ATTACH '{folder}/w.db' AS y", "VACUUM INTO '{folder}/w.db'", "PRAGMA user_version = 3"]
)
def test_what_a_builder_runs_only_reads(tmp_path: Path, sql: str) -> None:
    path = make(tmp_path / "d.sqlite")
    with open_database(f"sqlite:///{path}") as database, pytest.raises(BenchwrightError, match=REFUSED):
        database.all(sql.replace("{folder}", str(tmp_path)))
    assert [path.name for path in tmp_path.iterdir()] == ["d.sqlite"]


@pytest.mark.parametrize(
    ("dialect", "sql", "why"),
    [
        ("postgresql", "SELECT pg_read_file('/etc/passwd')", "it calls pg_read_file, which is not known to only read"),
        ("postgresql", "SELECT lo_export(1, 'x')", "it calls lo_export, which is not known to only read"),
        ("postgresql", "SELECT pg_sleep(9)", "it calls pg_sleep, which is not known to only read"),
        ("postgresql", "SELECT nextval('x')", "it calls nextval, which is not known to only read"),
        ("postgresql", "SELECT set_config('x', 'y', true)", "it calls set_config, which is not known to only read"),
        ("postgresql", "SELECT query_to_xml('x', true, true, '')", "it calls query_to_xml, which is not known to only read"),
        ("postgresql", "SELECT repeat('x', 1000000000)", "it calls repeat, which is not known to only read"),
        ("postgresql", "SELECT * FROM dblink('x') AS t(a int)", "it reads DBLINK('x') AS t(a INT), which is no table of this database"),
        ("postgresql", "SELECT rolpassword FROM pg_catalog.pg_authid", "it reads pg_catalog.pg_authid, which is no table of this database"),
        ("postgresql", "SELECT * FROM pg_authid", "it reads pg_authid, which is no table of this database"),
        ("postgresql", "SELECT * FROM generate_series(1, 9)", "it reads GENERATE_SERIES(1, 9), which is no table of this database"),
        ("postgresql", "SELECT * FROM t, LATERAL (SELECT 1) AS x", "it reads from LATERAL, which is no table of this database"),
        ("postgresql", "COPY t TO PROGRAM 'x'", "it must be one SELECT"),
        ("postgresql", "CALL f()", "it must be one SELECT"),
        ("postgresql", "DO $$ BEGIN END $$", "it must be one SELECT"),
        ("postgresql", "EXPLAIN ANALYZE SELECT 1", "it must be one SELECT"),
        ("postgresql", "SELECT 1; SELECT 2", "it must be one SELECT"),
        ("postgresql", "", "it must be one SELECT"),
        ("postgresql", "SELECT name INTO u FROM t", "it holds INTO and must only read"),
        ("postgresql", "SELECT name FROM t FOR UPDATE", "it holds LOCK and must only read"),
        ("postgresql", "WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x", "it holds DELETE and must only read"),
        ("postgresql", f"{ENDLESS} SELECT x FROM c", "it holds WITH RECURSIVE"),
        ("postgresql", "SELECT name FROM t -- x", "it holds a comment"),
        ("postgresql", "SELECT " + "(" * 3_000, "it cannot be parsed (it is too deep)"),
        ("postgresql", "SELECT '" + "x" * 100_000 + "'", "it has more than 100,000 characters"),
        ("postgresql", f"SELECT {'||'.join(['name'] * 300)} FROM t", "it joins more than 200 texts"),
        *((dialect, sql, "it has more than 200,000 parts with its columns written out")
          for dialect in ("postgresql", "mariadb", "duckdb") for sql in GROWING.values()),
        ("mysql", "SELECT 1 /*!50000 INTO OUTFILE 'x' */", "it holds a comment"),
        ("mysql", "SELECT name FROM t # x", "it holds a comment"),
        ("mysql", "SELECT LOAD_FILE('x')", "it calls load_file, which is not known to only read"),
        ("mariadb", "SELECT SLEEP(3) FROM t", "it calls sleep, which is not known to only read"),
        ("mariadb", "SELECT BENCHMARK(1e9, 1)", "it calls benchmark, which is not known to only read"),
        ("mysql", "SELECT @@version", "it names a variable of the server"),
        ("mysql", "SELECT 1 INTO @x", "it holds INTO and must only read"),
        ("duckdb", "SELECT * FROM 'x.csv'", 'it reads "x.csv", which is no table of this database'),
        ("duckdb", "SELECT * FROM read_csv('x')", "it reads READ_CSV('x'), which is no table of this database"),
        ("duckdb", "SELECT getenv('HOME')", "it calls getenv, which is not known to only read"),
        pytest.param("duckdb", "COPY (SELECT 'pwned') TO 'x.csv'", "it must be one SELECT", id="duck"),
        ("duckdb", "ATTACH 'x'", "it must be one SELECT"),
        ("duckdb", "INSTALL httpfs", "it must be one SELECT"),
    ],
)  # fmt: skip
def test_what_a_server_never_sees(dialect: str, sql: str, why: str) -> None:
    with pytest.raises(BenchwrightError) as refused:
        require_one_select(sql, dialect, {"t", "public.t"})
    assert str(refused.value) == f"a query is refused, {why}: {' '.join(sql.split())[:300]}"


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT name FROM t WHERE name = 'a;b -- c' AND size > 3",
        "SELECT COUNT(DISTINCT a.name), MAX(LOWER(b.name)) FROM public.t AS a JOIN t AS b ON a.size = b.size",
        "WITH x AS (SELECT name FROM t) SELECT name FROM x UNION SELECT CAST(size AS TEXT) FROM t ORDER BY name LIMIT 3",
        f"SELECT name FROM t WHERE name IN ({', '.join(['name'] * 2_000)})",
        "SELECT "
        + ", ".join(f"CASE WHEN size BETWEEN {i} AND {i + 1} THEN REPLACE(name, 'a', 'bb') END" for i in range(200))
        + " FROM t",
        f"SELECT name FROM t WHERE name = '{'x' * 90_000}'",
        "SELECT d.e FROM (SELECT c.x || c.y AS e FROM (SELECT UPPER(name) AS x, LOWER(name) AS y FROM t) AS c) AS d",
        "SELECT name || ' ' || size FROM t WHERE EXISTS (SELECT 1 FROM t AS u WHERE u.name LIKE 'a%')",
    ],
)
def test_honest_queries_reach_a_server(sql: str) -> None:
    require_one_select(sql, "postgresql", {"t", "public.t"})
