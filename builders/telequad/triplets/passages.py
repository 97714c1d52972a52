"""The texts of a corpus as triplets take them, and how near two of them stand to each other."""

from dataclasses import dataclass
from typing import Literal

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
