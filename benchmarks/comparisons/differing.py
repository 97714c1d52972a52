"""The groups on which systems differ most, side by side: question, gold, what each answered and from which contexts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.comparisons.compared import Compared, Floats32
from benchwright.benchmarks.comparisons.figures import MetricComparison
from benchwright.benchmarks.comparisons.said import read_said
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.reports.answers.shown_texts import (
    QuestionTexts,
    ShownEvidence,
    ShownPrediction,
    Surroundings,
    cut_prediction,
    evidence_texts,
    question_texts,
    shown_evidence,
)
from benchwright.benchmarks.reports.columns import Floats, Ints
from benchwright.benchmarks.runs.run import PREDICTIONS

SYSTEMS_SHOWN = 4
GROUPS_SHOWN = 12
QUESTIONS_SHOWN = 2
NOT_SAID = ShownPrediction(None, "no prediction")


@dataclass(frozen=True, slots=True)
class SaidOf:
    """What one system said to one question."""

    run: str
    value: float
    """By the leading metric."""
    said: ShownPrediction


@dataclass(frozen=True, slots=True)
class DifferingQuestion:
    """A question of a group with what each system said."""

    id: str
    question: str
    form: str | None
    answers: tuple[SaidOf, ...]


@dataclass(frozen=True, slots=True)
class DifferingGroup:
    """A group that systems do differently on."""

    group: str
    means: tuple[float, ...]
    """Of the systems shown."""
    questions_total: int
    """That all systems have a score of."""
    template: str | None
    kind: str | None
    hops: str | None
    gold: tuple[str, ...]
    evidence: tuple[ShownEvidence, ...]
    questions: tuple[DifferingQuestion, ...]


@dataclass(frozen=True, slots=True)
class Differing:
    """Groups that the systems shown do differently on."""

    metric: str
    runs: tuple[str, ...]
    """The systems shown."""
    left_out: int
    """Systems that are not shown."""
    groups: int
    """That all systems have scores of."""
    differ: int
    """In which the systems shown have different means."""
    better: tuple[int, ...]
    """Of each system shown, groups in which its mean is better than that of every other one shown."""
    shown: tuple[DifferingGroup, ...]


@dataclass(frozen=True)
class _Groups:
    """Groups of the questions in common."""

    means: Floats
    """Of shape (groups, systems shown)."""
    first: Ints
    """A place of each group's questions."""
    members: Sequence[Ints]


def differing_groups(
    compared: Compared, leading: MetricComparison, baseline: str | None = None, limit: int = GROUPS_SHOWN
) -> Differing:
    """The groups that the best systems, and the baseline, do most differently on.

    In turn one of each system that does best there, from templates in turn, those with the largest difference first.
    """
    shown = _systems_shown(leading, baseline)
    columns = [compared.names.index(name) for name in shown]
    groups = _groups(compared, leading.metric, columns)
    sign = 1 if leading.higher_is_better else -1
    means = sign * groups.means
    spread = means.max(axis=1, initial=-np.inf) - means.min(axis=1, initial=np.inf) if len(means) else np.zeros(0)
    is_best = means == means.max(axis=1, keepdims=True) if len(means) else np.zeros(means.shape, dtype=bool)
    alone = is_best & (is_best.sum(axis=1, keepdims=True) == 1)
    differs = spread > 1e-6
    chosen = _chosen(compared, groups, np.where(differs, spread, 0.0), np.argmax(is_best, axis=1), limit)
    return Differing(
        metric=leading.metric,
        runs=shown,
        left_out=len(compared.runs) - len(shown),
        groups=len(means),
        differ=int(differs.sum()),
        better=tuple(alone[differs].sum(axis=0).tolist()),
        shown=_shown(compared, leading.metric, columns, groups, chosen),
    )


def _systems_shown(leading: MetricComparison, baseline: str | None) -> tuple[str, ...]:
    """The best systems, and the baseline as the last of them."""
    names = [system.run for system in leading.systems]
    if baseline is not None and baseline in names[SYSTEMS_SHOWN:]:
        return (*names[: SYSTEMS_SHOWN - 1], baseline)
    return tuple(names[:SYSTEMS_SHOWN])


def _groups(compared: Compared, metric: str, columns: list[int]) -> _Groups:
    places = np.flatnonzero(compared.common(metric))
    _, first, inverse, counts = np.unique(
        compared.questions.clusters[places], return_index=True, return_inverse=True, return_counts=True
    )
    values = compared.scored[metric].values
    means = np.empty((len(counts), len(columns)))
    for place, column in enumerate(columns):
        means[:, place] = np.bincount(inverse, weights=values[places, column], minlength=len(counts)) / counts
    order = np.argsort(inverse, kind="stable")
    return _Groups(means, places[first], np.split(places[order], np.cumsum(counts)[:-1]))


def _chosen(compared: Compared, groups: _Groups, spread: Floats, best: Ints, limit: int) -> list[int]:
    """Groups, in turn of each system that does best; of one system's from templates in turn."""
    template = compared.questions.template.codes
    sizes = np.array([len(each) for each in groups.members])
    queues = []
    for system in range(groups.means.shape[1]):
        own = np.flatnonzero((spread > 0) & (best == system))
        own = own[np.lexsort((groups.first[own], -sizes[own], -spread[own]))]
        seen: dict[int, int] = {}
        turns = []
        for group in own.tolist():
            code = int(template[groups.first[group]])
            seen[code] = seen.get(code, 0) + 1
            turns.append((seen[code], group))
        queues.append([group for _, group in sorted(turns, key=lambda each: each[0])])
    found: list[int] = []
    while len(found) < limit and any(queues):
        found += [queue.pop(0) for queue in queues if queue]
    return found[:limit]


def _members_shown(values: Floats32, members: Ints) -> list[int]:
    """The questions of a group that are shown: those that the systems differ on most."""
    spread = values[members].max(axis=1) - values[members].min(axis=1)
    return members[np.argsort(-spread, kind="stable")][:QUESTIONS_SHOWN].tolist()


def _shown(
    compared: Compared, metric: str, columns: list[int], groups: _Groups, chosen: list[int]
) -> tuple[DifferingGroup, ...]:
    values = compared.scored[metric].values[:, columns]
    members = {group: _members_shown(values, groups.members[group]) for group in chosen}
    places = [place for shown in members.values() for place in shown]
    rows = question_texts(compared, places)
    texts = evidence_texts(compared.release, [item for row in rows.values() for item in row.evidence])
    ids = {compared.questions.ids[place] for place in places}
    said = [read_said(compared.runs[run].folder / PREDICTIONS, ids, compared.condition) for run in columns]
    questions, found = compared.questions, []
    for group in chosen:
        first = int(groups.first[group])
        row = rows.get(members[group][0])
        found.append(
            DifferingGroup(
                group=questions.group.at(first) or questions.ids[first],
                means=tuple(groups.means[group].tolist()),
                questions_total=len(groups.members[group]),
                template=questions.template.at(first),
                kind=questions.kind.at(first),
                hops=questions.hops.at(first),
                gold=row.gold if row is not None else (),
                evidence=shown_evidence(row.evidence, texts) if row is not None else (),
                questions=tuple(
                    _question(compared, place, rows[place], texts, columns, values[place], said)
                    for place in members[group]
                    if place in rows
                ),
            )
        )
    return tuple(found)


def _question(
    compared: Compared,
    place: int,
    row: QuestionTexts,
    texts: Surroundings,
    columns: list[int],
    values: Floats32,
    said: Sequence[Mapping[str, Prediction]],
) -> DifferingQuestion:
    id = compared.questions.ids[place]
    evidence = {item: texts[item][1] for item in row.evidence if item in texts}
    answers = [
        SaidOf(
            run=compared.names[run],
            value=float(value),
            said=cut_prediction(its[id], evidence) if id in its else NOT_SAID,
        )
        for run, value, its in zip(columns, values.tolist(), said, strict=True)
    ]
    return DifferingQuestion(id, row.question, row.form, tuple(answers))
