"""Passwords, tokens, the names of users and home folders stand in nothing that a command prints, logs or writes."""

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from canaries import HF, Outcome
from command_server import CommandServer
from databases import PASSWORD, USER, DatabaseServer, DatabaseServers, execute
from hub_cases import make_release
from support import in_full

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.grounding.urls import read_url
from benchwright.benchmarks.secrecy import private, private_values, without_secrets
from benchwright.scripts.servers.hub.server import Hub

SCHEMA = (
    "CREATE TABLE company (company_id INTEGER PRIMARY KEY, name VARCHAR(60), city VARCHAR(60))",
    "INSERT INTO company VALUES (1, '100% Halden', 'Oslo'), (2, 'Bright%(x)s', 'Perth %s'), (3, 'Corvane', 'Oslo')",
)
SYSTEM = """
import os
settings = {"api_key": os.environ["OPENAI_API_KEY"], "headers": {"Authorization": "Bearer " + os.environ["HF_TOKEN"]}}

class Rag:
    settings = settings
    def answer(self, question):
        if len(question) % 2:
            raise OSError(f"no file {os.path.expanduser('~')}/index, key {os.environ['OPENAI_API_KEY']}")
        return "Oslo"
"""


@pytest.fixture(scope="module", params=["postgresql", "mariadb"])
def server(request: pytest.FixtureRequest, servers: DatabaseServers) -> DatabaseServer:
    return servers.get(request.param)


def test_building_and_verifying_from_a_server(
    server: DatabaseServer, tmp_path: Path, command_server: CommandServer
) -> None:
    url = server.new(*SCHEMA)
    variable = f"{url.drivername}://{USER}:${{CANARY_PASSWORD}}@127.0.0.1:{server.port}/{url.database}"
    built = Outcome(None, tmp_path, "build-benchmark", "grammar", "--name", "x", "--set", f"database={variable}")
    assert built.code == 0, built.said
    verified = Outcome(command_server, tmp_path, "verify-benchmark", "x", "--database", variable)
    assert verified.code == 0, verified.said
    assert b" SQL queries" in verified.stdout
    whole = Outcome(
        command_server, tmp_path, "verify-benchmark", "x", "--database", "${URL}", URL=url.render_as_string(False)
    )
    assert whole.code == 0, whole.said
    for outcome in (built, verified, whole):
        assert len(outcome.lines) >= 1
        assert outcome.found() == []
    execute(url, "DELETE FROM company WHERE company_id = 1")
    wrong = Outcome(command_server, tmp_path, "verify-benchmark", "x", "--database", variable)
    assert wrong.code == 1
    assert wrong.found() == []


@pytest.mark.parametrize("how", ["password", "down", "database", "query", "misspelt", "variable"])
def test_what_fails_names_no_secret(
    server: DatabaseServer, tmp_path: Path, how: str, command_server: CommandServer
) -> None:
    """Here the password is on the command line, so that the error could repeat it."""
    url = server.new(*SCHEMA)
    text = {
        "password": url.set(password="canary-wrong@/?"),
        "down": url.set(port=1),
        "database": url.set(database="missing"),
        "query": url.set(password=None).update_query_dict({"password": PASSWORD, "nonsense": "1"}),
        "misspelt": url,
        "variable": url,
    }[how].render_as_string(hide_password=False)
    settings = {"misspelt": f"databse={text}", "variable": f"database={text}${{NOT_SET}}"}.get(how, f"database={text}")
    failed = Outcome(command_server, tmp_path, "build-benchmark", "grammar", "--name", "x", "--set", settings)
    failed.lines.clear()  # it stands on our own command line
    assert failed.code in (1, 2), failed.said
    assert failed.stderr.startswith(b"error: ") and failed.stderr.count(b"\n") == 1, failed.stderr
    assert failed.found() == []


def test_sql_that_the_server_refuses(server: DatabaseServer, tmp_path: Path, command_server: CommandServer) -> None:
    sql = "SELECT no_such_function(city) FROM company WHERE name = [company.name]"
    texts = {"sql_templates": {"": [sql]}, "text_templates_short": {sql: ["What of [company.name]?"]}}
    (tmp_path / "templates.json").write_text(json.dumps(texts))
    url = server.new(*SCHEMA).render_as_string(hide_password=False)
    settings = [f"database={url}", "templates=templates.json", "forms=short"]
    failed = Outcome(
        command_server,
        tmp_path,
        "build-benchmark",
        "grammar",
        "--name",
        "x",
        *(part for one in settings for part in ("--set", one)),
    )
    failed.lines.clear()  # it stands on our own command line
    assert failed.code == 1, failed.said
    assert failed.stderr.startswith(b"error: ") and failed.stderr.count(b"\n") == 1, failed.stderr
    assert b"no_such_function" in failed.stderr.lower()
    assert failed.found() == []


def test_scoring(tmp_path: Path, command_server: CommandServer) -> None:
    make_release(tmp_path / "releases")
    (tmp_path / "my_rag.py").write_text(SYSTEM)
    scored = Outcome(command_server, tmp_path, "score-system", "lights", "my_rag:Rag", HF_HUB_OFFLINE="1")
    assert scored.code == 0, scored.said
    (run,) = (tmp_path / "runs").rglob("run.json")
    assert json.loads(run.read_text())["system"]["settings"]["own"] == {
        "api_key": "[hidden]", "headers": {"Authorization": "[hidden]"}
    }  # fmt: skip
    assert "~/index, key [hidden]" in (run.parent / "predictions.jsonl").read_text()
    assert scored.found() == []


def test_publishing(tmp_path: Path, command_server: CommandServer) -> None:
    """With a token that the Hub knows, and with one that it does not."""
    release = make_release(tmp_path / "releases")
    with Hub(tmp_path / "served", {"alice": HF}) as hub:
        done = Outcome(
            command_server, tmp_path, "publish-benchmark", str(release.folder), "--repo-id", "alice/lights",
            HF_ENDPOINT=hub.url, HF_HUB_OFFLINE="0",
        )  # fmt: skip
        refused = Outcome(
            command_server, tmp_path, "publish-benchmark", str(release.folder), "--repo-id", "alice/others",
            HF_ENDPOINT=hub.url, HF_HUB_OFFLINE="0", HF_TOKEN=f"{HF}x",
        )  # fmt: skip
    assert refused.code == 1 and refused.stderr.startswith(b"error: "), refused.said
    shutil.rmtree(tmp_path / "served")
    assert done.code == 0, done.said
    assert done.found() == []
    assert refused.found() == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("postgresql://me:ab@c@host/d", "postgresql://…@host/d"),
        ("x?user=me&password=abc&y=1", "x?user=me&password=[hidden]&y=1"),
        ("Authorization: Bearer abcdefghijkl", "Authorization: Bearer [hidden]"),
        ("token hf_abcdefghijklmnopqrstuvwxyz", "token [hidden]"),
        ("https://example.org/a:b", "https://example.org/a:b"),
        ("passwords: none", "passwords: none"),
    ],
)
def test_what_looks_like_a_secret(text: str, shown: str) -> None:
    assert without_secrets(text) == shown


def test_a_short_password_is_not_looked_for() -> None:
    read_url("postgresql://me:abc@host/d")
    assert without_secrets("an abc of pitfalls") == "an abc of pitfalls"
    read_url("postgresql://me:abcd-e@host/d")
    assert without_secrets("an abcd-e of pitfalls") == "an [password] of pitfalls"


DRIVERS = """
import sys

class Without:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("psycopg", "psycopg2", "pymysql", "MySQLdb", "duckdb", "duckdb_engine"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Without())
from benchwright.scripts.build_benchmark import main
sys.argv[0] = "build-benchmark"
main()
"""


@pytest.mark.parametrize(
    ("url", "called", "package", "extra"),
    [
        ("postgresql://me:canary-pw@host/d", "PostgreSQL", "psycopg[binary]", "postgresql"),
        ("mariadb+pymysql://me:canary-pw@host/d", "MariaDB", "pymysql", "mysql"),
        *in_full(
            ("postgres://me:canary-pw@host/d", "PostgreSQL", "psycopg[binary]", "postgresql"),
            ("mysql://me:canary-pw@host/d", "MySQL", "pymysql", "mysql"),
            ("duckdb:///d.duckdb", "DuckDB", "duckdb-engine", "duckdb"),
        ),
    ],
)
def test_without_a_driver(tmp_path: Path, url: str, called: str, package: str, extra: str) -> None:
    command = [sys.executable, "-c", DRIVERS, "grammar", "--name", "x", "--set", f"database={url}", "-v"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "canary-pw" not in done.stdout + done.stderr
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"error: no driver for {called} is installed (")
    assert last.endswith(f'run pip install "{package}", which is what the extra benchwright[{extra}] brings')


def test_the_home_is_a_tilde(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    assert private("no /home/ada/x, /home/adam/x or /mnt/home/ada") == "no ~/x, /home/adam/x or /mnt/home/ada"


def test_settings_without_secrets() -> None:
    given: Mapping[str, object] = {
        "api_key": "abc",
        "k": 5,
        "max_tokens": 9,
        "deep": [{"X-Auth-Token": "q"}],
        "key": None,
    }
    assert private_values(given) == {
        "api_key": "[hidden]", "k": 5, "max_tokens": 9, "deep": [{"X-Auth-Token": "[hidden]"}], "key": None
    }  # fmt: skip


def test_variables_stand_in_a_url_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PW", "a@b:/%41")
    url = read_url("postgresql://me:${PW}@host/d?passfile=${PW}")
    assert (url.password, url.host, url.query["passfile"]) == ("a@b:/%41", "host", "a@b:/%41")
    with pytest.raises(UsageError, match="names the environment variable NOT_SET, which is not set"):
        read_url("postgresql://me:${NOT_SET}@host/d")
