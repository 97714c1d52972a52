"""What a program sees in a wording without knowing what its SQL template asks: figures and names outside
placeholders, markup, instructions, another language, two questions, and a question of yes or no."""

import re
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from benchwright.benchmarks.data_files import read_words
from benchwright.benchmarks.grounding.sql import PLACEHOLDER

_WORDS = read_words(__package__, "text_checks.toml", "words")
_ENGLISH = _WORDS["english"]
_LANGUAGES = ("german", "french", "spanish", "italian", "dutch")
_LIST_MARK = re.compile(r"^\s*(?:\d{1,3}[.):]\s|\(?[a-zA-Z][.)]\s|[-*•–+]\s)")
_MARKUP = re.compile(r"\*\*|__|(?<!\w)[*_]\w|`|<[^>]*>|https?:|www\.|^#|\w\]\(|[{}|\\~^]|&\w+;")
_INSTRUCTION = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^.?!]*\b(?:instructions?|previous|prior|above|prompts?|rules?|"
    r"everything)\b|\bsystem prompt\b|\bpretend (?:to be|that|you)\b|\byou are now\b|\bact as\b|\broleplay\b",
    re.IGNORECASE,
)
_MODEL = re.compile(
    r"\b(?:as an? (?:ai|language model|assistant)|language model|ai (?:model|assistant)|i(?: a|')m an ai|"
    r"here (?:is|are) (?:a|the|your|\w+ )?\s*(?:wordings?|questions?|paraphrases?|variants?)|"
    r"(?:short|long|formal|casual|interrogative|directive) (?:form|wording|version)|sure[,!] here)\b",
    re.IGNORECASE,
)
_PICTURES = ("So", "Mn", "Me")
"""Categories of signs: emojis among others, and accents that belong to no letter."""
_REPEATED = re.compile(r"\b(\w+)\s+\1\b", re.IGNORECASE)
_DOUBLES = _WORDS["doubles"]
_CONTRACTION = re.compile(
    r"n['’]t\b|\b(?:i|you|we|they|he|she|it|that|there|who|what|where|when|how)['’](?:m|re|ll|ve|d|s)\b|\b(?:gonna|wanna|gotta)\b",
    re.IGNORECASE,
)
_SECOND = re.compile(
    r"(?:\band|\bor|\bas well as|\bplus|[;/&])\s+(?:also\s+|then\s+)?(?:in\s+|at\s+|on\s+|from\s+|by\s+|for\s+)?"
    r"(?:when|where|who|whose|whom|why|how)\b|,\s+(?:when|why|how)\b",
    re.IGNORECASE,
)
_ASKED_BEFORE = re.compile(r"\b(?:when|where|who|whose|whom|why|how|which|what)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_PROPER = re.compile(r"(?<=[\w,;:”’\")\x00] )[A-Z][^\W\d_]{2,}")
_SAID_BEFORE = re.compile(
    r"^(?:(?:hey|hi|hello|so|ok|okay|oh|well|and|but|um|sorry|please|quick question|excuse me|now)[,:!]?\s+)*",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Problem:
    """Why a wording cannot be used."""

    reason: str
    detail: str = ""


def text_problems(text: str, form: str, words: Collection[str], *, is_truth: bool = False) -> Iterator[Problem]:
    """What is wrong with a wording, whatever it asks.

    Args:
        text: the wording on one line, its placeholders as they stand in templates.
        form: one of the six forms.
        words: what the tables and columns of its schema are called: what is said there may be said here.
        is_truth: whether yes or no is what is asked for.
    """
    known = {part.lower() for phrase in words for part in phrase.split()}
    bare = PLACEHOLDER.sub("\x00", text)
    if mark := _LIST_MARK.match(text):
        yield Problem("begins with a mark of a list", mark[0].strip())
    if found := _MARKUP.search(bare):
        yield Problem("holds markup or an address", found[0])
    if odd := next((sign for sign in bare if unicodedata.category(sign) in _PICTURES and sign != "°"), None):
        yield Problem("holds markup or an address", odd)
    if (found := _INSTRUCTION.search(bare)) or (found := _MODEL.search(bare)):
        yield Problem("talks to or about a model", found[0])
    lowered = [word.lower() for word in _WORD.findall(bare)]
    for word in lowered:
        if (
            word in _WORDS["machinery" if form != "long" else "programs"]
            and word not in known
            and word.rstrip("s") not in known
        ):
            yield Problem("talks of data, a program or a model", word)
    if found := re.search(r"\d+", " ".join(part for part in bare.split() if part.lower() not in known)):
        yield Problem("holds a figure outside its placeholders", found[0])
    yield from _language(bare, lowered, known)
    if (found := _REPEATED.search(bare)) and found[1].lower() not in _DOUBLES:
        yield Problem("repeats a word", found[0])
    for name in _PROPER.findall(bare):
        is_day = form == "long" and name.lower() in _WORDS["days"]
        if name.lower() not in known and not name.isupper() and not is_day:
            yield Problem("holds a name outside its placeholders", name)
    if (found := _SECOND.search(bare)) and _ASKED_BEFORE.search(bare[: found.start()]) and form != "long":
        yield Problem("asks two things", found[0].strip(" ,;"))
    if form == "formal" and (found := _CONTRACTION.search(bare)):
        yield Problem("is not formal", found[0])
    if not is_truth and (asked := _yes_or_no(bare, form)):
        yield Problem("can be answered with yes or no", asked)


def _language(bare: str, lowered: list[str], known: Collection[str]) -> Iterator[Problem]:
    """Whether a text is in another language, by its letters and its commonest words."""
    foreign = [
        sign for sign in bare if sign.isalpha() and not ("a" <= sign.lower() <= "z" or "à" <= sign.lower() <= "ž")
    ]
    if foreign:
        yield Problem("is not in English", foreign[0])
        return
    english = sum(word in _ENGLISH for word in lowered)
    for language in _LANGUAGES:
        there = [word for word in lowered if word in _WORDS[language] and word not in known]
        own = [word for word in there if word not in _ENGLISH]
        if len(own) >= 2 and len(there) > english:
            yield Problem("is not in English", " ".join(own[:3]))
            return


def _yes_or_no(bare: str, form: str) -> str:
    """The words with which a wording asks for yes or no; nothing where it asks for something else."""
    if form in ("long", "directive") or not bare.rstrip().endswith("?"):
        return ""
    text = _SAID_BEFORE.sub("", bare.strip())
    first, _, rest = text.partition(" ")
    if first.lower() not in _WORDS["auxiliaries"] or not rest:
        return ""
    second = rest.split()[0].lower().strip(",.?!")
    return "" if second in _WORDS["asked_of"] else f"{first} {rest.split()[0]}".replace("\x00", "…")
