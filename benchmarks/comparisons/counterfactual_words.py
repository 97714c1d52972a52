"""What a system knows by heart, in words and blocks."""

from benchwright.benchmarks.comparisons.counterfactual import Counterfactual
from benchwright.benchmarks.comparisons.counterfactual_gaps import Gap, MetricGap, OldAnswers
from benchwright.benchmarks.reports.blocks import Block, Cell, Column, Listing, Table, Text, foreign, missing
from benchwright.benchmarks.reports.format import (
    NONE,
    SHARE,
    amount,
    count,
    figure,
    interval,
    minus,
    number_of,
    p_value,
    percent,
    reasons,
    signed,
)

_LONGEST_SHOWN = 64
"""Bits of a seed that is shown wholly."""
METHOD = (
    "A gap is the mean on the published release minus that on the fresh one, over questions that can be answered in "
    "both, paired by id. Intervals of 95 % and two-sided tests by sign flips of whole semantic groups; their target is "
    "this benchmark. Tested are the first gap and what is right in the other release; the other gaps are shown and not "
    "tested."
)


def sentence(found: Counterfactual) -> str:
    """The gap of the leading metric in a sentence."""
    leading = next(iter(found.metrics.values()))
    gap = leading.every
    if gap is None:
        return f"No memorisation gap can be told: {leading.metric} has scores in both runs of fewer than two groups."
    size = _said(abs(gap.value), leading)
    how = f"{size} {'higher' if gap.value > 0 else 'lower'} on the published release than on the fresh one"
    if size == _said(0.0, leading):
        how = f"the same to {size} on the published release and on the fresh one"
    said = f"{leading.metric} is {how} (95 % {minus(interval(gap.low, gap.high, leading.range))}), "
    if gap.separated:
        return f"A memorisation gap: {said}separated." if gap.value > 0 else f"No memorisation gap: {said}separated."
    most = f"a gap of up to {_said(gap.high, leading)}" if gap.high > 0 else "a gap"
    return f"No memorisation gap is seen: {said}not separated; {most} is not ruled out."


def old_answers_sentence(found: OldAnswers) -> str:
    """How many answers on the fresh release are the published one's, in a sentence."""
    how = "separated" if found.separated else "not separated"
    return (
        f"Of {number_of(found.questions, 'answer')} on the fresh release to questions whose answer changed, "
        f"{percent(found.remembered)} are right in the published release; the other way round, where nothing can be "
        f"remembered, {percent(found.by_chance)} are. The difference of {signed(found.value)} points "
        f"(95 % {minus(interval(found.low, found.high))}) is {how}."
    )


def counterfactual_blocks(found: Counterfactual) -> list[Block]:
    """The gap in a sentence, a table of gaps, and what answers from the other release there are."""
    blocks: list[Block] = [Text(sentence(found))]
    if found.old_answers is not None:
        blocks.append(Text(old_answers_sentence(found.old_answers)))
    columns = (
        Column("metric", "left"),
        Column("questions", "left"),
        Column("published"),
        Column("fresh"),
        Column("gap"),
        Column("95 % interval"),
        Column("p"),
        Column("number"),
        Column("groups"),
    )
    rows = [row for each in found.metrics.values() for row in _rows(each)]
    rows = [(*row[:6], row[6] if not place else NONE, *row[7:]) for place, row in enumerate(rows)]
    sides = [f"{side.benchmark} {side.version}, {_seed(side.seed)}" for side in (found.published, found.fresh)]
    caption = (foreign(f"{found.published.run} ({sides[0]}) and {found.fresh.run} ({sides[1]})", 300),)
    blocks.append(
        Table(caption, columns, tuple(rows), "wide") if rows else missing("no metric has scores of two groups")
    )
    unscored = [
        (foreign(f"{run}: {each.metric} is unscored for {number_of(sum(why.values()), 'question')}: {reasons(why)}"),)
        for each in found.metrics.values()
        for run, why in each.unscored.items()
    ]
    notes = [(foreign(note),) for note in found.notes]
    if unscored or notes:
        blocks.append(Listing((*notes, *unscored)))
    blocks.append(Text(METHOD, "small"))
    return blocks


def _seed(seed: int | None) -> str:
    """A seed, in short if it was secret."""
    if seed is None:
        return "a secret seed"
    return f"seed {seed}" if seed.bit_length() <= _LONGEST_SHOWN else f"seed {seed:#x}"[:15] + "…"


def _rows(found: MetricGap) -> list[tuple[Cell, ...]]:
    parts = (("all", found.every), ("with another answer", found.changed), ("with the same answer", found.unchanged))
    return [_row(found, name, gap) for name, gap in parts if gap is not None]


def _row(found: MetricGap, name: str, gap: Gap) -> tuple[Cell, ...]:
    return (
        found.metric,
        name,
        amount(gap.published, found.range),
        amount(gap.fresh, found.range),
        signed(gap.value) if found.range == SHARE else minus(f"{gap.value:+.2f}"),
        minus(interval(gap.low, gap.high, found.range)),
        p_value(gap.p),
        count(gap.questions),
        count(gap.groups),
    )


def _said(value: float, found: MetricGap) -> str:
    return f"{100 * value:.1f} points" if found.range == SHARE else figure(value, 2)
