"""Asks a system what it has not answered yet, and keeps each prediction as it arrives."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.stating import StatingDocuments
from benchwright.benchmarks.predictions import UNSUPPORTED, WITHOUT_GOLD, Key, Prediction
from benchwright.benchmarks.progress import Progress
from benchwright.benchmarks.runs.first_answers import FirstAnswers, advice_on, cause_of, spread_when
from benchwright.benchmarks.runs.plan import Options, Plan
from benchwright.benchmarks.runs.smalltalk import SmalltalkStore, missing_smalltalk
from benchwright.benchmarks.runs.store import PredictionStore, settled_keys
from benchwright.benchmarks.runs.workers import Worker, ask_all, unanswered
from benchwright.benchmarks.systems.base import Attempt, System, UnsupportedError
from benchwright.benchmarks.systems.conditions import attempt_of, needed_documents
from benchwright.benchmarks.types import Document, Question


@dataclass(frozen=True)
class Asked:
    """How many predictions there are."""

    reused: int
    """That were there already."""
    asked: int
    """That were got now, failed ones among them; without those of conditions that the system cannot be put in."""
    beside: int = 0
    """Attempts now made without documents that state what is needed and that the release does not name."""


def ask_missing(
    store: PredictionStore,
    plan: Plan,
    system: System,
    worker: Worker,
    options: Options,
    progress: Progress,
    small: SmalltalkStore | None = None,
) -> Asked:
    """Asks all that a plan wants and a run's predictions have no answer to.

    What the system cannot be put in gets a prediction that says so, and is not asked: a second start finds it there.
    What failed is asked again.

    Args:
        store: the predictions, which are gone on with.
        plan: what is wanted.
        system: who is asked.
        worker: the thread in which the system was opened.
        options: how many at once, and how long each may take.
        progress: is told how many are asked.
        small: small talk, which is asked last; None: none is.

    Raises:
        BenchwrightError: the first answers all failed in the same way, or there is no answer in the end.
    """
    keys = plan.keys
    missing = [key for key in keys if not store.is_settled(key)]
    askable = [key for key in missing if key[1] not in system.unsupported]
    for name, condition, repeat in missing:
        if condition in system.unsupported:
            error = UNSUPPORTED + system.unsupported[condition]
            store.append(Prediction(name, None, condition=condition, repeat=repeat, error=error))
    asked, beside, texts = 0, list[str](), 0 if small is None else len(small.missing)
    if askable or texts:
        done, total = len(keys) - len(askable), len(keys) + texts
        progress("questions asked", done, total)
        for _ in _ask(store, askable, plan, system, worker, options, beside, small):
            asked += 1
            progress("questions asked", done + asked, total)
        store.clear()
    if (failure := only_failures(store)) is not None:
        raise BenchwrightError(
            f"{system.reference} answered none of {len({name for name, *_ in store.failed}):,} questions: {failure}; "
            f"{advice_on(failure)}, and start it again: what failed is asked again"
        )
    return Asked(len(keys) - len(missing), asked - texts, len(beside))


def _ask(
    store: PredictionStore,
    askable: Sequence[Key],
    plan: Plan,
    system: System,
    worker: Worker,
    options: Options,
    beside: list[str],
    small: SmalltalkStore | None,
) -> Iterator[Prediction]:
    """Asks, and yields what was stored; see `FirstAnswers` for what ends it. `beside` is of `attempts_of`."""
    documents = plan.split.documents
    answer = worker.call(lambda: system.prepare(documents))
    control = _control(store, plan, askable[0][1]) if askable else None
    watched = FirstAnswers(system.reference, kept=store.answers if control is not None else 0)

    def keys() -> Iterator[Key]:
        is_out = False
        for key in spread_when(askable, lambda: watched.wants_others, watched.far):
            if watched.wants_control and control is not None and not is_out:
                is_out = True
                yield control
            yield key

    questions = {question.id: question for question in plan.questions}
    attempts = attempts_of(keys(), questions, documents, store, beside)
    predictions = ask_all(
        answer,
        attempts if small is None else chain(attempts, small.missing),
        worker=worker,
        is_async=system.is_async,
        workers=options.workers or system.workers,
        timeout=None if system.keeps_time else options.timeout,
    )
    with closing(predictions):
        for prediction in predictions:
            if prediction.key == control:
                watched.see_control(prediction)  # its answer is there already
                continue
            if small is not None and small.takes(prediction):
                yield prediction
                continue
            store.append(prediction)
            yield prediction
            watched.see(prediction, questions[prediction.id].question)


def _control(store: PredictionStore, plan: Plan, condition: str) -> Key | None:
    """A key that was answered before, in the same condition where there is one."""
    answered = [key for key in plan.keys if store.is_answered(key)]
    return min(answered, key=lambda key: key[1] != condition, default=None)


def only_failures(store: PredictionStore) -> str | None:
    """The most frequent failure of a run that has no answer at all, with how often there is one; else None."""
    if store.answers or not store.failed:
        return None
    errors = Counter[str]()
    examples: dict[str, str] = {}
    for key in sorted(store.failed):
        prediction = store.read(key)
        message = prediction.error if prediction is not None and prediction.error else "no reason is given"
        errors[cause_of(message)] += 1
        examples.setdefault(cause_of(message), message)
    cause, count = errors.most_common(1)[0]
    return examples[cause] if count == len(store.failed) else f"{examples[cause]} ({count:,} of {len(store.failed):,})"


def attempts_of(
    keys: Iterable[Key],
    questions: Mapping[str, Question],
    documents: Mapping[str, Document],
    store: PredictionStore | None,
    beside: list[str],
) -> Iterator[Attempt]:
    """The attempts of some keys, given questions by id; one that its question does not allow is kept as unsupported.

    `beside` is given the id of each that is to be made without documents that its release does not name.
    """
    stating: StatingDocuments | None = None
    for name, condition, repeat in keys:
        question = questions[name]
        if condition == WITHOUT_GOLD and stating is None:
            stating = StatingDocuments(documents, questions.values())
        try:
            attempt = attempt_of(question, condition, repeat, documents, stating)
        except UnsupportedError as error:
            if store is not None:
                store.append(unanswered(Attempt(question, condition, repeat), str(error)))
            continue
        if not attempt.without <= needed_documents(question):
            beside.append(name)
        yield attempt


def estimate(
    path: Path, plan: Plan, system: System, worker: Worker, options: Options, progress: Progress
) -> Iterator[Prediction]:
    """Goes through what would be asked, which the client's ledger then has, and what is answered already."""
    answered = set[Key]() if options.again else settled_keys(path)
    missing = [key for key in plan.keys if key not in answered and key[1] not in system.unsupported]
    small = missing_smalltalk(None if options.again else path.parent) if options.with_smalltalk else []
    documents = plan.split.documents
    answer = worker.call(lambda: system.prepare(documents))
    questions = {question.id: question for question in plan.questions}
    attempts = chain(attempts_of(missing, questions, documents, None, []), small)
    predictions = ask_all(
        answer, attempts, worker=worker, is_async=system.is_async, workers=system.workers, timeout=None
    )
    for done, prediction in enumerate(predictions, start=1):
        progress("questions estimated", done, len(missing) + len(small))
        yield prediction
    if answered:
        with closing(PredictionStore(path)) as store:
            kept = (store.read(key) for key in store.keys if key in answered and key not in store.failed)
            yield from (prediction for prediction in kept if prediction is not None)
