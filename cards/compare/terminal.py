"""A comparison in a terminal, 100 columns wide: of each section what it shows in brief."""

import sys
from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING

from benchwright.benchmarks.comparisons.blocks import comparison_sections
from benchwright.benchmarks.comparisons.comparison import Comparison
from benchwright.benchmarks.reports.blocks import Block
from benchwright.cards.blocks import terminal
from benchwright.cards.compare.title import built_in_parts, title
from benchwright.cards.report.terminal import WIDTH

if TYPE_CHECKING:
    from rich.console import Console


def terminal_text(blocks: Sequence[Block]) -> str:
    """Blocks below each other; plain text where stdout is no terminal."""
    buffer, console = _console()
    terminal.draw(console, blocks)
    return buffer.getvalue().rstrip("\n")


def terminal_table(comparison: Comparison) -> str:
    """The comparison in short; plain text where stdout is no terminal."""
    buffer, console = _console()
    terminal.line(console, title(comparison), "bold")
    parts = built_in_parts(comparison)
    if parts:
        said = f"Built-in {parts}: for trying things out and comparing, not for judging a real system."
        terminal.line(console, said, "yellow")
    for section in comparison_sections(comparison):
        terminal.draw(console, section.brief)
    return buffer.getvalue().rstrip("\n")


def _console() -> "tuple[StringIO, Console]":
    from rich.console import Console

    buffer = StringIO()
    shown = sys.stdout.isatty() and sys.stderr.isatty()
    return buffer, Console(file=buffer, width=WIDTH, force_terminal=shown, highlight=False)
