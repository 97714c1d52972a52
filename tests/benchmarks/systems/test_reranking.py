"""Re-ranking: by a cross-encoder behind `/rerank`, by a language model, and by rules; what it takes, and what is read."""

import asyncio
import inspect
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from lighthouses import make_release
from model_clients import new_client

from benchwright.benchmarks.errors import StopError, UsageError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.responses import ReplyError
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.releases.rows import load_documents
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.score_system import score_system
from benchwright.benchmarks.systems.base import Attempt, Opening
from benchwright.benchmarks.systems.opening import open_system
from benchwright.benchmarks.types import Document, Question
from benchwright.scripts.servers.openai.server import OpenAIServer

ASKED = "height of Old Hook"
TEXTS = ["one", "two", "three"]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Document]:
    return load_documents(make_release(tmp_path_factory.mktemp("releases")))


def clients(url: str, cache: Path, *roles: str, rates: tuple[float, float] | None = None) -> Client:
    return Client(ModelSettings({role: Endpoint(f"{role}-m", url, rates=rates) for role in roles}, cache=cache))


def ask(name: str, corpus: dict[str, Document], opening: Opening, question: str = ASKED) -> Prediction:
    answer: Any = open_system(name, opening).prepare(corpus)(Attempt(Question("q", question)))
    return asyncio.run(answer) if inspect.iscoroutine(answer) else answer


@contextmanager
def answering(answer: Callable[[dict[str, Any]], tuple[int, Any]]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A server that re-ranks as it is told: its address, and the bodies of what it was asked."""
    asked: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            status, body = answer(asked[-1])
            data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()


def fit(url: str, tmp_path: Path, texts: list[str] = TEXTS, **options: Any) -> Any:
    with clients(url, tmp_path / "cache", "reranker", **options) as client:
        return asyncio.run(client.rerank("reranker", "which?", texts, step="re-ranking"))


def test_the_shape_of_cohere_and_jina(tmp_path: Path) -> None:
    results = [{"index": 2, "relevance_score": 0.9}, {"index": 0, "relevance_score": -1}]
    with answering(lambda body: (200, {"results": results, "meta": {"billed_units": {"search_units": 1}}})) as (
        url,
        asked,
    ):
        found = fit(url, tmp_path)
        assert found.scores == (-1.0, None, 0.9)
        assert (found.tokens.input, found.tokens.calls, found.cost) == (0, 1, None), "what it cost is not known"
        assert asked == [{"model": "reranker-m", "query": "which?", "documents": TEXTS}]
        assert fit(url, tmp_path).scores == found.scores
        assert len(asked) == 1, "the reply is kept"


def test_the_shape_of_vllm_counts_tokens(tmp_path: Path) -> None:
    results = [{"index": place, "document": {"text": "t"}, "relevance_score": place / 10} for place in range(3)]
    with answering(lambda body: (200, {"results": results, "usage": {"total_tokens": 500}})) as (url, _):
        found = fit(url, tmp_path, rates=(2.0, 0.0))
        assert (found.scores, found.tokens.input, found.cost) == ((0.0, 0.1, 0.2), 500, 0.001)


def test_text_embeddings_inference_is_asked_in_its_words(tmp_path: Path) -> None:
    def answer(body: dict[str, Any]) -> tuple[int, Any]:
        if "texts" not in body:
            return 422, "Failed to deserialize the JSON body into the target type: missing field `texts` at line 1"
        return 200, [{"index": place, "score": len(text)} for place, text in enumerate(body["texts"])]

    with answering(answer) as (url, asked):
        assert fit(url, tmp_path, [*TEXTS, *["x" * n for n in range(1, 41)]]).scores[2:5] == (5.0, 1.0, 2.0)
        sent = [len(body["texts"]) for body in asked if "texts" in body]
        assert sorted(sent) == [11, 32] and all(body.get("truncate", "documents" in body) for body in asked)


@pytest.mark.parametrize(
    ("status", "body", "message"),
    [
        (200, {"results": []}, "invalid reply: the ranking has no results"),
        (200, {"results": [{"index": 3, "relevance_score": 1}]}, "no index of one of 3 texts"),
        (200, {"results": [{"index": 0, "relevance_score": None}]}, "a result of the ranking has no score"),
        (200, {"results": ["x"]}, "no index of one of 3 texts"),
        (200, '{"results": [{"index": 0, "relevance_score": NaN}]}', "a result of the ranking has no score"),
        (400, {"error": {"message": "no such query"}}, "no reply: the endpoint answered 400: no such query"),
    ],
)
def test_rankings_that_are_none(status: int, body: Any, message: str, tmp_path: Path) -> None:
    with answering(lambda _: (status, body)) as (url, _), pytest.raises(ReplyError, match=message):
        fit(url, tmp_path)


def test_an_address_where_nothing_re_ranks(tmp_path: Path) -> None:
    says = r"http://[^ ]+ has no /rerank: it answered 404; give the address that ends before /rerank, often …/v1"
    with answering(lambda _: (404, "Not Found")) as (url, _), pytest.raises(StopError, match=says):
        fit(url, tmp_path)


def test_a_cross_encoder_chooses_what_is_read(tmp_path: Path, corpus: dict[str, Document]) -> None:
    def answer(body: dict[str, Any]) -> tuple[int, Any]:
        scores = [1.0 if text.startswith("Cape Farrow\n") else -place for place, text in enumerate(body["documents"])]
        found = [{"index": place, "relevance_score": score} for place, score in enumerate(scores)]
        return 200, {"results": found, "usage": {"total_tokens": 90}}

    with answering(answer) as (url, asked), clients(url, tmp_path / "c", "reranker", rates=(1.0, 1.0)) as client:
        system = open_system("bm25+rerank", Opening(1, client))
        assert (system.name, system.is_async) == ("bm25-rerank-reranker-m", True)
        assert system.description.startswith(
            "takes the best 4 passages by BM25; the cross-encoder reranker-m puts them in order, and reads the first 1; the built-in"
        )
        assert {**system.settings, "reranker_base_url": "…"} == {
            "reader": "extractive",
            "k": 1,
            "passage_words": 100,
            "reranked": "rerank",
            "candidates": 4,
            "reranker": "reranker-m",
            "reranker_base_url": "…",
        }
        read = ask("bm25+rerank", corpus, Opening(1, client), "height of a lighthouse")
        assert [(each.id, each.score) for each in read.contexts] == [("cape-farrow", 1.0)]
        assert [len(body["documents"]) for body in asked] == [4]
        (step,) = read.usage.steps
        assert (step.step, step.role, step.input_tokens, step.calls) == ("re-ranking", "reranker", 90, 1)
        assert (read.usage.input_tokens, read.usage.calls, read.usage.retrievals) == (90, 1, 1)
        assert read.cost == pytest.approx(0.00009)


def test_a_language_model_puts_passages_in_order(tmp_path: Path, corpus: dict[str, Document]) -> None:
    first = [name for name, *_ in ((each.id,) for each in ask("bm25", corpus, Opening(4)).contexts)]

    def reply(body: Mapping[str, Any]) -> Any:
        return {"best": [3, 3, 99, 1]} if "response_format" in body else "18 metres"

    with OpenAIServer(reply) as server, clients(server.url, tmp_path / "cache", "system", rates=(1.0, 1.0)) as client:
        assert open_system("bm25+llm-rerank", Opening(1, client)).name == "bm25-llm-rerank-system-m"
        read = ask("bm25+llm-rerank", corpus, Opening(3, client))
        assert [each.id for each in read.contexts] == [first[2], first[0], first[1]], "what it leaves out comes after"
        assert read.answer == "18 metres"
        ranking, answers = read.usage.steps
        assert [(each.step, each.role, each.calls) for each in (ranking, answers)] == [
            ("re-ranking", "system", 1),
            ("answers", "system", 1),
        ]
        assert read.usage.input_tokens == ranking.input_tokens + answers.input_tokens
        assert read.cost == pytest.approx((read.usage.input_tokens + read.usage.output_tokens) / 1e6)


def test_an_agent_re_ranks_what_it_retrieves(tmp_path: Path, corpus: dict[str, Document]) -> None:
    def reply(body: Mapping[str, Any]) -> Any:
        return {"retrieve": True} if "response_format" in body else "18 metres"

    with OpenAIServer(reply) as server, clients(server.url, tmp_path / "cache", "system", "reranker") as client:
        read = ask("boolean-rag+rerank", corpus, Opening(1, client))
        assert [each.id for each in read.contexts] == ["old-hook"]
        assert {each.step for each in read.usage.steps} == {"re-ranking", "decisions", "answers"}
        assert (read.usage.calls, read.usage.retrievals) == (3, 1)


def test_by_rules_without_a_model(tmp_path: Path, corpus: dict[str, Document]) -> None:
    system = open_system("keyword+rerank", Opening(2))
    assert (system.name, system.is_async, system.settings["candidates"]) == ("keyword-rerank", False, 8)
    read = ask("keyword+rerank", corpus, Opening(2), "Could somebody tell me how tall the lighthouse Cape Farrow is?")
    assert (read.contexts[0].id, read.answer) == ("cape-farrow", "42 metres")
    scored = score_system(make_release(tmp_path / "r"), "dense+rerank", output=tmp_path / "runs", options=Options(k=1))
    assert (scored.folder.name, scored.counts.errors) == ("dense-rerank", 0)


def test_what_an_estimate_counts(tmp_path: Path, corpus: dict[str, Document]) -> None:
    for name in ("bm25+rerank", "bm25+llm-rerank"):
        with new_client("http://127.0.0.1:9/v1", tmp_path / name, estimate=True) as client:
            endpoints = {**client.settings.endpoints, "reranker": client.settings.endpoints["system"]}
        with Client(ModelSettings(endpoints, cache=tmp_path / name, estimate=True)) as client:
            ask(name, corpus, Opening(2, client))
            assert [(step, costs.calls) for (step, _), costs in client.expected_ledger.by_step.items()] == [
                ("re-ranking", 1),
                ("answers", 1),
            ]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "closed-book+rerank",
            r"closed-book\+rerank: closed-book retrieves nothing that could be put in another order",
        ),
        ("oracle+llm-rerank", r"\+llm-rerank needs a language model: name one with --model reranker=NAME"),
        ("oracle+rerank", r"oracle\+rerank: oracle retrieves nothing that could be put in another order"),
        ("bm25+rernk", r"there is no system 'bm25\+rernk': re-rank as bm25\+rerank or bm25\+llm-rerank"),
        ("bm25+", r"there is no system 'bm25\+': "),
    ],
)
def test_what_cannot_be_re_ranked(name: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        open_system(name, Opening())
