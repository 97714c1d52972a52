"""How far the scores of a run can be believed, from Python."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, overload

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.progress import Progress
from benchwright.benchmarks.releases.release import Release
from benchwright.progress import told
from benchwright.releases import RELEASES
from benchwright.runs import RUNS, Run, folder_of, opened_release

if TYPE_CHECKING:
    from benchwright.benchmarks.reports.columns import RunData
    from benchwright.benchmarks.reports.metrics.injection_figures import InjectionRatings
    from benchwright.benchmarks.reports.metrics.truth import MetricRatings
    from benchwright.benchmarks.reports.pairs.agreement import PairRatings


@overload
def score_metric(
    run: Release,
    *metrics: str,
    runs: str | Path = ...,
    human: str | Path | None = ...,
    coin: int | None = ...,
    models: Sequence[str] = ...,
    base_url: str | Sequence[str] | None = ...,
    max_cost: float | None = ...,
    progress: bool | Progress = ...,
) -> "PairRatings": ...
@overload
def score_metric(
    run: Run | str | Path,
    *metrics: str,
    releases: str | Path = ...,
    runs: str | Path = ...,
    truth: str = ...,
    human: str | Path | None = ...,
    judge: str | None = ...,
    mix_judges: bool = ...,
    thresholds: Mapping[str, float] | None = ...,
    above: Mapping[str, float] | None = ...,
    below: Mapping[str, float] | None = ...,
    baseline: Run | str | Path | None = ...,
    condition: str | None = ...,
    release: Release | str | Path | None = ...,
    models: Sequence[str] = ...,
    base_url: str | Sequence[str] | None = ...,
    max_cost: float | None = ...,
    repeat_judge: int = ...,
    progress: bool | Progress = ...,
) -> "MetricRatings": ...
def score_metric(
    run: Release | Run | str | Path,
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
    coin: int | None = None,
    models: Sequence[str] = (),
    base_url: str | Sequence[str] | None = None,
    max_cost: float | None = None,
    repeat_judge: int = 1,
    progress: bool | Progress = False,
) -> "MetricRatings | PairRatings":
    """Holds the scores of a run by each metric against the truth, as the command `score-metric` does.

    A metric that is named and that the run is not scored by is scored first, as is one that a model is named for: then
    the run's scores and its report are written anew. Nothing else is written.

    Given a release with pairs, it holds metrics against what people chose of them instead, and returns PairRatings. Of
    the arguments only `runs`, `human`, `coin` and those about models are then used; judgments are kept in
    RUNS/NAME/VERSION/pairs.

    Args:
        run: the run, a folder, or NAME[/VERSION]/SYSTEM; or a release with pairs, as `load_release` gives it.
        metrics: names; none: all metrics of answers that are scored; of a release those of RAGAS, gpt_score and
            gpt_ranking, as far as they can be scored.
        releases: the folder of releases, where the run's own is.
        runs: the folder of runs.
        truth: the metric that others are held against.
        human: a file of verdicts, compared with the run's scores and never used instead; those on a recorded random
            sample of its answers also calibrate its means.
        judge: of several who judged in it, take this one.
        mix_judges: put several judges of one metric together.
        thresholds: metric → above it an answer is called right; half-way up its range where it is not named.
        above: metric → above it a score is high; 0.7 of its range where it is not named.
        below: metric → below it a score is low; 0.3 of its range where it is not named.
        baseline: a run that is tested against, where retrieval was right and where it was wrong.
        condition: what the system was given; None: own where that was run, else the first.
        release: the release of the runs, or a reference to it; None: that of their name and version.
        coin: of a release: the seed of a coin that breaks ties; None: a tie counts one half.
        models: language models, `NAME` or `ROLE=NAME`: `judge` judges the metrics that are named.
        base_url: their OpenAI-compatible endpoint, or several, `ROLE=URL`; None: `$OPENAI_BASE_URL`, else OpenAI's.
        max_cost: US dollars, before more of which are spent it stops.
        repeat_judge: times that the model judges each answer: the first counts, the others show how steady it is.
        progress: True writes how far judging is on one line of stderr; a function is told what is done, how much of
            it, and of how much (0: not known).

    Raises:
        UsageError: a metric cannot be scored, a threshold is none, several judges are mixed unasked, or an argument is
            not about what is given.
        BenchwrightError: there is no such run, or its release, its scores or the verdicts do not fit it; or the release
            has no pairs that people chose from.
    """
    from benchwright.benchmarks.reports.metrics.beforehand import refuse_beforehand, to_be_scored
    from benchwright.benchmarks.reports.metrics.scale import Asked
    from benchwright.benchmarks.reports.metrics.truth import rate_metrics, read_scored
    from benchwright.benchmarks.reports.pairs.rated import pairs_folder, rate_release
    from benchwright.benchmarks.runs.score_named import score_named
    from benchwright.cards.report.page import report_run
    from benchwright.clients import client_for

    file = None if human is None else Path(human)
    if isinstance(run, Release):
        given = {
            "truth": truth != "correct", "judge": judge, "mix_judges": mix_judges, "baseline": baseline,
            "thresholds": thresholds, "above": above, "below": below, "condition": condition, "release": release,
            "repeat_judge": repeat_judge > 1,
        }  # fmt: skip
        _refuse_given(given, f"is about a run, and {run.manifest.name} {run.manifest.version} is a release")
        with client_for(models, base_url, max_cost) as client, told(progress) as update:
            return rate_release(run, metrics, pairs_folder(run, Path(runs)), client, coin, file, update)
    _refuse_given({"coin": coin is not None}, "breaks the ties of a release's pairs, and a run is given")
    asked = Asked(
        metrics,
        truth,
        file,
        judge,
        mix_judges,
        thresholds or {},
        above or {},
        below or {},
    )
    folder = folder_of(run, runs)
    opened = opened_release(folder, release, releases)
    other = None if baseline is None else _read(baseline, None, release, releases, runs)
    with client_for(models, base_url, max_cost) as client, told(progress) as update:
        if client is not None:
            refuse_beforehand(read_scored(opened, folder, condition), asked)
        if score_named(opened, folder, to_be_scored(asked), client, update, repeat_judge):
            report_run(opened, folder)
    return rate_metrics(read_scored(opened, folder, condition), asked, other)


def _refuse_given(given: Mapping[str, object], why: str) -> None:
    """Raises UsageError where an argument is given that is not about what is rated."""
    name = next((name for name, value in given.items() if value), None)
    if name is not None:
        raise UsageError(f"{name} {why}: leave it out")


def try_injections(
    run: Run | str | Path,
    *metrics: str,
    models: Sequence[str],
    releases: str | Path = RELEASES,
    runs: str | Path = RUNS,
    limit: int = 20,
    seed: int = 0,
    condition: str | None = None,
    release: Release | str | Path | None = None,
    base_url: str | Sequence[str] | None = None,
    max_cost: float | None = None,
    progress: bool | Progress = False,
) -> "InjectionRatings":
    """How far texts that tell a judge what to say move it, as `score-metric RUN METRIC --injections` measures it.

    Judgments are kept in the run's folder `injections/`, apart from its own; what was judged is not judged again.

    Args:
        run: the run, a folder, or NAME[/VERSION]/SYSTEM.
        metrics: names, of metrics that a model judges.
        models: language models, `NAME` or `ROLE=NAME`: `judge` is the one that is tried.
        releases: the folder of releases, where the run's own is.
        runs: the folder of runs.
        limit: answers that are tried, at most.
        seed: of their choice.
        condition: what the system was given; None: own.
        release: the release of the run, or a reference to it; None: that of its name and version.
        base_url: the models' OpenAI-compatible endpoint; None: `$OPENAI_BASE_URL`, else OpenAI's.
        max_cost: US dollars, before more of which are spent it stops.
        progress: True writes how far judging is on one line of stderr; a function is told so.

    Raises:
        UsageError: no model judges, or a metric is not for a model.
        BenchwrightError: there is no such run, its release does not fit it, or it has no answer.
        StopError: a limit is reached, or the model cannot be asked.
    """
    from benchwright.benchmarks.reports.metrics.injection_figures import rate_injections
    from benchwright.benchmarks.runs.injected import judge_injected
    from benchwright.benchmarks.runs.stored_run import run_on
    from benchwright.clients import client_for

    folder = folder_of(run, runs)
    opened = opened_release(folder, release, releases)
    with client_for(models, base_url, max_cost) as client, told(progress) as update:
        tried = judge_injected(
            opened, folder, metrics, client, limit=limit, seed=seed, condition=condition, progress=update
        )
    return rate_injections(run_on(opened, folder), tried, limit=limit, seed=seed)


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
