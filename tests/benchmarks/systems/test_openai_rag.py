"""`openai-rag:MODEL`: endpoints that retrieve themselves, over real HTTP and the official SDK."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from model_clients import new_client
from services import Asked, Say, Service

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.score_system import Scored, score_system
from benchwright.benchmarks.runs.store import stored_predictions
from benchwright.benchmarks.systems.citations import citations_of

TEXT = "Gannet Rock has a height of 31 metres."
STREAM = {"Content-Type": "text/event-stream"}
USAGE = {"prompt_tokens": 7, "completion_tokens": 3}


def chat(text: str | None = "31 metres", *, beside: Mapping[str, Any] | None = None, **message: Any) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": text, **message}, "finish_reason": "stop"}
    return {"id": "c", "object": "chat.completion", "choices": [choice], "usage": USAGE, **(beside or {})}


def response(*annotations: Any, results: Any = None) -> dict[str, Any]:
    said = {"type": "output_text", "text": "31 metres", "annotations": list(annotations)}
    output = [{"type": "file_search_call", "results": results}, {"type": "message", "content": [said]}]
    return {"object": "response", "output": output, "usage": {"input_tokens": 7, "output_tokens": 3}}


def chunks(*parts: Mapping[str, Any]) -> Say:
    return Say("".join(f"data: {json.dumps(part)}\n\n" for part in parts) + "data: [DONE]\n\n", headers=STREAM)


def delta(text: str | None = None, **fields: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {**({} if text is None else {"content": text}), **fields}}]}


def score(server: Service, release: Release, tmp_path: Path, respond: Any, **options: Any) -> Scored:
    server.asked.clear()
    server.respond = respond if callable(respond) else lambda asked: respond
    settings = Options(**{"limit": 1, "wordings": 1, **options})
    with new_client(f"{server.url}/v1", tmp_path / "replies.sqlite", timeout=5.0) as client:
        return score_system(release, "openai-rag:m", output=tmp_path / "runs", options=settings, client=client)


def said(server: Service, release: Release, tmp_path: Path, respond: Any, **options: Any) -> Prediction:
    folder = score(server, release, tmp_path, respond, **options).folder
    return next(stored_predictions(folder / "predictions.jsonl"))


def test_the_question_alone_is_sent_and_its_citations_are_contexts(
    server: Service, release: Release, tmp_path: Path
) -> None:
    cited = [{"content": TEXT, "title": "Gannet Rock", "filepath": "gannet-rock", "url": "https://x/gannet"}]
    found = said(server, release, tmp_path, chat(context={"citations": cited}))
    assert found.answer == "31 metres"
    assert found.contexts == (Context("gannet-rock", TEXT, uri="https://x/gannet"),)
    assert (found.usage.input_tokens, found.usage.output_tokens, found.usage.retrievals) == (7, 3, 1)
    (asked,) = server.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.body.keys() == {"model", "messages"} and asked.body["model"] == "m"
    assert [message["role"] for message in asked.body["messages"]] == ["user"]


SHOWN: list[tuple[Mapping[str, Any], list[tuple[str | None, str | None]] | None, bool]] = [
    (chat(), None, False),
    (chat(beside={"citations": []}), None, False),
    (chat(beside={"contexts": []}), [], True),
    (chat(beside={"contexts": [TEXT, TEXT]}), [(None, TEXT)], True),
    (chat(beside={"documents": [{"id": 7, "text": TEXT, "score": 0.5}]}), [("7", TEXT)], True),
    (chat(beside={"source_documents": [{"page_content": TEXT, "metadata": {"source": "gannet-rock.md"}}]}), [("gannet-rock.md", TEXT)], True),
    (chat(beside={"citations": ["https://a/b", "https://a/c"]}), [("https://a/b", None), ("https://a/c", None)], False),
    (chat(beside={"citations": ["https://a/b"], "search_results": [{"title": "B", "url": "https://a/b", "snippet": TEXT}]}), [("https://a/b", TEXT)], True),
    (chat(annotations=[{"type": "url_citation", "url_citation": {"url": "https://a/b", "start_index": 0, "end_index": 3}}]), [("https://a/b", None)], False),
    (chat(annotations=[{"type": "file_citation", "file_citation": {"file_id": "f-1", "quote": TEXT}}]), [("f-1", TEXT)], False),
    (chat(reference={"chunks": [{"id": "k", "document_id": "d", "content": TEXT, "similarity": 0.9}]}), [("d", TEXT)], True),
    (chat(reference={"chunks": {"0": {"id": "k", "document_id": "d", "content": TEXT}}}), [("d", TEXT)], True),
    (chat(beside={"retrieval": {"retrieved_data": [{"id": "d", "page_content": TEXT, "score": 1}]}}), [("d", TEXT)], True),
    (chat(beside={"sources": [{"source": {"name": "s"}, "document": [TEXT, "other"], "metadata": [{}]}]}), [(None, TEXT), (None, "other")], True),
    (chat(beside={"sources": [{"id": "d", "text": TEXT, "score": 0.1}]}), [("d", TEXT)], True),
    (chat(beside={"references": [{"reference_id": "1", "file_path": "a.md", "content": TEXT}]}), [("1", TEXT)], False),
    (chat(beside={"citations": 7, "documents": "none", "sources": {"a": 1}}), None, False),
    (response(results=[{"file_id": "f", "filename": "a.md", "score": 0.5, "text": TEXT}]), [("f", TEXT)], True),
    (response({"type": "url_citation", "url": "https://a/b"}, {"type": "file_citation", "file_id": "f"}), [("https://a/b", None), ("f", None)], False),
]  # fmt: skip


@pytest.mark.parametrize(("reply", "contexts", "is_all"), SHOWN)
def test_what_replies_show(reply: Mapping[str, Any], contexts: Any, is_all: bool) -> None:
    found = citations_of(reply)
    if contexts is None:
        assert found is None
        return
    assert found is not None and found.is_all == is_all
    plain = [({"text": each} if isinstance(each, str) else each) for each in found.contexts]
    assert [(each.get("id", each.get("uri")), each.get("text")) for each in plain] == contexts


def test_a_streaming_endpoint_is_read_whole(server: Service, release: Release, tmp_path: Path) -> None:
    say = chunks(
        delta(role="assistant", context={"citations": [{"content": TEXT, "chunk_id": "k"}]}),
        delta("31 "),
        {**delta("metres"), "citations": ["https://a/b"]},
        {"choices": [], "usage": USAGE, "citations": ["https://a/b"]},
    )
    found = said(server, release, tmp_path, say)
    assert (found.answer, found.usage.output_tokens) == ("31 metres", 3)
    assert found.contexts == (Context("k", TEXT),)


def test_an_endpoint_that_must_stream_is_asked_to(server: Service, release: Release, tmp_path: Path) -> None:
    def respond(asked: Asked) -> Any:
        if not asked.body.get("stream"):
            return Say({"error": {"message": "only stream=true is supported", "param": "stream"}}, 400)
        return chunks(delta("31 metres"))

    assert said(server, release, tmp_path, respond).answer == "31 metres"
    assert [each.body.get("stream") for each in server.asked] == [None, True]


def test_responses_are_asked_for_where_there_is_no_chat(server: Service, release: Release, tmp_path: Path) -> None:
    def respond(asked: Asked) -> Any:
        if asked.path.endswith("/chat/completions"):
            return Say({"detail": "Not Found"}, 404)
        done = {"type": "response.completed", "response": response({"type": "file_citation", "file_id": "gannet-rock"})}
        return chunks({"type": "response.output_text.delta", "delta": "31"}, done) if asked.number == 3 else response()

    folder = score(server, release, tmp_path, respond, limit=2).folder
    found = list(stored_predictions(folder / "predictions.jsonl"))
    assert [each.answer for each in found] == ["31 metres", "31 metres"]
    assert {each.usage.input_tokens for each in found} == {7}
    assert all(each.body.keys() == {"model", "input"} for each in server.asked if each.path.endswith("/responses"))


def test_what_is_no_answer_is_named(server: Service, release: Release, tmp_path: Path) -> None:
    for reply, message in (
        (chat(None, tool_calls=[{"function": {"name": "search"}}]), "returned a message without text"),
        (chat(None, refusal="I must not"), "refusal: I must not"),
        ({"choices": []}, "returned a message without text"),
    ):
        with pytest.raises(BenchwrightError, match=message):
            score(server, release, tmp_path, reply)
    with pytest.raises(BenchwrightError, match="is no OpenAI-compatible endpoint: it answered 404"):
        score(server, release, tmp_path, Say("nothing", 404))


def test_each_start_and_each_repeat_asks_anew_and_replay_does_not(
    server: Service, release: Release, tmp_path: Path
) -> None:
    def respond(asked: Asked) -> Any:
        return chat(f"answer {asked.number}")

    score(server, release, tmp_path, respond, repeat=2)
    scored = score(server, release, tmp_path, lambda asked: chat("other"), again=True, repeat=2)
    assert {each.answer for each in stored_predictions(scored.folder / "predictions.jsonl")} == {"other"}
    with new_client(f"{server.url}/v1", tmp_path / "replies.sqlite", replay=True) as client:
        options = Options(limit=1, wordings=1, again=True)
        kept = score_system(release, "openai-rag:m", output=tmp_path / "kept", options=options, client=client)
    assert next(stored_predictions(kept.folder / "predictions.jsonl")).answer == "other"


def test_conditions_and_what_is_only_cited_are_said(server: Service, release: Release, tmp_path: Path) -> None:
    cited = chat(beside={"citations": [{"id": "gannet-rock", "text": TEXT}]})
    scored = score(server, release, tmp_path, cited, limit=2, conditions=("own", "closed"))
    assert scored.counts.unsupported == 2
    assert scored.warnings == (
        "2 answers show what they cite (citations), and not all that was retrieved: figures of retrieval are of the former",
    )
