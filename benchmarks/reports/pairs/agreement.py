"""Agreement of metrics with people on pairs: Table 1 of RAGAS (Es et al. 2024), with what it rests on.

Of the pairs of which people chose one candidate, the share of which the metric prefers the same one. A tie counts one
half, or is broken by a seeded coin as in the paper. What a metric has no score of is left out and listed by reason.

A metric that chooses between two candidates is asked in both orders. The paper's protocol takes one, ours both: where
they contradict each other, the judge prefers neither.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.metrics import Metric
from benchwright.benchmarks.releases.pairs import COLUMNS, LabelledPair, Source
from benchwright.benchmarks.reports.pairs.people import DimensionLabels, labels_of
from benchwright.benchmarks.reports.pairs.preferences import Protocol, preferences
from benchwright.benchmarks.reports.pairs.tested import ChanceTest, MetricTest, Said, against_chance, between_metrics
from benchwright.benchmarks.runs.pairs.candidates import PairsOfRelease, decided, fits, orders
from benchwright.benchmarks.runs.pairs.scoring import CandidateScore, Place, chosen
from benchwright.benchmarks.statistics.intervals import THIS_BENCHMARK, Floats, Ints, Sample, Target, codes_of
from benchwright.benchmarks.statistics.reliability import Proportion, proportion
from benchwright.benchmarks.statistics.shares import clustered_share
from benchwright.benchmarks.types import DIMENSIONS, Dimension

RAGAS = "ragas"
"""The row of the metrics that are called as a dimension."""


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """One metric in one dimension, against what people chose."""

    metric: str
    value: float | None
    """The share of pairs of which it prefers what people chose; None of no pair."""
    low: float | None
    """Of the interval of 95 % by question; None of fewer than two questions."""
    high: float | None
    pairs: int
    """That people chose from and that it has a preference or a tie of."""
    agreed: int
    ties: int
    """Scored alike, or chosen differently in the two orders."""
    against: tuple[str, ...]
    """The pairs of which it prefers the other one."""
    unscored: Mapping[str, int]
    """Why pairs that people chose from have no preference of it → how many."""
    judges: Mapping[str, int]
    """Who gave the scores → of how many candidates, or orders."""


@dataclass(frozen=True, slots=True)
class PositionBias:
    """How a judge's choices go with the place that a candidate is shown at."""

    metric: str
    dimension: Dimension
    first: Proportion
    """Choices of what was shown first, of all choices in either order; one half where the place does not matter."""
    inconsistent: Proportion
    """Pairs of which the two orders gave different candidates."""


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """A row of the table: one kind of metric, with the one of each dimension or the same in all."""

    name: str
    """`ragas`, `gpt_score`, `gpt_ranking`, or the metric's."""
    protocol: Protocol
    cells: Mapping[Dimension, PairAgreement]


@dataclass(frozen=True, slots=True)
class PairRatings:
    """What `score-metric` says of a release's pairs. As JSON it is `score-metric.json`."""

    benchmark: str
    version: str
    content_hash: str
    split: str
    target: Target
    """What intervals are of: this benchmark, whose questions are drawn."""
    coin: int | None
    """The seed of the coin that broke ties; None: a tie counts one half."""
    source: Source
    labels: Mapping[Dimension, DimensionLabels]
    rows: tuple[AgreementRow, ...]
    chance: tuple[ChanceTest, ...] = ()
    """Each metric's agreement held against one half."""
    tests: tuple[MetricTest, ...] = ()
    """Each two metrics of a dimension, on the pairs that both have a preference or a tie of."""
    position: tuple[PositionBias, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Why labels are not used → how many."""
    need_model: tuple[str, ...] = ()
    """Metrics of the paper's table that were not scored, for no model is named that judges them."""
    questions: Mapping[str, str] = field(default_factory=dict)
    """Of the pairs of which some metric prefers the other candidate."""


def rate_pairs(
    pairs: PairsOfRelease, metrics: Sequence[Metric], scores: Mapping[Place, CandidateScore], coin: int | None = None
) -> PairRatings:
    """Holds metrics against what people chose of a release's pairs.

    Args:
        pairs: the release's.
        metrics: that were scored.
        scores: of the candidates, by `score_candidates`.
        coin: the seed of a coin that breaks ties; None: a tie counts one half.
    """
    labelled = decided(pairs.found)
    dimensions: list[Dimension] = [
        dimension for dimension in DIMENSIONS if any(each.dimension == dimension for each in labelled)
    ]
    rows: dict[tuple[str, Protocol], dict[Dimension, PairAgreement]] = {}
    position: list[PositionBias] = []
    tested: list[Said] = []
    for metric in metrics:
        for dimension in dimensions:
            if not fits(metric, dimension):
                continue
            some = [each for each in labelled if each.dimension == dimension]
            clusters = codes_of([_cluster(pairs, each) for each in some])
            for protocol, said in preferences(metric, some, scores).items():
                right = _right(metric, some, said, coin)
                cell = _agreement(metric, some, said, right, clusters, _judges(metric, some, scores))
                rows.setdefault((_row_name(metric), protocol), {})[dimension] = cell
                tested.append(Said(dimension, _row_name(metric), protocol, right, clusters))
            if metric.compared is not None:
                position.append(_position(metric, dimension, some, scores, clusters))
    tested.sort(key=lambda each: DIMENSIONS.index(each.dimension))
    manifest = pairs.release.manifest
    against = {name for cells in rows.values() for cell in cells.values() for name in cell.against}
    return PairRatings(
        benchmark=manifest.name,
        version=manifest.version,
        content_hash=manifest.content_hash,
        split=pairs.found.split,
        target=THIS_BENCHMARK,
        coin=coin,
        source=pairs.found.source,
        labels={dimension: labels_of(pairs.found, dimension) for dimension in dimensions},
        rows=tuple(AgreementRow(name, protocol, cells) for (name, protocol), cells in rows.items()),
        chance=tuple(against_chance(tested)),
        tests=tuple(between_metrics(tested)),
        position=tuple(position),
        left_out=pairs.found.left_out,
        questions={pair.id: pair.question for pair in pairs.found.pairs if pair.id in against},
    )


def _row_name(metric: Metric) -> str:
    """Of metrics of one kind, one for each dimension, the kind; those that are called as a dimension are RAGAS's."""
    if metric.dimension is None:
        return metric.name
    return metric.name.removesuffix(metric.dimension).rstrip("_") or RAGAS


def _cluster(pairs: PairsOfRelease, each: LabelledPair) -> str:
    """What is drawn: the semantic group of the question, else its text."""
    question = pairs.questions[each.pair.id]
    return question.group or " ".join(question.question.casefold().split())


def _right(metric: Metric, labelled: Sequence[LabelledPair], said: Sequence[float | str], coin: int | None) -> Floats:
    """Of each pair 1 where the metric prefers what people chose, 0 the other, 0.5 of a tie, NaN where it is unscored.

    A coin makes a tie 1 or 0.
    """
    found = np.full(len(said), np.nan)
    for place, (each, prefers) in enumerate(zip(labelled, said, strict=True)):
        if isinstance(prefers, str):
            continue
        found[place] = prefers if each.choice == "first" else 1 - prefers
        if prefers == 0.5 and coin is not None:
            found[place] = rank(coin, "tie", metric.name, each.dimension, each.pair.id)[0] % 2
    return found


def _agreement(
    metric: Metric,
    labelled: Sequence[LabelledPair],
    said: Sequence[float | str],
    right: Floats,
    clusters: Ints,
    judges: Mapping[str, int],
) -> PairAgreement:
    kept = ~np.isnan(right)
    found = right[kept]
    ties = sum(prefers == 0.5 for prefers in said)
    against = [
        each.pair.id
        for each, prefers, value in zip(labelled, said, right.tolist(), strict=True)
        if prefers != 0.5 and value < 0.5
    ]
    interval = clustered_share(Sample(found, clusters[kept])) if len(found) else None
    return PairAgreement(
        metric=metric.name,
        value=float(found.mean()) if len(found) else None,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        pairs=len(found),
        agreed=len(found) - ties - len(against),
        ties=ties,
        against=tuple(against),
        unscored=dict(Counter(why for why in said if isinstance(why, str)).most_common()),
        judges=judges,
    )


def _judges(metric: Metric, labelled: Sequence[LabelledPair], scores: Mapping[Place, CandidateScore]) -> dict[str, int]:
    counts = Counter[str]()
    for each in labelled:
        for name in COLUMNS[each.dimension] if metric.compared is None else orders(each):
            if (found := scores.get((metric.name, each.pair.id, name))) is not None and found.score.is_scored:
                counts[found.judge] += 1
    return dict(counts)


def _position(
    metric: Metric,
    dimension: Dimension,
    labelled: Sequence[LabelledPair],
    scores: Mapping[Place, CandidateScore],
    clusters: Ints,
) -> PositionBias:
    """Of the pairs that were judged in both orders."""
    first: list[bool] = []
    of_choice: list[int] = []
    inconsistent: list[bool] = []
    of_pair: list[int] = []
    for each, cluster in zip(labelled, clusters.tolist(), strict=True):
        said = [chosen(scores, (metric.name, each.pair.id, order)).value for order in orders(each)]
        if said[0] is None or said[1] is None:
            continue
        first += [value > 0.5 for value in said if value is not None and value != 0.5]
        of_choice += [cluster for value in said if value is not None and value != 0.5]
        inconsistent.append(said[0] == said[1] != 0.5)  # the same place is another candidate
        of_pair.append(cluster)
    return PositionBias(
        metric.name,
        dimension,
        proportion(np.array(first, dtype=bool), np.array(of_choice, dtype=np.int64)),
        proportion(np.array(inconsistent, dtype=bool), np.array(of_pair, dtype=np.int64)),
    )
