"""The comparison of several runs on one release, written as `compare.json`.

read       the runs' scores, question by question    figures    means, ranks, all pairs tested at once
judges     who judged                                slices     by form, kind, hops and subset
missing    what a run lacks                          answers    right, wrong, abstained; robust groups
differing  groups that systems differ on             said       what they said there
effort     tokens, retrievals, cost                  retrievers accuracy at 1, 3 and 5 contexts
blocks     what is drawn of all that
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchwright.benchmarks.comparisons.answers import AnswerShares, ComparedWordings, answer_shares, compare_wordings
from benchwright.benchmarks.comparisons.compared import IN_PART, Compared, ComparedRun
from benchwright.benchmarks.comparisons.differing import Differing, differing_groups
from benchwright.benchmarks.comparisons.effort import Effort, efforts_of
from benchwright.benchmarks.comparisons.figures import CONFIDENCE, MetricComparison, compare_by
from benchwright.benchmarks.comparisons.gate import GateResult
from benchwright.benchmarks.comparisons.judges import is_mixed, mixed_by_question, said_judges, without_mixed_judges
from benchwright.benchmarks.comparisons.missing import RunGaps, gaps_of
from benchwright.benchmarks.comparisons.read import read_runs, with_baseline
from benchwright.benchmarks.comparisons.retrievers import ComparedRetrievers, compare_retrievers
from benchwright.benchmarks.comparisons.slices import ComparedSlices, compare_slices
from benchwright.benchmarks.comparisons.smalltalk import SmalltalkDifference, smalltalk_differences
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.progress import Progress, silent
from benchwright.benchmarks.records import as_json
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.blocks import cut
from benchwright.benchmarks.reports.format import number_of

COMPARISON = "compare.json"


@dataclass(frozen=True, slots=True)
class ComparedSystem:
    """One of the runs."""

    name: str
    """What it is called in this comparison."""
    system: str
    kind: str
    """In what way it was given: a module, HTTP, a file, a baseline, …"""
    reference: str
    """As it stood on the command line."""
    settings: Mapping[str, Any]
    built_in: bool
    """Its answers were made by our rules: for trying things out."""
    questions: int
    """That it was asked."""
    scored_by: str
    """The version of benchwright that scored it."""


@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    """Several systems on the questions that all have scores of. As JSON it is `compare.json`.

    Its schema is `compare.schema.json` beside this module. Shares and values go from 0 to 1.
    """

    benchmark: str
    version: str
    content_hash: str
    condition: str
    baseline: str | None
    """The run that others are held against, where one was named."""
    built_in_texts: tuple[str, ...]
    """Which texts of the release no person and no language model wrote."""
    runs: tuple[ComparedSystem, ...]
    """In the order given, as everywhere where nothing else is said."""
    metrics: Mapping[str, MetricComparison]
    """The leading one first."""
    answers: tuple[AnswerShares, ...]
    slices: ComparedSlices
    wordings: ComparedWordings
    differing: Differing
    missing: tuple[RunGaps, ...]
    effort: tuple[Effort, ...]
    smalltalk: tuple[SmalltalkDifference, ...]
    """What runs took for the same small talk, against the baseline or the first run that was asked it."""
    retrievers: ComparedRetrievers | None
    """Null where no metric that all runs have tells how far up stands what is needed, or a run was asked repeatedly."""
    notes: tuple[str, ...]
    """What a reader should know before believing a difference."""
    gates: tuple[GateResult, ...] = ()
    """What was decided of runs for continuous integration, each against the baseline or, without one, the first run."""

    @property
    def leading(self) -> MetricComparison:
        """The comparison by the metric that leads."""
        return next(iter(self.metrics.values()))

    def __repr__(self) -> str:
        return f"<{len(self.runs)} systems compared on {self.benchmark} {self.version}>"


def compare_runs(
    release: Release,
    folders: Sequence[Path],
    *,
    metrics: Sequence[str] = (),
    condition: str | None = None,
    baseline: Path | None = None,
    mix_judges: bool = False,
    progress: Progress = silent,
) -> Comparison:
    """Compares runs on a release.

    The leading metric is tested at 0.05 over all pairs of systems; metrics that are named beside it at 0.05 together,
    each at an equal part of that (Bonferroni). What is not named is shown and not tested.

    Args:
        release: what all runs are of.
        folders: those of the runs.
        metrics: what they are compared by, the leading one first; none: all that they have in common.
        condition: what the systems were given; None: their own retrieval, else the one that all have.
        baseline: the folder of the run that others are held against; it is compared too, where it is not among them.
        mix_judges: compare scores also where other judges judged in one run than in another.
        progress: is told of runs read and tests made.

    Raises:
        UsageError: there are fewer than two runs, or one is given twice, or lacks a metric or the condition.
        BenchwrightError: a run cannot be read or is of another release, or other judges judged it.
    """
    held, place = with_baseline(folders, baseline)
    compared = read_runs(release, held, metrics=metrics or None, condition=condition, progress=progress)
    mixed: tuple[str, ...] = ()
    if not mix_judges:
        compared, mixed = without_mixed_judges(compared, named=bool(metrics))
    name = None if place is None else compared.names[place]
    compared, unscored = _without_unscored(compared, named=bool(metrics))
    _check_common(compared)
    others = max(1, len(metrics) - 1)
    found: dict[str, MetricComparison] = {}
    for number, metric in enumerate(compared.metrics):
        confidence = CONFIDENCE if not number else 1 - (1 - CONFIDENCE) / others
        found[metric] = compare_by(
            compared,
            metric,
            confidence=confidence,
            baseline=place,
            tested=not number or bool(metrics),
            progress=progress,
        )
    leading = found[compared.metrics[0]]
    return Comparison(
        benchmark=release.manifest.name,
        version=release.manifest.version,
        content_hash=release.manifest.content_hash,
        condition=compared.condition,
        baseline=name,
        built_in_texts=tuple(release.manifest.built_in_texts),
        runs=tuple(_system(run) for run in compared.runs),
        metrics=found,
        answers=answer_shares(compared),
        slices=compare_slices(compared),
        wordings=compare_wordings(compared),
        differing=differing_groups(compared, leading, name),
        missing=gaps_of(compared),
        effort=efforts_of(compared.runs),
        smalltalk=smalltalk_differences(compared.runs, name),
        retrievers=compare_retrievers(compared, name),
        notes=tuple(_notes(compared, mixed, unscored, named=bool(metrics))),
    )


def _without_unscored(compared: Compared, *, named: bool) -> tuple[Compared, tuple[str, ...]]:
    """The runs without metrics that no run has a score of, and the names of these; nothing where a user named them."""
    headline = compared.questions.headline[:, None]
    nothing = tuple(name for name, scored in compared.scored.items() if not (scored.is_scored & headline).any())
    if named or len(nothing) == len(compared.scored):
        return compared, ()
    return replace(
        compared, scored={name: compared.scored[name] for name in compared.scored if name not in nothing}
    ), nothing


def _check_common(compared: Compared) -> None:
    """Raises BenchwrightError where no question has a score of the leading metric in all runs."""
    metric = compared.metrics[0]
    if compared.common(metric).any():
        return
    counts = (compared.scored[metric].is_scored & compared.questions.headline[:, None]).sum(axis=0).tolist()
    fewest = sorted(zip(counts, compared.names, range(len(counts)), strict=True))[:3]
    why = compared.scored[metric].why_unscored(fewest[0][2], compared.questions.headline)
    said = "; ".join(f"{name} has {number:,}" for number, name, _ in fewest)
    said += f"; what {fewest[0][1]} lacks is mostly: {cut(next(iter(why)), 100)}" if why else ""
    raise BenchwrightError(
        f"no question has a score of {metric} in all {len(compared.runs)} runs ({said}): leave out a run, or choose "
        "another --metric"
    )


def _system(run: ComparedRun) -> ComparedSystem:
    system = run.settings.system
    return ComparedSystem(
        name=run.name,
        system=system.name,
        kind=system.kind,
        reference=system.reference,
        settings=system.settings,
        built_in=system.builtin,
        questions=run.settings.questions.count,
        scored_by=run.settings.scoring.benchwright,
    )


def _notes(compared: Compared, mixed: Sequence[str], unscored: Sequence[str], *, named: bool) -> list[str]:
    """What differs between the runs that may make a difference of its own."""
    found, runs = [], compared.runs
    primary = next((run.settings.scoring.primary for run in runs if run.settings.scoring.primary), None)
    lacking = [run.name for run in runs if primary is not None and primary not in run.metrics]
    if lacking and not named:
        found.append(
            f"{primary} leads this benchmark and is not scored in {', '.join(lacking[:5])}: {compared.metrics[0]} "
            "leads here; score the system again"
        )
    versions = {run.settings.scoring.benchwright: run.name for run in runs}
    if len(versions) > 1:
        said = " and ".join(f"{name} by {version or 'an unknown version'}" for version, name in versions.items())
        found.append(f"scored by different versions of benchwright ({said}): score all of them again")
    partly = {
        run.name: number for place, run in enumerate(runs) if (number := compared.in_part(compared.metrics[0], place))
    }
    if partly:
        said = "; ".join(f"{name}: {number_of(number, 'question')}" for name, number in partly.items())
        found.append(
            f"{IN_PART} by {compared.metrics[0]} ({said}): means are over the others, so that a system that leaves out "
            "what it cannot answer looks better than it is"
        )
    repeats = {run.repeats: run.name for run in runs}
    if len(repeats) > 1:
        said = ", ".join(f"{name} {number}" for number, name in sorted(repeats.items()))
        found.append(f"questions were answered a different number of times ({said}): means over repeats are compared")
    for metric, scored in compared.scored.items():
        if is_mixed(scored):
            said = (_judged(compared.names, scored.judges), mixed_by_question(compared, scored))
            found.append(f"{metric}: {'; '.join(filter(None, said))}")
    if mixed:
        found.append(f"{', '.join(mixed)}: not compared, as other judges judged in one run than in another")
    if unscored:
        found.append(f"{', '.join(unscored)}: not compared, as no run has a score of it")
    if compared.left_out:
        found.append(f"{', '.join(compared.left_out)}: not compared, as there are many runs; name them with --metric")
    return found


def _judged(names: Sequence[str], judges: Sequence[Sequence[str]]) -> str:
    """Whose judgments are mixed."""
    by_judge: dict[str, list[str]] = {}
    for name, its in zip(names, judges, strict=True):
        by_judge.setdefault(said_judges(its), []).append(name)
    return "; ".join(f"{', '.join(of[:5])} {said}" for said, of in by_judge.items())


def save_comparison(comparison: Comparison, folder: Path) -> Path:
    """Writes `compare.json` into a folder, in one step, and returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / COMPARISON
    part = path.with_name(f".{COMPARISON}")
    text = json.dumps(as_json(comparison), ensure_ascii=False, indent=1, allow_nan=False)
    part.write_bytes(text.encode("utf-8", "backslashreplace") + b"\n")
    part.replace(path)
    return path


def comparison_schema() -> dict[str, Any]:
    """The JSON Schema of `compare.json`."""
    from pydantic import TypeAdapter

    return TypeAdapter(Comparison).json_schema(mode="serialization")
