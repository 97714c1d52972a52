"""Asks for further answers to questions that are answered: samples, by which an answer is checked without the truth.

A model of ours is asked at temperature 1 and reads what the answer read. Any other system is asked again, given the
contexts of its answer where it can take them: what varies is its own randomness. Answers that failed or abstain get no
samples.
"""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from benchwright.benchmarks.metrics.steps.answers import abstains
from benchwright.benchmarks.predictions import Key, Prediction
from benchwright.benchmarks.progress import Progress
from benchwright.benchmarks.runs.plan import Options, Plan
from benchwright.benchmarks.runs.run import RunSamples
from benchwright.benchmarks.runs.sample_attempts import SampleAttempts, key_of
from benchwright.benchmarks.runs.store import PredictionStore
from benchwright.benchmarks.runs.workers import Worker, ask_all
from benchwright.benchmarks.systems.base import Answerer, System
from benchwright.benchmarks.systems.sampling import TEMPERATURE
from benchwright.benchmarks.types import Document

ABSTAINED = "I don't know."
"""Stands for a sample that abstains and says nothing."""
IMAGINED = "It was finished by the company in the spring of 2018."
"""Stands for a sample that is not there yet."""
_FAILURES = 5
"""Answers in a row that get no sample, from the first on: then no more are asked for."""


@dataclass
class Sampled:
    """What came of asking for samples."""

    count: int
    """That each answer was to have."""
    sampled: int = 0
    """Answers that have as many."""
    abstained: int = 0
    """Answers that abstain, to which none are asked."""
    lacking: int = 0
    """Answers that have fewer, since asking failed."""
    error: str | None = None
    """Why the first of them does."""
    is_stopped: bool = False
    """The first all failed, and no more were asked."""

    @property
    def told(self) -> str:
        """The same as a line."""
        further = f"{self.count} further answer{'s' if self.count > 1 else ''}"
        line = f"samples: {self.sampled:,} answers have {further} to their question"
        if self.abstained:
            line += f"; {self.abstained:,} abstain and get none"
        if self.lacking:
            ended = ", and no more were asked" if self.is_stopped else ""
            line += f"; {self.lacking:,} lack some ({self.error}){ended}: the same command asks for them"
        return line


def samples_of(system: System, options: Options) -> RunSamples | None:
    """What run.json says of the samples that are asked for; None where none are."""
    return RunSamples(options.samples, TEMPERATURE if system.sample is not None else None) if options.samples else None


def sample_answers(
    store: PredictionStore, plan: Plan, system: System, worker: Worker, options: Options, progress: Progress
) -> Sampled:
    """Asks for the samples that answers lack, and keeps those of each answer once they are there.

    Args:
        store: the predictions.
        plan: the questions and conditions.
        system: who is asked.
        worker: the thread in which the system was opened.
        options: how many samples, how many answers at once, and how long each may take.
        progress: is told how many answers have theirs.

    Raises:
        StopError: a limit of the run is reached; what has come is kept.
    """
    found = Sampled(options.samples)
    lacking: list[Key] = []
    asked = {each.id: each.question for each in plan.questions}
    for key in plan.keys:
        if store.samples(key) >= options.samples:
            found.sampled += 1
        elif store.is_answered(key):
            if abstains(_read(store, key), asked[key[0]]):
                found.abstained += 1
            else:
                lacking.append(key)
    if lacking:
        total = found.sampled + len(lacking)
        try:
            for _ in _ask(found, lacking, store, plan, system, worker, options):
                progress("answers sampled", found.sampled, total)
        finally:
            found.lacking = total - found.sampled
        store.clear()
    return found


def _read(store: PredictionStore, key: Key) -> Prediction:
    prediction = store.read(key)
    assert prediction is not None, key
    return prediction


def _ask(
    found: Sampled,
    lacking: Sequence[Key],
    store: PredictionStore,
    plan: Plan,
    system: System,
    worker: Worker,
    options: Options,
) -> Iterator[None]:
    """Asks, and stores the samples of each answer, which it yields at; `found` is told what came of it."""
    attempts = SampleAttempts(lacking, lambda key: _read(store, key), plan, system, options.samples)
    failures, has_any = 0, False
    try:
        with closing(_replies(attempts, system, worker, options, plan)) as replies:
            for reply in replies:
                key = key_of(reply)
                waiting = attempts.open[key]
                if attempts.asks_again(reply):
                    continue
                waiting.left -= 1
                waiting.texts += _texts(reply)
                found.error = found.error or reply.error
                if waiting.left:
                    continue
                del attempts.open[key]
                store.add_samples(key, waiting.texts)
                found.sampled += store.samples(key) >= options.samples
                has_any |= bool(waiting.texts)
                failures += not waiting.texts
                yield
                if failures >= _FAILURES and not has_any:
                    found.is_stopped = True
                    return
    finally:
        for key, waiting in attempts.open.items():
            store.add_samples(key, waiting.texts)


def _replies(
    attempts: SampleAttempts, system: System, worker: Worker, options: Options, plan: Plan
) -> Generator[Prediction, None, None]:
    """What comes of asking, one after the other."""
    documents = plan.split.documents
    if system.sample is None:
        answer = worker.call(lambda: system.prepare(documents))
    else:
        answer = attempts.sampled_by(system.sample(documents))
    return ask_all(
        answer,
        attempts,
        worker=worker,
        is_async=system.is_async,
        workers=options.workers or system.workers,
        timeout=None if system.keeps_time else options.timeout,
    )


def _texts(reply: Prediction) -> list[str]:
    """The samples that a reply brought."""
    if reply.abstained and not reply.answer:
        return [ABSTAINED]
    return [] if reply.answer is None else [reply.answer, *reply.samples]


def estimate_samples(
    predictions: Iterable[Prediction], plan: Plan, system: System, worker: Worker, options: Options
) -> Sequence[Prediction]:
    """Goes through what would be asked for samples, which the client's ledger then has.

    Returns:
        The predictions, with samples that stand for those that there are not.
    """
    there = list(predictions)
    asked = {each.id: each.question for each in plan.questions}
    lacking = {
        each.key: each
        for each in there
        if not each.is_unsupported
        and len(each.samples) < options.samples
        and not abstains(each, asked.get(each.id, ""))
    }
    if system.sample is not None:
        attempts = SampleAttempts(list(lacking), lacking.__getitem__, plan, system, options.samples)
        for _ in _replies(attempts, system, worker, options, plan):
            pass
    left = {key: options.samples - len(each.samples) for key, each in lacking.items()}
    return [replace(each, samples=(*each.samples, *[IMAGINED] * left.get(each.key, 0))) for each in there]


def prepared_once(system: System) -> System:
    """The system, which is prepared when it is first asked and not again."""
    made: list[Answerer] = []

    def prepare(documents: Mapping[str, Document]) -> Answerer:
        if not made:
            made.append(system.prepare(documents))
        return made[0]

    return replace(system, prepare=prepare)
