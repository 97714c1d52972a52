"""`publish-leaderboard REPO --rescore`: all submissions scored again, who moved and why, and a start that is cut off."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from board_cases import BOARD, board_of, called, submit
from hub_cases import as_user, changing
from huggingface_hub import CommitOperationAdd
from submission_cases import Submitted
from support import Run

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.cards.leaderboard.hub import BoardRepository
from benchwright.cards.leaderboard.publish import Keeping, keep_board
from benchwright.scripts.servers.hub.server import Hub, Kind, Received

PLACE = "small/1.0.0/my-rag"


@pytest.fixture
def ranked(hub: Hub, small: Submitted) -> Hub:
    """With two systems, one of which an older metric gave another value."""
    submit(hub, small.folder)
    submit(hub, small.folder, "other", "hf_alice", change=called("Other"))
    keep_board(BoardRepository(BOARD), Keeping(apart=False))
    as_an_older_metric_had_it(hub)
    keep_board(BoardRepository(BOARD), Keeping(apart=False))
    return hub


def as_an_older_metric_had_it(hub: Hub) -> None:
    """Puts other scores of a submission there, by an older version: all of its answers were right."""
    scores = pq.read_table(io.BytesIO(board_of(hub).read("main", f"scores/{PLACE}.parquet")))
    place = scores.schema.get_field_index("value")
    scores = scores.set_column(place, scores.schema.field(place), pc.if_else(pc.is_valid(scores["value"]), 1.0, None))
    sink = io.BytesIO()
    pq.write_table(scores, sink)
    verdict = json.loads(board_of(hub).read("main", f"verdicts/{PLACE}.json")) | {"scored_by": "0.0.9"}
    changed = {f"scores/{PLACE}.parquet": sink.getvalue(), f"verdicts/{PLACE}.json": json.dumps(verdict).encode()}
    as_user(hub, "hf_alice").create_commit(
        BOARD,
        [CommitOperationAdd(path, content) for path, content in changed.items()],
        commit_message="an older metric",
        repo_type="dataset",
    )


def rows(hub: Hub, name: str) -> list[dict[str, object]]:
    return pq.read_table(io.BytesIO(board_of(hub).read("main", f"{name}/{name}.parquet"))).to_pylist()


def values(hub: Hub) -> dict[object, object]:
    return {row["system"]: row["value"] for row in rows(hub, "results")}


def test_all_submissions_are_scored_again_and_who_moved_is_told(ranked: Hub, run: Run) -> None:
    assert values(ranked) == {"my-rag": pytest.approx(11 / 12), "other": pytest.approx(7 / 12)}
    made = run("publish-leaderboard", BOARD, "--rescore")
    assert made.returncode == 0, made.stderr
    assert made.stdout.splitlines()[0] == "2 of 2 submissions scored again"
    assert board_of(ranked).commits()[0].title == "2 submissions scored again with benchwright 0.1.0"
    assert values(ranked) == {"my-rag": pytest.approx(7 / 12), "other": pytest.approx(7 / 12)}
    told = [(row["system"], row["value_before"], row["value"], row["why"]) for row in rows(ranked, "history")]
    assert told == [
        ("my-rag", None, pytest.approx(7 / 12), "submitted"),
        ("other", None, pytest.approx(7 / 12), "submitted"),
        (
            "my-rag",
            pytest.approx(7 / 12),
            pytest.approx(11 / 12),
            "scored again with benchwright 0.0.9, before with 0.1.0",
        ),
        (
            "my-rag",
            pytest.approx(11 / 12),
            pytest.approx(7 / 12),
            "scored again with benchwright 0.1.0, before with 0.0.9",
        ),
    ]
    assert b"scored again with benchwright 0.1.0, before with 0.0.9" in board_of(ranked).read("main", "index.html")
    since = len(ranked.requests)
    assert run("publish-leaderboard", BOARD, "--rescore").returncode == 0
    assert changing(ranked, since) == [f"POST /api/spaces/{BOARD}/paths-info/main"]


def test_results_and_history_are_loaded_as_the_card_says(ranked: Hub, tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", board_of(ranked).read("main", "README.md").decode(), re.DOTALL)
    shown = f"{code}\nprint(sorted(results['system']), sorted(set(moves['system'])))"
    settings = {**os.environ, "HF_HOME": str(tmp_path / "home"), "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
    done = subprocess.run([sys.executable, "-c", shown], env=settings, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "['my-rag', 'other'] ['my-rag', 'other']\n"), done.stderr


def test_a_start_that_was_cut_off_goes_on(ranked: Hub) -> None:
    def choose(request: Received) -> Kind | None:
        return "503" if request.path.endswith("/commit/main") else None

    board = BoardRepository(BOARD)
    ranked.fault_for = choose
    with pytest.raises(BenchwrightError):
        keep_board(board, Keeping(apart=False, rescore=True))
    ranked.fault_for = None
    kept = {path.parent.name: path.stat().st_ino for path in board.home.glob("scored-again/*/verdict.json")}
    assert len(kept) == 2
    done = keep_board(board, Keeping(apart=False, rescore=True))
    assert [(str(each.place), each.problem) for each in done.rescored] == [(PLACE, None), ("small/1.0.0/other", None)]
    assert values(ranked)["my-rag"] == pytest.approx(7 / 12)
    assert not (board.home / "scored-again").exists()


def test_what_is_not_what_was_accepted_stays_and_is_named(ranked: Hub, run: Run) -> None:
    as_user(ranked, "hf_alice").create_commit(
        BOARD,
        [CommitOperationAdd(f"submissions/{PLACE}/report.json", b"{}")],
        commit_message="changed",
        repo_type="dataset",
    )
    made = run("publish-leaderboard", BOARD, "--rescore")
    assert (made.returncode, made.stdout.splitlines()[0]) == (0, "1 of 2 submissions scored again")
    assert f"{PLACE} is not scored again and stays as it was: report.json is not what was accepted" in made.stderr
    assert values(ranked)["my-rag"] == pytest.approx(11 / 12)


def test_rescoring_looks_at_no_pull_request(run: Run) -> None:
    for other, said in (
        ("--check", "--rescore looks at no pull request: start it without --accept and --check"),
        ("--create", "--create makes a leaderboard: start it again without, to look at pull requests"),
    ):
        made = run("publish-leaderboard", BOARD, "--rescore", other)
        assert (made.returncode, said in made.stderr) == (2, True)
