"""A comparison as Markdown that fits a pull request's comment or the summary of a job."""

import re
from collections.abc import Iterable, Sequence

from benchwright.benchmarks.comparisons.gate import GateResult
from benchwright.benchmarks.comparisons.gate_words import gate_blocks, outcome
from benchwright.benchmarks.comparisons.read import Compared
from benchwright.benchmarks.reports.blocks import Block, Listing, Table, Text
from benchwright.cards.blocks import markdown
from benchwright.cards.blocks.markdown_text import escape

LIMIT = 65_536
"""What GitHub takes as a comment; counted in bytes here, which are never fewer than its characters."""
MARK = "<!-- benchwright compare-systems -->"
"""The first line, by which a program finds its comment again to write it anew."""
_CALLS = re.compile(r"@|(?<!&)#(?=\d)")
"""What calls a person or links an issue."""
_CUT = "*The rest does not fit here and is in compare.html and compare.json.*\n"


def summary(compared: Compared, results: Sequence[GateResult], more: Iterable[Block] = ()) -> str:
    """What the gates decided, then other blocks, as many as fit."""
    manifest = compared.release.manifest
    said = outcome(results)
    about = f"{len(compared.runs):,} runs on {manifest.name} {manifest.version}, condition {compared.condition}."
    head = f"{MARK}\n## {escape(f'compare-systems: {said}' if said else 'compare-systems')}\n"
    blocks = [Text(about), *(gate_blocks(results) if results else ()), *more]
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
