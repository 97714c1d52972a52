"""The config `triplets` of a build, document by document."""

from collections.abc import Iterable, Sequence

from benchwright.benchmarks.grounding.evidence import plain
from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.releases.release import TEST
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.schemas import TRIPLETS
from benchwright.benchmarks.types import Document, Question
from benchwright.builders.base import Progress
from benchwright.builders.telequad.triplets.mine import TripletMiner
from benchwright.builders.telequad.triplets.passages import passage_of


class TripletWriter:
    """Mines a build's triplets and writes them: the split `test` first, so that no text of it is one of training."""

    def __init__(
        self, writer: ReleaseWriter, negatives: int, progress: Progress = lambda what, done, total: None
    ) -> None:
        """
        Args:
            writer: of the release.
            negatives: of each triplet; 0: none is written.
            progress: told how many of the groups that are looked at together are done.
        """
        self._writer, self._negatives = writer, negatives
        self._of_test: set[bytes] = set()
        self._miner = TripletMiner(
            negatives,
            is_barred=lambda text: self._split != TEST and _key(text) in self._of_test,
            progress=progress,
        )
        self._split = TEST

    def add(self, documents: Iterable[Document], questions: Sequence[Question], split: str) -> None:
        """Takes all passages of a document and the questions about it."""
        if not self._negatives:
            return
        if split != self._split:
            self._flush()
            self._split = split
        passages = [passage_of(each.id, each.title, each.body, each.metadata) for each in documents]
        if split == TEST:
            self._of_test.update(_key(passage.text) for passage in passages)
        self._writer.rows(TRIPLETS.name, self._miner.add(passages, questions), split)

    def finish(self) -> None:
        """Writes what waits, and the counts. To be called after the last document."""
        if self._negatives:
            self._flush()
            self._writer.checks |= self._miner.checks()

    def _flush(self) -> None:
        self._writer.rows(TRIPLETS.name, self._miner.finish(), self._split)


def _key(text: str) -> bytes:
    return rank(plain(text))
