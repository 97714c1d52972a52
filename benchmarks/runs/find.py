"""The run that a command line means, a folder or NAME[/VERSION]/SYSTEM, and the release that it is of."""

import re
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.naming import version_key
from benchwright.benchmarks.releases.find import open_release
from benchwright.benchmarks.releases.manifest import MANIFEST
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.runs.run import RUN, read_run

_VERSION = re.compile(r"\d+\.\d+\.\d+")


def find_run(reference: str, root: Path) -> Path:
    """The folder of a run: one with a run.json, else NAME/VERSION/SYSTEM or (newest version) NAME/SYSTEM in `root`.

    Raises:
        BenchwrightError: there is none of these.
    """
    for folder in (Path(reference), root / reference):
        if (folder / RUN).is_file():
            return folder
    name, _, system = reference.partition("/")
    if system and "/" not in system:
        versions = [
            path.parent.parent
            for path in (root / name).glob(f"*/{system}/{RUN}")
            if _VERSION.fullmatch(path.parent.parent.name)
        ]
        if versions:
            return max(versions, key=lambda path: version_key(path.name)) / system
    if Path(reference).is_dir():
        raise BenchwrightError(f"{reference} is not a run: it has no {RUN}")
    raise BenchwrightError(
        f"there is no run {reference!r} in {root}: name a folder or NAME[/VERSION]/SYSTEM, or make it with score-system"
    )


def find_run_or_release(reference: str, runs: Path, releases: Path) -> Path | Release:
    """The folder of a run, or else a release: what may be rated.

    A run comes first where both are there. What looks like a run of a benchmark that is known is not looked for on the
    Hub.

    Args:
        reference: as `find_run` and `open_release` take it.
        runs: the folder of runs.
        releases: the folder of releases.

    Raises:
        BenchwrightError: there is neither.
    """
    if (Path(reference) / MANIFEST).is_file() and not (Path(reference) / RUN).is_file():
        return open_release(reference, releases)
    try:
        return find_run(reference, runs)
    except BenchwrightError as error:
        lacking = error
    name, _, rest = reference.partition("/")
    if rest and any((root / name).is_dir() for root in (runs, releases)):
        raise lacking
    try:
        return open_release(reference, releases)
    except BenchwrightError as error:
        raise BenchwrightError(
            f"{reference!r} is neither a run in {runs} nor a release in {releases}: {error}"
        ) from None


def release_of(folder: Path, root: Path, reference: str | None = None) -> Release:
    """The release that a run is of.

    Args:
        folder: the run's.
        root: the folder of releases.
        reference: which release it is, as `open_release` takes it; None: that of the run's benchmark and version.

    Raises:
        BenchwrightError: the folder is no run, or there is no such release.
    """
    run = read_run(folder)
    if run is None:
        raise BenchwrightError(f"{folder} is not a run: it has no {RUN}")
    return open_release(reference or f"{run.benchmark}@{run.version}", root)
