"""Who judged which question: whether several judges who share the questions of a run share them alike in another."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchwright.benchmarks.reports.columns import Ints


@dataclass(frozen=True)
class JudgedApart:
    """A question that two runs have a score of, by judges that are not the same."""

    runs: tuple[int, int]
    """Places."""
    question: int
    """Its place."""
    judges: tuple[tuple[str, ...], tuple[str, ...]]
    """Who judged it in the one and in the other."""


class JudgesByQuestion:
    """Who judged each question first, against which the runs that follow are held: 12 bytes a question in all."""

    def __init__(self, questions: int) -> None:
        self.first: npt.NDArray[np.uint64] = np.zeros(questions, dtype=np.uint64)
        """A fingerprint of those who judged it, 0 where nobody has."""
        self.run: npt.NDArray[np.int32] = np.zeros(questions, dtype=np.int32)
        self.known: dict[int, tuple[str, ...]] = {}
        """By fingerprint, who that is."""
        self.apart: JudgedApart | None = None
        """The first that was found."""

    def add(self, run: int, questions: Ints, judges: Ints, names: Sequence[str]) -> None:
        """Takes in the judgments of a run, of each the place of its question and of its judge among the names."""
        pairs = np.unique(questions * len(names) + judges)
        marks = np.array([_fingerprint(name) for name in names], dtype=np.uint64)
        found = np.zeros_like(self.first)
        np.add.at(found, pairs // len(names), marks[pairs % len(names)])
        kinds, examples = np.unique(np.where(found == self.first, 0, found), return_index=True)
        for mark, question in zip(kinds.tolist(), examples.tolist(), strict=True):
            start, end = np.searchsorted(pairs, (question * len(names), (question + 1) * len(names)))
            self.known[mark] = tuple(names[int(pair)] for pair in pairs[start:end] % len(names))
        differing = np.flatnonzero((self.first != 0) & (found != 0) & (self.first != found))
        if self.apart is None and len(differing):
            at = int(differing[0])
            judged = self.known[int(self.first[at])], self.known[int(found[at])]
            self.apart = JudgedApart((int(self.run[at]), run), at, judged)
        is_new = (self.first == 0) & (found != 0)
        self.first[is_new], self.run[is_new] = found[is_new], run


def _fingerprint(name: str) -> int:
    """64 bits, of which the sums of different judges are different."""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "big")
