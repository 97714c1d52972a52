"""What a wording of a model must be to be used: every reason, and that good wordings pass."""

import json
import re
from importlib import resources
from pathlib import Path

import pytest
from clubs import (
    BIRTH,
    CLUB,
    LONG,
    OF_CLUB,
    TOWN,
)
from support import make_sqlite

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.grounding.database import open_database
from benchwright.benchmarks.grounding.sql import parse_template
from benchwright.benchmarks.models.prompts import load_prompt
from benchwright.builders.sql.reflection import reflect
from benchwright.builders.sql.templates.prepare import prepare_templates
from benchwright.builders.sql.vocabulary import Vocabulary
from benchwright.builders.sql.wording.by_rule import FORMS
from benchwright.builders.sql.wording.checks import WordingChecker, names_in
from benchwright.builders.sql.wording.sense import sense_of
from benchwright.builders.sql.wording.template_meaning import read_meaning


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """Two clubs and two players; no value of a row can be mistaken for anything else."""
    return make_sqlite(tmp_path / "club.sqlite", CLUB)


def checker(database: Path, sql: str, form: str, wanted: int = 100, *, reads: bool = False) -> WordingChecker:
    """Of a template; one that also reads what a wording asks for, if it `reads`."""
    with open_database(f"sqlite:///{database}") as opened:
        schema = reflect(opened)
    template = parse_template(sql, schema.names, schema.dialect)
    meaning = read_meaning(template, schema, Vocabulary())
    sense = sense_of(template, schema, Vocabulary()) if reads else None
    return WordingChecker(template, form, names_in(template, Vocabulary(), meaning), wanted, sense)


@pytest.mark.parametrize(
    ("form", "wording", "why"),
    [
        ("short", "town of [club.name]", None),
        ("short", "  '[club.name]' –\ttown?  ", None),
        ("short", "where [Club.NAME]", None),
        ("short", "home of club [club.name] wanted now for a report", None),
        ("short", "home of club [club.name] wanted now for a big report", ("is too long", "10 words, at most 9")),
        ("short", " ", ("is empty", "")),
        ("short", "town of\n[club.name]", ("has a line break", "")),
        ("short", "town of\u2028[club.name]", ("has a line break", "")),
        ("short", "town of \ud800 [club.name]", ("has a character that cannot be shown", "")),
        ("short", f"town of [club.name] {'a' * 61}", ("is too long", "at most 2,000 characters, and 60 in a word")),
        ("short", f"town of [club.name]{' now' * 100_000}", ("is too long", "at most 2,000 characters, and 60 in a word")),
        ("short", "town of [club.name] \U0001f600", ("holds markup or an address", "\U0001f600")),
        ("short", "town of [club.name] no\u0301w", ("holds markup or an address", "\u0301")),
        ("short", "town of [club.name] *now*", ("holds markup or an address", "*n")),
        ("short", "town of \u202e[club.name]\u202c", ("has a character that cannot be shown", "")),
        ("short", "to\u200bwn of [club.name]", ("has a character that cannot be shown", "")),
        ("short", "t\u043ewn of [club.name]", ("is not in English", "\u043e")),
        ("short", "town of the club", ("lacks a placeholder", "[club.name]")),
        ("short", "town of [club.name], [club.name]", ("has a placeholder twice", "[club.name]")),
        ("short", "town of [club.name] for [player.name]", ("has a placeholder of something else", "[player.name]")),
        ("short", "town of [club.name] [sic]", ("has brackets that are no placeholder", "")),
        ("short", "SELECT town, [club.name]", ("holds SQL", "")),
        ("short", "town where name = '[club.name]'", ("holds SQL", "")),
        ("short", "select a town for [club.name]", None),
        ("short", "club.town of [club.name]", ("names a table or column as the database does", "club.town")),
        ("short", "[club.name]", ("says nothing beside its placeholders", "")),
        ("short", "- '[club.name]' ?", ("says nothing beside its placeholders", "")),
        ("long", "What is the town of [club.name]?", ("is too short", "6 words, at least 30")),
        ("long", LONG.format("the town", "[club.name]"), None),
        ("long", "town " * 120 + "[club.name]", ("is too long", "121 words, at most 120")),
        ("interrogative", "Tell me the town of [club.name].", ("is no question", "")),
        ("interrogative", "Which town has [club.name]?", None),
        ("directive", "Which town has [club.name]?", ("is a question", "")),
        ("directive", "Name the town of [club.name].", None),
        ("formal", "town " * 60 + "[club.name]", ("is too long", "61 words, at most 60")),
        ("casual", "so where's [club.name] at", None),
    ],
)  # fmt: skip
def test_what_a_wording_must_be(club: Path, form: str, wording: str, why: tuple[str, str] | None) -> None:
    checking = checker(club, TOWN, form)
    problem = checking.add(wording)
    assert (problem and (problem.reason, problem.detail)) == why
    assert checking.kept == ([] if why else [" ".join(wording.split())])


def test_a_name_of_the_database_in_a_wording(club: Path) -> None:
    problem = checker(club, BIRTH, "short").add("birth_place of [player.name]")
    assert problem
    assert (problem.reason, problem.detail) == ("names a table or column as the database does", "birth_place")
    assert checker(club, BIRTH, "short").add("birth place of [player.name]") is None


def test_wordings_that_are_alike(club: Path) -> None:
    short = checker(club, TOWN, "short", wanted=3)
    found = [short.add(text) for text in (
        "town of [club.name]", "the town for [club.name]", "please get town of [club.name]", "[club.name]: town?",
        "where is [club.name]", "seat of [club.name]")]  # fmt: skip
    assert [problem and (problem.reason, problem.detail) for problem in found] == [
        None, ("is like another", "town of [club.name]"), ("is like another", "town of [club.name]"), None, None,
        ("is more than was asked for", "")]  # fmt: skip
    long = checker(club, TOWN, "long")
    first, second = (LONG.format(thing, "[club.name]") for thing in ("the town", "the city"))
    assert long.add(first) is None
    problem = long.add(second)
    assert problem
    assert problem.reason == "is like another"


def test_a_template_of_more_tables_may_be_longer(club: Path) -> None:
    sql = OF_CLUB.format("town")
    checking = checker(club, sql, "short")
    assert checking.add("town of that club for which player [player.name] has now signed up") is None
    problem = checking.add("town of that big club for which player [player.name] has only now signed up")
    assert problem
    assert problem.detail == "14 words, at most 12"


def test_the_built_in_short_wordings_would_pass(shared: Path) -> None:
    with open_database(f"sqlite:///{shared / 'spider' / 'company_employee.sqlite'}") as database:
        schema = reflect(database)
        settings = {"templates": "", "hops": 3, "sql_templates": 0, "wordings": 10, "balanced": False}
        prepared = prepare_templates(database, schema, Vocabulary(), FORMS, settings)
    count = 0
    for worded in prepared.worded:
        words = names_in(worded.sql, Vocabulary(), read_meaning(worded.sql, schema, Vocabulary()))
        for form in FORMS:
            checking = WordingChecker(worded.sql, form, words, 100)
            for text in (text for of, text in worded.wordings if of == form):
                assert checking.add(text) is None, (form, text)
                count += 1
    assert count > 1000


def test_the_prompts_own_examples_would_pass(tmp_path: Path) -> None:
    script = (
        "CREATE TABLE keeper (keeper_id INTEGER PRIMARY KEY, full_name TEXT, hometown TEXT);"
        "CREATE TABLE lighthouse (lighthouse_id INTEGER PRIMARY KEY, name TEXT, height_in_metres INTEGER,"
        " keeper_id INTEGER REFERENCES keeper (keeper_id));"
    )
    database = make_sqlite(tmp_path / "lights.sqlite", script)
    sql = load_prompt("write_text_templates")
    values = {"sql": "", "names": [], "placeholders": [], "count": 3, "least": 1, "most": 9, "kept": [], "rejected": []}
    for form in FORMS:
        messages = sql.fill(form=form, like=form, instruction="", **values).messages
        assert [message["role"] for message in messages] == ["system", "user", "assistant", "user"]
        checking = checker(database, messages[1]["content"].splitlines()[1], form, reads=True)
        for wording in json.loads(messages[2]["content"])["wordings"]:
            assert checking.add(wording) is None, wording
        assert len(checking.kept) == 3
    proposed = load_prompt("write_sql_templates").fill(tables=[], together=["a"], count=1, rejected=[]).messages[2]
    with open_database(f"sqlite:///{database}") as opened:
        schema = reflect(opened)
    for statement in json.loads(proposed["content"])["sql_templates"]:
        assert parse_template(statement, schema.names, "sqlite").plain


def test_a_writer_is_told_what_to_do_about_every_refusal(club: Path) -> None:
    """And the word as it was written, not its stem."""
    package = resources.files("benchwright.builders.sql.wording")
    names = ("checks", "round_trip", "text_checks", "twin", "asking", "directions")
    of_kinds = ("twin", "operations", "extremes", "thresholds", "claims")
    sources = [
        package.joinpath(f"{name}.py").read_text("utf-8") for name in (*names, *(f"kinds/{one}" for one in of_kinds))
    ]
    reasons = {reason for source in sources for reason in re.findall(r'Problem\("([^"]+)"', source)}
    assert len(reasons) > 35
    assert reasons == set(read_toml("benchwright.builders.sql.wording", "advice.toml"))
    problem = checker(club, TOWN, "interrogative", reads=True).add("How many towns does the club [club.name] have?")
    assert problem is not None
    assert (problem.reason, problem.detail) == ("asks with another question word", "How many")
