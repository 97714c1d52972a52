"""The documents of a build, read one at a time: their sections wait in a folder until they are asked about."""

import pickle
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from benchwright.builders.documents.folder import read_documents
from benchwright.builders.documents.sections import Section, sections
from benchwright.builders.documents.tree import Document
from benchwright.builders.documents.usable import tell_refused, usable_documents
from benchwright.builders.telequad.questions.asked import Specification
from benchwright.builders.telequad.questions.called import distinct, names_of


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document that was read, without its text."""

    name: str
    title: str
    names: tuple[str, ...]
    """What it can be called, the best first."""


@dataclass
class ReadDocuments:
    """What a source gave."""

    folder: Path
    """Where sections wait."""
    documents: list[ReadDocument] = field(default_factory=list)
    """In the order of their paths."""
    refused: dict[str, str] = field(default_factory=dict)
    """File that could not be read → why."""
    not_read: Counter[str] = field(default_factory=Counter)
    """What of those that were read is not in their sections → how often."""

    def sections(self, place: int) -> Sequence[Section]:
        """The sections of the document at a place of `documents`."""
        with (self.folder / str(place)).open("rb") as file:
            return pickle.load(file)

    def specification(self, place: int) -> Specification:
        """A document as the patterns read it, once all are read."""
        name = self.documents[place].name
        return Specification(name, self.called[name], tuple(self.sections(place)))

    @cached_property
    def called(self) -> Mapping[str, str]:
        """Document → what questions call it."""
        return distinct({each.name: each.names for each in self.documents})

    def keep(self, document: Document) -> None:
        """Takes in a document."""
        found = tuple(sections(document))
        with (self.folder / str(len(self.documents))).open("wb") as file:
            pickle.dump(found, file, protocol=pickle.HIGHEST_PROTOCOL)
        self.documents.append(ReadDocument(document.name, document.title, names_of(document)))
        for line in document.unread:
            what, _, count = line.rpartition(": ")
            number = count.replace(",", "")
            self.not_read[what if number.isdecimal() else line] += int(number) if number.isdecimal() else 1


def read_all(source: Path, folder: Path, progress: Callable[[str, int, int], None]) -> ReadDocuments:
    """Reads a file or a folder. Names what cannot be read in a warning; the others go on.

    Args:
        source: the file or the folder.
        folder: an empty one, for what waits.
        progress: told how many are read.

    Raises:
        UsageError: there is no file.
        BenchwrightError: none of them can be read.
    """
    found = ReadDocuments(folder)
    for document in usable_documents(read_documents(source, progress), found.refused):
        found.keep(document)
    published = next((name for name in found.refused if name.endswith(".json")), None)
    hint = f"; if {published} is a published file of questions, name that file" if published else ""
    tell_refused(source, found.refused, len(found.documents), hint)
    return found
