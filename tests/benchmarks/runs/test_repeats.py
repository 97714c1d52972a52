"""A system that is asked each question several times: what is asked when, what is kept, and what is not shared."""

import itertools
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from lighthouses import make_release
from model_clients import new_client

from benchwright.benchmarks.errors import StopError, UsageError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.predictions import Key
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_questions
from benchwright.benchmarks.runs.first_answers import spread_when
from benchwright.benchmarks.runs.plan import Options, plan_run
from benchwright.benchmarks.runs.run import read_run
from benchwright.benchmarks.runs.score_system import Scored, score_system
from benchwright.benchmarks.runs.store import PredictionStore, stored_predictions
from benchwright.scripts.servers.openai.server import OpenAIServer

QUESTIONS = 10


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return make_release(tmp_path_factory.mktemp("repeats"))


class Wavering:
    """Says another height each time that it is asked the same."""

    def __init__(self) -> None:
        self.asked = Counter[str]()

    def answer(self, question: str) -> str:
        self.asked[question] += 1
        return f"{self.asked[question]} metres"


def score(release: Release, system: Any, root: Path, client: Client | None = None, **options: Any) -> Scored:
    return score_system(release, system, output=root, name="wavering", options=Options(**options), client=client)


def keys(scored: Scored) -> list[Key]:
    return list(PredictionStore(scored.folder / "predictions.jsonl").keys)


def repeats_of(scored: Scored) -> int:
    run = read_run(scored.folder)
    assert run is not None
    return run.questions.repeats


def test_the_first_repeat_of_all_comes_first(release: Release, tmp_path: Path) -> None:
    ids = [question.id for question in load_questions(release, "test")]
    plan = plan_run(release, Options(conditions=("own", "closed"), repeat=2))
    assert plan.keys == [
        (name, condition, repeat) for repeat in (0, 1) for condition in ("own", "closed") for name in ids
    ]
    scored = score(release, Wavering(), tmp_path, repeat=3)
    assert (scored.asked, repeats_of(scored)) == (3 * QUESTIONS, 3)
    assert keys(scored) == [(name, "own", repeat) for repeat in range(3) for name in ids]
    table = pq.read_table(scored.folder / "scores.parquet", columns=["repeat", "metric"]).to_pylist()
    assert Counter(row["repeat"] for row in table if row["metric"] == "correct") == dict.fromkeys(range(3), QUESTIONS)


def test_a_second_start_with_more_repeats_adds(release: Release, tmp_path: Path) -> None:
    system = Wavering()
    assert (score(release, system, tmp_path).asked, set(system.asked.values())) == (QUESTIONS, {1})
    more = score(release, system, tmp_path, repeat=3)
    assert (more.asked, more.reused, set(system.asked.values())) == (2 * QUESTIONS, QUESTIONS, {3})
    assert (repeats_of(more), more.counts.predictions) == (3, 3 * QUESTIONS)
    fewer = score(release, system, tmp_path, repeat=2)
    assert (fewer.asked, fewer.is_rescored, repeats_of(fewer)) == (0, False, 3)
    assert fewer.counts.predictions == 3 * QUESTIONS


def test_only_what_failed_in_a_repeat_is_asked_again(release: Release, tmp_path: Path) -> None:
    system = Wavering()

    def fails_the_second_time(question: str) -> str:
        said = system.answer(question)
        if "Old Hook" in question and system.asked[question] == 2:
            raise ConnectionError("reset by peer")
        return said

    first = score(release, fails_the_second_time, tmp_path, repeat=2)
    failed = first.counts.errors
    assert (first.asked, failed) == (2 * QUESTIONS, 2)
    again = score(release, fails_the_second_time, tmp_path, repeat=2)
    assert (again.asked, again.counts.errors, again.counts.predictions) == (failed, 0, 2 * QUESTIONS)


def test_a_system_that_is_down_in_a_later_repeat_is_stopped(release: Release, tmp_path: Path) -> None:
    asked = itertools.count(1)

    def answer(question: str) -> str:
        if next(asked) > QUESTIONS:
            raise ConnectionError("refused")
        return "31 metres"

    score(release, answer, tmp_path)
    with pytest.raises(StopError, match=r"and one that it had answered before, .* the 10 answers of before are kept"):
        score(release, answer, tmp_path, repeat=2)


def test_other_questions_are_looked_for_in_the_same_repeat() -> None:
    asked = [(str(number), "own", repeat) for repeat in (0, 1) for number in range(4)]
    far = set[Key]()
    assert list(spread_when(asked, lambda: True, far))[:4] == [asked[2], asked[1], asked[3], asked[0]]
    assert {key[2] for key in far} == {0}


def test_a_model_is_asked_anew_in_each_repeat_and_never_twice(release: Release, tmp_path: Path) -> None:
    numbers = itertools.count(1)
    with OpenAIServer(lambda body: f"{next(numbers)} metres") as server:

        def ask(repeat: int) -> list[str | None]:
            with new_client(server.url, tmp_path / "replies.sqlite", at_once=1) as client:
                scored = score(release, "openai:m", tmp_path, client, repeat=repeat, again=True)
            return [each.answer for each in stored_predictions(scored.folder / "predictions.jsonl")]

        once = ask(1)
        thrice = ask(3)
        assert (once, len(server.requests)) == (thrice[:QUESTIONS], 3 * QUESTIONS)
        assert len(set(thrice)) == 3 * QUESTIONS
        assert (ask(3), len(server.requests)) == (thrice, 3 * QUESTIONS)


def test_a_file_cannot_be_asked_again(release: Release, tmp_path: Path) -> None:
    file = tmp_path / "said.jsonl"
    file.write_text(
        "".join(json.dumps({"id": each.id, "answer": "31"}) + "\n" for each in load_questions(release, "test"))
    )
    with pytest.raises(UsageError, match=r"said.jsonl cannot be asked again: .* its number from 0 in 'repeat'"):
        score(release, str(file), tmp_path, repeat=2)
    with pytest.raises(UsageError, match="repeat=0 asks nothing"):
        Options(repeat=0)
