"""`submit-system`: a pull request with a run's answers; again, changed, refused; and what it shows before."""

import json
import os
import pty
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from board_cases import BOARD, add_file, board_of
from hub_cases import as_user, changing, skip_waiting, start_hub
from submissions import SYSTEM, answers, make_release, make_run, read_predictions_table
from support import Run

from benchwright.benchmarks.leaderboards.board import Board, BoardBenchmark, board_text
from benchwright.benchmarks.leaderboards.system_file import read_system_file
from benchwright.benchmarks.leaderboards.verdict import Verdict
from benchwright.benchmarks.records import as_json
from benchwright.benchmarks.releases.release import Release
from benchwright.cards.hub.publish import Target, publish
from benchwright.scripts.servers.hub.server import Hub

FOLDER = "submissions/lights/1.0.0/lamp-finder"
SAID = (
    *("--name", "Lamp Finder", "--author", "Ada Moor", "--openness", "closed", "--retriever", "bm25"),
    *("--link", "https://example.org/lamp", "--leaderboard", BOARD),
)


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a release and a run on it."""
    folder = tmp_path_factory.mktemp("scored")
    make_run(make_release(folder / "releases"), folder, answers())
    return folder


@pytest.fixture
def hub(tmp_path: Path, scored: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """With alice's leaderboard; this process speaks as bob, from the folder of his run."""
    skip_waiting(monkeypatch)
    shutil.copytree(scored, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    with start_hub(tmp_path, monkeypatch) as hub:
        as_user(hub).create_repo(BOARD, repo_type="dataset")
        board = Board("Lights", {"lights": BoardBenchmark("alice/lights")}, ("alice",))
        add_file(hub, "leaderboard.yaml", board_text(board).encode())
        monkeypatch.setenv("HF_TOKEN", "hf_bob")
        yield hub


def error_of(result: subprocess.CompletedProcess[str], code: int = 1) -> str:
    assert result.returncode == code, result
    return result.stderr.removeprefix("error: ").removesuffix("\n")


def test_a_pull_request(hub: Hub, run: Run, tmp_path: Path) -> None:
    made = run("submit-system", "lights/lamp", *SAID)
    assert (made.returncode, made.stdout, made.stderr) == (
        0,
        f"{hub.url}/datasets/{BOARD}/discussions/1\n",
        "lights/1.0.0/lamp-finder: opened (pull request 1)\n",
    )
    board = board_of(hub)
    assert board.discussions[1]["title"] == "Submit lights/1.0.0/lamp-finder"
    assert board.discussions[1]["author"]["name"] == "bob"
    sent = {path for path in board.files("refs/pr/1") if path not in board.files()}
    names = ("predictions.parquet", "report.json", "run.json", "system.yaml")
    assert sent == {f"{FOLDER}/{name}" for name in names}
    assert read_system_file(board.read("refs/pr/1", f"{FOLDER}/system.yaml")) == SYSTEM
    copy = tmp_path / "sent.parquet"
    copy.write_bytes(board.read("refs/pr/1", f"{FOLDER}/predictions.parquet"))
    assert len(list(read_predictions_table(copy))) == 8

    before = len(hub.requests)
    again = run("submit-system", "lights/lamp", "--leaderboard", BOARD)
    assert (again.stdout, again.stderr) == (
        made.stdout,
        "lights/1.0.0/lamp-finder: open already (pull request 1)\n",
    )
    assert changing(hub, before) == []

    changed = run("submit-system", "lights/lamp", "--leaderboard", BOARD, "--licence", "MIT", "--no-contexts")
    assert changed.stdout == made.stdout
    assert changed.stderr.splitlines() == [
        "without contexts, retrieval figures are shown as claimed: nobody can compute them again",
        "what was sent before stays in the history of the pull request",
        "lights/1.0.0/lamp-finder: changed (pull request 1)",
    ]
    assert len(board.discussions) == 1
    assert read_system_file(board.read("refs/pr/1", f"{FOLDER}/system.yaml")).licence == "MIT"
    same = run("submit-system", "lights/lamp", "--leaderboard", BOARD)
    assert same.stderr.endswith("open already (pull request 1)\n"), "contexts stay kept back"
    other = run("submit-system", "lights/lamp", "--leaderboard", BOARD, "--name", "Lamp Finder 2", "--contexts")
    assert b"granite" not in board.read("refs/pr/1", f"{FOLDER}/predictions.parquet")
    assert b"granite" in board.read("refs/pr/2", "submissions/lights/1.0.0/lamp-finder-2/predictions.parquet")
    assert other.stdout == f"{hub.url}/datasets/{BOARD}/discussions/2\n"


def test_what_is_there_no_more(hub: Hub, run: Run) -> None:
    run("submit-system", "lights/lamp", *SAID)
    add_file(hub, f"{FOLDER}/judgments.jsonl", b"{}", token="hf_bob", revision="refs/pr/1")
    assert run("submit-system", "lights/lamp", *SAID).stderr.endswith("changed (pull request 1)\n")
    assert f"{FOLDER}/judgments.jsonl" not in board_of(hub).files("refs/pr/1")
    board_of(hub).discussions[1]["status"] = "closed"
    assert run("submit-system", "lights/lamp", *SAID).stderr.endswith("opened (pull request 2)\n")


def test_dry_run(hub: Hub, run: Run) -> None:
    before = len(hub.requests)
    shown = run("submit-system", "lights/lamp", *SAID, "--dry-run")
    assert (shown.returncode, shown.stderr, hub.requests[before:]) == (0, "", [])
    lines = shown.stdout.splitlines()
    assert [line.split()[-1] for line in lines[:4]] == sorted(
        f"{FOLDER}/{name}" for name in ("predictions.parquet", "report.json", "run.json", "system.yaml")
    )
    assert lines[4].endswith(f"bytes in 4 files, in a pull request to {BOARD}")
    assert lines[6:9] == ["system.yaml:", "    name: Lamp Finder", "    authors:"]
    assert '      "reference": "",' in lines and '      "answer": "31 metres",' in lines
    assert "the first prediction:" in lines and lines[-1] == "nothing was sent"
    assert Path("runs/lights/1.0.0/lamp/system.yaml").is_file()


def test_it_says_what_is_missing(hub: Hub, run: Run) -> None:
    assert error_of(run("submit-system", "lights/lamp", "--leaderboard", BOARD, "--author", "Ada"), 2) == (
        "nothing is said of the system's name, openness, retriever: give --name, --openness, --retriever, or write "
        "runs/lights/1.0.0/lamp/system.yaml"
    )
    Path("benchwright.toml").write_text(
        '[submit-system]\nauthor = ["Ben", "Cy"]\nopenness = "open-weights"\nretriever = "x"\nleaderboard = "alice/board"\n'
    )
    Path("runs/lights/1.0.0/lamp/system.yaml").write_text("retriever: dense\n")
    usual = run("submit-system", "lights/lamp", "--name", "Lamp Finder", "--dry-run")
    assert usual.stdout.split("\n\n")[1].splitlines()[1:7] == [
        "    name: Lamp Finder",
        "    authors:",
        "    - Ben",
        "    - Cy",
        "    openness: open weights",
        "    retriever: dense",
    ]
    assert error_of(run("submit-system", "lights/lamp", *SAID, "--link", "ftp://x")) == (
        "what is said of the system: 'link' must be an address such as https://example.org/paper"
    )
    Path("benchwright.toml").unlink()
    assert error_of(run("submit-system", "lights/lamp"), 2) == "Missing option '--leaderboard'."
    assert error_of(run("submit-system", "lights/lamp", "--leaderboard", "board"), 2).startswith("'board' is no leader")


def test_all_that_can_be_said_of_a_system(hub: Hub, run: Run) -> None:
    Path("said.yaml").write_text("description: From a file.\nlink: https://example.org/old\n")
    more = ["--asks", "answers=gpt-4o", "--asks", "rerank-v3", "--organisation", "Lamps", "--builders-took-part"]
    shown = run("submit-system", "lights/lamp", *SAID, *more, "--system", "said.yaml", "--partial", "--dry-run")
    assert shown.returncode == 0, shown.stderr
    lines = [line[4:] for line in shown.stdout.split("\n\n")[1].splitlines()[1:]]
    system = read_system_file("\n".join(lines).encode())
    assert [(each.role, each.name) for each in system.models] == [("answers", "gpt-4o"), ("answers", "rerank-v3")]
    assert (system.organisation, system.builders_took_part, system.description) == ("Lamps", True, "From a file.")
    assert system.link == "https://example.org/lamp", "the command line goes first"


def test_a_terminal_is_asked(hub: Hub, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    program = [sys.executable, "-m", "benchwright.scripts.submit_system", "lights/lamp", "--leaderboard", BOARD]
    said = "Lamp Finder\nAda Moor\nfree\nclosed\nbm25\n\n\nhttps://example.org/lamp\nno\n"
    os.write(ours, said.encode())
    done = subprocess.run(
        [*program, "--dry-run"], stdin=theirs, capture_output=True, text=True, timeout=60, check=False
    )
    for end in (ours, theirs):
        os.close(end)
    assert done.returncode == 0, done.stderr
    assert "Error: it: 'openness' must be one of 'open source', 'open weights', 'closed'" in done.stderr
    assert read_system_file(Path("runs/lights/1.0.0/lamp/system.yaml").read_bytes()) == SYSTEM


def test_a_release_that_is_not_here_is_fetched(hub: Hub, run: Run, tmp_path: Path) -> None:
    publish(
        Release.load(tmp_path / "releases/lights/1.0.0"), Target("alice/lights", public=True, token="hf_alice"), None
    )
    (tmp_path / "releases").rename(tmp_path / "elsewhere")
    assert run("submit-system", "lights/lamp", *SAID).stdout.endswith("/discussions/1\n")


def test_refused(hub: Hub, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    said = SAID[:-1]
    as_user(hub).create_repo("alice/lights", repo_type="dataset")
    assert error_of(run("submit-system", "lights/lamp", *said, "alice/lights")) == (
        "alice/lights is no leaderboard: it has no leaderboard.yaml"
    )
    assert error_of(run("submit-system", "lights/lamp", *said, "alice/nothing")) == (
        "the Hub has no namespace or repository for alice/nothing, or you may not see it: check --leaderboard"
    )
    board = Board("Lights", {"lights": BoardBenchmark("alice/lights", ("2.0.0",))})
    add_file(hub, "leaderboard.yaml", board_text(board).encode())
    assert error_of(run("submit-system", "lights/lamp", *SAID)) == (
        f"{BOARD} does not rank lights 1.0.0: there are 2.0.0; score the system on one"
    )
    add_file(hub, "leaderboard.yaml", board_text(Board("Lights", {})).encode())
    assert error_of(run("submit-system", "lights/lamp", *SAID)) == (
        f"{BOARD} does not rank the benchmark lights: there are none"
    )
    monkeypatch.setenv("HF_TOKEN", "hf_alice_read")
    board = Board("Lights", {"lights": BoardBenchmark("alice/lights")})
    add_file(hub, "leaderboard.yaml", board_text(board).encode())
    assert "use a token with the role `write`" in error_of(run("submit-system", "lights/lamp", *SAID))
    assert board_of(hub).discussions == {}


def test_a_name_that_is_anothers(hub: Hub, run: Run) -> None:
    verdict = Verdict("lights", "1.0.0", "lamp-finder", "c" * 64, "alice", 1, "a" * 40, "2026-11-23T02:00:00Z", True)
    add_file(hub, "verdicts/lights/1.0.0/lamp-finder.json", json.dumps(as_json(verdict)).encode())
    assert error_of(run("submit-system", "lights/lamp", *SAID)) == (
        "the name lamp-finder is that of a system of alice: choose another with --name"
    )


def test_what_was_accepted_is_not_sent_again(hub: Hub, run: Run) -> None:
    run("submit-system", "lights/lamp", *SAID)
    board = board_of(hub)
    for path in board.files("refs/pr/1"):
        if path.startswith(FOLDER):
            add_file(hub, path, board.read("refs/pr/1", path))
    board.discussions[1]["status"] = "closed"
    done = run("submit-system", "lights/lamp", *SAID)
    assert (done.stdout, done.stderr) == (
        f"{hub.url}/datasets/{BOARD}\n",
        "lights/1.0.0/lamp-finder: on the leaderboard already\n",
    )
