"""What questions call a document: the number on its title page, its title, or the name of its file."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from benchwright.builders.documents.tree import Document, Part, Table

LONGEST = 100
"""Characters of a title that can stand in a question."""
_NUMBERS = (
    r"(?:3GPP )?T[SR] \d{2}\.\d{3}(?:-\d+)*",
    r"ETSI (?:TS|TR|EN|ES|EG|GS|GR|SR) \d{3} \d{3}(?:-\d+)*",
    r"RFC ?\d{1,5}",
    r"(?:ISO|IEC)(?:/[A-Z]{2,5})*(?: (?:TS|TR|PAS))? \d{3,6}(?:-\d+)*",
    r"(?:Recommendation )?ITU-[TR](?: Rec\.?)? [A-Z]{1,2}\.\d+(?:\.\d+)*",
    r"IEEE(?: Std\.?)? \d+(?:\.\d+[A-Za-z]{0,3})*",
    r"[A-Z]{2,8}(?: [A-Z]{2,4})? \d{1,5}\.\d{2,5}(?:[.-]\d+)*",
)
_NUMBER = re.compile(
    rf"(?P<number>{'|'.join(_NUMBERS)})(?P<version>[ ,-]*(?:[Vv](?:ersion )?\d+(?:\.\d+)*|:\d{{4}}))?(?![\w.])"
)
_REQUEST = re.compile(r"Request for Comments:\s*(?P<number>\d{1,5})\b")
_DRAFT = re.compile(r"(?<![\w-])(?P<number>draft-[a-z0-9]+(?:-[a-z0-9]+)+?)(?P<version>-\d\d)(?![\w-])")
_SAYS_NOTHING = re.compile(
    r"(?:read ?me|index|introduction|overview|contents|table of contents|foreword|abstract|change ?log|changes|untitled"
    r"|document ?\d*|microsoft word\b.*|preface|summary|home|welcome|scope|general|status of this memo)",
    re.IGNORECASE,
)


def names_of(document: Document) -> tuple[str, ...]:
    """What the document can be called, the best first and its path, which no other document has, last.

    A number is as the title page has it ("LCS 21.104"), then with its version; a title stands in quotes.
    """
    names = [*_numbers(document)]
    title = " ".join(document.title.split()).rstrip(".").replace('"', "'")
    if title and title != document.name and len(title) <= LONGEST and not _SAYS_NOTHING.fullmatch(title):
        names.append(f'"{title}"')
    path = PurePosixPath(document.name)
    return tuple(dict.fromkeys((*names, f'"{path.stem}"', f'"{path}"')))


def distinct(names: Mapping[str, tuple[str, ...]]) -> Mapping[str, str]:
    """The first name of each document that no other document of the build could have, whatever the case.

    Args:
        names: document → its names, as `names_of` gives them.
    """
    counts = Counter(
        name.casefold() for each in names.values() for name in {name.casefold(): name for name in each}.values()
    )
    return {
        document: next((name for name in each if counts[name.casefold()] == 1), each[-1])
        for document, each in names.items()
    }


def _numbers(document: Document) -> tuple[str, ...]:
    """The number of the title page, without and with its version."""
    first = document.clauses[0] if document.clauses else None
    pieces = [document.title]
    if first is not None and first.level == 0:
        pieces += [text for part in first.parts[:6] for text in _texts(part)]
    for piece in pieces:
        if asked := _REQUEST.search(piece):
            return (f"RFC {asked['number']}",)
        if draft := _DRAFT.search(piece):
            return (draft["number"], f"{draft['number']}{draft['version']}")
        if (found := _NUMBER.match(piece.strip())) is not None:
            number = found["number"]
            return (number, f"{number}{found['version']}") if found["version"] else (number,)
    return ()


def _texts(part: Part) -> Iterator[str]:
    """The texts of a part of the title page: a frame around it is a table."""
    if isinstance(part, Table):
        yield from (line for row in part.rows[:2] for cell in row for line in cell.text.split("\n"))
    else:
        yield part.text
