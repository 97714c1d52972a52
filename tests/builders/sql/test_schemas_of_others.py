"""What is asked of a music shop and of a film rental, made after well-known sample schemas: what people would ask."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from film_rental import make_film_rental
from music_shop import make_music_shop

from benchwright.benchmarks.grounding.database import open_database
from benchwright.benchmarks.grounding.sql import parse_template
from benchwright.builders.sql.reflection import reflect
from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.templates.enumeration import enumerate_templates
from benchwright.builders.sql.vocabulary import Vocabulary
from benchwright.builders.sql.wording.by_rule import write
from benchwright.builders.sql.wording.template_meaning import read_meaning

MIGHT = "Might one enquire as to "


def understood(make: Callable[[Path], Path], folder: Path) -> tuple[DatabaseSchema, set[str]]:
    """A schema, and the first short wording of each of its templates."""
    with open_database(f"sqlite:///{make(folder / 'd.sqlite')}") as database:
        schema = reflect(database)
    templates = [parse_template(sql, schema.names, "sqlite") for sql in enumerate_templates(schema)]
    meanings = [read_meaning(template, schema, Vocabulary()) for template in templates]
    assert None not in meanings
    return schema, {write(meaning, "formal", None)[-1] for meaning in meanings if meaning}


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> tuple[DatabaseSchema, set[str]]:
    return understood(make_film_rental, tmp_path_factory.mktemp("film"))


@pytest.fixture(scope="module")
def music(tmp_path_factory: pytest.TempPathFactory) -> tuple[DatabaseSchema, set[str]]:
    return understood(make_music_shop, tmp_path_factory.mktemp("music"))


def asked(texts: set[str]) -> set[str]:
    """What each asks for that asks for no yes or no, with its values' tables alone."""
    found = {re.sub(r"\[(\w+)\.\w+\](?: \[\w+\.\w+\])?", lambda match: match[1].lower(), text) for text in texts}
    return {text.removeprefix(MIGHT).removesuffix("?") for text in found if text.startswith(MIGHT)}


def test_a_film_rental(film: tuple[DatabaseSchema, set[str]]) -> None:
    """Addresses and copies only carry, films have one category and many actors, and nobody is asked about at his home."""
    schema, texts = film
    assert {name for name, table in schema.tables.items() if not table.naming} == {
        "film_actor", "film_category", "inventory", "store"}  # fmt: skip
    assert schema.tables["film_category"].mostly_one == {("film_id",)} and not schema.tables["film_actor"].mostly_one
    found = asked(texts)
    assert {
        "the name of the category of the film titled film",
        "the title of the film of rental rental",
        "the rating of the film of rental rental",
        "the name of the staff member on payment payment",
        "the postal code of the customer customer",
        "the city of the customer customer",
        "the name of the manager of the store of the customer customer",
        "the address of the store of the customer customer",
        "the address of the employee staff",
    } <= {text.replace("staff member staff", "employee staff") for text in found}
    words = (
        "description",
        "last update",
        "inventory",
        "address 2",
        "username",
        "actor",
        "of the address",
    )
    assert not [text for text in found for word in words if word in text]


def test_a_music_shop(music: tuple[DatabaseSchema, set[str]]) -> None:
    """People are named in two columns; far from them, it is their names that are asked for and nothing that is their own."""
    schema, texts = music
    assert schema.tables["Customer"].naming == schema.tables["Employee"].naming == ("FirstName", "LastName")
    found = asked(texts)
    assert {
        "the job title of the employee employee",
        "the name of the manager of the manager of the employee employee",
        "the name of the support rep of the customer on invoice invoice",
        "the country of the customer on invoice invoice",
        "the name of the artist of the album titled album",
    } <= found
    assert not [
        text for text in found if re.search("(birth|hire) date of the (manager|support rep)|fax .* invoice", text)
    ]
