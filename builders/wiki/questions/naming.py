"""How a question names its subject, so that only one thing is meant: "the Norwegian film director Ada Moor".

What tells a subject apart comes from the qualifier of its title ("(footballer, born 1993)") and from what its first
sentence says that it is. Several namings are offered, the best first: one may give an answer away that another keeps.
"""

import re
from collections.abc import Iterator

from benchwright.benchmarks.text.folding import fold
from benchwright.builders.wiki.hatnotes import is_called_disambiguation
from benchwright.builders.wiki.questions.definitions import Definition, is_kind
from benchwright.builders.wiki.questions.peoples import is_people
from benchwright.builders.wiki.questions.vocabulary import listed

SHARED = "its name is shared, and nothing tells it apart"
_QUALIFIER = re.compile(r"\s*\(([^()]*)\)$")
_OF_PLACE = re.compile(r"(?:an|ish|ese|born|based|ine|ite)$")
_YEAR = re.compile(r"\b(?:1[0-9]|20)\d\d\b")
_BORN = re.compile(
    r"(?P<kind>.*?),? ?(?P<born>born (?:in |c\. )?[12]\d{3}|died [12]\d{3}|[12]\d{3}\s?[–-]\s?[12]\d{3})$"
)


def split_title(title: str) -> tuple[str, str]:
    """A title without its qualifier, and the qualifier: "Peter Norton", "footballer, born 1993"."""
    match = _QUALIFIER.search(title)
    return (title[: match.start()].strip(), match[1].strip()) if match else (title.strip(), "")


def namings(
    name: str,
    qualifier: str,
    definition: Definition,
    *,
    is_person: bool,
    takes_article: bool,
    is_ordinary: bool,
    shared: tuple[str, ...],
) -> tuple[tuple[str, ...], str]:
    """The ways to name a subject, best first; where there is none, why.

    Args:
        name: its title without the qualifier.
        qualifier: of its title; nothing where that has none.
        definition: what the first sentence says that it is.
        is_person: it is about a person.
        takes_article: its bare name is said with "the".
        is_ordinary: its bare name is made of words that have another meaning.
        shared: titles of other pages that share its name.
    """
    if qualifier:
        found = list(_qualified(name, qualifier, definition, is_person, takes_article))
        return (tuple(dict.fromkeys(found)), "" if found else "the qualifier of its title cannot be worded")
    if is_person:
        found = [_described(name, definition)] if definition.kind and _is_nation(definition.nation) else []
        problem = "nothing says what the person is"
    else:
        found = list(_things(name, definition, takes_article, is_ordinary or bool(shared)))
        problem = "nothing tells what has so common a name"
    if found and shared:
        found = [one for one in found if all(is_told_apart(one, name, other) for other in shared)]
        problem = SHARED
    return tuple(dict.fromkeys(found)), "" if found else problem


def _is_nation(words: str) -> bool:
    """Whether what stands before a kind is of a people or a place, and no office: not "General manager"."""
    said = re.split(r"[ -]", words)
    return not words or any(is_people(word) or _OF_PLACE.search(word) for word in said)


def _described(name: str, definition: Definition) -> str:
    nation = definition.nation if _is_nation(definition.nation) else ""
    return " ".join(part for part in ("the", nation, definition.kind, name) if part)


def _qualified(
    name: str, qualifier: str, definition: Definition, is_person: bool, takes_article: bool
) -> Iterator[str]:
    """Namings that say what a qualifier says."""
    if match := _BORN.fullmatch(qualifier):
        kind, lived = match["kind"].strip(" ,"), match["born"]
        lived = lived if lived[0] in "bd" else lived.replace("-", "–").replace(" ", "")
        for one in (
            _qualified(name, kind, definition, is_person, takes_article) if kind else (_described(name, definition),)
        ):
            yield f"{one} ({lived})"
        return
    if "," in qualifier or not qualifier:
        return
    if is_person:
        yield from _qualified_person(name, qualifier, definition)
    else:
        yield from _qualified_thing(name, qualifier, definition, takes_article)


def _qualified_person(name: str, qualifier: str, definition: Definition) -> Iterator[str]:
    words = qualifier.split()
    said = {word.lower() for word in (*definition.nation.split(), *definition.kind.split())}
    if definition.kind and said.issuperset(word.lower() for word in words):
        yield _described(name, definition)
    elif is_kind(words[-1], is_person=True):
        nation = definition.nation if qualifier.islower() else ""
        yield " ".join(part for part in ("the", nation, qualifier, name) if part)
    elif qualifier.islower() and definition.kind:  # a field: "(field hockey)"
        yield f"{_described(name, definition)} ({qualifier})"


def _qualified_thing(name: str, qualifier: str, definition: Definition, takes_article: bool) -> Iterator[str]:
    words = qualifier.split()
    last = words[-1].lower()
    is_kind = words[-1].islower() or last in ("ep", "tv")
    if last in listed("waters") | listed("no_place_qualifiers") or definition.noun in listed("waters"):
        return
    if is_kind and len(words) == 1 and definition.creator and last in listed("by_artists"):
        yield f"the {qualifier} {name} by {definition.creator}"
    if is_kind and last in listed("works") | listed("things") | {"series"}:
        yield f"the {qualifier} {name}"
    elif qualifier[0].isupper() and not is_kind and not any(char.isdigit() for char in qualifier):
        bare = ("the " if takes_article and not name.startswith("The ") else "") + name
        if definition.noun in listed("settlements"):
            bare = f"the {definition.noun} of {name}"
        elif definition.noun and not set(_words(name)) & listed("things"):
            bare = f"the {definition.kind} {name}"
        yield f"{bare} in {qualifier}"
    elif _YEAR.fullmatch(qualifier) and definition.kind:
        yield f"the {qualifier} {definition.kind} {name}"


def _things(name: str, definition: Definition, takes_article: bool, is_common: bool) -> Iterator[str]:
    """Namings of what is no person and has no qualifier."""
    article = "the " if takes_article and not name.startswith(("The ", "A ")) else ""
    is_said = name.startswith("The ") and name.rpartition(" ")[2].lower() in listed("things") | listed("events")
    small = "the " + name[4:] if is_said else name  # not of a title: "The Tide and Other Stories"
    noun = definition.noun.lower()
    is_work = noun in listed("works")
    if noun in listed("settlements"):
        of = f"the {noun} of {name}"
        if "," in name:
            yield name
        elif definition.place:
            yield f"{of} {definition.place}"
        return
    is_plural = name.rpartition(" ")[2].islower() and name.endswith("s")  # "the series Holm coins"
    if is_work and noun not in name.lower() and not is_plural:
        kind = {"ep": "EP", "series": " ".join(definition.kind.split()[-2:])}.get(noun, noun)
        if definition.creator and noun in listed("by_artists"):
            yield f"the {kind} {name} by {definition.creator}"
        if definition.year:
            yield f"the {definition.year} {kind} {name}"
        if definition.nation:
            yield f"the {definition.nation} {kind} {name}"
        if not is_common and len(name.split()) > (3 if noun in listed("by_artists") else 2):  # several are called so
            yield f"the {kind} {name}"
        return
    has_noun = bool(noun) and (noun in name.lower() or (len(noun) > 6 and noun[:5] in name.lower()))
    is_told = set(_words(name) if not noun else _words(name)[:1]) & listed("things")  # "Storm Ada"
    is_known = has_noun or bool(is_told) or len(name.split()) > 3
    if noun in ("genus", "species") and (not is_common or " " not in name):
        yield f"the {noun} {name}"
    elif not is_common:
        if is_known or article:
            yield article + small
        elif noun:
            yield _described(name, definition)
    elif noun and not has_noun:
        if definition.nation:
            yield _described(name, definition)
        if " " in definition.kind and not name.islower():
            yield f"the {definition.kind} {name}"
        if definition.year:
            yield f"the {definition.year} {definition.kind} {name}"
        if definition.place and noun in listed("bodies"):
            yield f"the {definition.place.partition(' ')[2]}-based {definition.kind} {name}"
        elif definition.place:
            yield f"the {definition.kind} {name} {definition.place}"
    elif definition.place and definition.place not in name:
        yield f"{article}{name} {definition.place}"
    elif _YEAR.search(name):
        yield article + small


def is_told_apart(naming: str, name: str, other: str) -> bool:
    """Whether a naming cannot mean another page that shares the name.

    It cannot where both say of what kind they are, and these differ, or where it has a year, a place or a creator that
    the other's qualifier has not. A nation does not tell two of one kind apart.
    """
    bare, qualifier = ("", "") if is_called_disambiguation(other) else split_title(other)
    more = set(_words(naming)) - set(_words(name)) - {"the", "of", "in", "by", "at", "near"}
    if not qualifier:
        qualifier = bare.removeprefix(name) if bare.startswith(name) else ""
        if not qualifier.strip(" ,"):
            return bool(more)
    said = set(_words(qualifier))
    kinds = listed("persons") | listed("things")
    own, others = more & kinds, said & kinds
    if own and others and not own & others:
        return True
    if own and not others and not said & more and any(word.isdigit() for word in more):
        return True
    years = {word for word in more if word.isdigit()}
    if years and not years & said and any(word.isdigit() for word in said):
        return True
    placed = re.search(r" (?:in|at|near|by|of) (.+)$", naming.replace(name, "", 1))
    return bool(placed) and not said & (set(_words(placed[1])) - {"the"})


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", fold(text).lower())
