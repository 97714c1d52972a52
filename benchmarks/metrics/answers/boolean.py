"""Yes and no: whether an answer says either, and what its statements come to."""

import functools
import itertools
import re
from collections.abc import Iterator
from typing import Literal

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.metrics.answers import abstaining, cues
from benchwright.benchmarks.metrics.answers.boolean_question import Asked, read_asked
from benchwright.benchmarks.metrics.answers.entailment import entailed, without_source
from benchwright.benchmarks.text.folding import words

Verdict = Literal["yes", "no", "hedged", "abstained"]

_MEANINGS = {"yes": True, "y": True, "true": True, "1": True, "no": False, "n": False, "false": False, "0": False}
_ENDS = r"(?= *(?:[,.;:!\")}\]\n]|'(?![a-z])|- |--|$))"
"""What follows a yes or a no that stands for itself."""
_GOES_ON = r"(?= (?:it|they|he|she|there|this|that|the|we|i|you|because|since|as)\b)"
_LEADING = r"[\s\"'({\[:>-]*"
_UNSURE = re.compile(r"(?:\w+, )?i(?: am|'m) (?:really |quite |just )?(?:not (?:sure|certain)|unsure|uncertain)\b")
_COURTESY = re.compile(r"(?:sure|certainly|absolutely|of course|definitely)(?: thing)?[!.]+")
"""Before an answer, this says nothing of it."""
_TURN = re.compile(rf"\b(?:but|yet|however)(?: actually| also| then| really)?,? (?:yes|no){_ENDS}")
_UNKNOWING = re.compile(r"\bi (?:do not|don't|could not|couldn't|cannot|can't|am unable|was unable|have no)\b")


def parse_boolean(value: str) -> bool | None:
    """What a gold answer of yes or no means, or nothing."""
    return _MEANINGS.get(value.strip().lower())


def read_boolean(lowered: str, question: str) -> Verdict | None:
    """What a cleaned, lowered answer says to a question of yes or no; None where that is not understood.

    A yes or no must be said, or follow from a statement about what was asked. A conclusion ("so the answer is no") goes
    before an opening word, that before a word further on, said words before what statements come to. Statements that
    come to both are not understood.
    """
    if cues.says_nothing(lowered):
        return "abstained"
    alone = parse_boolean(lowered.strip(" .\"'\n"))
    if alone is not None:
        return "yes" if alone else "no"
    sentences = [sentence for sentence in _sentences(lowered) if not sentence.endswith("?")]
    said = _concluded(lowered) or _said(sentences)
    if said is not None:
        return said
    asked = read_asked(question)
    is_unknown, is_hedged, found = False, False, set[bool]()
    for sentence in sentences:
        if _abstains(sentence, asked):
            is_unknown = True
            continue
        meant = entailed(asked, sentence)
        if meant is None and _UNSURE.match(sentence):
            is_unknown = True
        elif _is_hedged(sentence) and (meant is not None or _may_answer(sentence, asked)):
            is_hedged = True
        elif meant is not None:
            found.add(meant)
    if len(found) == 1 and not is_hedged:
        return "yes" if found.pop() else "no"
    if is_hedged:
        return "hedged"
    return "abstained" if is_unknown and not found else None


def _sentences(lowered: str) -> Iterator[str]:
    for first, last in itertools.pairwise((*cues.sentence_starts(lowered), len(lowered))):
        if sentence := lowered[first:last].strip():
            yield sentence


def _concluded(lowered: str) -> Verdict | None:
    """The last conclusion of a text."""
    found = [match for pattern in _conclusions() for match in pattern.finditer(lowered)]
    if not found:
        return None
    last = max(found, key=lambda match: match.end())
    return "yes" if last.group("yes") else "no"


def _said(sentences: list[str]) -> Verdict | None:
    """The yes or no that a sentence begins with: the first, but where a later one takes it back."""
    first: Verdict | None = None
    for number, sentence in enumerate(sentences):
        if number == 0 and len(sentences) > 1 and _COURTESY.fullmatch(sentence):
            continue
        corrected = _pattern("corrections").match(sentence)
        start = corrected.end() if corrected and first else 0
        said = _opening(sentence[start:], is_first=number == 0)
        if said is None or said == first:
            continue
        if first is None or corrected:
            first = said
        else:
            return "hedged"
    return first


def _opening(sentence: str, *, is_first: bool) -> Verdict | None:
    """What a sentence begins with, after what only leads to it."""
    position, preambles = 0, _preambles()
    while match := preambles.match(sentence, position):
        position = match.end()
        if position == len(sentence):
            return None
    if match := _both().match(sentence, position):
        return "hedged"
    match = _yes_no().match(sentence, position)
    if match is None:
        return None
    if not is_first and sentence.endswith(","):
        return None
    rest = sentence[match.end() :]
    if _is_hedged(sentence) or _TURN.search(rest):
        return "hedged"
    if _UNKNOWING.search(rest) and cues.abstains(rest):
        return "abstained"
    return "yes" if match.group("yes") else "no"


def _is_hedged(sentence: str) -> bool:
    return cues.has("unsure", sentence) or cues.is_hedged(re.sub(r"\b(?:whether|n?either)\b", " ", sentence), "")


def _may_answer(sentence: str, asked: Asked) -> bool:
    """Whether a sentence that hedges is about what was asked."""
    found = words(sentence)
    return len(found) < 4 or found[0] in ("it", "they", "he", "she", "there") or asked.shares(found)


def _abstains(sentence: str, asked: Asked) -> bool:
    """Whether a sentence says that nothing is known: it speaks of knowing, as the question does not."""
    sentence = without_source(sentence)
    found = words(sentence)
    if abstaining.abstains(sentence, found):
        return True
    return cues.abstains(sentence, found) and not (_knowing() - asked.surface).isdisjoint(found)


def _lists() -> dict[str, list[str]]:
    return read_toml(__package__, "boolean.toml")["said"]


@functools.cache
def _knowing() -> frozenset[str]:
    return frozenset(read_toml(__package__, "boolean.toml")["words"]["knowing"])


@functools.cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"{_LEADING}(?:{'|'.join(_lists()[name])})\b[,.!: -]*")


@functools.cache
def _preambles() -> re.Pattern[str]:
    return re.compile(rf"{_LEADING}(?:{'|'.join(_lists()['preambles'])})(?:(?<=\W)|(?!\w)){_LEADING}")


@functools.cache
def _both() -> re.Pattern[str]:
    return re.compile(rf"{_LEADING}(?:{'|'.join(_lists()['both'])}){_ENDS}")


@functools.cache
def _yes_no() -> re.Pattern[str]:
    yes, no = ("|".join(_lists()[name]) for name in ("yes", "no"))
    return re.compile(rf"{_LEADING}(?:(?P<yes>{yes})|(?P<no>{no}))(?:{_ENDS}|(?<=yes){_GOES_ON}|(?<=no){_GOES_ON})")


@functools.cache
def _conclusions() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(each) for each in _lists()["conclusions"])
