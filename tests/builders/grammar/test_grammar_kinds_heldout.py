"""Kinds of questions with held-out answers: which are refused, and an attack on those that are not.

The attack knows the database's layout and all that the public half tells: of each open question, which it can read with
its answer, the cells that its query names in the rows that it looks at. A held-out answer is told where all the cells
that its own query names are among them.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
import sqlglot
from sqlglot import exp
from support import make_sqlite

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.builders.sql.kinds import all_kinds, kinds
from benchwright.cards.dataset.card import render_card

POSSIBLE = "lookup,filter,minimum,maximum,sum,average,ranking"
LAYOUT = """
CREATE TABLE maker (maker_id INTEGER PRIMARY KEY, name TEXT UNIQUE, town TEXT, founded INTEGER);
CREATE TABLE tool (tool_id INTEGER PRIMARY KEY, name TEXT UNIQUE, maker_id INTEGER REFERENCES maker, cost NUMERIC,
  stock INTEGER, colour TEXT, weight NUMERIC);
"""
WOODS = ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir")
THINGS = ("Anvil", "Bucket", "Chisel", "Drill", "Easel", "File")

Cell = tuple[str, int, str]


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six makers with three to six tools each, whose values follow no order."""
    rows, number = [LAYOUT], 0
    for place, wood in enumerate(WOODS):
        rows.append(f"INSERT INTO maker VALUES ({place}, '{wood} Works', 'Town{place % 5}', {1900 + place * 37 % 90});")
        for thing in THINGS[: 3 + place % 4]:
            number += 1
            cost, stock, weight = number * 71 % 97 + 0.5, number * 53 % 89, number * 31 % 61 + 0.25
            colour = ("red", "blue", "green")[number * 7 % 3]
            values = f"{number}, '{wood} {thing}', {place}, {cost}, {stock}, '{colour}', {weight}"
            rows.append(f"INSERT INTO tool VALUES ({values});")
    return make_sqlite(tmp_path_factory.mktemp("tools") / "tools.sqlite", "\n".join(rows))


def build(root: Path, database: Path, asked: str, **options: Any) -> Path:
    settings = {
        "database": str(database),
        "kinds": asked,
        "documents": "none",
        "forms": "short",
        "wordings": "1",
        "groups": "0",
    }
    build_release("grammar", settings, render_card, output=root, name="tools", **options)
    return root


def groups(folder: Path) -> Mapping[str, Mapping[str, Any]]:
    """A question of each group that has its SQL."""
    release = Release.load(folder / "1.0.0")
    splits = release.manifest.splits["questions"]
    rows = (row for split in splits for batch in release.batches("questions", split) for row in batch.to_pylist())
    return {row["group"]: row for row in rows if row["sql"]}


def cells(database: sqlite3.Connection, sql: str) -> set[Cell]:
    """Table, row and column of all that a query names in the rows that it looks at."""
    tree = sqlglot.parse_one(sql, read="sqlite")
    tables = {table.alias_or_name: table.name for table in tree.find_all(exp.Table)}
    named = {(column.table or next(iter(tables)), column.name) for column in tree.find_all(exp.Column)}
    parts = (tree.args.get("from_") or tree.args["from"], *(tree.args.get("joins") or ()), tree.args["where"])
    keys = ", ".join(f'"{alias}".rowid' for alias in tables)
    rows = database.execute(f"SELECT {keys} {' '.join(part.sql('sqlite') for part in parts)}")
    places = {alias: place for place, alias in enumerate(tables)}
    return {(tables[alias], row[places[alias]], column) for row in rows for alias, column in named}


def told(database: Path, open_groups: Iterable[Mapping[str, Any]], held: Iterable[Mapping[str, Any]]) -> Counter[str]:
    """Kind → held-out groups whose answers the open ones tell."""
    with sqlite3.connect(database) as connection:
        known = {cell for row in open_groups for cell in cells(connection, row["sql"])}
        return Counter(row["kind"] for row in held if cells(connection, row["sql"]) <= known)


def test_no_open_question_tells_a_held_out_answer(tools: Path, tmp_path: Path) -> None:
    root = build(tmp_path, tools, POSSIBLE, holdout=0.3)
    public, private = groups(root / "tools"), groups(root / "tools-private")
    assert len(private) > 5 and len(public) > 5 and not set(public) & set(private)
    assert len({row["kind"] for row in private.values()}) > 2
    assert told(tools, public.values(), private.values()) == {}


def test_the_attack_finds_what_a_split_by_chance_tells(tools: Path, tmp_path: Path) -> None:
    rows = list(groups(build(tmp_path, tools, POSSIBLE) / "tools").values())
    found = told(tools, rows[::2], rows[1::2])
    assert found.total() > len(rows) / 4 and set(found) >= {"lookup", "minimum", "sum", "ranking"}


def test_kinds_of_which_nothing_can_be_held_out_are_refused_by_name(tools: Path, tmp_path: Path) -> None:
    assert {name for name in all_kinds() if name == "lookup" or not kinds()[name].always_open} == set(
        POSSIBLE.split(",")
    )
    for asked in ("list", "lookup,yes_no", "unanswerable", "count", "comparison,lookup"):
        name = next(one for one in asked.split(",") if one != "lookup")
        with pytest.raises(UsageError, match=f"^kinds={name} is not possible with --holdout, for .*: leave out one"):
            build(tmp_path, tmp_path / "not.there.sqlite", asked, holdout=0.3)
    made = build(tmp_path, tools, "lookup,list") / "tools" / "1.0.0" / "templates"
    settings = {"database": str(tools), "templates": str(made), "documents": "none"}
    with pytest.raises(UsageError, match=r"^kinds=list is not possible with --holdout"):
        build_release("grammar", settings, render_card, output=tmp_path / "again", name="tools", holdout=0.3)
