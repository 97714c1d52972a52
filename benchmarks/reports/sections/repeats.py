"""From run to run: whether the same question gets the same outcome again, and what of it wordings are blamed for."""

from collections.abc import Iterator

from benchwright.benchmarks.reports.blocks import Block, Column, Link, Span, Table, Text, missing, strong
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.format import count, interval, number_of, percent, sentence
from benchwright.benchmarks.reports.groups import TAGS, all_groups, has_wordings, tag_counts
from benchwright.benchmarks.reports.noise.repeats import RunToRun, run_to_run, times_asked
from benchwright.benchmarks.reports.noise.spread import Spread
from benchwright.benchmarks.reports.section import Content, ReportSection


def applies(run: RunData) -> bool:
    """Where a question was asked repeatedly; else the sections on wordings say that they include what differs then."""
    return run_to_run(run).repeats > 1


def compute(run: RunData) -> Content:
    """How far answers to the same question agree, what of the disagreement of wordings that explains, and tags."""
    found = run_to_run(run)
    if found.reason:
        return Content([missing(sentence(found.reason))], ())
    first = Text(tuple(_agreement(run, found)))
    blocks: list[Block] = [first, *_parts(found)]
    if found.tags and has_wordings(run):
        blocks.append(_tags(run, found))
    return Content(blocks, (first, *_parts(found)))


def _agreement(run: RunData, found: RunToRun) -> Iterator[str | Span | Link]:
    yield f"{times_asked(run)}. "
    yield strong(f"Two answers to the same question agree in {_shown(found.agreement)}")
    yield ", both right or both not. "
    yield f"{count(found.unsteady)} of {number_of(found.questions, 'question')} were answered rightly in some repeats, "
    yield "and in others not."


def _parts(found: RunToRun) -> Iterator[Text]:
    unlike, again, wording = found.wordings_disagree, found.from_run_to_run, found.from_wording
    if unlike is None or again is None or wording is None:
        return
    limits = "" if wording.low is None else f" ({interval(max(0.0, wording.low), wording.high)})"
    rest = percent(max(0.0, wording.value or 0.0))
    said = (
        f"Answers to two wordings of a group disagree in {_shown(unlike)}: in {percent(again.value)} two answers to "
        f"one wording would, too; the wording accounts for {rest}{limits}."
    )
    if wording.low is None or wording.low <= 0:
        said += " That wordings matter at all is not shown: run it more often, or on more groups."
    yield Text(said)


def _shown(spread: Spread | None) -> str:
    if spread is None:
        return percent(None)
    return percent(spread.value) + ("" if spread.low is None else f" ({interval(spread.low, spread.high)})")


def _tags(run: RunData, found: RunToRun) -> Table:
    headline = run.questions.headline
    firsts = tag_counts([group for group in all_groups(run) if headline[group.members[0]]])
    columns = (Column("groups by"), *(Column(name) for name in TAGS))
    lines = (("the first answer to each wording", firsts), ("more than half of its answers", found.tags))
    rows = tuple((name, *(count(counts[tag]) for tag in TAGS)) for name, counts in lines)
    return Table("Groups whose wordings were each answered repeatedly", columns, rows, "fit")


SECTION = ReportSection("repeats", "From run to run", compute, order=32, applies=applies)
