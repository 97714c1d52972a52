"""The built-in extractive reader: the sentence that fits a question best, and the value in it that is asked for.

It knows general English and no benchmark, is deterministic, reads no more than it is given, and is no language model:
it says what it found, without a sentence around it. It is there to try things out, not to be compared with.
"""

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.systems.reader.combining import combined
from benchwright.benchmarks.systems.reader.confirming import confirmed
from benchwright.benchmarks.systems.reader.passages import ReadPassage, Sentence, Value, read_passage
from benchwright.benchmarks.systems.reader.question import ParsedQuestion, Wanted, parse_question
from benchwright.benchmarks.systems.reader.stated import stated
from benchwright.benchmarks.systems.reader.two_questions import split_question
from benchwright.benchmarks.systems.reader.vocabulary import roots
from benchwright.benchmarks.systems.reader.weighing import CLOSE, OWN, SAID_ABOVE, SAYS, is_former, says
from benchwright.benchmarks.text.words import STOP_WORDS, root

UNKNOWN = "I don't know."
_NAMED = 10.0
"""What it counts that a sentence names all that is asked about; what stands above it names it less."""
_ABOVE = 0.7
_SPOKEN_OF = 0.4
"""The share of the names that a sentence and what is above it must have."""
_LABEL, _STRAY = 1.0, 0.4
"""What it counts that a label says nothing but what is asked, and costs with each word that nobody asked for."""
_OLD = 3.0
"""What it costs that a sentence calls a value former."""
_MOST_SUITED = 2.0
"""What a value itself counts at most: a place after a label that says nothing else."""
_EQUAL = 1e-9
"""What two values may differ by and count the same: the first is taken."""


def _weights(names: frozenset[str], passages: Sequence[ReadPassage]) -> dict[str, float]:
    """How much each word of the names tells: less, the more sentences have it. Together 1."""
    weights = {
        name: max(1, sum(len(passage.said.get(name, ())) for passage in passages)) ** -0.5 for name in sorted(names)
    }
    total = sum(weights.values())
    return {name: weight / total for name, weight in weights.items()}


def _nearness(names: Iterable[str], sentence: Sentence) -> list[float]:
    """How near each word of the names stands, from 0 to 1: in a sentence, or above it."""
    return [1.0 if name in sentence.words else _ABOVE * sentence.above(name) for name in names]


def _weighed(weights: Mapping[str, float], near: Sequence[float]) -> float:
    """How much of the names is there, from 0 to 1."""
    return sum(weight * each for weight, each in zip(weights.values(), near, strict=True))


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
    return total - (_OLD if is_former(sentence, value) else 0.0)


def _find(
    asked: ParsedQuestion, wanted: Wanted, names: frozenset[str], passages: Sequence[ReadPassage], in_full: bool = False
) -> Value | None:
    """The best value in all passages, of equal ones the first; none where no sentence speaks of what is asked.

    Args:
        asked: the question.
        wanted: what is looked for.
        names: what it is looked for of.
        passages: where.
        in_full: a label must say all of it.
    """
    weights = _weights(names, passages)
    best: tuple[float, int, Value] | None = None
    for most, number, named, sentence in _promising(wanted, weights, passages, in_full):
        if best and most < best[0] - _EQUAL:
            break
        for value in sentence.values:
            if value.kind not in wanted.kinds or value.roots <= (names if value.is_labelled else names | asked.said):
                continue
            said = says(wanted, sentence, value)
            if said < SAYS and value.kind != "place":
                continue
            score = named + said + _suits(wanted, sentence, value, names)
            if best is None or score > best[0] + (_EQUAL if number >= best[1] else -_EQUAL):
                best = (score, number, value)
    return None if best is None else best[2]


def _promising(
    wanted: Wanted, weights: Mapping[str, float], passages: Sequence[ReadPassage], in_full: bool
) -> list[tuple[float, int, float, Sentence]]:
    """The sentences that speak of what is asked, those that can have the best value first.

    Returns:
        what a value in it counts at most; its number among all sentences; what it counts for the names; itself.
    """
    found: list[tuple[float, int, float, Sentence]] = []
    is_anywhere = [not group.isdisjoint(_function_roots()) for group in wanted.groups]
    sentences = (sentence for passage in passages for sentence in passage.sentences)
    for number, sentence in enumerate(sentences):
        near = _nearness(weights, sentence)
        if sum(map(bool, near)) < _SPOKEN_OF * len(weights) or (in_full and not _labels(sentence, wanted)):
            continue
        here = [
            anywhere or not group.isdisjoint(sentence.words)
            for group, anywhere in zip(wanted.groups, is_anywhere, strict=True)
        ]
        most = sum(SAYS + CLOSE + OWN if is_here else SAID_ABOVE for is_here in here)
        if most < SAYS and "place" not in wanted.kinds:
            continue
        named = _NAMED * _weighed(weights, near)
        found.append((named + most + _MOST_SUITED, number, named, sentence))
    return sorted(found, key=lambda each: (-each[0], each[1]))


@functools.cache
def _function_roots() -> frozenset[str]:
    """The roots of function words, which a sentence's own words leave out."""
    return frozenset(map(root, STOP_WORDS))


def _labels(sentence: Sentence, wanted: Wanted) -> bool:
    """Whether a label says all that is asked: "author country: Wales"."""
    if any(group.isdisjoint(sentence.words) for group in wanted.groups):
        return False
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
    A line that says what is asked as a whole comes first (`stated`), then whether something is so (`confirming`), and
    what several values say together (`combining`). Two questions in one are read one after the other.
    """
    if both := split_question(question):
        told = [found for each in both if (found := read_passages(each, passages)) != UNKNOWN]
        return "; ".join(told) or UNKNOWN
    if whole := stated(question, passages) or confirmed(question, passages) or combined(question, passages):
        return whole
    asked = _titled(parse_question(question), passages)
    read = [read_passage(passage) for passage in passages]
    names = asked.names
    *way, target = asked.steps
    if way:
        every = replace(target, groups=tuple(group for step in asked.steps for group in step.groups))
        if at_once := _find(asked, every, names, read, in_full=True):
            return at_once.text
    for step in way:
        found = _find(asked, step, names, read)
        if found is None:
            answer = _find(asked, target, names, read)
            return answer.text if answer and answer.is_labelled else UNKNOWN
        names = found.roots
    answer = _find(asked, target, names, read)
    return answer.text if answer else UNKNOWN


def fit_of(question: str, passages: Sequence[Passage]) -> list[float]:
    """How well each passage fits a question: by its sentence that names and says most of what is asked."""
    asked = _titled(parse_question(question), passages)
    read = [read_passage(passage) for passage in passages]
    weights = _weights(asked.names, read)

    def fit(sentence: Sentence) -> float:
        said = (
            says(step, sentence, value) for step in asked.steps for value in sentence.values if value.kind in step.kinds
        )
        return _NAMED * _weighed(weights, _nearness(weights, sentence)) + max(said, default=0.0)

    return [max(map(fit, passage.sentences), default=0.0) for passage in read]
