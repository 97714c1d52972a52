"""The built-in extractive reader: the sentence that fits a question best, and the value in it that is asked for.

Rules of general English alone; it knows nothing of how any benchmark's documents were written. It is deterministic,
reads no more than it is given, and is no language model: it says what it found, without a sentence around it.
"""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.grounding.chunking import Passage, sentence_spans
from benchwright.benchmarks.systems.asked import Asked, Want, read_question
from benchwright.benchmarks.systems.spans import Span, find_spans
from benchwright.benchmarks.systems.words import STOP_WORDS, content_words, root, words

UNKNOWN = "I don't know."

_WORD_WEIGHT = 2.0
"""What it counts that a sentence has a word of what is asked, or one that says the same."""
_NAMED_HERE, _NAMED_ABOVE, _NAMED_AROUND = 8.0, 6.0, 9.0
"""What it counts that a sentence, one before it, or its passage names what is asked about."""
_FADING, _FADING_PARAGRAPH = 0.85, 0.5
"""What remains of a name with each sentence, and with each paragraph."""
_NEAR = 20
"""Characters between a value and a word at which the word counts half for it."""
_STRAY = 0.4
"""What it costs that a label has a word that nobody asked for."""
_UNIT, _SORT, _LONG_NAME = 1.0, 1.5, 0.3
"""What it counts that a number has the unit asked for, "X is a Y" tells what sort X is, a name has several words."""
_ODD = 1.0
"""What it costs to be hardly a value of the kind."""
_SURE_KINDS = ("place",)
"""Kinds of which a value is an answer even where no word of its sentence says so."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a passage, read once for all questions."""

    places: tuple[tuple[str, int, int], ...]
    """The roots of its content words, with start and end."""
    words: frozenset[str]
    above: Mapping[str, float]
    """The roots of the sentences before it in its passage, and how near they stand: 1 in the one before, less above."""
    around: frozenset[str]
    """Those of its whole passage and of its document's title."""
    spans: tuple[Span, ...]


def _places(text: str) -> tuple[tuple[str, int, int], ...]:
    """Content words with their offsets."""
    found, end = [], 0
    lowered = text.lower()
    for word in words(text):
        start = lowered.index(word, end)
        end = start + len(word)
        if word not in STOP_WORDS:
            found.append((root(word), start, end))
    return tuple(found)


def _roots(text: str) -> frozenset[str]:
    return frozenset(root(word) for word in content_words(text))


@functools.lru_cache(maxsize=20_000)
def _sentences(passage: Passage) -> tuple[Sentence, ...]:
    around = _roots(passage.title) | _roots(passage.text)
    found: list[Sentence] = []
    above: dict[str, float] = {}
    last = 0
    for start, end in sentence_spans(passage.text):
        text = passage.text[start:end]
        fading = _FADING_PARAGRAPH if "\n\n" in passage.text[last:start] else _FADING
        above = {word: weight * fading for word, weight in above.items()}
        last = end
        places = _places(text)
        own = frozenset(word for word, _, _ in places)
        found.append(Sentence(places, own, above, around, tuple(find_spans(text))))
        above = above | dict.fromkeys(own, 1.0 / _FADING)
    return tuple(found)


def _named(names: frozenset[str], sentence: Sentence) -> float:
    """How much of the names a sentence and its surroundings have."""
    if not names:
        return 0.0
    total = _NAMED_AROUND * len(names & sentence.around)
    for name in names:
        total += _NAMED_HERE if name in sentence.words else _NAMED_ABOVE * sentence.above.get(name, 0.0)
    return total / len(names)


def _closeness(want: Want, sentence: Sentence, span: Span) -> float:
    """How near to a value the words stand that are asked for."""
    total = 0.0
    for group in want.groups:
        gaps = [
            max(span.start - end, start - span.end, 0)
            for word, start, end in sentence.places
            if word in group and not span.start <= start < span.end
        ]
        total += _NEAR / (_NEAR + min(gaps)) if gaps else 0.0
    return total


def _value(asked: Asked, want: Want, names: frozenset[str], sentence: Sentence) -> tuple[float, Span] | None:
    """The value of a sentence that is asked for, and how well it fits."""
    best: tuple[float, Span] | None = None
    named = {span.list for span in sentence.spans if span.list >= 0 and not _roots(span.text).isdisjoint(names)}
    for span in sentence.spans:
        kind = "phrase" if span.kind == "sort" else span.kind
        weight = want.kinds.get(kind, 0.0)
        if not weight or span.list in named or _repeats(asked, span, names):
            continue
        weight += _closeness(want, sentence, span)
        weight += _SORT if want.is_sort and span.kind == "sort" else 0.0
        weight += _UNIT if want.unit and span.unit == want.unit else 0.0
        weight += _LONG_NAME if span.kind == "name" and " " in span.text else 0.0
        weight -= _ODD if _is_odd(want, span) else 0.0
        if span.label is not None:
            known = frozenset[str]().union(*want.groups) | {"name"}
            weight -= _STRAY * len(_roots(span.label) - known - names)
        if best is None or weight > best[0] + 1e-9:
            best = (weight, span)
    return best


def _is_odd(want: Want, span: Span) -> bool:
    """Whether a value is hardly one: a number in words, or a phrase with figures or with the words asked for."""
    has_figures = any(letter.isdigit() for letter in span.text)
    if span.kind == "number":
        return not has_figures
    if span.kind not in ("phrase", "sort") or span.label is not None:
        return False
    return has_figures or any(word in group for word in _roots(span.text) for group in want.groups)


def _repeats(asked: Asked, span: Span, names: frozenset[str]) -> bool:
    """Whether a value only repeats the question, or names what is asked about."""
    if span.kind in ("name", "place", "phrase", "sort") and span.label is None:
        found = _roots(span.text)
        return not found or not found.isdisjoint(names) or all(word in asked.said for word in words(span.text))
    return span.kind == "name" and _roots(span.text) <= names


def _find(asked: Asked, want: Want, names: frozenset[str], passages: Sequence[Passage]) -> Span | None:
    """The best value in all passages; none where no sentence speaks of what is asked."""
    best: tuple[float, Span] | None = None
    for passage in passages:
        for sentence in _sentences(passage):
            fit = _WORD_WEIGHT * sum(not group.isdisjoint(sentence.words) for group in want.groups)
            about = _named(names, sentence)
            is_told = want.is_sort and not names.isdisjoint(sentence.words)
            if not fit and not is_told and not any(kind in want.kinds for kind in _SURE_KINDS):
                continue
            found = _value(asked, want, names, sentence)
            if found is None or (not fit and found[1].kind not in (*_SURE_KINDS, "sort")):
                continue
            score = fit + about + found[0]
            if best is None or score > best[0] + 1e-9:
                best = (score, found[1])
    return None if best is None else best[1]


def read_passages(question: str, passages: Sequence[Passage]) -> str:
    """The answer to a question from some passages, or that it is not known.

    A question of several steps ("the office of the manager of X") is read step by step while its steps are found.
    """
    asked = read_question(question)
    names = asked.names
    for step in asked.path:
        found = _find(asked, step, names, passages)
        if found is None:
            break
        names = _roots(found.text)
    answer = _find(asked, asked.target, names, passages)
    return UNKNOWN if answer is None else answer.text
