"""What a report is of, in a line."""

from benchwright.benchmarks.reports.blocks import cut
from benchwright.benchmarks.reports.format import count
from benchwright.benchmarks.reports.report import Report


def title(report: Report) -> str:
    """Release, system and number of questions."""
    system = report.system
    name = cut(system.name, 60)
    return f"{report.benchmark} {report.version} · {name} ({system.kind}) · {count(report.questions)} questions"


def built_in_parts(report: Report) -> str:
    """What of the answers and texts was made by rules, as a list in words; empty where nothing was."""
    return ", ".join([*(["reader"] if report.system.built_in_reader else []), *report.system.built_in_texts])
