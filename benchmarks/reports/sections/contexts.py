"""Contexts: how many are of the corpus, by what they were found to be, and how many are foreign."""

from dataclasses import dataclass

from benchwright.benchmarks.reports.blocks import Block, Column, Table, Text
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.format import count, number_of, percent
from benchwright.benchmarks.reports.section import Content, ReportSection, per_run
from benchwright.benchmarks.reports.share import Share, share

MANY = 0.2
"""From this share of foreign contexts on, what to do is said."""
_NO_CONTEXTS = "the system handed in no contexts"


@dataclass(frozen=True, slots=True)
class ContextShares:
    """Of the contexts that a system retrieved itself, in all conditions and repeats, how each was matched."""

    total: int
    id: Share
    uri: Share
    """By an address or an id of a company's own, with `--map`."""
    text: Share
    foreign: Share
    """Of no document of the corpus."""


@per_run
def context_shares(run: RunData) -> ContextShares:
    """How the contexts of a run were matched when it was scored."""
    counts = run.settings.counts.contexts
    total = counts.id + counts.uri + counts.text + counts.foreign
    by_id, uri, text, foreign = (
        share(each, total, _NO_CONTEXTS) for each in (counts.id, counts.uri, counts.text, counts.foreign)
    )
    return ContextShares(total, by_id, uri, text, foreign)


def applies(run: RunData) -> bool:
    """Whether there are contexts."""
    return context_shares(run).total > 0


def compute(run: RunData) -> Content:
    """The shares, and what to do about many that are foreign."""
    found = context_shares(run)
    ways = (
        ("id", found.id),
        ("address or own id (--map)", found.uri),
        ("text", found.text),
        ("foreign", found.foreign),
    )
    columns = tuple(Column(name) for name in ("matched by", "contexts", "share"))
    rows = tuple((name, count(each.count), percent(each.value)) for name, each in ways)
    matched = found.total - int(found.foreign.count)
    said = f"Of {number_of(found.total, 'context')} {percent(matched / found.total)} are of the corpus"
    blocks: list[Block] = [
        Text(f"{said}, {percent(found.foreign.value)} are foreign: no document of it was recognised.")
    ]
    advice = Text(
        "Foreign contexts count as retrieved, and as no gold document. If they are from the benchmark's corpus, say "
        "which document each one is: hand in their texts, or name their addresses with --map."
    )
    if (found.foreign.value or 0) >= MANY:
        blocks.append(advice)
    brief = blocks if found.foreign.count else []
    return Content([*blocks, Table("How contexts were matched", columns, rows, "fit")], brief)


SECTION = ReportSection("contexts", "Contexts", compute, order=86, applies=applies)
