"""What runs took for the same small talk, as blocks."""

from collections.abc import Iterator, Sequence

from benchwright.benchmarks.comparisons.effort import Effort
from benchwright.benchmarks.comparisons.smalltalk import SmalltalkDifference
from benchwright.benchmarks.reports.blocks import Block, Cell, Column, Table, Text, foreign
from benchwright.benchmarks.reports.effort.figures import KnownTotal
from benchwright.benchmarks.reports.effort.smalltalk import together
from benchwright.benchmarks.reports.format import NONE, count, minus, p_value, percent
from benchwright.benchmarks.reports.sections.smalltalk import retrieved_of


def smalltalk_blocks(efforts: Sequence[Effort], differences: Sequence[SmalltalkDifference]) -> Iterator[Block]:
    """What each run took with and without small talk, and what it took less or more than another, text by text."""
    asked = [(each.run, each.cost.smalltalk) for each in efforts if each.cost is not None and each.cost.smalltalk]
    if not asked:
        return
    yield Text(
        "Texts that need no documents of the benchmark, asked beside it; they are not scored, and in no other figure.",
        "soft",
    )
    rows: list[tuple[Cell, ...]] = []
    for run, figures in asked:
        for name, parts in (("without", figures.parts[:1]), ("with", figures.parts)):
            totals = [together([getattr(part, each) for part in parts]) for each in _TOTALS]
            answers = sum(part.answers for part in parts)
            rows.append((foreign(run, 60), name, count(answers), *map(_total, totals)))
        small = figures.kinds
        retrieved = sum(part.retrieved for part in small)
        share = retrieved_of(retrieved, together([part.retrievals for part in small]))
        rows[-1] = (*rows[-1], share)
        rows[-2] = (*rows[-2], "")
    columns = ("answers", "tokens in", "tokens out", "retrievals", "small talk that retrieved")
    named = (Column("run", "left"), Column("small talk", "left"))
    yield Table("With and without small talk", (*named, *(Column(name) for name in columns)), tuple(rows), "wide")
    if differences:
        yield _differences(differences)
        yield Text(
            "Means of a text, of those that both answered. All intervals together hold with 95 % (Bonferroni); p is by "
            "sign flips of single texts. The texts are ours: this speaks of such ones, not of what your users write.",
            "small",
        )


def smalltalk_sentences(differences: Sequence[SmalltalkDifference]) -> Iterator[Block]:
    """What the first few runs took less or more, a sentence each."""
    for each in differences[:_SENTENCES]:
        if each.difference is None or each.low is None or each.high is None:
            continue
        text = f" {each.amount} a text of small talk than "
        if not each.separated:
            told = ("not separated from ", foreign(each.reference, 60), f" by {each.amount} a text of small talk.")
            yield Text((foreign(each.run, 60), ": ", *told))
            continue
        low, high = sorted((abs(each.low), abs(each.high)))
        sense = "fewer" if each.difference < 0 else "more"
        figures = f" took {abs(each.difference):,.2f} ({low:,.2f} to {high:,.2f}) {sense}{text}"
        yield Text((foreign(each.run, 60), figures, foreign(each.reference, 60), "."))


_SENTENCES = 8
_TOTALS = ("input_tokens", "output_tokens", "retrievals")


def _differences(differences: Sequence[SmalltalkDifference]) -> Table:
    reference = differences[0].reference
    columns = ("texts", "mean", "of the other", "difference", f"{percent(differences[0].confidence, 2)} interval", "p")
    rows: list[tuple[Cell, ...]] = []
    for each in differences:
        name = foreign(each.run, 60), each.amount, count(each.texts)
        if each.difference is None or each.low is None or each.high is None:
            rows.append((*name, f"not compared: {each.reason}"))
            continue
        figures = _figure(each.mean), _figure(each.reference_mean), minus(f"{each.difference:+,.2f}")
        between = minus(f"{each.low:+,.2f} to {each.high:+,.2f}")
        told = ("less" if each.difference < 0 else "more") if each.separated else "not separated"
        rows.append((*name, *figures, between, p_value(each.p), told))
    named = (Column("run", "left"), Column("amount", "left"))
    last = Column("result", "left")
    caption = ("What small talk took, against ", foreign(reference, 60))
    return Table(caption, (*named, *(Column(each) for each in columns), last), tuple(rows), "wide")


def _figure(value: float | None) -> str:
    return NONE if value is None else f"{value:,.2f}"


def _total(total: KnownTotal) -> str:
    if total.total is None:
        return "unknown"
    return count(total.total) + ("" if total.known == total.of else f" (of {count(total.known)})")
