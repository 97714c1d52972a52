"""What of a text is compared: folded characters and words."""

import functools
import re
import unicodedata

from benchwright.benchmarks.data_files import read_toml

LONGEST_ANSWER = 20_000
"""Characters of an answer that are looked at: a short fact stands before that or is not an answer."""

_FOLDED = str.maketrans(
    dict.fromkeys("‘’‚‛`´ʼ", "'")
    | dict.fromkeys("“”„«»", '"')
    | dict.fromkeys("‐‑‒–−•", "-")
    | dict.fromkeys("—―", " - ")
    | dict.fromkeys("\u00a0\u202f\u2009", " ")
    | dict.fromkeys("\u200b\ufeff", "")
    | {"…": "...", "ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE"}
    | {"đ": "d", "Đ": "D", "ı": "i"}
)
_MARKED = re.compile(r"[*#`_&]")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")
_CITATION = re.compile(
    r"[\[【](?:\^|\d|(?:doc|docs|document|source|passage|context|chunk|ref)s?\b)[^\[\]【】]{0,40}[\]】]", re.IGNORECASE
)
_COUNTRY = re.compile(r"\bUS\b(?!\$)")
_ERA = re.compile(r"\b(?:B\.C\.(?:E\.)?|A\.D\.)")
_DATES = read_toml(__package__, "dates.toml")
_MONTHS = "|".join([*_DATES["months"].lower().split(), *" ".join(_DATES["foreign"]).split()])
_BULLET = re.compile(rf"^[ \t]*(?:\d{{1,2}}[.)]|[-+])[ \t]+(?=\S)(?!(?i:{_MONTHS}) \d{{4}}\b)", re.MULTILINE)
"""A number before a month and a year is a day: 12. März 1993."""
_VOICED = "\u3099\u309a"
"""Marks that make another letter of a Japanese one."""
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:'[a-z]+)?")


def fold(text: str) -> str:
    """Quotes, dashes, spaces and accented letters in their plainest form; case is kept."""
    if text.isascii():
        return text
    text = text.translate(_FOLDED)
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFKD", text)
    kept = "".join(sign for sign in plain if sign in _VOICED or not unicodedata.combining(sign)).translate(_FOLDED)
    return unicodedata.normalize("NFC", kept)


def clean(text: str) -> str:
    """A text without accents, Markdown, citations, list numbers and possessives; case and punctuation are kept."""
    text = fold(text[:LONGEST_ANSWER])
    if "[" in text or "【" in text:
        text = _CITATION.sub("", _LINK.sub(r"\1", text))
    if "\n" in text or text[:1].isdigit() or text[:1] == "-":
        text = _BULLET.sub("", text)
    if _MARKED.search(text):
        text = text.replace("*", "").replace("#", "").replace("`", "").replace("_", " ").replace("&", " and ")
    if "'s" in text:
        text = text.replace("'s ", " ").replace("'s", "")
    if "B.C" in text or "A.D" in text:
        text = _ERA.sub(lambda match: match.group().replace(".", ""), text)
    if "US" in text:
        text = _COUNTRY.sub("USA", text)
    return text


def lower(text: str) -> str:
    """Lower case with the same offsets."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(character.lower()[:1] for character in text)


def words(lowered: str) -> list[str]:
    """Numbers and runs of letters of a cleaned, lowered text."""
    return _WORD.findall(lowered)


def spans(lowered: str) -> tuple[tuple[int, int], ...]:
    """Where `words` lie."""
    return tuple(match.span() for match in _WORD.finditer(lowered))


@functools.lru_cache(maxsize=200_000)
def value_words(value: str) -> tuple[str, ...]:
    """The words of a value, without a leading article."""
    found = words(lower(clean(value)))
    return tuple(found[1:] if len(found) > 1 and found[0] in ("the", "a", "an") else found)
