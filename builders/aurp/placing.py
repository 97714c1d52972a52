"""What the place of a value says of its column, though no word beside it does: a table's head, a name before it."""

import re
from collections.abc import Iterable

Range = tuple[int, int]

APPOSED = frozenset({"job_title"})
"""Columns whose value may follow a name without a word that speaks of the column: "Ada Moss, Site Engineer, ..."."""
_BETWEEN = re.compile(r",? ?\(|, (?:an? |our |the )?| [–—-] ")
_AFTER = re.compile(r"[,.);\n]|\s[–—-]\s|$")


def head(text: str, at: int) -> Range | None:
    """The cell at the head of a table's column in which an offset lies; None outside of tables and in their heads."""
    start = _line(text, at)
    if text[start : start + 1] != "|":
        return None
    top = start
    while top > 0 and text[above := _line(text, top - 1)] == "|":
        top = above
    if top == start:
        return None
    end = text.find("\n", top)
    cells = [match.end() for match in re.finditer(r"\|", text[top:end])]
    number = text.count("|", start, at) - 1
    if not 0 <= number < len(cells) - 1:
        return None
    return top + cells[number], top + cells[number + 1] - 1


def is_apposed(text: str, value: Range, names: Iterable[Range]) -> bool:
    """Whether a value stands in apposition to one of some names: between commas or in brackets, right after it."""
    follows = _AFTER.match(text, value[1])
    return follows is not None and any(
        end <= value[0] and _BETWEEN.fullmatch(text[end : value[0]]) is not None for _, end in names
    )


def _line(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1
