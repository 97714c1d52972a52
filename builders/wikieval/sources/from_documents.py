"""Passages of a user's own documents, with the sentences of other sections that have to do with each.

Of each passage, neighbours are in turn the sections beside it (under the same heading, and the other stretches of its
own section) and the best ones by BM25, whichever document they stand in. A sentence that nearly says what the passage
says is none: two versions of one text would otherwise answer each other's questions.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.evidence import plain
from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.systems.baselines.bm25 import index_words
from benchwright.benchmarks.text.words import content_words
from benchwright.builders.base import Progress
from benchwright.builders.documents.folder import read_documents
from benchwright.builders.documents.usable import tell_refused, usable_documents
from benchwright.builders.wikieval.material import Neighbour, Passage
from benchwright.builders.wikieval.sources.document_passages import BETWEEN_HEADINGS, Stretch, stretches

SISTERS, RELATED = 2, 4
"""Sections of each kind whose sentences are neighbours."""
NEIGHBOURS = 40
"""Sentences that a passage has as neighbours at most."""
TOGETHER = 4_000_000
"""Characters of documents among which neighbours are looked for, so that memory does not grow with the folder."""
ALIKE = 0.6
"""The share of the content words of the shorter of two sentences that they share when they say nearly the same."""
UNASKED = "passages with no sentence that tells by itself what could be asked for"
TWICE = "passages that stand word for word in another place"
_AT_END = re.compile(r"\s+[|–—·-]\s+[^|–—·]+$")
CLAUSE, PLACE, PART, FILE = "clause", "place", "part", "file"
"""Keys of a passage's metadata: the section's number or heading, where it begins, which stretch of it, the file."""


@dataclass
class ReadFolder:
    """What was read so far; a build that has enough passages leaves the other files alone."""

    source: Path
    documents: list[str] = field(default_factory=list)
    """Names of the documents that were read, in their seeded order."""
    refused: dict[str, str] = field(default_factory=dict)
    """File that could not be read → why."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Why text of the documents that were read is in no passage → how often."""


def document_passages(
    folder: ReadFolder,
    seed: int,
    progress: Progress = lambda what, done, total: None,
    together: int = TOGETHER,
    is_asked: Callable[[Passage], bool] = lambda passage: True,
) -> Iterator[Passage]:
    """The passages of a file or folder in a seeded order: the documents in turn, one passage of each.

    Args:
        folder: names what is read; what was read is noted in it.
        seed: decides the order.
        progress: told how many documents are done.
        together: characters of passages among which neighbours are looked for.
        is_asked: whether something can be asked about a passage, which has no neighbours yet; else it is counted.

    Raises:
        UsageError: there is no such file or folder, or no file in it.
        BenchwrightError: no file can be read, or none has a passage.
    """
    read = read_documents(folder.source, progress, lambda name: rank(seed, "wikieval documents", name))
    waiting: list[list[Stretch]] = []
    size, seen = 0, set[str]()
    found = False
    for document in usable_documents(read, folder.refused):
        folder.documents.append(document.name)
        new = list(_first_times(stretches(document, folder.left_out), seen, folder.left_out))
        if new:
            found = True
            waiting.append(new)
            size += sum(len(each.text) for each in new)
        if size >= together:
            yield from _passages(waiting, seed, is_asked, folder.left_out)
            waiting, size = [], 0
    tell_refused(folder.source, folder.refused, len(folder.documents))
    if not found:
        why = "; ".join(f"{reason}: {count:,}" for reason, count in sorted(folder.left_out.items()))
        raise BenchwrightError(
            f"no document of {folder.source} has a passage to ask about ({why or 'no text'}): "
            "give documents with paragraphs in full sentences"
        )
    yield from _passages(waiting, seed, is_asked, folder.left_out)


def _first_times(found: Iterable[Stretch], seen: set[str], left_out: Counter[str]) -> Iterator[Stretch]:
    """Those whose text did not come before: a pair that is asked twice would count twice."""
    for stretch in found:
        key = " ".join(content_words(stretch.text))
        if key in seen:
            left_out[TWICE] += 1
            continue
        seen.add(key)
        yield stretch


def _passages(
    documents: Sequence[Sequence[Stretch]], seed: int, is_asked: Callable[[Passage], bool], left_out: Counter[str]
) -> Iterator[Passage]:
    """The passages of some documents that something can be asked about, that of each document in turn."""
    ends = _shared_ends({document[0].title.partition(BETWEEN_HEADINGS)[0] for document in documents})
    pool = _Pool([_without_end(stretch, ends) for document in documents for stretch in document])
    for _, place in sorted(_turns(documents, seed)):
        stretch = pool.stretches[place]
        said = {FILE: stretch.document, CLAUSE: stretch.clause, PLACE: stretch.place, PART: stretch.part}
        passage = Passage(stretch.title, stretch.text, stretch.document, (), said)
        if is_asked(passage):
            yield replace(passage, neighbours=tuple(pool.neighbours(place)))
        else:
            left_out[UNASKED] += 1


def _shared_ends(titles: Iterable[str]) -> frozenset[str]:
    """What the titles of several documents end with after a bar or a dash: the name of their site or book."""
    counts = Counter(end for title in titles if (end := _end(title)))
    return frozenset(end for end, count in counts.items() if count > 1)


def _end(title: str) -> str:
    match = _AT_END.search(title)
    return match[0] if match else ""


def _without_end(stretch: Stretch, ends: Collection[str]) -> Stretch:
    first, *headings = stretch.title.split(BETWEEN_HEADINGS)
    end = _end(first)
    if end not in ends:
        return stretch
    site = plain(end.lstrip(" |–—·-"))
    named = [first.removesuffix(end), *(each for each in headings if plain(each) != site)]
    return replace(stretch, title=BETWEEN_HEADINGS.join(dict.fromkeys(named)))


def _turns(documents: Sequence[Sequence[Stretch]], seed: int) -> Iterator[tuple[tuple[int, int], int]]:
    """(turn, document) and place among all passages, for each of them."""
    first = 0
    for number, document in enumerate(documents):
        order = sorted(
            range(len(document)),
            key=lambda place: rank(seed, "wikieval passages", document[place].document, document[place].text),
        )
        for turn, place in enumerate(order):
            yield (turn, number), first + place
        first += len(document)


class _Pool:
    """Passages among which neighbours are looked for."""

    def __init__(self, found: Sequence[Stretch]) -> None:
        self.stretches = found
        self._words = [content_words(f"{each.title}\n{each.text}") for each in found]
        self._scores = index_words(self._words)
        known: dict[tuple[str, ...], int] = {}
        self._parent = np.array([known.setdefault((each.document, *each.parent), len(known)) for each in found])

    def neighbours(self, place: int) -> list[Neighbour]:
        """Sentences of the sections beside a passage and of those nearest to it, a sentence of each in turn."""
        scores = self._scores(list(dict.fromkeys(self._words[place])))
        order = [int(other) for other in np.argsort(-scores, kind="stable") if other != place]
        sisters = [other for other in order if self._parent[other] == self._parent[place]][:SISTERS]
        related = [other for other in order if scores[other] > 0 and other not in sisters][:RELATED]
        own = [_said(sentence) for sentence in self.stretches[place].sentences]
        turns = [(other, iter(self.stretches[other].sentences)) for other in (*sisters, *related)]
        found: dict[str, Neighbour] = {}
        while turns and len(found) < NEIGHBOURS:
            other, turn = turns.pop(0)
            for sentence in turn:
                if sentence not in found and not _is_alike(_said(sentence), own):
                    found[sentence] = self._neighbour(sentence, place, other)
                    turns.append((other, turn))
                    break
        return list(found.values())

    def _neighbour(self, sentence: str, place: int, other: int) -> Neighbour:
        stretch = self.stretches[other]
        origin = "same document" if stretch.document == self.stretches[place].document else "other document"
        return Neighbour((sentence,), origin, stretch.title, file=stretch.document)


def _said(sentence: str) -> frozenset[str]:
    return frozenset(content_words(sentence))


def _is_alike(said: frozenset[str], own: Iterable[frozenset[str]]) -> bool:
    """Whether a sentence shares most of its words with one of the passage's; one without any words says nothing."""
    return not said or any(len(said & each) >= ALIKE * min(len(said), len(each)) for each in own)
