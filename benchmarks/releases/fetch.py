"""Releases on the Hugging Face Hub: fetched once, file for file, and then opened like any folder."""

import logging
import os
import re
import sys
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.manifest import MANIFEST
from benchwright.benchmarks.releases.release import Release

_REPO_ID = re.compile(r"(?P<id>[\w.-]+/[\w.-]+)(?:@(?P<revision>[\w./-]+))?")
_VERSION = re.compile(r"\d+\.\d+\.\d+")
_CLIENTS = {"httpx", "httpx2", "httpcore", "httpcore2", "requests", "urllib3"}
WRONG_TOKEN = "the Hub does not know your token: run `hf auth login`, or mend HF_TOKEN"


def is_repo_id(reference: str) -> bool:
    """Whether a reference may be that of a repository: NAMESPACE/NAME, and `@REVISION` if wanted."""
    return _REPO_ID.fullmatch(reference) is not None


def is_of_network(error: BaseException) -> bool:
    """The clients' errors have no common base: 1.x of huggingface_hub uses httpx, 2.x httpx2."""
    return isinstance(error, ConnectionError) or type(error).__module__.partition(".")[0] in _CLIENTS


def fetch_release(reference: str) -> Release:
    """The release of a repository, from the Hub's cache on this machine where it is there.

    Args:
        reference: `namespace/name[@revision]`; a revision is a version (`1.0.0`), a tag, a branch or a commit, and
            without one the newest of the main branch.

    Raises:
        BenchwrightError: there is none, it may not be seen, it is no release, or the Hub cannot be reached.
    """
    from huggingface_hub import snapshot_download
    from huggingface_hub.utils import disable_progress_bars

    if not sys.stderr.isatty() or not logging.getLogger("benchwright").isEnabledFor(logging.WARNING):
        disable_progress_bars()
    match = _REPO_ID.fullmatch(reference)
    assert match is not None, "callers look with is_repo_id first"
    repo_id, revision = match["id"], match["revision"]
    if revision and _VERSION.fullmatch(revision):
        revision = f"v{revision}"
    try:
        folder = snapshot_download(
            repo_id,
            repo_type="dataset",
            revision=revision,
            endpoint=os.environ.get("HF_ENDPOINT") or None,
            library_name="benchwright",
        )
    except Exception as error:
        said = _explained(error, reference, repo_id, revision)
        if said is None:
            raise
        raise said from None
    if not (Path(folder) / MANIFEST).is_file():
        raise BenchwrightError(f"{repo_id} on the Hub is no release: it has no {MANIFEST}")
    release = Release.load(Path(folder))
    missing = [path for path in release.manifest.files if not (release.folder / path).is_file()]
    if missing:
        raise BenchwrightError(f"{reference} has no {missing[0]}, neither here nor, if it can be reached, on the Hub")
    return release


def _explained(error: Exception, reference: str, repo_id: str, revision: str | None) -> BenchwrightError | None:
    """What went wrong, in one line; None for what is no failure of the Hub or of the network."""
    from huggingface_hub import errors as hub

    if isinstance(error, hub.GatedRepoError):
        return BenchwrightError(f"{repo_id} is gated: ask for access on its page on the Hub, then log in")
    if isinstance(error, hub.RepositoryNotFoundError):
        return BenchwrightError(
            f"there is no release {repo_id} on the Hub, or you may not see it: check the name, or run `hf auth login`"
        )
    if isinstance(error, hub.RevisionNotFoundError):
        return BenchwrightError(f"{repo_id} has no revision {revision!r} on the Hub: its page lists them")
    if isinstance(error, hub.LocalEntryNotFoundError):
        if isinstance(error.__cause__, hub.HfHubHTTPError):
            return _stopped(repo_id, f"it answered {error.__cause__.response.status_code}")
        return BenchwrightError(
            f"there is no release {reference!r} here, and the Hub cannot be reached to look for it: go online, or give "
            "a folder"
        )
    if isinstance(error, hub.HFValidationError):
        return BenchwrightError(f"there is no release {reference!r} here, and on the Hub no name is like that")
    if isinstance(error, hub.HfHubHTTPError):
        status = error.response.status_code
        return BenchwrightError(WRONG_TOKEN) if status == 401 else _stopped(repo_id, f"it answered {status}")
    if isinstance(error, ValueError):  # the client refuses a name that would leave its cache
        return BenchwrightError(f"{repo_id} on the Hub names files that no release may have: {error}")
    if isinstance(error, OSError) or is_of_network(error):
        return _stopped(repo_id, next(iter(str(error).splitlines()), type(error).__name__))
    return None


def _stopped(repo_id: str, why: str) -> BenchwrightError:
    how = "start it again, and it goes on where it stopped"
    return BenchwrightError(f"{repo_id} cannot be fetched from the Hub: {why.rstrip('.')}; {how}")
