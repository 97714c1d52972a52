"""What of a run is sent: checked first, with the command that mends it, and without what is nobody's business."""

import json
from pathlib import Path
from typing import Any

import pytest
from lighthouses import HEIGHTS
from submissions import SYSTEM, answers, asked, make_release, make_run, read_predictions_table

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.check_run import check_runs
from benchwright.benchmarks.leaderboards.package import Package, write_package
from benchwright.benchmarks.leaderboards.system_file import read_system_file
from benchwright.benchmarks.leaderboards.verdict import Verdict
from benchwright.benchmarks.leaderboards.verify import Basis, PullRequest, verify_submission
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.runs.run import read_run
from benchwright.benchmarks.runs.store import stored_predictions


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """Without held-out questions."""
    return make_release(tmp_path_factory.mktemp("open") / "releases")


@pytest.fixture
def near(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder."""
    monkeypatch.chdir(tmp_path)
    return Path()


def package(folder: Path, release: Release, target: Path, heldout: Path | None = None, **how: Any) -> Package:
    """The submission of a run."""
    partial = how.pop("is_partial", False)
    target.mkdir()
    return write_package(check_runs(folder, release, heldout, is_partial=partial), SYSTEM, target, **how)


def verdict(sent: Package, release: Release, near: Path, private: Release | None = None) -> Verdict:
    """What maintainers find in a submission."""
    (near / "work").mkdir()
    pull = PullRequest(1, "a" * 40, "ada", "2026-11-23T02:00:00Z")
    found = verify_submission(sent.folder, sent.place, pull, Basis(release, private), work=near / "work").verdict
    assert found.reasons == ()
    return found


def figures(sent: Package, release: Release, near: Path) -> dict[str, tuple[float | None, str]]:
    """Value and mark of each metric."""
    return {name: (each.value, each.mark) for name, each in verdict(sent, release, near).parts[0].figures.items()}


def test_a_submission_gives_the_same_scores(release: Release, near: Path) -> None:
    folder = make_run(release, near, answers())
    sent = package(folder, release, near / "sent")
    assert [path.removeprefix("submissions/lights/1.0.0/lamp-finder/") for path in sent.files] == [
        "predictions.parquet",
        "report.json",
        "run.json",
        "system.yaml",
    ]
    assert read_system_file((sent.folder / "system.yaml").read_bytes()) == SYSTEM
    assert list(read_predictions_table(sent.folder / "predictions.parquet")) == list(
        stored_predictions(folder / "predictions.jsonl")
    )
    claims = json.loads((sent.folder / "report.json").read_text())
    assert claims["metrics"]["correct"]["value"] == 0.25
    assert (claims["metrics"]["correct"]["scored"], claims["metrics"]["hit@5"]["value"]) == (8, 1.0)
    assert set(claims) == {
        *("benchmark", "version", "content_hash", "language", "condition", "questions", "headline_questions"),
        *("scoring", "metrics", "outcomes"),
    }
    assert figures(sent, release, near)["correct"] == (0.25, "verified")
    assert package(folder, release, near / "twice").files.keys() == sent.files.keys()
    for path in sent.folder.iterdir():
        assert (near / "twice" / path.name).read_bytes() == path.read_bytes()


def test_nothing_of_this_machine_is_sent(release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.setenv("WIKI_TOKEN", "squirrel-98765432")
    gannet, sable, _, cape = (name.lower().replace(" ", "-") for name in HEIGHTS)
    contexts = [
        {"uri": "file:///srv/secret-plans/a.txt", "text": "x"},
        {"id": "/srv/secret-plans/gannet-rock", "text": "y"},
        {"id": "chunk-1", "uri": "https://wiki.corp.internal/pages/17"},
        {"id": f"https://wiki.corp.internal/{cape}"},
        {"id": gannet, "uri": "C:\\secret-plans\\b.txt"},
        {"id": "https://me:pw12345@wiki.corp.internal/z?page=2&access_token=pw12345&sig=pw12345#top"},
    ]
    said = answers(contexts=contexts)
    said[0] |= {"answer": None, "error": "ConnectionError at /home/ada/rag/x.py with squirrel-98765432"}
    uris = {"https://wiki.corp.internal/pages/17": sable, f"https://wiki.corp.internal/{cape}": cape}
    folder = make_run(release, tmp_path / "secret-plans", said, uris=uris)
    with (folder / "predictions.jsonl").open() as file:
        assert sum("squirrel" in line for line in file) == 1
    sent = package(folder, release, tmp_path / "sent")
    for path in sent.folder.iterdir():
        held = path.read_bytes()
        for secret in (b"secret-plans", b"squirrel", b"/home/ada", b"pw12345", b"pages/17", b"jsonl", b"bm25s"):
            assert secret not in held, (path, secret)
    first, second, *_ = read_predictions_table(sent.folder / "predictions.parquet")
    assert first.error == "ConnectionError at ~/rag/x.py with [hidden]"
    assert [(each.id, each.uri) for each in second.contexts] == [
        (None, "…/a.txt"),
        ("…/gannet-rock", None),
        ("chunk-1", sable),
        ("https://wiki.corp.internal/cape-farrow", cape),
        (gannet, "…/b.txt"),
        ("https://…@wiki.corp.internal/z?page=2&access_token=…&sig=…#top", None),
    ]
    assert figures(sent, release, tmp_path)["recall@5"] == (0.75, "verified")


def test_contexts_are_kept_back(release: Release, near: Path) -> None:
    judgments = near / "judgments.jsonl"
    said = answers()
    judgment = {"id": said[0]["id"], "metric": "faithfulness", "value": 1, "judge": {"kind": "model", "name": "gpt"}}
    judgments.write_text(json.dumps({**judgment, "reason": "granite", "trace": {"reply": "granite"}}) + "\n")
    folder = make_run(release, near, said, judgments=judgments)
    sent = package(folder, release, near / "sent", with_contexts=False)
    assert sent.notes[-1].startswith("without contexts, retrieval figures are shown as claimed")
    assert json.loads((sent.folder / "judgments.jsonl").read_text()) == {**judgment, "condition": "own", "repeat": 0}
    for path in sent.folder.iterdir():
        assert b"granite" not in path.read_bytes() and b"gannet-rock" not in path.read_bytes()
    found = figures(sent, release, near)
    assert (found["correct"], found["recall@5"]) == ((0.25, "verified"), (1.0, "claimed"))
    assert found["faithfulness model:gpt"] == (1.0, "claimed")
    shown = package(folder, release, near / "shown")
    assert json.loads((shown.folder / "judgments.jsonl").read_text())["reason"] == "granite"
    assert "trace" not in json.loads((shown.folder / "judgments.jsonl").read_text())


def test_held_out_questions(halves: tuple[Release, Release], near: Path) -> None:
    halved, private = halves
    folder = make_run(halved, near, answers(31, *asked(halved, "test")))
    with pytest.raises(BenchwrightError) as caught:
        check_runs(folder, halved)
    assert str(caught.value) == (
        "lights 1.0.0 has held-out questions, and runs/lights/1.0.0/lamp has no answers to them: ask them with "
        "`score-system lights@1.0.0 FILE.jsonl --split heldout --name lamp-heldout`, then start this again"
    )
    hidden = asked(halved, "heldout")
    make_run(halved, near, answers(12, *hidden), "lamp-heldout", split="heldout")
    sent = package(folder, halved, near / "sent")
    assert [each.answer for each in read_predictions_table(sent.folder / "heldout.parquet")] == ["12 metres"] * 4
    parts = verdict(sent, halved, near, private).parts
    assert [(part.split, part.answered, part.figures["correct"].value) for part in parts] == [
        ("test", 4, 0.0),
        ("heldout", 4, 0.0),
    ]
    part = make_run(halved, near, answers(12, hidden[0]), "part", split="heldout")
    for is_partial in (False, True):
        with pytest.raises(
            BenchwrightError,
            match=r"part has no answer to 2 of 4 questions: put the answers in part\.jsonl and .*; the figures of a few",
        ):
            check_runs(folder, halved, part, is_partial=is_partial)
    with pytest.raises(
        BenchwrightError, match=r"answers the split heldout: submit a run on test, and give this one with"
    ):
        check_runs(part, halved, folder)


def _lamp(question: str) -> str:
    return "31 metres"


def _other(question: str) -> str:
    return "18 metres"


def test_held_out_answers_of_another_system(halves: tuple[Release, Release], near: Path) -> None:
    halved, _ = halves
    folder = make_run(halved, near, _lamp)
    other = make_run(halved, near, _other, "other", split="heldout")
    with pytest.raises(BenchwrightError, match=r"has no answers to them: ask them with `score-system lights@1\.0\.0 "):
        check_runs(folder, halved)
    with pytest.raises(BenchwrightError, match=r"other is not of the system of runs/lights/1\.0\.0/lamp: it asked "):
        check_runs(folder, halved, other)
    mine = make_run(halved, near, _lamp, "mine", split="heldout")
    checked = check_runs(folder, halved)
    assert checked.heldout is not None and checked.heldout.folder == mine


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("partial", r"has no answer to 2 of 8 questions: put the answers in lamp\.jsonl and run `score-system lights@"),
        ("changed", r"is not scored, or was changed since it was: score it with `score-system lights@1\.0\.0 lamp"),
        ("no scores", "is not scored, or was changed since it was"),
        ("judged since", "is not scored, or was changed since it was"),
        ("report", "the report of .* is of other scores"),
        ("version", r"was scored by benchwright 0\.0\.1, and this is .*: score it again with `score-system"),
        ("none", "is not a run: it has no run.json"),
        ("token", "the answer to '.*' holds what looks like a key or token: take it out of the predictions"),
        ("context", "a context 'gannet-rock' holds what looks like a key or token"),
    ],
)
def test_what_may_not_be_submitted(release: Release, near: Path, change: str, said: str) -> None:
    given = answers()
    if change == "token":
        given[3]["answer"] = "it is hf_abcdefghijklmnopqrstuvwx"
    if change == "context":
        given[0]["contexts"][0]["text"] += " sk-abcdefghijklmnopqrstuvwx"
    folder = make_run(release, near, given[:6] if change == "partial" else given)
    if change == "changed":
        lines = (folder / "predictions.jsonl").read_text().splitlines(keepends=True)
        (folder / "predictions.jsonl").write_text("".join([*lines[:-1], lines[-1].replace("metres", "m")]))
    elif change == "no scores":
        (folder / "scores.parquet").unlink()
    elif change == "judged since":
        (folder / "judgments.jsonl").write_text("{}\n")
    elif change in ("report", "version"):
        file = folder / ("report.json" if change == "report" else "run.json")
        values = json.loads(file.read_text())
        values["scoring"]["questions" if change == "report" else "benchwright"] = 3 if change == "report" else "0.0.1"
        file.write_text(json.dumps(values))
    elif change == "none":
        (folder / "run.json").unlink()
    with pytest.raises(BenchwrightError, match=said):
        package(folder, release, near / "sent")


def test_partial_runs(release: Release, near: Path) -> None:
    folder = make_run(release, near, answers()[:6])
    sent = package(folder, release, near / "sent", is_partial=True)
    assert sent.notes == ("test: 6 of 8 questions are answered: it is ranked apart",)
    assert json.loads((sent.folder / "report.json").read_text())["metrics"]["correct"]["total"] == 8
    sampled = make_run(release, near, _lamp, "sampled", limit=4)
    with pytest.raises(BenchwrightError, match=r"has no answer to 4 of 8 questions: ask them with `score-system"):
        check_runs(sampled, release)


def test_another_release(release: Release, near: Path) -> None:
    other = make_release(near / "other", taller=1)
    folder = make_run(other, near, answers())
    run = read_run(folder)
    assert run is not None
    with pytest.raises(BenchwrightError) as caught:
        check_runs(folder, release)
    assert str(caught.value).startswith(
        f"runs/lights/1.0.0/lamp is a run on lights 1.0.0 (content {run.content_hash[:12]}…), not on lights 1.0.0"
    )


def test_failed_answers_are_said(release: Release, near: Path) -> None:
    said = answers()
    said[0] |= {"answer": None, "error": "it burnt"}
    folder = make_run(release, near, said)
    assert check_runs(folder, release).notes == (
        "test: 1 answer is missing because the system failed, and counts as not right",
    )
