"""Kinds of questions beside lookups: built, proved, refused by name where they cannot be."""

import json
import logging
import re
import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from databases import DatabaseServers
from rapidfuzz import fuzz
from support import make_sqlite

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.grounding.database import open_database
from benchwright.benchmarks.grounding.sql import parse_template
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.builders.sql.own_database import given_database
from benchwright.builders.sql.proofs.ranked import place_problem
from benchwright.cards.dataset.card import render_card
from benchwright.scripts.servers.openai.server import OpenAIServer

TOOLS = """
CREATE TABLE maker (maker_id INTEGER PRIMARY KEY, name VARCHAR(40));
CREATE TABLE tool (tool_id INTEGER PRIMARY KEY, name VARCHAR(40), maker_id INTEGER, cost NUMERIC(8, 2), stock INTEGER,
  added DATE, colour VARCHAR(20), weight NUMERIC(8, 2), FOREIGN KEY (maker_id) REFERENCES maker (maker_id));
INSERT INTO maker VALUES (1, 'Alder'), (2, 'Birch'), (3, 'Cedar'), (4, 'Dogwood');
INSERT INTO tool VALUES
  (1, 'Anvil', 1, 0.1, 5, '2020-01-05', 'red', 9), (2, 'Bucket', 1, 0.2, 7, '2021-03-01', 'blue', NULL),
  (3, 'Chisel', 1, 0.2, 8, '2022-06-30', 'red', 2), (4, 'Drill', 2, 30, 15, '2021-11-11', 'blue', 3),
  (5, 'Easel', 2, 41.25, 20, '2022-02-02', 'red', 4), (6, 'File', 2, 12.5, 31, '2023-05-05', 'blue', 5),
  (7, 'Gauge', 3, 25, 40, '2020-07-07', 'red', 6);
"""
"""Two of Alder's tools cost the same, Cedar has one alone, Dogwood none, and what one of them weighs is not known."""
KINDS = "count,filter,comparison,minimum,maximum,sum,average,ranking"
ALL_FORMS = "short,long,interrogative,directive,formal,casual"


def build(root: Path, database: Path, **settings: object) -> Release:
    texts = {key: str(value) for key, value in {"database": database, "commonest": 1, **settings}.items()}
    return build_release("grammar", texts, render_card, output=root / "releases", name="made")[0]


def prove(release: Release, database: Path) -> None:
    found = verify_release(release, f"sqlite:///{database}")
    assert found.problems == []
    assert dict(found.unchecked) == {}
    assert found.proved["SQL queries"] == release.manifest.checks["sql_queries"]


def questions(release: Release) -> list[dict[str, Any]]:
    return [row for batch in release.batches("questions", "test") for row in batch.to_pylist()]


def short_answers(release: Release, first: str) -> dict[str, str]:
    """Question → answer, of the short wordings that begin so."""
    rows = [row for row in questions(release) if row["form"] == "short" and row["question"].startswith(first)]
    return {row["question"]: row["answers"][0] for row in rows}


def test_a_count_is_asked_of_what_points_at_a_thing(company: Path, tmp_path: Path) -> None:
    release = build(tmp_path, company, kinds="count", forms=ALL_FORMS)
    rows = questions(release)
    assert {(row["kind"], row["hops"], row["answer_type"]) for row in rows} == {
        ("count", hops, "one") for hops in (1, 2)
    }
    assert {row["form"] for row in rows} == set(ALL_FORMS.split(","))
    assert short_answers(release, "how many people of company") == {
        f"how many people of company {name}{end}": count
        for name, count in (("Halden Marine", "2"), ("Brightwater", "1"), ("Corvane", "0"))
        for end in ("?", " in all")
    }
    assert short_answers(release, "how many projects whose client") == {}, "each has one at most"
    prove(release, company)


def test_lookups_beside_another_kind_are_those_of_a_build_without(company: Path, tmp_path: Path) -> None:
    alone = build(tmp_path / "alone", company)
    both = build(tmp_path / "both", company, kinds="lookup, count")
    lookups = [row for row in questions(both) if row["kind"] == "lookup"]
    assert {row["id"] for row in lookups} == {row["id"] for row in questions(alone)}
    assert len(lookups) < len(questions(both))
    prove(both, company)


def test_templates_of_a_kind_are_read_again_as_of_that_kind(company: Path, tmp_path: Path) -> None:
    first = build(tmp_path / "first", company, kinds="count", documents="none")
    templates = first.folder / "templates"
    again = build(tmp_path / "again", company, templates=templates, documents="none")
    assert [row["id"] for row in questions(again)] == [row["id"] for row in questions(first)]
    assert {row["kind"] for row in questions(again)} == {"count"}
    with pytest.raises(UsageError, match="kinds and templates=… exclude each other"):
        build(tmp_path / "refused", company, templates=templates, kinds="count")


def test_a_file_with_a_kind_that_is_none_is_refused(of_tools: Release, tools: Path, tmp_path: Path) -> None:
    [file] = (of_tools.folder / "templates").glob("*.json")
    content = json.loads(file.read_text())
    total = content["kinds"]["sum"][0]
    for kinds, said in (
        ({"totals": [total]}, "kinds names 'totals', and the kinds are lookup, average, "),
        ({"sum": [total], "average": [total]}, "as sum and as average: delete one"),
        ({"count": [total]}, "it is said to be of the kind count, and selects no COUNT"),
        ({"ranking": [total]}, "a ranking orders its rows by one column"),
    ):
        changed = tmp_path / "changed.json"
        changed.write_text(json.dumps({**content, "kinds": kinds, "sql_templates": {"('tool',)": [total]}}))
        with pytest.raises(BenchwrightError, match=said):
            build(tmp_path, tools, templates=changed, forms="interrogative")


def test_what_cannot_be_asked_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    alone = make_sqlite(
        tmp_path / "alone.sqlite",
        "CREATE TABLE club (name TEXT PRIMARY KEY, town TEXT); INSERT INTO club VALUES ('Rowers', 'Oslo'), ('Hikers', 'Bern')",
    )
    with pytest.raises(UsageError, match="there is no kind 'sums': choose from lookup, "):
        build(tmp_path, alone, kinds="sums")
    with pytest.raises(UsageError, match="kinds is empty: choose from lookup, "):
        build(tmp_path, alone, kinds=" , ")
    reason = "no rows belong to a thing that has a name, or share a value, so that there are several of them"
    with pytest.raises(BenchwrightError, match=f"no template can be made: none of the kind count, for {reason}"):
        build(tmp_path, alone, kinds="count")
    with caplog.at_level(logging.WARNING):
        release = build(tmp_path, alone, kinds="lookup,count")
    assert f"no questions of the kind count: {reason}" in caplog.text
    assert release.manifest.checks["kinds_left_out"] == {"count": 1}


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of tools."""
    return make_sqlite(tmp_path_factory.mktemp("tools") / "tools.sqlite", TOOLS)


@pytest.fixture(scope="module")
def of_tools(tools: Path, tmp_path_factory: pytest.TempPathFactory) -> Release:
    """All kinds asked of it."""
    return build(tmp_path_factory.mktemp("release"), tools, kinds=KINDS, forms="interrogative")


def answers_of(release: Release, kind: str) -> dict[str, str]:
    """The first wording of each group of a kind → its answer."""
    found: dict[str, tuple[str, str]] = {}
    for row in questions(release):
        if row["kind"] == kind:
            found.setdefault(row["group"], (row["question"], row["answers"][0]))
    return dict(found.values())


def test_each_kind_is_asked_and_answered_as_the_rows_say(of_tools: Release, tools: Path) -> None:
    assert answers_of(of_tools, "filter") == {
        "What is the tool whose colour is blue and whose maker is Alder?": "Bucket",
        "What is the tool whose colour is red and whose maker is Birch?": "Easel",
        "What is the tool whose colour is red and whose maker is Cedar?": "Gauge",
    }
    counts = answers_of(of_tools, "count")
    assert counts["How many tools of the maker Dogwood are there?"] == "0"
    assert counts["How many tools whose colour is red are there?"] == "4"
    compared = answers_of(of_tools, "comparison")
    assert compared["How many tools of the maker Birch with a cost above 10 are there?"] == "3"
    assert (
        compared["How many tools whose colour is red and whose added date is before 1 January 2022 are there?"] == "2"
    )
    assert answers_of(of_tools, "sum")["What is the total cost of the tools of the maker Alder?"] == "0.5"
    means = answers_of(of_tools, "average")
    assert means["What is the average cost of the tools of the maker Alder (rounded to two decimals)?"] == "0.17"
    assert (
        answers_of(of_tools, "maximum")["What is the latest added date among the tools of the maker Birch?"]
        == "2023-05-05"
    )
    assert answers_of(of_tools, "minimum")["What is the lowest cost among the tools of the maker Alder?"] == "0.1"
    total = next(row for row in questions(of_tools) if row["kind"] == "sum" and row["answers"] == ["0.5"])
    assert total["aliases"] == [["0.50"]]
    assert of_tools.manifest.checks["groups_per_kind"].keys() == set(KINDS.split(","))
    prove(of_tools, tools)


def test_what_is_tied_alone_or_unknown_is_not_asked(of_tools: Release) -> None:
    """Of Alder's tools two cost most; Cedar has one tool; a weight is missing, so that none is compared."""
    ranked = answers_of(of_tools, "ranking")
    assert ranked["Which tool of the maker Birch has the highest cost?"] == "Easel"
    assert not [question for question in ranked if "Alder" in question and "cost" in question]
    assert of_tools.manifest.checks["fillings_left_out"]["several answers"] > 0
    for kind in ("minimum", "maximum", "sum", "average", "ranking"):
        assert not [question for question in answers_of(of_tools, kind) if "Cedar" in question], kind
    assert of_tools.manifest.checks["fillings_left_out"]["too few rows"] > 0
    assert not [row for row in questions(of_tools) if "weight" in row["question"]]


def test_a_threshold_divides_the_rows(of_tools: Release, tools: Path) -> None:
    with sqlite3.connect(tools) as connection:
        [[everything]] = connection.execute("SELECT COUNT(*) FROM tool")
        conditions = {
            row["sql"].partition(" AND ")[2].rstrip(";") for row in questions(of_tools) if row["kind"] == "comparison"
        }
        assert len(conditions) > 2
        for condition in conditions:
            [[some]] = connection.execute(f"SELECT COUNT(*) FROM tool WHERE {condition}")
            assert 0 < some < everything, condition


@pytest.mark.parametrize("dialect", ["postgresql", "mariadb"])
def test_a_server_gives_the_same(dialect: str, servers: DatabaseServers, of_tools: Release, tmp_path: Path) -> None:
    url = servers.get(dialect).new(*(part for part in TOOLS.split(";") if part.strip()))
    place = url.render_as_string(False)
    settings = {"database": place, "commonest": "1", "kinds": KINDS, "forms": "interrogative"}
    release = build_release("grammar", settings, render_card, output=tmp_path, name="made")[0]
    assert release.content_hash() == of_tools.content_hash()
    with given_database(place) as given:
        found = verify_release(release, given)
    assert found.problems == []
    assert found.proved["SQL queries"] == release.manifest.checks["sql_queries"]


def test_a_template_shares_its_limits_among_kinds(tools: Path, tmp_path: Path) -> None:
    release = build(tmp_path, tools, kinds="lookup,count,maximum", sql_templates=3, groups=6, forms="short")
    assert release.manifest.checks["sql_templates"] == 3
    assert set(release.manifest.checks["groups_per_kind"].values()) == {2}


def test_empty_tables_are_said(tmp_path: Path) -> None:
    empty = make_sqlite(tmp_path / "empty.sqlite", TOOLS.partition("INSERT INTO tool")[0])
    with pytest.raises(BenchwrightError, match="no template can be made: none of the kind count, for no rows"):
        build(tmp_path, empty, kinds="count")


def test_a_mean_between_two_rounded_values_is_not_asked(tmp_path: Path) -> None:
    """Of Alder's costs the mean is 0.125, which some round to 0.12 and some to 0.13; of Birch's it is 0.1275."""
    rows = [("Alder", 12), ("Alder", 13), ("Birch", 12), ("Birch", 12), ("Birch", 12), ("Birch", 15), ("Cedar", 90)]
    tools = "".join(
        f"INSERT INTO tool VALUES ({n}, 'Tool {n}', {'ABC'.index(maker[0]) + 1}, {cost / 100});"
        for n, (maker, cost) in enumerate(rows)
    )
    database = make_sqlite(
        tmp_path / "means.sqlite",
        "CREATE TABLE maker (maker_id INTEGER PRIMARY KEY, name TEXT);"
        "CREATE TABLE tool (tool_id INTEGER PRIMARY KEY, name TEXT, maker_id INTEGER REFERENCES maker (maker_id),"
        " cost NUMERIC(8, 2)); INSERT INTO maker VALUES (1, 'Alder'), (2, 'Birch'), (3, 'Cedar');" + tools,
    )
    release = build(tmp_path, database, kinds="average", forms="interrogative")
    asked = {row["entity"]: row["answers"] for row in questions(release)}
    assert asked == {"Birch": ["0.13"]}
    prove(release, database)


def test_a_ranking_is_proved_to_have_one_row_at_its_place(tools: Path, tmp_path: Path) -> None:
    """A tool that costs as much as the dearest leaves the answer as it was, and is found; so it is for the second."""
    release = build(tmp_path, tools, kinds="ranking", forms="interrogative", documents="none", sql_templates=1)
    [sql] = {row["sql"] for row in questions(release) if row["entity"] == "Birch"}
    prove(release, tools)
    [ranked] = {
        parse_template(one, NAMES, "sqlite", "ranking").ranked for one in templates_of(release)["kinds"]["ranking"]
    }
    assert ranked is not None
    second = f"{sql.rstrip(';')} OFFSET 1;"
    changed = tmp_path / "changed.sqlite"
    changed.write_bytes(tools.read_bytes())
    with open_database(f"sqlite:///{changed}") as database:
        assert place_problem(database, sql, ranked) is None
        assert place_problem(database, second, replace(ranked, place=2)) is None
    with sqlite3.connect(changed) as connection:
        connection.execute("UPDATE tool SET cost = 41.25 WHERE name = 'File'")
    said = "several rows have the value 41.25 by which the query ranks"
    [problem] = verify_release(release, f"sqlite:///{changed}").problems
    assert problem.endswith(said)
    with open_database(f"sqlite:///{changed}") as database:
        assert place_problem(database, second, replace(ranked, place=2)) == said


NAMES = {"maker": ["maker_id", "name"], "tool": ["name", "maker_id", "cost"]}


WORDED = {
    "average": ("average cost of tools by maker [maker.name]", "mean cost of the tools of maker [maker.name], two decimals"),
    "comparison": ("number of tools of maker [maker.name] with a cost of at least 10",
                   "number of tools of maker [maker.name] costing more than 10"),
    "count": ("tools of maker [maker.name]", "number of tools by maker [maker.name]"),
    "filter": ("tool by maker [maker.name]", "tool by maker [maker.name] in colour [tool.colour]"),
    "list": ("one of the tools of maker [maker.name]", "every tool by maker [maker.name]"),
    "maximum": ("most expensive tool of maker [maker.name]", "cost of the most expensive tool by maker [maker.name]"),
    "minimum": ("highest cost, tools of maker [maker.name]", "least expensive tool by maker [maker.name]: what cost?"),
    "ranking": ("highest cost of tools of maker [maker.name]", "dearest tool by maker [maker.name], by cost"),
    "sum": ("number of tools of maker [maker.name] in total", "cost of all tools by maker [maker.name] together"),
    "unanswerable": ("colour of tool [tool.name]", "what tool [tool.name] costs"),
    "yes_no": ("is [tool.cost] not what tool [tool.name] costs?", "tool [tool.name] costs [tool.cost], right?"),
}  # fmt: skip
"""Kind → a wording that asks for something else, and one that asks what its first SQL template does."""


def kind_asked(text: str) -> str:
    """The kind of the SQL template that a request to a writer is about."""
    sql = text.splitlines()[1]
    for kind, mark in (("yes_no", "> 0 "), ("ranking", "ORDER BY"), ("average", "AVG("), ("sum", "SUM("),
                       ("minimum", "MIN("), ("maximum", "MAX("), ("comparison", "COUNT(*)"), ("count", "COUNT("),
                       ("filter", "[tool.colour]"), ("list", "tool.name FROM maker")):  # fmt: skip
        if mark in sql:
            return kind
    return "unanswerable"


def test_a_model_words_every_kind_and_what_asks_for_something_else_is_refused(
    tools: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Each wording that passes the rules is read back by a checker, which is shown other SQL templates of the kind."""
    shown: dict[str, list[str]] = {}
    sql_of: dict[str, str] = {}

    def reply(body: Mapping[str, Any]) -> Any:
        text = body["messages"][-1]["content"]
        if not text.startswith("What the names mean"):
            sql_of[kind_asked(text)] = text.splitlines()[1].rstrip(";")
            return {"wordings": list(WORDED[kind_asked(text)])}
        [wording] = re.findall("^Question: (.*)$", text, re.MULTILINE)
        [kind] = [kind for kind, (_, good) in WORDED.items() if good == wording]
        choices = dict(re.findall(r"^(\d)\. (.*)$", text, re.MULTILINE))
        shown[kind] = list(choices.values())
        return {"choice": max(choices, key=lambda number: fuzz.ratio(choices[number], sql_of[kind]))}

    with OpenAIServer(reply) as server:
        models = {role: Endpoint(f"stand-in-{role}", server.url) for role in ("writer", "checker")}
        with Client(ModelSettings(models, cache=tmp_path / "cache")) as client:
            kinds = ",".join(sorted(WORDED))
            settings = {"database": str(tools), "commonest": "1", "kinds": kinds, "forms": "short", "wordings": "1"}
            settings |= {"sql_templates": str(len(WORDED)), "documents": "none", "hops": "2"}
            release, _ = build_release("grammar", settings, render_card, output=tmp_path, name="made", client=client)
    assert {row["kind"] for row in questions(release)} == WORDED.keys()
    worded = {kind_asked(f"\n{sql}"): texts for sql, texts in templates_of(release)["text_templates_short"].items()}
    assert worded == {kind: [good] for kind, (_, good) in WORDED.items()}
    assert all(len(choices) > 2 for choices in shown.values())
    checks = release.manifest.checks
    assert (checks["text_templates_by_model"], checks["text_templates_by_rule"]) == (len(WORDED), 0)
    assert checks["texts_read_by_checker"] == len(WORDED)
    assert sum(checks["proposed_texts_rejected"].values()) == len(WORDED)
    assert {(model["role"], model["prompt"]) for model in release.manifest.models} == {
        ("writer", "write_kind_texts"), ("writer", "write_text_templates"),
        ("checker", "check_kind_wording"), ("checker", "check_wording")}  # fmt: skip
    assert "worded by rule" not in caplog.text
    prove(release, tools)


def templates_of(release: Release) -> dict[str, Any]:
    [file] = (release.folder / "templates").glob("made.json")
    return json.loads(file.read_text())


def test_what_no_rule_can_read_is_worded_by_rule_which_is_said(
    tmp_path: Path, asking: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """Repairs have no names, so that no lookup is left of their number."""
    repairs = "".join(f"INSERT INTO repair VALUES ({n}, {1 + n % 3}, {n}.5);" for n in range(9))
    database = make_sqlite(
        tmp_path / "repairs.sqlite",
        "CREATE TABLE tool (tool_id INTEGER PRIMARY KEY, name TEXT);"
        "CREATE TABLE repair (repair_id INTEGER PRIMARY KEY, tool_id INTEGER REFERENCES tool (tool_id), cost NUMERIC(8, 2));"
        f"INSERT INTO tool VALUES (1, 'Anvil'), (2, 'Bucket'), (3, 'Chisel');{repairs}",
    )
    client, server = asking(lambda body: {"wordings": ["total cost of repairs of tool [tool.name]"]})
    settings = {"database": str(database), "commonest": "1", "kinds": "count,sum", "forms": "short", "wordings": "1"}
    release, _ = build_release("grammar", settings, render_card, output=tmp_path, name="made", client=client)
    asked = {(row["kind"], row["question"]) for row in questions(release) if row["entity"] == "Anvil"}
    assert asked == {("count", "how many repairs of tool Anvil?"), ("sum", "total cost of repairs of tool Anvil")}
    assert server.calls == 1
    said = "1 SQL templates are worded by rule, for no rule could tell whether a model's wordings ask the same: 1 of the kind"
    assert f"{said} count" in caplog.text
    checks = release.manifest.checks
    assert (checks["text_templates_by_model"], checks["text_templates_by_rule"]) == (1, 1)
