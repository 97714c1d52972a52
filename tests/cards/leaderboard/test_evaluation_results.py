"""The Hub's own evaluation results: eval.yaml of a benchmark where it is asked for, a file at the model of a system."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from board_cases import BOARD, add_file, board_of
from hub_cases import as_user, changing, skip_waiting, start_hub
from huggingface_hub import parse_eval_result_entries
from submissions import SYSTEM, answers, make_release, make_run

import benchwright
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.leaderboards.board import Board, BoardBenchmark, board_text
from benchwright.benchmarks.records import as_json
from benchwright.benchmarks.releases.release import Release
from benchwright.cards.hub.evaluation import evaluation_text
from benchwright.cards.hub.publish import Target, publish
from benchwright.scripts.servers.hub.server import Hub

SAID = {name: value for name, value in as_json(SYSTEM).items() if value}


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Release:
    """Of the builder tabular, which has a spec."""
    monkeypatch.chdir(tmp_path)
    return make_release(Path("releases"), builder="tabular")


@pytest.fixture
def hub(tmp_path: Path, release: Release, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    skip_waiting(monkeypatch)
    with start_hub(tmp_path, monkeypatch) as hub:
        yield hub


def test_eval_yaml(hub: Hub, release: Release) -> None:
    publish(release, Target("alice/lights", public=True), None)
    repository = hub.repository("dataset", "alice/lights")
    assert "eval.yaml" not in repository.files()
    wanted = Target("alice/lights", public=True, evaluation="mteb")
    assert publish(release, wanted, None).state == "there already"
    assert yaml.safe_load(repository.read("main", "eval.yaml")) == {
        "name": "lights: Questions and answers of your own",
        "description": yaml.safe_load(evaluation_text(release.manifest, "mteb"))["description"],
        "evaluation_framework": "mteb",
        "tasks": [{"id": "correct", "config": "questions", "split": "test"}],
    }
    before = len(hub.requests)
    publish(release, wanted, None)
    publish(release, Target("alice/lights", public=True), None)
    assert not [each for each in changing(hub, before) if "/commit/" in each]
    assert "eval.yaml" in repository.files() and "eval.yaml" not in repository.files("v1.0.0")
    with pytest.raises(UsageError, match="leave out --create-pr"):
        publish(release, Target("alice/lights", create_pr=True, evaluation="mteb"), None)
    with pytest.raises(UsageError, match="the Hub wants solvers and scorers for it"):
        publish(release, Target("alice/lights", evaluation="inspect-ai"), None)


def test_a_model_gets_its_result(hub: Hub, release: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    published = publish(release, Target("alice/lights", public=True), None)
    board = Board("Lights", {"lights": BoardBenchmark("alice/lights")}, ("alice",))
    as_user(hub).create_repo(BOARD, repo_type="dataset")
    as_user(hub).create_repo("alice/lamp")
    add_file(hub, "leaderboard.yaml", board_text(board).encode())
    monkeypatch.setenv("HF_TOKEN", "hf_bob")
    run = make_run(release, Path(), answers())
    done = benchwright.submit_system(benchwright.read_run(run), BOARD, SAID, model_repo="alice/lamp")
    assert (done.state, done.number, str(done.place)) == ("opened", 1, "lights/1.0.0/lamp-finder")
    model = hub.repository("model", "alice/lamp")
    assert model.discussions[1]["title"] == "Evaluation result: lights-lamp-finder"
    text = model.read("refs/pr/1", ".eval_results/lights-lamp-finder.yaml").decode()
    assert yaml.safe_load(text) == [
        {
            "dataset": {"id": "alice/lights", "task_id": "correct", "revision": published.commit},
            "value": 0.25,
            "source": {"url": done.url, "name": "Lights", "user": "bob"},
            "notes": "correct of Lamp Finder, as claimed; retriever: bm25",
        }
    ]
    assert parse_eval_result_entries(yaml.safe_load(text))[0].value == 0.25
    again = benchwright.submit_system(run, BOARD, model_repo="alice/lamp")
    assert (again.state, len(model.discussions), len(board_of(hub).discussions)) == ("open already", 1, 1)
    changed = benchwright.submit_system(run, BOARD, {"retriever": "dense"}, model_repo="alice/lamp")
    assert changed.state == "changed"
    assert b"retriever: dense" in model.read("refs/pr/1", ".eval_results/lights-lamp-finder.yaml")
    with pytest.raises(BenchwrightError, match="the system: 'link' must be an address"):
        benchwright.submit_system(run, BOARD, {"link": "x"})
