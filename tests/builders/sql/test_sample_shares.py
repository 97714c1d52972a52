"""A sample of groups is shared out over the tables that are asked about, over hops and templates, and not over rows."""

import sqlite3
from collections import Counter
from pathlib import Path

import pytest
from support import make_sqlite

from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card

SHOP = """
CREATE TABLE land (id INTEGER PRIMARY KEY, name TEXT, capital TEXT);
CREATE TABLE maker (id INTEGER PRIMARY KEY, name TEXT, founder TEXT, land_id INTEGER REFERENCES land (id));
CREATE TABLE product (id INTEGER PRIMARY KEY, name TEXT, price REAL, colour TEXT, material TEXT, shelf TEXT, shape TEXT,
    maker_id INTEGER REFERENCES maker (id));
"""
LANDS, MAKERS, PRODUCTS = 10, 100, 1000


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Many products with many columns, fewer makers, few lands."""
    path = make_sqlite(tmp_path_factory.mktemp("shop") / "shop.sqlite", SHOP)
    connection = sqlite3.connect(path)
    connection.executemany("INSERT INTO land VALUES (?, ?, ?)", [(i, f"L{i}", f"C{i}") for i in range(LANDS)])
    makers = [(i, f"M{i}", f"F{i}", i % LANDS) for i in range(MAKERS)]
    connection.executemany("INSERT INTO maker VALUES (?, ?, ?, ?)", makers)
    products = [(i, f"P{i}", i / 4, f"c{i}", f"m{i}", f"s{i}", f"h{i}", i % MAKERS) for i in range(PRODUCTS)]
    connection.executemany("INSERT INTO product VALUES (?, ?, ?, ?, ?, ?, ?, ?)", products)
    connection.commit()
    connection.close()
    return path


def build(root: Path, database: Path, groups: int, seed: int = 0) -> Release:
    settings = {"database": str(database), "groups": str(groups), "forms": "short", "wordings": "1"}
    return build_release("grammar", settings, render_card, output=root / f"{groups}-{seed}", seed=seed)[0]


def test_tables_and_hops_have_their_share(shop: Path, tmp_path: Path) -> None:
    release = build(tmp_path, shop, 300)
    tables: Counter[str] = Counter()
    hops: Counter[tuple[str, int]] = Counter()
    for batch in release.batches("questions", "test"):
        for row in batch.to_pylist():
            table = row["sql"].split("SELECT ", 1)[1].split(".", 1)[0].rstrip("_0123456789")
            tables[table] += 1
            hops[table, row["hops"]] += 1
    assert tables.total() == 300
    assert max(tables.values()) <= 110, tables
    for table in tables:
        of_table = [count for (name, _), count in hops.items() if name == table]
        assert max(of_table) - min(of_table) <= tables[table] // 2, hops
    found = verify_release(release, f"sqlite:///{shop}")
    assert (found.problems, found.proved["SQL queries"]) == ([], 300)


@pytest.mark.parametrize("groups", [1, 11])
def test_fewer_groups_than_templates(shop: Path, tmp_path: Path, groups: int) -> None:
    release = build(tmp_path, shop, groups)
    checks = release.manifest.checks
    assert checks["sql_queries"] == groups
    assert checks["sql_templates"] + sum(checks["sql_templates_left_out"].values()) > groups
    assert checks["sql_templates_left_out"]["no group was drawn"] > 0
    again = build(tmp_path / "again", shop, groups)
    assert again.manifest.content_hash == release.manifest.content_hash
    other = build(tmp_path, shop, groups, seed=1)
    assert other.manifest.content_hash != release.manifest.content_hash


def test_more_groups_than_there_are(shop: Path, tmp_path: Path) -> None:
    whole = build(tmp_path, shop, 0)
    asked = build(tmp_path, shop, 1_000_000)
    assert asked.manifest.checks["sql_queries"] == whole.manifest.checks["sql_queries"]


def test_one_that_has_an_answer_is_found_among_many_that_have_none(tmp_path: Path) -> None:
    rows = ", ".join(f"('P{i}', {'NULL' if i else 12})" for i in range(40))
    database = make_sqlite(
        tmp_path / "d.sqlite", f"CREATE TABLE person (name TEXT, salary INTEGER); INSERT INTO person VALUES {rows};"
    )
    release = build(tmp_path, database, 1)
    [row] = [row for batch in release.batches("questions", "test") for row in batch.to_pylist()]
    assert (row["entity"], row["answers"]) == ("P0", ["12"])
