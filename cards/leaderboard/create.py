"""A new leaderboard: its repository, its first commit, a static Space with its page. Safe to repeat and to cut off."""

import logging
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.leaderboards.board import Board, BoardBenchmark, board_text, read_board
from benchwright.benchmarks.leaderboards.layout import BOARD
from benchwright.benchmarks.leaderboards.ranking import make_standings
from benchwright.benchmarks.releases.hub_answers import HubError
from benchwright.benchmarks.releases.hub_reader import HubReader
from benchwright.benchmarks.releases.manifest import MANIFEST, MAX_BYTES, is_private, read_manifest
from benchwright.cards.hub.errors import explained
from benchwright.cards.leaderboard.commit import Published, again, publish
from benchwright.cards.leaderboard.hub import DATASET, SPACE, BoardRepository, Tree
from benchwright.cards.leaderboard.workspace import workspace

log = logging.getLogger("benchwright")


@dataclass(frozen=True)
class NewBoard:
    """What a leaderboard is to be."""

    benchmarks: Sequence[str] = ()
    """Their repositories on the Hub, `NAMESPACE/NAME`, or `NAMESPACE/NAME@VERSION` for one version alone."""
    title: str | None = None
    """None: of a new one its repository's name."""
    organisers: Sequence[str] = ()
    """Users of the Hub; of a new one at least who makes it."""
    public: bool = False
    """Of new repositories."""


def create_board(repository: BoardRepository, new: NewBoard) -> Published:
    """Makes a leaderboard, or adds what is wanted to one that is there.

    Raises:
        UsageError: there is none yet and no benchmark is named, or a public one would rank a private benchmark.
        BenchwrightError: a benchmark is not on the Hub, or the Hub fails.
    """
    with explained(repository.repo_id, repository.endpoint, "REPO"):
        found = {reference: _look(repository, reference, new.public) for reference in new.benchmarks}
        _make(repository, new)
        return again(lambda: _create(repository, new, found), repository)


def _create(repository: BoardRepository, new: NewBoard, found: dict[str, tuple[str, str]]) -> Published:
    tree = repository.tree(head := repository.head())
    there = _there(repository, head, tree)
    board = _joined(there, new, found, repository)
    with workspace(repository, head, tree) as space:
        space.write(BOARD, board_text(board).encode())
        if not space.state().submissions:
            space.write_generated(make_standings(repository.repo_id, board, (), {}), {})
        return publish(space, "A leaderboard" if there is None else "What the leaderboard ranks")


def _make(repository: BoardRepository, new: NewBoard) -> None:
    """The two repositories, where they are not there yet."""
    if not new.benchmarks and not repository.api.repo_exists(repository.repo_id, repo_type=DATASET):
        raise UsageError(f"{repository.repo_id} is new: say what it ranks with --benchmark NAMESPACE/NAME")
    for kind in (DATASET, SPACE):
        sdk = {"space_sdk": "static"} if kind == SPACE else {}
        repository.api.create_repo(repository.repo_id, repo_type=kind, private=not new.public, exist_ok=True, **sdk)


def _there(repository: BoardRepository, head: str, tree: Tree) -> Board | None:
    """The board that is there."""
    if BOARD not in tree:
        return None
    return read_board(repository.keep(head, [tree[BOARD]])[BOARD].read_bytes())


def _joined(
    there: Board | None, new: NewBoard, found: dict[str, tuple[str, str]], repository: BoardRepository
) -> Board:
    """What is there with what is wanted besides; nothing is taken away."""
    start = there or Board(repository.repo_id.partition("/")[2], {}, (repository.user,))
    benchmarks = dict(start.benchmarks)
    for reference, (name, _) in found.items():
        repo_id, _, version = reference.partition("@")
        before = benchmarks.get(name, BoardBenchmark(repo_id))
        if before.repository != repo_id:
            raise BenchwrightError(
                f"{repository.repo_id} ranks {name} of {before.repository} already, not of {repo_id}: a leaderboard "
                "has one benchmark of a name"
            )
        limited = before.versions or name not in benchmarks
        versions = (*before.versions, version) if version and limited and version not in before.versions else None
        benchmarks[name] = before if versions is None else replace(before, versions=versions)
    organisers = tuple(dict.fromkeys((*start.organisers, *new.organisers)))
    return replace(start, title=new.title or start.title, benchmarks=benchmarks, organisers=organisers)


def _look(repository: BoardRepository, reference: str, public: bool) -> tuple[str, str]:
    """Name and version of a benchmark on the Hub."""
    repo_id, _, version = reference.partition("@")
    reader = HubReader(repo_id, repository.endpoint, repository.token)
    try:
        content = reader.read(f"v{version}" if version else "main", MANIFEST, MAX_BYTES)
    except HubError as error:
        if error.status == 404:
            raise BenchwrightError(
                f"there is no benchmark {reference} on the Hub, or you may not see it: push it first with "
                "publish-benchmark"
            ) from None
        raise
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / MANIFEST).write_bytes(content)
        manifest = read_manifest(Path(folder))
    if is_private(manifest):
        raise UsageError(f"{repo_id} is the private half of a benchmark: name the public one")
    if public and repository.api.repo_info(repo_id, repo_type=DATASET).private:
        raise UsageError(f"{repo_id} is private, and a public leaderboard shows its questions: leave out --public")
    return manifest.name, manifest.version
