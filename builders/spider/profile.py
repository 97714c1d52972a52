"""A profile of a row: what its page is about and the facts that it states, as the simple profiles of the paper list
them, `**Column**: value` (GRAMMAR, appendix H.2, table 8)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.values import to_answer, to_text
from benchwright.benchmarks.hashing import short_hash
from benchwright.builders.spider.facts import FactKey, Name, Row, name_columns
from benchwright.builders.sql.schema import SchemaTable

LONGEST = 120
"""Characters of a value that a page states."""
SCALES = {"billions": "billion", "millions": "million", "thousands": "thousand"}
"""How a column that says `in billions` is shown: 433.5 billion."""


@dataclass(frozen=True)
class Fact:
    """Something that a page states."""

    key: FactKey
    label: str
    """What the value is; for a foreign key what the other row is to this one, for a pair the noun of its table."""
    value: str
    """What the sentence must hold: the answer."""
    names: tuple[str, ...] = ()
    """The names that the sentence must hold too."""
    scale: str = ""
    """What follows the value: `billion`."""
    tie: str = ""
    """Of a pair the noun of its table: employment."""
    nouns: tuple[str, ...] = ()
    """Of a pair what the rows of its names are: order, product."""

    @property
    def sort(self) -> str:
        """`cell`, `link` or `pair`."""
        return self.key[0]


def called(name: str, noun: str) -> str:
    """What a row is called in running text: of a name without letters nobody can tell what it names."""
    return name if any(map(str.isalpha, name)) or not noun else f"{noun} {name}"


@dataclass(frozen=True)
class Profile:
    """What a page is about, and what it states."""

    row: Row
    noun: str
    name: str
    facts: tuple[Fact, ...] = ()

    @property
    def id(self) -> str:
        """Of its document: a hash of table and name."""
        return page_id(self.row)

    @property
    def text(self) -> str:
        """As the paper's profiles are written."""
        lines = [f"**Name**: {self.name}"]
        lines += [f"**{_said(fact, self.name)}**: {fact.value}{fact.scale and ' ' + fact.scale}" for fact in self.facts]
        return "\n".join(lines)


def page_id(row: Row) -> str:
    """The id of a row's page."""
    return f"page-{short_hash([row[0], *row[1]])}"


def _said(fact: Fact, name: str) -> str:
    others = [other for other in fact.names if other != name]
    if fact.sort != "pair":
        return fact.label.capitalize()
    return f"{fact.label.capitalize()} with {others[0]}" if others else fact.label.capitalize()


def stated_fact(
    key: FactKey,
    label: str,
    value: Any,
    untold: Counter[str],
    is_boolean: bool = False,
    names: tuple[str, ...] = (),
) -> Fact | None:
    """A fact with the text of its value; None where no page can state it, which is counted with the reason.

    Args:
        key: what it is about.
        label: what the value is.
        value: as the database holds it.
        untold: why no page states a value → values.
        is_boolean: whether it is yes or no.
        names: the names that its sentence must hold too.
    """
    try:
        text = to_answer(value, is_boolean).strip()
    except BenchwrightError:
        untold["no text can show it"] += 1
        return None
    if not is_line(text):
        untold["it is longer than a line, or has several"] += 1
        return None
    before, _, scale = label.rpartition(" in ")
    if before and scale in SCALES and text.replace(".", "").isdigit():
        return Fact(key, before, text, names, SCALES[scale])
    return Fact(key, label, text, names)


def main_name(table: SchemaTable, values: Mapping[str, Any]) -> str:
    """What a row is called where it is the answer."""
    return " ".join(to_text(values[column]) for column in table.answered_by if values.get(column) is not None).strip()


def shown_name(table: SchemaTable, values: Mapping[str, Any]) -> str:
    """What a page calls a row: its name, and in brackets what else questions call it by."""
    main = main_name(table, values)
    rest = [to_text(values[column]) for column in name_columns(table) if column not in table.answered_by]
    return f"{main} ({', '.join(rest)})" if rest else main


def name_of(columns: Sequence[str], values: Sequence[Any], naming: Sequence[str]) -> Name | None:
    """The name of a row among values; None where a part of it is missing or no text."""
    given = dict(zip(columns, values, strict=False))
    found = [given[column] for column in naming]
    if any(
        value is None or isinstance(value, bytes) or (isinstance(value, str) and not value.strip()) for value in found
    ):
        return None
    return tuple(to_text(value) for value in found)


def is_line(text: str) -> bool:
    """Whether a text is a short line that a sentence can hold."""
    return 0 < len(text.strip()) <= LONGEST and text.isprintable()
