"""What a card counts of a release's questions, from the rows themselves: nothing that a builder would have to tell."""

from collections import Counter
from dataclasses import dataclass, field

import pyarrow as pa

from benchwright.benchmarks.releases.release import HELDOUT, TEST, Release
from benchwright.benchmarks.schemas import DEFAULT_CONFIG
from benchwright.benchmarks.statistics.power import minimum_detectable_difference
from benchwright.cards.dataset.front_matter import in_order

_COLUMNS = ["group", "template", "form", "hops", "answerability"]
_OF_A_GROUP = ["group", "template", "hops", "answerability"]


@dataclass
class SplitCounts:
    """The questions of one split. A question without a group is one of its own."""

    split: str
    questions: int = 0
    groups: int = 0
    templates: set[str] = field(default_factory=set)
    forms: Counter[str] = field(default_factory=Counter)
    """Form → questions."""
    hops: Counter[int] = field(default_factory=Counter)
    """Hops → semantic groups."""
    answerability: Counter[str] = field(default_factory=Counter)
    """`answerable`, `gap`, `unanswerable`, or nothing where the release does not say → semantic groups."""


@dataclass(frozen=True)
class Counts:
    """The questions of a release."""

    splits: list[SplitCounts]

    def of(self, answerability: str) -> int:
        """Semantic groups of all splits that are answerable, a gap, unanswerable, or (empty) unknown."""
        return sum(split.answerability[answerability] for split in self.splits)

    @property
    def forms(self) -> dict[str, int]:
        """Form → questions of all splits, in the order of their first."""
        found: Counter[str] = Counter()
        for split in self.splits:
            found.update(split.forms)
        return {form: count for form, count in found.items() if form}

    @property
    def test(self) -> SplitCounts | None:
        """The split that is reported."""
        return next((split for split in self.splits if split.split == TEST), None)

    @property
    def detectable(self) -> float | None:
        """The minimum detectable difference of the headline, which is over the answerable groups of `test`."""
        groups = self.test.answerability["answerable"] if self.test else 0
        return minimum_detectable_difference(groups) if groups else None


def count_questions(release: Release) -> Counts:
    """Counts the questions, split by split. Reads a few short columns, once, as a stream."""
    splits = in_order(release.manifest.splits.get(DEFAULT_CONFIG, {}))
    return Counts([_count(release, split) for split in splits])


def _count(release: Release, split: str) -> SplitCounts:
    counts = SplitCounts(split)
    seen: set[str] = set()
    for batch in release.batches(DEFAULT_CONFIG, split, _COLUMNS):
        counts.questions += len(batch)
        for item in batch.column("form").value_counts().to_pylist():
            counts.forms[item["values"] or ""] += item["counts"]
        table = pa.Table.from_batches([batch.select(_OF_A_GROUP)])
        distinct = table.group_by(_OF_A_GROUP).aggregate([([], "count_all")])
        for group, template, hops, answerability, rows in zip(
            *(distinct.column(name).to_pylist() for name in (*_OF_A_GROUP, "count_all")), strict=True
        ):
            if group is not None and group in seen:
                continue
            new = rows if group is None else 1
            seen.update([group] if group is not None else [])
            counts.groups += new
            counts.answerability[answerability or ""] += new
            counts.templates.update([template] if template else [])
            if hops is not None and split != HELDOUT:
                counts.hops[hops] += new
    counts.hops = Counter(dict(sorted(counts.hops.items())))
    return counts
