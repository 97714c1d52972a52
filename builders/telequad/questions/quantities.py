"""Figures with units, ranges of them, and what a sentence says they are of."""

import re
from collections.abc import Mapping
from functools import cache
from itertools import takewhile

from benchwright.benchmarks.data_files import read_toml, read_words

NUMBER = r"(?:0x[0-9A-Fa-f]+|[-−–+±]?\d+(?:[ \u00a0\u202f]\d{3})*(?:[.,]\d+)*)"
"""A figure; hexadecimal ones too."""
END = (
    r"(?P<end>[.;]?$|[.;,] (?=(?:and|or|an?|the|which)\b)| and (?=(?:its|shall|is|has|the)\b)"
    r"|,? \(?inclusive\)?[.;]?$|\. (?=[A-Z]))"
)
"""What may follow a value: nothing that makes it depend on anything."""
_DETERMINER = re.compile(r"(?:The|A|An|Each|Every|Any) ")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
LONGEST_SUBJECT = 12
"""Words of what a value is said to be of."""


@cache
def words() -> dict[str, frozenset[str]]:
    """The sets of words of `quantities.toml`."""
    return read_words(__package__, "quantities.toml", "words")


@cache
def forms() -> Mapping[str, tuple[re.Pattern[str], ...]]:
    """Variety → what its sentences match, with `subject` and `value` as groups."""
    data = read_toml(__package__, "quantities.toml")
    values = {"{value}": value(), "{range}": span_of_values(), "{number}": NUMBER}

    def whole(form: str) -> str:
        for name, part in data["parts"].items():
            form = form.replace(name, part)
        for name, part in values.items():
            form = form.replace(name, part)
        return form + END

    return {variety: tuple(re.compile(whole(form)) for form in each) for variety, each in data["forms"].items()}


@cache
def base_forms() -> Mapping[str, str]:
    """`has` → `have`."""
    return read_toml(__package__, "quantities.toml")["base"]


@cache
def unit() -> str:
    """A regular expression of a unit after a figure: a known one, or one word in the plural."""
    known = "|".join(sorted(map(re.escape, words()["units"]), key=len, reverse=True))
    return rf"(?: ?(?:{known})(?![\w/])| [a-z][a-z-]{{2,}}s(?!\w))"


@cache
def value() -> str:
    """A regular expression of a figure with or without its unit."""
    return rf"{NUMBER}{unit()}?"


@cache
def span_of_values() -> str:
    """A regular expression of a range: `1 to 240`, `-120 dBm to -40 dBm`, `0..15`."""
    return rf"{NUMBER}{unit()}?(?: to | through | and | ?\.\.\.? ?| ?[–—] ?|-){NUMBER}{unit()}?"


def is_subject(text: str) -> bool:
    """Whether a stretch of a sentence names one thing and does not point to what is told elsewhere."""
    found = _WORD.findall(text)
    return (
        0 < len(found) <= LONGEST_SUBJECT
        and not any(word.lower() in words()["pointing"] for word in found)
        and re.search(r"[\"“”()\[\]:;,]", text) is None
        and not _is_general(found)
        and (
            bool(_DETERMINER.match(text))
            or not found[0].istitle()
            or any(not letter.islower() for letter in found[0][1:])
        )
    )


def _is_general(found: list[str]) -> bool:
    """Whether it is `the default value on most systems`: of nothing in particular."""
    small = [word if any(map(str.isupper, word[1:])) else word.lower() for word in found]
    before = takewhile(lambda word: word not in ("in", "on", "at"), small)
    return all(word in words()["general"] or word in words()["quantities"] for word in before)


def is_range(text: str) -> bool:
    """Whether a range goes up; a single value is one too. What was a power, 2 to the 32 less 1, is none."""
    figures = re.findall(NUMBER, re.sub(r"(?<=\d)-(?=\d)", " - ", text))
    if len(figures) != 2:
        return len(figures) < 2
    first, second = (
        int(figure, 16) if figure.startswith("0x") else float(re.sub(r"[^\d.-]", "", figure.replace("−", "-")))
        for figure in figures
    )
    return first < second


def is_time(text: str) -> bool:
    """Whether a figure's unit is one of time."""
    return text.split()[-1] in words()["times"]


def in_sentence(subject: str) -> str:
    """A subject as it stands inside a sentence: with a small article."""
    return subject[0].lower() + subject[1:] if _DETERMINER.match(subject) else subject


def is_known_anywhere(subject: str) -> bool:
    """Whether its words have a name or a figure, so that it needs no clause around it."""
    return any(not word.islower() for word in _DETERMINER.sub("", subject).split())


def is_quantity(subject: str) -> bool:
    """Whether it is something that has a figure: `the length of the message`, `the message length`."""
    head = re.split(r" (?:of|for|in|between|from|on|at|to) ", subject)[0].split()
    return bool(head) and head[-1].lower() in words()["quantities"]
