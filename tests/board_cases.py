"""A leaderboard on a test's Hub, and what was left there."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from hub_cases import as_user, make_release
from huggingface_hub import CommitOperationAdd

from benchwright.benchmarks.leaderboards.layout import SYSTEM, Place
from benchwright.cards.hub.publish import Target, publish
from benchwright.scripts.servers.hub.server import Hub, Repository

BOARD = "alice/board"


def push_release(root: Any, **facts: Any) -> Any:
    """The release `lights`, in the public repository alice/lights of the Hub that this process speaks to."""
    release = make_release(root, **facts)
    publish(release, Target(public=True))
    return release


def board_of(hub: Hub, repo_id: str = BOARD) -> Repository:
    """The leaderboard's repository."""
    return hub.repository("dataset", repo_id)


def space_of(hub: Hub, repo_id: str = BOARD) -> Repository:
    """The Space of its page."""
    return hub.repository("space", repo_id)


def add_file(hub: Hub, path: str, content: bytes = b"mine", token: str = "hf_alice", **more: Any) -> Any:
    """A commit of somebody's, or with `create_pr` a pull request."""
    return as_user(hub, token).create_commit(
        BOARD, [CommitOperationAdd(path, content)], commit_message=f"add {path}", repo_type="dataset", **more
    )


def submit(
    hub: Hub,
    folder: Path,
    system: str = "my-rag",
    token: str = "hf_bob",
    *,
    benchmark: str = "small",
    version: str = "1.0.0",
    change: Callable[[str, bytes], bytes | None] = lambda name, content: content,
    more: Mapping[str, bytes] | None = None,
    revision: str | None = None,
) -> int:
    """A pull request with the files of a submission, or another revision of one: its number.

    Args:
        hub: The test's.
        folder: The files.
        system: The system's name in paths.
        token: Of the submitter.
        benchmark: Which.
        version: Which.
        change: Name and content of a file → what stands there instead, nothing for a file that is left out.
        more: Further files, by path in the repository.
        revision: Of the pull request that gets another revision.
    """
    place = Place(benchmark, version, system).folder
    files = {f"{place}/{path.name}": change(path.name, path.read_bytes()) for path in sorted(folder.iterdir())}
    operations = [CommitOperationAdd(path, content) for path, content in {**files, **(more or {})}.items() if content]
    where: dict[str, Any] = {"create_pr": True} if revision is None else {"revision": revision}
    done = as_user(hub, token).create_commit(
        BOARD, operations, commit_message=f"Submit {system}", repo_type="dataset", **where
    )
    return int(done.pr_num) if revision is None else int(revision.removeprefix("refs/pr/"))


def called(name: str) -> Callable[[str, bytes], bytes]:
    """A change of a submission: its system is shown by another name."""
    line = f"name: {name}\n".encode()
    return lambda file, content: line + content.partition(b"\n")[2] if file == SYSTEM else content


def comments_of(hub: Hub, number: int) -> list[tuple[str, str]]:
    """User and text of each comment in a pull request."""
    events = board_of(hub).discussions[number]["events"]
    return [(each["author"]["name"], each["data"]["latest"]["raw"]) for each in events if each["type"] == "comment"]


def status_of(hub: Hub, number: int) -> str:
    """open, closed or merged."""
    return str(board_of(hub).discussions[number]["status"])
