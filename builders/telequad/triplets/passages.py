"""The texts of a corpus as triplets take them, and how near two of them stand to each other."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from benchwright.builders.telequad.passages import BETWEEN_HEADINGS, SECTION

Sort = Literal["same_table", "sister", "same_document", "same_split"]
SORTS: tuple[Sort, ...] = ("same_table", "sister", "same_document", "same_split")
"""Another row of the table; another clause of the same parent; the others are neighbours by BM25, in the document or in
another one of the split."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A section, or a row of a table."""

    id: str
    """Of the document of the corpus."""
    text: str
    file: str
    """Which document it is part of."""
    clause: str = ""
    """Which clause of the file it is, or stands in: any name that no other clause has."""
    parent: str = ""
    """The clause that it is in; "": the file."""
    table: str = ""
    """Of a row: its table, by a name that no other table of the file has."""


def sort_of(positive: Passage, other: Passage) -> Sort:
    """How another text stands to the one that answers."""
    if other.file != positive.file:
        return "same_split"
    if positive.table and other.table == positive.table:
        return "same_table"
    is_sister = not other.table and other.parent == positive.parent and other.clause != positive.clause
    return "sister" if is_sister else "same_document"


def passage_of(name: str, title: str, text: str, metadata: Mapping[str, Any]) -> Passage:
    """A document of the corpus as triplets take it.

    A section's title has the headings around it; a row's metadata names its section, and its id begins with that of
    its table. A context of a published file is a section of its title.
    """
    file = str(metadata.get("file") or title)
    section = metadata.get(SECTION)
    parent = title.rpartition(BETWEEN_HEADINGS)[0] if "file" in metadata else ""
    table = name.rpartition("-")[0] if section else ""
    return Passage(name, text, file, str(section or name), parent, table)
