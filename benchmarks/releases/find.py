"""The release that a command line means: a folder, a name, or a repository on the Hub."""

from pathlib import Path

from benchwright.benchmarks.catalogue import spec_names
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.naming import version_key
from benchwright.benchmarks.releases.fetch import fetch_release, is_repo_id
from benchwright.benchmarks.releases.manifest import MANIFEST, read_manifest
from benchwright.benchmarks.releases.release import Release


def open_release(reference: str, root: Path) -> Release:
    """The release that a command line means: a folder with a manifest, else the newest local release of that name, else
    a repository on the Hub.

    Args:
        reference: a folder, `NAME[@VERSION]`, or `NAMESPACE/NAME[@REVISION]` on the Hub.
        root: the folder of releases.

    Raises:
        BenchwrightError: there is none of these.
    """
    folder = Path(reference)
    if (folder / MANIFEST).is_file():
        return Release.load(folder)
    name, _, version = reference.partition("@")
    home = root / name
    versions = [path.parent for path in home.glob(f"*/{MANIFEST}") if not path.parent.name.startswith(".")]
    if version:
        versions = [path for path in versions if path.name == version]
    if versions:
        newest = max(versions, key=lambda path: version_key(read_manifest(path).version))
        return Release.load(newest)
    if folder.is_dir():
        raise BenchwrightError(f"{folder} is not a release: it has no {MANIFEST}")
    if is_repo_id(reference) and not reference.startswith("."):
        return fetch_release(reference)
    how = f"build it with: build-benchmark {name}" if name in spec_names() else "build it with build-benchmark"
    raise BenchwrightError(f"there is no release {reference!r} in {root}: {how}")
