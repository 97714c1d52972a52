"""Commands: help without heavy imports, one line for every kind of bad use, defaults from a file."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support import COMPANY, Run, make_sqlite

COMMANDS = [
    "benchwright",
    "annotate",
    "build-benchmark",
    "compare-systems",
    "plot-cutoff",
    "publish-benchmark",
    "publish-leaderboard",
    "score-metric",
    "score-system",
    "submit-system",
    "verify-benchmark",
]
HEAVY = {
    "numpy",
    "pyarrow",
    "sqlalchemy",
    "sqlglot",
    "datasets",
    "huggingface_hub",
    "jinja2",
    "yaml",
    "inflect",
    "openai",
    "pydantic",
    "rich",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_help_imports_nothing_heavy(command: str) -> None:
    module = "benchwright.__main__" if command == "benchwright" else "benchwright.scripts." + command.replace("-", "_")
    code = (
        f"import sys\nfrom {module} import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "print(sorted({name.split('.')[0] for name in sys.modules}), file=sys.stderr)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Usage:" in result.stdout
    assert "click" in result.stderr
    assert not [name for name in HEAVY if repr(name) in result.stderr]


@pytest.mark.parametrize("command", COMMANDS)
def test_version(run_program: Run, command: str) -> None:
    assert run_program(command, "--version").stdout == "0.1.0\n"


def error_of(result: subprocess.CompletedProcess[str], code: int) -> str:
    assert result.returncode == code, result
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr
    return result.stderr.removeprefix("error: ").rstrip("\n")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["gramar"], 2, "there is no benchmark 'gramar': did you mean grammar?"),
        (["grammar"], 2, "grammar needs database: add --set database=… (sqlite:///FILE, the URL of a server, or a folder of CSV or Parquet files)"),
        (["grammar", "--set", "databse=x"], 2, "grammar has no parameter 'databse': did you mean database?"),
        (["grammar", "--set", "database=x.sqlite"], 1, "there is no database x.sqlite: check the path"),
        (["grammar", "--set", "database=sqlite:///x.sqlite"], 1, "there is no database x.sqlite: check the path"),
        (["grammar", "--set", "database=nosuch://u:secret@h/d"], 1, "no driver for this database is installed"),
        (["grammar", "--set", "database=company.sqlite", "--set", "forms=loud"], 2,
         "there is no form 'loud': choose from short, long, interrogative, directive, formal, casual, keyword, passive, "
         "polite, typos, or give a file FORM.toml"),
        (["grammar", "--set", "database=company.sqlite", "--set", "hops=4"], 2, "hops=4 is out of range: give a number from 1 to 3"),
        (["grammar", "--set", "database=company.sqlite", "--set", "hops=two"], 2, "hops=two is not possible: give a whole number"),
        (["grammar", "--set", "database=company.sqlite", "--set", "balanced=maybe"], 2,
         "balanced=maybe is not possible: choose from auto, true, false"),
        (["grammar", "--set", "database=company.sqlite", "--set", "ship=some"], 2,
         "ship=some is not possible: choose from none, touched, all"),
        (["grammar", "--set", "database=company.sqlite", "--name", "My Data"], 1,
         "'My Data' cannot be a release's name: use lower-case letters, digits, '.', '_' and '-', such as 'my-data'"),
        (["grammar", "--set", "database=company.sqlite", "--name", "../up"], 1, "'../up' cannot be a release's name"),
        (["grammar", "--set", "database=company.sqlite", "--as-version", "1.0"], 1,
         "'1.0' is not a version: use three numbers, such as 1.0.0"),
        (["grammar", "--set", "database=company.sqlite", "--releases", "company.sqlite"], 1,
         "company.sqlite is a file: choose another folder with --releases"),
        (["aurp", "--preview"], 2, "aurp has no preview: leave out --preview"),
        (["aurp", "--draft-schema", "x.toml"], 2, "aurp drafts no schema, as it reads no database of yours: leave out --draft-schema"),
        (["grammar", "--preview", "--push"], 2, "--preview builds nothing, so that --push cannot go with it: leave one out"),
        (["grammar", "--set", "database=company.sqlite", "--set", "templates=none.json"], 1, "there is no file of templates none.json"),
        (["grammar", "--set", "database=company.sqlite", "--set", "schema=none.toml"], 1, "none.toml: there is no such schema file; --draft-schema none.toml writes one"),
        (["grammar", "--set", "database=company.sqlite", "--set", "labels=a.toml"], 2,
         "grammar has no parameter 'labels' any more: write a schema file with --draft-schema FILE"),
    ],
)  # fmt: skip
def test_bad_use_is_one_line(run: Run, company: Path, arguments: list[str], code: int, message: str) -> None:
    assert error_of(run("build-benchmark", *arguments), code).startswith(message)
    assert not (company.parent / "releases").exists() or not list((company.parent / "releases").rglob("manifest.json"))


def test_bad_option_is_clicks_own_error(run: Run) -> None:
    result = run("build-benchmark", "grammar", "--set", "database")
    assert result.returncode == 2
    assert "'database' is not KEY=VALUE" in result.stderr


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the database bad.sqlite is empty: it has no table"),
        (b"this is no database at all, only a text of some length" * 40, "is damaged or is no SQLite database"),
    ],
)
def test_bad_database(run: Run, tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "bad.sqlite").write_bytes(content)
    assert message in error_of(run("build-benchmark", "grammar", "--set", "database=bad.sqlite"), 1)


def test_database_that_is_cut_off(run: Run, tmp_path: Path) -> None:
    whole = make_sqlite(tmp_path / "whole.sqlite", COMPANY).read_bytes()
    (tmp_path / "cut.sqlite").write_bytes(whole[: len(whole) // 2])
    assert "is damaged" in error_of(run("build-benchmark", "grammar", "--set", "database=cut.sqlite"), 1)


def test_database_without_tables_and_without_names(run: Run, tmp_path: Path) -> None:
    make_sqlite(tmp_path / "none.sqlite", "CREATE TABLE t (a); DROP TABLE t;")
    assert error_of(run("build-benchmark", "grammar", "--set", "database=none.sqlite"), 1) == (
        "the database none.sqlite has no table"
    )
    make_sqlite(
        tmp_path / "numbers.sqlite",
        "CREATE TABLE t (t_id INTEGER PRIMARY KEY, n INTEGER); INSERT INTO t VALUES (1, 2);",
    )
    assert error_of(run("build-benchmark", "grammar", "--set", "database=numbers.sqlite"), 1).startswith(
        "no template can be made: no table has a column that people call its rows by"
    )


def test_database_where_nothing_has_one_answer(run: Run, tmp_path: Path) -> None:
    table = "CREATE TABLE t (name TEXT, age INTEGER); INSERT INTO t VALUES"
    make_sqlite(tmp_path / "none.sqlite", f"{table} ('A', NULL);")
    assert error_of(run("build-benchmark", "grammar", "--set", "database=none.sqlite"), 1) == (
        "no template can be filled with a single answer: of 1 templates' fillings 0 have several answers, 1 none; "
        "use --set several=set, or other templates"
    )
    make_sqlite(tmp_path / "same.sqlite", f"{table} ('A', 1), ('A', 2);")
    assert error_of(run("build-benchmark", "grammar", "--set", "database=same.sqlite"), 1) == (
        "no template can be made: what rows of t are called several of them share; "
        "use --set several=set, or other templates"
    )


def test_locked_database(run: Run, company: Path) -> None:
    import sqlite3

    holder = sqlite3.connect(company, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    try:
        message = error_of(run("build-benchmark", "grammar", "--set", f"database={company}"), 1)
    finally:
        holder.close()
    assert (
        message == "the database sqlite:///company.sqlite is locked by another program: close it there, or use a copy"
    )


def test_tables_without_foreign_keys_give_single_table_templates(run: Run, tmp_path: Path) -> None:
    make_sqlite(tmp_path / "flat.sqlite", "CREATE TABLE a (name TEXT, town TEXT); INSERT INTO a VALUES ('X', 'Y');"
                "CREATE TABLE b (name TEXT, a_id INTEGER); INSERT INTO b VALUES ('Z', 1);")  # fmt: skip
    result = run("build-benchmark", "grammar", "--set", "database=flat.sqlite", "--output", "out")
    assert result.returncode == 0, result
    assert "no foreign keys" in result.stderr
    assert "20 questions" in result.stderr


def test_defaults_come_from_a_file(run: Run, company: Path) -> None:
    (company.parent / "benchwright.toml").write_text(
        'output = "made"\n[build-benchmark]\nseed = 3\nset = { database = "company.sqlite", forms = "short" }\n'
    )
    result = run("build-benchmark", "grammar", "--name", "one")
    assert result.stdout == "made/one/1.0.0\n"
    assert '"seed": 3' in (company.parent / "made/one/1.0.0/manifest.json").read_text()
    (company.parent / "benchwright.toml").write_text("[build-benchmark]\nsede = 3\n")
    assert error_of(run("build-benchmark", "grammar"), 2) == "benchwright.toml: build-benchmark has no option 'sede'"
    (company.parent / "benchwright.toml").write_text("seed = ")
    assert error_of(run("build-benchmark", "grammar"), 2).startswith("benchwright.toml cannot be read: ")


def test_one_name_for_all_commands(run: Run, company: Path) -> None:
    shown = run("benchwright", "--help").stdout
    assert [line.split()[0] for line in shown.partition("Commands:\n")[2].splitlines()] == [
        "build-benchmark",
        "verify-benchmark",
        "publish-benchmark",
        "score-system",
        "compare-systems",
        "score-metric",
        "annotate",
        "submit-system",
        "publish-leaderboard",
        "plot-cutoff",
    ]
    assert "  build-benchmark      Build a release of a benchmark.\n" in shown
    built = run("benchwright", "build-benchmark", "grammar", "--set", "database=company.sqlite")
    assert built.stdout == "releases/grammar/1.0.0\n"
    assert error_of(run("benchwright", "verify-benchmarks"), 2) == (
        "no command 'verify-benchmarks': did you mean verify-benchmark?"
    )
    assert error_of(run("benchwright", "--loud"), 2) == "No such option '--loud'."
    assert error_of(run("benchwright", "build-benchmark", "gramar"), 2) == (
        "there is no benchmark 'gramar': did you mean grammar?"
    )


def test_roots_have_one_name_everywhere_and_former_names_count(run: Run, company: Path, tmp_path: Path) -> None:
    database = ["--set", "database=company.sqlite", "--set", "forms=short", "--set", "wordings=1"]
    assert run("build-benchmark", "grammar", *database, "--output", "old").stdout == "old/grammar/1.0.0\n"
    assert run("verify-benchmark", "grammar", "--releases", "old", "-q").returncode == 0
    scored = ["score-system", "grammar", "closed-book", "-q"]
    assert run(*scored, "--releases", "old", "--output", "kept").stdout == "kept/grammar/1.0.0/closed-book\n"
    assert "--output" not in run("score-system", "--help").stdout
    settings = tmp_path / "benchwright.toml"
    settings.write_text('output = "former"\n')
    assert run("build-benchmark", "grammar", *database).stdout == "former/grammar/1.0.0\n"
    settings.write_text('releases = "old"\nruns = "tried"\n[build-benchmark]\noutput = "own"\n')
    assert run("build-benchmark", "grammar", *database).stdout == "own/grammar/1.0.0\n"
    assert run(*scored).stdout == "tried/grammar/1.0.0/closed-book\n"
    settings.write_text('releases = "new"\noutput = "former"\n')
    assert run("build-benchmark", "grammar", *database).stdout == "new/grammar/1.0.0\n"


def test_interrupted_by_keyboard(tmp_path: Path) -> None:
    """Once the folder that the release is made in is there: to fill it takes many seconds."""
    program = str(Path(sys.executable).with_name("build-benchmark"))
    releases = tmp_path / "releases"
    process = subprocess.Popen([program, "aurp"], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    try:
        until = time.monotonic() + 60
        while not list(releases.glob("*/.*")) and process.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        assert list(releases.glob("*/.*"))
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130
    assert said == "error: stopped; nothing half-made is left, start it again with the same command\n"
    assert list(releases.rglob("*")) == []
