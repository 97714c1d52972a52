"""How far one text supports another by the words that they share: a twin by rule, which reads no sense."""

import re
from dataclasses import dataclass

from benchwright.benchmarks.metrics.steps.nuggets import Support
from benchwright.benchmarks.text.alike import alike, meaningful
from benchwright.benchmarks.text.dates import find_dates
from benchwright.benchmarks.text.folding import fold, lower
from benchwright.benchmarks.text.remembering import remembers
from benchwright.benchmarks.text.words import carries_meaning, root, words

FULL, PARTIAL = 0.8, 0.5
"""Of the words of a sentence, those that its source must have."""
_WINDOW = 2_000
"""Characters of a source that are looked at together, so that words from all over a long one support nothing."""
_HEAD = 200
_FRAMES = "yes no true false answer according based provided given stated says document context passage source"
"""Words that give an answer and say nothing of their own."""
_FRAMED = frozenset(form for each in _FRAMES.split() for form in (each, f"{each}s"))
_NAME = re.compile(r"[^\W\d_][\w'’-]*")
_CLAUSE = re.compile(r"[.,;:!?]\s")
_NOT = re.compile(
    r"\b(?:not(?! only| just| more| less)|never|neither|nor|cannot|no(?= \w)(?! more| less| later)|"
    r"nicht(?! nur| mehr als)|nie|niemals|weder|kein(?:e[mnrs]?)?|"
    r"pas(?! seulement)|jamais|aucune?|ni|nunca|jamas|ninguna?)\b|n't\b"
)
"""Of English, German, French and Spanish."""
_FREE = re.compile(r"\b(\w+)-free\b")
_UNSPACED = re.compile("[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""Letters of scripts that set no spaces between words."""


def own_words(text: str) -> frozenset[str]:
    """The roots of the words of a text that carry meaning; dates and figures are written alike."""
    return frozenset(root(each) for each in meaningful(words(_plain(text))) if each not in _FRAMED)


def _plain(text: str) -> str:
    """A text with its dates as figures, 19 May 2012 as 20120519, and what has several spellings in one."""
    plain = fold(text)
    for date in reversed(find_dates(lower(plain))):
        year, month, day = date.readings[0]
        if day:
            plain = f"{plain[: date.start]} {year:04}{month:02}{day:02} {plain[date.end :]}"
    return alike(plain)


def word_support(sentence: str, source: str, firm: frozenset[str] = frozenset()) -> Support | None:
    """How far a source supports a sentence, by words; None where that cannot be told.

    It cannot of a sentence without words of its own, as "Yes.", nor where a script sets no spaces between words.

    Full: the source has every figure and name of the sentence and four fifths of its words; partial: one of
    the former, if it has any, and half of the latter. None where one of the two denies what the other says.
    The words count by their roots, and of a long source those of 2,000 characters at a time.

    Args:
        sentence: what is to be supported.
        source: what should support it.
        firm: further words, by their roots, without which a source supports it in part at best.
    """
    said = own_words(sentence)
    if not said or 2 * len(_UNSPACED.findall(sentence)) > sum(map(str.isalpha, sentence)):
        return None
    own = firm_words(sentence) & said
    best: Support = "none"
    for there in _windows(source):
        share = len(said & there) / len(said)
        if share >= FULL and own | firm <= there:
            best = "full"
            break
        if share >= PARTIAL and (not own or own & there):
            best = "partial"
    return "none" if best != "none" and denies(source, sentence) else best


def denies(source: str, sentence: str) -> bool:
    """Whether one of two texts says "not" of a word that the other has only without it: "is not kept", "is kept".

    It does not where the other says "not" in a clause about the same: "never alone", "never work alone".
    """
    there, own = _denied(source), _denied(sentence)
    return _contradicts(there, own) or _contradicts(own, there)


@dataclass(frozen=True, slots=True)
class _Denied:
    """What a text denies: of each "not" the root of the first word of meaning after it, with those of its clause."""

    after: tuple[tuple[str, frozenset[str]], ...]
    said: frozenset[str]
    """The roots of the other words of the text."""


def _contradicts(one: _Denied, other: _Denied) -> bool:
    """Whether a text says only without a "not" what another denies."""
    denied = {word for word, _ in other.after}
    return any(
        word in other.said
        and word not in denied | one.said
        and all(clause.isdisjoint(others) for _, others in other.after)
        for word, clause in one.after
    )


@remembers(characters=10_000_000)
def _denied(text: str) -> _Denied:
    after: list[tuple[str, frozenset[str]]] = []
    affirming: list[str] = []
    said = set[str]()
    for clause in _CLAUSE.split(_FREE.sub(r"no \1", fold(text).lower())):
        first, *rest = _NOT.split(clause)
        affirming.append(first)
        for part in rest:
            its = own_words(part)
            word = next((root(each) for each in meaningful(words(part)) if not each[0].isdigit()), None)
            if word is not None:
                after.append((word, its))
            said |= its - {word}
    said |= own_words(". ".join(affirming))
    return _Denied(tuple(after), frozenset(said))


def firm_words(sentence: str) -> frozenset[str]:
    """The roots of the figures of a sentence, and of the words in it with a capital that do not open it."""
    plain = _plain(sentence)
    figures = [root(each) for each in words(plain) if each[0].isdigit()]
    names = [match.group() for match in _NAME.finditer(plain) if match.start() and match.group()[0].isupper()]
    return frozenset([*figures, *(root(each) for name in names for each in words(name) if carries_meaning(each))])


@remembers(characters=10_000_000)
def _windows(source: str) -> tuple[frozenset[str], ...]:
    """The words of stretches of a source, each with those of its beginning, which says what it is about."""
    if len(source) <= _WINDOW:
        return (own_words(source),)
    head = own_words(source[:_HEAD])
    starts = range(0, len(source) - _WINDOW // 2, _WINDOW // 2)
    return tuple(head | own_words(source[start : start + _WINDOW]) for start in starts)
