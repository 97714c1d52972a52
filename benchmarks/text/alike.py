"""Texts with what can be written in several ways written in one, such as figures and units; words that carry meaning.

For rules that compare the words of two texts, one of which says the same as the other in another spelling.
"""

import re

from benchwright.benchmarks.text.folding import fold
from benchwright.benchmarks.text.numbers import SMALL, TENS
from benchwright.benchmarks.text.words import STOP_WORDS, carries_meaning

_GERMAN_SMALL = (
    "zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn "
    "neunzehn"
)
_GERMAN_TENS = "zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig"
_UNITS = dict(zip(SMALL[2:10], range(2, 10), strict=True)) | {"one": 1}
_FIGURES = {
    **{word: value for value, word in enumerate(SMALL) if value > 1},
    **{word: 20 + 10 * place for place, word in enumerate(TENS)},
    **{word: value for value, word in enumerate(_GERMAN_SMALL.split(), 2)},
    **{word: 20 + 10 * place for place, word in enumerate(_GERMAN_TENS.split())},
}
_WORDED = re.compile(
    rf"\b(?P<ten>{'|'.join(TENS)})[ -](?P<one>{'|'.join(_UNITS)})\b"
    rf"|\b(?P<word>{'|'.join(sorted(_FIGURES, key=len, reverse=True))})\b",
    re.IGNORECASE,
)
_SIGNS = (
    (re.compile(r"%|\bper cent\b|\bprozent\b", re.IGNORECASE), " percent "),
    (re.compile(r"€|\bEUR\b"), " euro "),
    (re.compile(r"°\s?C\b|\b(?:degrees?|grad) celsius\b", re.IGNORECASE), " celsius "),
)
_GERMAN_WORDS = (
    "aber als also am an auch auf aus bei bin bis da damit dann darf das dass dem den denn der des die dies diese "
    "diesem diesen dieser dieses doch dort du durch durfen ein eine einem einen einer eines er es etwa fur gegen "
    "gibt hat haben hatte ich ihr ihre ihrem ihren ihrer im in ist ja jede jedem jeden jeder jedes kann konnen man "
    "mehr mit muss mussen nach nein noch nur ob oder sein seine seinem seinen seiner seit sich sie sind so sollte "
    "sollten soll sollen uber um und uns unter vom von vor wann war waren warum was welche welchem welchen welcher "
    "welches wenn wer werden wie wir wird wo worden wurde wurden zu zum zur zwischen"
)
_GERMAN = frozenset(_GERMAN_WORDS.split())


def alike(text: str) -> str:
    """A text folded, with numbers from two on as figures and units as words: "ninety per cent" is "90 percent"."""
    plain = _WORDED.sub(_figure, fold(text))
    for pattern, word in _SIGNS:
        plain = pattern.sub(word, plain)
    return plain


def _figure(match: re.Match[str]) -> str:
    if match["ten"]:
        return str(_FIGURES[match["ten"].lower()] + _UNITS[match["one"].lower()])
    return str(_FIGURES[match["word"].lower()])


def meaningful(words: list[str]) -> list[str]:
    """Of the words of a folded text, in small letters, those that carry meaning; no single Latin letters either.

    Function words are those of English and, where a text has more of the German ones, those of German too.
    """
    is_german = sum(word in _GERMAN for word in words) > sum(word in STOP_WORDS for word in words)
    return [
        word for word in words if (carries_meaning(word) or not word.isascii()) and not (is_german and word in _GERMAN)
    ]
