"""The checker by rule: what it takes for the question of a SQL template, and what for another one."""

from functools import cache
from pathlib import Path

import pytest
from support import make_sqlite

from benchwright.benchmarks.grounding.database import open_database
from benchwright.benchmarks.grounding.sql import SqlTemplate, parse_template
from benchwright.builders.sql.reflection import reflect
from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.templates.prepare import prepare_templates
from benchwright.builders.sql.wording.by_rule import FORMS
from benchwright.builders.sql.wording.round_trip import alternatives
from benchwright.builders.sql.wording.sense import Sense, sense_of
from benchwright.builders.sql.wording.text_checks import text_problems
from benchwright.builders.sql.wording.twin import twin_problem
from benchwright.scripts.measure.trials.wordings import trial_schema, wording_cases

THEATRE = """
    CREATE TABLE house (house_id INTEGER PRIMARY KEY, name TEXT, street TEXT, seats INTEGER, opened_on DATE);
    CREATE TABLE playwright (playwright_id INTEGER PRIMARY KEY, name TEXT, birthplace TEXT, nationality TEXT,
        teacher_id INTEGER REFERENCES playwright (playwright_id));
    CREATE TABLE play (play_id INTEGER PRIMARY KEY, title TEXT, premiere_date DATE, length_minutes INTEGER,
        conductor TEXT, genre TEXT, house_id INTEGER REFERENCES house (house_id),
        playwright_id INTEGER REFERENCES playwright (playwright_id));
"""
PREMIERE = "SELECT premiere_date FROM play WHERE title = '[play.title]';"
LENGTH = "SELECT length_minutes FROM play WHERE title = '[play.title]';"
CONDUCTOR = "SELECT conductor FROM play WHERE title = '[play.title]';"
STREET = "SELECT house.street FROM play JOIN house ON play.house_id = house.house_id WHERE play.title = '[play.title]';"
TEACHER = (
    "SELECT teacher.name FROM playwright JOIN playwright AS teacher ON playwright.teacher_id = teacher.playwright_id"
    " WHERE playwright.name = '[playwright.name]';"
)
ORIGIN = (
    "SELECT playwright.birthplace FROM play JOIN playwright ON play.playwright_id = playwright.playwright_id"
    " WHERE play.title = '[play.title]';"
)


@pytest.fixture(scope="module")
def theatre(tmp_path_factory: pytest.TempPathFactory) -> DatabaseSchema:
    """A schema of three tables, one of which points to itself."""
    file = make_sqlite(tmp_path_factory.mktemp("theatre") / "theatre.sqlite", THEATRE)
    with open_database(f"sqlite:///{file}") as database:
        return reflect(database)


def why(schema: DatabaseSchema, sql: str, form: str, wording: str) -> str | None:
    """The reason for which a wording is refused."""
    template = parse_template(sql, schema.names, schema.dialect)
    sense = sense_of(template, schema, schema.vocabulary)
    assert sense is not None
    problem = twin_problem(sense, wording, form)
    return problem and problem.reason


@pytest.mark.parametrize(
    ("sql", "form", "wording"),
    [
        (PREMIERE, "interrogative", "When did [play.title] see its premiere among the townsfolk?"),
        (PREMIERE, "directive", "Look up the premiere date under which [play.title] is archived."),
        (LENGTH, "interrogative", "How long does one sit through [play.title], and is it given in minutes?"),
        (CONDUCTOR, "interrogative", "Who conducted [play.title]?"),
        (CONDUCTOR, "casual", "who's standing there as conductor when they do [play.title]?"),
        (STREET, "interrogative", "In which street does one find the house that stages [play.title]?"),
        (TEACHER, "interrogative", "Who taught the playwright [playwright.name]?"),
        (TEACHER, "interrogative", "Under which teacher did [playwright.name] learn the craft?"),
        (TEACHER, "formal", "I should like to know by whom [playwright.name] was taught."),
        (ORIGIN, "interrogative", "Where was the person born who wrote [play.title]?"),
        (
            ORIGIN,
            "directive",
            "Before you print the leaflet, tell me the birthplace of the playwright of [play.title].",
        ),
    ],
)
def test_a_word_that_nobody_knows_is_no_reason_to_refuse(
    theatre: DatabaseSchema, sql: str, form: str, wording: str
) -> None:
    assert why(theatre, sql, form, wording) is None


@pytest.mark.parametrize(
    ("sql", "form", "wording", "reason"),
    [
        (PREMIERE, "interrogative", "When was [play.title] written?", "does not ask for what the SQL template selects"),
        (PREMIERE, "interrogative", "Who came to the premiere of [play.title]?", "asks with another question word"),
        (PREMIERE, "directive", "Name the place in which [play.title] had its premiere.", "asks for another thing"),
        (PREMIERE, "short", "premiere date and genre of [play.title]", "asks two things"),
        (PREMIERE, "directive", "State the name and the premiere date of [play.title].", "asks two things"),
        (PREMIERE, "interrogative", "When is the premiere of [play.title] going to be?", "says what turns the question"),
        (PREMIERE, "interrogative", "When was the grandest premiere of [play.title]?", "says what turns the question"),
        (PREMIERE, "interrogative", "When was the Welsh premiere of [play.title]?", "says more than the SQL template"),
        (LENGTH, "interrogative", "How many kilometres of length has [play.title]?", "asks how many"),
        (CONDUCTOR, "directive", "Give the number of conductors of [play.title].", "asks how many"),
        (STREET, "short", "street of [play.title]", "leaves out a relation"),
        (STREET, "interrogative", "In which street does the playwright who uses the house of [play.title] live?",
         "names something else"),
        (TEACHER, "interrogative", "Whom did [playwright.name] teach?", "turns a relation round"),
        (TEACHER, "interrogative", "Which playwright was taught by [playwright.name]?", "turns a relation round"),
        (TEACHER, "directive", "Name the playwright whom [playwright.name] taught.", "turns a relation round"),
        (TEACHER, "short", "teacher: the pupil of [playwright.name]", "turns a relation round"),
        (TEACHER, "interrogative", "For which playwright was [playwright.name] the teacher?", "turns a relation round"),
    ],
)  # fmt: skip
def test_what_asks_for_something_else_is_refused(
    theatre: DatabaseSchema, sql: str, form: str, wording: str, reason: str
) -> None:
    assert why(theatre, sql, form, wording) == reason


def test_whom_somebody_teaches_is_not_who_teaches_him(theatre: DatabaseSchema) -> None:
    taught = TEACHER.replace(
        "playwright.teacher_id = teacher.playwright_id", "playwright.playwright_id = teacher.teacher_id"
    )
    assert why(theatre, taught, "interrogative", "Which playwright did [playwright.name] teach?") is None
    assert why(theatre, taught, "interrogative", "Which playwright taught [playwright.name]?") == (
        "turns a relation round"
    )


@pytest.mark.parametrize(
    ("form", "wording", "reason"),
    [
        ("interrogative", "Is there a conductor for [play.title]?", "can be answered with yes or no"),
        ("interrogative", "Is there anybody who can tell me who conducts [play.title]?", None),
        ("casual", "[play.title] has a conductor, right?", "can be answered with yes or no"),
        ("directive", "Confirm that [play.title] has a conductor.", "can be answered with yes or no"),
        ("formal", "I should like to know whether [play.title] has a conductor.", "can be answered with yes or no"),
        ("formal", "I wonder whether you could tell me who conducts [play.title].", None),
        ("casual", "Might one respectfully ask who conducts [play.title]?", "is not casual"),
        ("directive", "Name the conductor the conductor of [play.title].", "repeats words"),
        ("directive", "Name conductor the of [play.title] the is.", "is no sentence"),
        ("directive", "Name the conductor of [play.title] and explain why.", "talks to or about a model"),
        ("interrogative", "Question: who conducts [play.title]?", "holds markup or an address"),
        ("interrogative", "Who conducts [play.title] in LA?", "holds a name outside its placeholders"),
        ("interrogative", "Who conducts [play.title]? And who sings?", "asks two things"),
    ],
)
def test_what_is_wrong_whatever_is_asked(form: str, wording: str, reason: str | None) -> None:
    found = next(text_problems(wording, form, ["conductor", "play"]), None)
    assert (found and found.reason) == reason


def test_good_wordings_are_refused_for_templates_that_differ_in_a_column_a_join_or_the_direction() -> None:
    """Each good wording of the part that the checks were written with, of two schemas."""
    template_of, sense = cache(_template), cache(_sense)
    accepted = count = 0
    for case in wording_cases():
        if case.part == "before" and case.is_good and case.schema in ("films", "shop"):
            schema = trial_schema(case.schema)
            for other in alternatives(template_of(case.schema, case.sql), schema):
                if (found := sense(case.schema, other.text)) is not None:
                    count += 1
                    accepted += twin_problem(found, case.wording, case.form) is None
    assert count > 150
    assert accepted <= 0.02 * count


def _template(name: str, sql: str) -> SqlTemplate:
    schema = trial_schema(name)
    return parse_template(sql, schema.names, schema.dialect)


def _sense(name: str, sql: str) -> Sense | None:
    schema = trial_schema(name)
    return sense_of(_template(name, sql), schema, schema.vocabulary)


@pytest.mark.parametrize("database", ["sql/northwind.sqlite", "spider/company_employee.sqlite"])
def test_the_built_in_wordings_ask_for_what_their_templates_select(shared: Path, database: str) -> None:
    with open_database(f"sqlite:///{shared / database}") as opened:
        schema = reflect(opened)
        settings = {"templates": "", "hops": 2, "sql_templates": 25, "wordings": 3, "balanced": False}
        prepared = prepare_templates(opened, schema, schema.vocabulary, FORMS, settings)
    refused = count = 0
    for worded in prepared.worded:
        sense = sense_of(worded.sql, schema, schema.vocabulary)
        assert sense is not None
        for form, text in worded.wordings:
            count += 1
            refused += twin_problem(sense, text, form) is not None
    assert count > 200
    assert refused <= 0.005 * count
