"""How far the scores of a run can be believed, from Python."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from benchwright.benchmarks.releases.release import Release
from benchwright.releases import RELEASES
from benchwright.runs import RUNS, Run, folder_of, opened_release

if TYPE_CHECKING:
    from benchwright.benchmarks.reports.columns import RunData
    from benchwright.benchmarks.reports.metrics.truth import MetricRatings


def score_metric(
    run: Run | str | Path,
    *metrics: str,
    releases: str | Path = RELEASES,
    runs: str | Path = RUNS,
    truth: str = "correct",
    human: str | Path | None = None,
    judge: str | None = None,
    mix_judges: bool = False,
    thresholds: Mapping[str, float] | None = None,
    above: Mapping[str, float] | None = None,
    below: Mapping[str, float] | None = None,
    baseline: Run | str | Path | None = None,
    condition: str | None = None,
    release: Release | str | Path | None = None,
) -> "MetricRatings":
    """Holds the scores of a run by each metric against the truth, as the command `score-metric` does; writes nothing.

    Only what is scored already is rated: nothing is judged anew.

    Args:
        run: the run, a folder, or NAME[/VERSION]/SYSTEM.
        metrics: names; none: all metrics of answers that are scored.
        releases: the folder of releases, where the run's own is.
        runs: the folder of runs.
        truth: the metric that others are held against.
        human: a file of verdicts, compared with the run's scores and never used instead.
        judge: of several who judged in it, take this one.
        mix_judges: put several judges of one metric together.
        thresholds: metric → above it an answer is called right; half-way up its range where it is not named.
        above: metric → above it a score is high; 0.7 of its range where it is not named.
        below: metric → below it a score is low; 0.3 of its range where it is not named.
        baseline: a run that is tested against, where retrieval was right and where it was wrong.
        condition: what the system was given; None: own where that was run, else the first.
        release: the release of the runs, or a reference to it; None: that of their name and version.

    Raises:
        UsageError: a metric is not scored, a threshold is none, or several judges are mixed unasked.
        BenchwrightError: there is no such run, or its release, its scores or the verdicts do not fit it.
    """
    from benchwright.benchmarks.reports.metrics.scale import Asked
    from benchwright.benchmarks.reports.metrics.truth import rate_metrics

    asked = Asked(
        metrics,
        truth,
        None if human is None else Path(human),
        judge,
        mix_judges,
        thresholds or {},
        above or {},
        below or {},
    )
    other = None if baseline is None else _read(baseline, None, release, releases, runs)
    return rate_metrics(_read(run, condition, release, releases, runs), asked, other)


def _read(
    run: Run | str | Path,
    condition: str | None,
    release: Release | str | Path | None,
    releases: str | Path,
    runs: str | Path,
) -> "RunData":
    """A run with its scores."""
    from benchwright.benchmarks.reports.metrics.truth import read_scored

    folder = folder_of(run, runs)
    return read_scored(opened_release(folder, release, releases), folder, condition)
