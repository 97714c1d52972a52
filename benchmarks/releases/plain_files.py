"""What a release's folder may hold: files and folders, and nothing that is read from elsewhere or never ends.

A release comes from strangers: a link would read whatever it points at, a FIFO or a device would never end. The one
exception is the cache of `huggingface_hub`, whose snapshots are links into a folder beside them:

    CACHE/datasets--NAMESPACE--NAME/snapshots/COMMIT/PATH  ->  …/datasets--NAMESPACE--NAME/blobs/HASH
    CACHE/datasets--NAMESPACE--NAME/blobs/HASH             ->  CACHE/blobs/HA/HASH  (a file that repositories share)
"""

import os
import re
import stat
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError

ENTRIES = 100_000
"""Files and folders that a release may hold."""
_COMMIT = re.compile(r"[0-9a-f]{40}")
_SHARED = re.compile(r"[0-9a-f]{64}")
_KINDS = {
    stat.S_IFLNK: "a link",
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
    stat.S_IFDIR: "a folder",
}


def check_folder(folder: Path) -> None:
    """Looks at every entry of a release's folder; those that are hidden at its top, such as `.git`, are never read.

    Raises:
        BenchwrightError: one is neither a file nor a folder, there are too many, or a folder cannot be read.
    """
    waiting, count = [folder], 0
    while waiting:
        place = waiting.pop()
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    count += 1
                    if place == folder and entry.name.startswith("."):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(Path(entry.path))
                    else:
                        check_file(Path(entry.path), folder)
        except OSError as error:
            raise BenchwrightError(f"{place} cannot be read: {error.strerror or error}") from None
        if count > ENTRIES:
            raise BenchwrightError(f"{folder} holds more than {ENTRIES:,} files: it is not a release")


def check_file(path: Path, folder: Path) -> None:
    """Raises where a path of a release is anything but a file.

    Args:
        path: the path, with the release's folder before it.
        folder: the release's folder.

    Raises:
        BenchwrightError: it is a link, a pipe, a device, a socket or a folder.
        OSError: there is nothing, or it cannot be looked at.
    """
    mode = path.lstat().st_mode
    if stat.S_ISREG(mode) or (stat.S_ISLNK(mode) and _is_of_cache(path, folder)):
        return
    kind = _KINDS.get(stat.S_IFMT(mode), "no file")
    raise BenchwrightError(f"{path} is {kind}: a release holds files and folders alone; get it again from its source")


def _is_of_cache(link: Path, folder: Path) -> bool:
    """Whether a link is one of those that `huggingface_hub` makes in its cache, and ends at a file there."""
    folder = Path(os.path.normpath(folder.absolute()))
    repository = folder.parent.parent
    if folder.parent.name != "snapshots" or not _COMMIT.fullmatch(folder.name) or "--" not in repository.name:
        return False
    blobs = repository / "blobs"
    blob = _target(link)
    if blob.parent != blobs or not stat.S_ISDIR(blobs.lstat().st_mode):
        return False
    mode = blob.lstat().st_mode
    if stat.S_ISLNK(mode):
        shared = _target(blob)
        place = repository.parent / "blobs" / shared.name[:2] / shared.name
        return shared == place and bool(_SHARED.fullmatch(shared.name)) and stat.S_ISREG(shared.lstat().st_mode)
    return stat.S_ISREG(mode)


def _target(link: Path) -> Path:
    """Where a link points, as it is written: no link on the way is followed."""
    return Path(os.path.normpath(link.parent.absolute() / link.readlink()))
