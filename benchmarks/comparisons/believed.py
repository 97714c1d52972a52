"""How far high and low scores of runs can be believed, by what people said of the same answers: Table 4 of the paper on
RAG metrics in the telecom domain, with equations 1 and 2.

Each metric is looked at alone, and all of them together. A score is high above 0.7 of its metric's range, and low below
0.3 of it. Shares of several runs are of different answers, so their test is of two samples.
"""

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.reports.columns import Bools, Floats, RunData
from benchwright.benchmarks.reports.metrics.baseline import beyond_scale
from benchwright.benchmarks.reports.metrics.concordance import Extremes, extremes_of
from benchwright.benchmarks.reports.metrics.human_sample import check_sample, read_samples
from benchwright.benchmarks.reports.metrics.human_verdicts import HumanVerdicts, read_verdicts
from benchwright.benchmarks.reports.metrics.scale import Asked, threshold_of
from benchwright.benchmarks.statistics.differences import independent_mean_difference
from benchwright.benchmarks.statistics.intervals import Sample, codes_of
from benchwright.benchmarks.statistics.reliability import Concordance
from benchwright.benchmarks.statistics.tests import holm

TRUTH = "correct"
"""What people must have said of answers."""
_HUMAN = re.compile(r"human(?:-(\d+))?\.jsonl")
"""Where `annotate --merge` puts what people said, in a run's folder: of its first sample, and of others by number."""
NO_VERDICTS = (
    "not available because people have not judged its answers; annotate makes pages for that, and --human RUN=FILE "
    "names what they said elsewhere"
)


@dataclass(frozen=True, slots=True)
class BelievedMetrics:
    """One metric, or several that are all high or all low."""

    metrics: tuple[str, ...]
    reason: str | None
    """Why there is nothing to say."""
    concordance: Concordance | None
    p_right: float | None = None
    """Two-sided, that the share of right answers among those with high scores is as in the baseline: by permutation of
    whole semantic groups, corrected for the number of tests (Holm). Null where either is of fewer than two groups."""
    p_wrong: float | None = None
    """The same of wrong answers among those with low scores."""


@dataclass(frozen=True, slots=True)
class BelievedRun:
    """Table 4 of one run."""

    run: str
    reason: str | None
    source: str | None = None
    """The name of the file of verdicts."""
    unread: tuple[str, ...] = ()
    """Files of verdicts beside it, which were not named."""
    judges: Mapping[str, int] = field(default_factory=dict)
    """Who judged → answers."""
    answers: int = 0
    """To the headline's questions, in the condition shown, with a verdict."""
    right: int = 0
    divided: int = 0
    """Answers besides on which people are divided."""
    metrics: tuple[BelievedMetrics, ...] = ()


@dataclass(frozen=True)
class Tested:
    """Outcomes of answers, 1 or 0, and the semantic group of each by a name that is the same in all runs."""

    values: Floats
    groups: tuple[Hashable, ...]


ExtremesOfRun = tuple[tuple[Tested, Tested] | None, ...]
"""Of each of a run's BelievedMetrics what its tests are of: which answers with high scores are right, and which with
low ones wrong."""


def believe(
    run: RunData, name: str, metrics: Sequence[str], human: Path | None, *, mix_judges: bool
) -> tuple[BelievedRun, ExtremesOfRun]:
    """What people's verdicts make of high and low scores of a run, and what `with_tests` tests.

    Args:
        run: in the condition shown.
        name: what it is called.
        metrics: each alone, and all together.
        human: the file of verdicts; None: `human.jsonl` in the run's folder, where there is one, or of several samples
            that of the newest.
        mix_judges: put several people who judged together: the mean of what they said of an answer counts.

    Raises:
        BenchwrightError: in the file that is named a verdict is none, or of an answer that there is not.
    """
    *others, path = [human] if human is not None else _verdicts_of(run.folder) or [None]
    if path is None:
        return BelievedRun(name, NO_VERDICTS), ()
    unread = tuple(each.name for each in others if each is not None)
    try:
        found = read_verdicts(path, run, mixed=True)
    except BenchwrightError as error:
        if human is not None:
            raise
        return BelievedRun(name, f"not available because {error}", path.name, unread), ()
    reason = _why_not(run, found, mix_judges=mix_judges)
    if reason is not None:
        return BelievedRun(name, reason, path.name, unread), ()
    said, threshold = found.metrics[TRUTH], threshold_of(TRUTH, Asked())
    counted = run.condition.where(run.shown) & run.questions.headline[run.question]
    known = counted & said.undivided(threshold)
    is_right = known & (said.values > threshold)
    combinations: list[tuple[str, ...]] = [(metric,) for metric in metrics]
    if len(metrics) > 1:
        combinations.append(tuple(metrics))
    rows: list[BelievedMetrics] = []
    tested: list[tuple[Tested, Tested] | None] = []
    for each in combinations:
        why = next(filter(None, (_unscored(run, metric) for metric in each)), None)
        extremes = None if why else extremes_of(run, each, Asked(), is_right, known)
        if extremes is not None and not extremes.concordance.answers:
            why, extremes = "no answer has a verdict and a score", None
        rows.append(BelievedMetrics(each, why, extremes.concordance if extremes else None))
        tested.append(
            (_named(run, extremes.high, is_right), _named(run, extremes.low, ~is_right)) if extremes else None
        )
    believed = BelievedRun(
        name,
        None,
        path.name,
        unread,
        said.judges,
        int(known.sum()),
        int(is_right.sum()),
        int((counted & said.is_known & ~known).sum()),
        tuple(rows),
    )
    return believed, tuple(tested)


def _verdicts_of(folder: Path) -> list[Path]:
    """The files of verdicts in a run's folder, that of the newest sample last."""
    found = {path: name for path in folder.glob("human*.jsonl") if (name := _HUMAN.fullmatch(path.name))}
    return sorted(found, key=lambda path: int(found[path][1] or 1))


def _tested(run: RunData, extremes: Extremes, is_right: Bools) -> tuple[Tested, Tested]:
    return _named(run, extremes.high, is_right), _named(run, extremes.low, ~is_right)


def _named(run: RunData, wanted: Bools, outcome: Bools) -> Tested:
    """The outcomes of the attempts that are wanted."""
    groups = (run.questions.group_key(place) for place in run.question[wanted].tolist())
    return Tested(outcome[wanted].astype(float), tuple(groups))


def _why_not(run: RunData, found: HumanVerdicts, *, mix_judges: bool) -> str | None:
    """Why a file of verdicts says nothing of a run's answers."""
    if TRUTH not in found.metrics:
        return f"not available because people judged by {', '.join(found.metrics)}, and not by {TRUTH}"
    judges = found.metrics[TRUTH].judges
    if len(judges) > 1 and not mix_judges:
        who = ", ".join(f"{name} ({number:,})" for name, number in judges.items())
        return f"not available because several judged, each alone: {who}; --mix-judges takes the mean of what they said"
    samples = read_samples(run.folder)
    for name in dict.fromkeys(str(each.trace.get("sample")) for each in found.judgments):
        if name in samples:
            try:
                check_sample(run, name, samples[name])
            except BenchwrightError as error:
                return f"not available because {error}"
    return None


def _unscored(run: RunData, metric: str) -> str | None:
    if metric not in run.metrics or not run.is_scored[run.condition.where(run.shown), run.metrics.index(metric)].any():
        return f"{metric} is not scored"
    beyond = beyond_scale(run, metric)
    return None if beyond is None else f"{metric} goes {beyond}"


def with_tests(runs: Sequence[tuple[BelievedRun, ExtremesOfRun]], baseline: int) -> tuple[BelievedRun, ...]:
    """The runs with the p-values of what differs from a baseline.

    Args:
        runs: as `believe` gives them.
        baseline: the place of the run that the others are held against.
    """
    found = [run for run, _ in runs]
    tested: list[tuple[int, int, str, float]] = []
    for place, (_, extremes) in enumerate(runs):
        if place == baseline:
            continue
        for number, (own, other) in enumerate(zip(extremes, runs[baseline][1], strict=False)):
            if own is None or other is None:
                continue
            p_values = {"p_right": _differs(own[0], other[0]), "p_wrong": _differs(own[1], other[1])}
            tested += [(place, number, name, p) for name, p in p_values.items() if p is not None]
    for (place, number, name, _), p in zip(tested, holm([each[3] for each in tested]), strict=True):
        metrics = list(found[place].metrics)
        metrics[number] = replace(metrics[number], **{name: p})
        found[place] = replace(found[place], metrics=tuple(metrics))
    return tuple(found)


def _differs(first: Tested, second: Tested) -> float | None:
    codes = codes_of([*first.groups, *second.groups])
    own, other = codes[: len(first.groups)], codes[len(first.groups) :]
    found = independent_mean_difference(Sample(first.values, own), Sample(second.values, other), limits=(0.0, 1.0))
    return None if found is None else found.p
