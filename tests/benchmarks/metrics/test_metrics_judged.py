"""Judged metrics as another package may write them: chains of calls, steps that are shared, a trace, a coin."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from lighthouses import make_release
from model_clients import KEY

from benchwright.benchmarks import registry
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.metrics import METRICS, JudgedItem, Metric, Score, Tools
from benchwright.benchmarks.metrics.tools import Steps
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.score_system import Scored, score_system
from benchwright.scripts.servers.openai.server import OpenAIServer

STATEMENTS = "# user\nList the statements of: {{ answer }}\n"
VERDICT = "# user\nIs it stated? {{ statement }}\n"


@dataclass(frozen=True)
class Statements:
    statements: list[str]


@dataclass(frozen=True)
class Verdict:
    stated: bool


async def statements(item: JudgedItem, tools: Tools) -> list[str]:
    found = await tools.ask("quill:statements", {"answer": item.prediction.answer}, reply=Statements)
    return found.statements


async def supported(item: JudgedItem, tools: Tools) -> Score | None:
    if item.prediction.answer is None:
        return None
    found = await statements(item, tools)
    verdicts = [await tools.ask("quill:verdict", {"statement": each}, reply=Verdict) for each in found]
    return Score(sum(each.stated for each in verdicts) / len(verdicts), f"{len(verdicts)} statements")


async def wordiness(item: JudgedItem, tools: Tools) -> Score | None:
    async def count() -> int:
        return len(await statements(item, tools))

    return Score(float(await tools.step("count", {"answer": item.prediction.answer}, count)))


def metric(name: str, judged: Any, *uses: str) -> Metric:
    return Metric(
        name, "of a test", "none", "nobody", frozenset({"answer", "judge"}), judged=judged, uses=uses, range=(0, 9)
    )


@pytest.fixture
def _quill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two judged metrics of a package `quill`, with prompts of its own."""
    (tmp_path / "quill/prompts").mkdir(parents=True)
    (tmp_path / "quill/__init__.py").touch()
    (tmp_path / "quill/prompts/statements.md").write_text(STATEMENTS)
    (tmp_path / "quill/prompts/verdict.md").write_text(VERDICT)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "_states", {})
    registry.register(METRICS, "supported", metric("supported", supported, "quill:statements", "quill:verdict"))
    registry.register(METRICS, "wordiness", metric("wordiness", wordiness, "quill:statements"))
    yield


def reply(body: Any) -> dict[str, Any]:
    text = body["messages"][-1]["content"]
    if text.startswith("List"):
        return {"statements": ["It is 31 metres tall.", "It is old."]}
    return {"stated": "31" in text}


def client_of(url: str, cache: Path) -> Client:
    return Client(ModelSettings({"judge": Endpoint("scripted", url, KEY, None)}, cache=cache, at_once=2))


def score(tmp_path: Path, client: Client) -> Scored:
    release = make_release(tmp_path / "releases")
    options = Options(limit=2, metrics=("supported", "wordiness"))
    return score_system(release, "oracle", output=tmp_path / "runs", options=options, client=client)


@pytest.mark.usefixtures("_quill")
def test_metrics_share_their_steps_and_leave_a_trace(tmp_path: Path) -> None:
    with OpenAIServer(reply) as server, client_of(server.url, tmp_path / "kept.sqlite") as client:
        scored = score(tmp_path, client)
        prompts = [request.body["messages"][-1]["content"].split()[0] for request in server.requests]
    rows = pq.read_table(scored.folder / "scores.parquet").to_pylist()
    assert {(row["metric"], row["value"], row["reason"]) for row in rows} == {
        ("supported", 0.5, "2 statements"),
        ("wordiness", 2.0, None),
    }
    answers = {json.loads(line)["answer"] for line in (scored.folder / "predictions.jsonl").read_text().splitlines()}
    assert prompts.count("List") == len(answers), "one call for both metrics"
    lines = [json.loads(line) for line in (scored.folder / "judgments.jsonl").read_text().splitlines()]
    assert [line["metric"] for line in lines] == ["supported", "wordiness"] * 2
    first, second = (line["trace"]["steps"] for line in lines[:2])
    assert [step["step"] for step in first] == ["quill:statements", "quill:verdict", "quill:verdict"]
    assert [step["step"] for step in second] == ["quill:statements", "count"]
    assert first[0] == second[0] and second[1]["output"] == 2
    assert [step["output"] for step in first[1:]] == [{"stated": True}, {"stated": False}]
    assert len({line["judge"]["version"] for line in lines}) == 2, "of all prompts that a metric uses"


@pytest.mark.usefixtures("_quill")
def test_a_step_that_fails_is_made_once_and_named_in_both_traces(tmp_path: Path) -> None:
    with OpenAIServer(lambda body: "no JSON") as server, client_of(server.url, tmp_path / "kept.sqlite") as client:
        scored = score(tmp_path, client)
    lines = [json.loads(line) for line in (scored.folder / "judgments.jsonl").read_text().splitlines()]
    assert {line["value"] for line in lines} == {None}
    assert all(line["reason"].startswith("invalid reply: ") for line in lines)
    assert [step["step"] for line in lines[:2] for step in line["trace"]["steps"]] == [
        "quill:statements", "quill:statements", "count",
    ]  # fmt: skip
    assert all(step["error"] == line["reason"] for line in lines for step in line["trace"]["steps"])


@pytest.mark.usefixtures("_quill")
def test_a_metric_asks_with_the_prompts_that_it_names_and_tosses_a_seeded_coin(tmp_path: Path) -> None:
    with OpenAIServer(reply) as server, client_of(server.url, tmp_path / "kept.sqlite") as client:
        tools = Tools(client, Steps(), "supported", ("quill:statements",), ("supported", "q", "own", "0"))
        with pytest.raises(
            BenchwrightError, match="the metric supported asks with the prompt 'quill:verdict': name it"
        ):
            asyncio.run(tools.ask("quill:verdict", {"statement": "x"}, reply=Verdict))
        with pytest.raises(BenchwrightError, match="there is no prompt 'quill:other'"):
            client.prompt("quill:other")
        with pytest.raises(BenchwrightError, match="there is no prompt 'nobody_has_this:other'"):
            client.prompt("nobody_has_this:other")
        tosses = [tools.coin(str(number)) for number in range(1_000)]
        assert tosses == [tools.coin(str(number)) for number in range(1_000)]
        assert 450 < sum(tosses) < 550
        other = Tools(client, Steps(), "supported", (), ("supported", "r", "own", "0"))
        assert [other.coin(str(number)) for number in range(1_000)] != tosses


@pytest.mark.usefixtures("_quill")
def test_a_metric_whose_code_fails_is_unscored_and_tried_again(tmp_path: Path) -> None:
    is_mended = False

    async def fragile(item: JudgedItem, tools: Tools) -> Score:
        found = await statements(item, tools)
        return Score(float(len(found))) if is_mended else Score(1 / 0)

    async def endless(item: JudgedItem, tools: Tools) -> Score:
        return Score(float("nan"))

    registry.register(METRICS, "fragile", metric("fragile", fragile, "quill:statements"))
    registry.register(METRICS, "endless", metric("endless", endless))
    release = make_release(tmp_path / "releases")
    options = Options(limit=2, metrics=("fragile", "endless"))
    with OpenAIServer(reply) as server, client_of(server.url, tmp_path / "kept.sqlite") as client:
        folder = score_system(release, "oracle", output=tmp_path / "runs", options=options, client=client).folder
        first = pq.read_table(folder / "scores.parquet").to_pylist()
        is_mended = True
        score_system(release, "oracle", output=tmp_path / "runs", options=options, client=client)
        second = pq.read_table(folder / "scores.parquet").to_pylist()
    assert {(row["metric"], row["value"], row["reason"]) for row in first} == {
        ("fragile", None, "the metric failed: ZeroDivisionError: division by zero"),
        ("endless", None, "the metric gave no finite number"),
    }
    assert {(row["metric"], row["value"]) for row in second} == {("fragile", 2.0), ("endless", None)}
