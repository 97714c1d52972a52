"""A corpus of files with a document each: plain texts as they stand, others as `builders/documents` reads them."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.documents.folder import READERS, read_document
from benchwright.builders.documents.sections import whole_text
from benchwright.builders.documents.tree import Unread
from benchwright.builders.tabular.files import source_of
from benchwright.builders.tabular.left_out import LeftOut
from benchwright.builders.tabular.tables import Row, Table

_PLAIN = (".txt", ".md")
_COLUMNS = ("id", "title", "text")
UNREAD = "documents that could not be read"
IN_PART = "documents of which not everything is text (--verbose says what)"
log = logging.getLogger("benchwright")


def is_text(path: Path) -> bool:
    """Whether a file is a document by its name."""
    return path.suffix.lower() in READERS


def open_texts(folder: Path, files: Mapping[str, Path]) -> Table:
    """A row a file that can be read, with its name in the folder as its id. The others are named and left out.

    Raises:
        BenchwrightError: none of them can be read.
    """
    left_out = LeftOut()

    def read(wanted: Sequence[str]) -> Iterator[Row]:
        left_out.clear()
        reason = ""
        for name, path in files.items():
            found = _read(name, path, folder, left_out)
            if isinstance(found, Row):
                yield found
            else:
                reason = reason or f"{name}: {found.reason}"
                log.warning("%s is not read: %s", name, found.reason)
                left_out.detail(UNREAD, name)
        if left_out.details[UNREAD] == len(files):
            raise BenchwrightError(f"no document of {folder} can be read; the first is {reason}")

    sources = tuple(
        {**source_of(path, "text"), "uri": f"text:{name}"} for name, path in files.items() if path.is_file()
    )
    return Table(folder.name, _COLUMNS, read, sources, {name: name for name in _COLUMNS}, left_out)


def _read(name: str, path: Path, folder: Path, left_out: LeftOut) -> Row | Unread:
    if path.suffix.lower() not in _PLAIN:
        found = read_document(path, name, folder)
        if isinstance(found, Unread):
            return found
        if found.unread:
            log.info("not read of %s: %s", name, "; ".join(found.unread))
            left_out.detail(IN_PART, name)
        return Row(name, {"id": name, "title": found.title, "text": whole_text(found)})
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise BenchwrightError(f"{path}, line {line} is not UTF-8 text: save it as UTF-8") from None
    return Row(name, {"id": name, "title": path.stem, "text": text})
