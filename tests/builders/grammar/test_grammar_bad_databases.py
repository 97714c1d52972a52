"""Databases as they are: unreachable, forbidden in part, empty, in another schema, views alone, wide, and with long texts."""

import socket
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from databases import PASSWORD, DatabaseServer, DatabaseServers, execute
from sqlalchemy.engine import URL
from support import make_sqlite

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.changes import Watched
from benchwright.benchmarks.grounding.checking import open_for_checking
from benchwright.benchmarks.grounding.database import open_database
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.builders.sql.reflection import reflect
from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.schema_file.write import write_schema
from benchwright.cards.dataset.card import render_card

_CLUBS = (
    "CREATE TABLE club (club_id INT PRIMARY KEY, name VARCHAR(40), town VARCHAR(40))",
    "INSERT INTO club VALUES (1, 'Rovers', 'Ville'), (2, 'United', 'Burg')",
    "CREATE TABLE player (player_id INT PRIMARY KEY, name VARCHAR(40), born VARCHAR(20), club_id INT, "
    "FOREIGN KEY (club_id) REFERENCES club (club_id))",
    "INSERT INTO player VALUES (1, 'Ann', 'Port', 1), (2, 'Bob', 'Cove', 2)",
    "CREATE TABLE stadium (stadium_id INT PRIMARY KEY, name VARCHAR(40), seats INT)",
)


def _place(url: URL) -> str:
    return url.render_as_string(False)


def _reflected(place: str) -> DatabaseSchema:
    with open_database(place) as database:
        return reflect(database)


def _build(root: Path, place: str, **more: str) -> Release:
    settings = {"database": place, "forms": "short", "commonest": 1, **more}
    release = build_release("grammar", settings, render_card, output=root, name="odd")[0]
    found = verify_release(release, place)
    assert found.problems == []
    assert found.proved["SQL queries"] == release.manifest.checks["sql_queries"]
    return release


@pytest.fixture(scope="module", params=["postgresql", "mariadb"])
def server(request: pytest.FixtureRequest, servers: DatabaseServers) -> DatabaseServer:
    return servers.get(request.param)


@pytest.fixture(scope="module")
def clubs(server: DatabaseServer) -> URL:
    """A database, of which the user `reader` may read the players alone."""
    url = server.new(*_CLUBS)
    name = "reader" if server.dialect == "postgresql" else "reader@localhost"
    make = "CREATE USER reader PASSWORD 'pw-reader'"
    execute(
        url,
        make if server.dialect == "postgresql" else f"CREATE USER {name} IDENTIFIED BY 'pw-reader'",
        f"GRANT SELECT ON player TO {name}",
    )
    return url


@pytest.fixture
def silent() -> Iterator[int]:
    """The port of something that takes connections and never says a word."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield listening.getsockname()[1]


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        (
            {"password": "wrong-password-4711"},
            "does not let the user of its URL in .*: check the user and the password$",
        ),
        ({"port": 1}, "cannot be reached .*: check that its server runs, and the host and the port of its URL$"),
        ({"host": "no-host.invalid"}, "cannot be reached"),
        ({"database": "nowhere"}, "^there is no database .*:///nowhere on its server .*: check the name at the end"),
    ],
    ids=["a wrong password", "no server", "no host", "no database"],
)
def test_a_database_that_cannot_be_opened(clubs: URL, parts: dict[str, object], said: str) -> None:
    with pytest.raises(BenchwrightError, match=said) as raised:
        _reflected(_place(clubs.set(**parts)))  # type: ignore[arg-type]
    assert not any(secret in str(raised.value) for secret in (PASSWORD, "4711", "canary-user"))
    assert "\n" not in str(raised.value)


def test_a_server_that_never_answers_is_given_up(clubs: URL, silent: int) -> None:
    with pytest.raises(BenchwrightError, match="cannot be reached"):
        _reflected(_place(clubs.set(port=silent).update_query_dict({"connect_timeout": "1"})))


def test_tables_that_may_not_be_read_and_empty_ones_are_named(
    clubs: URL, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    reader = _place(clubs.set(username="reader", password="pw-reader"))
    schema = _reflected(reader)
    assert list(schema.tables) == ["player"]
    assert schema.tables["player"].foreign_keys == ()
    if clubs.get_backend_name() == "postgresql":  # MariaDB does not even tell that they are there
        denied = dict.fromkeys(["club", "stadium"], "the user of the URL may not read it")
        assert schema.left_out == denied
    _build(tmp_path, _place(clubs))
    assert "nothing is asked about stadium, which no row is in" in caplog.text


def test_tables_that_may_not_be_read_at_all(clubs: URL) -> None:
    if clubs.get_backend_name() == "postgresql":
        execute(
            clubs, "CREATE SCHEMA shut", "CREATE TABLE shut.safe (name TEXT)", "GRANT USAGE ON SCHEMA shut TO reader"
        )
        place = _place(clubs.set(username="reader", password="pw-reader")) + "?search_path=shut"
        said = r"may read none of its tables and views \(safe\): grant it SELECT"
    else:
        execute(clubs, "CREATE OR REPLACE USER typist@localhost IDENTIFIED BY 'pw-typist'")
        execute(clubs, f"GRANT SELECT (born) ON {clubs.database}.player TO typist@localhost")
        place = _place(clubs.set(username="typist", password="pw-typist"))
        said = r"may read none of its tables and views \(player\): grant it SELECT"
    with pytest.raises(BenchwrightError, match=said):
        _reflected(place)


def test_schemas_of_postgresql_are_named_in_the_url(servers: DatabaseServers, tmp_path: Path) -> None:
    url = servers.get("postgresql").new(
        'CREATE SCHEMA "Sales"', "CREATE SCHEMA hr", 'SET search_path = "Sales", hr', _CLUBS[0], _CLUBS[1],
        "SET search_path = hr, \"Sales\"", *_CLUBS[2:],
    )  # fmt: skip
    with pytest.raises(BenchwrightError, match=r"some in hr \(2\), Sales \(1\): add \?search_path=hr to the URL$"):
        _reflected(_place(url))
    release = _build(tmp_path, f"{_place(url)}?search_path=hr, Sales")
    assert "Sales" not in release.manifest.sources[0]["uri"]
    assert any("JOIN club" in row["sql"] for batch in release.batches("questions", "test") for row in batch.to_pylist())


def test_views_are_asked_where_there_is_no_table(server: DatabaseServer, tmp_path: Path) -> None:
    """A person may often read views alone; partitions are no tables of their own."""
    url = server.new(*_CLUBS)
    name = url.database
    shown = f"shown{name}"
    views = (
        f"CREATE SCHEMA {shown}",
        f"CREATE VIEW {shown}.club AS SELECT name, town FROM {'public' if server.dialect == 'postgresql' else name}.club",
    )
    execute(url, *views)
    place = f"{_place(url)}?search_path={shown}" if server.dialect == "postgresql" else _place(url.set(database=shown))
    release = _build(tmp_path, place, ship="all")
    assert verify_release(release, None).proved["SQL queries"] == 2
    with open_database(place) as database:
        assert reflect(database).tables["club"].view


def test_views_beside_tables_are_asked_where_the_schema_file_says_so(tmp_path: Path) -> None:
    views = "CREATE VIEW capital AS SELECT name, town FROM club; CREATE VIEW torn AS SELECT * FROM gone"
    place = f"sqlite:///{make_sqlite(tmp_path / 'd.sqlite', ';'.join((*_CLUBS, views)))}"
    schema = _reflected(place)
    assert list(schema.left_out) == ["torn"]
    drafted = write_schema(schema, "d").partition("[table.capital]")[2].partition("[table.club]")[0]
    assert drafted.split("\n")[1:3] == [
        'called = "capital"',
        f"{'ask = false':60}  # a view; true: its rows are looked into, and asked about",
    ]
    (tmp_path / "d.toml").write_text(
        "[table.capital]\nask = true\n[table.club]\nask = false\n[table.player]\nask = false\n"
    )
    release = _build(tmp_path / "releases", place, schema=str(tmp_path / "d.toml"), ship="touched")
    assert {
        row["sql"].split(" WHERE")[0] for batch in release.batches("questions", "test") for row in batch.to_pylist()
    } == {"SELECT town FROM capital"}
    assert verify_release(release, None).proved["SQL queries"] == 2


def test_partitions_are_no_tables_of_their_own(servers: DatabaseServers) -> None:
    url = servers.get("postgresql").new(
        "CREATE TABLE sale (name TEXT, year INT) PARTITION BY RANGE (year)",
        "CREATE TABLE sale_1 PARTITION OF sale FOR VALUES FROM (1900) TO (2000)",
    )
    assert list(_reflected(_place(url)).tables) == ["sale"]


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_wide_tables_and_long_texts(dialect: str, servers: DatabaseServers, tmp_path: Path) -> None:
    """500 columns, and a text of 100 MB: both are read by who proves too, whose queries are held to less."""
    columns = ", ".join(f"answer{number} VARCHAR(5)" for number in range(498))
    wide = f"CREATE TABLE wide (name VARCHAR(9) PRIMARY KEY, body TEXT, {columns})"
    rows = (
        "INSERT INTO wide (name, body, answer7) VALUES ('Ann', 'short', 'x')",
        "INSERT INTO wide (name, body) VALUES ('Bob', {})",
    )
    if dialect == "sqlite":
        place = f"sqlite:///{tmp_path / 'wide.sqlite'}"
        with sqlite3.connect(tmp_path / "wide.sqlite") as connection:
            connection.execute(wide)
            connection.execute(rows[0])
            connection.execute(rows[1].format("?"), ("x" * 100_000_000,))
    else:
        place = _place(servers.get(dialect).new(wide, rows[0], rows[1].format("REPEAT('x', 100000000)")))
    with open_database(place) as own, open_for_checking(place) as checked:
        tables = [reflect(own).tables["wide"]]
        with checked.schema_open():
            tables.append(reflect(checked).tables["wide"])
    for table in tables:
        assert table.naming == ("name",)
        assert len(table.askable) == 498


def test_names_of_any_language(tmp_path: Path) -> None:
    """What a key leads to is called as its table where the key is called as it is there: no English rule knows it."""
    file = make_sqlite(
        tmp_path / "d.sqlite",
        """
        CREATE TABLE 顧客 (顧客番号 INTEGER PRIMARY KEY, 名前 TEXT, 住所 TEXT);
        CREATE TABLE 注文 (注文番号 INTEGER PRIMARY KEY, 件名 TEXT, 顧客番号 INT REFERENCES 顧客 (顧客番号));
        CREATE TABLE "Kunden-Übersicht" ("Name" TEXT, "Straße / Nr." TEXT, "Größe [cm]" INT);
        INSERT INTO 顧客 VALUES (1, '田中', '東京'), (2, '鈴木', '大阪');
        INSERT INTO 注文 VALUES (7, '本', 1), (8, '紙', 2);
        INSERT INTO "Kunden-Übersicht" VALUES ('Müller', 'Hauptstraße 1', 180), ('Weiß', 'Nebenweg 2', 170);
        """,
    )
    release = _build(tmp_path / "releases", f"sqlite:///{file}")
    rows = [row for batch in release.batches("questions", "test") for row in batch.to_pylist()]
    said = {row["sql"]: row["answers"] for row in rows}
    street = """SELECT "Kunden-Übersicht"."Straße / Nr." FROM "Kunden-Übersicht" WHERE "Name" = 'Müller';"""
    assert said[street] == ["Hauptstraße 1"]
    assert said["""SELECT "住所" FROM "顧客" WHERE "名前" = '田中';"""] == ["東京"]
    assert not any("Größe" in sql for sql in said)  # a placeholder is written in brackets
    assert any("本's 顧客?" in row["question"] and row["answers"] == ["田中"] for row in rows)


_CHANGES = (
    ("INSERT INTO club VALUES (3, 'Late', 'Farm')", "it had 2 rows and has 3"),
    ("UPDATE club SET town = 'Moved' WHERE club_id = 2", "its rows differ"),
)


@pytest.mark.parametrize(("change", "said"), _CHANGES, ids=["a row more", "another value"])
def test_a_database_that_changes_while_it_is_read(
    server: DatabaseServer, change: str, said: str, tmp_path: Path
) -> None:
    """It is noticed whatever follows from it, and no release is left; afterwards it is built as it is then."""
    url = server.new(*_CLUBS)
    changes = [change]

    def progress(what: str, done: int, total: int) -> None:
        if what == "questions" and changes:
            execute(url, changes.pop())

    settings = {"database": _place(url), "forms": "short", "commonest": 1}
    with pytest.raises(
        BenchwrightError, match=rf"{said}.*; nothing is made of it: build again when nobody writes to it"
    ):
        build_release("grammar", settings, render_card, output=tmp_path, name="odd", progress=progress)
    assert not (tmp_path / "odd" / "1.0.0").exists()
    assert _build(tmp_path, _place(url)).manifest.checks["sql_queries"]


def test_a_table_that_is_gone_has_changed(server: DatabaseServer) -> None:
    url = server.new(*_CLUBS)
    with open_database(_place(url)) as database:
        watched = Watched(database, None)
        watched.watch({"player": ["name", "born"]})
        assert watched.change() is None
        execute(url, "DROP TABLE player")
        assert "player cannot be read any more, which could be read before" in str(watched.change())


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_a_file_that_changes_while_it_is_read(mode: str, tmp_path: Path) -> None:
    file = make_sqlite(tmp_path / "d.sqlite", f"PRAGMA journal_mode = {mode};" + ";".join(_CLUBS))
    settings = {"database": str(file), "forms": "short", "commonest": 1, "groups": 8}
    with sqlite3.connect(file) as writing:

        def write(what: str, done: int, total: int) -> None:
            writing.execute("UPDATE club SET town = town || 's' WHERE club_id = 2")
            writing.commit()

        with pytest.raises(
            BenchwrightError, match=r"d\.sqlite was written to while it was read; nothing is made of it"
        ):
            build_release("grammar", settings, render_card, output=tmp_path, name="odd", progress=write)
    writing.close()
    build_release(
        "grammar", settings, render_card, output=tmp_path, name="odd", progress=lambda what, done, total: file.touch()
    )


def test_a_query_that_takes_too_long_is_ended_by_the_server(clubs: URL) -> None:
    sleeping = "SELECT PG_SLEEP(9)" if clubs.get_backend_name() == "postgresql" else "SELECT SLEEP(9)"
    with (
        open_database(_place(clubs), seconds=0.2) as database,
        pytest.raises(BenchwrightError, match="ends a query that takes too long"),
    ):
        database.all(sleeping)


def test_keys_in_a_circle_and_tables_without_a_key(tmp_path: Path) -> None:
    script = (
        "CREATE TABLE club (name TEXT, town TEXT, captain TEXT REFERENCES player (name));"
        "CREATE TABLE player (name TEXT UNIQUE, born TEXT, club TEXT REFERENCES club (name));"
        "CREATE TABLE river (name TEXT, km INT);"
        "INSERT INTO club VALUES ('Rovers', 'Ville', 'Ann'), ('United', 'Burg', 'Bob');"
        "INSERT INTO player VALUES ('Ann', 'Port', 'Rovers'), ('Bob', 'Cove', 'United');"
        "INSERT INTO river VALUES ('Isar', 295), ('Inn', 517);"
    )
    release = _build(tmp_path, f"sqlite:///{make_sqlite(tmp_path / 'd.sqlite', script)}", groups="0")
    hops = {row["sql"]: row["hops"] for batch in release.batches("questions", "test") for row in batch.to_pylist()}
    assert max(hops.values()) == 2  # who goes round the circle comes back to where he began
    assert "SELECT km FROM river WHERE name = 'Inn';" in hops
