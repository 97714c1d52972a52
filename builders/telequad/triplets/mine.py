"""Mines hard negatives: in turn the table's other rows, sister clauses and the best texts by BM25 (as the
baseline `bm25` computes it, for all wordings of a group together), of which none says the answer.

A split's documents are taken together as they come until they are so many characters; neighbours are looked for among
these alone, so that memory does not grow with the split.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from benchwright.benchmarks.grounding.evidence import plain
from benchwright.benchmarks.systems.baselines.bm25 import index_words
from benchwright.benchmarks.text.words import content_words
from benchwright.benchmarks.types import Question
from benchwright.builders.base import Progress
from benchwright.builders.telequad.triplets.contains import Said
from benchwright.builders.telequad.triplets.passages import SORTS, Passage, Sort, sort_of
from benchwright.builders.telequad.triplets.sought import Sought, sought_of

SAYS_IT = "they say the answer, or another fact that is needed"
ALIKE = "they are nearly the positive, or its own section"
NAMESAKE = "they are another document's, and name what is asked about"
BARRED = "they stand word for word in a document of the test"
TWICE = "the text is a negative already"
NO_POSITIVE = "no text states the answer word for word"
LONGEST = 20_000
"""Characters of a text of a triplet: retrievers read the beginning of longer ones only."""
LONG = f"a text of more than {LONGEST:,} characters"
TOO_FEW = "too few texts that do not say the answer"
NEGATIVES, LEFT_OUT, PASSED_OVER = "triplets_negatives", "triplets_left_out", "triplets_passed_over"
"""Checks of the manifest."""
TOGETHER = 4_000_000
"""Characters of documents among which negatives are looked for."""
_TOLD = 200
"""Groups between two words on how far it is."""
_NEARLY_ALL = 0.8
"""The share of runs of words that near-duplicates have in common."""

Row = dict[str, str]


class TripletMiner:
    """Makes the rows of a split's triplets, document by document."""

    def __init__(
        self,
        negatives: int,
        together: int = TOGETHER,
        is_barred: Callable[[str], bool] = lambda text: False,
        progress: Progress = lambda what, done, total: None,
    ) -> None:
        """
        Args:
            negatives: of each row.
            together: characters of documents among which they are looked for.
            is_barred: whether a text may be in no row.
            progress: told how many of the groups that are looked at together are done.
        """
        self.negatives = negatives
        self.rows = 0
        self.sorts: Counter[str] = Counter(dict.fromkeys(SORTS, 0))
        """Negatives of all rows by how they stand to the positive."""
        self.left_out: Counter[str] = Counter()
        """Why semantic groups have no triplets → how many."""
        self.passed_over: Counter[str] = Counter()
        """Why texts that came before were no negatives → how many."""
        self._together, self._is_barred, self._progress = together, is_barred, progress
        self._passages: list[Passage] = []
        self._questions: list[Question] = []
        self._size = 0

    def add(self, passages: Iterable[Passage], questions: Iterable[Question]) -> Iterator[Row]:
        """Takes all texts of a document and the questions about it. Returns rows that are ready."""
        added = list(passages)
        self._passages.extend(added)
        self._questions.extend(questions)
        self._size += sum(len(passage.text) for passage in added)
        if self._size >= self._together:
            yield from self.finish()

    def finish(self) -> Iterator[Row]:
        """The rows of the documents that wait. To be called after the last one."""
        passages, questions = self._passages, self._questions
        self._passages, self._questions, self._size = [], [], 0
        if not questions:
            return
        wanted = list(sought_of(questions, {passage.id: passage for passage in passages}))
        self.left_out.update(NO_POSITIVE for sought in wanted if sought is None)
        known = [sought for sought in wanted if sought is not None]
        pool, shared = _Pool(passages), _shared_words(known)
        for done, sought in enumerate(known):
            if done % _TOLD == 0:
                self._progress("triplets", done, len(known))
            found = self._problem(sought) or self._negatives(pool, sought, shared[sought.positive.file])
            if isinstance(found, str):
                self.left_out[found] += 1
                continue
            negatives = {f"negative_{number}": passage.text for number, passage in enumerate(found, 1)}
            for anchor in sought.anchors:
                self.rows += 1
                self.sorts.update(pool.sort(sought.positive, passage) for passage in found)
                yield {"anchor": anchor, "positive": sought.positive.text, **negatives}

    def checks(self) -> dict[str, Any]:
        """What the manifest tells of them."""
        return {
            NEGATIVES: {sort: self.sorts[sort] for sort in SORTS},
            LEFT_OUT: dict(sorted(self.left_out.items())),
            PASSED_OVER: dict(sorted(self.passed_over.items())),
        }

    def _problem(self, sought: Sought) -> str:
        """Why a group has no triplets; nothing where it may have."""
        if len(sought.positive.text) > LONGEST:
            return LONG
        return BARRED if self._is_barred(sought.positive.text) else ""

    def _negatives(self, pool: "_Pool", sought: Sought, shared: frozenset[str]) -> list[Passage] | str:
        """As many as are wanted, or why there are none."""
        found: list[Passage] = []
        seen = {plain(sought.positive.text)}
        asked = [word for word in content_words(" ".join(sought.anchors)) if word not in shared]
        turns = [iter(places) for places in pool.turns(sought.positive, asked)]
        while turns and len(found) < self.negatives:
            turn = turns.pop(0)
            for place in turn:
                passage = pool.passages[place]
                if passage.id in sought.stating:
                    continue
                problem = LONG if len(passage.text) > LONGEST else TWICE if plain(passage.text) in seen else ""
                problem = problem or pool.problem(place, sought)
                problem = problem or (BARRED if self._is_barred(passage.text) else "")
                if problem:
                    self.passed_over[problem] += 1
                    continue
                seen.add(plain(passage.text))
                found.append(passage)
                turns.append(turn)
                break
        return found if len(found) == self.negatives else TOO_FEW


class _Pool:
    """Texts among which negatives are looked for."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.passages = passages
        self._said = [Said(passage.text) for passage in passages]
        self._of_text: dict[str, list[Passage]] = {}
        for passage in passages:
            self._of_text.setdefault(passage.text, []).append(passage)
        self._places = {passage.id: place for place, passage in enumerate(passages)}
        self._scores = index_words([content_words(passage.text) for passage in passages])
        self._file = _numbers(passage.file for passage in passages)
        self._parent = _numbers((passage.file, passage.parent) for passage in passages)
        self._table = _numbers((passage.file, passage.table) for passage in passages)
        self._is_row = np.array([bool(passage.table) for passage in passages])

    def turns(self, positive: Passage, asked: Sequence[str]) -> list[list[int]]:
        """The places of other texts, those that score best for the words first: of rows of the table, of sister
        clauses, and of all others."""
        order = np.argsort(-self._scores(asked), kind="stable")
        own = self._places[positive.id]
        in_file = self._file == self._file[own]
        rows = in_file & self._is_row & (self._table == self._table[own]) & self._is_row[own]
        sisters = in_file & ~self._is_row & (self._parent == self._parent[own]) & ~rows
        others = ~rows & ~sisters
        for each in (rows, sisters, others):
            each[own] = False
        return [order[each[order]].tolist() for each in (rows, sisters, others)]

    def problem(self, place: int, sought: Sought) -> str:
        """Why a text is no negative; nothing where it may be one."""
        passage, positive = self.passages[place], sought.positive
        is_row_of_table = sort_of(positive, passage) == "same_table"
        if not is_row_of_table and (_is_own(positive, passage) or self._is_alike(place, self._places[positive.id])):
            return ALIKE
        if passage.file != positive.file and sought.entity is not None and sought.entity.is_in(self._said[place]):
            return NAMESAKE
        return SAYS_IT if any(each.is_in(self._said[place]) for each in sought.statements) else ""

    def sort(self, positive: Passage, passage: Passage) -> Sort:
        """How a negative stands to the positive: of texts that are the same, as the nearest does."""
        return min(
            (sort_of(positive, each) for each in self._of_text[passage.text]), key=lambda sort: SORTS.index(sort)
        )

    def _is_alike(self, first: int, second: int) -> bool:
        return is_near_duplicate(self._said[first], self._said[second])


def _shared_words(wanted: Iterable[Sought]) -> dict[str, frozenset[str]]:
    """The words that all questions about a document have, such as its name; of a document with one group none."""
    found: dict[str, list[frozenset[str]]] = {}
    for sought in wanted:
        found.setdefault(sought.positive.file, []).append(frozenset(content_words(" ".join(sought.anchors))))
    return {
        name: frozenset.intersection(*all_words) if all_words[1:] else frozenset() for name, all_words in found.items()
    }


def _is_own(positive: Passage, passage: Passage) -> bool:
    """Whether one of two texts is the section that the other is a row of."""
    is_same = positive.file == passage.file and positive.clause == passage.clause
    return is_same and bool(positive.clause) and not (positive.table and passage.table)


def is_near_duplicate(first: Said, second: Said) -> bool:
    """Whether two texts have nearly all runs of three words in common (Broder 1997, resemblance)."""
    runs = first.runs, second.runs
    shorter, longer = sorted(map(len, runs))
    if shorter < _NEARLY_ALL * longer:
        return False
    common = len(runs[0] & runs[1])
    return common >= _NEARLY_ALL * (shorter + longer - common)


def _numbers(names: Iterable[Any]) -> np.ndarray[Any, Any]:
    """Each name as a number, the same for the same."""
    known: dict[Any, int] = {}
    return np.array([known.setdefault(name, len(known)) for name in names], dtype=np.int64)
