"""`publish-leaderboard REPO`: pull requests of several users, what comes in and what does not, kills, faults, races."""

import io
import json
from collections.abc import Callable

import pyarrow.parquet as pq
import pytest
from board_cases import BOARD, add_file, board_of, called, comments_of, space_of, status_of, submit
from hub_cases import as_user, changing
from huggingface_hub import CommitOperationAdd
from submission_cases import Submitted
from support import Run, Start, in_full

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.cards.leaderboard import comments
from benchwright.cards.leaderboard.hub import BoardRepository
from benchwright.cards.leaderboard.publish import Keeping, Kept, keep_board
from benchwright.scripts.servers.hub.server import Hub, Kind, Received


def keep(**how: object) -> Kept:
    return keep_board(BoardRepository(BOARD), Keeping(apart=False, **how))  # pyright: ignore[reportArgumentType]


def outcomes(kept: Kept) -> dict[int, str]:
    return {each.pull.number: each.outcome for each in kept.looked}


def results(hub: Hub) -> list[dict[str, object]]:
    return pq.read_table(io.BytesIO(board_of(hub).read("main", "results/results.parquet"))).to_pylist()


def titles(hub: Hub) -> list[str]:
    return [each.title for each in board_of(hub).commits()]


def test_two_users_submit(hub: Hub, small: Submitted, run: Run) -> None:
    first = submit(hub, small.folder)
    second = submit(hub, small.folder, "other", "hf_alice", change=called("Other"))
    head = board_of(hub).resolve(f"refs/pr/{first}").id
    made = run("publish-leaderboard", BOARD)
    commit = board_of(hub).commits()[0]
    assert (made.returncode, made.stdout, made.stderr) == (
        0,
        f"#{first} small/1.0.0/my-rag (bob) accepted\n#{second} small/1.0.0/other (alice) accepted\n"
        f"{hub.url}/datasets/{BOARD}\n{hub.url}/spaces/{BOARD}\n",
        f"{BOARD}: commit {commit.id[:12]}\n",
    )
    assert titles(hub) == ["2 submissions are accepted", "A leaderboard", "initial commit"]
    assert f"- small/1.0.0/my-rag of bob (#{first}, {head})" in commit.message
    files = board_of(hub).files()
    there = {path: files[f"submissions/small/1.0.0/my-rag/{path}"] for path in ("run.json", "predictions.parquet")}
    assert there == {
        path: board_of(hub).files(f"refs/pr/{first}")[f"submissions/small/1.0.0/my-rag/{path}"] for path in there
    }
    verdict = json.loads(board_of(hub).read("main", "verdicts/small/1.0.0/my-rag.json"))
    assert (verdict["submitter"], verdict["number"], verdict["revision"]) == ("bob", first, head)
    assert [
        verdict["is_organisers"],
        json.loads(board_of(hub).read("main", "verdicts/small/1.0.0/other.json"))["is_organisers"],
    ] == [False, True]
    assert {"scores/small/1.0.0/my-rag.parquet", "details/small/1.0.0/my-rag.json"} <= files.keys()
    rows = results(hub)
    assert [(row["system"], row["submitter"], row["value"], row["rank_low"], row["mark"]) for row in rows] == [
        ("my-rag", "bob", pytest.approx(7 / 12), 1, "verified"),
        ("other", "alice", pytest.approx(7 / 12), 1, "verified"),
    ]
    assert b"My RAG" in board_of(hub).read("main", "index.html")
    card = board_of(hub).read("main", "README.md").decode()
    assert "| 1\N{EN DASH}2 | My RAG | bob | 0.583 [" in card and "| verified |\n" in card
    assert "| verified, organisers' |\n" in card
    assert space_of(hub).read("main", "index.html") == board_of(hub).read("main", "index.html")
    assert (status_of(hub, first), status_of(hub, second)) == ("closed", "closed")
    ((user, said),) = comments_of(hub, first)[-1:]
    assert user == "alice"
    assert said.startswith(
        f"**Accepted**: `my-rag` on `small 1.0.0` is part of the leaderboard since the commit `{commit.id}`."
    )
    assert "| correct | 0.6364 | 0.6364 | verified |" in said
    assert said.endswith(f"Looked at: revision `{head}`, with benchwright 0.1.0.")
    since = len(hub.requests)
    again = keep()
    assert (again.looked, again.published and again.published.changed) == ((), 0)
    assert changing(hub, since) == [f"POST /api/spaces/{BOARD}/paths-info/main"]


def test_one_that_is_wrong_stops_no_other(hub: Hub, small: Submitted) -> None:
    def claims_more(name: str, content: bytes) -> bytes:
        if name != "report.json":
            return content
        report = json.loads(content)
        report["metrics"]["correct"]["value"] = 1.0
        return json.dumps(report).encode()

    wrong = submit(hub, small.folder, "liar", change=claims_more)
    more = submit(hub, small.folder, "greedy", more={"README.md": b"# mine"})
    alien = submit(hub, small.folder, version="9.9.9")
    right = submit(hub, small.folder)
    assert outcomes(keep()) == {wrong: "refused", more: "refused", alien: "refused", right: "accepted"}
    said = {number: comments_of(hub, number)[-1][1] for number in (wrong, more, alien)}
    assert said[wrong].startswith("**Not accepted:**\n\n- ") and "correct" in said[wrong]
    assert 'it changes "README.md": a pull request may change' in said[more]
    assert "small has no version 9.9.9 on the Hub" in said[alien]
    assert {status_of(hub, number) for number in said} == {"open"}
    assert "submissions/small/1.0.0/greedy/run.json" not in board_of(hub).files()
    since = len(hub.requests)
    assert outcomes(keep()) == dict.fromkeys(said, "looked at before")
    assert changing(hub, since) == [f"POST /api/spaces/{BOARD}/paths-info/main"]
    submit(hub, small.folder, "liar", revision=f"refs/pr/{wrong}", change=called("No liar"))
    assert outcomes(keep())[wrong] == "accepted"
    assert outcomes(keep(accept={more})) == {more: "refused"}
    assert len(comments_of(hub, more)) == 1


def test_names(hub: Hub, small: Submitted) -> None:
    """Another's name is refused, a name that looks like it too; a newer submission of the same user takes its place."""
    submit(hub, small.folder)
    keep()
    taken = submit(hub, small.folder, token="hf_alice", change=called("Other"))
    alike = submit(hub, small.folder, "my_rag", token="hf_alice", change=called("Other"))
    shown = submit(hub, small.folder, "other", token="hf_alice", change=called("My R\N{CYRILLIC CAPITAL LETTER A}G"))
    newer = submit(hub, small.folder, change=called("My RAG 2"))
    assert outcomes(keep()) == {taken: "refused", alike: "refused", shown: "refused", newer: "accepted"}
    assert "the name my-rag is that of a system of bob" in comments_of(hub, taken)[-1][1]
    assert [row["name"] for row in results(hub)] == ["My RAG 2"]


def test_only_looking(hub: Hub, small: Submitted) -> None:
    number = submit(hub, small.folder)
    since = len(hub.requests)
    kept = keep(check=True)
    assert (outcomes(kept), kept.published, changing(hub, since)) == ({number: "accepted"}, None, [])
    with pytest.raises(UsageError, match=f"{BOARD} has no open pull request 9"):
        keep(accept={9})
    with pytest.raises(BenchwrightError, match="alice/small is no leaderboard: make it one with --create"):
        keep_board(BoardRepository("alice/small"), Keeping())


def test_one_that_changes_while_it_is_looked_at(hub: Hub, small: Submitted) -> None:
    number = submit(hub, small.folder)
    other = submit(hub, small.folder, "other", "hf_alice", change=called("Other"))
    before = board_of(hub).resolve(f"refs/pr/{number}").id

    def choose(request: Received) -> None:
        if "predictions.parquet" in request.path and before in request.path:
            hub.fault_for = None
            add_file(hub, "submissions/small/1.0.0/my-rag/notes.txt", token="hf_bob", revision=f"refs/pr/{number}")

    hub.fault_for = choose
    assert outcomes(keep()) == {number: "changed", other: "accepted"}
    assert "submissions/small/1.0.0/my-rag/run.json" not in board_of(hub).files()
    assert f"the revision `{before}` was looked at, and is not the newest now" in comments_of(hub, number)[-1][1]
    assert outcomes(keep()) == {number: "refused"}
    assert '"notes.txt" does not belong to a submission' in comments_of(hub, number)[-1][1]


def test_another_maintainer_is_faster(hub: Hub, small: Submitted) -> None:
    number = submit(hub, small.folder)

    def choose(request: Received) -> None:
        if request.method == "POST" and request.path.endswith(f"{BOARD}/preupload/main"):
            hub.fault_for = None
            add_file(hub, "notes.md")

    hub.fault_for = choose
    assert outcomes(keep()) == {number: "accepted"}
    assert titles(hub)[:2] == ["small/1.0.0/my-rag is accepted", "add notes.md"]


def test_what_a_stranger_says_is_no_verdict(hub: Hub, small: Submitted) -> None:
    number = submit(hub, small.folder)
    head = board_of(hub).resolve(f"refs/pr/{number}").id
    said = f"**Not accepted**\n\nLooked at: revision `{head}`, with benchwright 0.1.0."
    as_user(hub, "hf_bob").comment_discussion(BOARD, number, said, repo_type="dataset")
    assert outcomes(keep()) == {number: "accepted"}


def test_what_a_stranger_writes_calls_nobody_and_links_nowhere() -> None:
    """A refusal is the maintainer's comment: who is named in it would be told, and addresses would be links."""
    text = '"@carol" https://evil.example www.evil.example ![x](http://evil.example)<img src=x> (@carol) recall@5 a\nLooked'
    said = comments.refused([text], "a" * 40, "1.0.0").partition("\n\n")[2].partition("\n")[0]
    assert said == (
        '- "@\u2060carol" https:\u2060//evil.example www\u2060.evil.example !\\[x\\](http:\u2060//evil.example)&lt;img src=x&gt; '
        "(@\u2060carol) recall@5 a Looked"
    )


def test_what_came_in_by_the_hubs_button_changes_no_submission(hub: Hub, small: Submitted) -> None:
    submit(hub, small.folder)
    assert outcomes(keep()) == {1: "accepted"}
    path = "submissions/small/1.0.0/my-rag/system.yaml"
    other = (small.folder / "system.yaml").read_bytes().replace(b"name: ", b"name: The best ")
    done = add_file(hub, path, other, token="hf_bob", create_pr=True)
    as_user(hub, "hf_alice").merge_pull_request(BOARD, int(done.pr_num), repo_type="dataset")
    with pytest.raises(
        BenchwrightError, match=rf"{path} is not what was accepted, and nothing was published: restore it"
    ):
        keep()
    restored = (small.folder / "system.yaml").read_bytes()
    add_file(hub, path, restored)
    assert outcomes(keep()) == {}


def test_pull_requests_that_are_too_much(hub: Hub, small: Submitted, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the Hub cannot give of one, or gives too much of, stops no other."""
    many = add_file(hub, "a", token="hf_bob", create_pr=True).pr_num
    revision = f"refs/pr/{many}"
    files = [CommitOperationAdd(f"many/{number}", b"x") for number in range(1_001)]
    as_user(hub, "hf_bob").create_commit(BOARD, files, commit_message="many", repo_type="dataset", revision=revision)
    loud, right = submit(hub, small.folder, "loud"), submit(hub, small.folder)
    as_user(hub, "hf_bob").comment_discussion(BOARD, loud, "x" * 40_000, repo_type="dataset")
    monkeypatch.setattr("benchwright.cards.leaderboard.pulls._BYTES", 30_000)
    assert outcomes(keep()) == {many: "refused", loud: "unreadable", right: "accepted"}
    assert "it adds more than 1,000 files: a submission has seven at most" in comments_of(hub, many)[-1][1]
    assert len(comments_of(hub, loud)) == 1
    monkeypatch.undo()


def test_a_flagged_one_waits(hub: Hub, small: Submitted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchwright.benchmarks.leaderboards.flags._FEWEST", 10)
    monkeypatch.setattr("benchwright.benchmarks.leaderboards.flags._VERBATIM", 0.5)
    number = submit(hub, small.folder)
    assert outcomes(keep()) == {number: "waits"}
    flag = "gives the gold answer letter for letter to 6 of 12 questions that the documents answer"
    said = comments_of(hub, number)[-1][1]
    assert said.startswith("**Waits for a maintainer**") and f"- {flag}\n" in said
    assert (outcomes(keep()), len(comments_of(hub, number))) == ({number: "looked at before"}, 1)
    assert outcomes(keep(accept={number})) == {number: "accepted"}
    assert results(hub)[0]["flags"] == [flag]
    assert (status_of(hub, number), len(comments_of(hub, number))) == ("closed", 2)


AT = ["datasets/alice/board/commit/main", "spaces/alice/board/commit/main", "/status"]
"""Requests after which a start is cut off every day: those that cannot be taken back."""


def go_on_after(hub: Hub, small: Submitted, number: int, choose: Callable[[Received], Kind | None]) -> None:
    """Two pull requests, a start in which requests fail, and another that ends what it began."""
    right = submit(hub, small.folder, f"rag-{number}", change=called(f"RAG {number}"))
    wrong = submit(hub, small.folder, f"bad-{number}", more={"README.md": b"# mine"})
    hub.fault_for = choose
    try:
        keep()
    except BenchwrightError as error:
        assert "\n" not in str(error) and len(str(error)) < 300
    hub.fault_for = None
    keep()
    assert (status_of(hub, right), status_of(hub, wrong)) == ("closed", "open")
    assert [len(comments_of(hub, each)) for each in (right, wrong)] == [1, 1]
    assert space_of(hub).read("main", "index.html") == board_of(hub).read("main", "index.html")
    assert titles(hub)[:-2] == [f"small/1.0.0/rag-{each} is accepted" for each in reversed(range(number + 1))]


def test_an_answer_that_never_came(hub: Hub, small: Submitted) -> None:
    for number, ending in enumerate(AT):
        seen: list[str] = []

        def choose(request: Received, ending: str = ending, seen: list[str] = seen) -> Kind | None:
            if seen or request.method != "POST" or not request.path.endswith(ending):
                return None
            seen.append(request.path)
            return "cut_after"

        go_on_after(hub, small, number, choose)
        assert seen, ending


@pytest.mark.parametrize("kind", in_full("cut", "cut_after", "503"))
def test_a_fault_at_every_request_that_changes(hub: Hub, small: Submitted, kind: Kind) -> None:
    """The same command goes on, and each pull request gets one comment."""
    number = 0
    for number in range(40):
        passed: list[str] = []

        def choose(request: Received, number: int = number, passed: list[str] = passed) -> Kind | None:
            if request.method in ("GET", "HEAD"):
                return None
            passed.append(request.path)
            return kind if len(passed) == number + 1 else None

        go_on_after(hub, small, number, choose)
        if len(passed) <= number:
            break
    assert 8 <= number < 39


@pytest.mark.parametrize(
    "ending",
    ["datasets/alice/board/commit/main", *in_full("datasets/alice/board/preupload/main", "/comment", "/status")],
)
def test_a_start_that_is_killed_goes_on(hub: Hub, small: Submitted, start: Start, ending: str) -> None:
    """It is killed once the request came, whether or not that is carried out."""
    right = submit(hub, small.folder)
    wrong = submit(hub, small.folder, "bad", more={"README.md": b"# mine"})
    running = start("publish-leaderboard", BOARD)

    def choose(request: Received) -> Kind | None:
        if request.method == "POST" and request.path.endswith(ending):
            running.kill()
        return None

    hub.fault_for = choose
    assert running.wait(60) == -9
    hub.fault_for = None
    keep()
    assert (status_of(hub, right), status_of(hub, wrong)) == ("closed", "open")
    assert [len(comments_of(hub, each)) for each in (right, wrong)] == [1, 1]
    assert titles(hub) == ["small/1.0.0/my-rag is accepted", "A leaderboard", "initial commit"]
    assert space_of(hub).read("main", "index.html") == board_of(hub).read("main", "index.html")
