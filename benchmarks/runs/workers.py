"""Asks a system many questions: with a time limit each, several at once, and whatever it does is a prediction.

A system's code runs in threads of its own, never in the one that waits: so a system that hangs costs one thread, and
the run goes on.
"""

import asyncio
import inspect
import queue
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from benchwright.benchmarks.errors import BenchwrightError, StopError
from benchwright.benchmarks.models.waiting import Waiting, watched_waiting
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.secrecy import private
from benchwright.benchmarks.systems.base import Answerer, Attempt
from benchwright.benchmarks.systems.calling import wait_for
from benchwright.benchmarks.systems.replies import to_prediction

ASYNC_WORKERS = 8
"""Questions that an asynchronous system is asked at once where nothing is said."""

_STOPPING = 3.0
"""Seconds that a loop may take to stop."""

Result = TypeVar("Result")
Outcome = tuple[int, Prediction | StopError]


class Worker:
    """A thread that runs what it is given, one call after the other, until it is told to end."""

    def __init__(self) -> None:
        self.loop: asyncio.AbstractEventLoop | None = None
        """Of asynchronous systems: one for all that they are asked, since what they hold may be bound to it."""
        self.is_free = threading.Event()
        """The loop was stopped by whoever asked before."""
        self._calls: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        threading.Thread(target=self._run, name="system", daemon=True).start()

    def _run(self) -> None:
        while (call := self._calls.get()) is not None:
            call()

    def start(self, call: Callable[[], None]) -> None:
        """Runs a call and does not wait for it; it must raise nothing."""
        self._calls.put(call)

    def end(self) -> None:
        """Ends the thread after the calls that it was given."""
        self._calls.put(None)

    def call(self, function: Callable[[], Result]) -> Result:
        """Runs a function to its end, and returns or raises what it does."""
        results: queue.SimpleQueue[tuple[Result | None, BaseException | None]] = queue.SimpleQueue()

        def run() -> None:
            try:
                results.put((function(), None))
            except BaseException as error:
                results.put((None, error))

        self._calls.put(run)
        result, error = results.get()
        if error is not None:
            raise BenchwrightError("the system ended the program") if isinstance(error, SystemExit) else error
        return result  # type: ignore[return-value]


class _Crew(Protocol):
    """Those who ask: threads, or an event loop in one."""

    def start(self, number: int, attempt: Attempt) -> None:
        """Asks; the outcome, with the number, goes to the results."""
        ...

    def abandon(self, number: int) -> None:
        """Waits for the answer no longer."""
        ...

    def close(self) -> None:
        """Ends what was started to ask."""
        ...


@dataclass
class _Threads:
    """A thread for each question that is being asked; one that is abandoned is never used again."""

    answer: Answerer
    results: "queue.SimpleQueue[Outcome]"
    idle: list[Worker]

    def __post_init__(self) -> None:
        self._first = list(self.idle)
        self._busy: dict[int, Worker] = {}

    def start(self, number: int, attempt: Attempt) -> None:
        worker = self.idle.pop() if self.idle else Worker()
        self._busy[number] = worker
        worker.start(lambda: self._ask(number, attempt))

    def _ask(self, number: int, attempt: Attempt) -> None:
        started = time.perf_counter()
        with watched_waiting() as waiting:
            prediction = _outcome(lambda: _resolved(self.answer(attempt)), attempt)
        worker = self._busy.pop(number, None)
        if worker is not None:
            self.idle.append(worker)
        self.results.put((number, _timed(prediction, started, waiting)))

    def abandon(self, number: int) -> None:
        self._busy.pop(number, None)

    def close(self) -> None:
        """Ends the threads that were started here and ask nobody; those that were given are used again."""
        for worker in self.idle:
            if worker not in self._first:
                worker.end()


@dataclass
class _Loop:
    """An event loop in a worker's thread, for systems that are asynchronous."""

    answer: Answerer
    results: "queue.SimpleQueue[Outcome]"
    worker: Worker

    def __post_init__(self) -> None:
        if self.worker.loop is not None and not self.worker.is_free.wait(_STOPPING):
            self.worker = Worker()  # that one is stuck in the system's code
        self._loop = self.worker.loop = self.worker.loop or asyncio.new_event_loop()
        self.worker.is_free.clear()
        self._running: dict[int, Any] = {}
        self.worker.start(self._loop.run_forever)

    def start(self, number: int, attempt: Attempt) -> None:
        self._running[number] = asyncio.run_coroutine_threadsafe(self._ask(number, attempt), self._loop)

    async def _ask(self, number: int, attempt: Attempt) -> None:
        started = time.perf_counter()
        with watched_waiting() as waiting:
            try:
                reply = await self.answer(attempt)  # type: ignore[misc]
            except StopError as error:
                prediction = error
            except (Exception, SystemExit) as error:
                prediction = _failed(attempt, error)
            else:
                prediction = _outcome(lambda: reply, attempt)
        self._running.pop(number, None)
        self.results.put((number, _timed(prediction, started, waiting)))

    def abandon(self, number: int) -> None:
        running = self._running.pop(number, None)
        if running is not None:
            running.cancel()

    def close(self) -> None:
        """Stops the loop, and waits until it asks nobody any more, unless it is stuck in the system's code."""
        asyncio.run_coroutine_threadsafe(self._finish(), self._loop)
        self.worker.is_free.wait(_STOPPING)

    async def _finish(self) -> None:
        """Lets what was abandoned end, and ends."""
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left, timeout=1)
        self._loop.stop()
        self.worker.is_free.set()


def _resolved(reply: Any) -> Any:
    """What a function returned; of one that is asynchronous without saying so, what its coroutine does."""
    return wait_for(reply) if inspect.isawaitable(reply) else reply


def _outcome(reply: Callable[[], Any], attempt: Attempt) -> Prediction | StopError:
    try:
        return to_prediction(reply(), attempt.question.id, attempt.condition, attempt.repeat)
    except StopError as error:
        return error
    except BaseException as error:
        return _failed(attempt, error)


def _failed(attempt: Attempt, error: BaseException) -> Prediction:
    named = str(error) if isinstance(error, BenchwrightError) else f"{type(error).__name__}: {error}".removesuffix(": ")
    text = " ".join(private(named).split()).encode("utf-8", "replace").decode("utf-8")
    return unanswered(attempt, text if len(text) <= 500 else text[:497] + "...")


def unanswered(attempt: Attempt, error: str, latency: float | None = None) -> Prediction:
    """The prediction of an attempt that has no answer, and why."""
    return Prediction(
        attempt.question.id,
        None,
        condition=attempt.condition,
        repeat=attempt.repeat,
        error=error,
        latency=latency,
    )


def _timed(outcome: Prediction | StopError, started: float, waiting: Waiting) -> Prediction | StopError:
    """With the time that it took: as the system said, else as it was measured, with that of replies that were kept."""
    if isinstance(outcome, StopError) or outcome.latency is not None:
        return outcome
    latency = waiting.of(time.perf_counter() - started)
    return outcome if latency is None else replace(outcome, latency=round(latency, 4))


def ask_all(
    answer: Answerer,
    attempts: Iterable[Attempt],
    *,
    worker: Worker,
    is_async: bool = False,
    workers: int | None = None,
    timeout: float | None = 60.0,
) -> Generator[Prediction, None, None]:
    """Asks all and yields each prediction as it arrives.

    What a system raises, fails to return or takes too long for is in the prediction's `error`; only a StopError, which
    says that nothing further would go better, ends the asking.

    Args:
        answer: the system.
        attempts: what it is asked.
        worker: the thread in which the system was made; it is used first.
        is_async: whether `answer` is a coroutine function.
        workers: questions asked at once: by default 1, of an asynchronous system 8.
        timeout: seconds that an answer may take; None where the system sees to that.

    Raises:
        StopError: as the system raised it.
    """
    results: queue.SimpleQueue[Outcome] = queue.SimpleQueue()
    crew: _Crew = _Loop(answer, results, worker) if is_async else _Threads(answer, results, [worker])
    most = workers or (ASYNC_WORKERS if is_async else 1)
    waiting = enumerate(attempts)
    running: dict[int, tuple[Attempt, float | None]] = {}
    try:
        while True:
            while len(running) < most and (following := next(waiting, None)) is not None:
                running[following[0]] = (following[1], None if timeout is None else time.monotonic() + timeout)
                crew.start(*following)
            if not running:
                return
            yield from _arrived(results, running, crew, timeout)
    finally:
        crew.close()


def _arrived(
    results: "queue.SimpleQueue[Outcome]",
    running: dict[int, tuple[Attempt, float | None]],
    crew: _Crew,
    timeout: float | None,
) -> Iterator[Prediction]:
    """Waits for the next outcome, or for the next attempt whose time is over."""
    ends = [end for _, end in running.values() if end is not None]
    try:
        number, outcome = results.get(timeout=max(0.0, min(ends) - time.monotonic()) if ends else None)
    except queue.Empty:
        now = time.monotonic()
        for number in [number for number, (_, end) in running.items() if end is not None and end <= now]:
            crew.abandon(number)
            attempt, _ = running.pop(number)
            yield unanswered(attempt, f"no answer within {timeout:g} s", timeout)
        return
    if isinstance(outcome, StopError):
        raise outcome
    if running.pop(number, None) is not None:
        yield outcome
