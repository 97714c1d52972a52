"""Language models as metrics: what the judge is shown, what is written, and that nothing is judged twice."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from support import Run

from benchwright.scripts.servers.openai.faults import Fault
from benchwright.scripts.servers.openai.server import OpenAIServer

METRICS = ("--metric", "correct", "--metric", "truthfulness", "--metric", "relevance")


@pytest.fixture
def ready(run: Run, company: Path, tmp_path: Path) -> Any:
    """A small release, and a command that scores oracle on it with a judge at an address."""
    made = run("build-benchmark", "grammar", "--set", f"database={company}", "--set", "wordings=1", "--name", "small")
    assert made.returncode == 0, made

    def score(url: str, *arguments: str) -> Any:
        models = ("--model", "judge=scripted", "--base-url", url, "--cache", str(tmp_path / "replies.sqlite"))
        return run("score-system", "small", "oracle", "--limit", "6", *METRICS, *models, *arguments)

    return score


def grade(body: Any) -> dict[str, Any]:
    knows = "I don't know" not in body["messages"][-1]["content"].rpartition("answer:")[2]
    return {"reason": "As the article says.", "truthfulness": 4, "relevance": 5 if knows else 1}


def judgments(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "judgments.jsonl").read_text().splitlines()]


def test_both_grades_come_from_one_call(ready: Any, tmp_path: Path) -> None:
    folder = tmp_path / "runs/small/1.0.0/oracle"
    with OpenAIServer(grade) as server:
        done = ready(server.url)
        assert (done.returncode, server.calls) == (0, 6), done
        shown = server.requests[0].body["messages"]
        assert [message["role"] for message in shown] == ["system", "user"]
        assert shown[1]["content"].startswith("Article:\n") and "Question:" in shown[1]["content"]
        again = ready(server.url)
        assert (again.returncode, server.calls) == (0, 6), "nothing is judged twice"
    lines = judgments(folder)
    assert [line["metric"] for line in lines] == ["truthfulness", "relevance"] * 6
    assert lines[0]["judge"]["kind"] == "model" and lines[0]["judge"]["name"] == "scripted"
    assert lines[0]["reason"] == "As the article says." and json.loads(lines[0]["trace"]["raw"])["truthfulness"] == 4
    scores = pq.read_table(folder / "scores.parquet").to_pylist()
    assert {row["value"] for row in scores if row["metric"] == "truthfulness"} == {4.0}
    assert {row["judge"] for row in scores if row["metric"] == "relevance"} == {
        ":".join(lines[0]["judge"][name] for name in ("kind", "name", "version"))
    }
    report = json.loads((folder / "report.json").read_text())
    assert report["metrics"]["truthfulness"]["range"] == [1.0, 5.0]
    assert "truthfulness (1 to 5)" in done.stderr


def test_a_grade_off_the_scale_is_brought_to_it_and_a_refusal_is_unscored(ready: Any, tmp_path: Path) -> None:
    with OpenAIServer(
        lambda body: {"reason": "!", "truthfulness": 9, "relevance": -3}, faults=[Fault("refusal")]
    ) as server:
        assert ready(server.url, "--at-once", "1").returncode == 0
    lines = judgments(tmp_path / "runs/small/1.0.0/oracle")
    values = [(line["value"], line["reason"].partition(":")[0]) for line in lines]
    assert values[:2] == [(None, "refusal"), (None, "refusal")], "the reply was kept: both grades lack"
    assert set(values[2:]) == {(5.0, "!"), (1.0, "!")}


def test_stopped_by_a_limit_and_gone_on_with(ready: Any, tmp_path: Path) -> None:
    with OpenAIServer(grade) as server:
        stopped = ready(server.url, "--max-calls", "2", "--at-once", "1")
        assert stopped.returncode == 1 and stopped.stderr.startswith("error: stopped at --max-calls 2"), stopped
        path = tmp_path / "runs/small/1.0.0/oracle/judgments.jsonl"
        with path.open("a") as file:
            file.write('{"id": "cut o')
        done = ready(server.url)
        assert (done.returncode, server.calls) == (0, 6), done
    assert len(judgments(path.parent)) == 12


def test_another_judge_is_another_run(ready: Any, tmp_path: Path) -> None:
    with OpenAIServer(grade) as server:
        assert ready(server.url).returncode == 0
        other = ready(server.url, "--model", "judge=another")
        assert other.returncode == 1
        assert "was judged by model:scripted:" in other.stderr and "--again" in other.stderr
        assert other.stderr.count("\n") == 1


def test_without_a_judge_rules_grade(run: Run, ready: Any, tmp_path: Path) -> None:
    assert run("score-system", "small", "oracle", "--limit", "6", *METRICS, "--name", "ruled").returncode == 0
    rows = pq.read_table(tmp_path / "runs/small/1.0.0/ruled/scores.parquet").to_pylist()
    by_id: dict[str, dict[str, float]] = {}
    for row in rows:
        by_id.setdefault(row["id"], {})[row["metric"]] = row["value"]
    assert all((each["truthfulness"] == 5.0) == (each["correct"] == 1.0) for each in by_id.values())
    assert {row["reason"] for row in rows if row["metric"] == "relevance"} <= {
        "by rule: correct", "by rule: wrong", "by rule: abstained"
    }  # fmt: skip
