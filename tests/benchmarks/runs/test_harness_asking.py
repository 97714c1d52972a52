"""Asking systems: threads and event loops, and whatever a system does as a prediction."""

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.runs.workers import Worker, ask_all
from benchwright.benchmarks.systems.base import Attempt
from benchwright.benchmarks.types import Question

QUESTIONS = [Question(f"q{number}", f"What is {number}?") for number in range(12)]
ATTEMPTS = [Attempt(question) for question in QUESTIONS]


def asked(answer: Callable[[Attempt], Any], **options: Any) -> dict[str, Prediction]:
    found = list(ask_all(answer, ATTEMPTS, worker=Worker(), **options))
    assert sorted(each.id for each in found) == sorted(question.id for question in QUESTIONS)
    return {each.id: each for each in found}


def test_one_at_a_time_in_the_thread_that_made_the_system() -> None:
    worker = Worker()
    home = worker.call(threading.get_ident)
    threads = set()

    def answer(attempt: Attempt) -> str:
        threads.add(threading.get_ident())
        return attempt.question.question

    found = list(ask_all(answer, ATTEMPTS, worker=worker))
    assert [each.answer for each in found] == [question.question for question in QUESTIONS]
    assert threads == {home} and home != threading.get_ident()
    assert all(each.latency is not None and each.latency >= 0 for each in found)


def test_several_at_once_and_never_more() -> None:
    together = threading.Barrier(4, timeout=30)
    inside, most, lock = 0, 0, threading.Lock()

    def answer(attempt: Attempt) -> str:
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        together.wait()
        with lock:
            inside -= 1
        return attempt.question.id

    found = asked(answer, workers=4)
    assert most == 4
    assert all(each.answer == each.id for each in found.values())


def test_coroutines_run_together_in_one_loop_and_never_more() -> None:
    inside, most, loops = 0, 0, set()

    async def answer(attempt: Attempt) -> str:
        nonlocal inside, most
        loops.add(id(asyncio.get_running_loop()))
        inside += 1
        most = max(most, inside)
        await asyncio.sleep(0.01)
        inside -= 1
        return attempt.question.id

    found = asked(answer, is_async=True, workers=3)
    assert (most, len(loops)) == (3, 1)
    assert all(each.answer == each.id for each in found.values())


def test_a_function_that_returns_a_coroutine() -> None:
    async def later(attempt: Attempt) -> str:
        await asyncio.sleep(0)
        return attempt.question.id

    assert asked(lambda attempt: later(attempt))["q3"].answer == "q3"


@pytest.mark.parametrize("is_async", [False, True])
def test_what_goes_wrong_is_in_the_prediction_and_the_rest_goes_on(is_async: bool) -> None:
    def answer(attempt: Attempt) -> Any:
        if attempt.question.id == "q1":
            raise ValueError("no\nsuch thing")
        if attempt.question.id == "q2":
            raise SystemExit(3)
        if attempt.question.id == "q3":
            raise KeyboardInterrupt if not is_async else RuntimeError("x" * 1000)
        return {"q4": None, "q5": 7}.get(attempt.question.id, "fine")

    async def later(attempt: Attempt) -> Any:
        return answer(attempt)

    found = asked(later if is_async else answer, is_async=is_async)
    assert found["q1"].error == "ValueError: no such thing"
    assert found["q2"].error == "SystemExit: 3"
    assert found["q3"].error == ("RuntimeError: " + "x" * 483 + "..." if is_async else "KeyboardInterrupt")
    assert found["q4"].error == "returned nothing"
    assert found["q5"].error is not None and found["q5"].error.startswith("returned an object of type int")
    assert all(found[f"q{number}"].answer is None for number in range(1, 6))
    assert all(found[f"q{number}"].error is None for number in (0, *range(6, 12)))


def test_a_thread_that_hangs_is_left_behind() -> None:
    never = threading.Event()

    def answer(attempt: Attempt) -> str:
        if attempt.question.id in ("q2", "q7"):
            never.wait()
        return "fine"

    found = asked(answer, timeout=1.0)
    assert {name for name, each in found.items() if each.error} == {"q2", "q7"}
    assert found["q2"] == Prediction("q2", None, error="no answer within 1 s", latency=1.0)
    never.set()


def test_a_busy_loop_and_a_coroutine_that_hangs() -> None:
    stop = threading.Event()

    def busy(attempt: Attempt) -> str:
        while attempt.question.id == "q0" and not stop.is_set():
            pass
        return "fine"

    assert {name for name, each in asked(busy, timeout=2.0).items() if each.error} == {"q0"}
    stop.set()
    cancelled = []

    async def later(attempt: Attempt) -> str:
        try:
            await asyncio.sleep(600 if attempt.question.id == "q5" else 0)
        except asyncio.CancelledError:
            cancelled.append(attempt.question.id)
            raise
        return "fine"

    found = asked(later, is_async=True, timeout=1.0)
    assert {name for name, each in found.items() if each.error} == {"q5"}
    while not cancelled:
        time.sleep(0.01)
    assert cancelled == ["q5"]


def test_an_answer_that_comes_too_late_is_not_taken_twice() -> None:
    late = threading.Event()

    def answer(attempt: Attempt) -> str:
        if attempt.question.id == "q0":
            late.wait()
        if attempt.question.id == "q5":
            late.set()
        return "fine"

    found = asked(answer, timeout=1.0)
    assert found["q0"].error == "no answer within 1 s"
    assert sum(each.error is None for each in found.values()) == 11


def test_its_own_latency_stays() -> None:
    assert asked(lambda attempt: {"answer": "x", "latency": 7})["q1"].latency == 7.0
