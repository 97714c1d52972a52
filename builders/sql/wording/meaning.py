"""What a SQL template asks, in the words of its schema: what the text writer turns into English.

A meaning is a tree. Its root is the entity (or the association) whose attributes are asked; an entity is known by
values that are given (`company '[company.Name]'`) or by its links to other entities (the client *of* a project).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from benchwright.benchmarks.grounding.sql import PLACEHOLDER

ValueKind = Literal["text", "person", "place", "organisation", "date", "number", "boolean"]
LinkKind = Literal["role_of", "has_role", "through"]


@dataclass(frozen=True, slots=True)
class Given:
    """A condition: a column of the entity equals the value that a placeholder stands for."""

    words: str
    """The column in words, such as `industry`."""
    placeholder: str
    """As it stands in templates, such as `[company.Name]`; of a name in several columns all of them, as they are
    written side by side."""
    naming: bool
    """Whether people call the entity by it (`company X`); else it is an attribute (`whose industry is X`)."""


@dataclass(frozen=True, slots=True)
class Entity:
    """One instance of a table, known by given values, by links, or by both."""

    noun: str
    """Singular, such as `company` or `person`."""
    given: tuple[Given, ...] = ()
    links: tuple[Link, ...] = ()
    association: bool = False
    """Whether the table only relates others (`employment`: a person works at a company)."""
    shares_names: bool = False
    """Whether what is another thing is named alike, such as a customer and an employee by first and last name."""


@dataclass(frozen=True, slots=True)
class Link:
    """How an entity is tied to another one that is known."""

    kind: LinkKind
    """`role_of`: the entity is the `role` of the other (`the client of project P`).
    `has_role`: the other is the `role` of the entity (`the project whose client is C`).
    `through`: both are related by the associative table `role` (`the company in the employment of person P`).
    Under an association, each entity that it relates is linked by `has_role`."""
    role: str
    entity: Entity


@dataclass(frozen=True, slots=True)
class AskedColumn:
    """A projected column."""

    words: str
    """Such as `graduation college`; for a naming column, the column's words (`name`)."""
    kind: ValueKind
    naming: bool
    """Whether the entity itself is asked for (who is the client of P?) rather than an attribute of it."""
    plural: bool = False
    """Whether the words are a plural (`sales in billions`)."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What must hold of each of many rows: that its freight is above 100."""

    words: str
    """What is compared: `freight`."""
    said: str
    """With what: `above 100`."""


@dataclass(frozen=True, slots=True)
class Many:
    """Rows of which something is asked that no single one of them says: the orders of customer X above 100."""

    noun: str
    """Singular, such as `order`."""
    role: str
    """What the entity is to each of them: `customer`; empty where they are simply its own (`projects of person X`)."""
    asked: str
    """What is asked of them, without article: `number`, `highest freight`; of one row that is searched for, by what it
    stands out: `with the highest freight`."""
    conditions: tuple[Compared, ...] = ()
    """What else must hold of each."""
    is_one_of: bool = False
    """Whether what is asked is that of one of them: the highest freight among the orders, not the total of them."""
    note: str = ""
    """How it is to be said: `rounded to two decimals`."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What is asked about which entity. One projected column or more, all of the root entity."""

    asked: tuple[AskedColumn, ...]
    of: Entity
    """Of a kind that reckons over many rows, what they belong to."""
    kind: str = "lookup"
    many: Many | None = None
    said: str = ""
    """Of a question of yes or no: the placeholders of the value that what is asked may have."""

    @property
    def placeholders(self) -> tuple[str, ...]:
        """All placeholders of the tree, in order, each once."""
        found: dict[str, None] = {}

        def walk(entity: Entity) -> None:
            for given in entity.given:
                found.update(dict.fromkeys(match[0] for match in PLACEHOLDER.finditer(given.placeholder)))
            for link in entity.links:
                walk(link.entity)

        walk(self.of)
        found.update(dict.fromkeys(match[0] for match in PLACEHOLDER.finditer(self.said)))
        return tuple(found)
