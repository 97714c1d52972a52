"""Scores that only maintainers can compute: of held-out questions, with the private half."""

import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from board_cases import BOARD, board_of, comments_of, submit
from hub_cases import changing, skip_waiting, start_hub
from submissions import asked, make_halves
from support import Run

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.release import Release
from benchwright.cards.hub.publish import Target, publish
from benchwright.cards.leaderboard.create import NewBoard, create_board
from benchwright.cards.leaderboard.hub import BoardRepository
from benchwright.cards.leaderboard.publish import Keeping, keep_board
from benchwright.scripts.servers.hub.server import Hub

VERDICT = "verdicts/lights/1.0.0/lamp-finder.json"


@pytest.fixture
def hub(halves: tuple[Release, Release], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    skip_waiting(monkeypatch)
    monkeypatch.chdir(tmp_path)
    with start_hub(tmp_path, monkeypatch) as hub:
        publish(halves[0], Target("alice/lights", public=True), None)
        create_board(BoardRepository(BOARD), NewBoard(["alice/lights"], public=True))
        yield hub


def keep(**how: Any) -> tuple[str, ...]:
    return tuple(each.outcome for each in keep_board(BoardRepository(BOARD), Keeping(apart=False, **how)).looked)


def rows(hub: Hub, path: str = "results/results.parquet") -> list[dict[str, Any]]:
    return pq.read_table(io.BytesIO(board_of(hub).read("main", path))).to_pylist()


def parts(hub: Hub) -> dict[str, Any]:
    return {each["split"]: each for each in json.loads(board_of(hub).read("main", VERDICT))["parts"]}


def test_held_out_answers(
    hub: Hub, halves: tuple[Release, Release], sent: Path, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    public, private = halves
    submit(hub, sent, "lamp-finder", benchmark="lights")
    assert keep() == ("accepted",)
    assert "Not scored yet: maintainers do that with the private half of the benchmark." in comments_of(hub, 1)[-1][1]
    assert {part: each["figures"] == {} for part, each in parts(hub).items()} == {"test": False, "heldout": True}
    assert [(row["part"], row["value"], row["apart"]) for row in rows(hub)][1] == (
        "heldout",
        None,
        "the answers to these questions are not public, and were not scored yet",
    )
    keep(private=[str(private.folder)])
    right = [row["value"] for row in rows(hub)]
    assert sorted(right) == [0.0, 0.5]
    assert parts(hub)["heldout"]["figures"]["correct"]["value"] == right[1]
    held = {each.encode() for each in asked(public, "heldout")}
    for path in board_of(hub).files():
        content = board_of(hub).read("main", path)
        if not path.startswith("submissions/"):
            assert not any(name in content for name in held), path
    ids = pq.read_table(io.BytesIO(board_of(hub).read("main", "scores/lights/1.0.0/lamp-finder.parquet")))
    assert len(set(ids.column("id").to_pylist())) == 4
    with pytest.raises(
        BenchwrightError, match=r"were scored with its private half, and that is not here: name it with"
    ):
        keep()
    shutil.copytree(private.folder, tmp_path / "releases" / "lights-private" / "1.0.0")
    since = len(hub.requests)
    keep()
    assert changing(hub, since) == [f"POST /api/spaces/{BOARD}/paths-info/main"]
    monkeypatch.setattr("huggingface_hub.constants.HF_ASSETS_CACHE", str(tmp_path / "another machine"))
    keep()
    assert [row["value"] for row in rows(hub)] == right
    assert changing(hub, since) == [f"POST /api/spaces/{BOARD}/paths-info/main"] * 2
    make_halves(tmp_path / "others")
    other = run("publish-leaderboard", BOARD, "--private", reseed(tmp_path / "others"))
    assert other.returncode == 1 and "is not the private half of lights 1.0.0 as it is on the Hub" in other.stderr


def reseed(root: Path) -> Path:
    """A private half that says to be that of another release."""
    folder = root / "lights-private" / "1.0.0"
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["holdout"]["public_content_hash"] = "0" * 64
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder
