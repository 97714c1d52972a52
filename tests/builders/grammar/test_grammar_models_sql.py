"""GRAMMAR's SQL templates by a language model, from the schema alone; and builds that are stopped, killed and repeated."""

import json
import re
import signal
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from clubs import (
    CLUB,
    OF_CLUB,
    TOWN,
    asked,
    build,
    good,
    questions,
    rejected,
    templates,
    write_well,
)
from support import Run, Start, make_sqlite

from benchwright.benchmarks.grounding.database import open_database
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.sql.reflection import reflect
from benchwright.builders.sql.schema_areas import Area, areas
from benchwright.builders.sql.wording.by_rule import FORMS
from benchwright.scripts.servers.openai.faults import Fault
from benchwright.scripts.servers.openai.server import OpenAIServer


def test_sql_templates_of_a_model(tmp_path: Path, club: Path, asking: Any) -> None:
    """Each fault that a proposal can have, with its reason; an area without a good one is asked about again."""
    bad = [
        ("SELECT nme FROM club WHERE name = '[club.name]'", "cannot be parsed as a template", "there is no column nme (did you mean name?)"),
        ("DROP TABLE club", "cannot be parsed as a template", "it is DROP and must be one SELECT"),
        ("SELECT town FROM club", "cannot be parsed as a template", "its WHERE compares no column with a placeholder such as '[company.Name]'"),
        ("SELECT club_id FROM club WHERE name = '[club.name]'", "names a column that people do not know", "club.club_id"),
        ("SELECT COUNT(*) FROM club WHERE name = '[club.name]'", "is more than Select, Project and Join", "plain columns, foreign keys and placeholders alone"),
        ("SELECT town FROM club WHERE founded > 1900 AND name = '[club.name]'", "is more than Select, Project and Join", "plain columns, foreign keys and placeholders alone"),
        ("SELECT c.town\nFROM club AS c WHERE c.name = '[club.name]'", "asks the same as another", ""),
    ]  # fmt: skip
    joined = [
        ("SELECT town FROM club WHERE name = '[club.name]'", "leaves out a table", "player"),
        ("SELECT club.town FROM player JOIN club ON player.name = club.name WHERE player.name = '[player.name]'", "joins what no foreign key ties", "player.name = club.name"),
        ("SELECT club.town FROM player, club WHERE player.name = '[player.name]'", "joins what no foreign key ties", "a table is tied to none of the others"),
        ("SELECT club.town FROM player JOIN club ON player.club_id = club.club_id WHERE player.birth_place = '[player.name]'", "has no value with a single answer", ""),
    ]  # fmt: skip

    def reply(body: Mapping[str, Any]) -> Any:
        about, form = asked(body)
        if form:
            return {"wordings": good(about, form, 2)}
        if about == "club":
            return {"sql_templates": [TOWN, *(sql for sql, _, _ in bad)]}
        if about == "club, player":
            again = "could not be used" in body["messages"][-1]["content"]
            return {"sql_templates": [OF_CLUB.format("name")] if again else [sql for sql, _, _ in joined]}
        return {"sql_templates": []}

    client, server = asking(reply)
    release = build(tmp_path, club, client, sql="model", wordings=2)
    found = [(item["about"], item["text"], item["reason"], item["detail"]) for item in rejected(release)]
    assert found == [
        *(("club", " ".join(sql.split()), reason, detail) for sql, reason, detail in bad),
        *(("club, player", sql, reason, detail) for sql, reason, detail in joined),
    ]
    assert [sql for part in templates(release)["sql_templates"].values() for sql in part] == [
        TOWN,
        OF_CLUB.format("name"),
    ]
    checks = release.manifest.checks
    assert (checks["sql_templates"], checks["sql_templates_by_model"], checks["tables_without_sql_template"]) == (
        2,
        2,
        0,
    )
    assert checks["proposed_sql_templates_rejected"] == Counter(reason for _, reason, _ in [*bad, *joined])
    assert server.calls == 3 + 1 + 2
    assert verify_release(release, f"sqlite:///{club}").problems == []


def test_tables_that_get_no_template_are_named(
    tmp_path: Path, club: Path, asking: Any, caplog: pytest.LogCaptureFixture
) -> None:
    client, _ = asking(lambda body: write_well(body) if asked(body)[0] != "player" and "player" not in asked(body)[0] else {"sql_templates": []})  # fmt: skip
    release = build(tmp_path, club, client, sql="model", texts="rule")
    assert release.manifest.checks["tables_without_sql_template"] == 1
    assert "the model gave no usable SQL template about player" in caplog.text
    assert release.manifest.checks["text_templates_by_rule"] == 2 * 10
    limited = build(tmp_path / "limited", club, client, sql="model", texts="rule", sql_templates=1)
    assert [sql for part in templates(limited)["sql_templates"].values() for sql in part] == [TOWN]


def test_all_tables_and_chains_are_asked_about(company: Path) -> None:
    with open_database(f"sqlite:///{company}") as database:
        schema = reflect(database)
    assert areas(schema, 1) == [Area(("company",)), Area(("person",)), Area(("project",))]
    assert areas(schema, 3)[3:] == [
        Area(("company", "person"), ("employment",)),
        Area(("company", "project")),
        Area(("company", "person", "project"), ("employment",)),
    ]


def test_no_value_of_any_row_leaves_the_machine(tmp_path: Path, club: Path, asking: Any) -> None:
    """Also not where a proposal is refused, or has no answer, and the model is told so."""
    none = "SELECT town FROM club WHERE town = '[club.name]'"

    def reply(body: Mapping[str, Any]) -> Any:
        about, form = asked(body)
        said = body["messages"][-1]["content"]
        if form:
            return {"wordings": ["what", *good(about, form, 2 if "could not be used" in said else 1)]}
        return (
            write_well(body) if "could not be used" in said else {"sql_templates": [none.replace("town", "founded", 1)]}
        )

    client, server = asking(reply)
    schema = tmp_path / "schema.toml"
    schema.write_text('[table.club.columns]\ntown.words = "home town"\n')
    release = build(tmp_path, club, client, sql="model", schema=schema, forms=",".join(FORMS), wordings=2)
    assert len(questions(release)) == 2 * 4 * 6 * 2
    sent = json.dumps([[request.path, dict(request.headers), request.body] for request in server.requests])
    assert server.calls == 3 + 3 + 2 * 4 * 6
    assert sent.count("has no value with a single answer") >= 1
    assert "home town" in sent
    assert "VALUEQ" not in sent
    assert "99188" not in sent
    assert "VALUEQ Ville" in json.dumps(questions(release))


def command(club: Path, server: OpenAIServer, *more: object) -> list[object]:
    settings = [f"database={club}", "forms=short,casual", "sql=model"]
    return [
        "grammar", *(part for text in settings for part in ("--set", text)), "--model", "writer=stand-in",
        "--base-url", server.url, *more]  # fmt: skip


SQL_CALLS, TEXT_CALLS = 3, 2 * 4
"""Three areas; four SQL templates in two forms."""


def test_the_same_replies_give_the_same_release(tmp_path: Path, club: Path, run: Run) -> None:
    env = {"OPENAI_API_KEY": "test", "XDG_CACHE_HOME": str(tmp_path)}
    with OpenAIServer(write_well) as server:
        first = run("build-benchmark", *command(club, server), env=env)
        assert (first.returncode, server.calls) == (0, SQL_CALLS + TEXT_CALLS), first.stderr
    second = run("build-benchmark", *command(club, server, "--replay", "--releases", "other"), env=env)
    assert second.returncode == 0, second.stderr
    assert f"SQL templates: 0 calls of stand-in, {SQL_CALLS} replies reused" in second.stderr
    assert f"text templates: 0 calls of stand-in, {TEXT_CALLS} replies reused" in second.stderr
    one, other = (Release.load(tmp_path / root / "grammar" / "1.0.0") for root in ("releases", "other"))
    assert one.manifest.content_hash == other.manifest.content_hash
    assert one.manifest.files == other.manifest.files
    assert one.manifest.to_json() == other.manifest.to_json()


def test_an_estimate_asks_and_builds_nothing(tmp_path: Path, club: Path, run: Run) -> None:
    env = {"OPENAI_API_KEY": "test", "XDG_CACHE_HOME": str(tmp_path)}
    with OpenAIServer(write_well) as server:
        found = run("build-benchmark", *command(club, server, "--estimate"), env=env)
        assert (found.returncode, server.calls) == (0, 0), found.stderr
        assert re.search(r"^about SQL templates: 3 calls of stand-in, 0 replies reused", found.stdout, re.MULTILINE)
        assert re.search(r"^about text templates: 13 calls of stand-in, 0 replies reused", found.stdout, re.MULTILINE)
        assert "wordings are estimated for 6 built-in ones" in found.stderr
        assert not (tmp_path / "releases" / "grammar" / "1.0.0").exists()
        run("build-benchmark", *command(club, server), env=env)
        again = run("build-benchmark", *command(club, server, "--estimate", "--name", "other"), env=env)
    assert again.stdout.splitlines()[0].startswith("about SQL templates: 0 calls of stand-in, 3 replies reused")
    assert again.stdout.splitlines()[1].startswith("about text templates: 0 calls of stand-in, 8 replies reused")
    assert not (tmp_path / "releases" / "other" / "1.0.0").exists()


def test_a_build_that_is_stopped_goes_on(tmp_path: Path, club: Path, run: Run) -> None:
    env = {"OPENAI_API_KEY": "test", "XDG_CACHE_HOME": str(tmp_path)}
    with OpenAIServer(write_well) as server:
        for limit, calls in ((2, 2), (5, 7)):
            stopped = run("build-benchmark", *command(club, server, "--max-calls", limit), env=env)
            assert stopped.returncode == 1
            assert stopped.stderr.splitlines()[-1] == (
                f"error: stopped at --max-calls {limit}: all replies are kept; the same command with a higher limit goes "
                "on from here"
            )
            assert server.calls == calls
            assert list((tmp_path / "releases").glob("*/*")) == []
        finished = run("build-benchmark", *command(club, server), env=env)
        assert (finished.returncode, server.calls) == (0, SQL_CALLS + TEXT_CALLS), finished.stderr


def test_a_build_that_is_killed_goes_on(tmp_path: Path, club: Path, run: Run, start: Start) -> None:
    env = {"OPENAI_API_KEY": "test", "XDG_CACHE_HOME": str(tmp_path)}
    with OpenAIServer(write_well) as server:
        server.fault_for = lambda _: Fault("slow", seconds=3600) if server.calls > 6 else None
        arguments = command(club, server, "--at-once", 1)
        process = start("build-benchmark", *arguments, env=env)
        while server.calls < 7 and process.poll() is None:
            time.sleep(0.01)
        process.kill()
        assert process.wait() == -signal.SIGKILL
        assert server.calls == 7 < SQL_CALLS + TEXT_CALLS
        server.release()
        assert not (tmp_path / "releases" / "grammar" / "1.0.0").exists()
        finished = run("build-benchmark", *arguments, env=env)
        assert finished.returncode == 0, finished.stderr
        assert server.calls - SQL_CALLS - TEXT_CALLS == 1  # the one that was on its way


def test_a_wrong_use_is_one_line(tmp_path: Path, club: Path, run: Run) -> None:
    for setting in ("texts=model", "sql=model"):
        found = run("build-benchmark", "grammar", "--set", f"database={club}", "--set", setting)
        assert (found.returncode, found.stderr) == (2, f"error: {setting} needs a model: add --model writer=NAME\n")


def test_a_template_has_one_answer_for_nine_values_in_ten_and_may_stand_in_a_fence(tmp_path: Path, asking: Any) -> None:
    rows = "".join(
        f"INSERT INTO club VALUES ({n}, 'Club {n}', 'Town {n}', 19{n});"
        + "".join(
            f"INSERT INTO player VALUES ({n * 10 + k}, 'P{n}{k}', 'Port', {n});" for k in range(2 if n < 13 else 1)
        )
        for n in range(10, 30)
    )
    database = make_sqlite(tmp_path / "club.sqlite", CLUB.partition("INSERT")[0] + rows)
    back = "SELECT player.name FROM club JOIN player ON player.club_id = club.club_id WHERE club.name = '[club.name]';"
    fenced = f"```sql\n{TOWN.lower()} -- the town\n```"
    proposed = {"club": [fenced], "club, player": [back]}

    def reply(body: Mapping[str, Any]) -> Any:
        about, form = asked(body)
        return {"wordings": good(about, form, 1)} if form else {"sql_templates": proposed.get(about, [])}

    client, _ = asking(reply)
    release = build(tmp_path, database, client, sql="model", wordings=1)
    assert list(templates(release)["text_templates_short"]) == [TOWN.lower()]
    assert {(item["text"], item["reason"]) for item in rejected(release)} == {
        (back, "has several answers for too many values")}  # fmt: skip
