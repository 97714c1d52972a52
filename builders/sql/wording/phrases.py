"""A meaning as noun phrases: what the frames of `frames.toml` are filled with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from benchwright.builders.sql.wording import english
from benchwright.builders.sql.wording.lists import list_slots
from benchwright.builders.sql.wording.many import FRAMES, many_slots, naming_word
from benchwright.builders.sql.wording.meaning import AskedColumn, Entity, Meaning, ValueKind
from benchwright.builders.sql.wording.nouns import (
    Style,
    can_own,
    conditions_of,
    entity_phrase,
    is_event,
    is_verbal,
    line_of,
    nominal,
    only_role,
    parts_phrase,
    preposition,
    record_noun,
)
from benchwright.builders.sql.wording.truths import truth_of


@dataclass(frozen=True, slots=True)
class Phrases:
    """What frames are filled with, and which lists of frames apply."""

    slots: Mapping[str, str]
    traits: tuple[str, ...]
    """Names of lists in `frames.toml`, in the order in which they are used."""


@dataclass(frozen=True, slots=True)
class _Focus:
    """What is asked (`start date`) of whom (project P); without an owner, the entity itself is searched for."""

    heads: tuple[str, ...]
    kinds: tuple[ValueKind, ...]
    is_many: bool
    owner: Entity | None
    name: str
    """What stands for the entity where it is itself asked for (`name`, `title`), or nothing."""


def phrases(meaning: Meaning) -> Phrases:
    """The noun phrases of a meaning."""
    if meaning.said:
        return _claim(meaning)
    if meaning.kind == "list" and meaning.many is not None:
        return Phrases(_with_capitals(list_slots(meaning, meaning.many)), ("list", "shared"))
    if meaning.many is not None:
        return Phrases(_with_capitals(many_slots(meaning, meaning.many)), (FRAMES.get(meaning.kind, "value"), "shared"))
    focus = _focus(meaning)
    if meaning.kind == "filter" and focus.name == "name":
        focus = replace(focus, name=naming_word(meaning.of.noun))
    who = all(english.question_word(kind, words) == "who" for kind, words in zip(focus.kinds, focus.heads, strict=True))
    wh = "who" if who else "what"
    of_name = f"{focus.name} of " if focus.name else ""
    many_facts = focus.is_many and not focus.name
    slots = {
        "bare": _join_heads(focus.heads, ""),
        "head": _join_heads(focus.heads, "the "),
        "wh": wh,
        "is": english.be(focus.is_many),
        "whs": f"{wh} are" if focus.is_many else f"{wh}'s",
        "they": "they" if focus.is_many else "it",
        "fact_is": english.be(many_facts),
        "it": "them" if many_facts else "it",
        "name": focus.name,
    }
    if focus.owner is None:
        slots |= _search_slots(meaning.of)
        traits = ("search", "shared")
    else:
        slots |= _owner_slots(focus.owner, focus.heads)
        traits = _owner_traits(focus.owner, focus)
        if [asked.kind for asked in meaning.asked] == ["boolean"]:
            slots |= _truth_slots(meaning.asked[0].words, focus.owner)
            traits = ("boolean",)
    article = "the " if focus.name else ""
    slots |= {
        "item": f"{article}{of_name}{slots['head']}",
        "fact": f"{article}{of_name}{slots['target']}",
        "fact_named": f"{article}{of_name}{slots['named']}",
        "f": f"{of_name}{slots['t']}",
    }
    return Phrases(_with_capitals(slots), traits)


def _claim(meaning: Meaning) -> Phrases:
    """Whether what is asked is the value that is said: `the city of client C is X`, and the same as a question."""
    slots = phrases(replace(meaning, said="")).slots
    said, be, owner = meaning.said, slots["is"], _focus(meaning).owner or meaning.of
    this = f"{slots['head']} {_preposition((slots['bare'],), owner)} this {_head_noun(owner)}"
    claim = {
        "asks": f"{be} {said} {slots['target']}",
        "says": f"{slots['target']} {be} {said}",
        "asks_bare": f"{be} {said} {slots['t']}",
        "says_bare": f"{slots['t']} {be} {said}",
        "this_asks": f"{be} {said} {this}",
        "this_says": f"{this} {be} {said}",
        "mark": f"{slots['bare']} {said}",
    }
    return Phrases(_with_capitals({**slots, **claim}), ("boolean",))


def _focus(meaning: Meaning) -> _Focus:
    asked, entity = meaning.asked, meaning.of
    first = asked[0]
    if len(asked) == 1 and first.naming:
        name = english.head_word(first.words)
        name = name if name in {"code", "name", "number", "title"} else "name"
        link = only_role(entity)
        if link is not None:
            role = nominal(link.role)
            name = "" if first.words == entity.noun else name
            return _Focus((role,), (_kind_of(first, entity),), english.is_plural(role), link.entity, name)
        return _Focus((entity.noun,), (english.value_kind(entity.noun),), False, None, name)
    heads = tuple(_attribute(column) for column in asked)
    kinds: tuple[ValueKind, ...] = tuple(column.kind for column in asked)
    is_someone = len(asked) == 1 and english.question_word(first.kind, first.words) == "who"
    return _Focus(heads, kinds, len(asked) > 1 or first.plural, entity, "name" if is_someone else "")


def _kind_of(asked: AskedColumn, entity: Entity) -> ValueKind:
    return english.value_kind(entity.noun) if asked.kind == "text" else asked.kind


def _owner_slots(owner: Entity, heads: tuple[str, ...]) -> dict[str, str]:
    def target(style: Style) -> str:
        article = "" if style == "bare" else "the "
        return f"{_join_heads(heads, article)} {_preposition(heads, owner)} {entity_phrase(owner, style)}"

    slots = {
        "target": target("plain"),
        "named": target("named"),
        "t": target("bare"),
        "owner": entity_phrase(owner, "plain"),
        "o": entity_phrase(owner, "bare"),
    }
    if _may_own(owner, heads):
        slots["possessive"] = f"{entity_phrase(owner, 'possessive')} {_join_heads(heads, '')}"
    if _is_record(owner):
        slots |= {"record": record_noun(owner), "parts": parts_phrase(owner, "plain"), "p": parts_phrase(owner, "bare")}
    return slots


def _truth_slots(words: str, owner: Entity) -> dict[str, str]:
    """Of a question of yes or no: itself, what it would say, and the mark that stands for it."""
    plain, bare = truth_of(words, entity_phrase(owner, "plain")), truth_of(words, entity_phrase(owner, "bare"))
    this = truth_of(words, f"this {_head_noun(owner)}")
    return {
        "asks": plain.asks,
        "says": plain.says,
        "asks_bare": bare.asks,
        "says_bare": bare.says,
        "this_asks": this.asks,
        "this_says": this.says,
        "mark": plain.mark,
    }


def _head_noun(entity: Entity) -> str:
    """What an entity is called where it was named before."""
    role = only_role(entity)
    return record_noun(entity) if entity.association else nominal(role.role) if role else entity.noun


def _owner_traits(owner: Entity, focus: _Focus) -> tuple[str, ...]:
    heads, kinds = focus.heads, focus.kinds
    attribute = ("attribute", *(["which"] if _may_be_which(owner, focus) else []), "attribute_end")
    if _is_record(owner):
        return ("association", *attribute, "shared")
    traits: list[str] = []
    if heads == ("location",):
        traits.append("located")
    elif len(heads) == 1 and english.head_word(heads[0]) in {"birthplace", "headquarters"}:
        traits.append("where")
    elif len(heads) == 1 and kinds[0] == "date" and heads[0].endswith(" date"):
        traits.append("date")
    if _may_own(owner, heads):
        traits.append("possessive")
    return (*traits, *attribute, "thing", "shared")


def _may_be_which(owner: Entity, focus: _Focus) -> bool:
    """Whether `which shipper for order 7?` can be said: `which units on order` would mean some of them, and `which
    manager for employee on order 7` leaves open whose."""
    role = only_role(owner)
    return not focus.is_many and (role is None or not is_event(role.entity))


def _search_slots(entity: Entity) -> dict[str, str]:
    conditions = conditions_of(entity)
    return {
        "noun": entity.noun,
        "target": entity_phrase(entity, "plain"),
        "named": entity_phrase(entity, "named"),
        "t": entity_phrase(entity, "bare"),
        "key": english.join([condition.key for condition in conditions]),
        "vp": english.join([condition.verb for condition in conditions]),
        "clause": english.join([condition.clause for condition in conditions]),
    }


def _with_capitals(slots: Mapping[str, str]) -> dict[str, str]:
    """Each slot also with its first letter as a capital, under its name with a capital."""
    return {**slots, **{name[0].upper() + name[1:]: text[:1].upper() + text[1:] for name, text in slots.items()}}


def _attribute(asked: AskedColumn) -> str:
    """An asked column as a noun phrase without article."""
    if asked.kind == "boolean" and not is_verbal(asked.words):
        return asked.words if asked.words.endswith(("flag", "status")) else f"{asked.words} status"
    return nominal(asked.words)


def _preposition(heads: tuple[str, ...], owner: Entity) -> str:
    return "in" if _is_record(owner) else preposition(heads, owner)


def _is_record(owner: Entity) -> bool:
    return owner.association and line_of(owner) is None


def _may_own(owner: Entity, heads: tuple[str, ...]) -> bool:
    """Whether `order 7's freight` can be said: nobody says `order 7's customer`, nor `firm F's name of the contact`."""
    is_taking_part = preposition(heads) != preposition(heads, owner)
    return can_own(owner) and not is_taking_part and not any(" of the " in head for head in heads)


def _join_heads(heads: tuple[str, ...], article: str) -> str:
    if any(" or " in head or " and " in head or " in " in head for head in heads):
        return english.join([f"{article}{head}" for head in heads])
    return f"{article}{english.join(heads)}"
