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
        assert [message["role"] for message in shown] == ["system", "user", "assistant", "user"]
        assert shown[1]["content"].startswith("Article:\n") and "Question:" in shown[1]["content"]
        again = ready(server.url)
        assert (again.returncode, server.calls) == (0, 6), "nothing is judged twice"
    lines = judgments(folder)
    assert [line["metric"] for line in lines] == ["truthfulness", "relevance"] * 6
    assert lines[0]["judge"]["kind"] == "model" and lines[0]["judge"]["name"] == "scripted"
    assert lines[0]["reason"] == "As the article says." and lines[0]["value"] == 4.0
    for line in lines[:2]:
        (step,) = line["trace"]["steps"]
        assert (step["step"], step["output"]["truthfulness"]) == ("judge_with_article", 4)
        assert json.loads(step["raw"]) == step["output"] and step["prompt"].startswith(line["judge"]["version"])
    assert lines[0]["trace"] == lines[1]["trace"]
    scores = pq.read_table(folder / "scores.parquet").to_pylist()
    assert {row["value"] for row in scores if row["metric"] == "truthfulness"} == {4.0}
    assert {row["judge"] for row in scores if row["metric"] == "relevance"} == {
        ":".join(lines[0]["judge"][name] for name in ("kind", "name", "version"))
    }
    report = json.loads((folder / "report.json").read_text())
    assert report["metrics"]["truthfulness"]["range"] == [1.0, 5.0]
    assert "truthfulness (1 to 5)" in done.stderr


def test_a_grade_off_the_scale_is_asked_for_anew_and_a_refusal_is_unscored(ready: Any, tmp_path: Path) -> None:
    def off_the_scale_at_first(body: Any) -> dict[str, Any]:
        asked_again = body["messages"][-1]["content"].startswith("Your last reply cannot be used")
        return {"reason": "!", "truthfulness": 5 if asked_again else 9, "relevance": 1}

    with OpenAIServer(off_the_scale_at_first, faults=[Fault("refusal")]) as server:
        assert ready(server.url, "--at-once", "1").returncode == 0
        assert server.calls == 1 + 5 * 2
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


def test_two_judges_in_one_run(ready: Any, tmp_path: Path) -> None:
    folder = tmp_path / "runs/small/1.0.0/oracle"

    def taken() -> tuple[set[str], set[float]]:
        rows = pq.read_table(folder / "scores.parquet").to_pylist()
        shown = [row for row in rows if row["metric"] == "truthfulness"]
        return {row["judge"].split(":")[1] for row in shown}, {row["value"] for row in shown}

    with OpenAIServer(lambda body: {**grade(body), "truthfulness": 2 if body["model"] == "another" else 4}) as server:
        assert ready(server.url).returncode == 0
        assert taken() == ({"scripted"}, {4.0})
        assert ready(server.url, "--model", "judge=another").returncode == 0
        assert taken() == ({"another"}, {2.0}), "the judge of this start"
        assert ready(server.url).returncode == 0
        assert taken() == ({"scripted"}, {4.0}) and server.calls == 12
        lines = judgments(folder)
        assert len({(line["id"], line["metric"], line["judge"]["name"]) for line in lines}) == len(lines) == 24
        given = tmp_path / "people.jsonl"
        person = {"kind": "human", "name": "Ann"}
        of_ann = [{"id": line["id"], "metric": "truthfulness", "value": 1, "judge": person} for line in lines[:12:2]]
        given.write_text("".join(json.dumps(line) + "\n" for line in of_ann))
        assert ready(server.url, "--judgments", str(given)).returncode == 0
        assert taken() == ({"Ann"}, {1.0}), "given verdicts are taken instead"
        assert len(judgments(folder)) == 30 and server.calls == 12
    report = json.loads((folder / "report.json").read_text())
    assert report["metrics"]["truthfulness"]["judges"] == {"human:Ann": 6}
    assert report["scoring"]["judges"]["truthfulness"] == ["human:Ann"]


def test_without_a_judge_rules_grade(run: Run, ready: Any, tmp_path: Path) -> None:
    done = run("score-system", "small", "oracle", "--limit", "6", *METRICS, "--name", "ruled")
    assert "\ntruthfulness, relevance: graded by rules, to try things out; " in done.stderr
    rows = pq.read_table(tmp_path / "runs/small/1.0.0/ruled/scores.parquet").to_pylist()
    by_id: dict[str, dict[str, float]] = {}
    for row in rows:
        by_id.setdefault(row["id"], {})[row["metric"]] = row["value"]
    assert all((each["truthfulness"] == 5.0) == (each["correct"] == 1.0) for each in by_id.values())
    assert {row["reason"] for row in rows if row["metric"] == "relevance"} <= {
        "by rule: correct", "by rule: wrong", "by rule: abstained"
    }  # fmt: skip
