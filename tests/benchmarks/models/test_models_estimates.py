"""What `--estimate` says a run takes, held against what it then takes, by a count of tokens that is not ours."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from model_clients import ROLE, STEP, ask, new_client

from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.money.costs import Estimated, StepCosts, price
from benchwright.benchmarks.models.money.tokens import count_request, count_text
from benchwright.benchmarks.models.prompts import Messages, followers, load_prompt
from benchwright.benchmarks.models.responses import ReplyError, Tokens, read_tokens
from benchwright.scripts.servers.openai.server import OpenAIServer
from benchwright.scripts.servers.openai.stand_in import texts

_PIECE = re.compile(r" ?[A-Za-z]{1,9}|\d{1,3}| ?[^\sA-Za-z\d]{1,2}|\s+")


def pieces(text: str) -> int:
    """The tokens of a text as a vocabulary of words and their pieces would have them."""
    return len(_PIECE.findall(text))


@dataclass(frozen=True)
class Named:
    """A reply."""

    tower: str
    height_in_metres: int
    built_in_the_year: int


def counting(good: str = '{"tower": "T", "height_in_metres": 31, "built_in_the_year": 1903}') -> OpenAIServer:
    """A server that counts the schema, too, and of which each third first reply is empty."""
    seen: set[int] = set()

    def reply(body: Mapping[str, Any]) -> Any:
        number = int(re.findall(r"\d+", body["messages"][0]["content"])[0])
        said = "" if number % 3 == 0 and number not in seen else good
        seen.add(number)
        taken = pieces("\n".join(texts(body))) + pieces(json.dumps(body.get("response_format", "")))
        return {"content": said, "usage": {"prompt_tokens": taken, "completion_tokens": pieces(said)}}

    return OpenAIServer(reply)


def go(client: Client, numbers: range) -> StepCosts:
    """What questions about some towers take, or would take."""

    async def question(number: int) -> Any:
        text = (
            f"Tower {number}: how tall is it, and when was it built? " + "The tower stands on the northern quay. " * 30
        )
        messages = Messages("question", "0" * 64, ({"role": "user", "content": text},), 30)
        return await client.chat(ROLE, messages, step=STEP, reply=Named)

    try:
        for _ in client.each(numbers, question):
            pass
    except Estimated:
        pass
    ledger = client.expected_ledger if client.settings.estimate else client.ledger
    return ledger.by_step[STEP, ROLE]


def test_an_estimate_is_near_what_is_then_taken(tmp_path: Path) -> None:
    """Schema, second attempts and the length of replies included, once some replies have shown them."""
    cache = tmp_path / "c.sqlite"
    with counting() as server:
        with new_client(server.url, cache, rates=(1.0, 4.0)) as client:
            go(client, range(30))
        with new_client(server.url, cache, rates=(1.0, 4.0), estimate=True) as client:
            said = go(client, range(30, 150))
            told = client.estimated()
        before = server.calls
        with new_client(server.url, cache, rates=(1.0, 4.0)) as client:
            taken = go(client, range(30, 150))
        assert server.calls - before == taken.calls == 160
    assert said.calls == pytest.approx(taken.calls, rel=0.02)
    assert said.input_tokens == pytest.approx(taken.input_tokens, rel=0.05)
    assert said.output_tokens == pytest.approx(taken.output_tokens, rel=0.05)
    assert said.cost == pytest.approx(taken.cost, rel=0.05)
    assert told[1].startswith("answers: by 40 earlier replies of m to this prompt, 10 of them second attempts: $")
    low, high = (float(text) for text in re.findall(r"\$(\d\.\d+)", told[1]))
    assert low < taken.cost < high < 1.5 * taken.cost


def test_an_estimate_of_an_endpoint_that_is_new_says_what_it_does_not_know(tmp_path: Path) -> None:
    with counting() as server, new_client(server.url, tmp_path / "c", rates=(1.0, 4.0), estimate=True) as client:
        said = go(client, range(1, 3))
        assert server.calls == 0
        assert said.output_tokens == 60
        off = 0.1 * said.input_tokens
        assert client.estimated()[1] == (
            "answers: how long replies of m are and how many are asked again is a guess: "
            f"${said.cost - (180 + off) / 1e6:,.4f} if replies are a quarter as long and none is asked again, "
            f"${said.cost + (720 + off) / 1e6:,.4f} if they are four times as long"
        )


def test_an_unknown_price_gives_no_range(tmp_path: Path) -> None:
    with counting() as server, new_client(server.url, tmp_path / "c", estimate=True) as client:
        go(client, range(2))
        assert client.estimated()[0].endswith(", cost unknown")
        assert client.estimated()[1].endswith(" is a guess")


def test_the_schema_is_counted() -> None:
    messages = {"messages": [{"role": "user", "content": "How tall is it?"}]}
    schema = {"type": "object", "properties": {"height_in_metres": {"type": "integer"}}}
    asked = {**messages, "response_format": {"type": "json_schema", "json_schema": {"schema": schema}}}
    assert count_request(messages) == count_text("How tall is it?") + 4
    assert count_request(asked) > count_request(messages) + 15


COUNTED = [
    ("", 0),
    ("The bridge was finished in the spring of 1894.", 11),
    ('{"facts": [{"id": "f1", "value": "4 June 2018"}]}', 23),
    ("Die Brücke gehört nicht der Stadt, sondern dem Landkreis.", 16),
    ("这座大桥于一八九四年春天建成", 14),
]


@pytest.mark.parametrize(("text", "tokens"), COUNTED)
def test_tokens_by_kinds_of_characters(text: str, tokens: int) -> None:
    assert count_text(text) == pytest.approx(tokens, rel=0.25)


def test_prompts_that_follow_another() -> None:
    assert followers("aurp_document") == ("aurp_document_again",)
    assert followers("write_sql_templates") == ()
    assert load_prompt("aurp_document").second_attempts > 0


PRICED = [
    ("gpt-4o-mini", "https://api.openai.com/v1", 0.75),
    ("gpt-4o-mini", "https://mine.openai.azure.com/openai/v1", 0.75),
    ("openai/gpt-4o-mini", "https://openrouter.ai/api/v1", 0.75),
    ("our-deployment", "https://mine.openai.azure.com/openai/v1", None),
    ("openai/gpt-4o-mini", "http://127.0.0.1:4000/v1", None),
]


@pytest.mark.parametrize(("model", "url", "dollars"), PRICED)
def test_prices_of_names_as_endpoints_have_them(model: str, url: str, dollars: float | None) -> None:
    assert price(model, url, 1_000_000, 1_000_000) == (None if dollars is None else pytest.approx(dollars))


def test_thoughts_are_counted_once() -> None:
    usage = {"prompt_tokens": 5, "completion_tokens": 430, "completion_tokens_details": {"reasoning_tokens": 400}}
    assert read_tokens({"usage": {**usage, "total_tokens": 435}}) == Tokens(5, 430, 0, 1)
    beside = {**usage, "completion_tokens": 30, "total_tokens": 435}
    assert read_tokens({"usage": beside}) == Tokens(5, 430, 0, 1), "of endpoints that count them beside the reply"


def test_notes_of_another_version_are_nothing(tmp_path: Path) -> None:
    with OpenAIServer(["31"]) as server:
        with new_client(server.url, tmp_path / "c") as client:
            store = client._requests._cache.store
            store.set_note(f"usage {server.url} m {STEP} {'0' * 64}", '{"first": {"words": 3}}')
        with new_client(server.url, tmp_path / "c", estimate=True) as client:
            with pytest.raises(ReplyError, match=r"^estimated$"):
                ask(client)
            assert client.expected_ledger.by_step[STEP, ROLE].output_tokens == 30


def test_a_few_real_calls_make_an_estimate_a_good_one(tmp_path: Path) -> None:
    """Nothing is known of the endpoint; what is asked for the estimate is the answer of the run that follows."""
    cache = tmp_path / "c.sqlite"
    with counting() as server:
        with new_client(server.url, cache, rates=(1.0, 4.0), estimate=True, estimate_with=12) as client:
            said = go(client, range(1, 151))
            told, asked = client.estimated(), server.calls
        with new_client(server.url, cache, rates=(1.0, 4.0)) as client:
            taken = go(client, range(1, 151))
        assert server.calls == asked + taken.calls == 200
    assert taken.reused == 12 and 12 < asked <= 24, "with their second attempts"
    assert said.input_tokens / said.calls == pytest.approx(taken.input_tokens / taken.calls, rel=0.02)
    low, high = (float(text) for text in re.findall(r"\$(\d\.\d+)", told[2]))
    assert low < taken.cost < high, "how many are asked again is known from few"
    assert said.cost == pytest.approx(taken.cost, rel=0.15)
    assert told[0].startswith(f"asked and kept: answers: {asked} calls of m, 0 replies reused")
    assert told[1].startswith(f"about answers: {said.calls} calls of m")


def test_what_rests_on_a_reply_that_is_not_there_is_not_asked(tmp_path: Path) -> None:
    """Of ten items two are asked, and all that follows from them; of the others nothing is."""
    heard: list[str] = []

    def reply(body: Mapping[str, Any]) -> str:
        heard.append(body["messages"][0]["content"])
        return "a reply of six tokens or so"

    async def both(client: Client, number: int) -> None:
        first = Messages("first", "1" * 64, ({"role": "user", "content": f"first {number}"},), 30)
        try:
            said = (await client.chat(ROLE, first, step="first")).text
        except ReplyError:
            said = "imagined"
        second = Messages("second", "2" * 64, ({"role": "user", "content": f"second {number}: {said}"},), 30)
        await client.chat(ROLE, second, step="second")

    with (
        OpenAIServer(reply) as server,
        new_client(server.url, tmp_path / "c", estimate=True, estimate_with=2) as client,
    ):
        with pytest.raises(Estimated):
            list(client.each(range(10), lambda number: both(client, number)))
        rest = client.expected_ledger
    assert sorted(heard) == ["first 0", "first 2", *(f"second {n}: a reply of six tokens or so" for n in (0, 2))]
    assert {step: costs.calls for (step, _), costs in rest.by_step.items()} == {"first": 8, "second": 8}
