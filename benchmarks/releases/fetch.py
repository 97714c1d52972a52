"""Releases on the Hugging Face Hub: fetched once, file for file, and then opened like any folder."""

import logging
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.hub_answers import WRONG_TOKEN, HubError
from benchwright.benchmarks.releases.hub_reader import HubReader, Wanted
from benchwright.benchmarks.releases.manifest import MANIFEST, MAX_BYTES, Manifest, read_manifest
from benchwright.benchmarks.releases.manifest_values import is_path
from benchwright.benchmarks.releases.release import Release

OFFICIAL = "https://huggingface.co"
_REPO_ID = re.compile(r"(?P<id>[\w.-]+/[\w.-]+)(?:@(?P<revision>[\w./-]+))?")
_VERSION = re.compile(r"\d+\.\d+\.\d+")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_LARGEST_OTHER = 10_000_000
_MOST_OTHERS = 1_000
"""Files beside a release that are fetched, so that `verify-benchmark` names them, and the bytes that one may have."""

log = logging.getLogger("benchwright")


def is_repo_id(reference: str) -> bool:
    """Whether a reference may be that of a repository: NAMESPACE/NAME, and `@REVISION` if wanted."""
    return _REPO_ID.fullmatch(reference) is not None


def default_endpoint() -> str:
    """Where the Hub is."""
    return (os.environ.get("HF_ENDPOINT") or OFFICIAL).rstrip("/")


def fetch_release(reference: str, endpoint: str | None = None, token: str | None = None) -> Release:
    """The release of a repository, from the cache on this machine where it is there.

    The cache is `benchwright/releases` in the folder that `huggingface_hub` keeps for what others fetch
    (`HF_ASSETS_CACHE`); a commit's files lie in a folder of their own, under the names that the manifest gives them.

    Args:
        reference: `namespace/name[@revision]`; a revision is a version (`1.0.0`), a tag, a branch or a commit, and
            without one the newest of the main branch.
        endpoint: the Hub; None: `HF_ENDPOINT`, else the Hub.
        token: None: the one that the user is logged in with.

    Raises:
        BenchwrightError: there is none, it may not be seen, it is no release, or the Hub cannot be reached.
    """
    match = _REPO_ID.fullmatch(reference)
    assert match is not None, "callers look with is_repo_id first"
    revision = match["revision"] or "main"
    tag = f"v{revision}" if _VERSION.fullmatch(revision) else revision
    fetching = _Fetching(reference, match["id"], tag, endpoint or default_endpoint(), token)
    return Release.load(fetching.folder())


class _Fetching:
    """A release that is looked for."""

    def __init__(self, reference: str, repo_id: str, revision: str, endpoint: str, token: str | None) -> None:
        from huggingface_hub import constants
        from huggingface_hub.errors import HFValidationError
        from huggingface_hub.utils import validate_repo_id

        try:
            validate_repo_id(repo_id)
        except HFValidationError:
            raise BenchwrightError(
                f"there is no release {reference!r} here, and on the Hub no name is like that"
            ) from None
        self.reference, self.repo_id, self.revision = reference, repo_id, revision
        self.reader = HubReader(repo_id, endpoint, token)
        self.home = Path(constants.HF_ASSETS_CACHE) / "benchwright" / "releases" / repo_id.replace("/", "--")
        self.known = self.home / "revisions" / f"{quote(revision, safe='')}.txt"

    def folder(self) -> Path:
        """The folder that holds the whole release."""
        if _COMMIT.fullmatch(self.revision) and _is_whole(self.home / self.revision):
            return self.home / self.revision
        try:
            commit, paths = self.reader.look(self.revision)
        except HubError as error:
            there = self._kept()
            if there is None or not (error.is_away or error.may_pass):
                raise self._explained(error, error.is_away) from None
            log.warning("%s: the Hub cannot be asked for a newer one (%s)", self.reference, error)
            return there
        folder = self.home / commit
        if not _is_whole(folder):
            self._fetch(commit, paths, folder)
        self.known.parent.mkdir(parents=True, exist_ok=True)
        self.known.write_text(commit, encoding="ascii")
        return folder

    def _kept(self) -> Path | None:
        """What the revision was when the Hub was last asked, where all of it is here."""
        try:
            commit = self.known.read_text(encoding="ascii")
        except (OSError, ValueError):
            return None
        return self.home / commit if _COMMIT.fullmatch(commit) and _is_whole(self.home / commit) else None

    def _fetch(self, commit: str, paths: Sequence[str], folder: Path) -> None:
        others = self._others(paths)
        manifest = self._manifest(commit, folder)
        files = [Wanted(path, facts["bytes"], facts["sha256"]) for path, facts in manifest.files.items()]
        files = [wanted for wanted in files if not _is_there(folder, wanted.path, wanted.bytes)]
        size, free = sum(wanted.bytes for wanted in files), shutil.disk_usage(folder).free
        if size > free:
            raise BenchwrightError(
                f"{self.reference} is not fetched: it has {size / 1e9:,.1f} GB, and the disk of {self.home} has "
                f"{free / 1e9:,.1f} GB left; set HF_ASSETS_CACHE to a folder on another"
            )
        there = set(paths)
        missing = next((wanted.path for wanted in files if wanted.path not in there), None)
        if missing:
            raise BenchwrightError(f"{self.reference} has no {missing}, neither here nor on the Hub")
        self._fetch_others(commit, [path for path in others if path not in manifest.files], folder)
        with _progress(self.reference, size) as told:
            try:
                self.reader.fetch(commit, files, folder, told)
            except HubError as error:
                raise self._explained(error) from None

    def _others(self, paths: Sequence[str]) -> list[str]:
        """The files of a repository but those that are hidden, such as `.gitattributes`."""
        for path in paths:
            if path.startswith("/") or ".." in path.split("/") or not (is_path(path) or path.isprintable()):
                raise BenchwrightError(f"{self.repo_id} on the Hub names files that no release may have: {path!r:.200}")
        return [path for path in paths if is_path(path)]

    def _manifest(self, commit: str, folder: Path) -> Manifest:
        try:
            content = self.reader.read(commit, MANIFEST, MAX_BYTES)
        except HubError as error:
            if error.code == "EntryNotFound" or error.status == 404:
                raise BenchwrightError(f"{self.repo_id} on the Hub is no release: it has no {MANIFEST}") from None
            raise self._explained(error) from None
        folder.mkdir(parents=True, exist_ok=True)
        (folder / MANIFEST).write_bytes(content)
        try:
            return read_manifest(folder)
        except BenchwrightError:
            (folder / MANIFEST).unlink(missing_ok=True)
            raise

    def _fetch_others(self, commit: str, paths: Sequence[str], folder: Path) -> None:
        """Fetches what is beside the release; what is large is left there and named."""
        for number, path in enumerate(paths):
            try:
                content = self.reader.read(commit, path, _LARGEST_OTHER) if number < _MOST_OTHERS else None
            except HubError as error:
                if error.status != 200:
                    raise self._explained(error) from None
                content = None
            if content is None:
                log.warning("%s has %s, which is no file of the release and is not fetched", self.repo_id, path)
                continue
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)

    def _explained(self, error: HubError, is_first: bool = False) -> BenchwrightError:
        """What went wrong, in one line."""
        if error.code == "GatedRepo":
            return BenchwrightError(f"{self.repo_id} is gated: ask for access on its page on the Hub, then log in")
        if error.code == "RepoNotFound":
            return BenchwrightError(
                f"there is no release {self.repo_id} on the Hub, or you may not see it: check the name, or run "
                "`hf auth login`"
            )
        if error.code == "RevisionNotFound":
            return BenchwrightError(f"{self.repo_id} has no revision {self.revision!r} on the Hub: its page lists them")
        if error.status == 401:
            return BenchwrightError(WRONG_TOKEN)
        if error.status == 200:
            return error
        if is_first:
            return BenchwrightError(
                f"there is no release {self.reference!r} here, and the Hub cannot be reached to look for it: go "
                "online, or give a folder"
            )
        then = "then start it again, and it goes on where it stopped"
        what = str(error).rstrip(".")
        return BenchwrightError(
            f"{self.repo_id} cannot be fetched from the Hub: {what}{', ' if error.status else '; '}{then}"
        )


def _is_there(folder: Path, path: str, size: int) -> bool:
    there = folder / path
    return there.is_file() and there.stat().st_size == size


def _is_whole(folder: Path) -> bool:
    """Whether a folder of the cache holds every file that its manifest names."""
    try:
        files = read_manifest(folder).files
    except BenchwrightError:
        return False
    return all(_is_there(folder, path, facts["bytes"]) for path, facts in files.items())


@contextmanager
def _progress(reference: str, size: int) -> Iterator[Callable[[int], object]]:
    """A line that grows on a terminal, and nothing elsewhere."""
    if not size or not sys.stderr.isatty() or not log.isEnabledFor(logging.WARNING):
        yield lambda count: None
        return
    from huggingface_hub.utils import tqdm

    with tqdm(total=size, unit="B", unit_scale=True, desc=reference, leave=False) as shown:
        yield shown.update
