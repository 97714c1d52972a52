"""The vectors of a corpus in a file, so that a second start need not make them, and that memory need not hold them.

A file is a short head and rows of single-precision numbers. It grows as vectors come: a start that was stopped goes on
behind the last whole row.
"""

import fcntl
import hashlib
import logging
import os
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.models.responses import Vectors

log = logging.getLogger("benchwright")
_HEAD = struct.Struct("<8sQ")
_MAGIC = b"bwvect01"
_BLOCK = 1 << 16
"""Rows that are compared at once."""

Embed = Callable[[Iterable[str]], Iterator[Vectors]]
"""The vectors of texts in a row, some rows at a time."""


@dataclass(frozen=True)
class VectorFile:
    """The vectors of some texts, one a row."""

    rows: Vectors
    """Read from the file where they are needed."""

    def similar(self, vector: Vectors) -> np.ndarray:
        """The cosine of each row and a vector: exact, row by row; all are of length 1."""
        if len(self.rows) and vector.shape != self.rows.shape[1:]:
            raise BenchwrightError(
                f"the embedding model gave {vector.size} numbers for a question and {self.rows.shape[1]} for a passage"
            )
        found = np.empty(len(self.rows))
        for start in range(0, len(self.rows), _BLOCK):
            found[start : start + _BLOCK] = self.rows[start : start + _BLOCK] @ vector
        return found


def file_of(folder: Path, model: str, texts: Sequence[str]) -> Path:
    """Where the vectors lie that a model makes of some texts."""
    whole = hashlib.sha256(model.encode("utf-8", "surrogatepass"))
    for text in texts:
        whole.update(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest())
    return folder / f"{whole.hexdigest()}.vectors"


def open_vectors(path: Path, texts: Sequence[str], embed: Embed, *, again: bool = False) -> VectorFile:
    """The vectors of some texts, from their file; what is not there yet is made and added to it.

    Args:
        path: the file.
        texts: in their order.
        embed: makes vectors.
        again: make all of them, whatever is there.

    Raises:
        BenchwrightError: the file cannot be written, or the vectors are not alike.
    """
    if not texts:
        return VectorFile(np.zeros((0, 0), dtype=np.float32))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a+b") as file:
            _lock(file.fileno())
            size, done = _state(file.fileno(), again=again)
            if done < len(texts):
                log.info("%s of %s passages get vectors", f"{len(texts) - done:,}", f"{len(texts):,}")
                size = _complete(file.fileno(), size, done, texts, embed)
        rows = np.memmap(path, dtype="<f4", mode="r", offset=_HEAD.size, shape=(len(texts), size))
    except OSError as error:
        raise BenchwrightError(f"the vectors cannot be kept in {path.parent}: {error.strerror or error}") from None
    return VectorFile(rows)


def _lock(file: int) -> None:
    """Waits until no other process makes these vectors, which are then there."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        log.warning("another command is making vectors of the same passages: waiting for them")
        fcntl.flock(file, fcntl.LOCK_EX)


def _state(file: int, *, again: bool) -> tuple[int, int]:
    """Numbers of a row, and whole rows that there are; 0 and 0 where it is no such file or unwanted: it is emptied."""
    head = os.pread(file, _HEAD.size, 0)
    magic, size = _HEAD.unpack(head) if len(head) == _HEAD.size else (b"", 0)
    if again or magic != _MAGIC or not size:
        os.ftruncate(file, 0)
        return 0, 0
    done = (os.fstat(file).st_size - _HEAD.size) // (4 * size)
    os.ftruncate(file, _HEAD.size + 4 * size * done)
    return size, done


def _complete(file: int, size: int, done: int, texts: Sequence[str], embed: Embed) -> int:
    """Makes the vectors that are missing, and returns the numbers of a row."""
    for vectors in embed(texts[place] for place in range(done, len(texts))):
        if not size:
            size = vectors.shape[1]
            os.write(file, _HEAD.pack(_MAGIC, size))
        if vectors.shape[1] != size or not size:
            raise BenchwrightError(f"the embedding model gave {vectors.shape[1]} numbers for a text and {size} before")
        _write(file, np.ascontiguousarray(vectors, dtype="<f4").tobytes())
        done += len(vectors)
    if done != len(texts):
        raise BenchwrightError(f"the embedding model gave {done:,} vectors for {len(texts):,} texts")
    return size


def _write(file: int, data: bytes) -> None:
    while data:
        data = data[os.write(file, data) :]
