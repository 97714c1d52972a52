"""Where a table of contents stands among lines: its entries come again as headings, so it is left out."""

import re
from collections.abc import Sequence

_HEADING = re.compile(
    r"\s*(table of )?contents:?\s*|\s*(inhalt|inhaltsverzeichnis|sommaire|table des matières)\s*", re.IGNORECASE
)
_PAGE = re.compile(r"[\s.·…]+(\d{1,4}|[ivxlc]{1,6})\s*$")
_FIRST = 3
"""Entries of which one must come again as a heading."""
_LONGEST, _WIDEST = 3_000, 300
"""Lines of a table of contents, and characters of one of its lines."""
_LINES_OF_ENTRY = 2


def is_contents_line(line: str) -> bool:
    """Whether a line has the dots of a table of contents."""
    line = line.replace(" ", "")
    return len(line) < _WIDEST and not line.startswith(".") and bool(re.search(r"\.{4,}[^.]{1,6}$", line))


def contents_in(lines: Sequence[str]) -> range:
    """The places of a table of contents' lines, its heading with them; empty where there is none.

    It goes up to where one of its first entries comes again; else as far as lines end with a page.
    """
    start = next((at for at, line in enumerate(lines) if _HEADING.fullmatch(line)), None)
    if start is None:
        return range(0)
    entries: dict[str, int] = {}
    for at in range(start + 1, min(start + _LONGEST, len(lines))):
        key = _key(lines[at])
        if key in entries:
            return range(start, at)
        if key and len(entries) < _FIRST:
            entries[key] = at
    end = last = start + 1
    while end < len(lines) and end - last <= _LINES_OF_ENTRY:
        end += 1
        last = end if _PAGE.search(lines[end - 1]) else last
    return range(start, last)


def _key(line: str) -> str:
    return re.sub(r"[\W_]+", "", _PAGE.sub("", line)).casefold()
