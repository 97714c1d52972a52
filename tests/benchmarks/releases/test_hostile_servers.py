"""What SQL of strangers can do to a real PostgreSQL, MariaDB and DuckDB, as an administrator: nothing but read."""

import resource
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from databases import DatabaseServer, DatabaseServers, execute, need_driver, results
from growing_sql import GROWING
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError
from support import in_full

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding import checking
from benchwright.benchmarks.grounding.checking import open_for_checking
from benchwright.benchmarks.grounding.database import open_database
from benchwright.benchmarks.grounding.execution import difference

DIALECTS = ("postgresql", "mariadb", "duckdb")
LITERALS = (
    "100% sure",
    "%s",
    "%(x)s",
    "50%%",
    "%b :x",
    ":bind",
    "a\\",
    "O'Neill",
    'a"b',
    "a\\'b",
    "é %d",
    "--",
    "/* x",
)
"""What drivers, parsers and servers each like to read something else in."""
SECRET = "canary-of-a-file"


@dataclass
class Target:
    """A database that is attacked, and a folder in which everybody may write."""

    dialect: str
    url: URL
    loot: Path
    server: DatabaseServer | None = None

    @property
    def text(self) -> str:
        """The URL with its password."""
        return self.url.render_as_string(hide_password=False)

    def state(self) -> list[Any]:
        """All that an attack might have changed."""
        files = sorted(str(path.relative_to(self.loot)) for path in self.loot.rglob("*"))
        asked = {
            "postgresql": (
                "SELECT name, size FROM t ORDER BY size", "SELECT last_value, is_called FROM counter",
                "SELECT count(*) FROM pg_class", "SELECT count(*) FROM pg_proc", "SELECT count(*) FROM pg_largeobject_metadata",
                "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'", "SELECT count(*) FROM pg_authid",
                "SELECT count(*) FROM pg_prepared_xacts", "SELECT count(*) FROM pg_db_role_setting", "SELECT setting FROM pg_settings WHERE name = 'work_mem'",
            ),
            "mariadb": (
                "SELECT name, size FROM t ORDER BY size", "SELECT next_not_cached_value FROM counter",
                "SELECT COUNT(*) FROM information_schema.tables", "SELECT COUNT(*) FROM information_schema.routines",
                "SELECT IS_USED_LOCK('x')", "SELECT COUNT(*) FROM mysql.global_priv", "SELECT @@GLOBAL.general_log",
            ),
            "duckdb": ("SELECT name, size FROM t ORDER BY size", "SELECT count(*) FROM duckdb_tables()"),
        }[self.dialect]  # fmt: skip
        return [files, *results(self.url, *asked)]


ROWS = ("CREATE TABLE t (name VARCHAR(60), size INTEGER)", "INSERT INTO t VALUES ('a', 1), ('b', 2)")
SETUP = {
    "postgresql": (
        *ROWS,
        "CREATE TABLE many AS SELECT x FROM generate_series(0, 999) AS x",
        "CREATE TABLE large AS SELECT repeat('x', 1000000) AS content",
        "CREATE SEQUENCE counter",
        "CREATE EXTENSION dblink",
        "CREATE SCHEMA evil",
        "CREATE FUNCTION writes() RETURNS int LANGUAGE plpgsql AS 'BEGIN DELETE FROM t; RETURN 1; END'",
        "CREATE FUNCTION evil.upper(text) RETURNS int LANGUAGE plpgsql AS 'BEGIN DELETE FROM t; RETURN 1; END'",
        "CREATE FUNCTION evil.plus(text, text) RETURNS int LANGUAGE plpgsql AS 'BEGIN DELETE FROM t; RETURN 1; END'",
        "CREATE OPERATOR evil.+ (FUNCTION = evil.plus, LEFTARG = text, RIGHTARG = text)",
        "CREATE VIEW writing AS SELECT writes() AS name",
        "CREATE VIEW counting AS SELECT nextval('counter') AS name",
        "CREATE VIEW waiting AS SELECT pg_sleep(60)::text AS name",
    ),
    "mariadb": (
        *ROWS,
        "CREATE TABLE many AS SELECT seq AS x FROM seq_0_to_999",
        "CREATE TABLE large AS SELECT REPEAT('x', 1000000) AS content",
        "CREATE SEQUENCE counter",
        "CREATE FUNCTION writes() RETURNS INT BEGIN DELETE FROM t; RETURN 1; END",
        "CREATE VIEW writing AS SELECT writes() AS name",
        "CREATE VIEW waiting AS SELECT SLEEP(60) AS name",
    ),
    "duckdb": (
        *ROWS,
        "CREATE TABLE many AS SELECT CAST(range AS INTEGER) AS x FROM range(1000)",
        "CREATE TABLE large AS SELECT repeat('x', 1000000) AS content",
    ),
}


@pytest.fixture(scope="module")
def targets(servers: DatabaseServers, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Target]:
    return {}


@pytest.fixture
def target(
    request: pytest.FixtureRequest,
    servers: DatabaseServers,
    targets: dict[str, Target],
    tmp_path_factory: pytest.TempPathFactory,
) -> Target:
    """The database of a dialect, made once for all attacks."""
    dialect: str = request.param
    if dialect not in targets:
        targets[dialect] = _make(dialect, servers, tmp_path_factory)
    return targets[dialect]


def _make(dialect: str, servers: DatabaseServers, folders: pytest.TempPathFactory) -> Target:
    if dialect == "duckdb":
        need_driver("duckdb_engine", "duckdb")
        loot = folders.mktemp("duckdb")
        url = URL.create("duckdb", database=str(loot / "d.duckdb"))
        execute(url, *SETUP[dialect])
        (loot / "secret.csv").write_text(f"name\n{SECRET}\n")
        return Target(dialect, url, loot)
    server = servers.get(dialect)
    loot = server.folder / "loot"
    loot.mkdir()
    loot.chmod(0o777)
    (loot / "secret.csv").write_text(f"name\n{SECRET}\n")
    return Target(dialect, server.new(*SETUP[dialect]), loot, server)


ATTACKS: dict[str, tuple[tuple[str, str], ...]] = {
    "postgresql": (
        ("COPY t TO '{loot}/x'", "it must be one SELECT"),
        ("COPY (SELECT 1) TO PROGRAM 'touch {loot}/x'", "it must be one SELECT"),
        ("SELECT pg_read_file('{loot}/secret.csv')", "it calls pg_read_file"),
        ("SELECT pg_read_binary_file('{loot}/secret.csv')", "it calls pg_read_binary_file"),
        ("SELECT pg_ls_dir('{loot}')", "it calls pg_ls_dir"),
        ("SELECT pg_catalog.pg_read_file('{loot}/secret.csv')", "it calls pg_read_file"),
        ("SELECT lo_export(lo_from_bytea(0, 'x'), '{loot}/x')", "it calls lo_export"),
        ("SELECT lo_import('{loot}/secret.csv')", "it calls lo_import"),
        ("SELECT lo_create(0)", "it calls lo_create"),
        ("SELECT pg_file_write('{loot}/x', 'x', false)", "it calls pg_file_write"),
        ("SELECT * FROM dblink('dbname=postgres', 'DELETE FROM t') AS x(a int)", "which is no table of this database"),
        ("SELECT dblink_exec('dbname=postgres', 'DELETE FROM t')", "it calls dblink_exec"),
        ("SELECT name INTO u FROM t", "it holds INTO"),
        ("SELECT name FROM t FOR UPDATE", "it holds LOCK"),
        ("SELECT name FROM t FOR NO KEY UPDATE SKIP LOCKED", "a query is refused"),
        ("SELECT nextval('counter')", "it calls nextval"),
        ("SELECT setval('counter', 9)", "it calls setval"),
        ("SELECT pg_sleep(60)", "it calls pg_sleep"),
        ("SELECT pg_terminate_backend(pid) FROM pg_stat_activity", "a query is refused"),
        ("SELECT pg_advisory_lock(1)", "it calls pg_advisory_lock"),
        ("SELECT pg_reload_conf()", "it calls pg_reload_conf"),
        ("SELECT set_config('transaction_read_only', 'off', false)", "it calls set_config"),
        ("SET transaction_read_only = off", "it must be one SELECT"),
        ("ALTER SYSTEM SET work_mem = '1GB'", "it must be one SELECT"),
        ("DO $$ BEGIN DELETE FROM t; END $$", "it must be one SELECT"),
        ("CALL x()", "it must be one SELECT"),
        ("EXPLAIN ANALYZE DELETE FROM t", "it must be one SELECT"),
        ("PREPARE TRANSACTION 'x'", "it must be one SELECT"),
        ("NOTIFY x", "it must be one SELECT"),
        ("SELECT 1; DELETE FROM t", "it must be one SELECT"),
        ("SELECT 1) AS x; DELETE FROM t; SELECT * FROM (SELECT 1", "a query is refused"),
        ("SELECT 1) AS checked --", "a query is refused"),
        ("SELECT '\\'; DELETE FROM t; --'", "it holds a comment"),
        ("SELECT E'\\'; DELETE FROM t; --'", "the query returns"),
        ("SELECT $$'; DELETE FROM t; --$$", "the query returns"),
        ("SELECT U&'\\0027; DELETE FROM t; --'", "the query returns"),
        ("WITH x AS (DELETE FROM t RETURNING name) SELECT name FROM x", "it holds DELETE"),
        ("SELECT writes()", "it calls writes"),
        ("SELECT evil.upper('x')", "it calls upper"),
        ("SELECT \"evil\".\"upper\"('x')", "it calls upper"),
        ("SELECT 'x' OPERATOR(evil.+) 'y'", "it names an operator of a schema"),
        ("SELECT name FROM writing", "cannot execute DELETE in a read-only transaction"),
        ("SELECT name FROM counting", "cannot execute nextval() in a read-only transaction"),
        ("SELECT rolpassword FROM pg_authid", "which is no table of this database"),
        ("SELECT query_to_xml('DELETE FROM t', true, true, '')", "it calls query_to_xml"),
        ("SELECT xmlparse(DOCUMENT '<!DOCTYPE x SYSTEM \"{loot}/secret.csv\">')", "a query is refused"),
        ("SELECT lower(name COLLATE \"C\") FROM t, generate_series(1, 9)", "it calls collate"),
        ("SELECT current_setting('data_directory')", "it calls current_setting"),
        ("TABLE t", "it must be one SELECT"),
        ("VALUES (1)", "it must be one SELECT"),
        ("SELECT REPEAT('x', 1000000000)", "it calls repeat"),
        ("SELECT RPAD('x', 1000000000)", "a query is refused"),
        ("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c", "it holds WITH RECURSIVE"),
    ),
    "mariadb": (
        ("SELECT name FROM t INTO OUTFILE '{loot}/x'", "a query is refused"),
        ("SELECT name INTO OUTFILE '{loot}/x' FROM t", "a query is refused"),
        ("SELECT 'x' INTO DUMPFILE '{loot}/x'", "a query is refused"),
        ("SELECT 1 /*!50000 INTO OUTFILE '{loot}/x' */", "it holds a comment"),
        ("SELECT 1 /*M! INTO OUTFILE '{loot}/x' */", "it holds a comment"),
        ("SELECT '\\' INTO OUTFILE ''{loot}/x'' -- '", "it holds a comment"),
        ("SELECT \"\\\" INTO OUTFILE '{loot}/x' -- \"", "a query is refused"),
        ("SELECT LOAD_FILE('{loot}/secret.csv')", "it calls load_file"),
        ("LOAD DATA INFILE '{loot}/secret.csv' INTO TABLE t", "it must be one SELECT"),
        ("LOAD DATA LOCAL INFILE '{loot}/secret.csv' INTO TABLE t", "it must be one SELECT"),
        ("SELECT SLEEP(60)", "it calls sleep"),
        ("SELECT BENCHMARK(1000000000, SHA1('x'))", "it calls benchmark"),
        ("SELECT GET_LOCK('x', 1)", "it calls get_lock"),
        ("SELECT RELEASE_ALL_LOCKS()", "it calls release_all_locks"),
        ("SELECT NEXTVAL(counter)", "it calls nextval"),
        ("SELECT NEXT VALUE FOR counter", "a query is refused"),
        ("SELECT SETVAL(counter, 9)", "it calls setval"),
        ("SELECT LASTVAL(counter)", "it calls lastval"),
        ("SELECT name FROM t FOR UPDATE", "it holds LOCK"),
        ("SELECT name FROM t LOCK IN SHARE MODE", "it holds LOCK"),
        ("SELECT name INTO @x FROM t", "a query is refused"),
        ("SELECT @x := 1", "a query is refused"),
        ("SELECT @@GLOBAL.general_log", "it names a variable of the server"),
        ("SET GLOBAL general_log = 1", "it must be one SELECT"),
        ("SET STATEMENT max_statement_time = 0 FOR SELECT 1", "it must be one SELECT"),
        ("DELETE FROM t RETURNING name", "it must be one SELECT"),
        ("HANDLER t OPEN", "it must be one SELECT"),
        ("DO SLEEP(60)", "it must be one SELECT"),
        ("FLUSH TABLES WITH READ LOCK", "it must be one SELECT"),
        ("LOCK TABLES t WRITE", "it must be one SELECT"),
        ("KILL 1", "it must be one SELECT"),
        ("SHUTDOWN", "it must be one SELECT"),
        ("INSTALL SONAME 'x'", "it must be one SELECT"),
        ("PREPARE s FROM 'DELETE FROM t'", "it must be one SELECT"),
        ("EXECUTE IMMEDIATE 'DELETE FROM t'", "it must be one SELECT"),
        ("BEGIN NOT ATOMIC DELETE FROM t; END", "it must be one SELECT"),
        ("SELECT 1; DELETE FROM t", "it must be one SELECT"),
        ("SELECT writes()", "it calls writes"),
        ("SELECT name FROM writing", "Cannot execute statement in a READ ONLY transaction"),
        ("SELECT authentication_string FROM mysql.user", "which is no table of this database"),
        ("SELECT user FROM \"mysql\".\"user\"", "which is no table of this database"),
        ("SELECT table_name FROM information_schema.tables", "which is no table of this database"),
        ("SELECT * FROM t PROCEDURE ANALYSE()", "a query is refused"),
        ("SELECT * FROM JSON_TABLE('[1]', '$[*]' COLUMNS (a INT PATH '$')) AS x", "a query is refused"),
        ("SELECT EXTRACTVALUE('<x/>', '/x')", "it calls extractvalue"),
        ("SELECT REPEAT('x', 1000000000)", "it calls repeat"),
        ("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c", "it holds WITH RECURSIVE"),
    ),
    "duckdb": (
        ("COPY t TO '{loot}/x.csv'", "it must be one SELECT"),
        ("SELECT * FROM read_csv('{loot}/secret.csv')", "which is no table of this database"),
        ("SELECT * FROM '{loot}/secret.csv'", "which is no table of this database"),
        ("SELECT * FROM \"{loot}/secret.csv\"", "which is no table of this database"),
        ("SELECT * FROM read_text('{loot}/secret.csv')", "which is no table of this database"),
        ("SELECT * FROM glob('{loot}/*')", "which is no table of this database"),
        ("SELECT content FROM read_blob('http://127.0.0.1:1/x')", "which is no table of this database"),
        ("ATTACH '{loot}/x.db'", "it must be one SELECT"),
        ("INSTALL httpfs", "it must be one SELECT"),
        ("LOAD httpfs", "it must be one SELECT"),
        ("EXPORT DATABASE '{loot}/x'", "it must be one SELECT"),
        ("SET enable_external_access = true", "it must be one SELECT"),
        ("PRAGMA database_list", "it must be one SELECT"),
        ("CHECKPOINT", "it must be one SELECT"),
        ("DELETE FROM t RETURNING name", "it must be one SELECT"),
        ("CREATE TABLE u AS SELECT 1", "it must be one SELECT"),
        ("SELECT 1; DROP TABLE t", "it must be one SELECT"),
        ("FROM t", "it must be one SELECT"),
        ("SELECT getenv('HOME')", "it calls getenv"),
        ("SELECT main.getenv('HOME')", "it calls getenv"),
        ("SELECT 'HOME'.getenv()", "it calls getenv"),
        ("SELECT current_setting('home_directory')", "it calls current_setting"),
        ("SELECT nextval('counter')", "it calls nextval"),
        ("SELECT * FROM duckdb_settings()", "which is no table of this database"),
        ("SELECT * FROM duckdb_secrets()", "which is no table of this database"),
        ("SELECT * FROM query('DELETE FROM t')", "which is no table of this database"),
        ("SELECT * FROM query_table('t')", "which is no table of this database"),
        ("SELECT * FROM range(1000000000000)", "which is no table of this database"),
        ("SELECT unnest(range(1000000000000))", "a query is refused"),
        ("SELECT REPEAT('x', 1000000000)", "it calls repeat"),
        ("SELECT list_transform([1], x -> x)", "a query is refused"),
        ("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c", "it holds WITH RECURSIVE"),
    ),
}  # fmt: skip


def _cases(dialect: str) -> list[Any]:
    """What is refused before the server sees it is the same code for all: of that, a run of every day takes a fourth."""
    here = [(number % 4 == 0 or not said.startswith("it "), (dialect, sql, said))
            for number, (sql, said) in enumerate(ATTACKS[dialect])]  # fmt: skip
    return [case for daily, case in here if daily] + in_full(*(case for daily, case in here if not daily))


@pytest.mark.parametrize(
    ("target", "sql", "said"),
    [case for dialect in DIALECTS for case in _cases(dialect)],
    indirect=["target"],
)
def test_an_attack_reads_and_writes_nothing(target: Target, sql: str, said: str) -> None:
    before = target.state()
    with open_for_checking(target.text) as database:
        found = difference(database, sql.replace("{loot}", str(target.loot)), ["expected"], [])
        assert difference(database, "SELECT name FROM t", ["a", "b"], []) is None
    assert found is not None
    assert said in found
    assert "\n" not in found and SECRET not in found and len(found) < 700
    assert target.state() == before
    assert target.server is None or target.server.alive()


@pytest.mark.parametrize("target", DIALECTS, indirect=True)
def test_a_query_that_never_ends(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "SECONDS", 0.3)
    sql = (
        "SELECT COUNT(*) FROM " + ", ".join(f"many AS m{i}" for i in range(8)) + " WHERE m0.x * 7 + m7.x = m3.x * 3 + 1"
    )
    with open_for_checking(target.text) as database:
        found = difference(database, sql, ["x"], [])
    assert found is not None
    assert found.startswith("a query was interrupted: it takes longer than 0.3 seconds: ")


@pytest.mark.parametrize("target", DIALECTS, indirect=True)
def test_more_tables_than_a_planner_can_bear(target: Target) -> None:
    sql = "SELECT COUNT(*) FROM " + ", ".join(f"t AS t{i}" for i in range(21))
    with open_for_checking(target.text) as database:
        found = difference(database, sql, ["x"], [])
    assert found is not None and found.startswith("a query is refused, it reads more than 20 tables: ")


@pytest.mark.parametrize("target", ["postgresql", "mariadb"], indirect=True)
def test_a_view_that_waits(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "SECONDS", 0.3)
    with open_for_checking(target.text) as database:
        found = difference(database, "SELECT name FROM waiting", ["x"], [])
    assert found is not None and found.startswith("a query was interrupted: ")


@pytest.mark.parametrize(
    ("target", "huge"),
    [
        ("postgresql", "a query is refused, a row has more than 10,000,000 bytes: "),
        ("mariadb", "the query returns "),  # null: longer than max_allowed_packet
        ("duckdb", "a query returns more than 50,000,000 bytes: "),
    ],
    indirect=["target"],
)
def test_rows_without_end_and_rows_that_are_huge(target: Target, huge: str) -> None:
    """In bounded memory: the driver is never given what it would have to hold. Neither runs until the clock."""
    many = "SELECT a.x FROM many AS a, many AS b"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with open_for_checking(target.text) as database:
        found = difference(database, many, ["x"], [])
        assert found is not None and found.startswith("a query returns more than 100,000 rows: ")
        found = difference(database, f"SELECT CONCAT({', '.join(['content'] * 60)}) FROM large", ["x"], [])
        assert found is not None and found.startswith(huge)
        assert "\n" not in found and len(found) < 900
    grew = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1000
    assert grew < 700, f"{grew} MB"


@pytest.mark.parametrize(
    ("target", "name"),
    [
        *((dialect, name) for dialect in DIALECTS for name in ("with", "replaced")),
        *in_full(*((dialect, name) for dialect in DIALECTS for name in GROWING if name not in ("with", "replaced"))),
    ],
    indirect=["target"],
)
def test_what_a_planner_would_write_out(target: Target, name: str) -> None:
    with open_for_checking(target.text) as database:
        found = difference(database, GROWING[name], ["x"], [])
        assert difference(database, "SELECT name FROM t", ["a", "b"], []) is None
    assert found is not None
    assert found.startswith("a query is refused, it has more than 200,000 parts with its columns written out: ")


@pytest.mark.parametrize("target", ["postgresql"], indirect=True)
def test_a_server_whose_memory_is_at_its_end(target: Target) -> None:
    """As the tests' own is bounded: what a server then says is one line, and it goes on. Run past our own reading."""
    monkey = (
        "SELECT " + ", ".join([f"CONCAT({', '.join(['content'] * 90)}) AS c{i}" for i in range(20)]) + " FROM large"
    )
    with open_database(target.text) as database:
        with pytest.raises(
            BenchwrightError, match=r"answers with an error \(out of memory\) to: SELECT CONCAT"
        ) as raised:
            database.all(monkey)
        assert "\n" not in str(raised.value)
        assert database.all("SELECT COUNT(*) FROM t") == [(2,)]


@pytest.mark.parametrize("target", DIALECTS, indirect=True)
def test_what_a_builder_runs_only_reads(target: Target) -> None:
    before = target.state()
    with open_database(target.text) as database:
        for statement in ("INSERT INTO t VALUES ('c', 3)", "CREATE TABLE u (x INTEGER)", "DROP TABLE t"):
            with database.engine.connect() as connection, pytest.raises(SQLAlchemyError, match=r"(?i)read.only"):
                connection.exec_driver_sql(statement)
        assert database.all("SELECT name FROM t ORDER BY name") == [("a",), ("b",)]
    assert target.state() == before


@pytest.mark.parametrize("target", DIALECTS, indirect=True)
def test_texts_of_all_kinds_are_literals(target: Target) -> None:
    """In a session of a release's SQL and in that of a build, bound or not."""
    for text in LITERALS:
        literal = "'" + text.replace("'", "''") + "'"
        sql = f"SELECT name, {literal} AS x FROM t WHERE size = 1 AND {literal} = {literal}"
        with open_for_checking(target.text) as database:
            assert difference(database, sql, ["a", text], []) is None
        with open_database(target.text) as database:
            assert database.all(sql) == [("a", text)]
            assert database.all(f"{sql} AND name = :bound_0", {"bound_0": "a"}) == [("a", text)]


def test_a_duckdb_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    need_driver("duckdb_engine", "duckdb")
    for name in ("", "/:memory:", f"/{tmp_path}/none.duckdb"):
        with pytest.raises(BenchwrightError), open_for_checking(f"duckdb://{name}") as database:
            database.all("SELECT 1")
    assert list(tmp_path.iterdir()) == []
