"""A round as its organisers and a team go it, command by command, on the test Hub whose clock is put forward."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from board_cases import BOARD, board_of, push_release
from hub_cases import start_hub
from support import Run

from benchwright.cards.leaderboard.create import NewBoard, create_board
from benchwright.cards.leaderboard.hub import BoardRepository
from benchwright.scripts.servers.hub.server import Hub

ROUND = "aurp-round-1"
HOUR = 3_600.0
SMALL = [word for each in ("size=10", "wordings=1", "forms=short", "groups=40") for word in ("--set", each)]
SAID = ["--name", "My RAG", "--author", "Bob", "--openness", "closed", "--retriever", "words"]
BOB = {"HF_TOKEN": "hf_bob"}


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """With a leaderboard of alice's."""
    with start_hub(tmp_path / "hub", monkeypatch) as hub:
        push_release(tmp_path / "lights")
        create_board(BoardRepository(BOARD), NewBoard(["alice/lights"], public=True))
        yield hub


def test_the_whole_way(hub: Hub, run: Run) -> None:
    """The commands are those of the guide: the only test in which they are typed, so that it takes some 20 s."""
    opened = run("publish-leaderboard", BOARD, "--open-round", "aurp", *SMALL, "--closes", "1h", "--reveal", "1h")
    assert (opened.returncode, opened.stdout) == (0, f"{hub.url}/datasets/alice/{ROUND}\n"), opened.stderr
    assert opened.stderr.startswith(f"{ROUND} is open: ")
    scored = run("score-system", f"alice/{ROUND}", "keyword", "--split", "heldout", "--name", "rag", "-q", env=BOB)
    assert scored.returncode == 0, scored.stderr
    hand_in = ("submit-system", f"{ROUND}/rag", "--leaderboard", BOARD, "--round", ROUND, *SAID)
    committed = run(*hand_in, env=BOB)
    assert (committed.returncode, committed.stdout) == (0, f"{hub.url}/datasets/{BOARD}/discussions/1\n")
    early = run("publish-leaderboard", BOARD, "--close-round", ROUND)
    assert early.returncode == 2 and f"{ROUND} is open: commitments are taken until" in early.stderr
    hub.wait(HOUR + 60)
    assert run(*hand_in, env=BOB).stdout == committed.stdout
    hub.wait(HOUR)
    closed = run("publish-leaderboard", BOARD, "--close-round", ROUND)
    assert (closed.returncode, closed.stdout.splitlines()) == (
        0,
        ["bob (my-rag) scored", f"{hub.url}/datasets/alice/{ROUND}-private"],
    ), closed.stderr
    outcome = json.loads(board_of(hub).read("main", f"rounds/{ROUND}/outcome.json"))
    assert [(each["team"], each["state"]) for each in outcome["teams"]] == [("bob", "scored")]
    (told,) = re.findall(r"scored and revealed; (verify-benchmark .*)", closed.stderr)
    proved = run(*told.split())
    assert proved.returncode == 0, proved.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--closes", "1h"], "--closes is about a new round: add --open-round BENCHMARK"),
        (["--round", "x"], "--round is about a new round: add --open-round BENCHMARK"),
        (["--set", "size=10"], "--set is about a new round: add --open-round BENCHMARK"),
        (["--open-round", "aurp", "--close-round", ROUND], "give one of --open-round and --close-round"),
        (["--close-round", ROUND, "--check"], "leave out --accept, --check and --rescore"),
    ],
)
def test_what_does_not_go_together(options: list[str], said: str, run: Run) -> None:
    made = run("publish-leaderboard", BOARD, *options)
    assert (made.returncode, said in made.stderr) == (2, True)
