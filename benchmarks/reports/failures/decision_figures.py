"""How many answers the decision table gives to each decision, with intervals."""

from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.predictions import CLOSED
from benchwright.benchmarks.reports.columns import Bools, Ints, RunData
from benchwright.benchmarks.reports.failures.chance import closed_chance
from benchwright.benchmarks.reports.failures.decisions import (
    Decisions,
    answer_decisions,
    decision_texts,
    question_decisions,
    why_observational,
    why_unseen,
)
from benchwright.benchmarks.reports.failures.totals import right_shares
from benchwright.benchmarks.reports.section import per_run
from benchwright.benchmarks.reports.share import DrawnShare, drawn_share
from benchwright.benchmarks.statistics.paired import compare_pair


@dataclass(frozen=True, slots=True)
class DecidedShare:
    """Answers, or questions, of one decision."""

    key: str
    name: str
    says: str
    share: DrawnShare
    abstained: int
    """Of them abstained."""
    advice: str


@dataclass(frozen=True, slots=True)
class Undetermined:
    """Why something is undetermined."""

    why: str
    learn: str
    """What would tell."""
    count: int


@dataclass(frozen=True, slots=True)
class DecisionFigures:
    """What the decision table says of a run; shares are of all that was judged and has a gold answer, and add up.

    A decision has none where nothing was seen that it depends on: from memory, where nothing was asked closed book.
    """

    total: int
    unjudged: int
    """Left out: without a verdict; of questions those that were asked too seldom, too."""
    decisions: tuple[DecidedShare, ...]
    """In the order of the table; also those that nothing is of."""
    undetermined: tuple[Undetermined, ...]


@dataclass(frozen=True, slots=True)
class ClosedBook:
    """What the model knows alone against what the benchmark's most frequent answers would get."""

    right: float
    """The share of right answers without any document, of all questions with a gold answer."""
    by_chance: float
    """What always giving the most frequent answer to each template gets."""
    above: float
    """The difference."""
    low: float | None
    """Of its 95 % interval by semantic group."""
    high: float | None
    questions: int
    from_memory: int
    """Questions that are right where more is right than by chance."""
    lucky: float
    """Of them those that are right by chance all the same, as far as can be reckoned."""
    pools: int
    """Parts that were tested: templates, and templates of much the same chance together."""
    pools_above: int


@per_run
def decided_answers(run: RunData) -> DecisionFigures | None:
    """Of single answers; None where nothing was decided by conditions."""
    return None if why_observational(run) else _figures(run, answer_decisions(run))


@per_run
def decided_questions(run: RunData) -> DecisionFigures | None:
    """Of whole questions; None where they were asked too seldom."""
    found = None if why_observational(run) else question_decisions(run)
    return None if found is None else _figures(run, found)


def _figures(run: RunData, found: Decisions) -> DecisionFigures:
    code, clusters = found.code, run.questions.clusters[found.question]
    shares = [
        DecidedShare(
            key=each.key,
            name=each.name,
            says=each.says,
            share=_share(found, each.key, code == place, clusters),
            abstained=int((found.abstained & (code == place)).sum()),
            advice=each.advice,
        )
        for place, each in enumerate(decision_texts())
    ]
    undetermined = tuple(Undetermined(row.why, row.learn, number) for row, number in found.undetermined)
    return DecisionFigures(len(code), found.unjudged, tuple(shares), undetermined)


def _share(found: Decisions, key: str, is_it: Bools, clusters: Ints) -> DrawnShare:
    """The share of a decision; without a value where what decides it was seen of no answer that may have it."""
    why = None if is_it.any() else why_unseen(found.states, key)
    if why is not None:
        return DrawnShare(None, 0, len(is_it), why)
    return drawn_share(is_it, clusters, "no answer was judged")


@per_run
def closed_book(run: RunData) -> ClosedBook | None:
    """What the model knows alone; None where it was not asked."""
    shares = right_shares(run, CLOSED)
    if np.isnan(shares).all():
        return None
    chance = closed_chance(run)
    places = np.flatnonzero(~np.isnan(shares) & ~np.isnan(chance.values))
    if not len(places):
        return None
    right, expected = shares[places], chance.values[places]
    compared = compare_pair(right, expected, run.questions.clusters[places])
    known = places[chance.is_above[places] & (right > 0)]
    return ClosedBook(
        right=float(right.mean()),
        by_chance=float(expected.mean()),
        above=float((right - expected).mean()),
        low=compared.low if compared else None,
        high=compared.high if compared else None,
        questions=len(places),
        from_memory=len(known),
        lucky=float(chance.lucky[known].sum()),
        pools=len(chance.pools),
        pools_above=sum(pool.is_above for pool in chance.pools),
    )
