"""A report in a terminal, 100 columns wide: of each section what it shows in brief."""

import sys
from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING

from benchwright.benchmarks.reports.blocks import Block
from benchwright.benchmarks.reports.report import Report
from benchwright.cards.blocks import terminal
from benchwright.cards.report.title import built_in_parts, title

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 100


def terminal_text(blocks: Sequence[Block]) -> str:
    """Blocks below each other; plain text where stdout is no terminal."""
    buffer, console = text_console()
    terminal.draw(console, blocks)
    return buffer.getvalue().rstrip("\n")


def text_console() -> "tuple[StringIO, Console]":
    """A console, and what it writes to: with colours where stdout and stderr are a terminal."""
    from rich.console import Console

    buffer = StringIO()
    shown = sys.stdout.isatty() and sys.stderr.isatty()
    return buffer, Console(file=buffer, width=WIDTH, force_terminal=shown, highlight=False)


def terminal_table(report: Report) -> str:
    """The report in short; plain text where stdout is no terminal."""
    buffer, console = text_console()
    terminal.line(console, title(report), "bold")
    parts = built_in_parts(report)
    if parts:
        said = f"Built-in {parts}: for trying things out and comparing, not for judging a real system."
        terminal.line(console, said, "yellow")
    errors = report.errors
    if errors.count:
        first = errors.kinds[0].message
        shown = first if len(first) <= 60 else f"{first[:60]}… ({len(first) - 60:,} more characters)"
        terminal.line(console, f"{errors.count:,} errors of the system; the most frequent: {shown}", "yellow")
    for section in report.sections:
        if section.brief and section.brief == section.blocks:
            terminal.line(console, section.title, "bold")
        terminal.draw(console, section.brief)
    return buffer.getvalue()
