"""Every metric of a run beside what people said of the same answers, in one table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.metrics.human_verdicts import HumanVerdicts, SaidOfAnswers
from benchwright.benchmarks.reports.metrics.scale import Asked, scale_of, threshold_of
from benchwright.benchmarks.statistics.association import Correlation, PairAccuracy, pair_accuracy, pearson, spearman
from benchwright.benchmarks.statistics.reliability import Verdicts, verdicts_of


@dataclass(frozen=True, slots=True)
class BesidePeople:
    """One metric and what people said by the same metric, or by the one that all are held against."""

    metric: str
    said: str
    """The metric that people judged by."""
    judges: Mapping[str, int]
    """Who → answers."""
    answers: int
    """Of which both are known."""
    verdicts: Verdicts | None
    """Both taken for verdicts."""
    pairs: PairAccuracy | None
    pearson: Correlation | None
    spearman: Correlation | None


def beside_people(run: RunData, asked: Asked, names: Sequence[str], human: HumanVerdicts) -> list[BesidePeople]:
    """The metrics against people's verdicts by the truth, and each against people's verdicts by itself.

    Of answers to the headline's questions in the condition shown; those of which people are divided at the threshold
    have no verdict.
    """
    return [
        found
        for metric, said in _wanted(asked, names, human)
        if (found := _beside(run, asked, metric, said, human.metrics[said])) is not None
    ]


def _wanted(asked: Asked, names: Sequence[str], human: HumanVerdicts) -> Iterator[tuple[str, str]]:
    for said in human.metrics:
        for name in names:
            if said in (name, asked.truth):
                yield name, said


def _beside(run: RunData, asked: Asked, metric: str, name: str, said: SaidOfAnswers) -> BesidePeople | None:
    column, scale, threshold = run.metrics.index(metric), scale_of(name), threshold_of(name, asked)
    counted = run.condition.where(run.shown) & run.questions.headline[run.question] & said.undivided(threshold)
    both = counted & run.is_scored[:, column]
    if not both.any():
        return None
    mine = scale_of(metric)
    scores, people, clusters = (
        mine.turned(run.values[both, column]),
        scale.turned(said.values[both]),
        run.clusters[both],
    )
    right = people > float(scale.turned(threshold))
    return BesidePeople(
        metric=metric,
        said=name,
        judges=said.judges,
        answers=int(both.sum()),
        verdicts=verdicts_of(scores, right, clusters, float(mine.turned(threshold_of(metric, asked)))),
        pairs=pair_accuracy(scores, right.astype(float), clusters),
        pearson=pearson(scores, people, clusters),
        spearman=spearman(scores, people, clusters),
    )
