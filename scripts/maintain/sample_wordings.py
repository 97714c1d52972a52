"""Prints wordings of the built-in text writer over made-up schemas, for reading aloud."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import TypeVar

import click

from benchwright.builders.sql.wording import english
from benchwright.builders.sql.wording.by_rule import FORMS, write
from benchwright.builders.sql.wording.meaning import AskedColumn, Entity, Given, Link, Meaning
from benchwright.builders.sql.wording.skeleton import PLACEHOLDER

Choice = TypeVar("Choice")

VALUES = {
    "[author.name]": "Ines Caldeira",
    "[book.title]": "The Salt Road",
    "[client.industry]": "Logistics",
    "[client.name]": "Northwind Dairy",
    "[company.name]": "Halden Marine",
    "[course.code]": "BIO-210",
    "[department.name]": "Quality Control",
    "[employee.birth_date]": "1987-03-14",
    "[employee.name]": "Tomas Reyes",
    "[film.title]": "A Winter Harbour",
    "[hotel.name]": "Meridian",
    "[order.number]": "10482",
    "[people.name]": "Amara Osei",
    "[project.code]": "P-17",
    "[project.name]": "Riverside Terrace",
    "[student.name]": "Lena Fischer",
    "[supplier.name]": "Brandt & Sons",
    "[part.name]": "hinge plate",
}


def named(noun: str, placeholder: str, words: str = "name") -> Entity:
    """An entity that is known by its name."""
    return Entity(noun, (Given(words, placeholder, True),))


def role_of(noun: str, role: str, other: Entity) -> Entity:
    """An entity that is the role of another."""
    return Entity(noun, links=(Link("role_of", role, other),))


def having(noun: str, **roles: Entity) -> Entity:
    """An entity whose roles are filled by others."""
    return Entity(noun, links=tuple(Link("has_role", english.words(role), other) for role, other in roles.items()))


def record(noun: str, **roles: Entity) -> Entity:
    """An association of others."""
    return Entity(noun, links=having(noun, **roles).links, association=True)


def attribute(words: str, sql_type: str = "TEXT") -> AskedColumn:
    """A column that is asked for."""
    return AskedColumn(words, english.value_kind(words, sql_type), False, english.is_plural(words))


def itself(link_or_noun: str, words: str = "name") -> AskedColumn:
    """The entity itself, asked for by its name."""
    return AskedColumn(words, english.value_kind(link_or_noun), True)


COMPANY = named("company", "[company.name]")
PERSON = named("person", "[people.name]")
EMPLOYEE = named("employee", "[employee.name]")
PROJECT = named("project", "[project.name]")
CLIENT = named("client", "[client.name]")
BOOK = named("book", "[book.title]", "title")
FILM = named("film", "[film.title]", "title")
HOTEL = named("hotel", "[hotel.name]")
ORDER = named("order", "[order.number]", "order number")
EMPLOYMENT = record("employment", person=PERSON, company=COMPANY)
ENROLLMENT = record(
    "enrollment", student=named("student", "[student.name]"), course=named("course", "[course.code]", "code")
)
NAMESAKE = Entity("employee", (Given("name", "[employee.name]", True), Given("department", "[department.name]", False)))
DIRECTOR = role_of("employee", "project director", PROJECT)
EMPLOYER = Entity("company", links=(Link("through", "employment", PERSON),))

MEANINGS = (
    *(
        Meaning((attribute(words),), COMPANY)
        for words in ("industry", "headquarters", "sales in billions", "market value in billions", "CEO")
    ),
    *(Meaning((attribute(words),), PERSON) for words in ("nationality", "graduation college", "age", "place of birth")),
    *(Meaning((attribute(words),), EMPLOYEE) for words in ("job title", "supervisor or manager", "email address")),
    *(Meaning((attribute(words),), PROJECT) for words in ("start date", "location", "status", "project manager")),
    Meaning((attribute("is active", "BOOLEAN"),), PROJECT),
    Meaning((attribute("has parking", "BOOLEAN"),), HOTEL),
    Meaning((attribute("pet friendly", "BOOLEAN"),), HOTEL),
    Meaning((attribute("number of rooms", "INTEGER"),), HOTEL),
    Meaning((attribute("shipping address"),), ORDER),
    Meaning((attribute("publisher"),), BOOK),
    Meaning((attribute("release date", "DATE"),), FILM),
    Meaning((attribute("start date"), attribute("end date")), PROJECT),
    Meaning((attribute("sales in billions"), attribute("profits in billions")), COMPANY),
    Meaning((attribute("name"), attribute("location")), role_of("client", "client", PROJECT)),
    Meaning((itself("client"),), role_of("client", "client", PROJECT)),
    Meaning((itself("manager"),), role_of("employee", "manager", PROJECT)),
    Meaning((itself("author"),), role_of("author", "author", BOOK)),
    Meaning((itself("project"),), role_of("project", "parent project", PROJECT)),
    Meaning((itself("supervisor"),), role_of("employee", "supervisor", role_of("employee", "supervisor", EMPLOYEE))),
    Meaning((attribute("headquarters"),), role_of("client", "client", PROJECT)),
    Meaning((attribute("sales in billions"),), role_of("client", "client", PROJECT)),
    Meaning((attribute("nationality"),), role_of("employee", "manager", DIRECTOR)),
    Meaning((attribute("department"),), role_of("employee", "supervisor or manager", EMPLOYEE)),
    Meaning((attribute("year working"),), EMPLOYMENT),
    Meaning((attribute("hours per week"),), EMPLOYMENT),
    Meaning((attribute("grade"),), ENROLLMENT),
    Meaning((attribute("unit price"), attribute("lead time")), record(
        "supply", supplier=named("supplier", "[supplier.name]"), part=named("part", "[part.name]"), project=PROJECT
    )),
    Meaning((itself("company"),), EMPLOYER),
    Meaning((attribute("industry"),), EMPLOYER),
    Meaning((attribute("location"),), role_of("company", "parent company", EMPLOYER)),
    Meaning((itself("project"),), having("project", client=CLIENT)),
    Meaning((itself("project"),), having("project", client=CLIENT, project_director=EMPLOYEE)),
    Meaning((itself("employee"),), having("employee", supervisor=DIRECTOR)),
    Meaning((attribute("start date"),), having("project", client=CLIENT)),
    Meaning((itself("client"),), Entity("client", (Given("industry", "[client.industry]", False),))),
    Meaning((itself("employee"),), Entity("employee", (Given("birth date", "[employee.birth_date]", False),))),
    Meaning((itself("book", "title"),), having("book", author=named("author", "[author.name]"))),
    Meaning((attribute("job title"),), NAMESAKE),
    Meaning((itself("manager"),), role_of("employee", "manager", NAMESAKE)),
    Meaning((itself("client"),), Entity(
        "client", (Given("industry", "[client.industry]", False),), (Link("role_of", "client", PROJECT),)
    )),
    Meaning((attribute("budget"),), Entity(
        "project", (Given("project code", "[project.code]", True),), having("project", client=CLIENT).links
    )),
)  # fmt: skip
"""One meaning or more of each sort that the enumeration of SQL templates yields."""


def fill(wording: str) -> str:
    """The wording with a plausible value for each placeholder."""
    return PLACEHOLDER.sub(lambda match: VALUES[match.group()], wording)


def sample(count: int, form: str | None, seed: int) -> Iterator[tuple[str, str]]:
    """Forms and filled wordings, drawn evenly over meanings and forms."""
    chance = random.Random(seed)
    for _ in range(count):
        drawn = form or _draw(FORMS, chance)
        yield drawn, fill(_draw(write(_draw(MEANINGS, chance), drawn, limit=None), chance))


def _draw(choices: Sequence[Choice], chance: random.Random) -> Choice:
    return choices[int(chance.random() * len(choices))]


@click.command()
@click.option("--count", default=100, show_default=True, type=click.IntRange(min=1), help="How many wordings to print.")
@click.option("--form", type=click.Choice(FORMS), help="Only this form.")
@click.option("--seed", default=0, show_default=True, help="Which sample to draw.")
def main(count: int, form: str | None, seed: int) -> None:
    """Print sampled wordings of the built-in text writer, filled with made-up values."""
    for drawn, wording in sample(count, form, seed):
        click.echo(f"{drawn:<14} {wording}")


if __name__ == "__main__":
    main()
