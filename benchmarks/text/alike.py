"""Texts with what can be written in several ways written in one, such as figures and units; words that carry meaning.

For rules that compare the words of two texts, one of which says the same as the other in another spelling.
"""

import re
from collections.abc import Callable, Iterable

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.text.folding import fold
from benchwright.benchmarks.text.numbers import SMALL, TENS
from benchwright.benchmarks.text.words import STOP_WORDS, carries_meaning

_LANGUAGES = read_toml(__package__, "alike.toml")
_UNITS = dict(zip(SMALL[2:10], range(2, 10), strict=True)) | {"one": 1}
_FIGURES = {
    **{word: value for value, word in enumerate(SMALL) if value > 1},
    **{word: 20 + 10 * place for place, word in enumerate(TENS)},
    **{word: value for each in _LANGUAGES.values() for word, value in each["figures"].items()},
}


def _any(words: Iterable[str]) -> str:
    """An expression for these words, with or without a capital: by their first letters, which is faster."""
    rests: dict[str, list[str]] = {}
    for word in sorted(words, key=len, reverse=True):
        rests.setdefault(word[0], []).append(word[1:])
    return "|".join(f"[{first}{first.upper()}](?:{'|'.join(rest)})" for first, rest in rests.items())


_WORDED = re.compile(
    rf"\b(?:(?P<ten>{_any(TENS)})[ -](?P<one>{_any(_UNITS)})\b|(?P<word>{_any(_FIGURES)})(?P<times>mal)?\b(?!\.? \d))"
)
_CLOCK = re.compile(
    r"(?<![\d:.,])(?P<hour>\d{1,2})(?:"
    r"(?:[:.](?P<minute>[0-5]\d))?\s?(?P<half>[ap])\.?m\b\.?"
    r"|:(?P<exact>[0-5]\d)(?![\d:])|\.(?P<dotted>[0-5]\d)(?=\s?Uhr\b)|\s?h\s?(?P<after>[0-5]\d)\b)"
)
_PREFIXES = {"k": "kilo", "n": "nano", "m": "milli", "c": "centi"}
_THOUSANDS = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:(?:,\d{3})+|(?:\.\d{3})+|(?: \d{3})+)(?!\d)")
_COMMA = re.compile(r"(?<![\d,])(\d+),(?=\d{1,2}(?![\d,]))")
_DIGIT = re.compile(r"\d")
_TWICE = re.compile(r"\b(?:twice|deux fois|dos veces)\b", re.IGNORECASE)
_SIGNS: tuple[tuple[tuple[str, ...], re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (
        ("%", "cent", "prozent", "ciento"),
        re.compile(r"%|\b(?:per ?cent|prozent|pour cent|por ciento)\b", re.IGNORECASE),
        " percent ",
    ),
    (("€", "eur"), re.compile(r"€|\bEUR\b"), " euro "),
    (
        ("°", "celsius"),
        re.compile(r"°\s?C\b|\b(?:degrees?|degres?|grados?|grad) celsius\b", re.IGNORECASE),
        " celsius ",
    ),
    (
        ("met",),
        re.compile(r"\b(kilo|nano|milli|centi|zenti|)met(?:er|re|ro)[ns]?\b", re.IGNORECASE),
        r"\1meter",
    ),
    (("hour", "stunde", "heure", "hora"), re.compile(r"\b(?:hours?|stunden?|heures?|horas?)\b", re.IGNORECASE), "hour"),
)
"""What a text in small letters must have one of, what is looked for then, and what is written for it."""
_AFTER_DIGITS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"(?<=\d)\s?(?:km/h|kph)(?!\w)"), " kilometer per hour"),
    (
        re.compile(r"(?<=\d)(?:\s?(?P<prefix>[knmc])m| m)\b(?![/²³])"),
        lambda match: f" {_PREFIXES.get(match['prefix'], '')}meter",
    ),
    (re.compile(r"(?<=\d)\s?(?:h|hrs?|Std)\b"), " hour"),
)
_FUNCTION_WORDS = {name: frozenset(each["words"].split()) for name, each in _LANGUAGES.items()}


def alike(text: str) -> str:
    """A text folded, with what has several spellings in one: "ninety per cent" is "90 percent", "3 pm" is "15".

    Numbers from two on, in four languages, are figures; times of day have 24 hours; units are words; thousands are
    not apart, and decimals stand after a point.
    """
    plain = _WORDED.sub(_figure, _TWICE.sub("2 times", fold(text)))
    if _DIGIT.search(plain):
        plain = _CLOCK.sub(_hour, _COMMA.sub(r"\1.", _THOUSANDS.sub(_together, plain)))
        for pattern, word in _AFTER_DIGITS:
            plain = pattern.sub(word, plain)
    lowered = plain.lower()
    for triggers, pattern, word in _SIGNS:
        if any(each in lowered for each in triggers):
            plain = pattern.sub(word, plain)
    return plain


def _together(match: re.Match[str]) -> str:
    return re.sub("[,. ]", "", match.group())


def _figure(match: re.Match[str]) -> str:
    if match["ten"]:
        return str(_FIGURES[match["ten"].lower()] + _UNITS[match["one"].lower()])
    return f"{_FIGURES[match['word'].lower()]}{' mal' if match['times'] else ''}"


def _hour(match: re.Match[str]) -> str:
    hour = int(match["hour"])
    if match["half"]:
        if not 1 <= hour <= 12:
            return match.group()
        hour = hour % 12 + (12 if match["half"] == "p" else 0)
    minute = match["minute"] or match["exact"] or match["dotted"] or match["after"] or "00"
    return str(hour) if minute == "00" else f"{hour}:{minute}"


def meaningful(words: list[str]) -> list[str]:
    """Of the words of a folded text, in small letters, those that carry meaning; no single Latin letters either.

    Function words are those of English and, where a text has more of them, those of German, French or Spanish.
    """
    there = {name: sum(word in each for word in words) for name, each in _FUNCTION_WORDS.items()}
    best = max(there, key=lambda name: there[name])
    is_foreign = there[best] > sum(word in STOP_WORDS for word in words)
    idle = _FUNCTION_WORDS[best] if is_foreign else frozenset[str]()
    return [word for word in words if (carries_meaning(word) or not word.isascii()) and word not in idle]
