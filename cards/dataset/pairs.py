"""What a card says of a release's pairs, from their rows: how many there are, what can be told with them, an example.

And of its labels: how many people chose, what they chose, and how far they agree.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from benchwright.benchmarks.releases.pairs import (
    COLUMNS,
    WITHOUT_PREFERENCE,
    LabelledPairs,
    Pair,
    label_pairs,
    pairs_in,
)
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.pairs.people import DimensionLabels, labels_of
from benchwright.benchmarks.schemas import LABELS, PAIRS
from benchwright.benchmarks.statistics.power import least_share_found
from benchwright.benchmarks.types import DIMENSIONS


@dataclass(frozen=True, slots=True)
class DimensionOfPairs:
    """The pairs of one dimension."""

    name: str
    first: str
    """Column of the candidate that was made to be the better one, where one was."""
    second: str
    pairs: int
    """That metrics are held against: with labels those of which people chose one candidate, else all with both."""
    labels: DimensionLabels | None
    """What people chose; None where there are no labels."""

    @property
    def least(self) -> float | None:
        """The least agreement that is told from chance four times in five; None of too few pairs."""
        return least_share_found(self.pairs)


@dataclass(frozen=True, slots=True)
class Example:
    """A pair to show."""

    pair: Pair
    added: tuple[str, ...]
    """The parts of its second context that its first one has not."""


@dataclass(frozen=True, slots=True)
class PairsOfCard:
    """The pairs of a release."""

    split: str
    has_provenance: bool
    has_preference: bool
    """Whether the first candidates were made to be the better ones."""
    dimensions: Sequence[DimensionOfPairs]
    example: Example | None
    annotators: int
    """People who labelled; 0 where there are no labels."""

    @property
    def are_labelled(self) -> bool:
        return any(each.labels is not None for each in self.dimensions)


def pairs_of(release: Release) -> PairsOfCard | None:
    """Counts the pairs of a release; None where it has none.

    Raises:
        BenchwrightError: two pairs have one id.
    """
    if not release.manifest.splits.get(PAIRS.name):
        return None
    split, pairs = pairs_in(release)
    found = _labelled(release, split, pairs)
    dimensions = []
    for dimension in DIMENSIONS:
        first, second = COLUMNS[dimension]
        both = sum(not pair.lacks(first) and not pair.lacks(second) for pair in pairs)
        labels = None if found is None else labels_of(found, dimension)
        count = both if labels is None else labels.first + labels.second
        dimensions.append(DimensionOfPairs(dimension.replace("_", " "), first, second, count, labels))
    return PairsOfCard(
        split=split,
        has_provenance="provenance" in release.schema(PAIRS.name).names,
        has_preference=not release.manifest.checks.get(WITHOUT_PREFERENCE),
        dimensions=dimensions,
        example=_example(pairs),
        annotators=len({name for each in dimensions if each.labels is not None for name in each.labels.annotators}),
    )


def _labelled(release: Release, split: str, pairs: Sequence[Pair]) -> LabelledPairs | None:
    """What people chose of some pairs; None where there are no labels."""
    splits = release.manifest.splits.get(LABELS.name, {})
    if not splits:
        return None
    rows = (row for each in splits for batch in release.batches(LABELS.name, each) for row in batch.to_pylist())
    labelled, left_out = label_pairs(pairs, rows)
    return LabelledPairs(split, pairs, labelled, "labels", dict(left_out))


def _example(pairs: Sequence[Pair]) -> Example | None:
    """The first of those that lack the fewest candidates."""
    if not pairs:
        return None
    columns = dict.fromkeys(column for both in COLUMNS.values() for column in both)
    pair = min(pairs, key=lambda each: sum(map(each.lacks, columns)))
    text = " ".join(pair.context_v1)
    return Example(pair, tuple(part for part in pair.context_v2 if part.strip() not in text))
