"""Which of several values in one sentence belongs to which column: "began on A and ends on B" leaves no doubt.

Each value has a stretch of its own, from the value before it or up to the value after it. The sentence is clear where,
in one of these two ways, every stretch speaks of the column of its value and of no other of them.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from benchwright.builders.aurp.cues import cues

Range = tuple[int, int]
Placed = tuple[int, int, str]
"""Start and end of a value, and the column that it is a value of."""

_NOW = re.compile(r"\b(?:to|now|currently|today|instead|at present|since then)\b", re.IGNORECASE)
_BELOW = re.compile(
    r"\b(?:supervises|supervised|manages|managed|oversees|leads|heads"
    r"|(?<!whose )(?:is|was|as|and) (?:the |also )*(?:supervisor|boss|superior|line manager) of) $"
)
_ABOVE = re.compile(r"[\s,]*(?:now )?(?:reports?|answers?)(?: \w+)? to\b|[\s,]*is (?:supervised|managed) by\b")


def is_clear(text: str, window: Range, values: Sequence[Placed], names: Sequence[Range]) -> bool:
    """Whether a sentence says of each of some values of different columns which of them it is.

    `names`: stretches whose own words say nothing, as those of "Quay Finishes".
    """
    ordered = sorted(values)
    columns = {column for _, _, column in ordered}
    return len(columns) == len(ordered) and any(
        all(
            _speaks(text, stretch, {column}, names) and not _speaks(text, stretch, columns - {column}, names)
            for stretch, column in way
        )
        for way in _ways(window, ordered)
    )


def is_swapped(text: str, window: Range, one: Placed, other: Placed, names: Sequence[Range]) -> bool:
    """Whether a sentence gives each of two values the column of the other one."""
    ordered = sorted((one, other))
    columns = {one[2], other[2]}
    return len(columns) == 2 and any(
        all(
            not _speaks(text, stretch, {column}, names) and _speaks(text, stretch, columns - {column}, names)
            for stretch, column in way
        )
        for way in _ways(window, ordered)
    )


def is_now(text: str, former: Range, now: Range) -> bool:
    """Whether what stands between a former value and the one that holds says that the latter holds now."""
    return former[1] <= now[0] and _NOW.search(text, former[1], now[0]) is not None


def is_below(text: str, value: Range) -> bool:
    """Whether the one named at a place is said to report to somebody, who is then no supervisor of anybody here."""
    return _ABOVE.match(text, value[1]) is not None or _BELOW.search(text[: value[0]]) is not None


def _ways(window: Range, values: Sequence[Placed]) -> tuple[list[tuple[Range, str]], list[tuple[Range, str]]]:
    """The stretches before values, and those after them, each with the column of its value."""
    edges = [window[0], *(end for _, end, _ in values)]
    before = [((low, start), column) for low, (start, _, column) in zip(edges, values, strict=False)]
    ends = [(one[1], other[0]) for one, other in pairwise(values)] + [(values[-1][1], window[1])]
    return before, [(stretch, column) for stretch, (_, _, column) in zip(ends, values, strict=True)]


def _speaks(text: str, stretch: Range, columns: set[str], names: Sequence[Range]) -> bool:
    found = (match.start() for column in columns for match in cues()[column].finditer(text, *stretch))
    return any(not any(low <= at < high for low, high in names) for at in found)
