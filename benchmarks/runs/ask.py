"""Asks a system what it has not answered yet, and keeps each prediction as it arrives."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from benchwright.benchmarks.models.costs import Estimated
from benchwright.benchmarks.predictions import UNSUPPORTED, Key, Prediction
from benchwright.benchmarks.progress import Progress
from benchwright.benchmarks.runs.plan import Options, Plan
from benchwright.benchmarks.runs.store import PredictionStore
from benchwright.benchmarks.runs.workers import Worker, ask_all, unanswered
from benchwright.benchmarks.systems.base import Attempt, System, UnsupportedError
from benchwright.benchmarks.systems.conditions import attempt_of
from benchwright.benchmarks.types import Document, Question


@dataclass(frozen=True)
class Asked:
    """How many predictions there are."""

    reused: int
    """That were there already."""
    asked: int
    """That were got now; without those of conditions that the system cannot be put in."""


def ask_missing(path: Path, plan: Plan, system: System, worker: Worker, options: Options, progress: Progress) -> Asked:
    """Asks all that a plan wants and a file of predictions does not hold.

    What the system cannot be put in gets a prediction that says so, and is not asked: a second start finds it there.

    Args:
        path: the file of predictions, which is gone on with.
        plan: what is wanted.
        system: who is asked.
        worker: the thread in which the system was opened.
        options: how many at once, and how long each may take.
        progress: is told how many are asked.
    """
    store = PredictionStore(path)
    try:
        keys = plan.keys
        missing = [key for key in keys if key not in store]
        reused = len(keys) - len(missing)
        askable = [key for key in missing if key[1] not in system.unsupported]
        for name, condition, repeat in missing:
            if condition in system.unsupported:
                error = UNSUPPORTED + system.unsupported[condition]
                store.append(Prediction(name, None, condition=condition, repeat=repeat, error=error))
        asked = 0
        if askable:
            documents = plan.split.documents
            answer = worker.call(lambda: system.prepare(documents))
            done = len(keys) - len(askable)
            progress("questions asked", done, len(keys))
            predictions = ask_all(
                answer,
                _attempts(askable, plan.questions, documents, store),
                worker=worker,
                is_async=system.is_async,
                workers=options.workers or system.workers,
                timeout=None if system.keeps_time else options.timeout,
            )
            for asked, prediction in enumerate(predictions, start=1):
                store.append(prediction)
                progress("questions asked", done + asked, len(keys))
        return Asked(reused, asked)
    finally:
        store.close()


def _attempts(
    keys: Iterable[Key],
    questions: Iterable[Question],
    documents: Mapping[str, Document],
    store: PredictionStore | None,
) -> Iterator[Attempt]:
    """The attempts of some keys; one that its question does not allow is kept as unsupported."""
    by_id = {question.id: question for question in questions}
    for name, condition, repeat in keys:
        try:
            yield attempt_of(by_id[name], condition, repeat, documents)
        except UnsupportedError as error:
            if store is not None:
                store.append(unanswered(Attempt(by_id[name], condition, repeat), str(error)))


def estimate(path: Path, plan: Plan, system: System, worker: Worker, options: Options, progress: Progress) -> NoReturn:
    """Goes through what would be asked; what that would take is in the client's ledger.

    Raises:
        Estimated: always, in the end.
    """
    answered: set[Key] = set()
    if path.is_file() and not options.again:
        store = PredictionStore(path)
        answered = set(store.keys)
        store.close()
    missing = [key for key in plan.keys if key not in answered and key[1] not in system.unsupported]
    documents = plan.split.documents
    answer = worker.call(lambda: system.prepare(documents))
    attempts = _attempts(missing, plan.questions, documents, None)
    predictions = ask_all(
        answer, attempts, worker=worker, is_async=system.is_async, workers=system.workers, timeout=None
    )
    for done, _ in enumerate(predictions, start=1):
        progress("questions estimated", done, len(missing))
    raise Estimated
