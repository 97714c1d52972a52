"""`publish-leaderboard REPO --create`: the repository, its first commit and the Space; again, and after every fault."""

import io
import shlex
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml
from board_cases import BOARD, add_file, board_of, push_release, space_of
from hub_cases import as_user, changing, make_release, skip_waiting, start_hub
from support import Run, in_full

import benchwright
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.cards.hub.publish import Target, publish
from benchwright.cards.leaderboard.create import NewBoard, create_board
from benchwright.cards.leaderboard.hub import BoardRepository
from benchwright.scripts.servers.hub.server import Hub, Received

NEW = NewBoard(["alice/lights"], "Lights & <b>towers</b>", public=True)
FILES = {
    ".gitattributes",
    "README.md",
    "index.html",
    "leaderboard.yaml",
    "results/results.parquet",
    "history/history.parquet",
}


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    skip_waiting(monkeypatch)
    with start_hub(tmp_path, monkeypatch) as hub:
        push_release(tmp_path)
        yield hub


def refused(new: NewBoard, repo_id: str = BOARD) -> str:
    with pytest.raises(BenchwrightError) as caught:
        create_board(BoardRepository(repo_id), new)
    return str(caught.value)


def test_a_new_board(hub: Hub, run: Run) -> None:
    told = ["--create", "--benchmark", "alice/lights", "--title", "Lights & <b>towers</b>", "--public"]
    made = run("publish-leaderboard", BOARD, *told)
    assert made.returncode == 0, made.stderr
    commit = board_of(hub).commits()[0]
    assert (made.returncode, made.stdout, made.stderr) == (
        0,
        f"{hub.url}/datasets/{BOARD}\n{hub.url}/spaces/{BOARD}\n",
        f"{BOARD}: commit {commit.id[:12]}\n",
    )
    assert [each.title for each in board_of(hub).commits()] == ["A leaderboard", "initial commit"]
    assert set(board_of(hub).files()) == FILES
    assert board_of(hub).read("main", "leaderboard.yaml").decode() == (
        "title: Lights & <b>towers</b>\nbenchmarks:\n  lights:\n    repository: alice/lights\norganisers:\n- alice\n"
        "format: 1\n"
    )
    card = board_of(hub).read("main", "README.md").decode()
    assert f"submit-system lights/my-rag --leaderboard {BOARD}" in card
    assert "`--split heldout --name my-rag-heldout`" in card
    assert "# Lights & &lt;b&gt;towers&lt;/b&gt;" in card
    page = board_of(hub).read("main", "index.html")
    assert b"<b>towers" not in page
    assert space_of(hub).read("main", "index.html") == page
    assert (space_of(hub).sdk, space_of(hub).private, board_of(hub).private) == ("static", False, False)
    rows = pq.read_table(io.BytesIO(board_of(hub).read("main", "results/results.parquet")))
    assert rows.num_rows == 0 and rows.column_names[:4] == ["benchmark", "version", "part", "metric"]
    since = len(hub.requests)
    repeated = run("publish-leaderboard", BOARD, *told)
    assert (repeated.stdout, repeated.stderr) == (made.stdout, f"{BOARD}: there already, commit {commit.id[:12]}\n")
    assert changing(hub, since) == [
        "POST /api/repos/create",
        "POST /api/repos/create",
        f"POST /api/spaces/{BOARD}/paths-info/main",
    ]


def test_a_board_gets_another_benchmark(hub: Hub, run: Run, tmp_path: Path) -> None:
    create_board(BoardRepository(BOARD), NEW)
    add_file(hub, "notes.md")
    publish(make_release(tmp_path / "others", name="towers"), Target("alice/towers", public=True))
    more = run("publish-leaderboard", BOARD, "--create", "--benchmark", "alice/towers@1.0.0", "--organiser", "bob")
    assert more.returncode == 0, more.stderr
    assert board_of(hub).read("main", "leaderboard.yaml").decode() == (
        "title: Lights & <b>towers</b>\nbenchmarks:\n  lights:\n    repository: alice/lights\n  towers:\n"
        "    repository: alice/towers\n    versions:\n    - 1.0.0\norganisers:\n- alice\n- bob\nformat: 1\n"
    )
    assert board_of(hub).read("main", "notes.md") == b"mine"


def test_what_is_refused(hub: Hub, run: Run, tmp_path: Path) -> None:
    assert refused(NewBoard()) == f"{BOARD} is new: say what it ranks with --benchmark NAMESPACE/NAME"
    assert refused(NewBoard(["alice/none"])).startswith("there is no benchmark alice/none on the Hub, or you may not")
    assert refused(NewBoard(["alice/lights@2.0.0"])).startswith("there is no benchmark alice/lights@2.0.0 on the Hub")
    assert refused(NEW, "bob/board").startswith("you may not write to bob/board")
    with pytest.raises(UsageError, match="'board' is no leaderboard: give NAMESPACE/NAME"):
        BoardRepository("board")
    publish(make_release(tmp_path / "hidden"), Target("team/lights"))
    private = "team/lights is private, and a public leaderboard shows its questions: leave out --public"
    assert refused(NewBoard(["team/lights"], public=True)) == private
    assert [each.id for each in hub.store.all("space")] == []
    create_board(BoardRepository(BOARD), NEW)
    assert refused(NewBoard(["team/lights"])) == (
        f"{BOARD} ranks lights of alice/lights already, not of team/lights: a leaderboard has one benchmark of a name"
    )
    said = run("publish-leaderboard", BOARD, "--title", "Other")
    assert (said.returncode, said.stderr) == (
        2,
        "error: --title says what a new leaderboard is to be: add --create\n",
    )
    add_file(hub, "leaderboard.yaml", b"title: &a T\n")
    assert refused(NEW) == "leaderboard.yaml, line 1, has an anchor (& or *), and may not"


@pytest.mark.parametrize("kind", ["cut_after", *in_full("cut", "503")])
def test_a_fault_at_every_request(hub: Hub, kind: str) -> None:
    start = len(hub.requests)
    create_board(BoardRepository("alice/first"), NEW)
    asked = [request.method for request in hub.requests[start:]]
    assert len(asked) >= 15
    for number in [
        number for number, method in enumerate(asked) if kind != "cut_after" or method not in ("GET", "HEAD")
    ]:
        name = f"alice/board-{number}"
        hub.fail_at(number, kind)  # pyright: ignore[reportArgumentType]
        try:
            create_board(BoardRepository(name), NEW)
        except BenchwrightError as error:
            assert "\n" not in str(error) and len(str(error)) < 300
        create_board(BoardRepository(name), NEW)
        assert [each.title for each in board_of(hub, name).commits()] == ["A leaderboard", "initial commit"]
        page = board_of(hub, name).read("main", "index.html")
        assert space_of(hub, name).read("main", "index.html") == page
        assert [each.title for each in space_of(hub, name).commits()] == ["The page", "initial commit"]


def test_another_is_faster(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    create_board(BoardRepository(BOARD), NEW)
    pending = [True]

    def choose(request: Received) -> None:
        if pending and request.method == "POST" and request.path.endswith("/preupload/main"):
            pending.clear()
            add_file(hub, "notes.md")

    hub.fault_for = choose
    create_board(BoardRepository(BOARD), NewBoard(title="Other"))
    assert [each.title for each in board_of(hub).commits()][:2] == ["What the leaderboard ranks", "add notes.md"]
    assert as_user(hub).list_repo_commits(BOARD, repo_type="dataset")[0].title == "What the leaderboard ranks"


def test_a_workflow_file_keeps_it(hub: Hub, run: Run) -> None:
    create_board(BoardRepository(BOARD), NEW)
    said = run("publish-leaderboard", BOARD, "--workflow").stdout
    (job,) = yaml.safe_load(said)["jobs"].values()
    step = job["steps"][-1]
    assert step["env"] == {"ACCEPT": "${{ inputs.accept }}", "HF_TOKEN": "${{ secrets.HF_TOKEN }}"}
    chosen = ' ${ACCEPT:+--accept "$ACCEPT"}'
    assert step["run"].endswith(chosen)
    kept = run(*shlex.split(step["run"].removesuffix(chosen)))
    assert (kept.returncode, kept.stdout) == (0, f"{hub.url}/datasets/{BOARD}\n{hub.url}/spaces/{BOARD}\n")
    chosen = run(*shlex.split(step["run"].replace(chosen, " --accept 7")))
    assert (chosen.returncode, chosen.stderr) == (2, f"error: {BOARD} has no open pull request 7\n")


def test_from_python(hub: Hub) -> None:
    made = benchwright.publish_leaderboard(BOARD, create=True, benchmarks=["alice/lights"], public=True)
    assert made.published is not None and made.published.page == f"{hub.url}/spaces/{BOARD}"
    kept = benchwright.publish_leaderboard(BOARD, endpoint=hub.url, token="hf_alice")
    assert (kept.looked, kept.published and kept.published.changed) == ((), 0)
