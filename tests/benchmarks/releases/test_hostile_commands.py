"""Releases and files of strangers through the commands: each ends with its line, in bounded time and memory, and writes
nothing where it must not.

Fields of manifests, SQL, Parquet files and Hubs have tables of their own: `test_hostile_manifest.py`,
`test_hostile_sql.py`, `test_budget.py`, `test_hostile_hub.py`.
"""

import gzip
import json
import os
import re
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from built import Built, company_release
from hub_cases import make_release
from support import Run

MEMORY = 4_000_000_000
"""Bytes of addresses that a command may have; its libraries take half of them."""
SECONDS = 120
"""What only a hang passes."""
Make = Callable[[Path], object]
VERIFY = ("verify-benchmark", "{release}")
SCORE = ("score-system", "{release}", "keyword", "--limit", "3", "-q")
DRY = ("publish-benchmark", "{release}", "--dry-run")
PREDICTED = ("score-system", "{release}", "{here}/p.jsonl", "-q")
JUDGED = ("score-system", "{release}", "keyword", "--judgments", "{here}/j.jsonl", "-q")
GRAMMAR = ("build-benchmark", "grammar", "--set", "database={here}/data", "-q")


@dataclass(frozen=True)
class Case:
    """Something hostile: how it is made in a folder, and the command that meets it."""

    make: Make
    command: tuple[str, ...]
    code: int
    line: str
    """What the last line of what it writes matches; nothing for a command that must work."""


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
    return lambda folder: pq.write_table(pa.table(columns), folder / "questions" / "test-00000-of-00001.parquet")


def database(script: str) -> Make:
    def make(folder: Path) -> None:
        (folder / "database").mkdir(exist_ok=True)
        with sqlite3.connect(folder / "database" / "company.sqlite") as connection:
            connection.executescript(script)
        connection.close()

    return make


def sql(query: str) -> Make:
    """Every question of the release has this query."""

    def make(folder: Path) -> None:
        for path in (folder / "questions").glob("*.parquet"):
            rows = pq.read_table(path)
            place = rows.schema.get_field_index("sql")
            pq.write_table(rows.set_column(place, "sql", pa.array([query] * len(rows), pa.string())), path)

    return make


NOT_AS = r"error: .*manifest\.json is not as it must be: {}.*"
NOT_READ = r"error: .*manifest\.json cannot be read: .*"
IS_A = r"error: .* is a {}: a release holds files and folders alone; get it again from its source"
DEEP = "[" * 200_000 + "]" * 200_000
ANY = r"(error|wrong): .+"
RELEASES: dict[str, tuple[Make, str]] = {
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
    "shard_devzero": (link("questions/test-00000-of-00001.parquet", "/dev/zero"), IS_A.format("link")),
    "symlink_loop": (link("loop", "."), IS_A.format("link")),
    "fifo": (fifo("extra"), IS_A.format("pipe")),
    "fifo_listed": (fifo("README.md"), IS_A.format("pipe")),
}
"""What every command refuses in the same way: the names of the first wave's list."""

SCHEMA = "CREATE TABLE t (name TEXT, n INTEGER); INSERT INTO t VALUES ('a', 1), ('b', 2);"
QUESTIONS: dict[str, Make] = {
    "empty_parquet": edit("questions/test-00000-of-00001.parquet", b""),
    "garbage": edit("questions/test-00000-of-00001.parquet", os.urandom(5_000)),
    "html": edit("questions/test-00000-of-00001.parquet", "<html>"),
    "truncated": edit("questions/test-00000-of-00001.parquet", b"PAR1" + b"\0" * 100 + b"PAR1"),
    "footer_huge": edit("questions/test-00000-of-00001.parquet", b"PAR1\xff\xff\xff\x7fPAR1"),
    "no_id_col": table({"question": ["Who?"]}),
    "null_row": table({"id": pa.array([None], pa.string()), "question": pa.array([None], pa.string())}),
    "types_binary": table({"id": [b"\xff\xfe"], "question": [b"\xff"]}),
    "types_struct": table({"id": [{"a": 1}], "question": [{"b": 2}]}),
    "bomb_rows": table({"id": pa.nulls(3_000_000, pa.string()), "question": pa.nulls(3_000_000, pa.string())}),
    "bomb_text": table(
        {
            "id": ["a"] * 3_000,
            "question": pa.DictionaryArray.from_arrays(pa.array([0] * 3_000, pa.int32()), ["x" * 1_000_000]),
        }
    ),
    "more_rows_than_said": table({"id": [str(i) for i in range(99)], "question": ["Who?"] * 99}),
}
WRONG_ONLY: dict[str, Make] = {
    "dup_ids": table({"id": ["a", "a"], "question": ["Who?", "Who?"]}),
    "odd_ids": table({"id": ["../../x", "\x1b[31m"], "question": ["Who?", "Who?"]}),
    "types_int": table({"id": [1, 2], "question": [3, 4]}),
    "metadata_bad": table({"id": ["a"], "question": ["Who?"], "metadata": ["[" * 100_000]}),
    "odd_values": table({"id": ["a"], "question": ["Who?"], "answer_type": ["?"], "answerability": ["?"]}),
    "templates_deep": edit("templates/a.json", DEEP),
    "templates_list": edit("templates/a.json", "[]"),
    "templates_wrong": edit("templates/a.json", "{"),
    "templates_bytes": edit("templates/a.json", b"\xff\xfe"),
    "templates_nan": edit("templates/a.json", '{"a": NaN}'),
    "templates_surrogate": edit("templates/a.json", '{"a": "\\ud800"}'),
    "templates_many": edit("templates/a.json", "{" + '"a":[],' * 3_000_000 + '"b":[]}'),
    "db_onlygarbage": edit("database/a.sqlite", os.urandom(5_000)),
    "db_empty": edit("database/a.sqlite", b""),
    "db_header_alone": edit("database/a.sqlite", b"SQLite format 3\0" + b"\0" * 84),
    "db_holes": edit("database/a.sqlite", b"SQLite format 3\0" + b"\xff" * 100_000),
    "db_view": database(SCHEMA + "CREATE VIEW v AS SELECT load_extension('x') FROM t;"),
    "db_trigger": database(SCHEMA + "CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM t; END;"),
    "db_fts": database("CREATE VIRTUAL TABLE f USING fts5(x); INSERT INTO f VALUES ('a');"),
    "db_rtree": database("CREATE VIRTUAL TABLE r USING rtree(id, a, b);"),
    "db_generated": database("CREATE TABLE g (a, b AS (printf('%.*c', 100000000, 'x')));INSERT INTO g(a) VALUES (1);"),
    "db_exprindex": database(SCHEMA + "CREATE INDEX i ON t (hex(zeroblob(n * 1000000)));"),
    "db_manycols": database(
        f"CREATE TABLE m ({', '.join(f'c{i}' for i in range(1_900))}); INSERT INTO m(c0) VALUES (1);"
    ),
    "db_bigblob": database(SCHEMA + "CREATE TABLE b (x); INSERT INTO b VALUES (zeroblob(150000000));"),
    "db_names": database(
        'CREATE TABLE "a""; DROP TABLE t; --" ("x"" y"); INSERT INTO "a""; DROP TABLE t; --" VALUES (1);'
    ),
    "db_dotname": edit("database/.evil.sqlite", b"x"),
    "extra_file": edit("extra.txt", "x"),
}
"""What `verify-benchmark` refuses or calls wrong."""
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
LINE = '{"id": "%s", "answer": "x"}\n'
PREDICTIONS: dict[str, Make] = {
    "p_deep": edit("p.jsonl", DEEP + "\n"),
    "p_nan": edit("p.jsonl", '{"id": "a", "answer": NaN}\n'),
    "p_nul": edit("p.jsonl", b"\0" * 1_000 + b"\n"),
    "p_binary": edit("p.jsonl", b"\xff\xfe\xfa\n"),
    "p_list": edit("p.jsonl", "[1, 2]\n"),
    "p_number": edit("p.jsonl", "7\n"),
    "p_html": edit("p.jsonl", "<html>\n"),
    "p_empty": edit("p.jsonl", ""),
    "p_unknown_ids": edit("p.jsonl", LINE % "../../x"),
    "p_ansi_id": edit("p.jsonl", LINE % "\\u001b[31mred"),
    "p_surrogate_id": edit("p.jsonl", LINE % "\\ud800"),
    "p_no_id": edit("p.jsonl", '{"answer": "x"}\n'),
    "p_types": edit("p.jsonl", '{"id": 7, "answer": {"a": []}}\n'),
    "p_gz": edit("p.jsonl", gzip.compress(b"x" * 10_000_000)),
    "p_long_line": edit("p.jsonl", '{"id": "' + "x" * 30_000_000 + '", "answer": "x"}\n'),
    "p_folder": lambda folder: (folder / "p.jsonl").mkdir(),
    "p_missing": lambda folder: None,
}
JUDGMENTS: dict[str, Make] = {name.replace("p_", "j_"): make for name, make in PREDICTIONS.items()}
SETTINGS: dict[str, tuple[Make, tuple[str, ...], int]] = {
    "toml_none": (edit("benchwright.toml", "= ="), VERIFY, 2),
    "toml_deep": (edit("benchwright.toml", "a = " + "[" * 100_000), VERIFY, 2),
    "toml_binary": (edit("benchwright.toml", b"\xff\xfe"), VERIFY, 2),
    "toml_unknown": (edit("benchwright.toml", "[verify-benchmark]\nevil = 1"), VERIFY, 2),
    "csv_none": (lambda folder: (folder / "data").mkdir(), GRAMMAR, 1),
    "csv_empty": (edit("data/a.csv", ""), GRAMMAR, 1),
    "csv_binary": (edit("data/a.csv", os.urandom(10_000)), GRAMMAR, 1),
    "csv_nul": (edit("data/a.csv", b"id,name\n1,\0\n"), GRAMMAR, 1),
    "csv_twice": (edit("data/a.csv", "id,id\n1,2\n"), GRAMMAR, 1),
    "csv_ragged": (edit("data/a.csv", "id,name\n1\n1,2,3,4\n"), GRAMMAR, 1),
    "csv_long": (edit("data/a.csv", "id,name\n1," + "x" * 20_000_000 + "\n"), GRAMMAR, 1),
    "csv_pipe": (lambda folder: ((folder / "data").mkdir(), os.mkfifo(folder / "data" / "a.csv")), GRAMMAR, 1),
    "db_is_text": (edit("data", "no database"), GRAMMAR, 1),
}


def _cases() -> dict[str, Case]:
    found: dict[str, Case] = {}
    for name, (make, line) in RELEASES.items():
        for command in (VERIFY, SCORE, DRY):
            found[f"{name} {command[0]}"] = Case(make, command, 1, line)
    for name, make in QUESTIONS.items():
        for command in (VERIFY, SCORE, DRY):
            found[f"{name} {command[0]}"] = Case(make, command, 1, ANY)
    found |= {f"{name} {VERIFY[0]}": Case(make, VERIFY, 1, ANY) for name, make in WRONG_ONLY.items()}
    found |= {f"{name} {VERIFY[0]}": Case(sql(query), VERIFY, 1, r"wrong: .+") for name, query in QUERIES.items()}
    found |= {f"{name} {PREDICTED[0]}": Case(make, PREDICTED, 1, ANY) for name, make in PREDICTIONS.items()}
    found |= {f"{name} {JUDGED[0]}": Case(make, JUDGED, 1, ANY) for name, make in JUDGMENTS.items()}
    found |= {f"{name} {told[0]}": Case(make, told, code, ANY) for name, (make, told, code) in SETTINGS.items()}
    return found


CASES = _cases()


@pytest.mark.parametrize("name", CASES)
def test_it_ends_with_its_line(name: str, run: Run, built: Built, tmp_path: Path) -> None:
    case = CASES[name]
    here = tmp_path / "here"
    here.mkdir()
    has_database = name.split()[0] in QUERIES or (name.startswith("db_") and case.command is VERIFY)
    given = company_release(built, ship="all").folder if has_database else None
    release = here / "release"
    shutil.copytree(given or make_release(tmp_path / "made").folder, release)
    case.make(release if "{release}" in case.command and case.command not in (PREDICTED, JUDGED) else here)
    if name.startswith("toml_"):
        shutil.move(release / "benchwright.toml", tmp_path)
    arguments = [part.format(release=release, here=here) for part in case.command]
    before = _files(tmp_path.parent)
    said = run(*arguments, limits={"AS": MEMORY, "FSIZE": 500_000_000}, timeout=SECONDS)
    assert said.returncode == case.code, said
    assert "Traceback" not in said.stderr
    lines = (said.stdout + said.stderr).splitlines()
    assert any(re.fullmatch(case.line, line) for line in lines), lines
    assert said.stderr.count("\n") <= 1
    assert max(map(len, lines)) < 1_500
    assert all(line.isprintable() for line in lines)
    written = {path for path in _files(tmp_path.parent) - before if not path.is_relative_to(tmp_path / "hf")}
    assert not [path for path in written if "runs" not in path.relative_to(tmp_path).parts]


def _files(folder: Path) -> set[Path]:
    return {Path(at, name) for at, _, names in os.walk(folder) for name in names}


def test_there_are_enough() -> None:
    kinds = {name.split()[0] for name in CASES}
    assert len(kinds) >= 100


@pytest.mark.parametrize("command", [VERIFY, SCORE, DRY], ids=lambda command: command[0])
def test_what_is_right_passes_within_the_same_limits(command: tuple[str, ...], run: Run, tmp_path: Path) -> None:
    release = make_release(tmp_path / "made").folder
    said = run(*(part.format(release=release) for part in command), limits={"AS": MEMORY}, timeout=SECONDS)
    assert said.returncode == 0, said
