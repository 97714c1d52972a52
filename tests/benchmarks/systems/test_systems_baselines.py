"""The baselines: what each retrieves, and that they spread on releases: that is what makes them baselines."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from built import Built, Said
from lighthouses import make_release
from model_clients import new_client
from support import ROOT

from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.predictions import Prediction, Usage
from benchwright.benchmarks.registry import find
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_documents, load_questions
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.score_system import score_system
from benchwright.benchmarks.systems import baseline as baselines
from benchwright.benchmarks.systems.base import Attempt, Opening, System
from benchwright.benchmarks.systems.baseline import BASELINES, Retrieve
from benchwright.benchmarks.systems.opening import open_system
from benchwright.benchmarks.types import Document, Question
from benchwright.scripts.servers.openai.server import OpenAIServer

NAMES = ("closed-book", "keyword", "bm25", "oracle")


def figures(release: Release, root: Path, limit: int) -> dict[str, dict[str, float]]:
    """Baseline → share of correct answers, over answerable questions: of all, and of each form."""
    questions = {question.id: question for question in load_questions(release, "test")}
    found: dict[str, dict[str, float]] = {}
    for name in NAMES:
        scored = score_system(release, name, output=root, options=Options(limit=limit, metrics=("correct",)))
        parts: dict[str, list[float]] = {}
        for row in pq.read_table(scored.folder / "scores.parquet").to_pylist():
            question = questions[row["id"]]
            if question.answerability == "answerable":
                parts.setdefault("all", []).append(row["value"])
                parts.setdefault(question.form or "", []).append(row["value"])
        found[name] = {part: sum(values) / len(values) for part, values in parts.items()}
    return found


@pytest.fixture(scope="module")
def aurp(standard_aurp: Said, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, float]]:
    return figures(standard_aurp.release, tmp_path_factory.mktemp("aurp"), 300)


def test_the_spread_on_aurp(aurp: dict[str, dict[str, float]]) -> None:
    closed, keyword, bm25, oracle = (aurp[name]["all"] for name in NAMES)
    assert closed == 0.0
    assert keyword > 0.1
    assert bm25 > keyword + 0.1
    assert oracle > bm25 + 0.2
    assert 0.65 < oracle < 0.75


def test_keyword_falls_behind_on_long_questions(aurp: dict[str, dict[str, float]]) -> None:
    assert aurp["bm25"]["long"] > aurp["keyword"]["long"] + 0.15
    assert aurp["keyword"]["short"] > aurp["keyword"]["long"] + 0.15
    assert abs(aurp["bm25"]["short"] - aurp["bm25"]["long"]) < 0.1


def test_the_spread_on_records_of_a_database(built: Built, tmp_path: Path) -> None:
    release = built.release("grammar", name="library", database=ROOT / "scripts" / "library")
    found = figures(release, tmp_path, 400)
    closed, keyword, bm25, oracle = (found[name]["all"] for name in NAMES)
    assert closed == 0.0
    assert min(keyword, bm25) > 0.7 and abs(keyword - bm25) < 0.03
    assert max(keyword, bm25) < oracle
    assert oracle > 0.88


@pytest.fixture
def corpus(tmp_path: Path) -> dict[str, Document]:
    return load_documents(make_release(tmp_path))


def baseline(name: str, k: int = 5) -> System:
    return open_system(name, Opening(k))


def ask(name: str, question: str | Attempt, corpus: dict[str, Document], k: int) -> Any:
    attempt = Attempt(Question("q", question)) if isinstance(question, str) else question
    return baseline(name, k).prepare(corpus)(attempt)


def contexts(name: str, question: str | Attempt, corpus: dict[str, Document], k: int) -> list[tuple[Any, Any]]:
    return [(each.id, each.score) for each in ask(name, question, corpus, k).contexts]


def test_keyword_counts_shared_words_and_takes_the_first_of_equals(corpus: dict[str, Document]) -> None:
    assert contexts("keyword", "Sable Point height", corpus, 2) == [("sable-point", 3.0), ("gannet-rock", 1.0)]
    assert contexts("keyword", "built by a family", corpus, 9) == [(name, 4.0) for name in corpus]
    assert contexts("keyword", "xyzzy", corpus, 2) == []


def test_entity_names_counts_names_and_nothing_else(corpus: dict[str, Document]) -> None:
    long = "Could somebody tell me, for the report and whoever reads it, how tall the lighthouse OLD HOOK is by its keeper?"
    assert contexts("entity-names", long, corpus, 3) == [("old-hook", 2.0)]
    assert contexts("entity-names", "the height of a lighthouse of granite, by the village", corpus, 3) == []
    told = {
        "a": Document("a", "Sky Bridge", "Sky Bridge is led by Anna Smith. Rain fell on Tuesday."),
        "b": Document("b", "Anna Smith", "She leads two projects. Rain stopped them, and Sky Bridge was late."),
        "c": Document("c", "Rain", "The Bank of England and Sky Bridge have nothing to do with it."),
    }
    assert contexts("entity-names", "who leads sky bridge", told, 3) == [("a", 2.0), ("b", 1.0), ("c", 1.0)]
    assert contexts("entity-names", "Does Anna Smith know the Bank of England?", told, 3) == [
        ("b", 2.0),
        ("a", 1.0),
        ("c", 1.0),
    ]
    assert contexts("entity-names", "When does rain fall?", told, 3) == [("c", 2.0)], (
        "a word that begins a sentence is no name"
    )
    headed = {
        str(place): Document(str(place), "", f"He left.\n\n{mark} Project team\n\n{mark} Sky Bridge")
        for place, mark in enumerate(("#", "###", "2", "12."))
    }
    assert contexts("entity-names", "which project?", headed, 4) == [], "nor is one that begins a heading"
    assert len(contexts("entity-names", "sky bridge", headed, 4)) == 4
    without = Attempt(Question("q", "Sky Bridge"), without=frozenset({"a"}))
    assert contexts("entity-names", without, told, 3) == [("b", 1.0), ("c", 1.0)]


def test_bm25_takes_passages_with_their_offsets(corpus: dict[str, Document]) -> None:
    answer = ask("bm25", "height of the lighthouse Old Hook", corpus, 2)
    assert answer.contexts[0].id == "old-hook"
    assert answer.contexts[0].score > answer.contexts[1].score
    for each in answer.contexts:
        assert corpus[each.id].body[each.start : each.end] == each.text
    assert contexts("bm25", "xyzzy", corpus, 2) == []


def test_baselines_without_a_corpus() -> None:
    for name in NAMES:
        prediction = ask(name, "height of Old Hook", {}, 3)
        assert (prediction.answer, prediction.contexts) == ("I don't know.", ())


def test_each_says_what_it_is() -> None:
    known = {name: baseline(name) for name in NAMES}
    assert all(system.is_builtin and system.name == name for name, system in known.items())
    assert "does not know" in known["closed-book"].description
    assert all("no language model" in known[name].description for name in ("oracle", "keyword", "bm25"))
    assert dict(known["bm25"].settings) == {"reader": "extractive", "k": 5, "passage_words": 100}


def test_an_agent_decides_only_where_the_condition_leaves_it_to_the_system(
    tmp_path: Path, corpus: dict[str, Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The contract that agents stand on: whether and what they retrieve, and what they count, is their own."""

    async def once(client: Client, attempt: Attempt, retrieve: Retrieve) -> Prediction:
        found = await retrieve(attempt)
        asked = client.prompt("answer_from_contexts").fill(question="?", passages=[passage for passage, _ in found])
        reply = await client.chat("decision", asked, step="decisions")
        return Prediction(attempt.question.id, reply.text, usage=Usage(reply.tokens.input, 0, 1, len(found)))

    keyword = find(BASELINES, "keyword")
    monkeypatch.setattr(baselines, "find", lambda kind, name: replace(keyword, agent=once))
    with OpenAIServer(lambda body: "decided") as server, new_client(server.url, tmp_path / "cache") as client:
        system = open_system("keyword", Opening(2, client))
        answer: Any = system.prepare(corpus)
        question = Question("q", "Sable Point height")
        own = asyncio.run(answer(Attempt(question)))
        closed = asyncio.run(answer(Attempt(question, "closed", contexts=())))
        assert (own.answer, own.usage.retrievals, own.usage.calls) == ("decided", 2, 1)
        assert (closed.usage.retrievals, closed.contexts) == (0, ())
        steps = {key: costs.calls for key, costs in client.ledger.by_step.items()}
        assert steps == {("decisions", "decision"): 1, ("answers", "system"): 1}
