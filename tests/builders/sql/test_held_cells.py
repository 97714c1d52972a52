"""What of somebody's database can be held out: not what other questions give away, and a row as a whole."""

import sqlite3
from pathlib import Path

import pytest
from support import make_sqlite

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.checking import open_for_checking
from benchwright.benchmarks.grounding.database import open_database
from benchwright.benchmarks.grounding.sql import parse_template
from benchwright.builders.sql.copied_rows import find_copies
from benchwright.builders.sql.filling.fill import Filler
from benchwright.builders.sql.held_cells import RowCells
from benchwright.builders.sql.reflection import reflect

PHONE = "SELECT phone FROM client WHERE name = '[client.name]'"
CITY = "SELECT city FROM client WHERE name = '[client.name]'"
WHO = "SELECT name FROM client WHERE city = '[client.city]'"
FORWARD = (
    "SELECT client.phone FROM orders JOIN client ON orders.client_id = client.id WHERE orders.name = '[orders.name]'"
)
BACKWARD = "SELECT COUNT(*) FROM client JOIN orders ON orders.client_id = client.id WHERE client.name = '[client.name]'"
SUM = "SELECT SUM(orders.total) FROM client JOIN orders ON orders.client_id = client.id WHERE client.name = '[client.name]'"
NESTED = "SELECT phone FROM client WHERE name = '[client.name]' AND id IN (SELECT client_id FROM orders)"


@pytest.fixture
def shop(tmp_path: Path) -> str:
    path = tmp_path / "shop.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(
            """
            CREATE TABLE client (id INTEGER PRIMARY KEY, name TEXT, city TEXT, phone TEXT);
            CREATE TABLE orders (id INTEGER PRIMARY KEY, name TEXT, total INTEGER, client_id INTEGER REFERENCES client(id));
            INSERT INTO client VALUES (1, 'Ada', 'Rome', '11'), (2, 'Bo', 'Oslo', '22'), (3, 'Cy', 'Bonn', '33');
            INSERT INTO orders VALUES (1, 'O1', 5, 1), (2, 'O2', 900, 1), (3, 'O3', 40, 2);
            """
        )
    return f"sqlite:///{path}"


def needs(url: str, *texts: str) -> tuple[set[tuple[str, str]], list[list[list[str]]]]:
    with open_database(url) as database:
        schema = reflect(database)
        templates = [parse_template(text, schema.names, schema.dialect) for text in texts]
        cells = RowCells(database, schema, templates)
        filler = Filler(database)
        return set(cells.columns), [
            [row for part in filler.fill(template, 100) for row in cells.of(template, part)] for template in templates
        ]


def test_what_is_asked_one_way_is_held_out_by_row(shop: str) -> None:
    columns, found = needs(shop, PHONE, CITY)
    assert columns == {("client", "phone"), ("client", "city")}
    assert found == [[["what is called ada"], ["what is called bo"], ["what is called cy"]]] * 2


def test_spellings_of_a_name_are_one(tmp_path: Path) -> None:
    path = make_sqlite(
        tmp_path / "shop.sqlite",
        """
        CREATE TABLE client (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
        CREATE TABLE orders (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
        INSERT INTO client VALUES (1, 'Tradição  Áurea', 'Rio'), (2, 'Bon app''', 'Nice'), (3, '北京', 'Rome'), (4, '--', '');
        INSERT INTO orders VALUES (1, 'TRADICAO Aurea', 'Rio'), (2, 'Bon app-', 'Nice'), (3, '北京', 'Rome'), (4, '-', '');
        """,
    )
    _, found = needs(f"sqlite:///{path}", CITY, "SELECT city FROM orders WHERE name = '[orders.name]'")
    named = [{cells[0].removeprefix("what is called ") for cells in of} for of in found]
    assert named == [{"tradicaoaurea", "bonapp", "北京"}] * 2


def test_what_another_question_gives_is_not(shop: str) -> None:
    columns, found = needs(shop, CITY, WHO)
    assert columns == set()
    assert found == [[[], [], []]] * 2


def test_a_reference_that_is_walked_back_is_not_and_a_sum_needs_all_that_it_adds(shop: str) -> None:
    assert needs(shop, FORWARD)[0] == {("client", "phone"), ("orders", "client_id")}
    columns, found = needs(shop, FORWARD, BACKWARD, SUM)
    assert columns == {("client", "phone"), ("orders", "total")}
    assert found[1] == [[], []]
    assert found[2] == [["what is called o1", "what is called o2"], ["what is called o3"]]


def test_a_query_within_is_refused(shop: str) -> None:
    with pytest.raises(
        BenchwrightError, match=r"--holdout cannot tell what the SQL template .* for it has a query within"
    ):
        needs(shop, NESTED)


def test_a_row_that_repeats_another_is_drawn_with_it(tmp_path: Path) -> None:
    """A clinic repeats the town of its region, a visit the town of its clinic; the last visit has no clinic."""
    regions = ", ".join(f"({n}, 'R{n}', 'Town {n}')" for n in range(20))
    clinics = ", ".join(f"({n}, 'C{n}', 'Town {n}', {n}, {n})" for n in range(20))
    visits = ", ".join(f"({n}, 'V{n}', 'Town {n}', {n if n < 19 else 'NULL'})" for n in range(20))
    path = make_sqlite(
        tmp_path / "clinic.sqlite",
        f"""
        CREATE TABLE region (id INTEGER PRIMARY KEY, name TEXT, town TEXT);
        CREATE TABLE clinic (id INTEGER PRIMARY KEY, name TEXT, town TEXT, beds INTEGER,
                             region_id INTEGER REFERENCES region (id));
        CREATE TABLE visit (id INTEGER PRIMARY KEY, name TEXT, town TEXT, clinic_id INTEGER REFERENCES clinic (id));
        INSERT INTO region VALUES {regions}; INSERT INTO clinic VALUES {clinics}; INSERT INTO visit VALUES {visits};
        """,
    )
    texts = [f"SELECT town FROM {name} WHERE name = '[{name}.name]'" for name in ("region", "clinic", "visit")]
    _, (of_regions, of_clinics, of_visits) = needs(f"sqlite:///{path}", *texts)
    assert of_regions[0] == ["what is called r0"]
    assert of_clinics[0] == ["what is called r0"]
    assert (of_visits[0], of_visits[11]) == (["what is called c0", "what is called r0"], ["what is called v19"])
    with open_database(f"sqlite:///{path}") as database:
        schema = reflect(database)
        templates = [parse_template(text, schema.names, schema.dialect) for text in texts]
        assert RowCells(database, schema, templates).of_query(templates[2], ["'V0'"]) == of_visits[0]
        filler = Filler(database)
        assert next(iter(filler.fill(templates[2], 100))).texts[0].to_pylist()[11] == "V19"


def test_wide_tables_are_compared_in_parts_as_a_release_is_proved(tmp_path: Path) -> None:
    """Seven by seven columns: 49 pairs, more than one query under guard may compare; only the last two are equal."""
    makers = ", ".join(f"({n}, 'M{n}', {', '.join(repr(f'm{n}{m}') for m in range(5))}, 'Town {n}')" for n in range(20))
    goods = ", ".join(
        f"({n}, 'G{n}', {', '.join(repr(f'g{n}{m}') for m in range(5))}, 'Town {n}', {n})" for n in range(20)
    )
    columns = ", ".join(f"text_{m} TEXT" for m in range(5))
    path = make_sqlite(
        tmp_path / "wide.sqlite",
        f"""
        CREATE TABLE maker (id INTEGER PRIMARY KEY, name TEXT, {columns}, town TEXT);
        CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, {columns}, town TEXT, maker_id INTEGER REFERENCES maker (id));
        INSERT INTO maker VALUES {makers}; INSERT INTO item VALUES {goods};
        """,
    )
    with open_database(f"sqlite:///{path}") as database:
        schema = reflect(database)
    with open_for_checking(f"sqlite:///{path}") as database:
        asked = [(name, each.name) for name in schema.tables for each in schema.tables[name].columns.values()]
        asked = [pair for pair in asked if "id" not in pair[1]]
        copies = find_copies(database, schema, asked)
        assert [[key.table for key in way] for way in copies.ways["item"]] == [["maker"]]
        assert not find_copies(database, schema, [pair for pair in asked if pair != ("item", "town")]).ways


def test_a_row_that_repeats_what_lies_one_key_further_is_drawn_with_the_one_between(tmp_path: Path) -> None:
    """The composer of a track is the artist of its album, so that he says whose album it is."""
    numbers = range(20)
    path = make_sqlite(
        tmp_path / "music.sqlite",
        f"""
        CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE album (id INTEGER PRIMARY KEY, title TEXT, artist_id INTEGER REFERENCES artist (id));
        CREATE TABLE track (id INTEGER PRIMARY KEY, name TEXT, composer TEXT, album_id INTEGER REFERENCES album (id));
        INSERT INTO artist VALUES {", ".join(f"({n}, 'Artist {n}')" for n in numbers)};
        INSERT INTO album VALUES {", ".join(f"({n}, 'Album {n}', {19 - n // 2})" for n in numbers)};
        INSERT INTO track VALUES {", ".join(f"({n}, 'Track {n}', 'Artist {19 - n // 2}', {n})" for n in numbers)};
        """,
    )
    composer = "SELECT composer FROM track WHERE name = '[track.name]'"
    artist = (
        "SELECT artist.name FROM album JOIN artist ON album.artist_id = artist.id WHERE album.title = '[album.title]'"
    )
    _, (of_tracks, of_albums) = needs(f"sqlite:///{path}", composer, artist)
    assert of_tracks == of_albums
    assert of_tracks[0] == ["artist (19,)", "what is called album0"]
