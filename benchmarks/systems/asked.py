"""What a question asks for: its names, the way from them to what is asked, and the kinds of values that may answer."""

import functools
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, cast

from benchwright.benchmarks.systems.spans import Kind
from benchwright.benchmarks.systems.words import STOP_WORDS, content_words, root, words

_CAPITALISED = r"[A-ZÀ-Þ0-9][\w’'-]*"
_JOINT = r" | & | and | of | of the | to | to a | a | the "
_NAME = re.compile(rf"[“\"][^”\"]+[”\"]|{_CAPITALISED}(?:(?:{_JOINT})(?={_CAPITALISED}){_CAPITALISED})*")
_SEGMENT = re.compile(r"[;:,?!.—–](?:\s+|$)")
_POSSESSIVE = re.compile(r"['’]s?\s+")
_STEP = re.compile(r"\s+(?:of|for|in)\s+(?:the\s+|a\s+|an\s+|our\s+)?")
_OF = re.compile(r"\s+(?:of|for|in)(?:\s+(?:the|a|an|our))?$")
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
_BESIDE = re.compile(r"(?P<target>[^,.;:?§]+)§")


@dataclass(frozen=True, slots=True)
class Want:
    """One thing that is asked: for each of its words the roots that say the same, and the kinds of its value."""

    groups: tuple[frozenset[str], ...]
    kinds: Mapping[Kind, float]
    is_sort: bool
    """ "X is a Y" tells it."""
    unit: str | None


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, read."""

    said: frozenset[str]
    """All its words."""
    names: frozenset[str]
    """The roots of the words of its names."""
    path: tuple[Want, ...]
    """What leads from the names to what the target is of, the nearest to the names first."""
    target: Want


@functools.cache
def _table() -> dict[str, Any]:
    file = resources.files("benchwright.benchmarks.systems").joinpath("synonyms.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


@functools.cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(_table()["words"][name].split())


@functools.cache
def _synonyms() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _table()["same"]:
        first, *others = (root(word) for word in words(line))
        found.setdefault(first, {first}).update(others)
    return {word: frozenset(group) for word, group in found.items()}


@functools.cache
def _kind_words() -> dict[str, dict[Kind, float]]:
    found: dict[str, dict[Kind, float]] = {}
    for kind, lines in _table()["kinds"].items():
        for line in lines:
            listed, _, weight = line.rpartition("=")
            for word in listed.split():
                found.setdefault(word, {})[cast(Kind, kind)] = float(weight)
    return found


def _kinds(said: Iterable[str]) -> dict[Kind, float]:
    found: dict[Kind, float] = {}
    for word in said:
        for kind, weight in _kind_words().get(word, {}).items():
            found[kind] = max(weight, found.get(kind, 0.0))
    return found


def _names(question: str) -> list[re.Match[str]]:
    """The names in a question: runs of capitalised words, but for a word that only begins a sentence."""
    found = []
    for match in _NAME.finditer(question):
        begins = match.start() == 0 or question[: match.start()].rstrip()[-1:] in ".?!:"
        first = match.group().partition(" ")[0].lower()
        is_ordinary = match.start() == 0 and (" " not in match.group() or first in STOP_WORDS)
        if is_ordinary or (begins and first in STOP_WORDS) or match.group() in ("I", "US", "USA", "EUR", "GBP"):
            continue
        found.append(match)
    return found


def _told(part: str) -> list[str]:
    return [word for word in content_words(part) if word not in _listed("filler")]


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
    if _PLAIN.match(lowered) and len(words(lowered)) <= _SHORT:
        return [lowered.replace("§", " ")]
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
        is_thing = kinds.get("name", 0.0) == 1.0 and words(step)[-1:] != ["name"]
        if found and not is_thing and words(found[-1])[-1:] != ["name"]:
            found[-1] += f" {step}"
        else:
            found.append(step)
    return found


def _want(step: str, before: str = "") -> Want:
    """One step as what is looked for; `before` is a step that only says that it is a name."""
    table = _synonyms()
    told = dict.fromkeys(root(word) for word in _told(step))
    said = words(f"{before} {step}")
    kinds = _kinds(["name"]) if "name" in words(before) else _kinds(said)
    return Want(
        groups=tuple(table.get(word, frozenset((word,))) for word in told),
        kinds=kinds or {"phrase": 1.0, "name": 0.8, "number": 0.5},
        is_sort=not _listed("sorts").isdisjoint(said),
        unit=next((word for word in said if word in _listed("units")), None),
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
    return Asked(
        said=frozenset(words(question)),
        names=frozenset(root(word) for match in names for word in content_words(match.group())),
        path=tuple(_want(step, "name") for step in reversed(steps[1:])),
        target=_want(steps[0], before),
    )
