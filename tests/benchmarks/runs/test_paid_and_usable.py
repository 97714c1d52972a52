"""A run whose model gives useless replies: what is asked again, what is said, and what cost, latency and report say."""

import json
from pathlib import Path
from typing import Any

import pytest
from lighthouses import make_release
from support import Run

from benchwright.scripts.servers.openai.faults import Fault
from benchwright.scripts.servers.openai.server import OpenAIServer

PRICE = ("--price", "m=1000/2000")


def lines(folder: Path, name: str = "predictions.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / name).read_text().splitlines()]


def report(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "report.json").read_text())


@pytest.fixture
def score(run: Run, tmp_path: Path) -> Any:
    """Scores `openai:m` on a small release."""
    make_release(tmp_path / "releases")

    def call(server: OpenAIServer, *arguments: str, system: str = "openai:m") -> Any:
        places = ("--base-url", server.url, "--cache", str(tmp_path / "replies.sqlite"))
        return run("score-system", "lights", system, *PRICE, *places, *arguments)

    return call


def paid(said: str) -> float:
    """The dollars of an account's lines."""
    return sum(
        float(line.rpartition("$")[2].split(",")[0]) for line in said.splitlines() if line.startswith("answers: ")
    )


def test_cost_is_the_account_of_all_starts_and_latency_that_of_the_first_time(score: Any, tmp_path: Path) -> None:
    """Of the replies the second is a refusal and the third is empty three times; the second start asks for those two."""
    faults = [None, Fault("refusal"), *[Fault("empty_choices")] * 3]
    with OpenAIServer(["31 metres"], faults=faults, latency=0.1) as server:
        first = score(server, "--at-once", "1")
        assert (first.returncode, "asked again" in first.stderr) == (0, False), first
        calls = server.calls
        second = score(server, "--at-once", "1")
        assert second.stderr.startswith("2 unusable replies are asked again\n"), second
        assert server.calls == calls + 2
        folder = tmp_path / second.stdout.strip()
        predictions = lines(folder)
        assert all(each["answer"] == "31 metres" for each in predictions)
        account = paid(first.stderr) + paid(second.stderr)
        cost = report(folder)["cost"]["cost"]
        assert (cost["known"], cost["of"]) == (len(predictions), len(predictions))
        assert cost["total"] == pytest.approx(account) == sum(each["cost"] for each in predictions)
        assert sorted(each["usage"]["calls"] for each in predictions)[-2:] == [2, 4]
        third = score(server, "--again")
        assert server.calls == calls + 2 and "0 calls of m" in third.stderr
        assert [each["latency"] > 0.1 for each in lines(folder)] == [True] * len(predictions)
        assert report(folder)["cost"]["cost"]["total"] == pytest.approx(cost["total"])
        fourth = score(server)
        assert (server.calls, "asked again" in fourth.stderr) == (calls + 2, False)


@pytest.mark.parametrize("system", ["openai:m", "openai-rag:m"])
def test_answers_that_ended_at_the_limit_of_tokens_are_told(score: Any, system: str, tmp_path: Path) -> None:
    with OpenAIServer(["31 metres"], faults=[Fault("length"), None, Fault("length")]) as server:
        done = score(server, system=system)
    folder = tmp_path / done.stdout.strip()
    predictions = lines(folder)
    told = f"2 of {len(predictions)} answers ended at the limit of tokens ("
    assert [each.get("cut_off") for each in predictions].count(True) == 2
    assert told in done.stderr and "they are scored as they stand" in done.stderr
    assert report(folder)["counts"]["cut_off"] == 2
    page = (folder / "report.html").read_text()
    assert page.count(told) == 2, "in the headline, and beside the errors"
    assert "Replies that could not be used were paid for" in page


def test_a_judge_without_a_reply_is_asked_again(run: Run, tmp_path: Path) -> None:
    """Its verdict is not in the file twice; `--replay` leaves it as it is."""
    make_release(tmp_path / "releases")

    def judged(server: OpenAIServer, *arguments: str) -> Any:
        places = ("--model", "judge=m", "--base-url", server.url, "--cache", str(tmp_path / "replies.sqlite"))
        return run("score-system", "lights", "oracle", "--metric", "truthfulness", *places, *arguments)

    with OpenAIServer(faults=[None, Fault("refusal")]) as server:
        first = judged(server, "--at-once", "1")
        folder, calls = tmp_path / first.stdout.strip(), server.calls
        before = lines(folder, "judgments.jsonl")
        (refused,) = [each for each in before if each.get("value") is None]
        assert refused["reason"].startswith("refusal: ")
        assert judged(server, "--replay").returncode == 0
        assert (lines(folder, "judgments.jsonl"), server.calls) == (before, calls)
        second = judged(server)
        assert "1 unusable reply is asked again\n" in second.stderr, second
        after = lines(folder, "judgments.jsonl")
        assert (len(after), server.calls) == (len(before), calls + 1)
        assert all(each["value"] is not None for each in after)
