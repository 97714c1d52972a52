"""The releases that a leaderboard ranks, from the Hub, and the private halves of those that hold answers out."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.board import Board
from benchwright.benchmarks.leaderboards.entries import Parts, parts_of
from benchwright.benchmarks.leaderboards.layout import Place
from benchwright.benchmarks.leaderboards.refusal import RefusedError
from benchwright.benchmarks.leaderboards.verdict import Verdict
from benchwright.benchmarks.leaderboards.verify import Basis
from benchwright.benchmarks.releases.fetch import fetch_release
from benchwright.benchmarks.releases.find import open_release
from benchwright.benchmarks.releases.hub_answers import HubError
from benchwright.benchmarks.releases.hub_reader import HubReader
from benchwright.benchmarks.releases.release import Release
from benchwright.cards.leaderboard.hub import BoardRepository

Key = tuple[str, str]
"""A benchmark's name and a version."""

log = logging.getLogger("benchwright")


@dataclass
class BoardReleases:
    """The releases of a leaderboard's benchmarks, each opened once."""

    repository: BoardRepository
    given: Sequence[str] = ()
    """Private halves: folders, names or repositories."""
    root: Path = Path("releases")
    """Where a private half lies that is not named."""
    _open: dict[Key, Release] = field(default_factory=dict)
    _private: dict[Key, Release | None] = field(default_factory=dict)
    _parts: dict[Key, Parts] = field(default_factory=dict)

    def release(self, board: Board, benchmark: str, version: str) -> Release:
        """A version of a benchmark, as the Hub has it.

        Raises:
            RefusedError: the benchmark has no such version.
            BenchwrightError: it cannot be had.
        """
        key = benchmark, version
        if key not in self._open:
            there = board.benchmarks[benchmark].repository
            try:
                HubReader(there, self.repository.endpoint, self.repository.token).look(f"v{version}")
            except HubError as error:
                if error.code != "RevisionNotFound":
                    raise
                raise RefusedError(f"{benchmark} has no version {version} on the Hub ({there})") from None
            found = self._fetch(f"{there}@{version}")
            if (found.manifest.name, found.manifest.version) != key:
                raise BenchwrightError(
                    f"{there} has {found.manifest.name} {found.manifest.version} under the tag v{version}: "
                    "mend leaderboard.yaml"
                )
            self._open[key] = found
        return self._open[key]

    def private(self, board: Board, benchmark: str, version: str) -> Release | None:
        """The private half of a version: the one that is named, else the one in the folder of releases, else the one
        beside the benchmark on the Hub; None where there is none, or it may not be seen.

        Raises:
            BenchwrightError: what is named cannot be opened, or is the half of another release.
        """
        key = benchmark, version
        if key not in self._private:
            release = self.release(board, benchmark, version)
            found = self._find(release, board.benchmarks[benchmark].repository)
            half = found.manifest.holdout or {} if found is not None else {}
            if found is not None and half.get("public_content_hash") != release.manifest.content_hash:
                raise BenchwrightError(
                    f"{found.folder} is not the private half of {benchmark} {version} as it is on the Hub: name with "
                    "--private the one that was built with it"
                )
            self._private[key] = found
        return self._private[key]

    def basis(self, board: Board, place: Place, others: Sequence[Verdict] = ()) -> Basis:
        """What a submission is scored with, and held against.

        Raises:
            RefusedError, BenchwrightError: as `release` and `private`.
        """
        return Basis(
            self.release(board, place.benchmark, place.version),
            self.private(board, place.benchmark, place.version),
            board.benchmarks[place.benchmark].metric,
            others,
            self._other_versions(board, place, others),
        )

    def parts(self, board: Board, benchmark: str, version: str) -> Parts:
        """Its parts that are ranked."""
        key = benchmark, version
        if key not in self._parts:
            self._parts[key] = parts_of(self.release(board, *key), self.private(board, *key))
        return self._parts[key]

    def _other_versions(self, board: Board, place: Place, others: Iterable[Verdict]) -> list[Release]:
        """The other versions of a submission's benchmark that are on the leaderboard."""
        versions = {each.version for each in others if each.benchmark == place.benchmark} - {place.version}
        return [self.release(board, place.benchmark, each) for each in sorted(versions)]

    def _fetch(self, reference: str) -> Release:
        return fetch_release(reference, self.repository.endpoint, self.repository.token)

    def _find(self, release: Release, there: str) -> Release | None:
        half = release.manifest.holdout
        if half is None:
            return None
        name, version = half["private"], release.manifest.version
        for reference in self.given:
            found = open_release(reference, self.root)
            if (found.manifest.name, found.manifest.version) == (name, version):
                return found
        if (self.root / name / version / "manifest.json").is_file():
            return Release.load(self.root / name / version)
        try:
            return self._fetch(f"{there}-private@{version}")
        except BenchwrightError as error:
            log.info("the private half of %s %s is not here: %s", release.manifest.name, version, error)
            return None
