"""One pull request: what it changes, its files, and what comes of them. Everything in it is a stranger's."""

import shutil
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.apart import verify_apart
from benchwright.benchmarks.leaderboards.board import Board
from benchwright.benchmarks.leaderboards.layout import Place
from benchwright.benchmarks.leaderboards.receive import MOST_CHANGES, Changed, Taken, receive
from benchwright.benchmarks.leaderboards.refusal import RefusedError, quoted
from benchwright.benchmarks.leaderboards.rounds.places import is_of_round
from benchwright.benchmarks.leaderboards.verdict import Verdict
from benchwright.benchmarks.leaderboards.verify import PullRequest, Verified, verify_submission
from benchwright.benchmarks.releases.hub_answers import HubError
from benchwright.cards.leaderboard.hub import BoardRepository, File, TooManyError, Tree, link
from benchwright.cards.leaderboard.pulls import UNKNOWN, Pull, Thread
from benchwright.cards.leaderboard.releases import BoardReleases

Outcome = Literal[
    "accepted", "in already", "refused", "waits", "changed", "looked at before", "unreadable", "of a round"
]
"""`in already`: an earlier start accepted it, and was cut off before it said so; `waits`: a person has to decide;
`changed`: it got another revision while it was looked at; `looked at before`: the answer stands there; `unreadable`:
what is said in it is more than is read; `of a round`: it is looked at when that is closed."""


@dataclass(frozen=True)
class Looked:
    """What came of a pull request."""

    pull: Pull
    outcome: Outcome
    place: Place | None = None
    reasons: tuple[str, ...] = ()
    """Why it is refused, or what a maintainer has to look at."""
    verified: Verified | None = None
    folder: Path | None = None
    """Its files as they were verified."""


@dataclass(frozen=True)
class Main:
    """The main branch, and what is taken into it before."""

    board: Board
    """What is ranked."""
    commits: Set[str]
    taken: Sequence[Taken]
    """The submissions that are there."""
    others: Sequence[Verdict]
    """Their verdicts."""


@dataclass
class Looking:
    """Looks at pull requests, and remembers what came of each revision for as long as a start lasts."""

    repository: BoardRepository
    releases: BoardReleases
    work: Path
    apart: bool = True
    """Whether each is looked at in a process of its own, which is all that a hostile file can end or hold up."""
    _trees: dict[str, Tree] = field(default_factory=dict)
    _known: dict[tuple[object, ...], Looked] = field(default_factory=dict)

    def look(self, pull: Pull, thread: Thread, main: Main) -> Looked:
        """What comes of a pull request: `accepted` or `refused`.

        Args:
            pull: which.
            thread: what was said in it.
            main: what it would come into.

        Raises:
            BenchwrightError: the Hub, a release or this machine fails.
        """
        key = (pull, tuple(main.taken))
        if key not in self._known:
            try:
                self._known[key] = self._look(pull, thread, main)
            except RefusedError as error:
                self._known[key] = Looked(pull, "refused", reasons=error.reasons)
        return self._known[key]

    def _look(self, pull: Pull, thread: Thread, main: Main) -> Looked:
        board = main.board
        found, tree = self._changes(pull, main.commits)
        if is_of_round((each.path for each in found), pull.submitter):
            return Looked(pull, "of a round")
        inside = _inside(tree, found)
        place = receive(
            found,
            board=board,
            submitter=pull.submitter,
            taken=main.taken,
            present={name: file.size for name, file in inside.items()},
        )
        basis = self.releases.basis(board, place, main.others)
        folder = self._download(pull, inside)
        when = thread.pushed.get(pull.head) or pull.opened
        verified = (verify_apart if self.apart else verify_submission)(
            folder,
            place,
            PullRequest(pull.number, pull.head, pull.submitter, when, pull.submitter in board.organisers),
            basis,
            work=self.work / f"{pull.number}-{pull.head}",
            taken=main.taken,
        )
        outcome: Outcome = "accepted" if verified.verdict.accepted else "refused"
        return Looked(pull, outcome, place, verified.verdict.reasons, verified, folder)

    def _changes(self, pull: Pull, commits: Set[str]) -> tuple[list[Changed], Tree]:
        """What differs from where it began, and its files."""
        if pull.submitter == UNKNOWN:
            raise RefusedError("the Hub does not say who opened it")
        with _refused("its commits cannot be read"):
            base = self.repository.base(pull.head, commits)
        if base is None:
            raise RefusedError("it does not begin at the main branch of this leaderboard: open it with submit-system")
        before = self._tree(base, None)
        with _refused("its files cannot be listed"):
            after = self._tree(pull.head, len(before) + MOST_CHANGES)
        paths = sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
        return [_changed(path, after.get(path)) for path in paths], after

    def _tree(self, revision: str, most: int | None) -> Tree:
        if revision not in self._trees:
            try:
                self._trees[revision] = self.repository.tree(revision, **({} if most is None else {"most": most}))
            except TooManyError:
                raise RefusedError(
                    f"it adds more than {MOST_CHANGES:,} files: a submission has seven at most"
                ) from None
        return self._trees[revision]

    def _download(self, pull: Pull, inside: Mapping[str, File]) -> Path:
        """The files of a submission, in a folder of their own."""
        size = sum(file.size for file in inside.values())
        free = shutil.disk_usage(self.work).free
        if 2 * size > free:
            raise BenchwrightError(
                f"the pull request {pull.number} has {size / 1e9:,.1f} GB, and the disk of {self.work} has "
                f"{free / 1e9:,.1f} GB left; set HF_ASSETS_CACHE to a folder on another"
            )
        folder = self.work / f"files-{pull.number}-{pull.head}"
        folder.mkdir(exist_ok=True)
        for name, file in inside.items():
            with _refused(f"{quoted(name)} cannot be downloaded"):
                kept = self.repository.keep(pull.head, [file])[file.path]
            link(kept, folder / name)
        return folder


@contextmanager
def _refused(what: str) -> Iterator[None]:
    """Refuses a pull request for what the Hub cannot give of it; what fails for all is raised as it is."""
    try:
        yield
    except HubError as error:
        if error.status not in (200, 404):
            raise
        raise RefusedError(f"{what}: {error}") from None


def _changed(path: str, file: File | None) -> Changed:
    return Changed(path, is_deleted=True) if file is None else Changed(path, file.size, is_file=file.is_file)


def _inside(tree: Tree, found: Sequence[Changed]) -> dict[str, File]:
    """The files of the folder that the first change is in, by their names there."""
    folder = found[0].path.rpartition("/")[0] + "/" if found else "/"
    return {path.removeprefix(folder): file for path, file in tree.items() if path.startswith(folder)}


def waits(looked: Looked) -> Looked:
    """One that a person has to take."""
    verdict = looked.verified.verdict if looked.verified else None
    return replace(looked, outcome="waits", reasons=verdict.flags if verdict else ())
