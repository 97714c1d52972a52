"""Scores a run from its files: no system is asked, and without a judge no network is used."""

import hashlib
from collections.abc import Collection, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

import jsonlines

from benchwright.benchmarks.catalogue import load_spec
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.judgments import (
    Judgment,
    Verdicts,
    chosen_judges,
    judgment_line,
    read_judgments,
    verdicts_of,
)
from benchwright.benchmarks.metrics import (
    Need,
    ReleaseData,
    default_metrics,
    find_metric,
    judgment_names,
    may_be_judged,
)
from benchwright.benchmarks.metrics.base import Metric
from benchwright.benchmarks.metrics.judged_scales import range_of_computed, refuse_other_scales
from benchwright.benchmarks.metrics.tools import EMBEDDER, JUDGE
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.predictions import CLOSED, OWN
from benchwright.benchmarks.progress import Progress, silent
from benchwright.benchmarks.releases.release import HELDOUT, Release
from benchwright.benchmarks.runs.judge import drop_cut_line, is_judged, judge_run, judges_of, to_be_judged_again
from benchwright.benchmarks.runs.plan import Options, Plan, plan_run
from benchwright.benchmarks.runs.run import (
    JUDGMENTS,
    PREDICTIONS,
    SCORES,
    Run,
    ScoringBasis,
    StoredPredictions,
    hold_run,
    write_run,
)
from benchwright.benchmarks.runs.score_table import write_scores
from benchwright.benchmarks.runs.store import PredictionStore
from benchwright.benchmarks.runs.stored_run import options_of, run_on
from benchwright.benchmarks.runs.uri_file import MAP, kept_uris

_GOLD: tuple[Need, ...] = ("answers", "documents", "evidence")
_ROLES: tuple[Need, ...] = (JUDGE, EMBEDDER)


@dataclass(frozen=True)
class ScoredRun:
    """A run and its scores."""

    run: Run
    """With what was counted."""
    is_rescored: bool
    """False where the scores were up to date."""


def score_run(
    release: Release,
    folder: Path,
    *,
    metrics: Sequence[str] = (),
    k: int = 5,
    judgments: Path | None = None,
    client: Client | None = None,
    progress: Progress = silent,
) -> ScoredRun:
    """Scores the predictions of a run anew, as far as that is needed; nothing is asked of its system.

    Args:
        release: what was asked; the one that run.json names.
        folder: the run's.
        metrics: names; none: all that the release and the run have what is needed for.
        k: contexts that are looked at, in metrics that are not named.
        judgments: verdicts made elsewhere, used instead of computed scores.
        client: judges, where it has models for that.
        progress: is told how many answers are scored.

    Raises:
        BenchwrightError: the folder is no run of this release or is held by another process; the predictions, the
            judgments or the metrics are not as they must be.
    """
    check_metrics(metrics)
    run = run_on(release, folder)
    options = options_of(run, k=k, metrics=tuple(metrics), judgments=judgments)
    with hold_run(folder):
        plan = plan_run(release, options)
        with closing(PredictionStore(folder / PREDICTIONS)) as store:
            return score_held_run(folder, run, store, plan, options, client, progress)


def score_held_run(
    folder: Path,
    run: Run,
    store: PredictionStore,
    plan: Plan,
    options: Options,
    client: Client | None,
    progress: Progress,
    only: Collection[str] | None = None,
) -> ScoredRun:
    """Scores a run whose folder this process holds, given its predictions; see `score_run`.

    Args:
        only: of the metrics, those that the judge is asked about; the other judgments stay, and so does the metric that
            leads. None: all.
    """
    metrics = [find_metric(name) for name in _metrics(plan, options, client, store)]
    judgments, given = _judgments(folder, plan, options)
    if not metrics and not judgments:
        raise BenchwrightError(
            f"{plan.split.where} has no gold that a metric could use: hand in verdicts with --judgments FILE"
        )
    own: set[tuple[str, str]] = set()
    said = {name for name, _ in given}
    wanted = [each for each in metrics if each.name not in said and (only is None or each.name in only)]
    judged = [each for each in wanted if client is not None and is_judged(client, each)]
    if client is not None and judged:
        judgments = _judged(client, folder, plan, judged, judgments, progress, options.repeat_judge)
        own = {(name, str(each)) for name, each in judges_of(client, judged).items()}
    primary = primary_metric(plan.split.release, options.k) if only is None else run.scoring.primary
    judges = chosen_judges(judgments, given, own, run.scoring.judges)
    basis = ScoringBasis(
        metrics=tuple(metric.name for metric in metrics),
        primary=primary if primary in {metric.name for metric in metrics} else None,
        predictions=StoredPredictions(len(store), store.size, len(store.failed)),
        judgments=_sha256(folder / JUDGMENTS),
        judges=judges,
        uris=_sha256(folder / MAP),
        questions=len(plan.questions),
        benchwright=version("benchwright"),
    )
    if run.scoring == basis and (folder / SCORES).is_file():
        return ScoredRun(run, is_rescored=False)
    verdicts = verdicts_of(judgments, judges)
    attempts = _attempts(store, verdicts)
    counts = write_scores(
        folder / SCORES,
        store,
        plan.questions,
        attempts,
        metrics,
        ReleaseData(plan.split.questions, plan.split.documents),
        verdicts,
        lambda done: progress("answers scored", done, len(plan.questions) * len(attempts)),
        kept_uris(folder),
    )
    conditions = tuple(dict.fromkeys(condition for condition, _ in attempts))
    counts = replace(counts, bad_lines=run.counts.bad_lines, unmatched=run.counts.unmatched)
    questions = replace(run.questions, repeats=len({repeat for _, repeat in attempts}))
    run = replace(run, questions=questions, conditions=conditions, counts=counts, scoring=basis)
    write_run(folder, run)
    return ScoredRun(run, is_rescored=True)


def _judgments(folder: Path, plan: Plan, options: Options) -> tuple[list[Judgment], set[tuple[str, str]]]:
    """All judgments of a run, those given now put into its file; and metric and judge of those given now.

    What is given takes the place of what the same judge had said by the same metric; other judges' verdicts stay. Who
    only looked at the steps of a metric's judge has not judged by it.
    """
    path = folder / JUDGMENTS
    there: list[Judgment] = []
    if path.is_file():
        drop_cut_line(path)
        there = read_given_judgments(path, plan) if path.stat().st_size else []
    if options.judgments is None:
        return there, set()
    given = read_given_judgments(options.judgments, plan)
    pairs = {(each.metric, str(each.judge)) for each in given}
    kept = [each for each in there if (each.metric, str(each.judge)) not in pairs]
    content = options.judgments.read_bytes()
    write_judgments(path, kept, content if content.endswith(b"\n") else content + b"\n")
    return [*given, *kept], {(each.metric, str(each.judge)) for each in given if not each.is_of_step}


def _judged(
    judge: Client,
    folder: Path,
    plan: Plan,
    metrics: Sequence[Metric],
    judgments: list[Judgment],
    progress: Progress,
    times: int,
) -> list[Judgment]:
    """All judgments of a run: what was lacking is judged, and what gave no usable reply is judged again."""
    if again := {each.key for each in to_be_judged_again(judge, metrics, judgments)}:
        judgments = [each for each in judgments if each.key not in again]
        if not judge.settings.estimate:
            write_judgments(folder / JUDGMENTS, judgments)
    return [*judgments, *judge_run(judge, folder, plan, metrics, judgments, progress, times)]


def write_judgments(path: Path, judgments: Sequence[Judgment], before: bytes = b"") -> None:
    """Writes a file of judgments anew, in one step."""
    part = path.with_name(f".{path.name}")
    with part.open("wb") as file:
        file.write(before)
        with jsonlines.Writer(file) as writer:
            writer.write_all(judgment_line(each) for each in judgments)
    part.replace(path)


def read_given_judgments(path: Path, plan: Plan) -> list[Judgment]:
    """The judgments of a file about the questions of a plan's split.

    Raises:
        BenchwrightError: a line is none, or is not on its metric's scale.
    """
    found = read_judgments(path, plan.split.ids, plan.split.where, may_be_judged, judgment_names())
    refuse_other_scales(path, found, range_of_computed)
    return found


def _metrics(plan: Plan, options: Options, client: Client | None, store: PredictionStore) -> list[str]:
    """The names of what is computed: as named, else all that have what they need."""
    if options.metrics:
        return list(dict.fromkeys(options.metrics))
    names = metrics_that_fit(plan, options.k, client, store)
    if not names and options.split == HELDOUT:
        return ["correct"]  # unscored, which says why: the predictions are what a run on held-out questions is for
    return names


def metrics_that_fit(plan: Plan, k: int, client: Client | None, store: PredictionStore) -> list[str]:
    """The names of the metrics that the questions of a plan and the predictions have all that is needed for."""
    release = plan.split.release
    return default_metrics(_there(plan, client, store), k, primary_metric(release, k), release.manifest.splits)


def judged_metrics(plan: Plan, options: Options, client: Client) -> list[Metric]:
    """The metrics that a model would judge the answers of a run by, before there are any."""
    there = _there(plan, client, None) | ({"samples"} if options.samples else set())
    names = options.metrics or default_metrics(there, options.k, None, plan.split.release.manifest.splits)
    return [metric for name in dict.fromkeys(names) if is_judged(client, metric := find_metric(name))]


def _there(plan: Plan, client: Client | None, store: PredictionStore | None) -> set[Need]:
    """What the questions and the run have of what metrics need."""
    there: set[Need] = {"answer", "contexts"}
    for question in plan.questions:
        there |= {name for name in _GOLD if getattr(question, name)}
        if there.issuperset(_GOLD):
            break
    if any(question.answer_type == "set" for question in plan.questions):
        there.add("lists")
    if store is not None and store.has_samples:
        there.add("samples")
    if any(condition == CLOSED for _, condition, _ in (plan.keys if store is None else store.keys)):
        there.add("closed")
    if client is not None:
        there |= {role for role in _ROLES if client.has(role) and role not in client.settings.implied}
    return there


def primary_metric(release: Release, k: int = 5) -> str | None:
    """The metric that leads, as the spec of the release's builder says; None where the builder is not installed."""
    try:
        return load_spec(release.manifest.builder).primary_metric.replace("@k", f"@{k}")
    except BenchwrightError:
        return None


def check_metrics(names: Sequence[str]) -> None:
    """Raises UsageError where there is no metric of a name, or it is not one of single predictions."""
    for name in names:
        if find_metric(name).unit != "prediction":
            raise UsageError(f"metric {name!r} compares pairs: it cannot score a run, but a release with pairs")


def _attempts(store: PredictionStore, verdicts: Verdicts) -> list[tuple[str, int]]:
    """The conditions and repeats of a run, `own` first.

    Raises:
        BenchwrightError: a judgment is of one that the run has no prediction of.
    """
    there = {(condition, repeat) for _, condition, repeat in store.keys} or {(OWN, 0)}
    for name, condition, repeat in verdicts:
        if (condition, repeat) not in there:
            raise BenchwrightError(
                f"a judgment of {name!r} is of the condition {condition!r}, repeat {repeat}, of which the run has no "
                "prediction: correct the judgments"
            )
    return sorted(there, key=lambda attempt: (attempt[0] != OWN, attempt))


def _sha256(path: Path) -> str | None:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
