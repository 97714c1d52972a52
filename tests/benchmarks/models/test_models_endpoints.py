"""What endpoints say that differ from OpenAI's: rejections, filters, thoughts and tools, and where Azure wants its key."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from model_clients import KEY, ask, new_client, tally

from benchwright.benchmarks.errors import StopError, UsageError
from benchwright.benchmarks.models.endpoint.addresses import key_headers, shown_address
from benchwright.benchmarks.models.endpoint.http_errors import failure_of_status
from benchwright.benchmarks.models.endpoint.rejections import is_filtered, rejected_part
from benchwright.benchmarks.models.endpoint.structured import InvalidReply, shape
from benchwright.benchmarks.models.endpoint.thinking import apart
from benchwright.benchmarks.models.responses import REFUSAL, ReplyError, read_completion
from benchwright.benchmarks.models.settings import Endpoint, read_settings
from benchwright.benchmarks.secrecy import without_secrets
from benchwright.scripts.servers.openai.faults import Fault
from benchwright.scripts.servers.openai.profiles import PROFILES, THOUGHTS
from benchwright.scripts.servers.openai.server import OpenAIServer

Body = Mapping[str, Any]


@dataclass(frozen=True)
class Height:
    """A height."""

    metres: int


FITS = '{"metres": 31}'
FIRST = {  # what the first structured request with a temperature and a limit takes, in calls, and how it is asked then
    "openai": (3, "json_schema"),
    "azure": (2, "tools"),
    "openrouter": (3, "json_object"),
    "vllm": (1, "json_schema"),
    "ollama": (1, "json_schema"),
    "llamacpp": (3, "json_object"),
    "litellm": (5, "text"),
    "anthropic": (3, "tools"),
}


def mode_of(body: Body) -> str:
    return body.get("response_format", {}).get("type") or ("tools" if "tools" in body else "text")


@pytest.mark.parametrize("name", PROFILES)
def test_each_endpoint_is_learned_from_one_item(name: str, tmp_path: Path) -> None:
    """The next items take one call each, in this process and in the next one."""
    calls, mode = FIRST[name]

    def reply(body: Body) -> Any:
        is_bound = mode_of(body) != "text" or "JSON Schema" in body["messages"][-1]["content"]
        return {"tool_arguments" if mode_of(body) == "tools" else "content": FITS if is_bound else "31 metres"}

    with OpenAIServer(reply, profile=name, key=KEY, models=["m"]) as server:
        for said in ("first", "next"):
            with new_client(server.url, tmp_path / "c.sqlite") as client:
                for n in range(2):
                    found = ask(client, f"{said} {n}", reply=Height, temperature=0, max_tokens=500)
                    assert found.value == Height(31)
                in_words = ask(client, f"{said} in words", temperature=0)
                assert in_words.text == "31 metres"
                assert (THOUGHTS in in_words.thinking) == (PROFILES[name].thoughts not in ("none", "hidden"))
        assert (server.calls, mode_of(server.requests[-2].body)) == (calls + 5, mode)


@pytest.mark.parametrize("name", [name for name, profile in PROFILES.items() if profile.filter])
def test_a_filter_refuses(name: str, tmp_path: Path) -> None:
    with OpenAIServer(["31"], profile=name, key=KEY, models=["m"], faults=[Fault("prompt_filter")]) as server:
        with new_client(server.url, tmp_path / "c.sqlite") as client:
            with pytest.raises(ReplyError) as refused:
                ask(client)
            assert (refused.value.reason, tally(client).refused, tally(client).retries) == (REFUSAL, 1, 0)
            assert ask(client).text
        assert server.calls == 2


SENT = ("model", "messages", "temperature", "n", "max_tokens", "response_format", "tools", "tool_choice")
PLACES = [{"type": "extra_forbidden", "loc": ["body", "n"], "msg": "Extra inputs are not permitted", "input": 1}]
TEMPERATURE = "`temperature` is deprecated for this model."
REJECTED: list[tuple[Any, str]] = [
    ({"message": "Unsupported value", "param": "temperature"}, "temperature"),
    ({"message": "Invalid schema", "param": "response_format.json_schema"}, "response_format.json_schema"),
    ({"message": TEMPERATURE, "param": None}, "temperature"),
    ({"message": "temperature is not supported for m when set to non-default values"}, "temperature"),
    ({"message": "invalid temperature: only 1 is allowed for this model"}, "temperature"),
    ({"message": {"detail": PLACES}, "param": None}, "n"),
    ({"message": json.dumps({"detail": PLACES})}, "n"),
    ({"detail": PLACES, "message": PLACES, "code": 3001}, "n"),
    ({"message": "[{'type': 'extra_forbidden', 'loc': ('body', 'n'), 'input': {'temperature': 1}}]"}, "n"),
    ({"message": "Unsupported parameter: 'max_tokens' … Use 'max_completion_tokens' instead."}, "max_tokens"),
    ({"message": "'n' is not supported"}, "n"),
    ({"message": "n is not supported, or is it"}, ""),
    ({"message": "litellm.UnsupportedParamsError: m does not support parameters: ['tool_choice']"}, "tool_choice"),
    ({"message": "together does not support parameters: {'tools': [{'type': 'function'}]}"}, "tools"),
    ({"message": f"litellm: AnthropicException - b'{TEMPERATURE}'", "param": "None"}, "temperature"),
    ({"message": "Provider returned error", "metadata": {"raw": json.dumps({"error": {"message": TEMPERATURE}})}},
     "temperature"),
    ({"message": "No endpoints found that support tool use.", "code": 404}, "tools"),
    ({"message": "No endpoints found that support the provided 'tool_choice' value."}, "tool_choice"),
    ({"message": "tools param requires --jinja flag"}, "tools"),
    ({"message": 'Either "json_schema" or "grammar" can be specified, but not both'}, "response_format"),
    ({"message": "This response_format type is unavailable now"}, "response_format"),
    ({"message": "This model's maximum context length is 8192 tokens, tools are not supported"}, "messages"),
    ({"message": "The temperature of the room is 20 degrees"}, ""),
    ({"message": "The request failed"}, ""),
    ({}, "response_format"),
]  # fmt: skip


@pytest.mark.parametrize(("error", "part"), REJECTED)
def test_what_is_rejected(error: Any, part: str) -> None:
    text = json.dumps({"error": error}) if error else "response_format.type `json_schema` is unavailable now at line 1"
    assert rejected_part(error, text, SENT) == part


def test_what_was_not_sent_is_not_what_is_rejected() -> None:
    assert rejected_part({"message": TEMPERATURE}, "", ("model", "messages")) == ""


def test_which_errors_are_of_a_filter() -> None:
    said = "The response was filtered due to the prompt triggering Azure OpenAI's content management policy."
    assert is_filtered({"code": "content_filter"}, "")
    assert is_filtered({"innererror": {"code": "ResponsibleAIPolicyViolation"}}, "")
    assert is_filtered({"message": said}, json.dumps({"error": {"message": said}}))
    assert is_filtered({"metadata": {"reasons": ["violence"], "flagged_input": "…"}}, "")
    assert not is_filtered({"code": "invalid_value", "metadata": {"raw": "slow down"}}, "the filter of the pump")


APART = [
    ('<think>perhaps {"metres": 1}</think>\n\n{"metres": 31}', 'perhaps {"metres": 1}', FITS),
    ("<think><think>one</think>two</think>31", "one\n\ntwo", "31"),
    ("<thinking>hm</thinking>31", "hm", "31"),
    ('so {it} is\n</think>\n{"metres": 31}', "so {it} is", FITS),
    ("</think>31", "", "31"),
    ("[THINK]hm[/THINK]31", "hm", "31"),
    ("<|channel>thought\nhm<channel|>31", "hm", "31"),
    ("<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>31<|return|>", "hm", "31"),
    ("<|channel|>final <|constrain|>JSON<|message|>31", "", "31"),
    ("analysisWe need a number.assistantfinal31", "We need a number.", "31"),
    ("<think>so far", "so far", None),
    ("<|channel|>analysis<|message|>so far", "so far", None),
    ("The mark `</think>` ends thoughts.", "", "The mark `</think>` ends thoughts."),
    ('{"note": "it ends </think> here"}', "", '{"note": "it ends </think> here"}'),
    ("Analysis of the assistant: final words.", "", "Analysis of the assistant: final words."),
    (" plain ", "", " plain "),
]


@pytest.mark.parametrize(("text", "thinking", "answer"), APART)
def test_thoughts_are_told_apart(text: str, thinking: str, answer: str | None) -> None:
    found = apart(text)
    assert (found.thinking, found.answer, found.is_open) == (thinking, answer or "", answer is None)


def completion(finish_reason: str = "stop", **message: Any) -> Body:
    return {"choices": [{"message": {"role": "assistant", **message}, "finish_reason": finish_reason}]}


def call(name: str, arguments: Any = FITS) -> Any:
    return [{"id": "1", "type": "function", "function": {"name": name, "arguments": arguments}}]


def test_thoughts_in_a_field_of_their_own() -> None:
    for field in ("reasoning_content", "reasoning"):
        found = read_completion(completion(content="31", **{field: "hm"}))
        assert (found.texts, found.thinking) == (("31",), "hm")
    both = read_completion(completion(content="<think>b</think>31", reasoning="a", reasoning_content="a"))
    assert (both.texts, both.thinking) == (("31",), "a\n\nb")
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "31"}]
    found = read_completion(completion(content=parts))
    assert (found.texts, found.thinking) == (("31",), "hm")


NO_ANSWER: list[tuple[Body, str]] = [
    (completion("length", content="<think>so far"), "it was cut off within its thoughts"),
    (completion("length", content=None, reasoning="so far"), "it was cut off within its thoughts"),
    (completion(content="", reasoning_content="done"), "it holds thoughts and no answer"),
    (completion("length", content=""), "it was cut off at the limit of tokens"),
    (completion(content=None), "the message is empty"),
    (completion("tool_calls", content=None, tool_calls=call("search")), "it calls a tool that was not offered: search"),
    (completion("tool_calls", content="Let me look.", tool_calls=call("search")),
     "it calls a tool that was not offered: search"),
    (completion("function_call", content=None, function_call={"name": "look", "arguments": "{}"}),
     "it calls a tool that was not offered: look"),
    (completion(content='<tool_call>\n{"name": "search"}\n</tool_call>'), "it calls a tool, and none was offered"),
    ({"choices": [{"message": {"content": "3"}, "finish_reason": "error", "error": {"code": 502, "message": "gone"}}]},
     "the endpoint failed while it wrote: gone"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "problem"), NO_ANSWER)
def test_what_is_no_answer(body: Body, problem: str) -> None:
    with pytest.raises(InvalidReply) as wrong:
        read_completion(body)
    assert str(wrong.value) == problem


def test_only_the_tool_that_was_asked_for_answers() -> None:
    assert read_completion(completion(content=None, tool_calls=call("height")), "height").texts == (FITS,)
    given = read_completion(completion(content=None, tool_calls=call("height", {"metres": 31})), "height")
    assert given.texts == (FITS,)
    with pytest.raises(InvalidReply, match="not offered: weight"):
        read_completion(completion(content=None, tool_calls=call("weight")), "height")
    assert read_completion(completion(content="31", tool_calls=call("search"))).texts == ("31",)


@pytest.mark.parametrize("is_structured", [False, True], ids=["plain", "structured"])
def test_a_tool_that_nobody_offered_is_asked_about_again(is_structured: bool, tmp_path: Path) -> None:
    options: dict[str, Any] = {"reply": Height} if is_structured else {}
    server = OpenAIServer([{"metres": 31}], faults=[Fault("unasked_tool")])
    with server, new_client(server.url, tmp_path / "c.sqlite") as client:
        found = ask(client, **options)
        assert (found.text, found.tokens.calls, tally(client).invalid) == (FITS, 2, 1)


REFUSED: list[tuple[Body, str]] = [
    (completion("content_filter", content="Well,"), "the endpoint's content filter"),
    (completion("refusal", content=""), "the model refused"),
    (completion("refusal", content="I will not."), "I will not."),
    (completion(content=None, refusal="No."), "No."),
    ({"choices": [{"message": {"content": ""}, "finish_reason": "stop", "native_finish_reason": "SAFETY"}]},
     "the endpoint's content filter"),
    ({"stop_reason": "refusal", "choices": [{"message": {"content": ""}, "finish_reason": "stop"}]},
     "the model refused"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "said"), REFUSED)
def test_refusals(body: Body, said: str) -> None:
    found = read_completion(body)
    assert (found.texts, found.refusal) == ((), said)


AZURE = "https://x.openai.azure.com/openai/deployments/d?api-version=2024-10-21"


def test_addresses_with_a_query() -> None:
    def address(url: str) -> str:
        return read_settings(["m"], [url], environment={"OPENAI_API_KEY": KEY}).endpoints["system"].base_url

    assert address(AZURE) == AZURE
    assert address(AZURE.replace("?", "/chat/completions?")) == address(AZURE.replace("?", "/?")) == AZURE
    assert address("http://127.0.0.1:1/v1/chat/completions/") == "http://127.0.0.1:1/v1"
    with pytest.raises(UsageError):
        address("?api-version=2024-10-21")


def test_which_header_holds_the_key() -> None:
    assert key_headers(AZURE, "k") == key_headers("https://x.cognitiveservices.azure.com/openai/v1", "k")
    assert key_headers(AZURE, "k") == key_headers("https://gateway/x?api-version=1", "k") == {"api-key": "k"}
    assert key_headers(AZURE, "eyJ0.eyJh.c2ln") is None
    assert key_headers("https://api.openai.com/v1", "k") is key_headers(AZURE, None) is None


def test_the_query_goes_after_the_path_and_the_key_into_its_header(tmp_path: Path) -> None:
    with OpenAIServer(["31"]) as server:
        with new_client(f"{server.url}?api-version=2024-10-21&b=c%20d", tmp_path / "c.sqlite") as client:
            ask(client)
        with new_client(server.url, tmp_path / "c.sqlite") as client:
            ask(client)
        azure, other = server.requests
        assert (azure.path, azure.headers["api-key"]) == ("/v1/chat/completions", KEY)
        assert "authorization" not in azure.headers
        assert (other.headers["authorization"], "api-key" in other.headers) == (f"Bearer {KEY}", False)


def test_secrets_of_a_query_are_shown_nowhere(tmp_path: Path) -> None:
    secret = "f3a9c1d27b604e58a1b2c3d4e5f60718"
    for name in ("subscription-key", "code", "anything"):
        found = read_settings(["m"], [f"http://127.0.0.1:9/v1?{name}={secret}&api-version=2024-08-01-preview"])
        endpoint = found.endpoints["system"]
        shown = f"http://127.0.0.1:9/v1?{name}=[hidden]&api-version=2024-08-01-preview"
        assert endpoint.described == {"name": "m", "base_url": shown}
        assert without_secrets(f"it said {secret}") == "it said [hidden]"
    assert shown_address(shown) == shown
    assert shown_address("http://h/v1?a=b%20c") == "http://h/v1?a=b%20c"
    client = new_client(f"http://127.0.0.1:9/v1?code={secret}", tmp_path / "c.sqlite")
    with client, pytest.raises(StopError) as stopped:
        ask(client)
    assert "http://127.0.0.1:9/v1?code=[hidden] cannot be reached" in str(stopped.value)


def test_an_address_of_azure_without_its_version() -> None:
    found = failure_of_status(Endpoint("m", "https://x.openai.azure.com/openai/deployments/d"), 404, {}, "", {})
    assert found.advice == "give the address that ends before /chat/completions, with its ?api-version=…"
    there = failure_of_status(Endpoint("m", AZURE), 404, {}, "", {"error": {"code": "DeploymentNotFound"}})
    assert there.text.startswith(f"{AZURE} has no model m")


ONE_OBJECT: list[tuple[str, int | str]] = [
    ('{"metres": 31, "note": "a } b { c"}', 31),
    ('{"metres": 31, "note": "say \\"}\\" aloud"}', 31),
    ('As {you} see:\n```json\n{"metres": 31}\n```\nThat is {all}.', 31),
    ('{"metres": 31}\n\n{"metres": 31}', 31),
    ('First {"feet": 102}, that is {"metres": 31}.', 31),
    ('It\'s 5" wide: {"metres": 31}', 31),
    ('{"metres": 31} or {"metres": 32}', "it holds 2 JSON objects that fit, and they differ"),
    ("{'metres': 31}", "Invalid JSON: key must be a string at line 1 column 2"),
    ('{"metres": NaN}', "NaN is no JSON"),
    ('{"metres": 31, "metres": 32}', "it says 'metres' twice"),
    ('{metres: 31, "x": {"metres": 5}}', "Invalid JSON: key must be a string at line 1 column 2"),
    ('{"metres": 31, "parts": [{"metres": 5}', "it holds no JSON object"),
    ("{" * 100_000, "it holds no JSON object"),
]


@dataclass(frozen=True)
class Noted:
    """A height, and what is said of it."""

    metres: int
    note: str = ""


@pytest.mark.parametrize(("text", "found"), ONE_OBJECT)
def test_json_in_a_reply(text: str, found: int | str) -> None:
    if isinstance(found, int):
        read: Noted = shape(Noted).parse(text)
        assert read.metres == found
        return
    with pytest.raises(InvalidReply) as wrong:
        shape(Noted).parse(text)
    assert str(wrong.value) == found
