"""Releases that somebody made to do harm: how each is made from a right one, and what is said of it.

Fields of manifests, SQL, Parquet files and Hubs have tables of their own: `test_hostile_manifest.py`,
`test_hostile_sql.py`, `test_budget.py`, `test_hostile_hub.py`.
"""

import json
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.benchmarks.schemas import QUESTIONS as COLUMNS

Make = Callable[[Path], object]
Table = dict[str, tuple[Make, str]]
"""Name → how it is made in a folder, and what its line matches."""
SHARD = "questions/test-00000-of-00001.parquet"
EVIDENCE = COLUMNS.columns.field("evidence").type
OUTSIDE = {"document": "gannet-rock", "start": -5, "end": 1_000_000, "fact": 0}


def edit(path: str, content: bytes | str) -> Make:
    def make(folder: Path) -> None:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content.encode() if isinstance(content, str) else content)

    return make


def manifest(**changes: object) -> Make:
    def make(folder: Path) -> None:
        path = folder / "manifest.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))

    return make


def link(path: str, target: str) -> Make:
    def make(folder: Path) -> None:
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).unlink(missing_ok=True)
        (folder / path).symlink_to(target)

    return make


def fifo(path: str) -> Make:
    def make(folder: Path) -> None:
        (folder / path).unlink(missing_ok=True)
        os.mkfifo(folder / path)

    return make


def table(columns: dict[str, object]) -> Make:
    return lambda folder: pq.write_table(pa.table(columns), folder / SHARD)


def database(script: str) -> Make:
    def make(folder: Path) -> None:
        with sqlite3.connect(folder / "database" / "grammar.sqlite") as connection:
            connection.executescript(script)
        connection.close()

    return make


def sql(query: str) -> Make:
    """Every question of the release has this query; {here} is the folder of the release's own."""

    def make(folder: Path) -> None:
        said = query.replace("{here}", str(folder.parent))
        for path in (folder / "questions").glob("*.parquet"):
            rows = pq.read_table(path)
            place = rows.schema.get_field_index("sql")
            pq.write_table(rows.set_column(place, "sql", pa.array([said] * len(rows), pa.string())), path)

    return make


def flipped(path: str) -> Make:
    """Every bit of a file is the other."""

    def make(folder: Path) -> None:
        (folder / path).write_bytes(bytes(255 - byte for byte in (folder / path).read_bytes()))

    return make


def broken_schema(folder: Path) -> None:
    with sqlite3.connect(folder / "database" / "grammar.sqlite") as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET sql = 'CREATE TABLE t (' WHERE name = 'company'")
    connection.close()


def large_database(folder: Path) -> None:
    """Above the size that is copied before it is asked; the file has holes."""
    sql("VACUUM INTO '{here}/pwned.db'")(folder)
    with (folder / "database" / "grammar.sqlite").open("ab") as file:
        file.truncate(1_100_000_000)


NOT_AS = r"error: .*manifest\.json is not as it must be: {}.*"
NOT_READ = r"error: .*manifest\.json cannot be read: .*"
IS_A = r"error: .* is a {}: a release holds files and folders alone; get it again from its source"
DEEP = "[" * 200_000 + "]" * 200_000
ANY = r"(error|wrong): .+"
RELEASES: Table = {
    "name_abs": (manifest(name="/tmp/pwned"), NOT_AS.format("name: ")),
    "name_traversal": (manifest(name="../../pwned"), NOT_AS.format("name: ")),
    "name_number": (manifest(name=7), NOT_AS.format("name")),
    "name_ansi": (manifest(name="\x1b[31mred"), NOT_AS.format("name: ")),
    "name_html": (manifest(name="<script>"), NOT_AS.format("name: ")),
    "version_traversal": (manifest(version="../../pwned"), NOT_AS.format("version: ")),
    "version_word": (manifest(version="latest"), NOT_AS.format("version: ")),
    "builder_int": (manifest(builder=7), NOT_AS.format("builder")),
    "checks_list": (manifest(checks=[]), NOT_AS.format("checks")),
    "config_traversal": (manifest(splits={"../x": {"test": 1}}), NOT_AS.format("splits: ")),
    "config_unknown": (manifest(builder="aurp", splits={"evil": {"test": 1}}), NOT_AS.format("splits: ")),
    "content_hash_int": (manifest(content_hash=7), NOT_AS.format("content_hash")),
    "files_abs": (manifest(files={"/etc/passwd": {"sha256": "0" * 64, "bytes": 1}}), NOT_AS.format("files: ")),
    "files_dotdot": (manifest(files={"../x": {"sha256": "0" * 64, "bytes": 1}}), NOT_AS.format("files: ")),
    "files_list": (manifest(files=[]), NOT_AS.format("files")),
    "files_no_bytes": (manifest(files={"a": {"sha256": "0" * 64}}), NOT_AS.format("files")),
    "files_str_entry": (manifest(files={"a": "x"}), NOT_AS.format("files")),
    "format_big": (manifest(format=99), "error: .* has format 99, this program reads up to 1: .*"),
    "holdout_list": (manifest(holdout=[]), NOT_AS.format("holdout")),
    "holdout_nopublic": (manifest(holdout={"secret": "0" * 64}), NOT_AS.format("holdout")),
    "holdout_str": (manifest(holdout="x"), NOT_AS.format("holdout")),
    "holdout_traversal": (
        manifest(holdout={"share": 0.5, "public": "../x", "public_content_hash": "0" * 64, "secret": "0" * 64}),
        NOT_AS.format("holdout"),
    ),
    "manifest_big": (edit("manifest.json", b" " * 5_000_000), NOT_READ),
    "manifest_deep": (edit("manifest.json", DEEP), NOT_READ),
    "manifest_html": (edit("manifest.json", "<html>"), NOT_READ),
    "manifest_empty": (edit("manifest.json", ""), NOT_READ),
    "manifest_nul": (edit("manifest.json", b"\0" * 1_000), NOT_READ),
    "manifest_devzero": (link("manifest.json", "/dev/zero"), ANY),
    "models_str": (manifest(models="x"), NOT_AS.format("models")),
    "parameters_list": (manifest(parameters=[]), NOT_AS.format("parameters")),
    "rows_huge": (manifest(rows={"questions": 10**30}), NOT_AS.format("rows")),
    "seed_str": (manifest(seed="7"), NOT_AS.format("seed")),
    "sources_liststr": (manifest(sources=["x"]), NOT_AS.format("sources")),
    "sources_str": (manifest(sources="x"), NOT_AS.format("sources")),
    "splits_glob": (manifest(splits={"questions": {"*": 1}}), NOT_AS.format("splits")),
    "splits_list": (manifest(splits=[]), NOT_AS.format("splits")),
    "splits_traversal": (manifest(splits={"questions": {"../test": 1}}), NOT_AS.format("splits")),
    "dir_symlink": (link("templates", "/etc"), IS_A.format("link")),
    "files_symlink": (link("README.md", "/etc/hostname"), IS_A.format("link")),
    "readme_devzero": (link("README.md", "/dev/zero"), IS_A.format("link")),
    "shard_devzero": (link(SHARD, "/dev/zero"), IS_A.format("link")),
    "symlink_loop": (link("loop", "."), IS_A.format("link")),
    "fifo": (fifo("extra"), IS_A.format("pipe")),
    "fifo_listed": (fifo("README.md"), IS_A.format("pipe")),
}
"""What every command refuses in the same way: the names of the first wave's list."""

SCHEMA = "CREATE TABLE t (name TEXT, n INTEGER); INSERT INTO t VALUES ('a', 1), ('b', 2);"
QUESTIONS: Table = {
    "empty_parquet": (edit(SHARD, b""), "cannot be read: "),
    "garbage": (edit(SHARD, os.urandom(5_000)), "cannot be read: "),
    "html": (edit(SHARD, "<html>"), "cannot be read: "),
    "truncated": (edit(SHARD, b"PAR1" + b"\0" * 100 + b"PAR1"), "cannot be read: "),
    "footer_huge": (edit(SHARD, b"PAR1\xff\xff\xff\x7fPAR1"), "cannot be read: "),
    "flipped": (flipped(SHARD), "cannot be read: "),
    "nested_nulls": (
        table({"id": ["a"], "question": ["Who?"], "answers": pa.array([[None]], pa.list_(pa.string()))}),
        "row 1 has nothing where answers must have a value",
    ),
    "no_id_col": (table({"question": ["Who?"]}), "row 1 has no id"),
    "null_row": (
        table({"id": pa.array([None], pa.string()), "question": pa.array([None], pa.string())}),
        "row 1 has no id",
    ),
    "types_binary": (table({"id": [b"\xff\xfe"], "question": [b"\xff"]}), "cannot be read: "),
    "types_struct": (table({"id": [{"a": 1}], "question": [{"b": 2}]}), "cannot be read: "),
    "bomb_rows": (
        table({"id": pa.nulls(3_000_000, pa.string()), "question": pa.nulls(3_000_000, pa.string())}),
        "unfold to 3,000,000 rows or more, and may to 1,",
    ),
    "bomb_text": (
        table(
            {
                "id": ["a"] * 3_000,
                "question": pa.DictionaryArray.from_arrays(pa.array([0] * 3_000, pa.int32()), ["x" * 1_000_000]),
            }
        ),
        "it has 3,000 rows, and the manifest says 8",
    ),
    "more_rows_than_said": (
        table({"id": [str(i) for i in range(99)], "question": ["Who?"] * 99}),
        "it has 99 rows, and the manifest says 8",
    ),
}
WRONG: Table = {
    "dup_ids": (
        table({"id": ["a", "a"], "question": ["Who?", "Who?"]}),
        "wrong: id: question a is there more than once",
    ),
    "odd_ids": (
        table({"id": ["../../x", "\x1b[31m"], "question": ["Who?", "Who?"]}),
        "wrong: rows: questions has 2 rows",
    ),
    "types_int": (table({"id": [1, 2], "question": [3, 4]}), "wrong: rows: questions has 2 rows"),
    "metadata_bad": (
        table({"id": ["a"], "question": ["Who?"], "metadata": ["[" * 100_000]}),
        "wrong: rows: questions has 1 rows",
    ),
    "evidence_range": (
        table({"id": ["a"], "question": ["Who?"], "evidence": pa.array([[OUTSIDE]], EVIDENCE)}),
        "wrong: evidence: question a: ",
    ),
    "odd_values": (
        table({"id": ["a"], "question": ["Who?"], "answer_type": ["?"], "answerability": ["?"]}),
        "wrong: rows: questions has 1 rows",
    ),
    "templates_deep": (edit("templates/a.json", DEEP), "a.json cannot be read: maximum recursion"),
    "templates_list": (edit("templates/a.json", "[]"), "a.json cannot be read: it is no JSON object"),
    "templates_wrong": (edit("templates/a.json", "{"), "a.json cannot be read: Expecting"),
    "templates_bytes": (edit("templates/a.json", b"\xff\xfe"), "a.json cannot be read: 'utf-8' codec"),
    "templates_nan": (edit("templates/a.json", '{"a": NaN}'), "it has no SQL, and the release has the templates"),
    "templates_surrogate": (
        edit("templates/a.json", '{"a": "\\ud800"}'),
        "it has no SQL, and the release has the templates",
    ),
    "templates_many": (
        edit("templates/a.json", "{" + '"a":[],' * 3_000_000 + '"b":[]}'),
        "templates is not read: it has 21,000,008 bytes, and may have 20,000,000",
    ),
    "extra_file": (edit("extra.txt", "x"), r"wrong: file: extra\.txt is not in manifest\.json"),
}
"""What `verify-benchmark` refuses or calls wrong."""
DATABASES: Table = {
    "db_schema_corrupt": (broken_schema, "is damaged or is no SQLite database"),
    "big_vacuum": (large_database, "sql: question"),
    "db_onlygarbage": (edit("database/a.sqlite", os.urandom(5_000)), "is damaged or is no SQLite database"),
    "db_empty": (edit("database/a.sqlite", b""), "is empty: it has no table"),
    "db_header_alone": (
        edit("database/a.sqlite", b"SQLite format 3\0" + b"\0" * 84),
        "is damaged or is no SQLite database",
    ),
    "db_holes": (
        edit("database/a.sqlite", b"SQLite format 3\0" + b"\xff" * 100_000),
        "is damaged or is no SQLite database",
    ),
    "db_view": (database(SCHEMA + "CREATE VIEW v AS SELECT load_extension('x') FROM t;"), "wrong: content hash: "),
    "db_trigger": (
        database(SCHEMA + "CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM t; END;"),
        "wrong: content hash: ",
    ),
    "db_fts": (
        database("CREATE VIRTUAL TABLE f USING fts5(x); INSERT INTO f VALUES ('a');"),
        "computes what the table 'f.*' holds: only stored rows are shipped",
    ),
    "db_rtree": (
        database("CREATE VIRTUAL TABLE r USING rtree(id, a, b);"),
        "computes what the table 'r.*' holds: only stored rows are shipped",
    ),
    "db_generated": (
        database("CREATE TABLE g (a, b AS (printf('%.*c', 100000000, 'x')));INSERT INTO g(a) VALUES (1);"),
        "computes what the table 'g' holds: only stored rows are shipped",
    ),
    "db_exprindex": (
        database(SCHEMA + "CREATE INDEX i ON t (hex(zeroblob(n * 1000000)));"),
        "wrong: file: database/grammar.sqlite has changed",
    ),
    "db_manycols": (
        database(f"CREATE TABLE m ({', '.join(f'c{i}' for i in range(1_900))}); INSERT INTO m(c0) VALUES (1);"),
        "wrong: content hash: ",
    ),
    "db_bigblob": (
        database(SCHEMA + "CREATE TABLE b (x); INSERT INTO b VALUES (zeroblob(150000000));"),
        "holds a value of more than 25,000,000 bytes",
    ),
    "db_names": (
        database('CREATE TABLE "a""; DROP TABLE t; --" ("x"" y"); INSERT INTO "a""; DROP TABLE t; --" VALUES (1);'),
        "wrong: content hash: ",
    ),
    "db_dotname": (edit("database/.evil.sqlite", b"x"), "has no table"),
}
"""The same, of the database that a release ships."""
QUERIES: dict[str, str] = {
    "sql_attach": "ATTACH '{here}/pwned.db' AS p",
    "sql_vacuum": "VACUUM INTO '{here}/pwned.db'",
    "sql_bigrows": "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 5000) SELECT printf('%.*c', 900000, 'x') FROM c",
    "sql_huge_rows": "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 5000) SELECT printf('%.*c', 2000000, 'x') FROM c",
    "sql_comment": "-- nothing",
    "sql_cte_write": "WITH x AS (SELECT 1) DELETE FROM company",
    "sql_deep": "SELECT " + "(" * 5_000 + "1" + ")" * 5_000,
    "sql_empty": " ",
    "sql_explain": "EXPLAIN SELECT 1",
    "sql_load_ext": "SELECT load_extension('x')",
    "sql_multi": "SELECT 1; SELECT 2",
    "sql_nul": "SELECT '\0'",
    "sql_percent": "SELECT '%s'",
    "sql_pragma": "PRAGMA writable_schema = 1",
    "sql_pragma_fn": "SELECT * FROM pragma_database_list",
    "sql_printf": "SELECT printf('%.*c', 2000000000, 'x')",
    "sql_random": "SELECT random()",
    "sql_readfile": "SELECT readfile('/etc/passwd')",
    "sql_writefile": "SELECT writefile('{here}/pwned.txt', 'x')",
    "sql_zeroblob": "SELECT zeroblob(2000000000)",
    "sql_glob": "SELECT count(*) FROM company WHERE name GLOB '" + "*a" * 2_000 + "'",
    "sql_like": "SELECT 1 FROM company WHERE name LIKE '" + "%a" * 2_000 + "'",
    "sql_fts": "SELECT fts5(1)",
    "sql_ansi": "SELECT '\x1b[31mred'",
}
"""Queries of questions; `sql_cross`, `sql_recursive` and `sql_rowsbomb` run into the clock: see `test_hostile_sql.py`."""
