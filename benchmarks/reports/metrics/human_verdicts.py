"""Verdicts from a file, to compare a run's scores with: what people said of its answers, and never used instead."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.judgments import Judgment, read_judgments
from benchwright.benchmarks.metrics import judgment_names, may_be_judged
from benchwright.benchmarks.metrics.judged_scales import refuse_other_scales
from benchwright.benchmarks.reports.columns import Bools, Floats, RunData
from benchwright.benchmarks.reports.metrics.judge_agreement import MetricAgreement, agreement_of, names_of
from benchwright.benchmarks.reports.metrics.scale import scale_of


@dataclass(frozen=True)
class SaidOfAnswers:
    """What was said of a run's answers by one metric."""

    values: Floats
    """Of each attempt; 0 where `is_known` is false."""
    is_known: Bools
    judges: Mapping[str, int]
    """Who → answers."""
    is_split: Bools
    """Whether those who judged it said different things."""
    agreement: MetricAgreement | None = None
    """Of several judges who were put together."""

    def undivided(self, threshold: float) -> Bools:
        """The attempts that have a verdict: known, and no mean of different ones that stands at the threshold."""
        return self.is_known & ~(self.is_split & (np.abs(self.values - threshold) < 1e-9))


@dataclass(frozen=True)
class HumanVerdicts:
    """A file of verdicts, by metric."""

    metrics: Mapping[str, SaidOfAnswers]
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Why judgments are not compared → how many."""
    judgments: tuple[Judgment, ...] = ()
    """Those that are compared, as they were read."""
    of_steps: tuple[Judgment, ...] = ()
    """Those on the steps of judges, and not on answers."""


def read_verdicts(path: Path, run: RunData, *, judge: str | None = None, mixed: bool = False) -> HumanVerdicts:
    """The verdicts of a file on the answers of a run in the condition shown.

    Args:
        path: of judgments, one JSON object a line.
        run: which answers they must be of.
        judge: only this one's, by name as written there or as tables show it.
        mixed: whether several judges of one metric are put together: the mean of what they said of an answer.

    Raises:
        UsageError: there is no such judge, or several judged by one metric and neither is asked for.
        BenchwrightError: a line is none, is of a question, metric or answer that there is not, or nothing is left.
    """
    where = f"the run {run.folder.name}"
    judgments = read_judgments(path, run.questions.index, where, may_be_judged, judgment_names())
    _refuse_unknown(path, judgments, run)
    refuse_other_scales(path, judgments, lambda name: scale_of(name).range)
    left_out: Counter[str] = Counter()
    taken: list[Judgment] = []
    of_steps: list[Judgment] = []
    metrics: dict[str, dict[str, dict[tuple[int, int], float]]] = {}
    names = names_of(dict.fromkeys(str(each.judge) for each in judgments))
    if judge is not None and judge not in {*names, *names.values(), *(each.judge.name for each in judgments)}:
        raise UsageError(f"nobody called {judge!r} judged in {path.name}: there are {', '.join(names.values())}")
    for each in sorted(judgments, key=lambda judgment: judgment.judge_repeat):
        why = _why_left_out(each, run, judge, names)
        if why is None and each.is_of_step:
            of_steps.append(each)
            continue
        if why is not None or each.score is None:
            left_out[why or "no value"] += 1
            continue
        said = metrics.setdefault(each.metric, {}).setdefault(names[str(each.judge)], {})
        key = run.questions.index[each.id], each.repeat
        if key in said:
            left_out["judged again by the same judge"] += 1
        else:
            said[key] = each.score
            taken.append(each)
    if not metrics:
        reasons = ", ".join(f"{reason} ({number:,})" for reason, number in left_out.most_common(3))
        raise BenchwrightError(f"{path.name} has no verdict on an answer in the condition {run.shown!r}: {reasons}")
    for metric, judges in metrics.items():
        if len(judges) > 1 and not mixed:
            said = ", ".join(f"{name} ({len(values):,})" for name, values in judges.items())
            raise UsageError(
                f"several judges said {metric} in {path.name}: {said}; name one with --judge NAME, or put them "
                "together with --mix-judges"
            )
    together = {metric: _put_together(judges, run) for metric, judges in metrics.items()}
    return HumanVerdicts(together, dict(left_out), tuple(taken), tuple(of_steps))


def _why_left_out(each: Judgment, run: RunData, judge: str | None, names: Mapping[str, str]) -> str | None:
    if each.candidate is not None and not each.is_of_step:
        return "of one candidate of several"
    if each.condition != run.shown:
        return f"of the condition {each.condition}"
    if judge is not None and judge not in (str(each.judge), names[str(each.judge)], each.judge.name):
        return "of another judge"
    return None


def _refuse_unknown(path: Path, judgments: Sequence[Judgment], run: RunData) -> None:
    """Raises where a judgment is of an answer that the run does not have."""
    there = set(zip(run.question.tolist(), run.condition.codes.tolist(), run.repeat.tolist(), strict=True))
    codes = {name: code for code, name in enumerate(run.condition.names)}
    for each in judgments:
        if (run.questions.index[each.id], codes.get(each.condition, -1), each.repeat) not in there:
            raise BenchwrightError(
                f"{path.name} judges {each.id!r} in condition {each.condition}, repeat {each.repeat}, of which the run "
                "has no answer: correct the judgments"
            )


def _put_together(judges: Mapping[str, Mapping[tuple[int, int], float]], run: RunData) -> SaidOfAnswers:
    """The mean of what was said of each answer, beside the attempts of the run."""
    said: dict[tuple[int, int], list[float]] = {}
    for values in judges.values():
        for key, value in values.items():
            said.setdefault(key, []).append(value)
    found = np.zeros(len(run.question))
    known, split = (np.zeros(len(run.question), dtype=bool) for _ in range(2))
    for place in np.flatnonzero(run.condition.where(run.shown)).tolist():
        mine = said.get((int(run.question[place]), int(run.repeat[place])))
        if mine:
            found[place], known[place], split[place] = sum(mine) / len(mine), True, len(set(mine)) > 1
    agreement = agreement_of(judges, run.questions.clusters) if len(judges) > 1 else None
    return SaidOfAnswers(found, known, {name: len(values) for name, values in judges.items()}, split, agreement)
