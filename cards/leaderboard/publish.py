"""Keeping a leaderboard: open pull requests are looked at, what is right comes in with one commit, all is ranked anew.

The commit has a parent: if anybody was faster, everything is looked at again. What was accepted stands in the
repository before anything is said of it, and what was said of a revision stands in its pull request: a start that was
killed at any moment goes on with the same command, and one that has nothing to do does nothing.
"""

import logging
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib.metadata import version as installed
from pathlib import Path
from typing import Literal

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.leaderboards.board import Board
from benchwright.benchmarks.leaderboards.layout import BOARD, SYSTEM, Place
from benchwright.benchmarks.leaderboards.receive import Taken
from benchwright.benchmarks.leaderboards.stored import unjudged
from benchwright.benchmarks.leaderboards.system_file import read_system_file
from benchwright.benchmarks.leaderboards.verdict import Verdict
from benchwright.benchmarks.progress import Progress, silent
from benchwright.benchmarks.releases.hub_answers import HubError
from benchwright.benchmarks.reports.format import number_of
from benchwright.cards.hub.errors import explained
from benchwright.cards.leaderboard import comments
from benchwright.cards.leaderboard.commit import Published, again, publish
from benchwright.cards.leaderboard.hub import DATASET, BoardRepository
from benchwright.cards.leaderboard.look import Looked, Looking, Main, waits
from benchwright.cards.leaderboard.pulls import Pull, Thread, open_pulls, read_thread
from benchwright.cards.leaderboard.ranked import put, rank
from benchwright.cards.leaderboard.releases import BoardReleases
from benchwright.cards.leaderboard.rescore import Rescored, forget_rescored, rescore_all
from benchwright.cards.leaderboard.workspace import Workspace, workspace

_OLD = 7 * 24 * 3_600
"""Seconds after which what no start needed is taken away from this machine."""

log = logging.getLogger("benchwright")


@dataclass(frozen=True)
class Keeping:
    """How a leaderboard is kept."""

    accept: Collection[int] | Literal["all"] | None = None
    """The pull requests that are looked at alone, and are taken in though they are flagged; `all`: every one; None:
    every one, and one that is flagged waits."""
    check: bool = False
    """Only look, and change nothing."""
    rescore: bool = False
    """Score all submissions again from their predictions, and look at no pull request."""
    private: Sequence[str] = ()
    """Private halves of releases: folders, names or repositories."""
    releases: Path = Path("releases")
    """Where a private half lies that is not named."""
    apart: bool = True
    """Whether each submission is looked at in a process of its own."""


@dataclass(frozen=True)
class Kept:
    """What a start did."""

    looked: tuple[Looked, ...]
    """In the order of the pull requests."""
    published: Published | None
    """None: nothing was to be changed."""
    rescored: tuple[Rescored, ...] = ()
    """What was scored again."""


def keep_board(repository: BoardRepository, keeping: Keeping, progress: Progress = silent) -> Kept:
    """Looks at the open pull requests, and publishes what is right; or scores all that is there again.

    Raises:
        UsageError: there is no such pull request.
        BenchwrightError: there is no leaderboard, one of its releases or files cannot be had, or the Hub fails.
    """
    with explained(repository.repo_id, repository.endpoint, "REPO"), _work(repository) as work:
        releases = BoardReleases(repository, keeping.private, keeping.releases)
        looking = Looking(repository, releases, work, keeping.apart)
        start = _Start(repository, keeping, releases, looking, work, progress)
        return again(start.once, repository)


@dataclass
class _Start:
    """One start of the command."""

    repository: BoardRepository
    keeping: Keeping
    releases: BoardReleases
    looking: Looking
    work: Path
    progress: Progress = silent
    overtaken: dict[int, Looked] = field(default_factory=dict)
    """Pull requests that changed while they were looked at: they are left for the next start."""
    _threads: dict[Pull, Thread] = field(default_factory=dict)

    def once(self) -> Kept:
        """All of it, on top of the newest commit."""
        head = self.repository.head()
        tree = self.repository.tree(head)
        if BOARD not in tree:
            raise BenchwrightError(
                f"{self.repository.repo_id} is no leaderboard: make it one with --create --benchmark NAMESPACE/NAME"
            )
        with workspace(self.repository, head, tree) as space:
            for place in unjudged(space.root):
                log.warning("%s was not accepted with publish-leaderboard: it has no verdict, and is not ranked", place)
            if self.keeping.rescore:
                return self._rescore(space)
            looked = self._look_at_all(space)
            if self.keeping.check:
                return Kept(tuple(looked), None)
            standings, details = rank(space, self.releases, self.work)
            space.write_generated(standings, details)
            if self._overtaken(looked):
                return self.once()
            published = publish(space, *_message(looked))
        self._say(looked, published.commit)
        return Kept(tuple(looked), published)

    def _rescore(self, space: Workspace) -> Kept:
        rescored = rescore_all(space, self.releases, self.work, self.progress)
        space.write_generated(*rank(space, self.releases, self.work))
        count = sum(each.problem is None for each in rescored)
        title = f"{number_of(count, 'submission')} scored again with benchwright {installed('benchwright')}"
        published = publish(space, title)
        forget_rescored(self.repository)
        return Kept((), published, rescored)

    # ---- looking

    def _look_at_all(self, space: Workspace) -> list[Looked]:
        """What comes of each; what is accepted is put into the workspace."""
        state = space.state()
        there = {each.place: (each.verdict, each.system.name) for each in state.submissions}
        looked: list[Looked] = []
        commits: set[str] = set()
        pulls = self._wanted()
        for number, pull in enumerate(pulls, start=1):
            commits = commits or {str(each["id"]) for each in self.repository.commits(space.head)}
            found = self.overtaken.get(pull.number) or self._look(pull, state.board, there, commits)
            if found.outcome == "accepted" and found.place and found.folder and found.verified:
                put(space, self.releases, found.place, found.folder, found.verified)
                name = read_system_file((found.folder / SYSTEM).read_bytes()).name
                there[found.place] = found.verified.verdict, name
            looked.append(found)
            self.progress("pull requests looked at", number, len(pulls))
        return looked

    def _wanted(self) -> list[Pull]:
        pulls = open_pulls(self.repository)
        accept = self.keeping.accept
        if accept is None or accept == "all":
            return pulls
        missing = sorted(set(accept) - {pull.number for pull in pulls})
        if missing:
            raise UsageError(f"{self.repository.repo_id} has no open pull request {missing[0]}")
        return [pull for pull in pulls if pull.number in accept]

    def _look(self, pull: Pull, board: Board, there: Mapping[Place, tuple[Verdict, str]], commits: set[str]) -> Looked:
        before = next((place for place, (verdict, _) in there.items() if verdict.number == pull.number), None)
        if before is not None and there[before][0].revision == pull.head:
            return Looked(pull, "in already", before)
        try:
            thread = self._thread(pull)
        except HubError as error:
            if error.status != 200:
                raise
            return Looked(pull, "unreadable", reasons=(f"what is said in it cannot be read: {error}",))
        is_chosen = self.keeping.accept is not None
        if not is_chosen and self._was_looked_at(thread, board, pull):
            return Looked(pull, "looked at before")
        taken = [Taken(place, verdict.submitter, name) for place, (verdict, name) in there.items()]
        others = [verdict for verdict, _ in there.values()]
        found = self.looking.look(pull, thread, Main(board, commits, taken, others))
        verdict = found.verified.verdict if found.verified else None
        is_held = verdict is not None and verdict.flags and not verdict.is_organisers and not is_chosen
        return waits(found) if found.outcome == "accepted" and is_held else found

    def _thread(self, pull: Pull) -> Thread:
        if pull not in self._threads:
            self._threads[pull] = read_thread(self.repository, pull.number)
        return self._threads[pull]

    def _was_looked_at(self, thread: Thread, board: Board, pull: Pull) -> bool:
        maintainers = {*board.organisers, *([] if self.keeping.check else [self.repository.user])}
        return comments.was_looked_at(thread.comments, maintainers, pull.head, installed("benchwright"))

    # ---- saying

    def _overtaken(self, looked: Sequence[Looked]) -> bool:
        """Whether one that is to come in is not what it was when it was looked at."""
        wanted = [each for each in looked if each.outcome == "accepted"]
        if not wanted:
            return False
        now = {pull.number: pull for pull in open_pulls(self.repository)}
        changed = [each for each in wanted if now.get(each.pull.number) != each.pull]
        for each in changed:
            self.overtaken[each.pull.number] = replace(each, outcome="changed", verified=None)
        return bool(changed)

    def _say(self, looked: Sequence[Looked], commit: str) -> None:
        """Says in each pull request what came of it, once, and closes what came in."""
        board_id, api, made_by = self.repository.repo_id, self.repository.api, installed("benchwright")
        for each in looked:
            number, verdict = each.pull.number, each.verified.verdict if each.verified else None
            if each.outcome in ("accepted", "in already"):
                text = comments.accepted(verdict, commit) if verdict else comments.in_already(each.pull.head, made_by)
                said = {} if self._is_said(each, made_by, comments.ACCEPTED) else {"comment": text}
                api.change_discussion_status(board_id, number, "closed", repo_type=DATASET, **said)
                continue
            if each.outcome in ("looked at before", "unreadable", "of a round") or self._is_said(each, made_by):
                continue
            if each.outcome == "refused":
                text = comments.refused(each.reasons, each.pull.head, made_by)
            elif each.outcome == "waits" and verdict is not None:
                text = comments.waiting(verdict)
            else:
                text = comments.changed(each.pull.head, made_by)
            api.comment_discussion(board_id, number, text, repo_type=DATASET)

    def _is_said(self, looked: Looked, made_by: str, beginning: str = "") -> bool:
        thread = read_thread(self.repository, looked.pull.number)
        own = [(user, text) for user, text in thread.comments if user == self.repository.user]
        return comments.was_looked_at(own, {self.repository.user}, looked.pull.head, made_by, beginning)


def _message(looked: Sequence[Looked]) -> tuple[str, str]:
    """Title and body of the commit."""
    accepted = [each for each in looked if each.outcome == "accepted"]
    lines = [f"- {each.place} of {each.pull.submitter} (#{each.pull.number}, {each.pull.head})" for each in accepted]
    if not accepted:
        return "The ranking anew", ""
    if len(accepted) == 1:
        return f"{accepted[0].place} is accepted", lines[0]
    return f"{len(accepted)} submissions are accepted", "\n".join(lines)


@contextmanager
def _work(repository: BoardRepository) -> Iterator[Path]:
    """A folder for a start; those of starts that were killed are taken away."""
    repository.home.mkdir(parents=True, exist_ok=True)
    repository.home.chmod(0o700)  # whether single held-out answers are right is here
    repository.forget(_OLD)
    with tempfile.TemporaryDirectory(dir=repository.home, prefix=".looking-") as folder:
        yield Path(folder)
