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

from benchwright.benchmarks.comparisons.compared import CORRECT, NOT_ASKED
from benchwright.benchmarks.comparisons.judges import said_judges
from benchwright.benchmarks.comparisons.read import names_of
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.judgments import COMPUTED
from benchwright.benchmarks.metrics import ReleaseData, find_metric
from benchwright.benchmarks.predictions import OWN
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_questions
from benchwright.benchmarks.reports.columns import Bools, Floats, Ints, RunData, load_run
from benchwright.benchmarks.reports.metric_figures import NO_REASON, metric_sense, tally
from benchwright.benchmarks.runs.run import PREDICTIONS
from benchwright.benchmarks.runs.store import stored_predictions
from benchwright.benchmarks.statistics.intervals import THIS_BENCHMARK, Target
from benchwright.benchmarks.statistics.paired import compare_pair
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
class Gap:
    """A metric on the published release and on the fresh one, of the same questions: published minus fresh."""

    published: float
    fresh: float
    value: float
    low: float
    """Of the 95 % interval."""
    high: float
    p: float
    """Two-sided, by sign flips of whole semantic groups."""
    separated: bool
    questions: int
    groups: int


@dataclass(frozen=True, slots=True)
class MetricGap:
    """The gap of one metric, over all questions and over parts of them; None where fewer than two groups are there."""

    metric: str
    range: tuple[float, float]
    every: Gap | None
    """Over the questions that can be answered in both releases and that both runs have a score of."""
    changed: Gap | None
    """Over those of them whose answer is another."""
    unchanged: Gap | None
    """Over those whose answer stayed: the control, for who remembers them is right in both."""
    unscored: Mapping[str, Mapping[str, int]]
    """Run → reason → questions that can be answered in both and that this run has no score of."""


@dataclass(frozen=True, slots=True)
class OldAnswers:
    """Answers that are right in the other release, of the questions whose answer changed, by rule; with an answer both
    times."""

    remembered: float
    """The share of those on the fresh release that are right in the published one."""
    by_chance: float
    """The share of those on the published release that are right in the fresh one, which nobody can remember."""
    value: float
    """The difference."""
    low: float
    """Of the 95 % interval."""
    high: float
    p: float
    """Two-sided, by sign flips of whole semantic groups."""
    separated: bool
    questions: int
    groups: int


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
    kept = _asked_again(releases, folders)
    first, second = load_run(releases[0], folders[0]), load_run(releases[1], folders[1])
    shown = _condition((first, second), condition)
    names = names_of(folders)
    pairs = _pairs(first, second, names, kept)
    golds = tuple(_golds(run) for run in (first, second))
    changed = np.array([_is_other(*(gold[each] for gold in golds)) for each in pairs.ids], dtype=bool)
    wanted = list(dict.fromkeys(metrics)) or [_leading(first, second)]
    return Counterfactual(
        published=_side(first, names[0]),
        fresh=_side(second, names[1]),
        condition=shown,
        questions=len(pairs.ids),
        changed=int(changed.sum()),
        metrics={name: _metric_gap(pairs, (first, second), names, name, shown, changed, mix_judges) for name in wanted},
        old_answers=_old_answers(pairs, (first, second), golds, shown, changed),
        notes=tuple(_notes(first, second, kept)),
        is_round=kept is not None,
        built_in=_built_in(first, second),
    )


@dataclass(frozen=True, slots=True)
class _Pairs:
    """The questions that can be answered in both releases and were asked in both runs."""

    ids: tuple[str, ...]
    places: tuple[Ints, Ints]
    """In the questions of each run."""
    clusters: Ints


def _asked_again(releases: tuple[Release, Release], folders: tuple[Path, Path]) -> set[str] | None:
    """The ids of the questions of the first release that a round asks again; None where both releases ask the same.

    Raises:
        BenchwrightError: they have the same content, or ask what is neither the same nor a round.
    """
    first, second = (release.manifest for release in releases)
    names = [f"{each.name} {each.version} (content {each.content_hash[:12]}…)" for each in (first, second)]
    if first.content_hash == second.content_hash:
        raise BenchwrightError(
            f"{folders[0]} and {folders[1]} are both on {names[0]}: --counterfactual compares a run on the published "
            "release with one on the same built with another --seed"
        )
    ids = [_ids(release) for release in releases]
    kept = ids[0] & _ids(releases[1], KEPT)
    if ids[0] != ids[1] and kept:
        return kept
    if ids[0] != ids[1]:
        lacking = [len(own - other) for own, other in (ids, ids[::-1])]
        raise BenchwrightError(
            f"{names[0]} and {names[1]} do not ask the same ({lacking[0]:,} questions only in the first, "
            f"{lacking[1]:,} only in the second): --counterfactual needs equal ids, as of two --seed of one benchmark "
            "with all other parameters alike"
        )
    return None


def _ids(release: Release, subset: str | None = None) -> set[str]:
    """The ids of all questions, or of those of a subset."""
    return {
        each
        for split in release.manifest.splits.get("questions", {})
        for batch in release.batches("questions", split, ["id", "subset"])
        for each, own in zip(batch.column("id").to_pylist(), batch.column("subset").to_pylist(), strict=True)
        if subset is None or own == subset
    }


def _condition(runs: tuple[RunData, RunData], wanted: str | None) -> str:
    conditions = [list(run.condition.names) for run in runs]
    both = [name for name in conditions[0] if name in conditions[1]]
    if wanted is not None:
        for run, there in zip(runs, conditions, strict=True):
            if wanted not in there:
                raise UsageError(f"{run.folder} has no condition {wanted!r}: there is {', '.join(there)}")
        return wanted
    if OWN in both or len(both) == 1:
        return OWN if OWN in both else both[0]
    if both:
        raise UsageError(f"the runs have several conditions in common ({', '.join(both)}): choose a --condition")
    raise BenchwrightError(
        f"{runs[0].folder} and {runs[1].folder} have no condition in common: score the system in the same one"
    )


def _pairs(first: RunData, second: RunData, names: Sequence[str], wanted: set[str] | None) -> _Pairs:
    ids = [
        each for each in first.questions.ids if each in second.questions.index and (wanted is None or each in wanted)
    ]
    places = tuple(np.array([run.questions.index[each] for each in ids], dtype=int) for run in (first, second))
    kept = first.questions.headline[places[0]] & second.questions.headline[places[1]]
    if not kept.any():
        raise BenchwrightError(
            f"{names[0]} and {names[1]} have no question in common that can be answered in both releases: "
            "score the system on the same questions of both, with the same --limit"
        )
    own, other = places[0][kept], places[1][kept]
    return _Pairs(tuple(first.questions.ids[place] for place in own), (own, other), first.questions.clusters[own])


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


def _metric_gap(
    pairs: _Pairs,
    runs: tuple[RunData, RunData],
    names: Sequence[str],
    metric: str,
    condition: str,
    changed: Bools,
    mix_judges: bool,
) -> MetricGap:
    values: list[Floats] = []
    scored: list[Bools] = []
    for run, places in zip(runs, pairs.places, strict=True):
        mean, has = _means(run, metric, condition)
        values.append(mean[places])
        scored.append(has[places])
    if not mix_judges:
        _check_judges(runs, names, metric, condition)
    both = scored[0] & scored[1]
    _, limits = metric_sense(metric)
    every, other, same = (
        _gap(values, pairs.clusters, limits, part) for part in (both, both & changed, both & ~changed)
    )
    reasons = {
        name: _why_unscored(run, metric, condition, places[~has])
        for name, run, places, has in zip(names, runs, pairs.places, scored, strict=True)
    }
    return MetricGap(metric, limits, every, other, same, {name: why for name, why in reasons.items() if why})


def _means(run: RunData, metric: str, condition: str) -> tuple[Floats, Bools]:
    """Of each question of a run the mean over its repeats, and whether it has a score."""
    if metric not in run.metrics:
        raise UsageError(f"{run.folder} has no metric {metric!r}: there is {', '.join(run.metrics)}")
    rows, column = run.rows(metric, condition), run.metrics.index(metric)
    rows = rows[run.is_scored[rows, column]]
    size = len(run.questions.ids)
    counts = np.bincount(run.question[rows], minlength=size)
    sums = np.bincount(run.question[rows], weights=run.values[rows, column], minlength=size)
    return sums / np.maximum(counts, 1), counts > 0


def _check_judges(runs: tuple[RunData, RunData], names: Sequence[str], metric: str, condition: str) -> None:
    """Raises BenchwrightError where other judges judged one run than the other."""
    judges = []
    for run in runs:
        rows, column = run.rows(metric, condition), run.metrics.index(metric)
        codes = np.unique(run.judges.codes[rows[run.is_scored[rows, column]], column]).tolist()
        judges.append(sorted(run.judges.names[code] if code >= 0 else COMPUTED for code in codes))
    if judges[0] and judges[1] and judges[0] != judges[1]:
        said = "; ".join(f"{name} {said_judges(its)}" for name, its in zip(names, judges, strict=True))
        raise BenchwrightError(
            f"{metric} was judged otherwise in one run than in the other ({said}), so that the gap may be the judges': "
            "have both judged alike, or compare them all the same with --mix-judges"
        )


def _gap(values: Sequence[Floats], clusters: Ints, limits: tuple[float, float], wanted: Bools) -> Gap | None:
    found = (
        compare_pair(values[0][wanted], values[1][wanted], clusters[wanted], limits=limits) if wanted.any() else None
    )
    if found is None:
        return None
    return Gap(
        published=found.first,
        fresh=found.second,
        value=found.value,
        low=found.low,
        high=found.high,
        p=found.p,
        separated=found.separated,
        questions=int(wanted.sum()),
        groups=found.clusters,
    )


def _why_unscored(run: RunData, metric: str, condition: str, lacking: Ints) -> dict[str, int]:
    """Reasons of the questions of a run that it has no score of."""
    rows, column = run.rows(metric, condition), run.metrics.index(metric)
    rows = rows[np.isin(run.question[rows], lacking)]
    _, firsts = np.unique(run.question[rows], return_index=True)
    found = tally(run.reasons.names, run.reasons.codes[rows[firsts], column], NO_REASON)
    absent = len(lacking) - len(firsts)
    return {**found, **({NOT_ASKED: absent} if absent else {})}


def _old_answers(
    pairs: _Pairs,
    runs: tuple[RunData, RunData],
    golds: Sequence[Mapping[str, Question]],
    condition: str,
    changed: Bools,
) -> OldAnswers | None:
    """How often what was said on one release is right in the other."""
    wanted = {pairs.ids[place]: place for place in np.flatnonzero(changed).tolist()}
    remembered, is_first = _right_elsewhere(runs[1], golds[0], wanted, condition, len(pairs.ids))
    by_chance, is_second = _right_elsewhere(runs[0], golds[1], wanted, condition, len(pairs.ids))
    found = _gap((remembered, by_chance), pairs.clusters, (0.0, 1.0), is_first & is_second)
    if found is None:
        return None
    own = (found.value, found.low, found.high, found.p, found.separated, found.questions, found.groups)
    return OldAnswers(found.published, found.fresh, *own)


def _right_elsewhere(
    run: RunData, gold: Mapping[str, Question], wanted: Mapping[str, int], condition: str, size: int
) -> tuple[Floats, Bools]:
    """Of each question the share of a run's answers that are right in the other release, and whether there is any."""
    sums, counts = np.zeros(size), np.zeros(size)
    path, rule = run.folder / PREDICTIONS, find_metric(CORRECT).rule
    if rule is None or not path.is_file() or not wanted:
        return sums, counts > 0
    score = rule(ReleaseData(tuple(gold.values())))
    for said in stored_predictions(path):
        if said.id in wanted and said.condition == condition and said.answer is not None:
            value = score([gold[said.id]], [said])[0].value
            if value is not None:
                sums[wanted[said.id]] += value
                counts[wanted[said.id]] += 1
    return sums / np.maximum(counts, 1), counts > 0


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
