"""Identifiers of abbreviations, slips of the hand, and what the given is called: the checker by rule reads through."""

import pytest
from support import make_sqlite

from benchwright.benchmarks.grounding.database import open_database
from benchwright.benchmarks.grounding.sql import parse_template
from benchwright.builders.sql.reflection import reflect
from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.wording.sense import sense_of
from benchwright.builders.sql.wording.slips import is_abbreviation, is_slip, spelled
from benchwright.builders.sql.wording.twin import twin_problem

QUARRY = """
    CREATE TABLE depot (depot_id INTEGER PRIMARY KEY, name TEXT, tel_no TEXT, wagon_cnt INTEGER, build_year INTEGER,
        stonemason TEXT, insp_dt DATE);
    CREATE TABLE hauler (hauler_id INTEGER PRIMARY KEY, name TEXT, instr TEXT, trainee TEXT,
        predecessor_id INTEGER REFERENCES hauler (hauler_id));
    CREATE TABLE trip (trip_no TEXT PRIMARY KEY, title TEXT, dur_min INTEGER, load_amt NUMERIC,
        dep_depot_id INTEGER REFERENCES depot (depot_id), arr_depot_id INTEGER REFERENCES depot (depot_id),
        hauler_id INTEGER REFERENCES hauler (hauler_id));
"""
ARRIVAL = (
    "SELECT depot.stonemason FROM trip JOIN depot ON trip.arr_depot_id = depot.depot_id"
    " WHERE trip.title = '[trip.title]';"
)
MASON = "SELECT stonemason FROM depot WHERE name = '[depot.name]';"
WAGONS = "SELECT wagon_cnt FROM depot WHERE name = '[depot.name]';"
LOAD = "SELECT load_amt FROM trip WHERE trip_no = '[trip.trip_no]';"
TRAINEE = "SELECT trainee FROM hauler WHERE name = '[hauler.name]';"
BEFORE = (
    "SELECT earlier.name FROM hauler JOIN hauler AS earlier ON hauler.predecessor_id = earlier.hauler_id"
    " WHERE hauler.name = '[hauler.name]';"
)
BOTH = "SELECT stonemason, wagon_cnt FROM depot WHERE name = '[depot.name]';"


@pytest.fixture(scope="module")
def quarry(tmp_path_factory: pytest.TempPathFactory) -> DatabaseSchema:
    """A schema that abbreviates."""
    file = make_sqlite(tmp_path_factory.mktemp("quarry") / "quarry.sqlite", QUARRY)
    with open_database(f"sqlite:///{file}") as database:
        return reflect(database)


def why(schema: DatabaseSchema, sql: str, form: str, wording: str) -> str | None:
    """The reason for which a wording is refused."""
    sense = sense_of(parse_template(sql, schema.names, schema.dialect), schema, schema.vocabulary)
    assert sense is not None
    problem = twin_problem(sense, wording, form)
    return problem and problem.reason


@pytest.mark.parametrize(
    ("sql", "form", "wording"),
    [
        (ARRIVAL, "interrogative", "Who is the stonemason at the depot where [trip.title] arrives?"),
        (ARRIVAL, "short", "stonemason of the arrival depot of [trip.title]"),
        (WAGONS, "interrogative", "How many wagons does the freight yard [depot.name] have?"),
        (MASON, "interrogative", "Which stonemason built the depot [depot.name]?"),
        (MASON, "casual", "who's the stonmason at [depot.name]?"),
        (TRAINEE, "interrogative", "Whom did [hauler.name] train?"),
        (LOAD, "directive", "State the load amount of the trip [trip.trip_no]."),
        (BEFORE, "interrogative", "Who was hauler before [hauler.name] came to succeed that person?"),
        (BOTH, "interrogative", "Who is the stonemason of [depot.name], and how many wagons are there?"),
    ],
)
def test_what_an_identifier_abbreviates_is_asked_for_in_full(
    quarry: DatabaseSchema, sql: str, form: str, wording: str
) -> None:
    assert why(quarry, sql, form, wording) is None


@pytest.mark.parametrize(
    ("sql", "form", "wording", "reason"),
    [
        (ARRIVAL, "interrogative", "Who is the stonemason at the depot where [trip.title] departs?",
         "leaves out a relation"),
        (MASON, "directive", "Name the stonemason of [depot.name] back then.", "says what turns the question"),
        (LOAD, "interrogative", "How many loads had the trip [trip.trip_no]?", "asks how many"),
        (BEFORE, "interrogative", "Which hauler succeeded [hauler.name] at once?", "turns a relation round"),
        (BOTH, "interrogative", "Who is the stonemason of [depot.name]?",
         "does not ask for what the SQL template selects"),
    ],
)  # fmt: skip
def test_what_abbreviations_stand_for_tells_columns_and_roles_apart(
    quarry: DatabaseSchema, sql: str, form: str, wording: str, reason: str
) -> None:
    assert why(quarry, sql, form, wording) == reason


def test_a_placeholder_behind_the_noun_of_another_is_refused(quarry: DatabaseSchema) -> None:
    sql = (
        "SELECT trip.dur_min FROM trip JOIN hauler ON trip.hauler_id = hauler.hauler_id"
        " WHERE hauler.name = '[hauler.name]' AND trip.title = '[trip.title]';"
    )
    right = "How many minutes does the trip [trip.title] of the hauler [hauler.name] take?"
    turned = "How many minutes does the trip [hauler.name] of the hauler [trip.title] take?"
    assert why(quarry, sql, "interrogative", right) is None
    assert why(quarry, sql, "interrogative", turned) == "takes the placeholder for something else"


@pytest.mark.parametrize(
    ("token", "word", "expected"),
    [
        ("captian", "captain", True),
        ("contri", "countri", True),
        ("stonnemason", "stonemason", True),
        ("patron", "patent", False),
        ("hous", "hors", False),
        ("capital", "captain", False),
    ],
)
def test_a_slip_is_one_letter_or_two_that_changed_places(token: str, word: str, expected: bool) -> None:
    assert is_slip(token, word) is expected


@pytest.mark.parametrize(
    ("short", "word", "expected"),
    [
        ("instr", "instrument", True),
        ("pltf", "plaintiff", True),
        ("con", "concert", False),
        ("cat", "cathedral", False),
        ("mtrl", "metal", False),
    ],
)
def test_an_abbreviation_is_a_beginning_or_the_consonants(short: str, word: str, expected: bool) -> None:
    assert is_abbreviation(short, word) is expected


def test_a_word_of_the_schema_is_read_as_itself() -> None:
    own = {"quarr", "quarryman", "plintx"}
    assert spelled(["quarryman", "plinthx"], own, {"plinthx"}, slips=True) == ["quarryman", "plinthx"]
    assert spelled(["quarrying", "plinthx"], own, set(), slips=False) == ["quarr", "plinthx"]
