"""Agents that decide whether to retrieve, over real HTTP: what they ask whom, what they count, and what goes wrong."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from model_clients import KEY

from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.predictions import Prediction, StepUsage
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_documents
from benchwright.benchmarks.reports.report import make_report
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.score_system import score_system
from benchwright.benchmarks.systems.base import Attempt, Opening, System
from benchwright.benchmarks.systems.conditions import attempt_of
from benchwright.benchmarks.systems.opening import open_system
from benchwright.benchmarks.systems.replies import to_prediction
from benchwright.benchmarks.types import Document, Question
from benchwright.scripts.servers.openai.faults import Fault
from benchwright.scripts.servers.openai.server import OpenAIServer

PLAIN = ("boolean-rag", "boolean-rag-sparing", "boolean-rag-knowing")
ADVANCED = "advanced-boolean-rag"
QUESTION = Question("q", "What is the height of Sable Point?", documents=("sable-point",))


@pytest.fixture(scope="module")
def corpus(release: Release) -> dict[str, Document]:
    return load_documents(release)


def client_of(server: OpenAIServer, cache: Path, **settings: Any) -> Client:
    """A client whose system is `large`, and who decides `small`; a token of the one costs ten of the other."""
    endpoints = {
        "system": Endpoint("large", server.url, KEY, (1.0, 10.0)),
        "decision": Endpoint("small", server.url, KEY, (0.1, 1.0)),
    }
    return Client(ModelSettings(endpoints, cache=cache, **settings))


def opened(name: str, client: Client) -> System:
    return open_system(name, Opening(2, client))


def ask(name: str, client: Client, corpus: Mapping[str, Document], attempt: Attempt) -> Prediction:
    answer: Any = opened(name, client).prepare(corpus)
    return asyncio.run(answer(attempt))


def steps(prediction: Prediction) -> list[tuple[str, str | None]]:
    return [(each.step, each.role) for each in prediction.usage.steps]


def asked_of(server: OpenAIServer) -> list[tuple[str, bool]]:
    """Of each request whose model it asked, and whether it had passages."""
    return [(each.body["model"], "[1] Sable Point" in json.dumps(each.body["messages"])) for each in server.requests]


@pytest.mark.parametrize("name", PLAIN)
def test_one_decision_and_then_an_answer(name: str, corpus: dict[str, Document], tmp_path: Path) -> None:
    with OpenAIServer() as server, client_of(server, tmp_path / "cache") as client:
        found = ask(name, client, corpus, Attempt(QUESTION))
        assert asked_of(server) == [("small", False), ("large", True)]
        hello = ask(name, client, corpus, Attempt(Question("h", "Hello, how are you?")))
        assert asked_of(server)[2:] == [("small", False), ("large", False)]
    assert found.contexts[0].id == "sable-point" and found.answer is not None and "Sable Point" in found.answer
    assert steps(found) == steps(hello) == [("decisions", "decision"), ("answers", "system")]
    assert (found.usage.retrievals, hello.usage.retrievals) == (1, 0)
    assert (hello.contexts, hello.answer) == ((), "You are welcome. What would you like to know?")
    taken = found.usage
    assert taken.input_tokens == sum(each.input_tokens for each in taken.steps) > 0
    assert taken.output_tokens == sum(each.output_tokens for each in taken.steps) > 0
    assert taken.calls == 2
    decision, answer = taken.steps
    assert decision.cost == pytest.approx((decision.input_tokens * 0.1 + decision.output_tokens) / 1e6)
    assert found.cost == pytest.approx((decision.cost or 0) + (answer.cost or 0))


def test_the_plain_prompts_differ_as_the_papers_do(corpus: dict[str, Document], tmp_path: Path) -> None:
    with OpenAIServer() as server, client_of(server, tmp_path / "cache") as client:
        for name in PLAIN:
            ask(name, client, corpus, Attempt(QUESTION))
        told = [each.body["messages"][0]["content"] for each in server.requests if each.body["model"] == "small"]
        prompts = {opened(name, client).settings["decision_prompt"] for name in (*PLAIN, ADVANCED)}
        settings = opened(ADVANCED, client).settings
    simple, sparing, knowing = told
    assert sparing.startswith(simple) and knowing.endswith(sparing)
    assert ["spare" in each for each in told] == [False, True, True]
    assert ["internet" in each for each in told] == [False, False, True]
    assert len(prompts) == 4
    assert (settings["model"], settings["decision_model"], settings["k"]) == ("large", "small", 2)


def test_an_answer_first_and_then_the_decision(corpus: dict[str, Document], tmp_path: Path) -> None:
    """What the model knows is kept; what it does not know is looked up, and all three calls are counted."""

    def knows_water(body: Mapping[str, Any]) -> Any:
        said = [each["content"] for each in body["messages"]]
        if "response_format" in body:
            return {"retrieve": said[2] != "H2O"}
        return (
            "H2O" if said[-1] == "The formula of water?" else "24 metres" if "Passage" in said[-1] else "I don't know"
        )

    with OpenAIServer(knows_water) as server, client_of(server, tmp_path / "cache") as client:
        known = ask(ADVANCED, client, corpus, Attempt(Question("w", "The formula of water?")))
        looked_up = ask(ADVANCED, client, corpus, Attempt(QUESTION))
        roles = [[message["role"] for message in each.body["messages"]] for each in server.requests]
    assert (known.answer, known.usage.retrievals, known.contexts) == ("H2O", 0, ())
    assert steps(known) == [("first answers", "system"), ("decisions", "decision")]
    assert steps(looked_up) == [("first answers", "system"), ("decisions", "decision"), ("answers", "system")]
    assert (looked_up.usage.retrievals, looked_up.usage.calls, looked_up.contexts[0].id) == (1, 3, "sable-point")
    assert roles[1] == ["system", "user", "assistant", "user"]


def test_what_an_agent_retrieves_can_be_re_ranked(corpus: dict[str, Document], tmp_path: Path) -> None:
    with OpenAIServer() as server, client_of(server, tmp_path / "cache") as client:
        found = ask("boolean-rag+llm-rerank", client, corpus, Attempt(QUESTION))
        hello = ask("boolean-rag+llm-rerank", client, corpus, Attempt(Question("h", "Hello!")))
    assert [each.step for each in found.usage.steps] == ["decisions", "re-ranking", "answers"]
    assert (found.usage.calls, found.usage.retrievals, len(found.contexts)) == (3, 1, 2)
    assert found.usage.input_tokens == sum(each.input_tokens for each in found.usage.steps)
    assert steps(hello) == [("decisions", "decision"), ("answers", "system")]


@pytest.mark.parametrize("name", [*PLAIN, ADVANCED])
def test_nothing_is_decided_where_the_condition_says_what_is_read(
    name: str, corpus: dict[str, Document], tmp_path: Path
) -> None:
    with OpenAIServer() as server, client_of(server, tmp_path / "cache") as client:
        for condition, contexts, retrievals in (("closed", 0, 0), ("gold", 1, 0), ("without-gold", 2, 1)):
            found = ask(name, client, corpus, attempt_of(QUESTION, condition, 0, corpus))
            assert (len(found.contexts), found.usage.retrievals) == (contexts, retrievals)
            assert bool(found.usage.steps) == (condition == "without-gold")
            assert condition != "without-gold" or "sable-point" not in [each.id for each in found.contexts]


@pytest.mark.parametrize(
    ("name", "faults", "error", "said"),
    [
        ("boolean-rag", ("not_json_content",) * 3, "decisions: invalid reply: it holds no JSON object, 3 times", 0),
        ("boolean-rag", (None, *("refusal",)), "answers: refusal: I'm sorry, I cannot help with that.", 1),
        (ADVANCED, (None, *("wrong_schema",) * 3), "decisions: invalid reply: ", 0),
        (ADVANCED, (None, None, "content_filter"), "answers: refusal: the endpoint's content filter", 1),
    ],
)
def test_a_step_without_a_reply_is_an_error_that_keeps_what_was_taken(
    name: str, faults: tuple[str | None, ...], error: str, said: int, corpus: dict[str, Document], tmp_path: Path
) -> None:
    planned = [None if kind is None else Fault(kind) for kind in faults]
    with OpenAIServer(faults=planned) as server, client_of(server, tmp_path / "cache") as client:
        found = ask(name, client, corpus, Attempt(QUESTION))
        calls, paid = server.calls, client.ledger.cost
    assert found.answer is None and found.error is not None and found.error.startswith(error)
    assert (found.usage.calls, found.usage.retrievals) == (calls, said)
    assert found.cost == pytest.approx(paid) and paid > 0 and bool(found.contexts) == bool(said)


@pytest.mark.parametrize(("supports", "way"), [(("tools",), "tool_choice"), ((), "messages")])
def test_an_endpoint_without_schemas_decides_by_a_forced_call_or_in_plain_json(
    supports: tuple[Any, ...], way: str, corpus: dict[str, Document], tmp_path: Path
) -> None:
    def decides(body: Mapping[str, Any]) -> Any:
        is_decision = "tools" in body or "JSON Schema" in body["messages"][-1]["content"]
        return '{"retrieve": false}' if is_decision else "by heart"

    with OpenAIServer(decides, supports=supports) as server, client_of(server, tmp_path / "cache") as client:
        found = ask("boolean-rag", client, corpus, Attempt(QUESTION))
        decision = server.requests[-2].body
    assert (found.answer, found.usage.retrievals, found.usage.calls) == ("by heart", 0, 2)
    assert way in decision and ("tools" in decision) == bool(supports)


def test_without_a_model_it_always_retrieves(release: Release, tmp_path: Path) -> None:
    scored = score_system(release, ADVANCED, output=tmp_path, options=Options(metrics=("correct",)))
    report = make_report(release, scored.folder)
    (part,) = report.cost.parts
    assert (part.answers, part.retrieved, part.steps) == (10, 10, ())
    assert "always retrieves" in open_system(ADVANCED, Opening()).description


def test_a_run_says_what_each_step_took(release: Release, tmp_path: Path) -> None:
    """A gap's documents are retrieved like all others; the estimate counts as if each decision were to retrieve."""
    with OpenAIServer() as server:
        with client_of(server, tmp_path / "cache") as client:
            scored = score_system(release, "boolean-rag", output=tmp_path, client=client)
            ledger = {key: costs.calls for key, costs in client.ledger.by_step.items()}
        report = make_report(release, scored.folder)
        with client_of(server, tmp_path / "other", estimate=True) as client:
            answer: Any = opened(ADVANCED, client).prepare(load_documents(release))
            estimated = asyncio.run(answer(Attempt(QUESTION)))
            counted = {key: costs.calls for key, costs in client.expected_ledger.by_step.items()}
    assert estimated.answer is None
    assert counted == {("first answers", "system"): 1, ("decisions", "decision"): 1, ("answers", "system"): 1}
    assert ledger == {("decisions", "decision"): 10, ("answers", "system"): 10}
    assert (scored.folder.name, report.cost.retrievals.total) == ("boolean-rag-large", 10)
    (part,) = report.cost.parts
    decision, answering = part.steps
    assert (decision.step, decision.role, decision.answers, decision.calls.total) == ("decisions", "decision", 10, 10)
    both = [decision.input_tokens.total or 0, answering.input_tokens.total or 0]
    assert both[0] < both[1] and sum(both) == report.cost.input_tokens.total
    assert report.cost.cost.total == pytest.approx((decision.cost.total or 0) + (answering.cost.total or 0))


def test_steps_of_a_system_are_kept_and_bounded() -> None:
    step = {"step": "plan", "role": "planner", "input_tokens": 3, "calls": 1, "cost": 0.5}
    found = to_prediction({"answer": "x", "usage": {"steps": [step], "input_tokens": 3}}, "q")
    assert found.usage.steps == (StepUsage("plan", "planner", 3, 0, 1, 0.5),) and found.error is None
    many = to_prediction({"answer": "x", "usage": {"steps": [{"step": "a" * 10_000}] * 2_000}}, "q")
    assert (len(many.usage.steps), many.usage.steps[0].step) == (1_000, "a" * 200)
    assert many.error == "steps were cut: 1,000 of them are kept, of each name 200 characters"
