"""Entities as noun phrases, with all that is known of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from benchwright.benchmarks.data_files import read_words
from benchwright.builders.sql.wording import english
from benchwright.builders.sql.wording.meaning import Entity, Given, Link

_NOUNS = read_words(__package__, "nouns.toml")
_WORKS, _PAPERS, _SHEETS = _NOUNS["works"], _NOUNS["papers"], _NOUNS["sheets"]
_PARTS_TAKEN = _NOUNS["parts_taken"]

Style = Literal["plain", "named", "bare", "possessive"]
"""How an entity is put: `the company X`, `the company named X`, `company X`, or so that something of it can follow
(`company X's`)."""


def entity_phrase(entity: Entity, style: Style) -> str:
    """The noun phrase of an entity, with all that is known of it."""
    if style == "possessive":
        return _owning(entity)
    article = "" if style == "bare" else "the "
    if line := line_of(entity):
        thing, whole = (entity_phrase(part, "bare" if style == "bare" else "plain") for part in line)
        return f"{thing} {'on' if line[1].noun in _SHEETS else 'in'} {whole}"
    if entity.association:
        tie = "that links" if style == "named" else "of"
        return f"{article}{record_noun(entity)} {tie} {parts_phrase(entity, 'bare' if style == 'bare' else 'plain')}"
    if is_simple(entity):
        return _simple(entity, style)
    role = only_role(entity)
    if role is not None:
        words = nominal(role.role)
        return f"{article}{words} {preposition((words,), role.entity)} {entity_phrase(role.entity, style)}"
    naming = [given for given in entity.given if given.naming]
    called = f" {_calling(naming[0])} {naming[0].placeholder}" if len(naming) == 1 and _calling(naming[0]) else ""
    conditions = conditions_of(entity)[1 if called else 0 :]
    modifiers = [condition.short if style == "bare" else condition.relative for condition in conditions]
    if style == "bare":
        modifiers = [modifier.removeprefix("with ") if i else modifier for i, modifier in enumerate(modifiers)]
    return f"{article}{entity.noun}{called} {english.join(modifiers)}".rstrip()


def _simple(entity: Entity, style: Style) -> str:
    placeholder = entity.given[0].placeholder
    calling = _calling(entity.given[0])
    if calling is None or style == "bare":
        return f"{entity.noun} {placeholder}"
    if style == "named" or entity.noun == "person" or calling == "titled":
        return f"the {entity.noun} {calling} {placeholder}"
    return f"the {entity.noun} {placeholder}"


def _owning(entity: Entity) -> str:
    role = only_role(entity)
    if role is not None:
        return f"{_owning(role.entity)} {english.possessive(nominal(role.role))}"
    given = entity.given[0]
    speaks_for_itself = english.is_person(entity.noun) and not entity.shares_names
    return f"{given.placeholder}'s" if speaks_for_itself else f"{entity.noun} {given.placeholder}'s"


@dataclass(frozen=True, slots=True)
class Condition:
    """One thing that is known of an entity, in five shapes."""

    relative: str
    """`whose client is company C`"""
    short: str
    """`with client C`"""
    verb: str
    """`has company C as client`"""
    clause: str
    """`the client of the project is company C`"""
    key: str
    """`client C`"""


def conditions_of(entity: Entity) -> list[Condition]:
    """The givens, names first, and then the links."""
    givens = sorted(entity.given, key=lambda given: not given.naming)
    return [*(_given(given, entity.noun) for given in givens), *(_link(link, entity.noun) for link in entity.links)]


def _given(given: Given, noun: str) -> Condition:
    words, value, calling = nominal(given.words), given.placeholder, _calling(given)
    be = english.be(english.is_plural(words))
    return Condition(
        relative=f"whose {words} {be} {value}",
        short=f"with {words} {value}",
        verb=f"is {calling} {value}" if given.naming and calling else f"has {value} as {words}",
        clause=f"the {words} of the {noun} {be} {value}",
        key=f"{words} {value}",
    )


def _link(link: Link, noun: str) -> Condition:
    plain, bare = entity_phrase(link.entity, "plain"), entity_phrase(link.entity, "bare")
    role = nominal(link.role)
    if link.kind == "role_of":
        tie = preposition((role,), link.entity)
        return _verbal(f"is the {role} {tie} {plain}", f"{role} {tie} {bare}", noun)
    if link.kind == "through":
        record = english.with_article(_record(link.role))
        tie = f"linked to {plain} by {record}"
        return _verbal(f"is {tie}", f"linked to {bare} by {record.partition(' ')[2]}", noun)
    value = _filler(link)
    key = f"{role} {link.entity.given[0].placeholder}" if is_simple(link.entity) else f"{bare} as {role}"
    return Condition(
        relative=f"whose {role} is {value}",
        short=f"with {key}",
        verb=f"has {value} as {role}",
        clause=f"the {role} of the {noun} is {value}",
        key=key,
    )


def _verbal(verb: str, short: str, noun: str) -> Condition:
    pronoun = "who" if english.question_word(english.value_kind(noun), noun) == "who" else "that"
    return Condition(relative=f"{pronoun} {verb}", short=short, verb=verb, clause=f"the {noun} {verb}", key=short)


def _filler(link: Link) -> str:
    """The entity that fills a role, without its noun where the role says it already."""
    entity = link.entity
    if is_simple(entity) and english.head_word(link.role) == english.head_word(entity.noun):
        return entity.given[0].placeholder
    return entity_phrase(entity, "plain")


def parts_phrase(entity: Entity, style: Style) -> str:
    """What an association relates, and what else is known of it: `person P and company C`."""
    parts: list[str] = []
    for link in entity.links:
        if is_simple(link.entity) and english.head_word(link.role) != english.head_word(link.entity.noun):
            parts.append(f"{'' if style == 'bare' else 'the '}{link.role} {link.entity.given[0].placeholder}")
        else:
            parts.append(entity_phrase(link.entity, style))
    joined = english.join(parts)
    if not entity.given:
        return joined
    known = english.join([f"{nominal(given.words)} {given.placeholder}" for given in entity.given])
    return f"{joined} with {known}" if joined else known


def record_noun(entity: Entity) -> str:
    """What an association is called: `employment record`, `order line`."""
    return _record(entity.noun)


def _record(noun: str) -> str:
    speaks_for_itself = noun.endswith(("record", "entry")) or english.head_word(noun) in english.OCCASIONS
    return noun if speaks_for_itself else f"{noun} record"


def nominal(words: str) -> str:
    """Words that can stand behind `the`: a verb phrase such as `has parking` becomes the entry of that name."""
    first, _, rest = words.partition(" ")
    if first == "is" and rest:
        return rest if rest.endswith("status") else f"{rest} status"
    return f"entry under ‘{words}’" if is_verbal(words) else words


def is_verbal(words: str) -> bool:
    """Whether words are no noun phrase but the beginning of a sentence about the entity, such as `has parking`."""
    parts = words.split()
    return len(parts) > 1 and (parts[0] in english.BOOLEAN_VERBS or parts[-1] in english.PREPOSITIONS)


def preposition(heads: Iterable[str], owner: Entity | None = None) -> str:
    """`of`, or `for` behind words such as `sales in billions`, where `of` would go with the unit. Somebody is *on* an
    order and has his part *for* an appointment, and one event is *for* another: the rental for payment 7."""
    if any(" in " in head or "‘" in head for head in heads):
        return "for"
    if owner is None or not is_event(owner):
        return "of"
    if all(map(_is_somebody, heads)):
        return "on" if _last(owner.noun) in _PAPERS else "for"
    return "for" if all(_last(head) in english.OCCASIONS for head in heads) else "of"


def is_event(entity: Entity) -> bool:
    """Whether an entity is something that happened and has a number: `order 10248`."""
    return is_simple(entity) and _calling(entity.given[0]) is None and _last(entity.noun) in english.OCCASIONS


def _is_somebody(words: str) -> bool:
    return english.is_person(words) or bool({words, _last(words)} & (english.WHO | english.CUSTOMERS))


def line_of(entity: Entity) -> tuple[Entity, Entity] | None:
    """Of an association that is a line of something, such as an order: the product and the order."""
    if (
        not entity.association
        or entity.given
        or len(entity.links) != 2
        or _last(entity.noun) not in english.LINES | _PARTS_TAKEN
    ):
        return None
    if not all(is_simple(link.entity) for link in entity.links):
        return None
    one, other = (link.entity for link in entity.links)
    if _last(entity.noun) in _PARTS_TAKEN:
        if english.is_person(other.noun):
            one, other = other, one
        return (one, other) if english.is_person(one.noun) and not english.is_person(other.noun) else None
    thing, whole = (one, other) if _last(other.noun) in entity.noun.split() else (other, one)
    said = set(entity.noun.split())
    return (thing, whole) if _last(whole.noun) in said and _last(thing.noun) not in said else None


def _last(words: str) -> str:
    return words.rpartition(" ")[2]


def _calling(given: Given) -> str | None:
    last = given.words.rpartition(" ")[2]
    return {"name": "named", "title": "titled"}.get(last) if not given.words.startswith(("first ", "last ")) else None


def is_simple(entity: Entity) -> bool:
    """Whether nothing but one name is known of an entity."""
    return len(entity.given) == 1 and entity.given[0].naming and not entity.links and not entity.association


def only_role(entity: Entity) -> Link | None:
    """The link that alone says which entity is meant, if it is the role of another."""
    if entity.given or len(entity.links) != 1 or entity.association or entity.links[0].kind != "role_of":
        return None
    return entity.links[0]


def can_own(entity: Entity) -> bool:
    """Whether a possessive of the entity is clear: `project P's client's` is, `E's supervisor or manager's` is not."""
    role = only_role(entity)
    if role is None:
        return is_simple(entity) and not (_last(entity.noun) in _WORKS or _calling(entity.given[0]) == "titled")
    role_words = nominal(role.role)
    return not re.search(r"‘| (?:or|and|in) ", role_words) and can_own(role.entity) and not is_event(role.entity)
