"""Gates for continuous integration: whether a run is not worse than a baseline by more than an expression allows.

parse_gate    `correct>=-0.02` → Gate
gate_folders  reads runs, and does the next
gate_runs     each gate for each candidate → GateResult: passed, failed or inconclusive
exit_code     what a command ends with
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from benchwright.benchmarks.comparisons.compared import IN_PART, Compared, Scored
from benchwright.benchmarks.comparisons.judges import without_mixed_judges
from benchwright.benchmarks.comparisons.read import read_runs, with_baseline
from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.progress import Progress, silent
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.columns import Bools, Floats, Ints
from benchwright.benchmarks.statistics.intervals import THIS_BENCHMARK, Sample, Target
from benchwright.benchmarks.statistics.one_sided import chance_below, clusters_to_decide, one_sided_limits

Verdict = Literal["passed", "failed", "inconclusive"]
CODES: Mapping[Verdict, int] = {"passed": 0, "failed": 3, "inconclusive": 4}
"""What a command ends with."""
CONFIDENCE = 0.95
"""Of each of the two one-sided limits."""
EXAMPLE = "correct>=-0.02"
_EXPRESSION = re.compile(r"\s*([^\s<>=!]+)\s*([<>]=)\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*")
_TYPED = str.maketrans({"−": "-", "≥": ">=", "≤": "<="})
"""What word processors make of it."""
_SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class Gate:
    """What is asked of a candidate's difference to the baseline, candidate minus baseline."""

    text: str
    """As it was given."""
    metric: str
    sign: Literal[">=", "<="]
    """`<=` of a metric that is better when lower."""
    margin: float
    """The worst difference that passes, in the metric's units."""


@dataclass(frozen=True, slots=True)
class Look:
    """The difference over some questions, candidate minus baseline, and what a gate says of it."""

    baseline: float
    """The baseline's mean."""
    candidate: float
    value: float
    low: float
    """The one-sided lower limit."""
    high: float
    """The one-sided upper limit."""
    p: float
    """One-sided, of the hypothesis that the candidate is worse than the gate allows."""
    questions: int
    groups: int
    verdict: Verdict
    groups_needed: int | None
    """Groups that would decide four times in five, were they like these; None where it is decided, or none would."""


@dataclass(frozen=True, slots=True)
class GateResult:
    """One gate for one candidate."""

    gate: Gate
    baseline: str
    candidate: str
    verdict: Verdict
    """That of both looks where they agree, else inconclusive; failed where there is only the second and it failed."""
    common: Look | None
    """Over the questions that both have a score of; None where there is none."""
    with_unscored: Look | None
    """Over all that the baseline has a score of and the candidate was asked, where what the candidate has no score of
    counts as the worst there is, also of the repeats of a question; None where it has all."""
    range: tuple[float, float]
    """The least and the largest that the metric can be."""
    groups_needed: int | None = None
    """Groups that would decide four times in five, were they like these and as often unscored; None where it is
    decided, or where no number would: then it takes scores of what is unscored."""
    unscored: int = 0
    """Questions that the baseline has a score of, and the candidate was asked and has none, or not of each repeat."""
    reasons: Mapping[str, int] = field(default_factory=dict)
    """Why → how many."""
    not_asked: int = 0
    """Questions that the baseline has a score of and that are not in the candidate's sample: left out."""
    baseline_lacks: int = 0
    """Questions that the candidate has a score of and the baseline has none: left out."""
    confidence: float = CONFIDENCE
    target: Target = THIS_BENCHMARK
    """What the limits are of: semantic groups are what is drawn."""


def parse_gate(text: str) -> Gate:
    """A gate from an expression: METRIC>=DIFFERENCE, or METRIC<=DIFFERENCE of a metric that is better when lower.

    Raises:
        UsageError: it is none.
    """
    found = _EXPRESSION.fullmatch(text.translate(_TYPED))
    if found is None:
        raise UsageError(
            f"--gate {text!r} is not METRIC>=DIFFERENCE: write it in quotes, the difference in the metric's units, "
            f"such as --gate '{EXAMPLE}' for at most two points of 100 worse than the baseline"
        )
    name, sign, number = found.groups()
    margin = float(number)
    if not math.isfinite(margin):
        raise UsageError(f"--gate {text!r}: {number} is no difference that there can be")
    return Gate(text.strip(), name, ">=" if sign == ">=" else "<=", margin)


def gate_folders(
    release: Release,
    folders: Sequence[Path],
    gates: Sequence[Gate],
    *,
    baseline: Path | None = None,
    condition: str | None = None,
    mix_judges: bool = False,
    progress: Progress = silent,
) -> tuple[Compared, list[GateResult]]:
    """Each gate for each run but the baseline, the first where None is named, of which the scores are read; see
    `gate_runs`.

    Raises:
        UsageError: a gate cannot be meant, or there are fewer than two runs.
        BenchwrightError: a run cannot be read or is of another release, or other judges judged it.
    """
    names = list(dict.fromkeys(gate.metric for gate in gates))
    held, place = with_baseline(folders, baseline)
    compared = read_runs(release, held, metrics=names, condition=condition, progress=progress)
    if not mix_judges:
        compared, _ = without_mixed_judges(compared, named=True)
    return compared, gate_runs(compared, gates, place or 0)


def gate_runs(compared: Compared, gates: Sequence[Gate], baseline: int = 0) -> list[GateResult]:
    """Each gate for each run but the baseline.

    All gates of a candidate must pass, so that their number needs no correction (Berger 1982, Technometrics 24): a
    candidate that is worse than one of them allows passes all of them no more often than that one.

    Args:
        compared: the runs.
        gates: what is asked of them.
        baseline: the place of the run that the others are held against.

    Raises:
        UsageError: a gate is of a metric that was not compared, can never or always pass, or looks the wrong way.
    """
    for gate in gates:
        _check(gate, compared)
    candidates = [place for place in range(len(compared.runs)) if place != baseline]
    return [_gate(compared, gate, baseline, candidate) for candidate in candidates for gate in gates]


def exit_code(results: Iterable[GateResult]) -> int:
    """What a command ends with: 3 where any gate failed, else 4 where any is inconclusive, else 0."""
    verdicts = {result.verdict for result in results}
    return next((CODES[verdict] for verdict in ("failed", "inconclusive") if verdict in verdicts), 0)


def _check(gate: Gate, compared: Compared) -> None:
    scored = compared.scored.get(gate.metric)
    if scored is None:
        raise UsageError(
            f"--gate {gate.text!r}: the runs have no metric {gate.metric!r}, but {', '.join(compared.metrics)}"
        )
    if (gate.sign == ">=") != scored.higher_is_better:
        better = "higher" if scored.higher_is_better else "lower"
        sign = ">=" if scored.higher_is_better else "<="
        raise UsageError(f"--gate {gate.text!r}: {gate.metric} is better when {better}; write {gate.metric}{sign}…")
    values = scored.values[scored.is_scored & compared.questions.headline[:, None]]
    if len(values) and not (scored.range[0] <= values.min() and values.max() <= scored.range[1]):
        raise UsageError(
            f"--gate {gate.text!r}: scores of {gate.metric} lie beyond {scored.range[0]:g} to {scored.range[1]:g}, its "
            "scale, so that no limit can be told: have it judged on that scale"
        )
    width = scored.range[1] - scored.range[0]
    if abs(gate.margin) >= width:
        raise UsageError(
            f"--gate {gate.text!r}: {gate.metric} goes from {scored.range[0]:g} to {scored.range[1]:g}, "
            f"so that every difference lies within {width:g}; two points of 100 are 0.02"
        )


def _gate(compared: Compared, gate: Gate, baseline: int, candidate: int) -> GateResult:
    scored, names = compared.scored[gate.metric], compared.names
    there = compared.questions.headline & scored.is_scored[:, baseline]
    has = scored.is_scored[:, candidate]
    asked = there & (has | compared.asked[:, candidate]) if _is_part(compared, candidate) else there
    tried = _share_of_tries(compared, scored, baseline, candidate)
    lacking, in_part = asked & ~has, asked & has & (tried < 1)
    common = _look(compared, gate, scored, there & has, (baseline, candidate))
    with_unscored = (
        _look(compared, gate, scored, asked, (baseline, candidate), tried) if lacking.any() or in_part.any() else None
    )
    _check_level(gate, scored, common or with_unscored, names[baseline])
    verdict = _verdict(common, with_unscored)
    return GateResult(
        gate=gate,
        baseline=names[baseline],
        candidate=names[candidate],
        verdict=verdict,
        common=common,
        with_unscored=with_unscored,
        range=scored.range,
        groups_needed=_groups_needed(gate, common, with_unscored) if verdict == "inconclusive" else None,
        unscored=int(lacking.sum()) + int(in_part.sum()),
        reasons={
            **scored.why_unscored(candidate, lacking),
            **({IN_PART: int(in_part.sum())} if in_part.any() else {}),
        },
        not_asked=int((there & ~asked).sum()),
        baseline_lacks=int((compared.questions.headline & has & ~scored.is_scored[:, baseline]).sum()),
    )


def _verdict(common: Look | None, with_unscored: Look | None) -> Verdict:
    """What both looks say; without a score of the candidate only the second can, and only that it failed."""
    if common is None:
        return "failed" if with_unscored is not None and with_unscored.verdict == "failed" else "inconclusive"
    return common.verdict if with_unscored is None or with_unscored.verdict == common.verdict else "inconclusive"


def _groups_needed(gate: Gate, common: Look | None, with_unscored: Look | None) -> int | None:
    """The groups that would decide; None where there is no telling, or where more would have the looks disagree."""
    looks = [look for look in (common, with_unscored) if look is not None]
    sides = {(look.value > gate.margin) == (gate.sign == ">=") for look in looks}
    undecided = [look.groups_needed for look in looks if look.verdict == "inconclusive"]
    numbers = [number for number in undecided if number is not None]
    if common is None or len(sides) > 1 or len(numbers) < len(undecided):
        return None
    return max(numbers, default=None)


def _is_part(compared: Compared, run: int) -> bool:
    """Whether a run was made of a part of the questions, which is not its system's doing."""
    questions = compared.runs[run].settings.questions
    return questions.is_sampled or bool(questions.subsets)


def _share_of_tries(compared: Compared, scored: Scored, baseline: int, candidate: int) -> Floats:
    """Of each question what share of the repeats that the candidate should have has a score; 0 without any."""
    if scored.tries is None:
        return scored.is_scored[:, candidate].astype(float)
    return scored.tries.share(candidate, compared.runs[candidate].repeats, baseline).astype(float)


def _look(
    compared: Compared,
    gate: Gate,
    scored: Scored,
    wanted: Bools,
    runs: tuple[int, int],
    tried: Floats | None = None,
) -> Look | None:
    """What a gate says of questions; given what share of the candidate's repeats has a score, the rest is the worst."""
    low, high = scored.range
    first, second = (scored.values[wanted, run].astype(float) for run in runs)
    if tried is not None:
        share = tried[wanted]
        second = share * second + (1 - share) * (low if scored.higher_is_better else high)
    return decide(gate, first, second, compared.questions.clusters[wanted], scored.range)


def decide(gate: Gate, baseline: Floats, candidate: Floats, clusters: Ints, limits: tuple[float, float]) -> Look | None:
    """What a gate says of two values of each question, given in the same order; None without questions.

    Non-inferiority by one-sided limits (Piaggio and others 2012, JAMA 308): it passes where the limit on the worse side
    lies within what the gate allows, fails where the limit on the better side does not, and else is inconclusive.

    Args:
        gate: what is asked.
        baseline: values of questions.
        candidate: the same of the other run.
        clusters: of each question.
        limits: the least and the largest that a value can be.
    """
    width = limits[1] - limits[0]
    turned = 1 if gate.sign == ">=" else -1
    differences, margin = Sample(turned * (candidate - baseline), clusters), turned * gate.margin
    found = one_sided_limits(differences, (-width, width), confidence=CONFIDENCE)
    p = chance_below(differences, (-width, width), margin)
    if found is None or p is None:
        return None
    verdict: Verdict = "inconclusive"
    if found.low >= margin - _SLACK:
        verdict = "passed"
    elif found.high < margin - _SLACK:
        verdict = "failed"
    needed = clusters_to_decide(differences, (-width, width), margin) if verdict == "inconclusive" else None
    limits_seen = (found.low, found.high) if turned > 0 else (-found.high, -found.low)
    return Look(
        baseline=float(baseline.mean()),
        candidate=float(candidate.mean()),
        value=turned * found.value,
        low=limits_seen[0],
        high=limits_seen[1],
        p=p,
        questions=len(baseline),
        groups=found.clusters,
        verdict=verdict,
        groups_needed=needed,
    )


def _check_level(gate: Gate, scored: Scored, look: Look | None, baseline: str) -> None:
    """Refuses a gate that no run could pass, which was meant as a level."""
    if look is None:
        return
    low, high = scored.range
    room = high - look.baseline if gate.sign == ">=" else look.baseline - low
    asked = gate.margin if gate.sign == ">=" else -gate.margin
    if asked > room + _SLACK:
        raise UsageError(
            f"--gate {gate.text!r} asks for more than there can be: {baseline} has {look.baseline:.4g} of {high:g}; "
            f"the figure is the difference to the baseline, not a level, such as '{EXAMPLE}'"
        )
