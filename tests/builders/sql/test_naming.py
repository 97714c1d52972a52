"""What the rows of a table are called by: unique in the data, and what people would say."""

from pathlib import Path

import pytest
from support import make_sqlite

from benchwright.benchmarks.grounding.database import open_database
from benchwright.benchmarks.grounding.sql import parse_template
from benchwright.builders.sql.reflection import reflect
from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.technical import is_technical
from benchwright.builders.sql.templates.enumeration import enumerate_templates
from benchwright.builders.sql.vocabulary import Vocabulary
from benchwright.builders.sql.wording.by_rule import write
from benchwright.builders.sql.wording.template_meaning import read_meaning

SHOP = """
CREATE TABLE Employees (EmployeeID INTEGER PRIMARY KEY, LastName TEXT, FirstName TEXT, Title TEXT, PhotoPath TEXT,
  SpouseID INTEGER REFERENCES Employees (EmployeeID), ReportsTo INTEGER REFERENCES Employees (EmployeeID));
CREATE TABLE Orders (OrderID INTEGER PRIMARY KEY, EmployeeID INTEGER REFERENCES Employees (EmployeeID), ShipName TEXT);
INSERT INTO Employees VALUES (1, 'Moor', 'Ada', 'Clerk', '/a.bmp', 2, NULL), (2, 'Moor', 'Ben', 'Clerk', '/b.bmp', 1, 1),
  (3, 'Orr', 'Ada', 'Head', '/c.bmp', NULL, 2);
INSERT INTO Orders VALUES (10248, 1, 'Hold'), (10249, 3, 'Lane');
"""


def schema_of(tmp_path: Path, script: str) -> DatabaseSchema:
    with open_database(f"sqlite:///{make_sqlite(tmp_path / 'd.sqlite', script)}") as database:
        return reflect(database)


def naming(tmp_path: Path, columns: str, *rows: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What names a row of a table `film`, and what it is called by."""
    table, _, columns = columns.rpartition(": ")
    name = table or "film"
    script = f"CREATE TABLE {name} ({columns});" + "".join(f"INSERT INTO {name} VALUES ({row});" for row in rows)
    found = schema_of(tmp_path, script).tables[name]
    return found.naming, found.called_by


@pytest.mark.parametrize(
    ("columns", "rows", "unique", "called_by"),
    [
        ("name TEXT", ["'A'", "'B'"], ("name",), ("name",)),
        ("name TEXT", ["'A'", "'A'"], (), ("name",)),
        ("title TEXT, release_year INT", ["'A', 1950", "'A', 1990"], ("title", "release_year"), ("title",)),
        ("title TEXT, code TEXT", ["'A', 'x'", "'A', 'y'"], ("code",), ("title",)),
        ("name TEXT, phone TEXT", ["'A', '1'", "'A', '2'"], (), ("name",)),
        ("actor: last_name TEXT, first_name TEXT", ["'A', 'B'", "'A', 'C'"], *[("first_name", "last_name")] * 2),
        ("actor: last_name TEXT, first_name TEXT", ["'A', 'B'", "'A', 'B'"], (), ("first_name", "last_name")),
        ("employee: title TEXT, city TEXT", ["'Clerk', 'A'", "'Head', 'B'"], (), ()),
        ("invoices: invoice_id INTEGER PRIMARY KEY, billing_name TEXT", ["1, 'A'", "2, 'B'"], *[("invoice_id",)] * 2),
        ("city: city_id INTEGER PRIMARY KEY, population INT", ["1, 5", "2, 6"], (), ()),
        ("film_id INTEGER PRIMARY KEY, name TEXT", ["1, 'A'", "2, NULL", "3, NULL"], (), ("name",)),
        ("title TEXT", [], ("title",), ("title",)),
    ],
)
def test_what_names_a_row(
    tmp_path: Path, columns: str, rows: list[str], unique: tuple[str, ...], called_by: tuple[str, ...]
) -> None:
    assert naming(tmp_path, columns, *rows) == (unique, called_by)


def test_a_shop_is_asked_as_people_ask(tmp_path: Path) -> None:
    """Employees by first and last name, orders by number; no path, no spouse of the spouse, no name of a ship."""
    schema = schema_of(tmp_path, SHOP)
    assert {name: table.naming for name, table in schema.tables.items()} == {
        "Employees": ("FirstName", "LastName"), "Orders": ("OrderID",)}  # fmt: skip
    templates = [parse_template(sql, schema.names, "sqlite") for sql in enumerate_templates(schema)]
    meanings = [read_meaning(template, schema, Vocabulary()) for template in templates]
    texts = {text for meaning in meanings if meaning for text in write(meaning, "short")}
    assert None not in meanings
    name = "[Employees.FirstName] [Employees.LastName]"
    assert {
        f"job title of employee {name}",
        f"manager of manager of employee {name}",
        "employee on order [Orders.OrderID]",
        "manager of employee on order [Orders.OrderID]",
    } <= texts
    assert not [text for text in texts if "photo" in text or "spouse of spouse" in text or "ShipName]" in text]
    asked = next(one for one in templates if 'FROM "Orders" JOIN' in one.text and len(one.names[0]) == 2)
    assert [item.column for item in asked.names[0]] == ["FirstName", "LastName"]


def test_nobody_asks_for_the_product_of_an_order(tmp_path: Path) -> None:
    """An order's lines are asked about by order and product; who ships it is a shipper."""
    schema = schema_of(
        tmp_path,
        "CREATE TABLE shipper (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE product (id INTEGER PRIMARY KEY, name TEXT);"
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, ship_via INTEGER REFERENCES shipper (id));"
        "CREATE TABLE order_details (order_id INTEGER REFERENCES orders (id), product_id INTEGER REFERENCES product (id),"
        "quantity INTEGER, PRIMARY KEY (order_id, product_id));",
    )
    templates = [parse_template(sql, schema.names, "sqlite") for sql in enumerate_templates(schema)]
    meanings = [read_meaning(template, schema, Vocabulary()) for template in templates]
    texts = {text for meaning in meanings if meaning for text in write(meaning, "short")}
    assert [sorted(template.tables.values()) for template in templates] == [
        ["order_details", "orders", "product"], ["orders", "shipper"]]  # fmt: skip
    assert "shipper on order [orders.id]" in texts


def test_title_and_year_stand_side_by_side(tmp_path: Path) -> None:
    schema = schema_of(
        tmp_path,
        "CREATE TABLE film (title TEXT, release_year INT, genre TEXT);"
        "INSERT INTO film VALUES ('A', 1950, 'x'), ('A', 1990, 'y');",
    )
    (sql,) = enumerate_templates(schema)
    meaning = read_meaning(parse_template(sql, schema.names, "sqlite"), schema, Vocabulary())
    assert meaning is not None
    assert meaning.placeholders == ("[film.title]", "[film.release_year]")
    assert any("[film.title] ([film.release_year])" in text for text in write(meaning, "short"))


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("PhotoPath", [], True),
        ("row_guid", [], True),
        ("FileSize", [], True),
        ("password_hash", [], True),
        ("LastUpdate", [], True),
        ("HomePage", ["#CAJUN.HTM#", "a#http://b#"], True),
        ("website", ["https://a.example", "https://b.example"], False),
        ("title", ["A", "B"], False),
        ("identity", [], False),
    ],
)
def test_what_only_programs_read(name: str, values: list[str], expected: bool) -> None:
    assert is_technical(name, values) == expected
