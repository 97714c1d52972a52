"""One system on two releases that ask the same and have other answers: what it knows by heart.

A benchmark that is public may stand in what a model was trained on. Built anew with another seed it asks the same
questions, with the same ids, of other facts: who reads what it is given answers both alike, and who remembers answers
the published one better. Besides, an answer that is wrong on the fresh release and right on the published one was not
read there: how often that is so is held against the same the other way round, which only chance can make.

A round of a leaderboard asks some of the published questions again, its subset `kept`, of documents that are other ones
too: then these are compared, and a gap says little by itself: hold it against that of a baseline, which knows nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchwright.benchmarks.comparisons.compared import CORRECT
from benchwright.benchmarks.comparisons.counterfactual_gaps import MetricGap, OldAnswers, metric_gap, old_answers
from benchwright.benchmarks.comparisons.counterfactual_questions import asked_again, shared_questions
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_questions
from benchwright.benchmarks.reports.columns import RunData, load_run
from benchwright.benchmarks.statistics.intervals import THIS_BENCHMARK, Target
from benchwright.benchmarks.types import KEPT, Question


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two runs."""

    run: str
    benchmark: str
    version: str
    content_hash: str
    seed: int | None
    system: str
    """As it stood on the command line."""


@dataclass(frozen=True, slots=True)
class Counterfactual:
    """What a system knows by heart."""

    published: Side
    fresh: Side
    condition: str
    questions: int
    """That can be answered in both releases, and were asked in both runs."""
    changed: int
    """Of them those whose answer is another."""
    metrics: Mapping[str, MetricGap]
    """The leading one first."""
    old_answers: OldAnswers | None
    """None where no answer changed, or fewer than two groups were answered both times."""
    notes: tuple[str, ...]
    """What else than the seed differs."""
    is_round: bool
    """Whether the fresh release is the edition of a round, and the questions are those of its subset `kept` alone."""
    built_in: tuple[str, ...]
    """What of answers and texts was made by rules, which are for trying things out."""
    target: Target = THIS_BENCHMARK
    """What intervals and tests are of: semantic groups are what is drawn."""


def compare_seeds(
    releases: tuple[Release, Release],
    folders: tuple[Path, Path],
    *,
    metrics: Sequence[str] = (),
    condition: str | None = None,
    mix_judges: bool = False,
) -> Counterfactual:
    """The gap between two runs of one system, on a published release and on a fresh one.

    Args:
        releases: those of the runs, the published one first.
        folders: the runs'.
        metrics: whose gaps are wanted; none: the one that leads.
        condition: what the system was given; None: its own retrieval, else the one that both have.
        mix_judges: compare scores also where other judges judged.

    Raises:
        UsageError: a run lacks a metric or the condition.
        BenchwrightError: the releases have the same content or other questions, a run cannot be read, no question can
            be answered in both, or other judges judged it.
    """
    kept = asked_again(releases, folders)
    first, second = load_run(releases[0], folders[0]), load_run(releases[1], folders[1])
    shared = shared_questions(first, second, kept, condition)
    golds = tuple(_golds(run) for run in (first, second))
    changed = np.array([_is_other(*(gold[each] for gold in golds)) for each in shared.ids], dtype=bool)
    wanted = list(dict.fromkeys(metrics)) or [_leading(first, second)]
    return Counterfactual(
        published=_side(first, shared.names[0]),
        fresh=_side(second, shared.names[1]),
        condition=shared.condition,
        questions=len(shared.ids),
        changed=int(changed.sum()),
        metrics={name: metric_gap(shared, name, changed, mix_judges=mix_judges) for name in wanted},
        old_answers=old_answers(shared, golds, changed),
        notes=tuple(_notes(first, second, kept)),
        is_round=kept is not None,
        built_in=_built_in(first, second),
    )


def _golds(run: RunData) -> dict[str, Question]:
    """The questions of the run's split by id."""
    return {question.id: question for question in load_questions(run.release, run.settings.questions.split)}


def _is_other(one: Question, two: Question) -> bool:
    """Whether the answers are others."""
    return sorted(one.answers) != sorted(two.answers)


def _leading(first: RunData, second: RunData) -> str:
    both = [name for name in first.metrics if name in second.metrics]
    if not both:
        raise BenchwrightError(f"{first.folder} and {second.folder} have no metric in common: score them by the same")
    primary = first.settings.scoring.primary
    return next((name for name in (primary, CORRECT) if name in both), both[0])


def _side(run: RunData, name: str) -> Side:
    manifest = run.release.manifest
    system = run.settings.system.reference
    return Side(name, manifest.name, manifest.version, manifest.content_hash, manifest.seed, system)


def _built_in(*runs: RunData) -> tuple[str, ...]:
    """What rules made."""
    reader = ["reader"] if any(run.settings.system.builtin for run in runs) else []
    return tuple(dict.fromkeys([*reader, *(name for run in runs for name in run.release.manifest.built_in_texts)]))


def _notes(first: RunData, second: RunData, kept: set[str] | None) -> list[str]:
    """What differs besides the seed, and may make a difference of its own."""
    found = []
    one, two = first.release.manifest, second.release.manifest
    if kept is not None:
        found.append(
            f"the fresh release is the edition of a round: compared are the {len(kept):,} questions of its subset "
            f"{KEPT} that the published one asks too. Its documents are other ones, so that a system that knows "
            "nothing by heart may have a gap too: hold it against that of a baseline"
        )
    if one.seed == two.seed:
        found.append(f"both releases are of the seed {one.seed}: something else made their answers differ")
    if (one.builder, one.builder_version) != (two.builder, two.builder_version):
        found.append(
            f"the releases were built by {one.builder} {one.builder_version} and {two.builder} {two.builder_version}"
        )
    others = sorted(
        name for name in {*one.parameters, *two.parameters} if one.parameters.get(name) != two.parameters.get(name)
    )
    if others and kept is None:
        found.append(f"the releases differ in {', '.join(others)} too, so that a gap may come from there")
    systems = [run.settings.system for run in (first, second)]
    if systems[0].reference != systems[1].reference:
        found.append(f"the runs are of {systems[0].reference} and {systems[1].reference}: make sure that both are one")
    elif systems[0].settings != systems[1].settings:
        found.append("the system had other settings in one run than in the other")
    versions = [run.settings.scoring.benchwright for run in (first, second)]
    if versions[0] != versions[1]:
        found.append(f"the runs were scored by benchwright {versions[0]} and {versions[1]}: score both again")
    return found
