"""The built-in extractive reader: the sentence that fits a question best, and the value in it that is asked for.

It knows general English and no benchmark, is deterministic, reads no more than it is given, and is no language model:
it says what it found, without a sentence around it. It is there to try things out, not to be compared with.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.systems.reader.passages import Sentence, Value, read_passage
from benchwright.benchmarks.systems.reader.question import ParsedQuestion, Wanted, parse_question
from benchwright.benchmarks.systems.reader.vocabulary import roots

UNKNOWN = "I don't know."
_NAMED = 10.0
"""What it counts that a sentence names all that is asked about; what stands above it names it less."""
_ABOVE = 0.7
_SPOKEN_OF = 0.4
"""The share of the names that a sentence and what is above it must have."""
_SAYS, _CLOSE = 2.0, 2.0
"""What it counts that a sentence has a word that is asked for, and besides that the word is next to the value."""
_NEAR = 20
"""Characters between a word and a value at which it counts half."""
_OWN = 0.5
"""What it counts besides that it is the very word."""
_SAID_ABOVE = 0.5
"""What it counts that only the title or a sentence before has the word."""
_LABEL, _STRAY = 1.0, 0.4
"""What it counts that a label says nothing but what is asked, and costs with each word that nobody asked for."""
_FORMER = re.compile(
    r"\b(?:former|formerly|previous|previously|earlier|no longer|used to|instead of|not)\b[^.;,]*$", re.IGNORECASE
)
_OLD = 3.0
"""What it costs that a sentence calls a value former."""


def _weights(names: frozenset[str], passages: Sequence[Passage]) -> dict[str, float]:
    """How much each word of the names tells: less, the more sentences have it. Together 1."""
    sentences = [sentence.words for passage in passages for sentence in read_passage(passage)]
    weights = {name: max(1, sum(name in words for words in sentences)) ** -0.5 for name in sorted(names)}
    total = sum(weights.values())
    return {name: weight / total for name, weight in weights.items()}


def _named(weights: Mapping[str, float], sentence: Sentence) -> float:
    """How much of the names a sentence has, or what stands above it, from 0 to 1."""
    return sum(
        weight * (1.0 if name in sentence.words else _ABOVE * sentence.above.get(name, 0.0))
        for name, weight in weights.items()
    )


def _says(wanted: Wanted, sentence: Sentence, value: Value) -> float:
    """How much of what is asked the words around a value say."""
    total = 0.0
    for group in wanted.groups:
        distances = [
            max(value.start - end, start - value.end, 0)
            for word, start, end in sentence.places
            if word in group and not value.start <= start < value.end
        ]
        if (sentence.label and not group.isdisjoint(sentence.label)) or (
            value.kind != "phrase" and not group.isdisjoint(value.roots)
        ):
            total += _SAYS + _CLOSE
        elif distances:
            total += _SAYS + _CLOSE * _NEAR / (_NEAR + min(distances))
            total += 0.0 if wanted.own.isdisjoint(group & sentence.words) else _OWN
        elif any(word in sentence.above for word in group):
            total += _SAID_ABOVE
    return total


def _suits(wanted: Wanted, sentence: Sentence, value: Value, names: frozenset[str]) -> float:
    """How well a value itself is of the sort that is asked for."""
    total = 0.5 if value.kind == "name" and " " in value.text else 0.0
    total += 1.0 if value.kind == "place" else 0.0
    total -= 0.5 if value.kind == "year" and "number" in wanted.kinds else 0.0
    if value.kind == "phrase" and sentence.label is None:
        is_odd = any(letter.isdigit() for letter in value.text) or (value.text[0].isupper() and " " not in value.text)
        total -= 1.5 if is_odd else 0.5
    if sentence.label is not None:
        stray = len(sentence.label.difference(names, *wanted.groups))
        total += _LABEL if not stray else -_STRAY * stray
    return total - (_OLD if _FORMER.search(sentence.text, max(0, value.start - 60), value.start) else 0.0)


def _find(
    asked: ParsedQuestion, wanted: Wanted, names: frozenset[str], passages: Sequence[Passage], in_full: bool = False
) -> Value | None:
    """The best value in all passages; none where no sentence speaks of what is asked. `in_full`: by a label alone."""
    best: tuple[float, Value] | None = None
    weights = _weights(names, passages)
    for passage in passages:
        for sentence in read_passage(passage):
            known = sum(name in sentence.words or name in sentence.above for name in names)
            if known < _SPOKEN_OF * len(names) or (in_full and not _labels(sentence, wanted)):
                continue
            near = _named(weights, sentence)
            for value in sentence.values:
                if value.kind not in wanted.kinds or value.roots <= (
                    names if value.is_labelled else names | asked.said
                ):
                    continue
                says = _says(wanted, sentence, value)
                score = _NAMED * near + says + _suits(wanted, sentence, value, names)
                if (says >= _SAYS or value.kind == "place") and (best is None or score > best[0] + 1e-9):
                    best = (score, value)
    return None if best is None else best[1]


def _labels(sentence: Sentence, wanted: Wanted) -> bool:
    """Whether a label says all that is asked: "author country: Wales"."""
    label = sentence.label
    return label is not None and not any(group.isdisjoint(label) for group in wanted.groups)


def _titled(asked: ParsedQuestion, passages: Sequence[Passage]) -> ParsedQuestion:
    """A question; one that names nothing in capitals, with a passage's title as its name where all of it is in it."""
    titles = [title for passage in passages if (title := roots(passage.title)) and title <= asked.said]
    if asked.names or not titles:
        return asked
    names = max(titles, key=len)
    target = asked.steps[-1]
    groups = tuple(group for group in target.groups if group.isdisjoint(names))
    return replace(asked, names=names, steps=(*asked.steps[:-1], replace(target, groups=groups)))


def read_passages(question: str, passages: Sequence[Passage]) -> str:
    """The answer to a question from some passages, or that it is not known.

    A question of several steps ("the office of the manager of X") is read step by step, unless a label says them all.
    Where a step is not found only what a label names may answer: in a record of X "office: Y" need not say whose.
    """
    asked = _titled(parse_question(question), passages)
    names = asked.names
    *way, target = asked.steps
    if way:
        whole = replace(target, groups=tuple(group for step in asked.steps for group in step.groups))
        if at_once := _find(asked, whole, names, passages, in_full=True):
            return at_once.text
    for step in way:
        found = _find(asked, step, names, passages)
        if found is None:
            answer = _find(asked, target, names, passages)
            return answer.text if answer and answer.is_labelled else UNKNOWN
        names = found.roots
    answer = _find(asked, target, names, passages)
    return answer.text if answer else UNKNOWN


def fit_of(question: str, passages: Sequence[Passage]) -> list[float]:
    """How well each passage fits a question: by its sentence that names and says most of what is asked."""
    asked = _titled(parse_question(question), passages)
    weights = _weights(asked.names, passages)

    def fit(sentence: Sentence) -> float:
        said = (
            _says(step, sentence, value)
            for step in asked.steps
            for value in sentence.values
            if value.kind in step.kinds
        )
        return _NAMED * _named(weights, sentence) + max(said, default=0.0)

    return [max(map(fit, read_passage(passage)), default=0.0) for passage in passages]
