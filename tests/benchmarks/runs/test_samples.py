"""Further answers to each question: what is asked for them, what is kept, and what is said where some are lacking."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from lighthouses import make_release
from model_clients import KEY
from services import Say, serving

from benchwright.benchmarks.errors import StopError, UsageError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.money.costs import Estimated
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.run import RunSamples, read_run
from benchwright.benchmarks.runs.score_system import Scored, score_system
from benchwright.benchmarks.runs.store import stored_predictions
from benchwright.scripts.servers.openai.faults import Fault
from benchwright.scripts.servers.openai.server import OpenAIServer


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return make_release(tmp_path_factory.mktemp("samples"))


def client_of(server: OpenAIServer, folder: Path, *roles: str, **settings: Any) -> Client:
    endpoints = {role: Endpoint("m", server.url, KEY, None) for role in roles or ("system",)}
    return Client(ModelSettings(endpoints, cache=folder / "kept.sqlite", **settings))


def score(release: Release, system: Any, root: Path, client: Client | None = None, **options: Any) -> Scored:
    given = {"metrics": ("correct",), "limit": 4, **options}
    return score_system(release, system, output=root, name="mine", options=Options(**given), client=client)


def predictions(scored: Scored) -> list[Prediction]:
    return list(stored_predictions(scored.folder / "predictions.jsonl"))


def tall(body: Any) -> Any:
    """Replies of a model: one at temperature 0, others at 1."""
    if body["temperature"] == 0:
        return "31 metres"
    return [f"{31 + number} metres" for number in range(body.get("n", 1))]


def test_a_model_is_asked_in_one_request_at_temperature_1_with_what_the_answer_read(
    release: Release, tmp_path: Path
) -> None:
    with OpenAIServer(tall) as server:
        with client_of(server, tmp_path) as client:
            first = score(release, "bm25", tmp_path / "runs", client)
        assert server.calls == 4 and read_run(first.folder).samples is None  # type: ignore[union-attr]
        with client_of(server, tmp_path) as client:
            second = score(release, "bm25", tmp_path / "runs", client, samples=4)
        assert server.calls == 8 and (second.asked, second.reused) == (0, 4)
        answers, sampled = server.requests[:4], server.requests[4:]
        assert {(each.body["temperature"], each.body["n"]) for each in sampled} == {(1.0, 4)}
        assert [each.body["messages"] for each in answers] == [each.body["messages"] for each in sampled]
        assert "samples: 4 answers have 4 further answers to their question" in second.summary
        assert read_run(second.folder).samples == RunSamples(4, 1.0)  # type: ignore[union-attr]
        found = predictions(second)
        assert {each.samples for each in found} == {("31 metres", "32 metres", "33 metres", "34 metres")}
        assert [(each.id, each.answer, each.contexts) for each in found] == [
            (each.id, each.answer, each.contexts) for each in predictions(second)
        ]
        with client_of(server, tmp_path) as client:
            score(release, "bm25", tmp_path / "runs", client, samples=4)
            assert server.calls == 8, "paid once"
            third = score(release, "bm25", tmp_path / "runs", client, samples=6)
        assert server.calls == 12 and {len(each.samples) for each in predictions(third)} == {6}
        assert len((third.folder / "predictions.jsonl").read_text().splitlines()) == 4
    assert {each.id for each in found} == {each.id for each in predictions(third)}


@pytest.mark.parametrize("retrieves", [True, False])
def test_samples_read_what_the_condition_or_an_agent_gave_the_answer(
    release: Release, tmp_path: Path, retrieves: bool
) -> None:
    def reply(body: Any) -> Any:
        return {"retrieve": retrieves} if "response_format" in body else tall(body)

    with OpenAIServer(reply) as server, client_of(server, tmp_path, "system", "decision") as client:
        options = {"limit": 2, "conditions": ("own", "closed", "gold"), "samples": 2}
        scored = score(release, "boolean-rag", tmp_path / "runs", client, **options)
        bodies = [each.body for each in server.requests if "response_format" not in each.body]
    asked = {each: [body["messages"] for body in bodies if body["temperature"] == each] for each in (0.0, 1.0)}
    assert len(asked[1.0]) == len(asked[0.0]) and all(messages in asked[0.0] for messages in asked[1.0])
    found = predictions(scored)
    assert len(found) == 6 and {len(each.samples) for each in found} == {2}
    assert {bool(each.contexts) for each in found if each.condition == "own"} == {retrieves}


def test_where_an_endpoint_gives_one_reply_a_request_it_is_asked_more_often(release: Release, tmp_path: Path) -> None:
    with OpenAIServer(tall) as server:
        server.fault_for = lambda request: Fault(400, message="n: must be 1") if "n" in request.body else None
        with client_of(server, tmp_path) as client:
            scored = score(release, "closed-book", tmp_path / "runs", client, samples=3)
        wanted = [each.body for each in server.requests if each.body["temperature"] == 1]
    assert {each.samples for each in predictions(scored)} == {("31 metres",) * 3}
    assert sum("n" not in body for body in wanted) == 12 and sum("n" in body for body in wanted) <= 4


def test_an_estimate_counts_samples_and_what_judges_them(release: Release, tmp_path: Path) -> None:
    with OpenAIServer(tall) as server, client_of(server, tmp_path, "system", "judge", estimate=True) as client:
        with pytest.raises(Estimated):
            score(release, "bm25", tmp_path / "runs", client, samples=4, metrics=("selfcheck",))
        ledger = client.expected_ledger
        assert {step: costs.calls for (step, _), costs in ledger.by_step.items()} == {
            "answers": 4, "samples": 4, "judging": 4
        }  # fmt: skip
        assert server.calls == 0 and not (tmp_path / "runs").exists()


class Wavering:
    """Says another height each time, and finds the same passage."""

    def __init__(self, fails: Callable[[int], bool] = lambda number: False) -> None:
        self.asked, self.read, self.fails, self.retrieved = Counter[str](), list[Any](), fails, 0

    def retrieve(self, question: str, k: int) -> list[dict[str, str]]:
        self.retrieved += 1
        return [{"id": "gannet-rock", "text": "Gannet Rock has a height of 31 metres."}]

    def answer(self, question: str, *, contexts: Any = None) -> str:
        self.asked[question] += 1
        self.read.append(contexts)
        if self.fails(sum(self.asked.values())):
            raise ValueError("it is tired")
        return f"{self.asked[question]} metres"


def test_another_system_is_asked_again_with_the_contexts_of_its_answer(release: Release, tmp_path: Path) -> None:
    system = Wavering()
    scored = score(release, system, tmp_path / "runs", samples=3)
    assert {(each.answer, each.samples) for each in predictions(scored)} == {
        ("1 metres", ("2 metres", "3 metres", "4 metres"))
    }
    assert system.retrieved == 4, "for the answers alone"
    assert system.read[4:] == [["Gannet Rock has a height of 31 metres."]] * 12
    assert read_run(scored.folder).samples == RunSamples(3, None)  # type: ignore[union-attr]


class Bound:
    """An asynchronous system that holds what is bound to its event loop, as clients of HTTP are."""

    def __init__(self) -> None:
        self.lock: asyncio.Lock | None = None

    async def answer(self, question: str) -> str:
        self.lock = self.lock or asyncio.Lock()
        async with self.lock:
            await asyncio.sleep(0)
            return "31 metres"


def test_an_asynchronous_system_is_asked_in_one_event_loop_throughout(release: Release, tmp_path: Path) -> None:
    scored = score(release, Bound(), tmp_path / "runs", samples=3, limit=None, workers=4)
    assert {each.samples for each in predictions(scored)} == {("31 metres",) * 3}


def test_a_service_that_does_not_read_contexts_is_asked_as_it_was(release: Release, tmp_path: Path) -> None:
    def reply(asked: Any) -> dict[str, Any]:
        return {"answer": "31 metres", "contexts": [{"text": "Gannet Rock has a height of 31 metres."}]}

    with serving(lambda asked: Say(reply(asked))) as service:
        scored = score(release, service.url, tmp_path / "runs", samples=3, workers=1)
        asked = len(service.asked)
    assert asked == 4 * 4 + 1, "one more, which says that it reads no contexts"
    assert {(each.error, each.samples) for each in predictions(scored)} == {(None, ("31 metres",) * 3)}


def test_what_fails_is_said_and_asked_again_and_the_answer_stays(release: Release, tmp_path: Path) -> None:
    system = Wavering(lambda number: number in (6, 7))
    scored = score(release, system, tmp_path / "runs", samples=2)
    line = next(line for line in scored.summary if line.startswith("samples: "))
    assert line == (
        "samples: 2 answers have 2 further answers to their question; 2 lack some (ValueError: it is tired): "
        "the same command asks for them"
    )
    assert sorted(len(each.samples) for each in predictions(scored)) == [1, 1, 2, 2]
    again = score(release, system, tmp_path / "runs", samples=2)
    assert {len(each.samples) for each in predictions(again)} == {2} and sum(system.asked.values()) == 4 + 8 + 2


def test_a_system_that_fails_at_all_samples_is_left_alone(release: Release, tmp_path: Path) -> None:
    system = Wavering(lambda number: number > 10)
    scored = score(release, system, tmp_path / "runs", samples=1, limit=None)
    line = next(line for line in scored.summary if line.startswith("samples: "))
    assert "samples: 0 answers" in line and "10 lack some (ValueError: it is tired), and no more were asked" in line
    assert sum(system.asked.values()) == 15 and scored.counts.errors == 0


def test_what_abstains_gets_no_samples(release: Release, tmp_path: Path) -> None:
    with OpenAIServer(lambda body: "I don't know.") as server, client_of(server, tmp_path) as client:
        scored = score(release, "bm25", tmp_path / "runs", client, samples=4)
        assert server.calls == 4
    assert "samples: 0 answers have 4 further answers to their question; 4 abstain and get none" in scored.summary


def test_stopped_by_a_limit_and_gone_on_with(release: Release, tmp_path: Path) -> None:
    with OpenAIServer(tall) as server:
        with (
            client_of(server, tmp_path, max_calls=6, at_once=1) as client,
            pytest.raises(StopError, match="max-calls 6"),
        ):
            score(release, "bm25", tmp_path / "runs", client, samples=4)
        folder = tmp_path / "runs/lights/1.0.0/mine"
        kept = [len(each.samples) for each in stored_predictions(folder / "predictions.jsonl")]
        assert sorted(kept) == [0, 0, 4, 4]
        with client_of(server, tmp_path) as client:
            scored = score(release, "bm25", tmp_path / "runs", client, samples=4)
        assert server.calls == 8 and {len(each.samples) for each in predictions(scored)} == {4}


def test_a_file_cannot_be_asked(release: Release, tmp_path: Path) -> None:
    (tmp_path / "said.jsonl").write_text(json.dumps({"id": "x", "answer": "31"}) + "\n")
    with pytest.raises(UsageError, match="give further answers to a question in 'samples' of its line"):
        score(release, str(tmp_path / "said.jsonl"), tmp_path / "runs", samples=4)


def test_samples_are_checked_by_selfcheck_where_there_is_a_judge(release: Release, tmp_path: Path) -> None:
    def reply(body: Any) -> Any:
        if "response_format" not in body:
            return tall(body)
        shown = body["messages"][-1]["content"]
        if "Answer A" not in shown:
            return {"reason": "!", "verdict": "Incorrect", "truthfulness": 1, "relevance": 1}
        return {"verdicts": [{"number": place, "reason": "!", "same": place == 1} for place in (1, 2, 3, 4)]}

    with OpenAIServer(reply) as server, client_of(server, tmp_path, "system", "judge") as client:
        scored = score(release, "bm25", tmp_path / "runs", client, samples=4, metrics=("selfcheck",))
        assert server.calls == 12
    rows = pq.read_table(scored.folder / "scores.parquet").to_pylist()
    assert {(row["value"], row["reason"]) for row in rows} == {(0.0, "1 of 4 samples agree with the answer")}
