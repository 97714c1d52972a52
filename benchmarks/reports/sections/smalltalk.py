"""Small talk beside the benchmark: how often a system retrieves where nothing is to be found, and what that takes."""

from collections.abc import Iterator, Sequence

import numpy as np

from benchwright.benchmarks.reports.blocks import Block, Cell, Column, Table, Text
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.effort.figures import KnownTotal, Part
from benchwright.benchmarks.reports.effort.smalltalk import Smalltalk, mean_of, smalltalk_figures, together
from benchwright.benchmarks.reports.effort.table import steps_table
from benchwright.benchmarks.reports.format import NONE, count, interval, number_of, percent
from benchwright.benchmarks.reports.section import Content, ReportSection
from benchwright.benchmarks.statistics.intervals import Sample
from benchwright.benchmarks.statistics.shares import clustered_share


def applies(run: RunData) -> bool:
    """Where small talk was asked."""
    return smalltalk_figures(run) is not None


def compute(run: RunData) -> Content:
    """What was spent with and without small talk, and where a part of it was spared."""
    figures = smalltalk_figures(run)
    assert figures is not None
    said = list(_said(figures))
    table = smalltalk_table(figures)
    steps = steps_table(
        "What each step of the answers took", "texts", [(part.subset or "", part) for part in figures.kinds]
    )
    return Content([*said, table, *([] if steps is None else [steps])], said)


def smalltalk_table(figures: Smalltalk) -> Table:
    """Answers, retrievals and tokens of each kind of texts, and with and without small talk."""
    rows = [(part.subset or "", [part]) for part in figures.parts]
    rows += [("all, with small talk", list(figures.parts))]
    columns = (
        "answers",
        "retrieved",
        "retrievals",
        "tokens in",
        "tokens out",
        "one that retrieved",
        "one that did not",
    )
    drawn = tuple((name, *_cells(parts)) for name, parts in rows)
    return Table(
        "With and without small talk", (Column("texts", "left"), *(Column(name) for name in columns)), drawn, "wide"
    )


def _cells(parts: Sequence[Part]) -> tuple[Cell, ...]:
    answers, retrieved = sum(part.answers for part in parts), sum(part.retrieved for part in parts)
    retrievals = together([part.retrievals for part in parts])
    spent = together([part.input_tokens for part in parts]), together([part.output_tokens for part in parts])
    means = (
        mean_of([part.tokens_with_retrieval for part in parts]),
        mean_of([part.tokens_without_retrieval for part in parts]),
    )
    return (
        count(answers),
        retrieved_of(retrieved, retrievals),
        *(_total(each) for each in (retrievals, *spent)),
        *(NONE if mean is None else count(mean) for mean in means),
    )


def retrieved_of(retrieved: int, retrievals: KnownTotal) -> str:
    """For how many answers was retrieved, with their share; where some do not say it, of how many that is known."""
    if not retrievals.of or retrievals.known == retrievals.of:
        return f"{count(retrieved)} ({percent(retrieved / retrievals.of, 0)})" if retrievals.of else "0"
    return f"{count(retrieved)} (of {count(retrievals.known)})" if retrievals.known else NONE


def _total(total: KnownTotal) -> str:
    if total.total is None:
        return NONE
    return count(total.total) + ("" if total.known == total.of else f" (of {count(total.known)})")


def _said(figures: Smalltalk) -> Iterator[Block]:
    """What was asked, and what not retrieving has spared."""
    kinds = " and ".join(f"{number_of(part.answers, 'answer')} to {part.subset}" for part in figures.kinds)
    yield Text(
        f"Asked beside the benchmark, not scored, and in no other figure: {kinds}, which need no documents of it.",
        "soft",
    )
    for number, what in (
        (figures.failed, "without an answer: the same command asks again"),
        (figures.unknown, "to texts that this version does not ask, left out"),
    ):
        if number:
            yield Text(f"{count(number)} {what}.", "small")
    answers, retrieved = (sum(getattr(part, name) for part in figures.kinds) for name in ("answers", "retrieved"))
    known = together([part.retrievals for part in figures.kinds])
    if not answers or known.total is None:
        yield Text("How often it retrieved is not known: no answer says its retrievals.")
        return
    of, silent = "of the texts of small talk", answers - known.known
    if silent:
        least = f"at least {count(retrieved)} of {count(answers)}"
        yield Text(f"It retrieved for {least} {of}: {number_of(silent, 'answer')} say nothing of it.")
    else:
        yield Text(f"It retrieved for {_share(retrieved, answers)} {of}.")
    yield from _spared(figures, known.known - retrieved)


def _share(number: int, total: int) -> str:
    values = np.repeat([1.0, 0.0], [number, total - number])
    found = clustered_share(Sample(values, np.arange(total)))
    between = "" if found is None else f", 95 % interval {interval(found.low, found.high)}"
    return f"{count(number)} of {count(total)} ({percent(number / total)}{between})"


def _spared(figures: Smalltalk, kept: int) -> Iterator[Block]:
    """About how many tokens it has spared; nothing where it cannot be known."""
    retrieving = mean_of([part.tokens_with_retrieval for part in figures.parts])
    spent = together([part.tokens_without_retrieval for part in figures.kinds])
    if not kept or retrieving is None or spent.total is None:
        return
    spared = retrieving * spent.known - spent.total
    more = f"about {count(abs(spared))} {'spared' if spared >= 0 else 'more'}"
    would = f"At that price the {count(spent.known)} that did not would have taken {count(retrieving * spent.known)}"
    yield Text(
        f"An answer that retrieved took {count(retrieving)} tokens in and out. {would}, and took {count(spent.total)}: "
        f"{more}. That is an estimate; compare-systems measures it beside a run that always retrieves."
    )


SECTION = ReportSection("smalltalk", "Small talk beside the benchmark", compute, order=122, applies=applies)
