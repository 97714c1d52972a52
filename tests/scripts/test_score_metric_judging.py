"""`score-metric` with a judge: what is named and lacks is judged first, kept as it arrives, and the rest stays."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from support import Run

import benchwright
from benchwright.benchmarks.errors import UsageError
from benchwright.scripts.servers.openai.server import OpenAIServer


@pytest.fixture
def scored(run: Run, company: Path, tmp_path: Path) -> Any:
    """A run with scores by rule, and the command on it with a judge at an address."""
    made = run("build-benchmark", "grammar", "--set", f"database={company}", "--set", "wordings=1", "--name", "small")
    assert made.returncode == 0, made
    done = run("score-system", "small", "oracle", "--limit", "6", "--metric", "correct", "--metric", "rouge_l")
    assert done.returncode == 0, done

    def rate(url: str, *arguments: str, model: str = "scripted") -> Any:
        models = ("--model", f"judge={model}", "--base-url", url, "--cache", str(tmp_path / "replies.sqlite"))
        return run("score-metric", "small/oracle", *(arguments or ("truthfulness",)), *models)

    return rate


def grades(body: Any) -> dict[str, Any]:
    return {"reason": "As the article says.", "truthfulness": 4 if body["model"] == "scripted" else 2, "relevance": 5}


def values(folder: Path) -> dict[str, list[tuple[float | None, str | None]]]:
    found: dict[str, list[tuple[float | None, str | None]]] = {}
    for row in pq.read_table(folder / "scores.parquet").to_pylist():
        found.setdefault(row["metric"], []).append((row["value"], row["judge"] and row["judge"].split(":")[1]))
    return found


def test_what_is_named_is_judged_once_and_the_rest_stays(scored: Any, run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "runs/small/1.0.0/oracle"
    before = values(folder)
    with OpenAIServer(grades) as server:
        told = scored(server.url, "truthfulness", "--estimate")
        assert (told.returncode, server.calls) == (0, 0) and "6 calls" in told.stdout, told
        assert values(folder) == before and not (folder / "score-metric.json").exists()
        beyond = scored(server.url, "truthfulness", "--threshold", "truthfulness=7")
        assert (beyond.returncode, server.calls) == (2, 0) and "truthfulness goes from 1 to 5" in beyond.stderr
        nowhere = scored(server.url, "truthfulness", "--human", "nowhere.jsonl")
        assert (nowhere.returncode, server.calls) == (1, 0) and "no file of judgments nowhere.jsonl" in nowhere.stderr
        stopped = scored(server.url, "truthfulness", "--max-calls", "2", "--at-once", "1")
        assert stopped.returncode == 1 and stopped.stderr.startswith("error: stopped at --max-calls 2"), stopped
        assert len((folder / "judgments.jsonl").read_text().splitlines()) == 2, "kept as they arrive"
        done = scored(server.url)
        assert (done.returncode, server.calls) == (0, 6), done
        assert scored(server.url).returncode == 0 and server.calls == 6, "nothing is judged twice"
        assert scored(server.url, "truthfulness", "--replay").returncode == 0 and server.calls == 6
        relevance = scored(server.url, "relevance")
        assert (relevance.returncode, server.calls) == (0, 6), "the same reply says both"
        assert values(folder) == {
            **before, "truthfulness": [(4.0, "scripted")] * 6, "relevance": [(5.0, "scripted")] * 6
        }  # fmt: skip
        judged = json.loads((folder / "judgments.jsonl").read_text().splitlines()[0])["id"]
        traced = run("score-metric", "small/oracle", "relevance", "--trace", judged)
        assert traced.stdout.startswith("Question: ") and "\nrelevance: 5, by scripted\n" in traced.stdout, traced
        other = scored(server.url, model="another")
        assert (other.returncode, server.calls) == (0, 12), other
        there = values(folder)
        assert there["truthfulness"] == [(2.0, "another")] * 6 and there["relevance"] == [(5.0, "scripted")] * 6
        out = str(tmp_path / "out")
        truth = scored(server.url, "correct", "--truth", "relevance", "--output", out)
        assert (truth.returncode, server.calls) == (0, 12) and "Held against relevance (above 3)" in truth.stderr, truth
    report = json.loads((folder / "report.json").read_text())
    assert report["metrics"]["truthfulness"]["value"] == 2.0 and report["scoring"]["primary"] == "correct"
    rated = json.loads((folder / "score-metric.json").read_text())
    assert list(rated["metrics"]) == ["truthfulness"] and rated["truth"]["metric"] == "correct"


def test_without_a_model_rules_score_what_lacks(scored: Any, run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "runs/small/1.0.0/oracle"
    before = values(folder)
    found = benchwright.score_metric(folder, "truthfulness", "token_f1", releases=tmp_path / "releases")
    assert list(found.metrics) == ["truthfulness", "token_f1"]
    there = values(folder)
    assert {name: there[name] for name in before} == before and {judge for _, judge in there["truthfulness"]} == {None}
    assert json.loads((folder / "report.json").read_text())["metrics"]["token_f1"]["scored"] == 6
    with pytest.raises(
        UsageError, match=r"not scored in oracle, condition own \(there are no samples: ask for further"
    ):
        benchwright.score_metric(folder, "selfcheck", releases=tmp_path / "releases")
    found = benchwright.score_metric(folder, "selfcheck", "token_f1", releases=tmp_path / "releases")
    assert list(found.metrics) == ["token_f1"]
    assert [(name, sum(why.values())) for name, why in found.without_scores.items()] == [("selfcheck", 6)]
    told = run("score-metric", str(folder), "selfcheck", "token_f1").stderr
    assert "selfcheck scores no answer: there are no samples: ask for further" in " ".join(told.split())


def test_a_judge_is_held_against_people_on_any_labelled_file(run: Run, tmp_path: Path) -> None:
    """One file of questions, gold, answers and verdicts is the benchmark, the predictions and the labels."""
    rows = [
        {"id": f"q{place}", "question": f"Who wrote book {place}?", "gold": f"Author {place}", "answer": f"Writer {place}",
         "metric": "correct", "value": place % 3 != 0, "judge": {"kind": "human", "name": "Ann"}}
        for place in range(12)
    ]  # fmt: skip
    (tmp_path / "labelled.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    made = run("build-benchmark", "tabular", "--name", "open", "--set", "source=labelled.jsonl",
               "--set", "columns=answer=gold", "--quiet")  # fmt: skip
    assert made.returncode == 0, made
    assert run("score-system", "open", "labelled.jsonl", "--name", "answers", "--quiet").returncode == 0

    def reply(body: Any) -> Any:
        shown = body["messages"][-1]["content"]
        place = next(place for place in reversed(range(12)) if f"\nWriter {place}\n" in shown)
        assert f"\nAuthor {place}\n" in shown
        return {"reason": "!", "verdict": "Correct" if place % 3 or place == 9 else "Incorrect"}

    with OpenAIServer(reply) as server:
        models = ("--model", "judge=gpt", "--base-url", server.url, "--cache", str(tmp_path / "kept.sqlite"))
        done = run("score-metric", "open/answers", "semantic_match", "--human", "labelled.jsonl", *models)
        assert (done.returncode, server.calls) == (0, 12), done
    said = " ".join(done.stderr.split())
    assert "Held against correct in labelled.jsonl, said by Ann (human): 8 of 12 answers are right" in said
    assert "semantic_match gives the verdict of people on 91.7 % (" in said and ") of 12 answers, kappa 0.80" in said
    page = (tmp_path / "runs/open/1.0.0/answers/score-metric.html").read_text()
    assert "same verdict" in page
