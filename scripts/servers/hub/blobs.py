"""Contents on disk, each once, found by their SHA-256; written in pieces, so that size costs no memory."""

import hashlib
import os
import threading
from pathlib import Path
from typing import BinaryIO, Protocol

PIECE = 1 << 20


class Readable(Protocol):
    """What can be read in pieces."""

    def read(self, size: int = -1, /) -> bytes: ...


class Blobs:
    """A folder of contents."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._incoming = folder / "incoming"
        self._incoming.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        self._number = 0

    def path(self, sha256: str) -> Path:
        """Where a content lies, or would."""
        return self._folder / sha256[:2] / sha256

    def has(self, sha256: str) -> bool:
        """Whether a content is there."""
        return self.path(sha256).is_file()

    def temporary(self) -> Path:
        """A new name for a file on its way in."""
        with self._lock:
            self._number += 1
            return self._incoming / f"{os.getpid()}-{self._number}"

    def write(self, source: Readable) -> tuple[str, int]:
        """Keeps what is read from `source`: its SHA-256 and size."""
        target = self.temporary()
        try:
            with target.open("wb") as file:
                sha256, size = copy(source, file)
            self._keep(target, sha256)
        finally:
            target.unlink(missing_ok=True)
        return sha256, size

    def write_as(self, sha256: str, source: Readable) -> int | None:
        """Keeps what is read from `source` if its SHA-256 is that one: its size, or nothing where it is not."""
        target = self.temporary()
        try:
            with target.open("wb") as file:
                found, size = copy(source, file)
            if found != sha256:
                return None
            self._keep(target, sha256)
            return size
        finally:
            target.unlink(missing_ok=True)

    def _keep(self, source: Path, sha256: str) -> None:
        path = self.path(sha256)
        path.parent.mkdir(exist_ok=True)
        source.replace(path)


def copy(source: Readable, target: BinaryIO) -> tuple[str, int]:
    """Copies to the end: the SHA-256 and the size of what was copied."""
    digest, size = hashlib.sha256(), 0
    while piece := source.read(PIECE):
        target.write(piece)
        digest.update(piece)
        size += len(piece)
    return digest.hexdigest(), size
