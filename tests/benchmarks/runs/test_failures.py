"""What failed is asked again, what was answered never; a system that only fails is stopped."""

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from lighthouses import make_release
from support import ROOT

from benchwright.benchmarks.errors import BenchwrightError, StopError
from benchwright.benchmarks.predictions import UNSUPPORTED, Prediction
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_questions
from benchwright.benchmarks.reports.report import make_report
from benchwright.benchmarks.runs.first_answers import FirstAnswers, advice_on, cause_of, spread_when
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.score_system import Scored, score_system
from benchwright.benchmarks.runs.store import PredictionStore, has_answers, settled_keys, stored_predictions

Score = Callable[..., Scored]


@pytest.fixture
def release(tmp_path: Path) -> Release:
    return make_release(tmp_path / "releases")


@pytest.fixture
def score(release: Release, tmp_path: Path) -> Score:
    def call(system: Any, name: str = "it", **options: Any) -> Scored:
        return score_system(release, system, output=tmp_path / "runs", name=name, options=Options(**options))

    return call


class Shaky:
    """Answers, but to the questions that it is down for; writes down what it is asked."""

    def __init__(self, down: Callable[[str], bool], error: Callable[[str], Exception] | None = None) -> None:
        self.down, self.error = down, error or (lambda question: ConnectionError("connection refused"))
        self.asked: list[str] = []

    def answer(self, question: str) -> str:
        self.asked.append(question)
        if self.down(question):
            raise self.error(question)
        return "18 metres"


def hook(question: str) -> bool:
    return "Old Hook" in question


def everywhere(question: str) -> bool:
    return True


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "predictions.jsonl").read_text().splitlines()]


def test_what_failed_is_asked_again_and_answers_are_kept(score: Score, release: Release) -> None:
    system = Shaky(hook)
    first = score(system)
    assert (first.asked, first.reused, first.counts.errors) == (10, 0, 2)
    assert first.summary[1] == (
        "2 errors of the system: unscored where an answer is needed; the same command asks them again"
    )
    before = {line["id"]: line for line in lines(first.folder)}
    system.down, system.asked = (lambda question: False), []
    again = score(system)
    assert (again.asked, again.reused, again.counts.errors, again.is_rescored) == (2, 8, 0, True)
    assert [hook(question) for question in system.asked] == [True, True]
    now = lines(again.folder)
    assert len(now) == len({line["id"] for line in now}) == again.counts.predictions == 10
    assert all(line == before[line["id"]] for line in now if "error" not in before[line["id"]])
    rows = pq.read_table(again.folder / "scores.parquet").to_pylist()
    assert sum(row["value"] or 0 for row in rows if row["metric"] == "correct") == 2.0
    report = make_report(release, again.folder)
    assert (report.errors.count, report.errors.predictions) == (0, 10)
    assert score(system).asked == 0
    assert score(system, again=True).asked == 10


def test_what_fails_again_and_again_stands_there_once(score: Score) -> None:
    system = Shaky(hook)
    folder = score(system).folder
    for _ in range(3):
        found = score(system)
        assert (found.asked, found.reused, found.counts.errors, found.counts.predictions) == (2, 8, 2, 10)
        assert len(lines(folder)) == 10
    assert len(system.asked) == 10 + 3 * 2


def test_cut_answers_abstentions_and_unsupported_attempts_are_not_asked_again(score: Score) -> None:
    calls: list[str] = []

    def answer(question: str) -> Any:
        calls.append(question)
        return "x" * 200_000 if hook(question) else {"abstained": True}

    first = score(answer, conditions=("own", "closed"))
    assert (first.counts.cut, first.counts.unsupported, first.counts.errors, len(calls)) == (2, 10, 0, 10)
    again = score(answer, conditions=("own", "closed"))
    assert (again.asked, again.reused, len(calls)) == (0, 20, 10)


def test_the_later_line_of_a_failure_counts_and_the_earlier_is_cleared_away(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    store = PredictionStore(path)
    failed, answered = Prediction("q", None, error="down"), Prediction("q", "18 metres")
    for prediction in (failed, Prediction("r", "x"), answered, Prediction("s", None, error=UNSUPPORTED + "why")):
        store.append(prediction)
    assert (store.read(answered.key), len(store), store.answers, store.failed) == (answered, 3, 2, set())
    store.close()
    assert path.read_bytes().count(b"\n") == 4
    assert [each.id for each in stored_predictions(path)] == ["r", "q", "s"]
    assert settled_keys(path) == {("q", "own", 0), ("r", "own", 0), ("s", "own", 0)}
    assert path.read_bytes().count(b"\n") == 4  # who only reads changes nothing
    with path.open("ab") as file:
        file.write(b'{"id": "cut o')
    store = PredictionStore(path)
    assert ([key[0] for key in store.keys], store.size) == (["r", "q", "s"], path.stat().st_size)
    assert path.read_bytes().count(b"\n") == 3
    assert [store.read(key) for key in store.keys][1] == answered
    store.append(failed_other := Prediction("t", None, error="down"))
    assert store.failed == {failed_other.key}
    store.close()
    with path.open("ab") as file:
        file.write(b'{"id": "q", "answer": "another"}\n')
    with pytest.raises(BenchwrightError, match="line 5: a second answer to 'q': delete one of them, or use --again"):
        PredictionStore(path)
    assert has_answers(path) and not has_answers(tmp_path / "gone.jsonl")


def test_retrievals_that_are_none_are_stored(tmp_path: Path) -> None:
    from benchwright.benchmarks.predictions import Context, Usage

    store = PredictionStore(tmp_path / "p.jsonl")
    given = Prediction("q", "x", contexts=(Context("d"),), usage=Usage(retrievals=0))
    store.append(given)
    found = store.read(given.key)
    assert found == given and found is not None and found.retrievals == 0


def test_a_system_that_only_fails_is_stopped_after_a_few(score: Score, tmp_path: Path) -> None:
    system = Shaky(everywhere)
    with pytest.raises(BenchwrightError) as error:
        score(system)
    reference = f"{Shaky.__module__}:Shaky"
    assert str(error.value) == (
        f"{reference} failed at each of its first 5 questions, in the same way: ConnectionError: connection refused; "
        "see whether what it calls is running and can be reached, and start it again: what failed is asked again"
    )
    folder = tmp_path / "runs/lights/1.0.0/it"
    assert len(system.asked) == 5 and sorted(path.name for path in folder.iterdir()) == [
        "predictions.jsonl",
        "run.json",
    ]
    assert len(set(system.asked)) == 5 and len(lines(folder)) == 5
    system.down, system.asked = (lambda question: False), []
    assert (score(system).asked, len(system.asked)) == (10, 10)


def test_messages_that_differ_in_numbers_and_names_are_the_same_failure(score: Score) -> None:
    def different(question: str) -> Exception:
        return KeyError(f"no {question} at 0x7f3a, attempt {len(system.asked)}")

    system = Shaky(everywhere, different)
    with pytest.raises(BenchwrightError, match="at each of its first 5 questions, in the same way: KeyError"):
        score(system)
    kinds = [ValueError, KeyError]
    system = Shaky(everywhere, lambda question: kinds[len(system.asked) % 2]("no"))
    with pytest.raises(BenchwrightError, match=r"answered none of 10 questions: .* \(5 of 10\); correct it, and start"):
        score(system)
    assert len(system.asked) == 10


def test_imports_and_timeouts_stop_after_three(score: Score) -> None:
    system = Shaky(everywhere, lambda question: ModuleNotFoundError("No module named 'torch'"))
    with pytest.raises(
        BenchwrightError, match=r"its first 3 questions.*install what is missing or correct its program"
    ):
        score(system)
    assert len(system.asked) == 3
    never, asked = threading.Event(), []

    def hangs(question: str) -> str:
        asked.append(question)
        never.wait()
        return "late"

    with pytest.raises(
        BenchwrightError, match=r"its first 3 .*: no answer within 0\.1 s; .* give it more time with --timeo"
    ):
        score(hangs, name="hangs", timeout=0.1)
    never.set()
    assert len(asked) == 3


def test_few_questions_that_all_fail_are_no_run_either(score: Score, release: Release) -> None:
    system = Shaky(everywhere)
    with pytest.raises(
        BenchwrightError, match=r"answered none of 2 questions: ConnectionError: connection refused; see"
    ):
        score(system, limit=2)
    assert len(system.asked) == 2


def test_one_sort_of_questions_that_fails_stops_nothing(score: Score, release: Release) -> None:
    questions = [question.question for question in load_questions(release, "test")]
    system = Shaky(lambda question: question in questions[:4])
    assert score(system).counts.errors == 4
    far = Shaky(lambda question: question in questions[:5] and question != questions[2])
    assert score(far, name="far").counts.errors == 4


@pytest.mark.parametrize("workers", [2, 8])
def test_many_at_once_are_stopped_soon(score: Score, workers: int) -> None:
    calls: list[str] = []

    async def answer(question: str) -> str:
        calls.append(question)
        raise ConnectionError("connection refused")

    with pytest.raises(BenchwrightError, match=r"at each of its first|answered none of"):
        score(answer, workers=workers)
    assert len(calls) <= 5 + 2 * workers


def test_a_server_that_went_down_stops_a_run_that_had_answers(score: Score) -> None:
    system = Shaky(lambda question: len(system.asked) > 3)
    first = score(system)
    assert (first.counts.errors, first.counts.predictions) == (7, 10)
    files = {path.name: path.read_bytes() for path in first.folder.iterdir() if path.name != "predictions.jsonl"}
    kept = [line for line in lines(first.folder) if "error" not in line]
    system.down, system.asked = everywhere, []
    with pytest.raises(
        StopError, match="its first 5 questions, and one that it had answered before, in the same way: "
    ):
        score(system)
    assert len(system.asked) == 6
    assert {path.name: path.read_bytes() for path in first.folder.iterdir() if path.name in files} == files
    stored = list(stored_predictions(first.folder / "predictions.jsonl"))
    assert len(stored) == len({each.id for each in stored}) == 10
    assert [line for line in lines(first.folder) if "error" not in line] == kept
    system.down = lambda question: False
    assert (score(system).asked, score(system).counts.errors) == (7, 0)


def test_questions_that_always_fail_do_not_stop_a_second_start(score: Score) -> None:
    system = Shaky(lambda question: "Gannet" not in question and "Sable" not in question)
    system.error = lambda question: ValueError("filtered")
    first = score(system)
    system.asked = []
    again = score(system)
    assert (first.counts.errors, again.counts.errors, again.asked, again.reused) == (6, 6, 6, 4)
    assert len(system.asked) == 7  # one that it can answer, to see that it is up; its answer stays as it was
    assert len(lines(again.folder)) == 10


def test_a_run_without_any_answer_makes_way(score: Score, tmp_path: Path) -> None:
    with pytest.raises(BenchwrightError, match="at each of its first"):
        score(Shaky(everywhere))
    assert score("bm25").counts.predictions == 10
    with pytest.raises(BenchwrightError, match="is another run: its system was bm25, not"):
        score(Shaky(everywhere))


def test_a_judge_is_not_asked_about_what_failed(tmp_path: Path, score: Score, release: Release) -> None:
    from benchwright.benchmarks.grounding.matching import CorpusMatcher
    from benchwright.benchmarks.runs.judge import _tasks  # pyright: ignore[reportPrivateUsage]
    from benchwright.benchmarks.runs.plan import plan_run

    folder = score(Shaky(hook)).folder
    store = PredictionStore(folder / "predictions.jsonl")
    from benchwright.benchmarks.metrics import JudgedItem, find_metric

    matcher = CorpusMatcher({})
    tasks = list(_tasks(store, plan_run(release, Options()), [find_metric("truthfulness")], set(), matcher, 0))
    items = [task.item for task in tasks]
    assert len(items) == 8
    assert not any(item.prediction.is_failed for item in items if isinstance(item, JudgedItem))
    store.close()


@pytest.mark.parametrize(
    ("message", "question", "cause"),
    [
        ("ConnectError: 127.0.0.1:8000 refused", "", "ConnectError: ….….….…:… refused"),
        ("KeyError: 'Old Hook'", "", "KeyError: …"),
        ("ValueError: cannot answer how  tall", "how tall", "ValueError: cannot answer …"),
        ("object at 0x7f00aa of run 1b4e28ba-2fa1-11d2", "", "object at … of run …"),
    ],
)
def test_the_cause_of_a_failure(message: str, question: str, cause: str) -> None:
    assert cause_of(message, question) == cause


def test_what_to_do_about_a_failure() -> None:
    assert advice_on("NameError: name 'x' is not defined") == "install what is missing or correct its program"
    assert advice_on("APIConnectionError: Connection error.").startswith("see whether what it calls is running and")
    assert advice_on("AuthenticationError: Error code: 401") == "check its key and what that allows"
    assert advice_on("returned nothing") == "correct what it returns"
    assert advice_on("ValueError: x") == "correct it"


def test_questions_in_order_and_from_elsewhere() -> None:
    keys = [(str(number), "own", 0) for number in range(9)] + [("c", "closed", 0)]
    far: set[tuple[str, str, int]] = set()
    assert list(spread_when(keys, lambda: False, far)) == keys and not far
    mixed = [key[0] for key in spread_when(keys, lambda: True, far)]
    assert mixed == ["4", "2", "6", "1", "5", "3", "7", "0", "8", "c"]
    assert len(far) == 9
    assert list(spread_when([], lambda: True, far)) == []


def test_an_answer_ends_the_watch() -> None:
    watched = FirstAnswers("it", 0)
    failure = Prediction("q", None, error="boom")
    for _ in range(4):
        watched.see(failure, "")
    watched.see(Prediction("q", "x"), "")
    for _ in range(20):
        watched.see(failure, "")
    assert not watched.wants_others


def test_the_toys_that_fail_at_two_questions_are_not_stopped(
    score: Score, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "toy_systems"))
    assert score("toys:raises").counts.errors == 2
