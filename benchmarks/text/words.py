"""Words of questions and documents, as the baselines compare them."""

import functools
import re

_ENDING = re.compile(r"(?<=.{4})(?:ed|ing|er|or)$")
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")

_FUNCTION_WORDS = (
    "a about after all also am an and any are as at be because been before being both but by can could did do "
    "does doing down during each else ever few for from further given had has have having he her here hers "
    "herself him his how i if in into is it its itself just like may me might more most much must my no nor "
    "not now of off on once one only onto or other our out over own per please shall she should so some such "
    "than that the their them then there these they this those through to too under until up upon us very was "
    "we were what when where whether which while who whom whose why will with within without would yet you "
    "your "
)
STOP_WORDS = frozenset(_FUNCTION_WORDS.split())


def carries_meaning(word: str) -> bool:
    """Whether a word in small letters is no function word and no single letter."""
    return word not in STOP_WORDS and (len(word) > 1 or word.isdigit())


def words(text: str) -> list[str]:
    """Numbers and runs of letters, in lower case."""
    return _WORD.findall(text.lower())


@functools.lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """A word without the s of a plural."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


@functools.lru_cache(maxsize=100_000)
def root(word: str) -> str:
    """What the forms of a word share: "managed", "manager" and "manages" are one."""
    if word.isdigit():
        return word
    short = stem(word)
    return (_ENDING.sub("", short) if len(short) > 5 else short)[:5]


def content_words(text: str) -> list[str]:
    """The words that are no function words, and no single letters, without the s of a plural."""
    return [stem(word) for word in words(text) if carries_meaning(word)]
