"""What a ranking is made of: accepted submissions with their scores, and the questions that they were asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.layout import Place
from benchwright.benchmarks.leaderboards.system_file import SystemFile
from benchwright.benchmarks.leaderboards.verdict import Verdict
from benchwright.benchmarks.releases.release import HELDOUT, TEST, Release
from benchwright.benchmarks.reports.columns import Questions, read_questions
from benchwright.benchmarks.schemas import DEFAULT_CONFIG


@dataclass(frozen=True)
class Entry:
    """An accepted submission."""

    system: SystemFile
    verdict: Verdict
    scores: Mapping[str, Path]
    """Part → the file of scores that maintainers computed. Those of held-out questions lie outside of the leaderboard's
    repository: a right answer beside its question gives the gold away."""
    predictions: Path | None = None
    """`predictions.parquet`, for what its own page shows."""

    @property
    def place(self) -> Place:
        """Where the submission lies."""
        return Place(self.verdict.benchmark, self.verdict.version, self.verdict.system)


@dataclass(frozen=True)
class PartQuestions:
    """The questions of a part of a release, with what they have in common."""

    release: Release
    """The one that holds their gold: of held-out questions the private half, where it is here."""
    split: str
    questions: Questions
    has_gold: bool = True
    """False of held-out questions whose private half is not here: they cannot be scored yet."""


Parts = Mapping[str, PartQuestions]
"""Part → its questions."""


def part_questions(release: Release, split: str = TEST, subset: str | None = None) -> PartQuestions:
    """The questions of a split of a release, or of one subset of it.

    Raises:
        BenchwrightError: the release has no such split, none of its questions is of the subset, or it cannot be read.
    """
    ids: list[str] = []
    for batch in release.batches(DEFAULT_CONFIG, split, ["id", "subset"]):
        wanted = batch if subset is None else batch.filter(pc.equal(batch.column("subset"), pa.scalar(subset)))
        ids += wanted.column("id").to_pylist()
    if not ids:
        of = f" of the subset {subset!r}" if subset is not None else ""
        raise BenchwrightError(f"{release.folder} has no question of the split {split!r}{of}: nothing can be ranked")
    return PartQuestions(release, split, read_questions(release, ids))


def parts_of(release: Release, private: Release | None = None) -> dict[str, PartQuestions]:
    """The parts of a release that are ranked apart: its open questions, and those that are held out.

    Raises:
        BenchwrightError: one of the two cannot be read.
    """
    splits = release.manifest.splits.get(DEFAULT_CONFIG, {})
    found = {TEST: part_questions(release)} if TEST in splits else {}
    if HELDOUT in splits:
        if private is not None:
            found[HELDOUT] = part_questions(private)
        else:
            there = part_questions(release, HELDOUT)
            found[HELDOUT] = PartQuestions(release, HELDOUT, there.questions, has_gold=False)
    return found
