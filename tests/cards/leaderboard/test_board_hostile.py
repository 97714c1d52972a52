"""Hostile pull requests on a Hub, all open at once: each gets its reason in a comment, and what is right comes in."""

import shutil
from pathlib import Path

from board_cases import BOARD, board_of, comments_of, status_of, submit
from hostile_submissions import HOSTILE, SCRIPTS
from submission_cases import Submitted

from benchwright.cards.leaderboard.hub import BoardRepository
from benchwright.cards.leaderboard.publish import Keeping, keep_board
from benchwright.scripts.servers.hub.server import Hub

SENT = (
    "a YAML tag",
    "a billion laughs",
    "a huge system.yaml",
    "JSON nested deeply",
    "a claim that is too good",
    "a metric of its own",
    "a bomb",
    "10^9 declared rows",
    "an answer twice",
    "costs that are NaN",
)
"""Cases of the table that are sent to the Hub: one of each sort."""


def test_each_is_refused_in_a_comment_and_stops_no_other(hub: Hub, small: Submitted, tmp_path: Path) -> None:
    cases = {}
    for place, case in enumerate(each for each in HOSTILE if each.what in SENT):
        folder = tmp_path / f"case-{place}"
        shutil.copytree(small.folder, folder)
        case.twist(folder)
        cases[submit(hub, folder, f"case-{place}")] = case.reason
    evil = submit(hub, small.folder, "evil", more={"submissions/small/1.0.0/evil/evil.py": b"import os"})
    cases[evil] = '"evil.py" does not belong'
    right = submit(hub, small.folder)
    kept = keep_board(BoardRepository(BOARD), Keeping(apart=False))
    assert {each.pull.number: each.outcome for each in kept.looked} == {
        **dict.fromkeys(cases, "refused"),
        right: "accepted",
    }
    assert len(cases) == len(SENT) + 1
    for number, reason in cases.items():
        ((user, said),) = comments_of(hub, number)
        assert user == "alice" and said.startswith("**Not accepted:**\n\n- ")
        assert all(word.strip('"') in said.replace("\\", "") for word in reason.split()[:2])
        assert not [text for text in SCRIPTS if text in said] and "<script" not in said
        assert status_of(hub, number) == "open"
    there = [path for path in board_of(hub).files() if path.startswith("submissions/")]
    assert {path.split("/")[3] for path in there} == {"my-rag"}
