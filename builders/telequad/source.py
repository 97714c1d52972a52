"""What a build reads: three fictional specifications of our own, a file or folder of documents, or a published file."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.hashing import file_sha256
from benchwright.benchmarks.releases.writer import AS_QUESTIONS
from benchwright.builders.telequad.own.write import write_specifications
from benchwright.builders.telequad.published import is_published

OWN_LICENCE = "cc-by-4.0"


@dataclass(frozen=True)
class Source:
    """Where documents or questions are read from."""

    path: Path
    is_own: bool
    """Written by rule for this build."""
    licence: str | None

    @property
    def is_published(self) -> bool:
        """Whether it is a file of questions, not of documents."""
        return is_published(self.path)

    def record(self, name: str) -> Mapping[str, Any]:
        """What the manifest says of one of its files, named by its path in the folder."""
        path = self.path / name if self.path.is_dir() else self.path
        return {
            "uri": f"specifications written by rule: {name}" if self.is_own else name,
            "revision": None,
            "sha256": file_sha256(path),
            "licence": self.licence,
            "rows_shipped": "none" if self.is_own else AS_QUESTIONS,
        }


@contextmanager
def open_source(place: str, licence: str, folder: Path) -> Iterator[Source]:
    """The source that a parameter names; nothing: ours, within a folder, from which they are gone afterwards.

    Raises:
        UsageError: there is no such file or folder.
    """
    if place:
        path = Path(place).expanduser()
        if not path.exists():
            raise UsageError(
                f"source={place} is not there: name a folder of documents, a document, or a published .json"
            )
        yield Source(path, is_own=False, licence=licence or None)
        return
    with TemporaryDirectory(prefix=".own-", dir=folder) as own:
        write_specifications(Path(own))
        yield Source(Path(own), is_own=True, licence=OWN_LICENCE)
