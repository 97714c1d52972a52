"""What else is said of runs, written as a page and as JSON: two forms of one, what leaked, metrics by retrieval."""

import json
from collections.abc import Sequence
from pathlib import Path

from benchwright.benchmarks.comparisons.between import Between
from benchwright.benchmarks.comparisons.between_words import between_blocks
from benchwright.benchmarks.comparisons.by_retrieval import ByRetrieval
from benchwright.benchmarks.comparisons.by_retrieval_words import by_retrieval_sections
from benchwright.benchmarks.comparisons.leakage import LeakedGroups
from benchwright.benchmarks.comparisons.leakage_words import leakage_blocks
from benchwright.benchmarks.records import as_json
from benchwright.benchmarks.reports.blocks import Section, cut
from benchwright.benchmarks.reports.format import number_of
from benchwright.cards.blocks import terminal
from benchwright.cards.compare.page import render, write_file
from benchwright.cards.compare.terminal import built_in_notice
from benchwright.cards.report.terminal import text_console

BETWEEN, LEAKAGE, BY_RETRIEVAL = "between.json", "leakage.json", "by-retrieval.json"


def write_between(found: Between, folder: Path) -> Path:
    """Writes `between.json` and `between.html` into a folder, each in one step, and returns the page's path."""
    title = f"{cut(found.run, 60)}: {cut(found.first.value, 40)} against {cut(found.second.value, 40)}"
    title += f" on {found.benchmark} {found.version}, condition {found.condition}"
    about = f"Questions of one run by {found.column}, in an unbalanced and in a stratified sample."
    section = Section("result", "Result", tuple(between_blocks(found)), ())
    return _write(found, folder / BETWEEN, title, about, (section,), ", ".join(found.built_in))


def write_leakage(found: LeakedGroups, folder: Path) -> Path:
    """Writes `leakage.json` and `leakage.html` into a folder as `write_between` does."""
    title = f"{cut(found.run, 60)}: open-domain leakage on {found.benchmark} {found.version}"
    about = "What the retrieval database covers, with and without what the language model answers by itself."
    section = Section("result", "Result", tuple(leakage_blocks(found)), ())
    return _write(found, folder / LEAKAGE, title, about, (section,), ", ".join(found.built_in))


def write_by_retrieval(found: ByRetrieval, folder: Path) -> Path:
    """Writes `by-retrieval.json` and `by-retrieval.html` into a folder as `write_between` does."""
    title = _title(found)
    about = "Retrievers, metrics where retrieval was right and where it was wrong, and what metrics say beside people."
    return _write(found, folder / BY_RETRIEVAL, title, about, by_retrieval_sections(found), ", ".join(found.built_in))


def by_retrieval_text(found: ByRetrieval) -> str:
    """The same in a terminal."""
    buffer, console = text_console()
    terminal.line(console, _title(found), "bold")
    if found.built_in:
        terminal.line(console, built_in_notice(", ".join(found.built_in)), "yellow")
    for section in by_retrieval_sections(found):
        terminal.draw(console, section.brief)
    return buffer.getvalue().rstrip("\n")


def _title(found: ByRetrieval) -> str:
    names = [cut(name, 60) for name in found.runs]
    who = " and ".join(names) if len(names) < 3 else number_of(len(names), "run")
    return f"{who} by retrieval on {found.benchmark} {found.version}, condition {found.condition}"


def _write(
    found: Between | LeakedGroups | ByRetrieval,
    data: Path,
    title: str,
    about: str,
    sections: Sequence[Section],
    built_in: str,
) -> Path:
    data.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(as_json(found), ensure_ascii=False, indent=1, allow_nan=False)
    write_file(data, f"{text}\n")
    return write_file(data.with_suffix(".html"), render(title, about, sections, built_in, data.name))
