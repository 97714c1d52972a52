"""Scores a run from its files: no system is asked, and without a judge no network is used."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.judgments import Verdicts, read_verdicts
from benchwright.benchmarks.metrics import Material, Metric, find_metric
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.predictions import OWN
from benchwright.benchmarks.progress import Progress, silent
from benchwright.benchmarks.releases.release import HELDOUT, Release
from benchwright.benchmarks.runs.judge import JUDGE, drop_cut_line, judge_run
from benchwright.benchmarks.runs.plan import Options, Plan, plan_run
from benchwright.benchmarks.runs.run import (
    JUDGMENTS,
    PREDICTIONS,
    RUN,
    SCORES,
    Run,
    ScoringBasis,
    StoredPredictions,
    hold_run,
    read_run,
    write_run,
)
from benchwright.benchmarks.runs.score_table import write_scores
from benchwright.benchmarks.runs.store import PredictionStore
from benchwright.benchmarks.types import Question


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
        client: judges, where it has a model for the role `judge`.
        progress: is told how many answers are scored.

    Raises:
        BenchwrightError: the folder is no run of this release or is held by another process; the predictions, the
            judgments or the metrics are not as they must be.
    """
    check_metrics(metrics)
    run = read_run(folder)
    if run is None:
        raise BenchwrightError(f"{folder} holds no {RUN}: it is not a run")
    manifest = release.manifest
    if run.content_hash != manifest.content_hash:
        raise BenchwrightError(
            f"{folder} is a run on {run.benchmark} {run.version} (content {run.content_hash[:12]}…), not on "
            f"{manifest.name} {manifest.version} (content {manifest.content_hash[:12]}…): score it against that release"
        )
    options = Options(
        split=run.questions.split,
        limit=run.questions.limit,
        seed=run.questions.seed or 0,
        k=k,
        metrics=tuple(metrics),
        judgments=judgments,
    )
    with hold_run(folder):
        return score_held_run(folder, run, plan_run(release, options), options, client, progress)


def score_held_run(
    folder: Path, run: Run, plan: Plan, options: Options, client: Client | None, progress: Progress
) -> ScoredRun:
    """Scores a run whose folder this process holds; see `score_run`."""
    split = plan.split
    verdicts: Verdicts = {}
    if options.judgments is not None:
        verdicts = read_verdicts(options.judgments, split.ids, split.where)
        (folder / JUDGMENTS).write_bytes(options.judgments.read_bytes())
    elif (folder / JUDGMENTS).is_file():
        drop_cut_line(folder / JUDGMENTS)
        if (folder / JUDGMENTS).stat().st_size:
            verdicts = read_verdicts(folder / JUDGMENTS, split.ids, split.where)
    if client is not None and client.has(JUDGE):
        verdicts = judge_run(client, folder, plan.questions, split, options.metrics, verdicts, progress)
    metrics = list(dict.fromkeys(options.metrics)) or default_metrics(plan.questions, options.k)
    if not metrics and options.split == HELDOUT:
        metrics = ["correct"]  # unscored, which says why: the predictions are what a run on held-out questions is for
    if not metrics and not verdicts:
        raise BenchwrightError(f"{split.where} has no gold that a metric could use: name metrics with --metric")
    store = PredictionStore(folder / PREDICTIONS)
    try:
        basis = ScoringBasis(
            metrics=tuple(metrics),
            predictions=StoredPredictions(len(store), store.size),
            judgments=_sha256(folder / JUDGMENTS),
            questions=len(plan.questions),
            benchwright=version("benchwright"),
        )
        if run.scoring == basis and (folder / SCORES).is_file():
            return ScoredRun(run, is_rescored=False)
        attempts = _attempts(store, verdicts)
        counts = write_scores(
            folder / SCORES,
            store,
            plan.questions,
            attempts,
            metrics,
            Material(split.questions, split.documents),
            verdicts,
            lambda done: progress("answers scored", done, len(plan.questions) * len(attempts)),
        )
    finally:
        store.close()
    conditions = tuple(dict.fromkeys(condition for condition, _ in attempts))
    run = replace(run, conditions=conditions, counts=counts, scoring=basis)
    write_run(folder, run)
    return ScoredRun(run, is_rescored=True)


def check_metrics(names: Sequence[str]) -> list[Metric]:
    """The metrics of some names, each once. Raises BenchwrightError where there is none of a name."""
    return [find_metric(name) for name in dict.fromkeys(names)]


def default_metrics(questions: Iterable[Question], k: int) -> list[str]:
    """The metrics that the questions have what is needed for."""
    answers = documents = evidence = False
    for question in questions:
        answers, documents = answers or bool(question.answers), documents or bool(question.documents)
        evidence = evidence or bool(question.evidence)
    names = ["correct", "exact_match", "token_f1", "rouge_l"] if answers else []
    names += [f"evidence_recall@{k}"] if evidence else []
    return names + ([f"hit@{k}", f"recall@{k}", f"precision@{k}", "mrr", f"ndcg@{k}"] if documents else [])


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
