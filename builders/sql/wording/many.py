"""What is asked of many rows as noun phrases: the number of orders of customer X, the order with most freight."""

from collections.abc import Mapping

from benchwright.benchmarks.data_files import read_words
from benchwright.builders.sql.wording import english
from benchwright.builders.sql.wording.meaning import Compared, Entity, Many, Meaning
from benchwright.builders.sql.wording.nouns import Style, entity_phrase

_TIES = read_words(__package__, "many.toml", "ties")
_PLACES = read_words(__package__, "many.toml", "places")
FRAMES = {"count": "count", "comparison": "count", "ranking": "ranking"}
"""Kind → its list in `kind_frames.toml`; those of all others ask for one value."""


_OF_VALUES = ("average ", "total ", "highest ", "lowest ", "largest ", "smallest ", "longest ", "shortest ")


def many_slots(meaning: Meaning, many: Many) -> Mapping[str, str]:
    """The slots of frames for a meaning that reckons over many rows."""
    asked = meaning.asked[0]
    is_searched = asked.naming
    plural = english.plural(many.noun)
    wh = english.question_word(english.value_kind(many.noun), many.noun) if is_searched else "what"

    name = naming_word(many.noun)
    is_plural = many.asked.startswith(_OF_VALUES) and "number of" not in many.asked and english.is_plural(many.asked)

    def rows(style: Style) -> str:
        return _rows(many, plural, meaning.of, style)

    def target(style: Style) -> str:
        article = "" if style == "bare" else "the "
        if is_searched:
            return f"{article}{_rows(many, many.noun, meaning.of, style, many.asked)}"
        between = "among" if many.is_one_of else "of"
        of_rows = between if many.asked == "number" or style == "bare" else f"{between} the"
        note = f" ({many.note})" if many.note else ""
        return f"{article}{many.asked} {of_rows} {rows(style)}{note}"

    return {
        "noun": many.noun,
        "nouns": plural,
        "asked": many.asked,
        "rows": rows("plain"),
        "rows_bare": rows("bare"),
        "which": _rows(many, many.noun, meaning.of, "plain"),
        "which_bare": _rows(many, many.noun, meaning.of, "bare"),
        "most_with": many.asked,
        "noted": f" ({many.note})" if many.note else "",
        "most": many.asked.removeprefix("with "),
        "wh": wh,
        "is": english.be(is_plural),
        "whs": f"{wh} are" if is_plural else f"{wh}'s",
        "they": "they" if is_plural else "it",
        "fact_is": english.be(is_plural),
        "it": "them" if is_plural else "it",
        "name": name,
        "target": target("plain"),
        "named": target("named"),
        "t": target("bare"),
        "fact": f"the {name} of {target('plain')}" if is_searched else target("plain"),
        "fact_named": f"the {name} of {target('named')}" if is_searched else target("named"),
        "f": f"{name} of {target('bare')}" if is_searched else target("bare"),
    }


def _rows(many: Many, noun: str, owner: Entity, style: Style, by: str = "") -> str:
    """The rows, in one number, with what they belong to and what else holds of them."""
    clause = _clause(many, owner, style)
    if clause and by:
        return f"{noun} {by} among those {clause}"
    if clause:
        return " ".join([noun, clause, *(f"and {_also(item)}" for item in many.conditions)])
    place = _place(owner)
    parts = [noun, place or f"{_tie(many.noun, owner.noun)} {entity_phrase(owner, style)}"]
    parts.append(f"{by} among those {place}" if by and place else by)
    if by and place:
        del parts[1]
    known = [_counted(item) or f"{_with_article(item.words)} {item.said}" for item in many.conditions]
    if known:
        parts.append(f"{'and ' if place.startswith('with ') else ''}with {english.join(known)}")
    return " ".join(part for part in parts if part)


def _place(owner: Entity) -> str:
    """What people say of rows that share a country, an industry or a job title: `in X`, `in the industry X`, `with the
    job title X`; of what is sent `shipped to X`."""
    given = owner.given[0]
    if given.naming:
        return ""
    if given.words == "headquarters":
        return f"headquartered in {given.placeholder}"
    before, _, last = given.words.rpartition(" ")
    if last in _PLACES["with"] and before in ("", "job"):
        return f"with the {given.words} {given.placeholder}"
    if before not in ("", "ship-to") or last not in _PLACES["in"] | _PLACES["in_the"]:
        return ""
    lead = "shipped to" if before else "in"
    return f"{lead} the {last} {given.placeholder}" if last in _PLACES["in_the"] else f"{lead} {given.placeholder}"


def _counted(item: Compared) -> str:
    """`more than 20 units in stock`; nothing of what is not counted."""
    if not item.words.startswith("number of "):
        return ""
    side, _, figures = item.said.partition(" ")
    words = {"above": "more than ", "below": "fewer than ", "from": ""}.get(side)
    return "" if words is None else f"{words}{figures} {item.words.removeprefix('number of ')}"


def _clause(many: Many, owner: Entity, style: Style) -> str:
    """What the rows belong to, where it takes a clause to say it."""
    given = owner.given[0]
    if not given.naming:
        return "" if _place(owner) else _whose(given.words, given.placeholder)
    if not many.role:
        return ""
    is_known = english.is_person(owner.noun) and not owner.shares_names
    return _whose(many.role, given.placeholder if is_known else entity_phrase(owner, style))


def _also(item: Compared) -> str:
    """A condition behind a clause with `whose`."""
    counted = _counted(item)
    return f"that have {counted}" if counted else _whose(item.words, item.said)


def _whose(words: str, said: str) -> str:
    return f"whose {words} {english.be(english.is_plural(words))} {said}"


def _with_article(words: str) -> str:
    return words if english.is_plural(words) else english.with_article(words)


def _tie(noun: str, owner: str) -> str:
    """The word between rows and what they belong to: products *from* a supplier, *in* a category."""
    last = owner.rpartition(" ")[2]
    if last == "order" and english.is_person(noun):
        return "of"
    return next((tie for tie, nouns in _TIES.items() if last in nouns), "of")


def naming_word(noun: str) -> str:
    """What says which row it is: an order has a number, all else a name."""
    return "number" if noun.rpartition(" ")[2] in english.OCCASIONS else "name"
