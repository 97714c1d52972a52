"""What a repository has of a release already: its manifest, and the figures of baselines beside it."""

import json
from collections.abc import Mapping
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases import baseline_figures
from benchwright.benchmarks.releases.baseline_figures import BaselineFigures, parse_baselines
from benchwright.benchmarks.releases.hub_answers import HubError
from benchwright.benchmarks.releases.hub_reader import HubReader
from benchwright.benchmarks.releases.manifest import MANIFEST, MAX_BYTES, Manifest


def remote_manifest(api: Any, repo_id: str, revision: str) -> Mapping[str, Any]:
    """What a revision's manifest says; nothing where it has none that can be read."""
    try:
        data = json.loads(_read(api, repo_id, revision, MANIFEST, MAX_BYTES) or b"")
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def remote_baselines(
    api: Any, repo_id: str, revision: str, there: Mapping[str, Any], manifest: Manifest
) -> BaselineFigures | None:
    """The figures of baselines of a revision whose content is the same; None where it has none that can be used.

    Args:
        api: the Hub's client.
        repo_id: the repository.
        revision: a commit or a tag.
        there: what the manifest of that revision says.
        manifest: of the release that is to be pushed.
    """
    listed = there.get("files")
    is_same = (there.get("name"), there.get("content_hash")) == (manifest.name, manifest.content_hash)
    if not is_same or not isinstance(listed, dict) or baseline_figures.FILE not in listed:
        return None
    data = _read(api, repo_id, revision, baseline_figures.FILE, baseline_figures.MAX_BYTES)
    try:
        return parse_baselines(data or b"", baseline_figures.FILE)
    except BenchwrightError:
        return None


def _read(api: Any, repo_id: str, revision: str, path: str, most: int) -> bytes | None:
    """A file of a revision; None where it is not there or too large."""
    try:
        return HubReader(repo_id, api.endpoint, api.token).read(revision, path, most)
    except HubError as error:
        if error.status not in (200, 404) or error.code == "RepoNotFound":
            raise
        return None
