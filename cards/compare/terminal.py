"""A comparison in a terminal, 100 columns wide: of each section what it shows in brief."""

from benchwright.benchmarks.comparisons.blocks import comparison_sections
from benchwright.benchmarks.comparisons.comparison import Comparison
from benchwright.cards.blocks import terminal
from benchwright.cards.compare.title import built_in_parts, title
from benchwright.cards.report.terminal import text_console


def terminal_table(comparison: Comparison) -> str:
    """The comparison in short; plain text where stdout is no terminal."""
    buffer, console = text_console()
    terminal.line(console, title(comparison), "bold")
    parts = built_in_parts(comparison)
    if parts:
        terminal.line(console, built_in_notice(parts), "yellow")
    for section in comparison_sections(comparison):
        terminal.draw(console, section.brief)
    return buffer.getvalue().rstrip("\n")


def built_in_notice(parts: str) -> str:
    """What is said of parts that rules made."""
    return f"Built-in {parts}: for trying things out and comparing, not for judging a real system."
