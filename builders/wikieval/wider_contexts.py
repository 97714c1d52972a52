"""Contexts that are wider than a question in free words needs: other sentences among those of a passage."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.text.sentences import COUNTED
from benchwright.builders.wikieval.candidate_checks import leans_on_others, sentence_problem
from benchwright.builders.wikieval.material import How, MadeContext, Passage

_FEWEST, _MOST = 3, 6
"""Sentences that widen a context."""


def sentences_wanted(passage: Passage) -> int:
    """How many sentences widen a passage: as many as it has, from 3 to 6."""
    return min(_MOST, max(_FEWEST, len(COUNTED.spans(passage.text))))


def widen_by_neighbours(passage: Passage, question: str, answer: str, seed: int) -> MadeContext | None:
    """A passage with sentences of its neighbours that tell nothing of the answer; None where none of them fits.

    Args:
        passage: whose neighbours are looked at.
        question, answer: that the sentences are of no use for.
        seed: decides which are taken, and where they stand.
    """
    ranked = sorted(dict.fromkeys(passage.neighbours), key=lambda text: rank(seed, "wikieval", passage.source, text))
    fit: list[str] = []
    for text in (" ".join(each.split()) for each in ranked):
        if len(fit) < sentences_wanted(passage) and not sentence_problem(text, answer, question, passage):
            fit.append(text)
    return mix(passage, fit, seed, "rule", {}) if fit else None


def mix(passage: Passage, added: Sequence[str], seed: int, how: How, detail: Mapping[str, Any]) -> MadeContext:
    """The sentences of a passage in their order with others among them, its first one first: it says what all is about.
    None stands before one of the passage that begins with a pronoun.

    The detail gets `added`, the places of the others counted from 0, and `sentences`, how many there are together.
    """
    own = [passage.text[slice(*span)] for span in COUNTED.spans(passage.text)]
    after: list[list[str]] = [[] for _ in own]
    # Another sentence before "It was …" would change what that says.
    places = [at for at in range(len(own)) if at + 1 == len(own) or not leans_on_others(own[at + 1])]
    for sentence in added:
        place = min(places, key=lambda at: rank(seed, "wikieval", passage.source, sentence, at))
        after[place].append(sentence)
    marked = [
        one
        for sentence, more in zip(own, after, strict=True)
        for one in ((sentence, False), *((text, True) for text in more))
    ]
    texts = tuple(text for text, _ in marked)
    numbers = [number for number, (_, is_added) in enumerate(marked) if is_added]
    return MadeContext(texts, how, {**detail, "added": numbers, "sentences": len(texts)})
