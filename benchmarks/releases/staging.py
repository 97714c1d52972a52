"""How a release gets to its place: built in a hidden folder, moved in one step, never changed in place."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.manifest import MANIFEST
from benchwright.benchmarks.releases.release import Release

_STAGING = ".building-"


@contextmanager
def staging(root: Path, name: str, version: str) -> Iterator[Path]:
    """A hidden folder to build a version in. It is gone afterwards unless `publish` moved it to its place, and with it
    the folder of that name where that is empty.

    Raises:
        BenchwrightError: the folder is not ours, cannot be written, or another build is at work in it.
    """
    home = root / name
    for place in (root, home):
        if place.exists() and not place.is_dir():
            raise BenchwrightError(f"{place} is a file: choose another folder with --releases")
    _check_ours(home, version)
    try:
        home.mkdir(parents=True, exist_ok=True)
        lock = os.open(home, os.O_RDONLY)
    except OSError as error:
        raise BenchwrightError(
            f"{home} cannot be written ({error.strerror}): choose another folder with --releases"
        ) from None
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BenchwrightError(f"another build is writing to {home}: wait for it to end, or use --name") from None
        for left in home.glob(f"{_STAGING}*"):
            shutil.rmtree(left)
        folder = home / f"{_STAGING}{version}"
        try:
            folder.mkdir()
        except OSError as error:
            raise BenchwrightError(
                f"{home} cannot be written ({error.strerror}): choose another folder with --releases"
            ) from None
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        with suppress(OSError):
            home.rmdir()  # only where nothing was ever built in it
        os.close(lock)


def publish(*moves: tuple[Path, Path]) -> bool:
    """Moves finished folders to their places, each in one step and in this order, once all of them may go there.

    False: the same content was there already everywhere, and stays.

    Raises:
        BenchwrightError: a version is there with other content; nothing is moved.
    """
    new = [(folder, target) for folder, target in moves if _is_new(folder, target)]
    for folder, target in new:
        folder.rename(target)
    return bool(new)


def _is_new(folder: Path, target: Path) -> bool:
    if not target.exists():
        return True
    there, new = Release.load(target).manifest, Release.load(folder).manifest
    if there.content_hash == new.content_hash:
        return False
    raise BenchwrightError(
        f"{target} is there with other content, and a version is never changed: {next_version(there.version)}"
    )


def next_version(version: str) -> str:
    """What to do where a version is there already."""
    major, minor, _ = version.split(".")
    return (
        f"build it as the next one with --as-version {int(major) + 1}.0.0 (or {major}.{int(minor) + 1}.0 where "
        "questions were only added), or under another --name"
    )


def _check_ours(home: Path, version: str) -> None:
    target = home / version
    if target.exists() and not (target / MANIFEST).is_file():
        raise BenchwrightError(f"{target} is there and is not a release: choose another --releases or --name")
    if home.is_dir():
        entries = [path for path in home.iterdir() if not path.name.startswith(_STAGING)]
        if entries and not any((path / MANIFEST).is_file() for path in entries):
            raise BenchwrightError(f"{home} holds other files and no release: choose another --releases or --name")
