"""A comparison as Markdown that fits a pull request's comment or the summary of a job."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from benchwright.benchmarks.comparisons.blocks import comparison_sections
from benchwright.benchmarks.comparisons.comparison import Comparison
from benchwright.benchmarks.comparisons.gate import GateResult
from benchwright.benchmarks.comparisons.gate_words import METHOD, gate_blocks, outcome
from benchwright.benchmarks.reports.blocks import Block, Listing, Table, Text, foreign
from benchwright.cards.blocks import markdown
from benchwright.cards.blocks.markdown_text import escape

LIMIT = 65_536
"""What GitHub takes as a comment; counted in bytes here, which are never fewer than its characters."""
MARK = "<!-- benchwright compare-systems -->"
"""The first line, by which a program finds its comment again to write it anew."""
_CALLS = re.compile(r"@|(?<!&)#(?=\d)")
"""What calls a person or links an issue."""
_CUT = "*The rest does not fit here and is in compare.html and compare.json.*\n"


def summary(about: str, results: Sequence[GateResult], comparison: Comparison | None = None) -> str:
    """What the gates decided, then what the comparison shows in brief, as much of it as fits.

    Args:
        about: the release that the runs are of, by name and version.
        results: of the gates, if there are any.
        comparison: the whole; None where the runs have no question in common.
    """
    said = outcome(results)
    head = f"{MARK}\n## {escape(f'compare-systems: {said}' if said else 'compare-systems')}\n"
    blocks: list[Block] = [Text((foreign(f"On {about}.", 500),)), *((*gate_blocks(results), METHOD) if results else ())]
    if comparison is not None:
        blocks += [block for each in comparison_sections(replace(comparison, gates=())) for block in each.brief]
    return _fitting(head, blocks)


def _fitting(text: str, blocks: Iterable[Block]) -> str:
    """The text and the blocks below it, up to the limit: tables and listings are cut, others left out."""
    for block in blocks:
        drawn = f"\n{_quiet(markdown.draw([block]))}"
        if _size(text) + _size(drawn) + _size(_CUT) + 1 <= LIMIT:
            text += drawn
            continue
        if isinstance(block, Table | Listing):
            kept, room = "", LIMIT - _size(text) - _size(_CUT) - 1
            for line in drawn.splitlines(keepends=True):
                if _size(kept) + _size(line) > room:
                    break
                kept += line
            text += kept
        return f"{text}\n{_CUT}"
    return text


def _quiet(text: str) -> str:
    """Markdown whose texts call nobody and link no issue: GitHub reads `@name` and `#1` in names and reasons so."""
    return _CALLS.sub(lambda found: f"{found[0]}\u2060", text)


def _size(text: str) -> int:
    return len(text.encode())
