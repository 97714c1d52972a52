"""What a question asks for: its names, the way from them to what is asked, and the kinds of values that may answer."""

import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from benchwright.benchmarks.systems.reader.vocabulary import Kind, classes, kind_words, listed, synonyms
from benchwright.benchmarks.text.words import STOP_WORDS, content_words, root, stem, words

_CAPITALISED = r"[A-ZÀ-Þ0-9][\w’'-]*"
_JOINT = r" | & | and | of | of the | to | to a | a | the "
_NAME = re.compile(rf"[“\"][^”\"]+[”\"]|{_CAPITALISED}(?:(?:{_JOINT})(?={_CAPITALISED}){_CAPITALISED})*")
_SEGMENT = re.compile(r"[;:,?!.—–](?:\s+|$)")
_POSSESSIVE = re.compile(r"['’]s?\s+")
_STEP = re.compile(r"\s+(?:of|for|in)\s+(?:the\s+|a\s+|an\s+|our\s+)?")
_OF = re.compile(r"\s+(?:of|for|in)(?:\s+(?:the|a|an|our))?$")
_GENERIC = 0.3
_LIKE_A_YEAR = 0.3
"""What it costs a number to look like a year."""
_SHORT = 16
"""Words up to which a question is in note form where its parts are not joined."""

_PHRASE = r"(?P<target>[^,.;:?§]{2,60}?)"
_MEASURED = r"tall|high|long|wide|deep|heavy|large|big|far|fast|old|many [a-z]+|much [a-z]+"
_ASKS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\bhow (?P<target>{_MEASURED})\b",
        rf"\b(?:what|who|which|where|when) the {_PHRASE}(?: \w+ly)? (?:is|are|was|were)\b",
        rf"\b(?:pick out|enter|supply|state|confirm|told|tell me|find|give me) the {_PHRASE}(?= in an? | on |[,.;?]|$)",
        rf"\b(?:asks?(?: you)? for|need(?:s|ed)?|is) the {_PHRASE}(?= in an? | on |[,.;?]|$)",
    )
)
_LEADS = re.compile(rf"\b(?:the|which|what) {_PHRASE}[^,.;:?§]{{0,70}}§")
_PLAIN = re.compile(r"\s*(?:(?:in |on |at )?(?:which|what)|who|when|where|how)\b(?:(?! of ).)*§")
"""A question that begins with its question word and follows no reference: all its words say what is asked."""
_HELD = re.compile(
    r"\s*(?:in |at |on )?(?:which|what) (?P<target>[a-z ]+?) (?:does|do|did|has) the (?P<owner>[^§,.;:]+?) of §"
)
"""What somebody who is told by what he is has: "which degree does the head of X hold"."""
_DONE = re.compile(
    r"\s*(?:when|where|why|how [a-z]+) (?:does|did|do|is|was|were|will|has) "
    r"the (?P<owner>[^§,.;:]+?) of § (?P<target>[a-z ]+)"
)
"""What is done with something of somebody: "when does the lease of X end"."""
_ASKED_WITH = re.compile(r"\s*(when|who|whom|where)\b", re.IGNORECASE)
_CLASS = re.compile(r"\b(?:for|of|in|on|at|from|by|with) (?:the )?(?:[a-z]+ ){0,2}§")
"""What a name is said to be: "for the project X"."""
_WHICH = re.compile(r"\b(?:which|what) (?P<noun>[a-z]+) (?:is|are|was|were|do|does|did|has|have|had|can|will)\b")
"""A question that says what sort of thing it asks for."""
_BESIDE = re.compile(r"(?P<target>[^,.;:?§]+)§")


@dataclass(frozen=True, slots=True)
class Want:
    """One thing that is asked: for each of its words the roots that say the same, and the kinds of its value."""

    groups: tuple[tuple[frozenset[str], float], ...]
    """Words that say the same, and what they count: words like "date" and "name" little, where others are asked."""
    own: frozenset[str]
    """The roots of its words themselves."""
    kinds: Mapping[Kind, float]
    is_sort: bool
    """ "X is a Y" tells it."""
    unit: str | None
    measure: str | None
    """What a number measures: length, people, …"""
    named: str | None
    """What a name names: a person, an organisation, a building."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, read."""

    said: frozenset[str]
    """The roots of all its words."""
    titles: tuple[str, ...]
    """Its names."""
    names: frozenset[str]
    """The roots of the words of its names."""
    path: tuple[Want, ...]
    """What leads from the names to what the target is of, the nearest to the names first."""
    target: Want


def _kinds(said: Iterable[str]) -> dict[Kind, float]:
    found: dict[Kind, float] = {}
    for word in said:
        for kind, weight in kind_words().get(word, {}).items():
            found[kind] = max(weight, found.get(kind, 0.0))
    return found


def _names(question: str) -> list[re.Match[str]]:
    """The names in a question: runs of capitalised words, but for a word that only begins a sentence."""
    found = []
    for match in _NAME.finditer(question):
        begins = match.start() == 0 or question[: match.start()].rstrip()[-1:] in ".?!:"
        first = match.group().partition(" ")[0].lower()
        is_ordinary = match.start() == 0 and (" " not in match.group() or first in STOP_WORDS)
        is_quoted_phrase = match.group()[0] in '“"' and match.group().islower()
        if (
            is_ordinary
            or is_quoted_phrase
            or (begins and first in STOP_WORDS)
            or match.group() in ("I", "US", "USA", "EUR", "GBP")
        ):
            continue
        found.append(match)
    return found


def _told(part: str) -> list[str]:
    return [word for word in content_words(part) if word not in listed("filler")]


def _direct(lowered: str) -> list[str] | None:
    """The steps of a question that asks straight out, its names as §."""
    is_short = len(words(lowered)) <= _SHORT
    if "§" not in lowered:
        return [lowered] if is_short else None
    if held := _HELD.match(lowered):
        return [held.group("target"), *_STEP.split(held.group("owner"))]
    if done := _DONE.match(lowered):
        return [f"{done.group('target')} {done.group('owner')}"]
    return [_CLASS.sub(" ", lowered).replace("§", " ")] if is_short and _PLAIN.match(lowered) else None


def _steps(question: str, names: list[re.Match[str]]) -> list[str]:
    """What is asked, of what, of what: the texts between the question's point and its name, the point first."""
    plain = question
    for match in reversed(names):
        end = match.end() - 2 if match.group().endswith(("'s", "’s")) else match.end()
        plain = plain[: match.start()] + "§" + plain[end:]
    lowered = re.sub(r"§['’]s? ", "§'s ", re.sub(r"§(?:[^\w§]{1,5}(?:and |the )*[^\w§]?§)+", "§", plain.lower()))
    owned = re.search(r"§'s (?P<rest>[^,.;:?!§]+)", lowered)
    if owned and _told(owned.group("rest")):
        return [*reversed(_POSSESSIVE.split(owned.group("rest")))]
    if direct := _direct(lowered):
        return direct
    leads = _LEADS.search(lowered) or _BESIDE.search(lowered)
    way = leads.group().rstrip("§ ") if leads else ""
    every = _STEP.split(_OF.sub("", way))
    chain = every if _OF.search(way) else every[:-1]
    for pattern in _ASKS:
        match = pattern.search(lowered)
        if match and _told(match.group("target")):
            return [*_STEP.split(match.group("target")), *chain]
    segments = [part for part in _SEGMENT.split(lowered) if "§" not in part and _told(part)]
    if segments and len(words(lowered)) <= _SHORT:
        return [segments[0], *chain]
    return chain or [step for step in every if step.strip()] or [lowered.replace("§", " ")]


def _joined(steps: list[str]) -> list[str]:
    """Steps, what names nothing of its own joined to the one before: "type of structure", "end date of the lease"."""
    found: list[str] = []
    for step in steps:
        kinds = _kinds(words(step))
        last = frozenset(words(step)[-1:])
        is_thing = (kinds.get("name", 0.0) == 1.0 and "name" not in last) or not last.isdisjoint(listed("occupations"))
        if found and not is_thing and words(found[-1])[-1:] != ["name"]:
            found[-1] += f" {step}"
        else:
            found.append(step)
    return found


def _want(step: str, before: str = "") -> Want:
    """One step as what is looked for; `before` is a step that only says that it is a name."""
    told = list(dict.fromkeys(_told(step)))
    said = words(f"{before} {step}")
    head = said[-1:] if words(step)[-1:] == said[-1:] and listed("heads").issuperset(said[-1:]) else said
    kinds = _kinds(["name"]) if "name" in words(before) else _kinds(head)
    generic = [word for word in told if word in listed("generic")]
    groups = {word: word not in listed("generic") or len(generic) == len(told) for word in told}
    asks = _WHICH.search(step)
    if asks and groups.get(stem(asks.group("noun"))):
        groups = {word: word == stem(asks.group("noun")) for word in told}
    if "number" in kinds and "year" not in kinds:
        kinds["year"] = kinds["number"] - _LIKE_A_YEAR
    return Want(
        groups=tuple((synonyms(word), 1.0 if own else _GENERIC) for word, own in groups.items()),
        own=frozenset(root(word) for word in groups),
        kinds=kinds or {"phrase": 1.0, "name": 0.8, "number": 0.5, "role": 0.3, "time": 0.3, "money": 0.7, "date": 0.5},
        is_sort=not listed("sorts").isdisjoint(said) and listed("things").issuperset(told),
        unit=next((word for word in said if word in listed("units")), None),
        measure=next((classes("measures")[word] for word in said if word in classes("measures")), None),
        named=next((classes("asks")[word] for word in reversed(said) if word in classes("asks")), None),
    )


@functools.lru_cache(maxsize=50_000)
def read_question(question: str) -> Asked:
    """A question, read once."""
    names = _names(question)
    steps = _joined([step for step in _steps(question, names) if _told(step)]) or [question]
    before = ""
    if words(steps[0])[-1:] == ["name"] and len(steps) > 1:
        before, *steps = steps
    elif " in " in question and not _kinds(words(steps[0])):
        before = " ".join(words(question)[-4:])
    asks, target = _ASKED_WITH.match(question), _want(steps[0], before)
    return Asked(
        said=frozenset(root(word) for word in content_words(question)),
        titles=tuple(match.group() for match in names),
        names=frozenset(root(word) for match in names for word in content_words(match.group())),
        path=tuple(_want(step, "name") for step in reversed(steps[1:])),
        target=replace(target, kinds=_kinds([asks.group(1).lower()])) if asks else target,
    )
