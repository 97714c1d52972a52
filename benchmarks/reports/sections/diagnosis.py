"""Which module of the system fails, as finely as can be told from the outside, with what that is told from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from benchwright.benchmarks.predictions import GOLD
from benchwright.benchmarks.reports.blocks import (
    Block,
    Details,
    Finding,
    Listing,
    Table,
    Text,
    foreign,
    soft,
    strong,
)
from benchwright.benchmarks.reports.blocks import Column as TableColumn
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.failures.diagnosis import Blamed, Diagnosis, diagnosis, modules
from benchwright.benchmarks.reports.format import count, interval, percent
from benchwright.benchmarks.reports.section import Content, ReportSection, per_run

SHOWN = 3
_PROBE = "--probe asks the search for more, and for the evidence's own words: it tells search, ranking and index apart"
_CONDITIONS = (
    "--conditions own,closed,gold,without-gold asks with the gold passages, too: it tells a reader that fails from "
    "contexts that do not reach it"
)
_BRIEF = 2


@dataclass(frozen=True, slots=True)
class DiagnosisFigures:
    """Which module fails, as far as can be told from the outside."""

    modules: tuple[Blamed, ...]
    """Those that are named, the one that loses most first; none where nothing can be told."""
    lost: int
    """Answers that were not right, of those that were looked at."""
    looked_at: int
    """Answers to questions that the documents answer, whole groups of them where there are very many."""
    of: int
    counts: Mapping[str, int]
    """Module → lost answers that it accounts for, named or not; `unseen` are those that show no contexts."""
    reason: str | None
    """Why no module is named."""
    learn: tuple[str, ...]
    """What would tell more."""
    basis: tuple[str, ...]
    """What it is told from: own, conditions, probes."""


@per_run
def diagnosis_figures(run: RunData) -> DiagnosisFigures:
    """The diagnosis, and what would tell more."""
    found = diagnosis(run)
    return DiagnosisFigures(
        modules=found.blamed,
        lost=found.lost,
        looked_at=found.total,
        of=found.of,
        counts=found.counts,
        reason=found.reason,
        learn=tuple(_learn(run, found)),
        basis=found.basis,
    )


def _learn(run: RunData, found: Diagnosis) -> Iterator[str]:
    wanted = {modules()[each.key].learn for each in found.blamed}
    if not found.blamed and found.lost > 0.1 * max(1, found.total):
        wanted |= {"{probe}", "{conditions}"}
    if "{probe}" in wanted and "probes" not in found.basis:
        yield _PROBE
    if "{conditions}" in wanted and GOLD not in run.condition.names:
        yield _CONDITIONS


def compute(run: RunData) -> Content:
    """The modules that are named, what would tell more, and what all lost answers point to."""
    figures = diagnosis_figures(run)
    blocks: list[Block] = []
    if figures.reason is not None:
        blocks.append(Text((strong("Undetermined: "), figures.reason, "."), "body"))
    else:
        says = (
            "The module that loses the most stands first. It is told from the outside: from contexts, answers, and "
            "what else was asked."
        )
        blocks.append(Text(says, "soft"))
    blocks += [_finding(figures, each) for each in figures.modules[:SHOWN]]
    if figures.learn:
        blocks.append(Text(("To learn more: ", "; ".join(figures.learn), "."), "notice"))
    if figures.counts:
        blocks.append(Details("What each lost answer points to", (_table(figures),)))
    return Content(blocks, tuple(_brief(figures)))


def _finding(figures: DiagnosisFigures, blamed: Blamed) -> Finding:
    module = modules()[blamed.key]
    return Finding(
        count=blamed.count,
        total=blamed.share.total,
        of="questions without an answer in the documents" if blamed.key == "bold" else "answers",
        share=blamed.share.value or 0.0,
        low=blamed.share.low,
        high=blamed.share.high,
        text=(strong(module.name), soft(f" ({blamed.confidence})"), f": {module.says}"),
        notes=tuple(foreign(each, 400) for each in blamed.evidence),
        advice=module.advice,
        tone="bad" if blamed.confidence == "clear" else "mixed",
    )


def _table(figures: DiagnosisFigures) -> Table:
    columns = tuple(TableColumn(name) for name in ("module", "lost answers", "of all"))
    rows = tuple(
        (
            modules()[key].name if key in modules() else "Contexts not shown",
            count(number),
            percent(number / figures.looked_at),
        )
        for key, number in figures.counts.items()
    )
    return Table(f"{count(figures.lost)} lost answers of {count(figures.looked_at)} looked at", columns, rows, "fit")


def _brief(figures: DiagnosisFigures) -> Iterator[Block]:
    if not figures.modules:
        return
    lines = []
    for each in figures.modules[:_BRIEF]:
        module = modules()[each.key]
        of = "such questions" if each.key == "bold" else "answers"
        shares = interval(each.share.low, each.share.high)
        said = f"{module.name} ({each.confidence}; {percent(each.share.value or 0)} of {of}, {shares}): {module.says}."
        lines.append(said)
    yield Text("Which module fails", "heading")
    yield Listing(tuple(lines))
    if figures.learn:
        yield Text(("To learn more: ", "; ".join(figures.learn), "."))


SECTION = ReportSection("diagnosis", "Which module fails", compute, order=11)
