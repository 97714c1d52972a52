"""A leaderboard's repository as maintainers see it: revisions, trees, files by their content, pull requests, comments.

What is read comes in bounded pieces, for all of it may be a stranger's. Files are kept on this machine by their
content, so that none is fetched twice and a start that was cut off goes on.
"""

import hashlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.hashing import file_sha256
from benchwright.benchmarks.releases.fetch import default_endpoint, is_repo_id
from benchwright.benchmarks.releases.hub_answers import HubError
from benchwright.benchmarks.releases.hub_reader import HubReader, Wanted
from benchwright.cards.hub.publish import open_api

DATASET, SPACE = "dataset", "space"
MOST_FILES = 200_000
"""Files of a leaderboard; and of a pull request, that many more than what it began from are no submission."""
MOST_COMMITS = 2_000
"""Commits of a pull request that are looked at for where it began."""
_PAGE = 20_000_000
"""Bytes of a page of a list."""
_OID = re.compile(r"[0-9a-f]{40}")
_KEY = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


class TooManyError(BenchwrightError):
    """A revision has more files than may be."""


@dataclass(frozen=True)
class File:
    """A file of a revision, as the Hub lists it."""

    path: str
    size: int
    key: str
    """What it holds: the SHA-256 of a large file, git's id of any other."""
    is_file: bool = True

    @property
    def is_large(self) -> bool:
        """Whether its key is the SHA-256."""
        return len(self.key) == 64


Tree = Mapping[str, File]
"""Path → file."""


@dataclass(frozen=True)
class BoardRepository:
    """A leaderboard's repository of data on a Hub."""

    repo_id: str
    endpoint: str = field(default_factory=default_endpoint)
    token: str | None = field(default=None, repr=False)
    """None: the one that the user is logged in with."""

    def __post_init__(self) -> None:
        if not is_repo_id(self.repo_id) or "@" in self.repo_id:
            raise UsageError(f"{self.repo_id!r} is no leaderboard: give NAMESPACE/NAME of its repository on the Hub")

    @cached_property
    def api(self) -> Any:
        """The Hub's client."""
        return open_api(self.endpoint, self.token)

    @cached_property
    def reader(self) -> HubReader:
        """What reads the repository."""
        return HubReader(self.repo_id, self.endpoint, self.token)

    @cached_property
    def user(self) -> str:
        """Whose token it is."""
        return str(self.api.whoami()["name"])

    @property
    def home(self) -> Path:
        """What is kept of it on this machine."""
        from huggingface_hub import constants

        return Path(constants.HF_ASSETS_CACHE) / "benchwright" / "leaderboards" / self.repo_id.replace("/", "--")

    def head(self) -> str:
        """The newest commit of main."""
        return self.reader.look("main")[0]

    def tree(self, revision: str, most: int = MOST_FILES) -> Tree:
        """The files of a revision.

        Raises:
            TooManyError: there are more.
            BenchwrightError: it is listed as no Hub does.
        """
        found: dict[str, File] = {}
        for page in self.reader.pages(f"tree/{quote(revision, safe='')}?recursive=true&expand=false", _PAGE):
            for entry in _listed(page):
                if entry.get("type") != "directory":
                    file = _file(entry)
                    found[file.path] = file
            if len(found) > most:
                raise TooManyError(f"{self.repo_id} has more than {most:,} files at {revision:.60}")
        return found

    def commits(self, revision: str) -> Iterator[Mapping[str, Any]]:
        """The commits of a revision, the newest first, as the Hub lists them."""
        for page in self.reader.pages(f"commits/{quote(revision, safe='')}", _PAGE):
            yield from (each for each in _listed(page) if _OID.fullmatch(str(each.get("id"))))

    def base(self, revision: str, known: Set[str]) -> str | None:
        """The newest commit of a revision that main has too, whose commits are given; None where none is."""
        ids = (each["id"] for each in islice(self.commits(revision), MOST_COMMITS))
        return next((each for each in ids if each in known), None)

    def heads(self) -> dict[int, str]:
        """Number of each pull request → the commit that it is at."""
        page = next(self.reader.pages("refs?include_prs=1", _PAGE))
        found = {}
        for each in _listed(page.get("pullRequests") if isinstance(page, dict) else None):
            number = str(each.get("ref", "")).removeprefix("refs/pr/")
            if number.isdecimal() and _OID.fullmatch(str(each.get("targetCommit"))):
                found[int(number)] = str(each["targetCommit"])
        return found

    # ---- files

    def keep(self, revision: str, files: Sequence[File]) -> dict[str, Path]:
        """Fetches what is not here yet, and says where each file's content lies.

        Raises:
            HubError: one cannot be had, or is not what the Hub listed.
            OSError: it cannot be written.
        """
        missing = {file.key: file for file in files if not self._kept(file).is_file()}
        if missing:
            self.home.mkdir(parents=True, exist_ok=True)
            folder = Path(tempfile.mkdtemp(dir=self.home, prefix=".coming-"))
            try:
                wanted = [_wanted(file) for file in missing.values()]
                self.reader.fetch(revision, wanted, folder, lambda count: None)
                for file in missing.values():
                    self._take(folder / file.path, file)
            finally:
                shutil.rmtree(folder, ignore_errors=True)
        for file in files:
            os.utime(self._kept(file))
        return {file.path: self._kept(file) for file in files}

    def forget(self, seconds: float) -> None:
        """Takes away what was not needed for so long, and the folders of starts that were killed."""
        before = time.time() - seconds
        old = [each for each in (*self.home.glob(".*"), *self.home.glob("files/*/*")) if each.stat().st_mtime < before]
        for each in old:
            if each.is_dir():
                shutil.rmtree(each, ignore_errors=True)
            else:
                each.unlink(missing_ok=True)

    def checkout(self, revision: str, files: Sequence[File], folder: Path) -> None:
        """Files of a revision in a folder, which has none of them yet, under their paths."""
        for path, kept in self.keep(revision, files).items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            link(kept, target)

    def _kept(self, file: File) -> Path:
        return self.home / "files" / file.key[:2] / file.key

    def _take(self, path: Path, file: File) -> None:
        if key_of(path, is_large=file.is_large) != file.key:
            raise HubError(f"{file.path[:200]} of {self.repo_id} is not what the Hub lists: start again", 200)
        kept = self._kept(file)
        kept.parent.mkdir(parents=True, exist_ok=True)
        path.replace(kept)


def link(source: Path, target: Path) -> None:
    """A file once more, without its bytes where the disk can do that. Both are only ever replaced, never changed."""
    target.unlink(missing_ok=True)
    with suppress(OSError):
        os.link(source, target)
        return
    shutil.copyfile(source, target)


def key_of(path: Path, *, is_large: bool) -> str:
    """What a file's content is called on the Hub."""
    return file_sha256(path) if is_large else blob_key(path.read_bytes())


def blob_key(content: bytes) -> str:
    """Git's id of a file."""
    return hashlib.sha1(f"blob {len(content)}\0".encode() + content, usedforsecurity=False).hexdigest()


def _wanted(file: File) -> Wanted:
    return Wanted(file.path, file.size, file.key if file.is_large else None)


def _listed(page: Any) -> list[dict[str, Any]]:
    """The entries of a page."""
    if not isinstance(page, list) or not all(isinstance(each, dict) for each in page):
        raise HubError("the Hub does not answer like one (a list is none): check HF_ENDPOINT", 200)
    return page


def _file(entry: Mapping[str, Any]) -> File:
    large = entry.get("lfs")
    facts = large if isinstance(large, dict) else entry
    path, size, key = entry.get("path"), facts.get("size"), facts.get("oid")
    if isinstance(path, str) and entry.get("type") != "file":  # a link to another repository, or whatever there may be
        return File(path, 0, str(key), is_file=False)
    is_sound = isinstance(path, str) and isinstance(size, int) and size >= 0 and isinstance(key, str)
    if not is_sound or not _KEY.fullmatch(str(key)):
        raise HubError("the Hub does not answer like one (a file without path, size or id): check HF_ENDPOINT", 200)
    return File(str(path), int(size or 0), str(key))
