"""What goes wrong with a request, over real HTTP: how often it is sent, what is raised, and what the accounts say."""

from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import pytest
from model_clients import ask, new_client, tally

from benchwright.benchmarks.errors import StopError
from benchwright.benchmarks.models.endpoint import transport
from benchwright.benchmarks.models.responses import FAILED, INVALID, ReplyError, Tokens
from benchwright.benchmarks.models.responses import REFUSAL as REFUSED
from benchwright.benchmarks.remote.response_store import ResponseStore
from benchwright.scripts.servers.openai.faults import PROSE, REFUSAL, Fault
from benchwright.scripts.servers.openai.server import OpenAIServer

LIMIT = "Rate limit reached: slow down"
BUSY = "The engine is currently overloaded, please try again later"
ERROR = "The server had an error while processing your request"
V1 = "give the address that ends before /chat/completions, often …/v1"
LIMITED: dict[str, Any] = {"type": "requests", "code": "rate_limit_exceeded"}


@dataclass(frozen=True)
class Height:
    """A structured reply."""

    metres: int


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "_FIRST_PAUSE", 0.005)
    monkeypatch.setattr(transport, "_LONGEST_PAUSE", 0.01)


@dataclass(frozen=True)
class Counts:
    """What the server and the accounts count."""

    calls: int = 1
    retries: int = 0
    refused: int = 0
    invalid: int = 0
    unpriced: int = 0
    cut: int = 0


def outcome(server: OpenAIServer, folder: Path, *, is_structured: bool, timeout: float = 30.0) -> tuple[Any, Counts]:
    """The reply to one request, or its error, and the counts."""
    client = new_client(server.url, folder / "replies.sqlite", timeout=timeout, rates=(1.0, 1.0))
    with client:
        try:
            result: Any = ask(client, reply=Height) if is_structured else ask(client)
        except (ReplyError, StopError) as error:
            result = error
        counted = tally(client)
    assert counted.calls == server.calls and counted.unjudged == 0
    return result, Counts(
        counted.calls, counted.retries, counted.refused, counted.invalid, counted.unpriced, counted.cut
    )


ONCE: list[tuple[Fault, Counts]] = [
    (Fault(429), Counts(2, retries=1)),
    (Fault(429, retry_after=0.02), Counts(2, retries=1)),
    (Fault(429, retry_after=0, as_date=True), Counts(2, retries=1)),
    (Fault(429, retry_after="soon"), Counts(2, retries=1)),
    (Fault(429, retry_after_ms=20), Counts(2, retries=1)),
    (Fault(408), Counts(2, retries=1)),
    (Fault(409), Counts(2, retries=1)),
    (Fault(500), Counts(2, retries=1)),
    (Fault(503), Counts(2, retries=1)),
    (Fault(503, retry_after=0.02), Counts(2, retries=1)),
    (Fault("slow", seconds=60), Counts(2, retries=1)),
    (Fault("cut"), Counts(2, retries=1)),
    (Fault("reset"), Counts(2, retries=1)),
    (Fault("invalid_json"), Counts(2, retries=1)),
    (Fault("empty_choices"), Counts(2, invalid=1)),
    (Fault("missing_usage"), Counts(1, unpriced=1)),
]


def name(case: object) -> str:
    if not isinstance(case, Fault):
        return ""
    return " ".join(str(value) for value in astuple(case) if value not in ("", None, 0.0, False))


@pytest.mark.parametrize("is_structured", [False, True], ids=["plain", "structured"])
@pytest.mark.parametrize(("fault", "counts"), ONCE, ids=name)
def test_met_once_and_overcome(fault: Fault, counts: Counts, is_structured: bool, tmp_path: Path) -> None:
    timeout = 1.0 if fault.kind == "slow" else 30.0
    with OpenAIServer([{"metres": 31}], faults=[fault]) as server:
        reply, counted = outcome(server, tmp_path, is_structured=is_structured, timeout=timeout)
    assert (reply.text, counted) == ('{"metres": 31}', counts)
    assert reply.value == (Height(31) if is_structured else reply.text)
    paid = {"missing_usage": (0, 1), "empty_choices": (6, 2)}.get(str(fault.kind), (3, 1))
    assert (reply.tokens.output, reply.tokens.calls) == paid, "only what was answered is paid for"
    assert (reply.cost is None) == (fault.kind == "missing_usage")


TEXTS = [("wrong_schema", '["this does not fit"]'), ("not_json_content", PROSE), ("length", "31 m")]


@pytest.mark.parametrize(("kind", "text"), TEXTS)
def test_any_text_is_a_plain_reply(kind: str, text: str, tmp_path: Path) -> None:
    with OpenAIServer(["31 metres"], faults=[Fault(kind)]) as server:
        reply, counted = outcome(server, tmp_path, is_structured=False)
    assert (reply.text, counted) == (text, Counts())


SHAPES = [
    ("wrong_schema", "metres: Field required", '{"unexpected": "this does not fit"}'),
    ("not_json_content", "it holds no JSON object", PROSE),
    ("length", "it was cut off at the limit of tokens (it holds no JSON object)", '{"metre'),
]


def unusable(kind: str, calls: int, count: int) -> Counts:
    """The counts where some replies had the wrong shape."""
    return Counts(calls, cut=count) if kind == "length" else Counts(calls, invalid=count)


@pytest.mark.parametrize(("kind", "problem", "text"), SHAPES)
def test_a_wrong_shape_is_asked_for_again_with_what_was_wrong(
    kind: str, problem: str, text: str, tmp_path: Path
) -> None:
    with OpenAIServer([{"metres": 31}], faults=[Fault(kind)]) as server:
        reply, counted = outcome(server, tmp_path, is_structured=True)
        said = server.requests[1].body["messages"]
    assert (reply.value, reply.tokens.calls, counted) == (Height(31), 2, unusable(kind, 2, 1))
    assert said == [
        {"role": "user", "content": "How tall?"},
        {"role": "assistant", "content": text},
        {
            "role": "user",
            "content": f"Your last reply cannot be used: {problem}.\nReply to the request above once more, in exactly "
            "the form that it asks for.\nThat is one JSON object that fits this JSON Schema: "
            '{"description": "A structured reply.", "properties": {"metres": {"type": "integer"}}, '
            '"required": ["metres"], "type": "object", "additionalProperties": false}',
        },
    ]


@pytest.mark.parametrize(("kind", "problem", "text"), SHAPES)
def test_a_wrong_shape_for_good(kind: str, problem: str, text: str, tmp_path: Path) -> None:
    with OpenAIServer([{"metres": 31}]) as server:
        server.fault_for = lambda _: Fault(kind)
        store = ResponseStore(tmp_path / "replies.sqlite", elsewhere="")
        store.set_note(f"{server.url} m", "tools")  # or else the modes would be gone through
        store.close()
        error, counted = outcome(server, tmp_path, is_structured=True)
        last = server.requests[2].body["messages"]
    assert (str(error), error.reason, error.raw) == (f"invalid reply: {problem}, 3 times", INVALID, text)
    assert (counted, error.tokens.calls, error.tokens.output) == (unusable(kind, 3, 3), 3, 9)
    assert len(last) == 3 and last[2]["content"].endswith("\nThis is the last time that you are asked.")


def test_the_raw_reply_is_the_last_one(tmp_path: Path) -> None:
    with OpenAIServer(["one", "two", "three", "four"]) as server:
        error, _ = outcome(server, tmp_path, is_structured=True)
    assert error.raw == "three"


def failed(fault: Fault, status: int, said: str, tries: int, **detail: Any) -> tuple[Fault, str, str, str, Counts]:
    kind = {"type": "server_error", "code": None} if status >= 500 else {"type": "invalid_request_error", "code": None}
    error = {"message": f"{said}.", "type": kind["type"], "param": None, "code": kind["code"], **detail}
    raw = str({"error": error}).replace("'", '"').replace("None", "null")
    times = f", {tries} times" if tries > 1 else ""
    text = f"no reply: the endpoint answered {status}: {said}{times}"
    return fault, text, FAILED, raw, Counts(tries, retries=tries - 1)


FOR_GOOD: list[tuple[Fault, str, str, str, Counts]] = [
    failed(Fault(429), 429, LIMIT, 12, **LIMITED),
    failed(Fault(429, retry_after=0.01), 429, LIMIT, 12, **LIMITED),
    failed(Fault(429, retry_after_ms=5), 429, LIMIT, 12, **LIMITED),
    failed(Fault(500), 500, ERROR, 5),
    failed(Fault(503), 503, BUSY, 5),
    failed(Fault(503, retry_after=0.01), 503, BUSY, 5),
    (
        Fault("invalid_json"),
        "invalid reply: the answer is not JSON, 5 times",
        INVALID,
        '{"id": "chatcmpl-1", "choices": [',
        Counts(5, retries=4),
    ),
    (Fault("refusal"), f"refusal: {REFUSAL}", REFUSED, REFUSAL, Counts(1, refused=1)),
    (
        Fault("content_filter"),
        "refusal: the endpoint's content filter",
        REFUSED,
        "the endpoint's content filter",
        Counts(1, refused=1),
    ),
]


@pytest.mark.parametrize("is_structured", [False, True], ids=["plain", "structured"])
@pytest.mark.parametrize(("fault", "text", "reason", "raw", "counts"), FOR_GOOD, ids=name)
def test_met_each_time(
    fault: Fault, text: str, reason: str, raw: str, counts: Counts, is_structured: bool, tmp_path: Path
) -> None:
    with OpenAIServer([{"metres": 31}]) as server:
        server.fault_for = lambda _: fault
        error, counted = outcome(server, tmp_path, is_structured=is_structured)
    assert isinstance(error, ReplyError)
    assert (str(error), error.reason, error.raw, counted) == (text, reason, raw, counts)
    assert error.tokens == (Tokens(2, 3, 0, 1) if reason == REFUSED else Tokens())


@pytest.mark.parametrize("is_structured", [False, True], ids=["plain", "structured"])
def test_no_choices_each_time(is_structured: bool, tmp_path: Path) -> None:
    with OpenAIServer([{"metres": 31}]) as server:
        server.fault_for = lambda _: Fault("empty_choices")
        error, counted = outcome(server, tmp_path, is_structured=is_structured)
        bodies = [request.body for request in server.requests]
    assert (str(error), counted) == ("invalid reply: the completion has no choices, 3 times", Counts(3, invalid=3))
    assert error.raw.startswith('{"id": "chatcmpl-3"') and '"choices": []' in error.raw
    assert bodies[0] == bodies[1] == bodies[2], "there is no reply that the model could be told about"


REJECTED: list[tuple[Fault, int]] = [
    (Fault(400), 4),
    (Fault(400, param="response_format"), 4),
    (Fault(400, param="messages", code="context_length_exceeded"), 1),
    (Fault(422), 4),
]


@pytest.mark.parametrize(("fault", "structured_calls"), REJECTED, ids=name)
def test_a_request_that_is_rejected(fault: Fault, structured_calls: int, tmp_path: Path) -> None:
    """It is not sent again; but a structured one is in the other ways of asking, unless the reason lies elsewhere."""
    for is_structured, calls in ((False, 1), (True, structured_calls)):
        with OpenAIServer([{"metres": 31}]) as server:
            server.fault_for = lambda _: fault
            error, counted = outcome(server, tmp_path, is_structured=is_structured)
        status = fault.kind
        said = f"no reply: the endpoint answered {status}: The request failed with status {status}"
        assert (str(error), error.reason, counted) == (said, FAILED, Counts(calls))


STOPPED: list[tuple[Fault, str]] = [
    (Fault(401), "URL does not accept the key: The request failed with status 401; put a right one in OPENAI_API_KEY"),
    (Fault(402, message="Insufficient Balance"), "the account of m has no credit: Insufficient Balance; add credit"),
    (Fault(403, message="Not from here."), "URL does not allow m: Not from here"),
    (
        Fault(404, message="The model `m` does not exist."),
        "URL has no model m: The model `m` does not exist; name another",
    ),
    (
        Fault(404, message="Invalid URL (POST /chat/completions)", code="none"),
        f"URL is no OpenAI-compatible endpoint: it answered 404; {V1}",
    ),
    (Fault(405), f"URL is no OpenAI-compatible endpoint: it answered 405; {V1}"),
    (Fault("html"), f"URL is no OpenAI-compatible endpoint: it answered with a page; {V1}"),
    (
        Fault(429, code="insufficient_quota", message="You exceeded your current quota."),
        "the account of m has no credit: You exceeded your current quota; add credit",
    ),
    (
        Fault(429, type="insufficient_quota", message="You exceeded your current quota."),
        "the account of m has no credit: You exceeded your current quota; add credit",
    ),
    (Fault(429, retry_after=3600), "URL asks to wait 3,600 s; start again then"),
    (Fault(429, retry_after_ms=3_600_000), "URL asks to wait 3,600 s; start again then"),
    (Fault(503, retry_after=3600), "URL asks to wait 3,600 s; start again then"),
]


@pytest.mark.parametrize("is_structured", [False, True], ids=["plain", "structured"])
@pytest.mark.parametrize(("fault", "text"), STOPPED, ids=name)
def test_where_no_request_would_go_better(fault: Fault, text: str, is_structured: bool, tmp_path: Path) -> None:
    with OpenAIServer([{"metres": 31}], faults=[fault]) as server:
        error, counted = outcome(server, tmp_path, is_structured=is_structured)
        url = server.url
    assert isinstance(error, StopError)
    assert (str(error), counted) == (text.replace("URL", url), Counts())
