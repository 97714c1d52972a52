"""The next state of a leaderboard, in a folder: what its repository holds, with what is to be changed."""

import logging
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.hashing import file_sha256
from benchwright.benchmarks.leaderboards.board import Board, read_board
from benchwright.benchmarks.leaderboards.details import SystemDetails
from benchwright.benchmarks.leaderboards.history import HISTORY_SCHEMA, changes, history_bytes, moves_of
from benchwright.benchmarks.leaderboards.layout import (
    BOARD,
    CARD,
    FORMATS,
    HELDOUT,
    HISTORY,
    JUDGMENTS,
    PAGE,
    PREDICTIONS,
    REPORT,
    RESULTS,
    SUBMISSIONS,
    SYSTEM,
    Place,
)
from benchwright.benchmarks.leaderboards.results import read_results, read_rows, results_table
from benchwright.benchmarks.leaderboards.standings import Standings
from benchwright.benchmarks.leaderboards.stored import State, read_state
from benchwright.benchmarks.releases.manifest_values import is_path
from benchwright.cards.leaderboard.generated import generated_files
from benchwright.cards.leaderboard.hub import BoardRepository, Tree, key_of, link

_LEFT = {CARD, PAGE}
"""Generated: made anew, never read."""
_LARGE = {REPORT, JUDGMENTS, *(f"{part}{ending}" for part in (PREDICTIONS, HELDOUT) for ending in FORMATS)}
"""Of a submission; fetched only where it is verified, or scored again."""

log = logging.getLogger("benchwright")


@dataclass
class Workspace:
    """A folder with what a leaderboard is to be, and what of it differs from the commit that it was begun from."""

    repository: BoardRepository
    head: str
    """The commit."""
    tree: Tree
    """Its files."""
    root: Path
    changed: dict[str, Path] = field(default_factory=dict)
    """Path → what it is to hold."""
    deleted: set[str] = field(default_factory=set)
    _board: Board | None = None

    def write(self, path: str, content: bytes) -> None:
        """A file that is to hold this."""
        self._board = None if path == BOARD else self._board
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)  # what is there may be a link to the cache
        target.write_bytes(content)
        self._note(path)

    def place(self, path: str, source: Path) -> None:
        """A file that is to hold what another holds."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        link(source, target)
        self._note(path)

    def delete(self, path: str) -> None:
        """A file that is to be no more."""
        (self.root / path).unlink(missing_ok=True)
        self.changed.pop(path, None)
        if path in self.tree:
            self.deleted.add(path)

    def state(self) -> State:
        """What it says.

        Raises:
            BenchwrightError: as `read_state`, or what a submission says of its system is not what was accepted. Its
                other files are looked at where they are read.
        """
        state = read_state(self.root)
        for each in state.submissions:
            path, accepted = f"{each.place.folder}/{SYSTEM}", each.verdict.sha256.get(SYSTEM)
            if accepted and path not in self.changed and file_sha256(self.root / path) != accepted:
                raise BenchwrightError(
                    f"{path} is not what was accepted, and nothing was published: restore it from an earlier commit; "
                    "whoever changed it merged a pull request with the Hub's button, or pushed to main"
                )
        return state

    def board(self) -> Board:
        """What it says of what is ranked."""
        if self._board is None:
            self._board = read_board((self.root / BOARD).read_bytes())
        return self._board

    def fetch(self, paths: Iterable[str]) -> None:
        """Files that were left out so far."""
        files = [self.tree[path] for path in paths if path in self.tree and not (self.root / path).exists()]
        self.repository.checkout(self.head, files, self.root)

    def write_generated(self, standings: Standings, details: Mapping[Place, SystemDetails]) -> None:
        """Makes results, card and page of the ranking, and tells in the history who moved since the last one."""
        standings = self._with_moves(standings)
        for path, content in generated_files(standings, details, self.repository.endpoint).items():
            self.write(path, content)

    def _with_moves(self, standings: Standings) -> Standings:
        """The ranking with who moved lately."""
        history = read_rows(self.root / HISTORY, HISTORY_SCHEMA)
        try:
            before = read_results(self.root / RESULTS)
        except BenchwrightError as error:
            log.warning("%s; the history says nothing of what has changed since", error)
            before = results_table(standings)
        new = changes(before, results_table(standings), datetime.now(UTC).isoformat(timespec="seconds"))
        if len(new) or HISTORY not in self.tree:
            self.write(HISTORY, history_bytes(history, new))
        return replace(standings, moves=moves_of(pa.concat_tables([history, new])))

    def _note(self, path: str) -> None:
        target, there = self.root / path, self.tree.get(path)
        self.deleted.discard(path)
        is_same_size = there is not None and there.size == target.stat().st_size
        if there is not None and is_same_size and key_of(target, is_large=there.is_large) == there.key:
            self.changed.pop(path, None)
        else:
            self.changed[path] = target


@contextmanager
def workspace(repository: BoardRepository, head: str, tree: Tree) -> Iterator[Workspace]:
    """A folder for the time of a publication, with all that a ranking is made of."""
    repository.home.mkdir(parents=True, exist_ok=True)
    root = Path(tempfile.mkdtemp(dir=repository.home, prefix=".next-"))
    try:
        repository.checkout(head, [file for path, file in tree.items() if _is_wanted(path)], root)
        yield Workspace(repository, head, tree, root)
    finally:
        shutil.rmtree(root, ignore_errors=True)


@contextmanager
def newest(repository: BoardRepository) -> Iterator[Workspace]:
    """As `workspace`, of the newest commit."""
    head = repository.head()
    with workspace(repository, head, repository.tree(head)) as space:
        yield space


def _is_wanted(path: str) -> bool:
    is_large = path.startswith(f"{SUBMISSIONS}/") and path.rpartition("/")[2] in _LARGE
    return is_path(path) and path not in _LEFT and not is_large
