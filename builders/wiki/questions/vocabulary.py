"""What `questions.toml` holds, read: verbs, lists of words and patterns."""

import functools
import re
import tomllib
from dataclasses import dataclass
from importlib import resources
from typing import Any, Literal

from benchwright.benchmarks.text.dates import MONTHS
from benchwright.benchmarks.text.numbers import SMALL

AnswerKind = Literal["date", "number", "person", "place", "organisation", "name"]

_UPPER = "A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĖĘĚĞĠĢĪİĶŁĻŃŅŇŌŐŒŘŚŞŠŢŤŪŮŰŲŹŻŽȘȚ"
_CAPITAL = rf"(?:[{_UPPER}]\.(?:[{_UPPER}]\.)*|[{_UPPER}][\w’'-]*|\d+[{_UPPER}]\w*)"
_LITTLE = r"(?:of|de|del|della|da|di|van|von|der|den|la|le|du|dos|des|el|al|bin|ibn|af|ter|ten|y|e|&)"
_FULL = rf"{_CAPITAL}(?: (?:{_LITTLE} ){{0,2}}{_CAPITAL}){{0,5}}"
_PERSON = rf"(?:(?!The\b){_CAPITAL}(?: (?:(?!of\b){_LITTLE} ){{0,2}}{_CAPITAL}){{1,4}}(?:,? (?:Jr|Sr)\.)?)"
_ORGANISATION = rf"(?:{_CAPITAL}(?: (?:(?:{_LITTLE}|for|the|and) ){{0,2}}{_CAPITAL}){{0,6}})"
_PLACE = (
    rf"(?:(?:(?:city|town|village|municipality|state|province|district|county|island) of )?{_FULL}(?:, {_FULL}){{0,3}})"
)
_NUMBER = rf"(?:\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?|{'|'.join(SMALL[2:13])})"
_BY = rf"(?:the )?(?:{_CAPITAL}(?:-born)? )??(?:[a-z-]+ (?:and [a-z-]+ )?){{0,4}}?"
_END = (
    r"(?=[.;)]|,? (?:in|on|from|as|with|at|by|after|until|where|who|which|when|while|to|for|that|under|through|via"
    r"|during|based|starring|released|published|featuring|located|before|since|is|was|and [a-z]+)\b"
    r"|,(?! (?:and |&)?[A-Z])|$)"
)
"""What may follow a person or an organisation that is alone."""
_STOP = (
    r"(?=[.;)]|,? (?:on|from|with|at|by|near|where|who|which|when|while|that|and [a-z]+|but|for|after|between|along"
    rf"|built|designed|operated|in (?:[A-Za-z]+ )?(?:1|2)\d{{3}}|in (?:early |late |mid-)?(?:{'|'.join(MONTHS)}))\b|$)"
)
"""What may follow a place."""
_PARTS = {
    "{P}": _PERSON, "{O}": _ORGANISATION, "{L}": _PLACE, "{N}": _NUMBER, "{by}": _BY, "{end}": _END, "{stop}": _STOP,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern of what follows a subject, and the question that it answers."""

    pattern: re.Pattern[str]
    question: str
    kind: AnswerKind
    where: str
    """first: in the first sentence; bound: after the subject; any: after the subject, anywhere in the sentence."""
    of_persons: bool
    dated: str = ""
    """may: the sentence's date is said in the question, where it has one; must: it is not asked without one."""
    nouns: tuple[str, ...] = ()
    """What the subject must be called; nothing: anything."""
    alone: tuple[str, ...] = ()
    """Verbs: with another sentence of them, in the same year where the question says one, there are several answers."""

    @property
    def is_dated(self) -> bool:
        return bool(self.dated)


@dataclass(frozen=True, slots=True)
class Verbs:
    """Verbs that questions can be made of."""

    base_of_past: dict[str, str]
    participles: frozenset[str]
    base_of: dict[str, str]
    """Any of their forms: die, died, wins, winning."""


@functools.cache
def words() -> dict[str, Any]:
    """The content of `questions.toml`."""
    return tomllib.loads(
        resources.files("benchwright.builders.wiki.questions").joinpath("questions.toml").read_text(encoding="utf-8")
    )


@functools.cache
def listed(name: str) -> frozenset[str]:
    """The words of a list in `questions.toml`; a hyphen in it stands for a space."""
    return frozenset(word.replace("-", " ") for word in words()["words"][name].replace(",", " ").split())


def is_listed(word: str, name: str) -> bool:
    """Whether a word, in small letters and with a space for a hyphen, stands in a list."""
    return word.lower().replace("-", " ") in listed(name)


@functools.cache
def hedges() -> re.Pattern[str]:
    """What a sentence has that tells of a plan, a denial, a guess or hearsay."""
    return re.compile(rf"\b(?:{'|'.join(sorted(listed('hedges'), key=len, reverse=True))})\b", re.IGNORECASE)


def fill(pattern: str) -> str:
    """A pattern with the parts that it names: `{P}` a person, `{O}` an organisation, `{L}` a place, `{N}` a number."""
    for name, part in _PARTS.items():
        pattern = pattern.replace(name, part)
    return pattern


@functools.cache
def rules() -> tuple[Rule, ...]:
    """The patterns, ready for use."""
    found = []
    for entry in words()["rule"]:
        found.append(
            Rule(
                re.compile(fill(entry["pattern"])),
                entry["question"],
                entry["kind"],
                entry["where"],
                entry.get("person", False),
                entry.get("dated", ""),
                tuple(entry.get("nouns", "").split()),
                tuple(entry.get("alone", "").split()),
            )
        )
    return tuple(found)


@functools.cache
def verbs() -> Verbs:
    """Every verb by its past, and the participles."""
    pasts = {_past(base): base for base in words()["verbs"]["regular"].split()}
    participles = set(pasts)
    forms = dict(pasts)
    for line in words()["verbs"]["irregular"].strip().split("\n"):
        base, past, participle = line.split()
        pasts[past] = base
        participles.add(participle)
        forms |= {participle: base, past: base}
    for base in set(forms.values()):
        forms |= {base: base, base + "s": base, base.removesuffix("e") + "ing": base}
    return Verbs(pasts, frozenset(participles), forms)


def _past(base: str) -> str:
    if base == "co-write":
        return "co-wrote"
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in "aeo":
        return base[:-1] + "ied"
    if base in listed("doubled"):
        return base + base[-1] + "ed"
    return base + "ed"
