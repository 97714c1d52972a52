"""The files of a release as they will stand in a repository: as they are on disk, but for the card.

The card's lines name the repository that it stands in, so it is rendered again for each, and it shows what baselines
score, from a file that comes with it. The manifest has the hash of both. Nothing else changes, and nothing on disk.
"""

import hashlib
import io
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from benchwright.benchmarks.catalogue import spec_names
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.hashing import file_sha256
from benchwright.benchmarks.releases.baseline_figures import FILE as BASELINES
from benchwright.benchmarks.releases.baseline_figures import BaselineFigures, baselines_text
from benchwright.benchmarks.releases.manifest import CARD, MANIFEST, is_private
from benchwright.benchmarks.releases.release import Release
from benchwright.cards.dataset.card import is_rendered_here, local_place, render_for

log = logging.getLogger("benchwright")


@dataclass(frozen=True)
class Upload:
    """A file of a release, as it will stand in the repository."""

    path: str
    source: Path | bytes
    bytes: int
    sha256: str

    def open(self) -> BinaryIO:
        """What it holds."""
        return io.BytesIO(self.source) if isinstance(self.source, bytes) else self.source.open("rb")


def uploads(release: Release) -> list[Upload]:
    """The files of a release, the manifest last; each is read once and compared with the manifest.

    Raises:
        BenchwrightError: one is missing or is not what the manifest says.
    """
    found = []
    for path, entry in release.manifest.files.items():
        source = release.folder / path
        if not source.is_file() or file_sha256(source) != entry["sha256"]:
            raise BenchwrightError(
                f"{source} is not what the manifest says: build the release again, or verify it with verify-benchmark"
            )
        found.append(Upload(path, source, entry["bytes"], entry["sha256"]))
    manifest = release.folder / MANIFEST
    return [*found, Upload(MANIFEST, manifest, manifest.stat().st_size, file_sha256(manifest))]


def takes_baselines(release: Release) -> bool:
    """Whether figures of baselines are to be measured for its card: this program renders it, and it has none yet. The
    card of a private half shows none."""
    manifest = release.manifest
    is_ours = CARD in manifest.files and manifest.builder in spec_names()
    return is_ours and BASELINES not in manifest.files and not is_private(manifest)


def uploads_to(
    repo_id: str, release: Release, files: list[Upload], baselines: BaselineFigures | None = None
) -> list[Upload]:
    """The same files with the card as it is in this repository, and the manifest that names its hash.

    A card that this program cannot render stays as it is: its builder is not installed, or it counts otherwise.

    Args:
        repo_id: the repository.
        release: the release.
        files: its files.
        baselines: figures of baselines that come with it, where the release has none.
    """
    added = baselines if takes_baselines(release) else None
    card = _card(repo_id, release, added)
    if card is None or CARD not in release.manifest.files:
        return files
    made = [_made(CARD, card), *([_made(BASELINES, baselines_text(added))] if added else [])]
    listed = {**release.manifest.files, **{file.path: {"sha256": file.sha256, "bytes": file.bytes} for file in made}}
    manifest = replace(release.manifest, files=dict(sorted(listed.items())))
    changed = {file.path: file for file in (*files[:-1], *made)}
    return [*changed.values(), _made(MANIFEST, manifest.to_json())]


def _card(repo_id: str, release: Release, baselines: BaselineFigures | None) -> str | None:
    try:
        return render_for(release, repo_id, baselines)
    except BenchwrightError as error:
        there = release.folder / CARD
        if there.is_file() and local_place(release.manifest) in there.read_text(encoding="utf-8", errors="replace"):
            log.warning("the card stays as it is, and does not name %s: %s", repo_id, error)
        return None


def _made(path: str, text: str) -> Upload:
    data = text.encode()
    return Upload(path, data, len(data), hashlib.sha256(data).hexdigest())


def is_same(there: Mapping[str, Any], files: list[Upload]) -> bool:
    """Whether a manifest on the Hub is that of exactly these files: it holds the hash of each."""
    return there == _manifest(files)


def is_same_by_another_program(there: Mapping[str, Any], files: list[Upload], release: Release) -> bool:
    """Whether what is on the Hub differs in the card alone, and the one on disk too is not as this program makes it:
    then the release is the same, and this program came later."""
    ours = _manifest(files)
    if not isinstance(listed := there.get("files"), dict) or CARD not in listed:
        return False
    ours["files"][CARD] = listed[CARD]
    try:
        return there == ours and not is_rendered_here(release)
    except BenchwrightError:
        return False


def _manifest(files: list[Upload]) -> dict[str, Any]:
    with files[-1].open() as file:
        return json.load(file)
