"""Scores a run by metrics that are named and that it lacks; its other metrics and their scores stay as they are."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pyarrow.parquet as pq

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.metrics import find_metric, may_be_judged, metric_names
from benchwright.benchmarks.metrics.base import Metric
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.money.costs import Estimated
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.progress import Progress, silent
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.runs.judge import estimate_judging, is_judged
from benchwright.benchmarks.runs.plan import plan_run
from benchwright.benchmarks.runs.run import PREDICTIONS, SCORES, hold_run
from benchwright.benchmarks.runs.score import check_metrics, score_held_run
from benchwright.benchmarks.runs.store import PredictionStore, stored_predictions
from benchwright.benchmarks.runs.stored_run import options_of, run_on


def score_named(
    release: Release,
    folder: Path,
    names: Sequence[str],
    client: Client | None = None,
    progress: Progress = silent,
    repeat_judge: int = 1,
) -> bool:
    """Scores a run by the metrics among some that it is not scored by yet, so that they can be rated.

    Those that a model judges are judged by the one that the client has for that, as far as it has not judged them;
    without one, what is lacking is scored by rule. The answers of all conditions are judged, since a
    report compares them. Judgments are kept as they arrive. The run's report is then out of
    date: make it anew.

    Args:
        release: the run's.
        folder: the run's.
        names: of metrics; what people judge by and is no metric here is left out.
        client: judges, where it has a model for it. With `estimate` set, it is only told what it would be asked.
        progress: is told how many answers are judged and scored.
        repeat_judge: times that each answer is judged in all; see `judge_run`.

    Returns:
        Whether scores were written.

    Raises:
        Estimated: nothing was asked, as was wanted; the client's ledger has what it would take.
        UsageError: a model is named and none of the metrics is for a model; or only a model can judge one of them.
        BenchwrightError: the run is not of this release, or is held by another process.
        StopError: a limit is reached, or the model cannot be asked.
    """
    there = _scored(folder)
    metrics = list(_metrics(names, there))
    check_metrics([metric.name for metric in metrics])
    judged = [metric for metric in metrics if client is not None and is_judged(client, metric)]
    if client is not None and client.settings.endpoints and not judged:
        for metric in metrics:
            if metric.judged is not None:
                lacks = f"{metric.name} takes a model that plays {metric.role}"
                raise UsageError(f"{lacks}: name one with --model {metric.role}=NAME")
        said = f"{', '.join(names)}: no model judges that" if names else "no metric is named that the model is to judge"
        raise UsageError(f"{said}; name a metric that a model judges, or leave out --model")
    if repeat_judge > 1 and not judged:
        raise UsageError("--repeat-judge is about a model that judges: name one with --model judge=NAME")
    lacking = [
        metric
        for metric in metrics
        if metric in judged or metric.name not in there or not (there[metric.name] or metric.rule)
    ]
    if not lacking:
        return False
    for metric in lacking:
        if metric.rule is None and metric not in judged:
            raise UsageError(f"{metric.name} is judged by a model: name one with --model {metric.role}=NAME")
    run = run_on(release, folder)
    every = list(dict.fromkeys([*run.scoring.metrics, *(metric.name for metric in lacking)]))
    options = options_of(run, metrics=tuple(every), repeat_judge=repeat_judge)
    plan = plan_run(release, options)
    if client is not None and client.settings.estimate:
        estimate_judging(client, plan, judged, _answered(folder), repeat_judge)
        raise Estimated
    with hold_run(folder), closing(PredictionStore(folder / PREDICTIONS)) as store:
        only = {metric.name for metric in judged}
        return score_held_run(folder, run, store, plan, options, client, progress, only).is_rescored


def _metrics(names: Sequence[str], there: Collection[str]) -> Iterator[Metric]:
    """The metrics of names. What people judge by is none, though a run may be scored by it."""
    for name in dict.fromkeys(names):
        if name in metric_names() or "@" in name or not (name in there or may_be_judged(name)):
            yield find_metric(name)


def _scored(folder: Path) -> dict[str, bool]:
    """The metrics that a run's scores are of, and whether there is a value by it."""
    path = folder / SCORES
    if not path.is_file():
        return {}
    table = pq.read_table(path, columns=["metric", "value"], read_dictionary=["metric"])
    valued = set(table.filter(table["value"].is_valid())["metric"].unique().to_pylist())
    return {str(name): name in valued for name in table["metric"].unique().to_pylist()}


def _answered(folder: Path) -> Iterator[Prediction]:
    """The predictions of a run that have something to judge."""
    return (each for each in stored_predictions(folder / PREDICTIONS) if not each.is_failed)
