"""What a column of yes and no says of a row, from its words: as a question, as a statement and as a mark.

`discontinued` and `is discontinued` ask whether the product is discontinued, `has parking` whether the hotel has
parking, `allows pets` whether it allows pets; words that say nothing of the kind, such as `parking`, name an entry.
"""

from __future__ import annotations

from dataclasses import dataclass

from benchwright.benchmarks.data_files import read_words
from benchwright.builders.sql.wording import english

_WORDS = read_words(__package__, "truths.toml")
MARKS = _WORDS["marks"]
_ADJECTIVES = _WORDS["adjectives"]
_PARTICIPLES = _WORDS["participles"]
_ADJECTIVAL = ("able", "ible", "ed", "ful", "ive", "less", "ous")
_NO_ADJECTIVES = _WORDS["no_adjectives"]
_PARTICLES = _WORDS["particles"]
_DONE = _WORDS["done"]
_PEOPLE = _WORDS["people"]
_WHERE = _WORDS["where"]
_AUXILIARIES = _WORDS["auxiliaries"]
_ACTIONS = _WORDS["actions"]
_UNCOUNTED = _WORDS["uncounted"]


@dataclass(frozen=True, slots=True)
class Truth:
    """A question of yes or no about an entity."""

    asks: str
    """`is the product X discontinued`"""
    says: str
    """`the product X is discontinued`"""
    mark: str
    """`discontinued`, `has parking`"""


def says_truth(words: str) -> bool:
    """Whether words are a sentence about an entity but for their subject, so that nothing but yes or no follows."""
    return _predicate(words) is not None or _done_to(_bare(words)) is not None


def truth_of(words: str, subject: str) -> Truth:
    """What a column says of an entity, as a question of yes or no.

    Args:
        words: the column's words.
        subject: the entity, such as `the product X`.
    """
    found, done = _predicate(words), _done_to(_bare(words))
    if found is None and done is not None:
        thing, participle = done
        be, owned = english.be(english.is_plural(thing)), f"the {thing} of {subject}"
        return Truth(f"{be} {owned} {participle}", f"{owned} {be} {participle}", _bare(words))
    if found is None:
        entry = f"the entry under ‘{_bare(words)}’ for {subject}"
        return Truth(f"is {entry} yes", f"{entry} is yes", _bare(words))
    auxiliary, rest, finite = found
    return Truth(f"{auxiliary} {subject} {rest}", f"{subject} {finite}", rest if auxiliary == "is" else finite)


def _predicate(words: str) -> tuple[str, str, str] | None:
    """The verb before the subject of a question, what follows the subject there, and in a statement."""
    bare = _bare(words)
    first, _, rest = bare.partition(" ")
    if first in ("is", "are", "was", "were") and rest:
        complement = _complement(rest)
        return first, complement, f"{first} {complement}"
    if first in ("has", "had") and rest:
        if rest.split()[0] in _PARTICIPLES or (rest.endswith("ed") and " " not in rest):
            return first, rest, bare
        owned = _owned(rest)
        return ("does" if first == "has" else "did"), f"have {owned}", f"{first} {owned}"
    if rest and (first in _AUXILIARIES or first == "does"):
        return first, rest, bare
    if rest and first in _ACTIONS:
        rest = _owned(rest) if first in ("needs", "owns", "requires") else rest
        return "does", f"{first.removesuffix('s')} {rest}", f"{first} {rest}"
    if bare in _DONE:
        return "has", bare, f"has {bare}"
    if rest and first in _WHERE:
        return "is", bare, f"is {bare}"
    if {bare, bare.rpartition(" ")[2]} & _PEOPLE or (not rest and english.value_kind(bare) == "person"):
        return "is", english.with_article(bare), f"is {english.with_article(bare)}"
    return ("is", bare, f"is {bare}") if _describes(bare) else None


def _describes(bare: str) -> bool:
    """Whether words without a verb may follow `is`: `pet friendly` and `fully paid` do, `payment received` does not."""
    before, _, last = bare.rpartition(" ")
    if bare in ("full time", "part time"):
        return True
    if last == "only" or (last in _PARTICLES and " " not in before and _is_adjective(before)):
        return bool(before)
    if not before or before.endswith("ly") or before == "not":
        return _is_adjective(last)
    return last in _ADJECTIVES or last.endswith(("able", "ible"))


def _done_to(bare: str) -> tuple[str, str] | None:
    """A thing of an entity and what was done to it: `email verified`."""
    thing, _, done = bare.rpartition(" ")
    is_done = done in _PARTICIPLES or (done.endswith("ed") and done not in _NO_ADJECTIVES)
    return (thing, done) if thing and is_done else None


def _bare(words: str) -> str:
    """Words without what says only that they hold yes or no."""
    parts = words.split()
    while len(parts) > 1 and parts[-1].lower() in MARKS:
        parts.pop()
    return " ".join(parts)


def _is_adjective(word: str) -> bool:
    return word in _ADJECTIVES or word in _PARTICIPLES or (word.endswith(_ADJECTIVAL) and word not in _NO_ADJECTIVES)


def _complement(rest: str) -> str:
    """What follows `is`: an adjective as it is, a noun behind its article."""
    first, _, _ = rest.partition(" ")
    last = rest.rpartition(" ")[2]
    is_plain = (
        _is_adjective(last) or _is_adjective(first) or first in english.PREPOSITIONS or first in ("a", "an", "the")
    )
    return (
        rest
        if is_plain or last.endswith(("ing", "al", "ic")) or english.is_plural(rest)
        else english.with_article(rest)
    )


def _owned(rest: str) -> str:
    """What follows `has`: one thing behind its article."""
    last = rest.rpartition(" ")[2]
    is_plain = (
        last in _UNCOUNTED or last.endswith("ing") or english.is_plural(rest) or rest.split()[0] in ("a", "an", "the")
    )
    return rest if is_plain else english.with_article(rest)
