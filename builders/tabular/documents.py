"""The documents of a release: those of a corpus, and the passages that stand beside questions."""

import json
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.hashing import short_hash
from benchwright.benchmarks.text.cells import LONGEST_DOCUMENT, UnreadableCell, at, is_blank, text_of
from benchwright.benchmarks.types import Document
from benchwright.builders.documents.folder import files_in
from benchwright.builders.tabular.columns import Columns
from benchwright.builders.tabular.files import files_of, format_of, open_files
from benchwright.builders.tabular.tables import Row, Table
from benchwright.builders.tabular.texts import is_text, open_texts

_AT_ONCE = 8_000_000
"""Characters of documents that are written together."""
_ROWS = 2_000


def open_corpus(place: Path) -> Table:
    """A file of documents, or a folder of them: tables, or one document a file.

    Raises:
        BenchwrightError: there is nothing to read.
    """
    if not place.exists():
        raise BenchwrightError(f"there is no file or folder {place} of documents: check corpus=…")
    files = files_in(place)
    if any(is_text(path) for path in files.values()):
        return open_texts(place if place.is_dir() else place.parent, files)
    tables = files_of(place) if place.is_dir() else [place]
    return open_files(tables, format_of(tables[0]))


class Documents:
    """Writes documents, each once, and knows which there are: 8 bytes each are held."""

    def __init__(self, write: Callable[[Iterable[Document]], None]) -> None:
        """
        Args:
            write: where they go.
        """
        self._to = write
        self._waiting: list[Document] = []
        self._size = 0
        self._hashes = array("Q")
        self._sorted: Any = np.empty(0, dtype=np.uint64)
        self._passages: dict[int, int] = {}
        """Of each passage that stands beside a question, its id's hash → its text's."""
        self.count = 0

    def read(self, table: Table, columns: Columns) -> Iterator[int]:
        """Writes the documents of a table. Yields how many there are so far.

        Raises:
            BenchwrightError: one has no id or is no text; the message names its place.
        """
        if "text" not in columns.of:
            raise BenchwrightError(
                f"no column of {table.name} is named as texts are: say which is what with --set "
                "columns=corpus.id=COLUMN,corpus.text=COLUMN"
            )
        for row in table.read(columns.wanted(table.columns)):
            try:
                document = self._document(row, columns)
            except UnreadableCell as error:
                raise BenchwrightError(f"{row.place}: {error}") from None
            self._hashes.append(_hash(document.id))
            self._write(document)
            yield self.count
        self._sorted = np.sort(np.frombuffer(self._hashes, dtype=np.uint64))

    def _document(self, row: Row, columns: Columns) -> Document:
        title = text_of(columns.get(row.cells, "title"), "its title")
        text = document_text(columns.get(row.cells, "text"), "its text")
        name = text_of(columns.get(row.cells, "id"), "its id") if "id" in columns.of else passage_id(title, text)
        if not name:
            raise UnreadableCell("the document has no id")
        return Document(name, title, text, metadata_of(row.cells, columns))

    def has(self, name: str) -> bool:
        """Whether the corpus that was read holds a document."""
        place = int(np.searchsorted(self._sorted, np.uint64(_hash(name))))
        return place < len(self._sorted) and int(self._sorted[place]) == _hash(name)

    def add(self, document: Document, place: str) -> None:
        """Writes a passage that stands beside a question, if it is new.

        Raises:
            BenchwrightError: another text has its id.
        """
        key, content = _hash(document.id), _hash(document.body)
        before = self._passages.get(key)
        if before is None:
            self._passages[key] = content
            self._write(document)
        elif before != content:
            raise BenchwrightError(
                f"{place}: its document {document.id!r} has another text than before: give each text an id of its own"
            )

    def _write(self, document: Document) -> None:
        self.count += 1
        self._waiting.append(document)
        self._size += len(document.body)
        if self._size > _AT_ONCE or len(self._waiting) >= _ROWS:
            self.flush()

    def flush(self) -> None:
        """Writes what is waiting."""
        self._to(self._waiting)
        self._waiting, self._size = [], 0


def passage_id(title: str, text: str) -> str:
    """The id of a document that has none: a hash of its title and text."""
    return short_hash(["tabular", "document", title, text])


def document_text(value: Any, what: str) -> str:
    """The text of a document as it stands: offsets count from its first character.

    Raises:
        UnreadableCell: it is no text.
    """
    if not isinstance(value, str):
        return text_of(value, what, LONGEST_DOCUMENT)
    text_of(value, what, LONGEST_DOCUMENT)
    return value


def metadata_of(cells: Mapping[str, Any], columns: Columns) -> dict[str, Any]:
    """The cells that are kept as they are, by their columns; what JSON has no word for, as a text.

    Raises:
        UnreadableCell: one has half of a character.
    """
    found = {name: _plain(at(cells, name)) for name in columns.metadata}
    kept = {name: value for name, value in found.items() if not is_blank(value)}
    text_of(json.dumps(kept, ensure_ascii=False), "what is kept of it", LONGEST_DOCUMENT)
    return kept


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return None if value != value or value in (float("inf"), float("-inf")) else value
    return str(value)


def _hash(text: str) -> int:
    return int(short_hash([text]), 16)
