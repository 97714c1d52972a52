"""Whole builds by a model over HTTP: their order, their prompts, and what a model that misbehaves comes to."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from benchwright.benchmarks.errors import BenchwrightError, StopError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.prompts import load_prompt
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.builders.wikieval.models.asking import prompt_of
from benchwright.builders.wikieval.models.by_model import STEPS
from benchwright.cards.dataset.card import render_card
from benchwright.scripts.servers.openai.faults import Fault
from benchwright.scripts.servers.openai.server import OpenAIServer

OPENINGS = {
    load_prompt(prompt_of(step))
    .fill(title="", text="", question="", answer="", count=3, refused=[])
    .messages[0]["content"]: step
    for step in STEPS
}
NAMES = ("Ardal", "Brekke", "Corvin", "Dalsund", "Elmora", "Fosby")
DIMENSIONS = ("faithfulness", "answer_relevance", "context_relevance")
Script = Callable[[str, str], Any]
"""What a model replies to a step about a festival; None: what a good model does."""


def text_of(name: str) -> str:
    year = 2010 + NAMES.index(name)
    return (
        f"The {name} Lights is a festival of lanterns in {name}. The first one was opened by Mira Sand on 4 May {year}. "
        f"About {NAMES.index(name) + 2},500 people came to the harbour of {name}."
    )


def good(step: str, name: str) -> Mapping[str, Any]:
    year = 2010 + NAMES.index(name)
    return {
        "question": {"question": f"Who opened the first {name} Lights, and on which day?"},
        "answer": {"answer": f"Mira Sand opened the first {name} Lights on 4 May {year}."},
        "ungrounded": {"answer": f"Jon Berg opened the first {name} Lights on 17 March {year - 1}."},
        "incomplete": {"answer": f"Mira Sand opened the first {name} Lights.", "left_out": f"4 May {year}"},
        "widened": {"sentences": [f"The valley of {name} is known for its old paper mills."]},
    }[step]


def replies(script: Script) -> Callable[[Mapping[str, Any]], Any]:
    """What the server says: the step is known by the prompt's beginning, the festival by what is asked."""

    def reply(body: Mapping[str, Any]) -> Any:
        first, asked = body["messages"][0]["content"], body["messages"][5]["content"]
        step = OPENINGS[first]
        name = next(name for name in NAMES if name in asked)
        said = script(step, name)
        return good(step, name) if said is None else said

    return reply


def build(folder: Path, server: OpenAIServer, pages: int = 4, **settings: Any) -> Release:
    """A build of six documents."""
    documents = folder / "documents"
    documents.mkdir(parents=True, exist_ok=True)
    for name in NAMES:
        (documents / f"{name}.md").write_text(f"# {name} Lights\n\n{text_of(name)}\n", encoding="utf-8")
    given = {"documents": str(documents), "pages": str(pages)}
    models = ModelSettings({"writer": Endpoint("stand-in", server.url)}, cache=folder / "replies.sqlite", **settings)
    with Client(models) as client:
        return build_release("wikieval", given, render_card, output=folder / "releases", client=client)[0]


def pairs_of(release: Release) -> list[dict[str, Any]]:
    return [row for batch in release.batches("pairs", "test") for row in batch.to_pylist()]


def hows(pair: Mapping[str, Any]) -> dict[str, str]:
    return {column: each["how"] for column, each in json.loads(pair["provenance"]).items()}


def test_how_many_requests_are_made_at_once_changes_nothing(tmp_path: Path) -> None:
    def script(step: str, name: str) -> Any:
        return {"question": "Is it old?"} if step == "question" and name in NAMES[:2] else None

    found = {}
    for at_once in (1, 8):
        with OpenAIServer(replies(script)) as server:
            release = build(tmp_path / str(at_once), server, at_once=at_once)
            found[at_once] = (release.manifest.content_hash, release.manifest.checks, server.calls)
    assert found[1] == found[8]
    assert found[1][1]["pairs_per_dimension"] == dict.fromkeys(DIMENSIONS, 4)


def test_the_manifest_has_the_prompts_that_were_asked_with(tmp_path: Path) -> None:
    prompts = tmp_path / "prompts"
    prompts.mkdir()
    own = "# system\nYou write questions for a test of reading, and a joke.\n# user\n{{ title }} {{ text }}\n"
    (prompts / "wikieval_question.md").write_text(own, encoding="utf-8")

    def reply(body: Mapping[str, Any]) -> Any:
        if "and a joke" in body["messages"][0]["content"]:
            return good("question", next(name for name in NAMES if name in body["messages"][1]["content"]))
        return replies(lambda step, name: None)(body)

    with OpenAIServer(reply) as server:
        release = build(tmp_path, server, prompts=prompts)
    asked = {row["prompt"]: row["prompt_sha256"] for row in release.manifest.models}
    assert list(asked) == [prompt_of(step) for step in STEPS]
    assert asked["wikieval_question"] == load_prompt("wikieval_question", prompts).sha256
    assert asked["wikieval_question"] != load_prompt("wikieval_question").sha256
    assert asked["wikieval_answer"] == load_prompt("wikieval_answer").sha256
    assert {(row["name"], row["role"]) for row in release.manifest.models} == {("stand-in", "writer")}


MISBEHAVING: list[tuple[str, str, Any, str, str]] = [
    # step, what it says instead, of which column, who made that in the end, what is counted
    ("ungrounded", "grounded", "ungrounded_answer", "rule", "it says nothing that the text does not say"),
    ("ungrounded", "I don't know.", "ungrounded_answer", "rule", "the answer says that it is not known"),
    ("ungrounded", "", "ungrounded_answer", "rule", "it is empty"),
    ("ungrounded", "See www.halden.example.", "ungrounded_answer", "rule", "it has a link"),
    ("incomplete", "whole", "poor_answer", "rule", "it leaves nothing of the answer out"),
    ("widened", "telling", "context_v2", "", "it tells a part of the answer"),
]


@pytest.mark.parametrize(("step", "says", "column", "how", "reason"), MISBEHAVING, ids=range(len(MISBEHAVING)))
def test_a_model_that_misbehaves(tmp_path: Path, step: str, says: str, column: str, how: str, reason: str) -> None:
    def script(asked: str, name: str) -> Any:
        if asked != step:
            return None
        answer = good("answer", name)["answer"]
        if step == "incomplete":
            return {"answer": answer, "left_out": good(step, name)["left_out"]}
        if step == "widened":
            return {"sentences": [f"Mira Sand has opened many a festival in {name}."]}
        return {"answer": answer if says == "grounded" else says}

    with OpenAIServer(replies(script)) as server:
        release = build(tmp_path, server, pages=2)
    pairs = pairs_of(release)
    assert len(pairs) == 2
    for pair in pairs:
        assert hows(pair).get(column, "") == how
        assert {who for made, who in hows(pair).items() if made not in (column, "context_v2")} == {"model"}
    counts = release.manifest.checks["model_refused"]
    assert list(counts) == [f"{step}: {reason}"]
    made = release.manifest.checks["candidates_made"]
    assert made[f"{column} by {how}" if how else f"no {column}"] == 2
    assert verify_release(release).problems == []


@pytest.mark.parametrize(
    ("says", "reason"),
    [
        ({"question": "According to the provided context, who opened the lights?"}, "it speaks of a text"),
        ({"question": ""}, "it is empty"),
        ("no JSON at all", "no usable reply: invalid reply"),
        ({"refusal": "I cannot do that."}, "no usable reply: refusal"),
    ],
)
def test_without_a_question_that_can_be_used_there_is_no_pair(tmp_path: Path, says: Any, reason: str) -> None:
    with (
        OpenAIServer(replies(lambda step, name: says)) as server,
        pytest.raises(BenchwrightError, match=f"^no pair came of 6 passages .*question: {re.escape(reason)}.*: 12"),
    ):
        build(tmp_path, server, pages=3)


def test_errors_and_limits_of_the_endpoint_change_no_pair(tmp_path: Path) -> None:
    with OpenAIServer(replies(lambda step, name: None)) as server:
        quiet = build(tmp_path / "quiet", server).manifest
    faults = [Fault(500), None, Fault(429, retry_after=0.01), Fault("reset"), None, Fault("cut"), Fault("invalid_json")]
    with OpenAIServer(replies(lambda step, name: None), faults=faults) as server:
        troubled = build(tmp_path / "troubled", server).manifest
    assert (troubled.content_hash, troubled.checks) == (quiet.content_hash, quiet.checks)


def test_it_goes_on_where_the_endpoint_fell_silent(tmp_path: Path) -> None:
    with OpenAIServer(replies(lambda step, name: None)) as server:
        whole = build(tmp_path / "whole", server).manifest
        calls = server.calls
    with OpenAIServer(replies(lambda step, name: None)) as server:
        with pytest.raises(StopError):
            build(tmp_path / "parted", server, max_calls=5)
        assert build(tmp_path / "parted", server).manifest.content_hash == whole.content_hash
        assert server.calls == calls, "nothing is asked twice"
