"""Which model plays which role, where it is reached and with which key; and what cannot be meant."""

from typing import Any

import pytest

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.models.kept.keys import request_key
from benchwright.benchmarks.models.settings import OPENAI, Endpoint, read_settings

KEYS = {"OPENAI_API_KEY": "sk-for-all"}
LOCAL = "http://127.0.0.1:8080/v1"


def endpoints(*arguments: Any, environment: dict[str, str] | None = None, **rest: Any) -> dict[str, Endpoint]:
    return dict(read_settings(*arguments, environment=KEYS if environment is None else environment, **rest).endpoints)


def test_one_model_for_all_roles_but_the_embedder() -> None:
    found = endpoints(["gpt-4o-mini"])
    assert found == {role: Endpoint("gpt-4o-mini") for role in ("writer", "system", "judge")}
    assert {endpoint.key for endpoint in found.values()} == {"sk-for-all"}


def test_a_model_for_each_role() -> None:
    found = endpoints(["judge=gpt-4o", "small", "embedder=text-embedding-3-small", "writer= spaced "])
    assert {role: endpoint.model for role, endpoint in found.items()} == {
        "writer": "spaced",
        "system": "small",
        "judge": "gpt-4o",
        "embedder": "text-embedding-3-small",
    }
    assert list(endpoints(["system=only"])) == ["system"]
    assert endpoints([]) == {}


def test_who_decides_is_the_system_where_nobody_else_is_named() -> None:
    settings = read_settings(["m"], environment=KEYS)
    assert settings.endpoint("decision") == Endpoint("m")
    assert settings.endpoint("reranker") is None
    both = read_settings(["m", "decision=small"], environment={**KEYS, "OPENAI_API_KEY_DECISION": "sk-small"})
    assert (both.endpoints["decision"].model, both.endpoints["decision"].key) == ("small", "sk-small")
    assert read_settings(["judge=m"], environment=KEYS).endpoint("decision") is None


def test_names_with_marks_in_them() -> None:
    names = ["meta-llama/Llama-3.1-8B=x", "org/model:free", "hf.co/org/model:Q4_K_M"]
    assert [endpoints([name])["system"].model for name in names] == names
    assert endpoints(["judge=org/model=4bit"])["judge"].model == "org/model=4bit"


def test_a_key_for_a_role() -> None:
    keys = {**KEYS, "OPENAI_API_KEY_JUDGE": "sk-of-the-judge", "OPENAI_API_KEY_WRITER": ""}
    found = endpoints(["m"], environment=keys)
    assert {role: endpoint.key for role, endpoint in found.items()} == {
        "writer": "sk-for-all",
        "system": "sk-for-all",
        "judge": "sk-of-the-judge",
    }
    only = {"OPENAI_API_KEY_JUDGE": "sk-of-the-judge"}
    assert endpoints(["judge=m"], environment=only)["judge"].key == "sk-of-the-judge"


def test_an_address_for_a_role() -> None:
    found = endpoints(["m", "embedder=e"], ["judge=http://other:1/v1", LOCAL + "/"])
    assert {role: endpoint.base_url for role, endpoint in found.items()} == {
        "writer": LOCAL,
        "system": LOCAL,
        "judge": "http://other:1/v1",
        "embedder": LOCAL,
    }
    assert endpoints(["m"])["system"].base_url == OPENAI
    surroundings = {"OPENAI_BASE_URL": LOCAL}
    assert endpoints(["m"], environment=surroundings)["system"] == Endpoint("m", LOCAL)
    assert endpoints(["m"], ["http://other/v1"], environment=surroundings)["system"].base_url == "http://other/v1"
    assert endpoints(["m"], ["http://other/v1?a=b"])["system"].base_url == "http://other/v1?a=b"
    assert endpoints(["m"], ["http://[::1]:8080/v1"])["system"].base_url == "http://[::1]:8080/v1"


def test_a_local_endpoint_needs_no_key() -> None:
    assert endpoints(["m"], [LOCAL], environment={})["system"].key is None
    for name in ("replay", "estimate"):
        assert endpoints(["m"], environment={}, **{name: True})["system"].key is None


def test_prices() -> None:
    found = endpoints(["m", "judge=a=b"], [LOCAL], ["m=0.15/0.60", "a=b=1/2"])
    assert (found["system"].rates, found["judge"].rates) == ((0.15, 0.6), (1.0, 2.0))
    assert endpoints(["m"], [LOCAL], ["other=1/2"])["system"].rates is None


def test_what_is_said_of_an_endpoint_holds_no_key() -> None:
    endpoint = Endpoint("m", LOCAL, "sk-secret")
    assert endpoint.described == {"name": "m", "base_url": LOCAL}
    assert Endpoint("m", key="sk-secret").described == {"name": "m"}
    assert repr(endpoint) == "Endpoint(model='m', base_url='http://127.0.0.1:8080/v1', rates=None)"
    assert "secret" not in repr(read_settings(["m"], [LOCAL], environment={"OPENAI_API_KEY": "sk-secret"}))


def test_a_replys_key_knows_nothing_of_the_endpoints_key() -> None:
    keys = {request_key(Endpoint("m", LOCAL, key), "/chat/completions", {"a": 1}) for key in (None, "one", "two")}
    assert len(keys) == 1
    assert keys != {request_key(Endpoint("m", OPENAI), "/chat/completions", {"a": 1})}


ROLES = "choose from writer, system, judge, embedder, reranker, decision, checker, reader"
NO_KEY = "put it in OPENAI_API_KEY, or name another endpoint with --base-url"
BAD_KEY = "the key in OPENAI_API_KEY has characters that no key has: copy it again, without line breaks"
RATES = "give US dollars for a million tokens in and out, such as my-model=0.15/0.60"
NO_ADDRESS = "is not the address of an endpoint: give one such as http://127.0.0.1:8080/v1"
WRONG: list[tuple[tuple[Any, ...], dict[str, str], str]] = [
    ((["critic=m"],), KEYS, f"--model critic=m: there is no role 'critic', {ROLES}"),
    ((["judge="],), KEYS, "--model judge=: the name is missing"),
    ((["  "],), KEYS, "--model   : the name is missing"),
    ((["m"], ["critic=x"]), KEYS, f"--base-url critic=x: there is no role 'critic', {ROLES}"),
    ((["m"], ["judge="]), KEYS, "--base-url judge=: the name is missing"),
    ((["judge=m"], [f"writer={LOCAL}"]), KEYS, "--base-url writer=… has no model: add --model writer=NAME"),
    ((["m"], [f"embedder={LOCAL}"]), KEYS, "--base-url embedder=… has no model: add --model embedder=NAME"),
    ((["m"],), {}, f"there is no key for the model m (writer): {NO_KEY}"),
    ((["judge=m"],), {"OPENAI_API_KEY": ""}, f"there is no key for the model m (judge): {NO_KEY}"),
    ((["m"],), {"OPENAI_API_KEY": "sk-a\n"}, BAD_KEY),
    ((["m"],), {"OPENAI_API_KEY": "sk-a\nb"}, BAD_KEY),
    ((["m"],), {"OPENAI_API_KEY": " sk-a"}, BAD_KEY),
    ((["m"],), {"OPENAI_API_KEY": "sk-ä"}, BAD_KEY),
    ((["m"],), {**KEYS, "OPENAI_API_KEY_JUDGE": "sk-\t"}, BAD_KEY),
    ((["m"], ["localhost:8080"]), KEYS, f"'localhost:8080' {NO_ADDRESS}"),
    ((["m"], ["ftp://host/v1"]), KEYS, f"'ftp://host/v1' {NO_ADDRESS}"),
    ((["m"], ["http:///v1"]), KEYS, f"'http:///v1' {NO_ADDRESS}"),
    ((["m"], ["http://host:99999/v1"]), KEYS, f"'http://host:99999/v1' {NO_ADDRESS}"),
    ((["m"], ["http://host:port/v1"]), KEYS, f"'http://host:port/v1' {NO_ADDRESS}"),
    ((["m"], ["http://[::1/v1"]), KEYS, f"'http://[::1/v1' {NO_ADDRESS}"),
    (
        (["m"], ["http://user:sk-a@host/v1"]),
        KEYS,
        "a --base-url must hold no credentials: put the key in OPENAI_API_KEY",
    ),
    ((["m"], ["http://sk-a@host:x/v1"]), KEYS, "a --base-url must hold no credentials: put the key in OPENAI_API_KEY"),
    ((["m"], [], ["m"]), KEYS, f"--price m: {RATES}"),
    ((["m"], [], ["m=1"]), KEYS, f"--price m=1: {RATES}"),
    ((["m"], [], ["=1/2"]), KEYS, f"--price =1/2: {RATES}"),
    ((["m"], [], ["m=1/2/3"]), KEYS, f"--price m=1/2/3: {RATES}"),
    ((["m"], [], ["m=-1/2"]), KEYS, f"--price m=-1/2: {RATES}"),
    ((["m"], [], ["m=nan/2"]), KEYS, f"--price m=nan/2: {RATES}"),
    ((["m"], [], ["m=1/inf"]), KEYS, f"--price m=1/inf: {RATES}"),
]


@pytest.mark.parametrize(("arguments", "environment", "message"), WRONG)
def test_what_cannot_be_meant(arguments: Any, environment: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError) as wrong:
        read_settings(*arguments, environment=environment)
    assert str(wrong.value) == message


def test_the_surroundings_are_the_process_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-process")
    monkeypatch.setenv("OPENAI_BASE_URL", LOCAL)
    settings = read_settings(["m"], at_once=3, max_calls=7)
    assert (settings.endpoints["judge"].key, settings.endpoints["judge"].base_url) == ("sk-of-the-process", LOCAL)
    assert (settings.at_once, settings.max_calls, settings.endpoint("embedder")) == (3, 7, None)
