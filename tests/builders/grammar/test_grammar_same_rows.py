"""The same rows in SQLite, PostgreSQL, MariaDB, DuckDB, CSV and Parquet files make the same benchmark, whatever their names are."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from databases import DatabaseServers, execute, need_driver
from same_rows import csv_shop, parquet_shop, server_shop, sqlite_shop, statements
from sqlalchemy.engine import make_url

from benchwright.benchmarks.grounding.database import open_database
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.builders.sql.own_database import given_database
from benchwright.builders.sql.reflection import reflect
from benchwright.cards.dataset.card import render_card


def _build(root: Path, place: str, **more: str) -> Release:
    settings = {"database": place, "forms": "short", **more}
    return build_release("grammar", settings, render_card, output=root, name="shop")[0]


def _proved(release: Release, place: str | None) -> int:
    with given_database(place) as given:
        found = verify_release(release, given)
    assert found.problems == []
    assert found.proved["SQL queries"] == release.manifest.checks["sql_queries"]
    return found.proved["SQL queries"]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """The release from SQLite."""
    folder = tmp_path_factory.mktemp("sqlite")
    return _build(folder / "releases", sqlite_shop(folder / "shop.sqlite"))


@pytest.fixture(scope="module")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """A sample of it."""
    folder = tmp_path_factory.mktemp("sampled")
    return _build(folder / "releases", sqlite_shop(folder / "shop.sqlite"), groups="7", commonest="1")


def _rows(release: Release) -> list[dict[str, Any]]:
    return [row for batch in release.batches("questions", "test") for row in batch.to_pylist()]


def test_names_are_quoted_and_odd_values_asked(expected: Release) -> None:
    rows = _rows(expected)
    said = {row["sql"]: row["answers"] for row in rows}
    assert said["""SELECT "Group" FROM "Album" WHERE "Title" = 'Second %s';"""] == ["rock"]
    assert said["""SELECT "Café" FROM "Artist" WHERE "Name" = 'O''Hara \\ Sons';"""] == ['The "Grand"']
    assert said["""SELECT "Unit Price" FROM "Track" WHERE "Name" = '夜';"""] == ["1"]
    assert said["""SELECT "Remastered" FROM "Track" WHERE "Name" = 'Dusk';"""] == ["no"]
    assert said["""SELECT "Sold" FROM "Track" WHERE "Name" = '夜';"""] == ["yes"]
    asked = """SELECT "Producer"."First Name" || ' ' || "Producer"."Last Name" FROM "Album" JOIN "Producer" ON """
    assert [answers for sql, answers in said.items() if sql.startswith(asked)] == [["Ann % O'Neil"], ["Bé de Vos"]]
    assert {"50 % Gull", "Noon 100%", "Third :bound_0"} <= {row["entity"] for row in rows}


@pytest.mark.parametrize("shop", [csv_shop, parquet_shop])
def test_files_make_the_same(shop: Callable[[Path], str], expected: Release, tmp_path: Path) -> None:
    place = shop(tmp_path / "shop")
    release = _build(tmp_path / "releases", place)
    assert release.content_hash() == expected.content_hash()
    assert _proved(release, place)


@pytest.fixture(scope="module", params=["postgresql", "mariadb"])
def served(request: pytest.FixtureRequest, servers: DatabaseServers) -> str:
    """The URL of the shop on a server."""
    return server_shop(servers.get(request.param))


def test_a_server_makes_the_same(served: str, expected: Release, tmp_path: Path) -> None:
    """Without the server, the release is read with its rules."""
    release = _build(tmp_path, served)
    assert release.content_hash() == expected.content_hash()
    assert _proved(release, served) == len({row["sql"] for row in _rows(expected)})
    found = verify_release(release, None)
    assert found.problems == []
    assert "no database is shipped" in found.reasons["SQL queries"]


def test_a_sample_is_the_same(served: str, sampled: Release, tmp_path: Path) -> None:
    release = _build(tmp_path, served, groups="7", commonest="1")
    assert release.content_hash() == sampled.content_hash()
    assert release.manifest.checks["asked_per_table"] == sampled.manifest.checks["asked_per_table"]
    assert len({row["group"] for row in _rows(release)}) == 7


def test_a_schema_of_postgresql_makes_the_same(servers: DatabaseServers, expected: Release, tmp_path: Path) -> None:
    url = servers.get("postgresql").new('CREATE SCHEMA "Sales"', 'SET search_path = "Sales"', *statements("postgresql"))
    place = url.update_query_dict({"options": '-csearch_path="Sales"'}).render_as_string(False)
    release = _build(tmp_path, place)
    assert release.content_hash() == expected.content_hash()
    assert _proved(release, place)


@pytest.mark.parametrize("ship", ["none", "all"])
def test_duckdb_makes_the_same(ship: str, expected: Release, tmp_path: Path) -> None:
    """Its driver asks for a table of PostgreSQL's catalogue that DuckDB lacks; so DuckDB is asked itself."""
    need_driver("duckdb_engine", "duckdb")
    place = f"duckdb:///{tmp_path / 'shop.duckdb'}"
    execute(make_url(place), *statements("duckdb"))
    release = _build(tmp_path / "releases", place, ship=ship)
    assert _proved(release, place)
    if ship == "none":
        assert release.content_hash() == expected.content_hash()
    else:
        assert _proved(release, None) == _proved(release, place)
    with open_database(place) as database:
        tables = reflect(database).tables
    assert [(key.columns, key.table) for key in tables["Track"].foreign_keys] == [(("AlbumId",), "Album")]
    assert tables["Track"].primary_key == ("TrackId",)


@pytest.mark.parametrize("ship", ["touched", "all"])
def test_a_copy_of_a_server_proves_it(ship: str, served: str, tmp_path: Path) -> None:
    release = _build(tmp_path / "server", served, ship=ship)
    assert _proved(release, None) == _proved(release, served)
    own = _build(tmp_path / "sqlite", sqlite_shop(tmp_path / "shop.sqlite"), ship=ship)
    assert release.content_hash() == own.content_hash()
    copies = [_values(item.databases()[0]) for item in (release, own)]
    assert copies[0] == copies[1]


def _values(path: Path) -> dict[str, list[Any]]:
    with sqlite3.connect(path) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master ORDER BY name")]
        return {name: connection.execute(f'SELECT * FROM "{name}"').fetchall() for name in names}
