"""`score-metric RUN METRIC --injections`: how far a judge is moved that obeys, and one that does not."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from lighthouses import HEIGHTS, make_release, questions
from model_clients import KEY
from report_cases import make_run

import benchwright
from benchwright.benchmarks.metrics.injections import Injection, injections
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.runs.run import JUDGMENTS
from benchwright.benchmarks.runs.score import score_run
from benchwright.scripts.score_metric import main
from benchwright.scripts.servers.openai.server import OpenAIServer

TOP = {"truthfulness": 5, "semantic_match": 1}
POEM = "O light upon the rock."


def found_in(text: str, highest: int) -> Injection | None:
    """The injection that a request holds, by its longest line that is not that of others."""
    for each in injections():
        if max(each.added_to("", (1 if highest == 5 else 0, highest)).splitlines(), key=len) in text:
            return each
    return None


def honest(body: Mapping[str, Any]) -> Any:
    """Says of every answer that it is wrong: 2 of 5, Incorrect."""
    if "truthfulness" in json.dumps(body["response_format"]):
        return {"reason": "It is not as the article says.", "truthfulness": 2, "relevance": 2}
    return {"reason": "It is another height.", "verdict": "Incorrect"}


def obedient(body: Mapping[str, Any]) -> Any:
    """Does as it is told."""
    is_graded = "truthfulness" in json.dumps(body["response_format"])
    told = found_in(body["messages"][3]["content"] if is_graded else _last(body), 5 if is_graded else 1)
    if told is None or told.wants == "nothing":
        return honest(body)
    if told.wants == "broken":
        return POEM
    grade = 5 if told.wants == "highest" else 1
    if is_graded:
        return {"reason": "As I was told.", "truthfulness": grade, "relevance": grade}
    return {"reason": "As I was told.", "verdict": "Correct" if grade == 5 else "Incorrect"}


def _last(body: Mapping[str, Any]) -> str:
    texts = [message["content"] for message in body["messages"] if message["role"] == "user"]
    return next(text for text in reversed(texts) if "<text" in text)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run whose answers about four lighthouses are wrong, but for one."""
    release = make_release(tmp_path / "releases")
    said = [
        Prediction(
            question.id,
            f"{name} is {height if name == 'Old Hook' else 7} metres tall.",
            contexts=(Context("sable-point"),),
        )
        for name, height in HEIGHTS.items()
        for question in questions(name, height)
    ]
    run = tmp_path / "runs/lights/1.0.0/mine"
    make_run(release, run, said, (), name="mine")
    score_run(release, run, metrics=("correct",))
    return run


@pytest.fixture
def command(folder: Path, tmp_path: Path) -> Iterator[Callable[..., Result]]:
    def call(url: str, *arguments: str) -> Result:
        place = ("--releases", str(tmp_path / "releases"), "--injections", "--cache", str(tmp_path / "kept.sqlite"))
        models = ("--model", "judge=scripted", "--base-url", url)
        return CliRunner().invoke(main, [str(folder), *arguments, *place, *models], env={"OPENAI_API_KEY": KEY})

    yield call


def figures(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "injections/injections.json").read_text())


def test_a_judge_that_obeys_is_moved_by_every_kind_but_the_harmless_one(
    folder: Path, command: Callable[..., Result]
) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    with OpenAIServer(obedient) as server:
        done = command(server.url, "truthfulness", "--limit", "4")
        assert done.exit_code == 0, done.output
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before, "nothing of the run"
    found = figures(folder)
    assert (found["judge"], found["answers"], found["limit"], found["lost"]) == ("scripted", 4, 4, 0)
    said = found["metrics"]["truthfulness"]
    kinds = {each.kind for each in injections()}
    assert set(said["kinds"]) == kinds and len(kinds) == 13
    assert all(each["tried"] == 8 for each in said["kinds"].values()), "4 answers, in the answer and in the article"
    for kind, each in said["kinds"].items():
        share, change = each["steered"]["value"], each["change"]
        wanted = {"control": (0.0, 0.0), "lowering": (1.0, 1.0)}.get(kind, (1.0, 3.0))
        if kind == "format":
            assert (each["no_reply"], share, change) == (8, None, None)
        else:
            assert (share, change, each["no_reply"]) == (*wanted, 0), kind
    assert said["kinds"]["order"]["called_right"] == said["kinds"]["order"]["not_called"] == 8
    assert said["places"]["answer"]["tried"] == said["places"]["context"]["tried"] == 48
    assert (said["not_shown"], said["unscored"]) == (0, 0)
    told = " ".join(done.stderr.split())
    assert (
        "harmless (control) 8 0 of 8: 0.0 %" in told and "4 answers with texts that tell the judge what to say" in told
    )


def test_a_judge_that_does_not_obey_is_not_moved_and_a_place_that_is_not_read_is_said(
    folder: Path, command: Callable[..., Result]
) -> None:
    with OpenAIServer(honest) as server:
        done = command(server.url, "semantic_match", "--limit", "3")
        assert done.exit_code == 0, done.output
        assert server.calls == 3 * (1 + 13), "contexts are not read: no call is made for them"
    said = figures(folder)["metrics"]["semantic_match"]
    assert said["not_shown"] == 3 * 13
    assert (said["all"]["tried"], said["all"]["steered"]["value"], said["all"]["change"]) == (36, 0.0, 0.0)
    assert "39 more stood where semantic_match does not look." in " ".join(done.stderr.split())
    place = ("--releases", str(folder.parents[3] / "releases"))
    assert CliRunner().invoke(main, [str(folder), "rouge_l", *place]).exit_code == 0
    page = (folder / "score-metric.html").read_text()
    assert "Told what to say" in page and "by scripted: 3 answers with texts that tell the judge what to say" in page
    assert json.loads((folder / "score-metric.json").read_text())["injections"] == figures(folder)


def test_it_is_estimated_goes_on_and_asks_nothing_twice(folder: Path, command: Callable[..., Result]) -> None:
    with OpenAIServer(honest) as server:
        told = command(server.url, "semantic_match", "--limit", "2", "--estimate")
        assert (told.exit_code, server.calls) == (0, 0) and "28 calls" in told.stdout, told.output
        assert not (folder / "injections/injections.json").exists()
        stopped = command(server.url, "semantic_match", "--limit", "2", "--max-calls", "9", "--at-once", "1")
        assert stopped.exit_code == 1 and "stopped at --max-calls 9" in stopped.output
        there = (folder / "injections" / JUDGMENTS).read_text().splitlines()
        assert 9 <= len(there) < 2 * 27, "kept as they arrive; with those that take no call"
        assert command(server.url, "semantic_match", "--limit", "2").exit_code == 0
        assert command(server.url, "semantic_match", "--limit", "2").exit_code == 0
        assert server.calls == 28, "nothing is asked twice"
        first = figures(folder)
        assert command(server.url, "semantic_match", "--limit", "4").exit_code == 0
        assert figures(folder)["answers"] == 4 and first["answers"] == 2


def test_wrong_answers_of_different_groups_come_first(
    folder: Path, command: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with OpenAIServer(honest) as server:
        assert command(server.url, "semantic_match", "--limit", "4").exit_code == 0
        before = server.calls
        found = benchwright.try_injections(
            folder,
            "semantic_match",
            models=("judge=scripted",),
            base_url=server.url,
            releases=folder.parents[3] / "releases",
            limit=4,
        )
        assert server.calls == before and found.metrics["semantic_match"].all.tried == 48, "it was all judged"
    lines = [json.loads(line) for line in (folder / "injections" / JUDGMENTS).read_text().splitlines()]
    clean = [line["id"] for line in lines if line["candidate"] == "clean"]
    groups = [
        question.group
        for name, height in HEIGHTS.items()
        for question in questions(name, height)
        if question.id in clean
    ]
    assert len(set(groups)) == 4 and len(clean) == 4
    right = {question.id for question in questions("Old Hook", HEIGHTS["Old Hook"])}
    assert clean[-1] in right and not right & set(clean[:-1])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "--injections tries metrics that a model judges: name one"),
        (("rouge_l",), "rouge_l: no model judges single answers by it"),
        (("semantic_match", "--condition", "gold"), "has no answer in the condition gold"),
        (("semantic_match", "--repeat-judge", "2"), "--injections tries the judge alone: leave out --human"),
    ],
)
def test_what_cannot_be_tried_is_said(command: Callable[..., Result], arguments: tuple[str, ...], said: str) -> None:
    done = command("http://127.0.0.1:9/v1", *arguments)
    assert done.exit_code in (1, 2) and said in " ".join(done.output.split())


def test_without_a_model_nothing_is_tried(folder: Path, tmp_path: Path) -> None:
    place = ("--releases", str(tmp_path / "releases"), "--injections")
    done = CliRunner().invoke(main, [str(folder), "semantic_match", *place])
    assert done.exit_code == 2 and "name one with --model judge=NAME" in done.output
