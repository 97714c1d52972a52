"""The built-in extractive reader: the sentence that fits a question best, and the value in it that is asked for.

Rules of general English alone; it knows nothing of how any benchmark's documents were written. It is deterministic,
reads no more than it is given, and is no language model: it says what it found, without a sentence around it.
"""

from collections.abc import Sequence
from dataclasses import replace

from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.systems.reader.parsed_question import Asked, Want, read_question
from benchwright.benchmarks.systems.reader.passages import Value, read_passage, roots
from benchwright.benchmarks.systems.reader.scoring import best_of, named, rarity

UNKNOWN = "I don't know."

_SPOKEN_OF = 0.4
"""The share of the names that a passage must have for what it says to be about them."""
_VOID = 4.0
"""What it costs that the passage says that it no longer holds."""


def _find(asked: Asked, want: Want, names: frozenset[str], passages: Sequence[Passage]) -> Value | None:
    """The best value in all passages; none where no sentence speaks of what is asked."""
    best: tuple[float, Value] | None = None
    weights = rarity(names, passages)
    for passage in passages:
        sentences = read_passage(passage)
        if not sentences or len(names & sentences[0].around) < _SPOKEN_OF * len(names):
            continue
        for sentence in sentences:
            found = best_of(asked, want, names, sentence)
            if found is None:
                continue
            score = found[0] + named(weights, sentence)
            if sentence.void and any(not group.isdisjoint(sentence.void) for group, _ in want.groups):
                score -= _VOID
            if best is None or score > best[0] + 1e-9:
                best = (score, found[1])
    return None if best is None else best[1]


def _whole(asked: Asked, step: Want, passages: Sequence[Passage]) -> frozenset[str]:
    """Of what the thing asked about is named to be a part: "North Quay" of "North Quay Drainage"; or nothing."""
    if step.named is not None:
        return frozenset()
    known = {
        value.span.text
        for passage in passages
        for sentence in read_passage(passage)
        for value in sentence.values
        if value.span.kind == "name" and " " in value.span.text
    }
    parts = [text for title in asked.titles for text in known if title.startswith(f"{text} ")]
    return roots(max(parts, key=lambda text: (len(text), text), default=""))


def _says(want: Want, said: frozenset[str]) -> bool:
    return any(weight == 1.0 and not group.isdisjoint(said) for group, weight in want.groups)


def _labelled(asked: Asked, passages: Sequence[Passage]) -> Value | None:
    """The value of a label that says the whole way to what is asked: "author country: Wales"."""
    steps = (*asked.path, asked.target)
    for passage in passages:
        for sentence in read_passage(passage):
            label = next((value.span.label for value in sentence.values if value.span.label), None)
            if label is None or not all(_says(step, roots(label)) for step in steps):
                continue
            found = best_of(asked, asked.target, asked.names, sentence)
            if found and asked.names <= sentence.around:
                return found[1]
    return None


def _titled(asked: Asked, passages: Sequence[Passage]) -> Asked:
    """A question; one that names nothing in capitals with a passage's title as its name, if all of that is in it."""
    if asked.names:
        return asked
    titles = [title for title in (roots(passage.title) for passage in passages) if title and title <= asked.said]
    if not titles:
        return asked
    names = max(titles, key=len)
    groups = tuple(each for each in asked.target.groups if each[0].isdisjoint(names))
    return replace(asked, names=names, target=replace(asked.target, groups=groups, own=asked.target.own - names))


def _follow(asked: Asked, passages: Sequence[Passage]) -> tuple[frozenset[str], bool]:
    """What the target is asked of, step by step from the question's names, and whether every step was found."""
    names = asked.names
    for number, step in enumerate(asked.path):
        whole = _whole(asked, step, passages) if number == 0 else None
        found = None if whole else _find(asked, step, names, passages)
        if whole:
            names = whole
        elif found:
            names = found.roots
        else:
            return names, False
    return names, True


def _said(value: Value | None) -> str:
    """A value as an answer: of a number of people only the number, because what they are called differs."""
    if value is None:
        return UNKNOWN
    return value.span.text.split()[0] if value.measure == "people" else value.span.text


def read_passages(question: str, passages: Sequence[Passage]) -> str:
    """The answer to a question from some passages, or that it is not known.

    A question of several steps ("the office of the manager of X") is read step by step. Where a step is not found only
    what a label names may answer: in a record of X "office: Y" need not say whose.
    """
    asked = _titled(read_question(question), passages)
    direct = _labelled(asked, passages) if asked.path else None
    if direct is not None:
        return _said(direct)
    names, is_whole_way = _follow(asked, passages)
    answer = _find(asked, asked.target, names, passages)
    return _said(answer if answer and (is_whole_way or answer.span.label) else None)
