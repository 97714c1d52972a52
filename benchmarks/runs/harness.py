"""Scoring a system against a release: ask what is not answered yet, then score everything that is."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, NoReturn

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.judgments import Verdicts, read_verdicts
from benchwright.benchmarks.metrics import Material
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.costs import Estimated
from benchwright.benchmarks.naming import check_name
from benchwright.benchmarks.releases.release import HELDOUT, Release
from benchwright.benchmarks.releases.rows import ReleaseSplit, sample_questions
from benchwright.benchmarks.runs import run as runs
from benchwright.benchmarks.runs import score as scoring
from benchwright.benchmarks.runs.ask import Worker, ask
from benchwright.benchmarks.runs.judge import JUDGE, drop_cut_line, judge_run
from benchwright.benchmarks.systems.base import System
from benchwright.benchmarks.systems.opening import is_file, open_system
from benchwright.benchmarks.systems.predictions_file import check_origin, check_predictions, copy_predictions, open_file
from benchwright.benchmarks.types import Question

Progress = Callable[[str, int, int], None]
"""Is told what is done, how much of it, and of how much."""


@dataclass(frozen=True)
class Options:
    """How a system is scored."""

    split: str = "test"
    k: int = 5
    """Contexts that are read and looked at."""
    metrics: tuple[str, ...] = ()
    """Names; none: all that the release has what is needed for."""
    limit: int | None = None
    """A seeded sample of so many questions."""
    seed: int = 0
    timeout: float = 60.0
    workers: int | None = None
    judgments: Path | None = None
    again: bool = False


@dataclass(frozen=True)
class Scored:
    """What was done."""

    folder: Path
    asked: int
    """Answers that were got now."""
    reused: int
    """Answers that were there already."""
    is_rescored: bool
    """False where the scores were up to date."""
    counts: Mapping[str, Any]
    warnings: tuple[str, ...] = ()

    @property
    def summary(self) -> list[str]:
        """What was done, and what is missing, foreign or cut, as lines."""
        done = "scored" if self.is_rescored else "the scores were up to date"
        lines = [f"{self.asked:,} answers asked, {self.reused:,} answers reused; {done}"]
        words = {
            "missing": "{:,} questions have no prediction: unscored",
            "errors": "{:,} errors of the system: unscored where an answer is needed; --again asks all anew",
            "cut": "{:,} answers were cut: too long",
        }
        lines += [words[name].format(self.counts[name]) for name in words if self.counts.get(name)]
        contexts = self.counts.get("contexts", {})
        if contexts.get("foreign") or contexts.get("text"):
            lines.append(
                f"contexts: {contexts['id']:,} matched by id, {contexts['text']:,} by text, "
                f"{contexts['foreign']:,} foreign"
            )
        return lines


def score_system(
    release: Release,
    reference: str,
    *,
    output: Path,
    name: str | None = None,
    options: Options = Options(),
    client: Client | None = None,
    progress: Progress = lambda what, done, total: None,
) -> Scored:
    """Asks a system a release's questions and scores its answers, going on where an earlier start stopped.

    The run lies in OUTPUT/NAME/VERSION/SYSTEM. See `benchmarks/runs.py` for its files. With a client that has a model
    for the role `system`, the baselines answer with it.

    Raises:
        UsageError: there is no such system.
        BenchwrightError: the system cannot be made; its predictions, the judgments or the metrics are not as they must
            be; or the folder holds another run.
    """
    scoring.check_metrics(options.metrics)
    split = ReleaseSplit(release, options.split)
    worker = Worker()
    is_given = is_file(reference)
    system = open_file(Path(reference)) if is_given else worker.call(lambda: open_system(reference, options.k, client))
    questions = sample_questions(split.questions, options.limit, options.seed)
    wanted = _wanted(release, system, questions, options)
    verdicts = read_verdicts(options.judgments, split.ids, split.where) if options.judgments else {}
    judgments = options.judgments.read_bytes() if options.judgments else None
    folder = runs.run_folder(output, release, check_name(name or system.name, "run"))
    if client is not None and client.settings.estimate:
        _estimate(folder, system, questions, split, worker, options, progress)
    if is_given:
        check_origin(Path(reference), release.manifest, folder)
    with runs.open_run(folder, wanted, again=options.again) as run:
        warnings = _changes(run, wanted)
        if is_given:
            reused, asked = _import(folder, Path(reference), split)
        else:
            reused, asked = _ask(folder, system, questions, split, worker, options, progress)
        if judgments is not None:
            (folder / runs.JUDGMENTS).write_bytes(judgments)
        elif (folder / runs.JUDGMENTS).is_file():
            drop_cut_line(folder / runs.JUDGMENTS)
            if (folder / runs.JUDGMENTS).stat().st_size:
                verdicts = read_verdicts(folder / runs.JUDGMENTS, split.ids, split.where)
        if client is not None and client.has(JUDGE):
            verdicts = judge_run(client, folder, questions, split, options.metrics, verdicts, progress)
        run, is_rescored = _score(folder, run, questions, split, verdicts, options, progress)
    return Scored(folder, asked, reused, is_rescored, run.counts, warnings)


def _wanted(release: Release, system: System, questions: Sequence[Question], options: Options) -> runs.Run:
    return runs.Run(
        benchmark=release.manifest.name,
        version=release.manifest.version,
        content_hash=release.manifest.content_hash,
        system={
            "name": system.name,
            "reference": system.reference,
            "description": system.description,
            "builtin": system.is_builtin,
            "settings": dict(system.settings),
            "source": system.source,
        },
        questions={
            "split": options.split,
            "limit": options.limit,
            "seed": options.seed if options.limit is not None else None,
            "count": len(questions),
        },
        libraries=runs.library_versions(),
    )


def _changes(run: runs.Run, wanted: runs.Run) -> tuple[str, ...]:
    if run.system["source"] == wanted.system["source"]:
        return ()
    return (f"the file of {run.system['reference']} has changed since its first answers: --again asks all anew",)


def _ask(
    folder: Path,
    system: System,
    questions: Sequence[Question],
    split: ReleaseSplit,
    worker: Worker,
    options: Options,
    progress: Progress,
) -> tuple[int, int]:
    """How many answers were there, and how many were got now."""
    store = runs.PredictionStore(folder / runs.PREDICTIONS)
    try:
        missing = [question for question in questions if (question.id, "own", 0) not in store]
        reused = len(questions) - len(missing)
        if missing:
            documents = split.documents
            answer = worker.call(lambda: system.prepare(documents))
            progress("questions asked", reused, len(questions))
            arrived = ask(
                answer,
                missing,
                worker=worker,
                is_async=system.is_async,
                workers=options.workers or system.workers,
                timeout=None if system.keeps_time else options.timeout,
            )
            for done, prediction in enumerate(arrived, start=reused + 1):
                store.append(prediction)
                progress("questions asked", done, len(questions))
        return reused, len(missing)
    finally:
        store.close()


def _estimate(
    folder: Path,
    system: System,
    questions: Sequence[Question],
    split: ReleaseSplit,
    worker: Worker,
    options: Options,
    progress: Progress,
) -> NoReturn:
    """Goes through what would be asked; what that would take is in the client's ledger. Raises Estimated."""
    answered: set[str] = set()
    if (folder / runs.PREDICTIONS).is_file() and not options.again:
        store = runs.PredictionStore(folder / runs.PREDICTIONS)
        answered = {name for name, _, _ in store.keys}
        store.close()
    missing = [question for question in questions if question.id not in answered]
    answer = worker.call(lambda: system.prepare(split.documents))
    arrived = ask(answer, missing, worker=worker, is_async=system.is_async, workers=system.workers, timeout=None)
    for done, _ in enumerate(arrived, start=1):
        progress("questions estimated", done, len(missing))
    raise Estimated


def _import(folder: Path, path: Path, split: ReleaseSplit) -> tuple[int, int]:
    target = folder / runs.PREDICTIONS
    if target.is_file():
        store = runs.PredictionStore(target)
        store.close()
        return len(store), 0
    count = check_predictions(path, split.ids, split.split_of, split.where)
    copy_predictions(path, target)
    return 0, count


def _score(
    folder: Path,
    run: runs.Run,
    questions: Sequence[Question],
    split: ReleaseSplit,
    verdicts: Verdicts,
    options: Options,
    progress: Progress,
) -> tuple[runs.Run, bool]:
    metrics = list(dict.fromkeys(options.metrics)) or scoring.default_metrics(questions, options.k)
    if not metrics and options.split == HELDOUT:
        metrics = ["correct"]  # unscored, which says why: the predictions are what a run on held-out questions is for
    if not metrics and not verdicts:
        raise BenchwrightError(f"{split.where} has no gold that a metric could use: name metrics with --metric")
    store = runs.PredictionStore(folder / runs.PREDICTIONS)
    try:
        basis = {
            "metrics": metrics,
            "predictions": {"count": len(store), "bytes": store.size},
            "judgments": _sha256(folder / runs.JUDGMENTS),
            "questions": len(questions),
            "benchwright": version("benchwright"),
        }
        if run.scoring == basis and (folder / runs.SCORES).is_file():
            return run, False
        attempts = _attempts(store, verdicts)
        counts = scoring.write_scores(
            folder / runs.SCORES,
            store,
            questions,
            attempts,
            metrics,
            Material(split.questions, split.documents),
            verdicts,
            lambda done: progress("answers scored", done, len(questions) * len(attempts)),
        )
    finally:
        store.close()
    run = replace(
        run,
        conditions=tuple(dict.fromkeys(condition for condition, _ in attempts)),
        counts={
            "predictions": counts.predictions,
            "missing": counts.missing,
            "errors": counts.errors,
            "cut": counts.cut,
            "contexts": {name: counts.contexts[name] for name in ("id", "text", "foreign")},
        },
        scoring=basis,
    )
    runs.write_run(folder, run)
    return run, True


def _attempts(store: runs.PredictionStore, verdicts: Verdicts) -> list[tuple[str, int]]:
    """The conditions and repeats of a run, `own` first.

    Raises:
        BenchwrightError: a judgment is of one that the run has no prediction of.
    """
    found = {(condition, repeat) for _, condition, repeat in store.keys} or {("own", 0)}
    for name, condition, repeat in verdicts:
        if (condition, repeat) not in found:
            raise BenchwrightError(
                f"a judgment of {name!r} is of the condition {condition!r}, repeat {repeat}, of which the run has no "
                "prediction: correct the judgments"
            )
    return sorted(found, key=lambda attempt: (attempt[0] != "own", attempt))


def _sha256(path: Path) -> str | None:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
