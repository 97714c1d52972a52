"""A comparison in a terminal, 100 columns wide."""

import sys
from collections.abc import Sequence
from io import StringIO

from benchwright.benchmarks.comparisons.figures import MetricComparison
from benchwright.benchmarks.comparisons.read import Compared
from benchwright.benchmarks.reports.blocks import Column, Table, foreign
from benchwright.benchmarks.reports.format import amount, count, interval
from benchwright.cards.blocks import terminal
from benchwright.cards.report.terminal import WIDTH


def terminal_table(compared: Compared, metrics: Sequence[MetricComparison]) -> str:
    """The systems by each metric; plain text where stdout is no terminal."""
    from rich.console import Console

    buffer = StringIO()
    shown = sys.stdout.isatty() and sys.stderr.isatty()
    console = Console(file=buffer, width=WIDTH, force_terminal=shown, highlight=False)
    manifest = compared.release.manifest
    said = f"{len(compared.runs)} systems on {manifest.name} {manifest.version}, condition {compared.condition}"
    terminal.line(console, said, "bold")
    for each in metrics:
        rows = tuple(
            (
                foreign(system.run, 60),
                amount(system.value, each.range),
                interval(system.low, system.high, each.range),
                f"{count(system.scored)} of {count(system.total)}",
            )
            for system in each.systems
        )
        columns = (Column("system", "left"), Column("mean"), Column("95 % interval"), Column("scored"))
        caption = f"{each.metric}, over {count(each.questions)} questions that all have, {count(each.groups)} groups"
        terminal.draw(console, [Table((foreign(caption, 200),), columns, rows)])
    return buffer.getvalue().rstrip("\n")
