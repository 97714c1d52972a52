"""Runs scored by the metrics of RAGAS: what is asked, after a kill too, what it would cost, and who is named as judge."""

import json
import re
import signal
import sqlite3
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from embedding_models import save_onnx
from lighthouses import lighthouse, make_release, questions
from support import Run, Start

from benchwright.scripts.servers.openai.faults import Fault
from benchwright.scripts.servers.openai.server import OpenAIServer, Received

JUDGED = ("faithfulness", "answer_relevance", "context_relevance", "factual_correctness", "answer_correctness")
CHATS = 5
"""Calls of the judge for an answer: statements, verdicts, questions, sentences, facts."""
QUESTIONS = 4
ALIKE = 4
"""Of those calls that are asked once for two answers: two wordings each have the same answer and contexts."""


def reply(body: Any) -> Any:
    shape, shown = body["response_format"]["json_schema"]["name"], body["messages"][-1]["content"]
    count = 2 if "2 statements:" in shown else 1
    given = [{"number": place, "explanation": "!", "supported": place == 1} for place in range(1, count + 1)]
    return {
        "statements": {"statements": [shown.rpartition("answer:")[2].splitlines()[2], "It is old."]},
        "verdicts": {"verdicts": given},
        "questions": {"questions": [f"How tall is {number}?" for number in range(3)]},
        "relevant_sentences": {"sentences": []},
        "facts": {"statements": [{"statement": "31.", "explanation": "!", "made_by": "both"}]},
    }[shape]


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    """Scores the passages of lighthouses; no model is named yet."""
    make_release(tmp_path / "releases")
    return ["lights", "oracle", "--limit", str(QUESTIONS), "--quiet", "--cache", str(tmp_path / "kept.sqlite")]


def with_models(server: OpenAIServer, *models: str) -> list[str]:
    return ["--base-url", server.url, *(word for model in models for word in ("--model", model))]


def metrics(*names: str) -> list[str]:
    return [word for name in names for word in ("--metric", name)]


def scores(tmp_path: Path) -> list[dict[str, Any]]:
    return pq.read_table(tmp_path / "runs/lights/1.0.0/oracle/scores.parquet").to_pylist()


def bodies(server: OpenAIServer) -> Counter[str]:
    return Counter(json.dumps(each.body, sort_keys=True) for each in server.requests)


def test_after_a_kill_nothing_is_asked_twice(tmp_path: Path, arguments: list[str], run: Run, start: Start) -> None:
    waits, held = threading.Event(), list[str]()

    def hold(received: Received) -> Fault | None:
        if server.calls < 8:
            return None
        held.append(json.dumps(received.body, sort_keys=True))
        waits.set()
        return Fault("slow", seconds=3600)

    with OpenAIServer(reply) as server:
        server.fault_for = hold
        asked = [*arguments, *metrics(*JUDGED), "--at-once", "1", *with_models(server, "judge=j", "embedder=v")]
        process = start("score-system", *asked)
        assert waits.wait(120), "it asks eight times"
        kept = sqlite3.connect(tmp_path / "kept.sqlite")
        while kept.execute("SELECT count(*) FROM replies").fetchone() < (7,):  # the seventh may still be written
            time.sleep(0.01)
        kept.close()
        process.kill()
        assert process.wait() == -signal.SIGKILL
        server.release()
        done = run("score-system", *asked)
        assert done.returncode == 0, done.stderr
        twice = {body for body, count in bodies(server).items() if count > 1}
        assert twice <= set(held) and len(held) <= 2, "what was on its way"
        lines = (tmp_path / "runs/lights/1.0.0/oracle/judgments.jsonl").read_text().splitlines()
        keys = [(line["id"], line["metric"]) for line in map(json.loads, lines)]
        assert len(keys) == len(set(keys)) == QUESTIONS * len(JUDGED)
        calls = server.calls
        assert run("score-system", *asked).returncode == 0
        assert server.calls == calls, "and nothing anew"
        by_embedder = run("score-system", *arguments, *metrics(*JUDGED), *with_models(server, "judge=j"))
        assert by_embedder.returncode == 0 and server.calls == calls, "replies are kept"
    versions = {
        (line["metric"], line["judge"]["version"])
        for line in map(json.loads, (tmp_path / "runs/lights/1.0.0/oracle/judgments.jsonl").read_text().splitlines())
    }
    several = Counter(name for name, _ in versions)
    assert several == {**dict.fromkeys(JUDGED, 1), "answer_relevance": 2, "answer_correctness": 2}, (
        "without the embedder another judge said it"
    )


def test_an_estimate_counts_the_calls_that_follow_from_replies(tmp_path: Path, arguments: list[str], run: Run) -> None:
    assert run("score-system", *arguments).returncode == 0
    with OpenAIServer(reply) as server:
        models = with_models(server, "judge=j", "embedder=v")
        estimated = run("score-system", *arguments, *metrics(*JUDGED), *models, "--estimate")
        assert (estimated.returncode, server.calls) == (0, 0), estimated
        assert f"judging: {QUESTIONS * CHATS - ALIKE} calls of j" in estimated.stdout + estimated.stderr
        assert f"embedding: {QUESTIONS * 2 - 2} calls of v" in estimated.stdout + estimated.stderr
        done = run("score-system", *arguments, *metrics(*JUDGED), *models)
        assert done.returncode == 0, done
        kinds = Counter("vectors" if "input" in each.body else "chat" for each in server.requests)
        assert kinds == {"chat": QUESTIONS * CHATS - ALIKE, "vectors": QUESTIONS * 2 - 2}


def test_similarity_takes_an_embedder_and_no_judge(tmp_path: Path, arguments: list[str], run: Run) -> None:
    with OpenAIServer(reply) as server:
        done = run("score-system", *arguments, *metrics("answer_similarity"), *with_models(server, "embedder=v"))
        assert done.returncode == 0, done.stderr
        assert {each.path for each in server.requests} == {"/v1/embeddings"}
        other = run("score-metric", "lights/oracle", "answer_similarity", *with_models(server, "judge=j"))
        assert (other.returncode, other.stderr) == (
            2, "error: answer_similarity takes a model that plays embedder: name one with --model embedder=NAME\n"
        )  # fmt: skip
    assert {row["judge"].rpartition(":")[0] for row in scores(tmp_path)} == {"model:v"}


def test_without_a_model_rules_score_and_are_named(tmp_path: Path, arguments: list[str], run: Run) -> None:
    asked = [word for word in arguments if word != "--quiet"]
    done = run("score-system", *asked, *metrics(*JUDGED, "answer_similarity"))
    assert done.returncode == 0, done.stderr
    assert (
        "\nfaithfulness, context_relevance, factual_correctness, answer_correctness: graded by rules, to try things out; "
        "a model grades with --model judge=NAME\nanswer_similarity: graded by rules, to try things out; a model grades "
        "with --model embedder=NAME\n" in done.stderr
    )
    page = (tmp_path / "runs/lights/1.0.0/oracle/report.html").read_text()
    for name in (*JUDGED, "answer_similarity"):
        is_ruled = name != "answer_relevance"
        assert (f"{name} (by rule)" in " ".join(done.stderr.split())) == is_ruled, name
        assert bool(re.search(rf"{name}(<[^>]*>)* \(by rule\)", page)) == is_ruled, name
    for row in scores(tmp_path):
        if row["metric"] == "answer_relevance":
            assert (row["value"], row["reason"]) == (None, "no judgment")
        else:
            assert row["reason"].startswith("by rule: ") and row["judge"] is None, row
    other = run("score-metric", "lights/oracle", "answer_relevance")
    said = "error: answer_relevance is judged by a model: name one with --model judge=NAME\n"
    assert (other.returncode, other.stderr) == (2, said)


def test_contexts_that_are_named_by_id_are_read_from_the_corpus(tmp_path: Path, arguments: list[str], run: Run) -> None:
    asked = questions("Gannet Rock", 31)[0].id
    line = {"id": asked, "answer": "It is 31 metres tall.", "contexts": [{"uri": "/pages/gannet-rock.html"}]}
    (tmp_path / "mine.jsonl").write_text(json.dumps(line))
    (tmp_path / "map.csv").write_text("uri,document\n/pages/gannet-rock.html,gannet-rock\n")
    with OpenAIServer(reply) as server:
        models = with_models(server, "judge=j")
        given = ["lights", "mine.jsonl", "--map", "map.csv", *arguments[4:], *metrics("faithfulness")]
        done = run("score-system", *given, *models)
        assert done.returncode == 0, done.stderr
        shown = server.requests[-1].body["messages"][-1]["content"]
    assert lighthouse("Gannet Rock", 31).body in shown


def test_an_embedder_may_be_a_folder(tmp_path: Path, arguments: list[str], run: Run) -> None:
    pytest.importorskip("onnx")
    asked = [*arguments, *metrics("answer_similarity"), "--model", "embedder=small"]
    versions = []
    for seed in ("rock", "point"):
        save_onnx(tmp_path / "small", prompts={"query": seed})
        done = run("score-system", *asked)
        assert done.returncode == 0, done.stderr
        found = scores(tmp_path)
        assert all(0 < row["value"] <= 1 for row in found) and len(found) == QUESTIONS
        versions.append({row["judge"] for row in found})
    assert versions[0] != versions[1] and all(len(each) == 1 for each in versions), "another model is another judge"
    assert {name.rpartition(":")[0] for each in versions for name in each} == {"model:small"}
