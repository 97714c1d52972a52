"""Retrievers, and metrics where retrieval was right and where it was wrong, of any runs on one release.

Tables 1 to 4 of the paper on RAG metrics in the telecom domain (Roychowdhury et al. 2024): how often retrievers find
what is needed, each metric by that, what differs from a baseline, and what metrics say beside people. One run is held
in memory at a time, and the baseline.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from benchwright.benchmarks.comparisons.believed import BelievedRun, ExtremesOfRun, believe, with_tests
from benchwright.benchmarks.comparisons.read import names_of, settings_of, with_baseline
from benchwright.benchmarks.comparisons.retrievers import RetrieversOfRuns, retriever_of, retrievers_of
from benchwright.benchmarks.comparisons.score_files import ScoreFiles
from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.judgments import COMPUTED
from benchwright.benchmarks.metrics import find_metric
from benchwright.benchmarks.progress import Progress, silent
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.columns import RunData, in_condition, load_run
from benchwright.benchmarks.reports.format import reasons
from benchwright.benchmarks.reports.metrics.baseline import BaselineDifference, compare_with_baseline
from benchwright.benchmarks.reports.metrics.figures import NO_REASON, judges_of, tally
from benchwright.benchmarks.reports.metrics.retrieval_split import RetrievalSplit, split_by

SIX = (
    "faithfulness",
    "answer_relevance",
    "context_relevance",
    "answer_similarity",
    "answer_correctness",
    "factual_correctness",
)
"""The metrics of the paper's Table 2."""
PAIR = ("faithfulness", "factual_correctness")
"""Those that its Tables 3 and 4 are of."""
NOT_SCORED = "not scored"
OTHER_JUDGES = "other judges judged it than in the baseline: have both judged alike, or add --mix-judges"


@dataclass(frozen=True, slots=True)
class MetricsOfRun:
    """Table 2 of one run: each metric where retrieval was right and where it was wrong."""

    run: str
    split: RetrievalSplit
    judges: Mapping[str, Mapping[str, int]]
    """Metric → who gave the scores → of how many answers."""
    lacking: Mapping[str, str]
    """Metric without a score → why."""
    unscored: Mapping[str, Mapping[str, int]]
    """Metric with scores of some answers → why others have none → how many."""


@dataclass(frozen=True, slots=True)
class RunAgainstBaseline:
    """Table 3 of one run: what differs from the baseline, over all answers, and where retrieval was right and wrong."""

    run: str
    reason: str | None
    """Why the parts are not told apart; null where they are."""
    differences: tuple[BaselineDifference, ...]
    lacking: Mapping[str, str]
    """Metric → why it is not compared."""


@dataclass(frozen=True, slots=True)
class ByRetrieval:
    """Tables 1 to 4. As JSON it is `by-retrieval.json`, whose schema is `by-retrieval.schema.json` beside this module;
    shares and values go from 0 to 1."""

    benchmark: str
    version: str
    content_hash: str
    condition: str
    runs: tuple[str, ...]
    """In the order given, as everywhere."""
    baseline: str
    """The run that the others are held against: the first, where none was named."""
    metrics: tuple[str, ...]
    """Of Table 2."""
    pair: tuple[str, ...]
    """The metrics of Tables 3 and 4."""
    retrievers: RetrieversOfRuns
    by_retrieval: tuple[MetricsOfRun, ...]
    against: tuple[RunAgainstBaseline, ...]
    """Of each run but the baseline."""
    believed: tuple[BelievedRun, ...]
    notes: tuple[str, ...]
    built_in: tuple[str, ...]
    """What of answers and texts was made by rules, which are for trying things out."""


def tables_by_retrieval(
    release: Release,
    folders: Sequence[Path],
    *,
    metrics: Sequence[str] = (),
    condition: str | None = None,
    baseline: Path | None = None,
    human: Mapping[Path, Path] = MappingProxyType({}),
    mix_judges: bool = False,
    progress: Progress = silent,
) -> ByRetrieval:
    """Tables 1 to 4 of runs.

    Args:
        release: what all runs are of.
        folders: those of the runs.
        metrics: what Table 2 is of; none: the six of the paper. Tables 3 and 4 are of faithfulness and
            factual_correctness where both are among them, else of the first two.
        condition: what the systems were given; None: their own retrieval, else the one that all have.
        baseline: the folder of the run that others are held against, which may be among them; None: the first.
        human: folder of a run → file with people's verdicts on its answers; of a run that is not named its
            `human.jsonl`, which `annotate` writes, where there is one.
        mix_judges: compare scores of different judges, and put several people who judged together.
        progress: is told of runs read.

    Raises:
        UsageError: a run is given twice, lacks the condition, or a metric is unknown.
        BenchwrightError: a run cannot be read or is of another release, or verdicts in a file of `human` are not of its
            answers.
    """
    held, place = with_baseline(folders, baseline)
    settings = settings_of(release, held)
    files = ScoreFiles(held)
    shown = files.common_condition(condition)
    for name in metrics:
        if not any(name in there for there, _ in files.found):
            find_metric(name)
    names, reference = names_of(held), place or 0
    wanted = tuple(dict.fromkeys(metrics)) or SIX
    pair = PAIR if set(PAIR) <= set(wanted) else wanted[:2]
    said = {folder.resolve(): path for folder, path in human.items()}
    _refuse_strangers(said, held)

    def read(folder: Path) -> RunData:
        return in_condition(load_run(release, folder), shown)

    first = read(held[reference])
    retrievers, splits, against = [], [], []
    believed: list[tuple[BelievedRun, ExtremesOfRun]] = []
    for number, (folder, name) in enumerate(zip(held, names, strict=True)):
        run = first if number == reference else read(folder)
        retrievers.append(retriever_of(run, name))
        splits.append(_metrics_of(run, name, wanted))
        if number != reference:
            against.append(_against(run, first, name, pair, mix_judges=mix_judges))
        believed.append(believe(run, name, pair, said.get(folder.resolve()), mix_judges=mix_judges))
        progress("runs read", number + 1, len(held))
    systems = [each.system for each in settings]
    return ByRetrieval(
        benchmark=release.manifest.name,
        version=release.manifest.version,
        content_hash=release.manifest.content_hash,
        condition=shown,
        runs=tuple(names),
        baseline=names[reference],
        metrics=wanted,
        pair=pair,
        retrievers=retrievers_of(release, retrievers, reference),
        by_retrieval=tuple(splits),
        against=tuple(against),
        believed=with_tests(believed, reference),
        notes=tuple(_notes([each.scoring.benchwright for each in settings], splits)),
        built_in=(*(("reader",) if any(each.builtin for each in systems) else ()), *release.manifest.built_in_texts),
    )


def _refuse_strangers(human: Mapping[Path, Path], folders: Sequence[Path]) -> None:
    there = {folder.resolve() for folder in folders}
    for folder in human:
        if folder not in there:
            raise UsageError(f"--human names {folder.name}, which is none of the runs: {', '.join(names_of(folders))}")


def _metrics_of(run: RunData, name: str, wanted: Sequence[str]) -> MetricsOfRun:
    """The metrics of a run over both parts, and what has no score."""
    asked = run.condition.where(run.shown) & run.questions.headline[run.question]
    judges, lacking, unscored = {}, {}, {}
    for metric in wanted:
        if metric not in run.metrics:
            lacking[metric] = NOT_SCORED
            continue
        column = run.metrics.index(metric)
        scored = asked & run.is_scored[:, column]
        codes = run.reasons.codes[np.flatnonzero(asked & ~scored), column]
        why = tally(run.reasons.names, codes, NO_REASON)
        if not scored.any():
            lacking[metric] = reasons(why) or "no answer was asked for"
            continue
        judges[metric] = judges_of(run, metric, scored)
        if why:
            unscored[metric] = why
    return MetricsOfRun(name, split_by(run, [each for each in wanted if each in judges]), judges, lacking, unscored)


def _against(
    run: RunData, baseline: RunData, name: str, pair: Sequence[str], *, mix_judges: bool
) -> RunAgainstBaseline:
    lacking: dict[str, str] = {}
    for metric in pair:
        if not _judges(run, metric):
            lacking[metric] = "the run has no score of it"
        elif not mix_judges and _judges(baseline, metric) and _judges(run, metric) != _judges(baseline, metric):
            lacking[metric] = OTHER_JUDGES
    found = compare_with_baseline(run, baseline, [metric for metric in pair if metric not in lacking])
    reason = None if found.by else "not told apart, as the two runs were not scored by the same metric of retrieval"
    return RunAgainstBaseline(name, reason, found.differences, {**lacking, **found.lacking})


def _judges(run: RunData, metric: str) -> frozenset[str]:
    """Who gave the scores of the headline's answers; beside a judge, what rules decided is the judge's way."""
    if metric not in run.metrics:
        return frozenset()
    column = run.metrics.index(metric)
    wanted = run.condition.where(run.shown) & run.questions.headline[run.question] & run.is_scored[:, column]
    found = tally(run.judges.names, run.judges.codes[np.flatnonzero(wanted), column], COMPUTED)
    return frozenset(each for each in found if each != COMPUTED or len(found) == 1)


def _notes(versions: Sequence[str], splits: Sequence[MetricsOfRun]) -> list[str]:
    """What may make a difference of its own."""
    found = []
    if len(set(versions)) > 1:
        said = " and ".join(version or "an unknown version" for version in dict.fromkeys(versions))
        found.append(f"the runs were scored by different versions of benchwright ({said}): score all of them again")
    by: dict[str, str] = {}
    for each in splits:
        if each.split.by is not None:
            by.setdefault(each.split.by.partition("@")[0], each.run)
    if len(by) > 1:
        said = "; ".join(f"{run} by {metric}" for metric, run in by.items())
        found.append(f"not the same metric says in which answers retrieval was right ({said}): score all runs alike")
    return found


def by_retrieval_schema() -> dict[str, Any]:
    """The JSON Schema of `by-retrieval.json`."""
    from pydantic import TypeAdapter

    return TypeAdapter(ByRetrieval).json_schema(mode="serialization")
