"""Releases without the documents' texts: what they may quote, what they tell, and the documents read once more."""

import logging
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.hashing import file_sha256
from benchwright.benchmarks.releases.offsets import CLAUSE, FILE, OFFSETS, PARAMETER
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.types import Document
from benchwright.builders.documents.folder import read_document
from benchwright.builders.documents.tree import Unread
from benchwright.builders.telequad.passages import passages
from benchwright.builders.telequad.questions.asked import Asked, Specification
from benchwright.builders.telequad.reading import ReadDocuments
from benchwright.builders.telequad.source import is_published

log = logging.getLogger("benchwright")

QUOTED, QUOTED_IN_OFFSETS = "quoted", 7
"""The parameter that says how many words in a row a question or an answer may have of its document, and its value for
a release of offsets where none is given."""
QUOTES = "quoting more words in a row than may be quoted"
"""Why groups are left out."""
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"(?:[A-Z]|\d+)(?:\.\d+[a-zA-Z]?)*")
"""A clause's number, which may be told; where it has none, `clause` of the metadata is its heading."""


def most_quoted(parameters: Mapping[str, Any]) -> int:
    """How many words in a row may be quoted; 0: any number."""
    return parameters[QUOTED] or (QUOTED_IN_OFFSETS if parameters[PARAMETER] == OFFSETS else 0)


@dataclass(frozen=True)
class Quotes:
    """What would be a long quote of a document."""

    most: int
    """Words in a row that may be quoted; 0: any number."""
    called: str
    """The document's name or title, which may be said whatever its length."""
    stretches: frozenset[int]
    """A hash of each stretch of one word more."""

    @classmethod
    def of(cls, specification: Specification, most: int) -> "Quotes":
        """Those of a document; none where any number of words may be quoted."""
        texts = (section.text for section in specification.sections) if most else ()
        found = frozenset(each for text in texts for each in stretches(text, most + 1))
        return cls(most, specification.called.strip('"'), found)

    def within(self, asked: Asked, text: str) -> Asked | None:
        """A semantic group without metadata that quotes too much; None where its questions or answers do.

        Args:
            asked: the group.
            text: of the section that it is about.
        """
        if not self.most:
            return asked
        said = [*(wording for each in asked.wordings.values() for wording in each), asked.entity, *asked.aliases]
        said += [text[span.start : span.end] for span in asked.answers]
        if any(map(self.is_long, said)):
            return None
        kept = {name: value for name, value in asked.metadata.items() if not self._any_long(value)}
        return replace(asked, metadata=kept) if len(kept) < len(asked.metadata) else asked

    def is_long(self, text: str) -> bool:
        """Whether a text has more words of the document in a row than may be quoted."""
        parts = text.split(self.called) if self.called else [text]
        return any(each in self.stretches for part in parts for each in stretches(part, self.most + 1))

    def _any_long(self, value: Any) -> bool:
        if isinstance(value, Mapping):
            return any(map(self._any_long, value.values()))
        if isinstance(value, list | tuple):
            return any(map(self._any_long, value)) or self.is_long(" ".join(map(str, value)))
        return isinstance(value, str) and self.is_long(value)


def stretches(text: str, words: int) -> Iterator[int]:
    """A hash of every so many words in a row of a text, whatever stands between them; of this process only."""
    found = _WORD.findall(text.casefold())
    return (hash(tuple(found[start : start + words])) for start in range(len(found) - words + 1))


def told_without_text(document: Document) -> Document:
    """The file and the number of the clause: a heading is text too."""
    file, clause = str(document.metadata.get(FILE, "")), str(document.metadata.get(CLAUSE, ""))
    place = clause if _NUMBER.fullmatch(clause) else str(document.metadata.get("place", ""))
    metadata = {**document.metadata, CLAUSE: place}
    return replace(document, title=", ".join(filter(None, (file, place))), metadata=metadata)


def documents_of(release: Release, folder: Path, progress: Callable[[str, int, int], None]) -> Iterator[Document]:
    """The documents of a release's files as `text=whole` has them; a file that is not there gives none.

    Args:
        release: built from documents.
        folder: where they lie, under the names that the release tells, or under others: then they are known by their
            SHA-256.
        progress: told how many files are read.

    Raises:
        UsageError: the release is of a published file, whose questions are its text.
    """
    sources = {str(each["uri"]).rpartition(": ")[2]: each.get("sha256") for each in release.manifest.sources}
    if any(map(is_published, map(Path, sources))):
        raise UsageError("the release is made from a published file: its questions are its text, and nothing is joined")
    places = _places(sources, folder)
    with tempfile.TemporaryDirectory(prefix="benchwright-telequad-") as waiting:
        read = ReadDocuments(Path(waiting))
        for done, (name, path) in enumerate(places.items()):
            progress("documents", done, len(places))
            document = read_document(path, name)
            if isinstance(document, Unread):
                log.warning("not read: %s (%s)", document.name, document.reason)
            else:
                read.keep(document)
        progress("documents", len(places), len(places))
        with_rows = bool(release.manifest.parameters.get("rows", True))
        for place in range(len(read.documents)):
            yield from passages(read.specification(place), with_rows=with_rows).in_order()


def _places(sources: Mapping[str, str | None], folder: Path) -> dict[str, Path]:
    """Where each file of a release lies: the one with its SHA-256, best by its own path; else one of its path or name,
    which is another version. Nothing outside the folder is looked at, whatever somebody's release calls its files."""
    root = (folder if folder.is_dir() else folder.parent).resolve()
    there = {name: root / name for name in sources if _is_in(root, name)}
    found = {name: path for name, path in there.items() if file_sha256(path) == sources[name]}
    if len(found) < len(sources):
        endings, taken = {Path(name).suffix.lower() for name in sources}, set(found.values())
        others = [path for path in sorted(root.rglob("*"), reverse=True) if path.suffix.lower() in endings]
        others = [path for path in others if path.is_file() and path not in taken]
        hashes, names = {file_sha256(path): path for path in others}, {path.name: path for path in others}
        for name in sources.keys() - found.keys():
            other = hashes.get(sources[name] or "") or there.get(name) or names.get(Path(name).name)
            if other is not None:
                found[name] = other
    return {name: found[name] for name in sources if name in found}


def _is_in(root: Path, name: str) -> bool:
    """Whether a file of this name lies in a folder."""
    path = root / name
    return path.is_file() and path.resolve().is_relative_to(root)
