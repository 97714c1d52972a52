"""Consistency: whether a right answer survives another wording."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from benchwright.benchmarks.reports.answers.outcomes import judged_questions
from benchwright.benchmarks.reports.blocks import (
    Block,
    Cell,
    Column,
    Inline,
    Interval,
    Listing,
    Table,
    Text,
    foreign,
    missing,
    soft,
)
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.format import (
    count,
    figure,
    interval,
    minus,
    number_of,
    p_value,
    percent,
    sentence,
    signed,
)
from benchwright.benchmarks.reports.groups import (
    AskedGroups,
    Group,
    asked_groups,
    by_form,
    collect,
    may_have_wordings,
    unavailable,
)
from benchwright.benchmarks.reports.noise.repeats import ASKED_ONCE, includes_run_to_run, of_repeats
from benchwright.benchmarks.reports.noise.spread import Spread, spread_of
from benchwright.benchmarks.reports.section import Content, ReportSection, per_run
from benchwright.benchmarks.reports.sections.tests import form_tests
from benchwright.benchmarks.statistics.consistency import pair_agreement, pair_consistency, within_cluster_correlation
from benchwright.benchmarks.statistics.intervals import THIS_BENCHMARK, Sample, Target


@dataclass(frozen=True, slots=True)
class Consistency:
    """Of one set of groups."""

    pair_agreement: float | None
    """The chance that two wordings of a group are both right or both wrong: unbiased, whatever their number."""
    agreement_low: float | None
    agreement_high: float | None
    pair_consistency: float | None
    """The chance that they are both right: unbiased too."""
    low: float | None
    high: float | None
    given_right: float | None
    """The chance that another wording is right, given that one is."""
    within_group_correlation: float | None
    groups: int
    """With two judged wordings or more."""
    total: int
    reasons: Mapping[str, str]
    """Figure → why there is none."""
    note: str | None = None
    """Why there is no interval of 95 %, or why it is wide."""
    target: Target = THIS_BENCHMARK
    """What the intervals speak of."""


@dataclass(frozen=True, slots=True)
class ConsistencyFigures:
    """Consistency over the headline's questions, over all forms and within each."""

    reason: str | None
    all: Consistency | None = None
    forms: Mapping[str, Consistency] = field(default_factory=dict)


@per_run
def consistency_figures(run: RunData) -> ConsistencyFigures:
    """Figures that do not depend on how many wordings there are."""
    reason = unavailable(run)
    if reason:
        return ConsistencyFigures(reason)
    questions, correct = run.questions, judged_questions(run)
    headline = questions.headline
    return ConsistencyFigures(
        None,
        _consistency(collect(questions, correct, headline), asked_groups(run, headline)),
        {
            name: _consistency(collect(questions, correct, mask & headline), asked_groups(run, mask & headline))
            for name, mask in by_form(questions)
        },
    )


def _consistency(groups: Sequence[Group], asked: AskedGroups) -> Consistency:
    several = [group for group in groups if len(group.outcomes) > 1]
    pairs = [pair_consistency(sum(group.outcomes), len(group.outcomes)) or 0.0 for group in several]
    agreed = [pair_agreement(sum(group.outcomes), len(group.outcomes)) or 0.0 for group in several]
    agreement, both = _mean(agreed), _mean(pairs)
    single = sum(sum(group.outcomes) / len(group.outcomes) for group in several)
    correlation = within_cluster_correlation([group.outcomes for group in several])
    reasons = {
        "pair_agreement": asked.reason,
        "pair_consistency": asked.reason,
        "given_right": asked.reason or (None if single else "no wording was answered rightly"),
        "within_group_correlation": asked.reason
        or (None if correlation is not None else "undefined: too few groups, or all outcomes equal"),
    }
    return Consistency(
        pair_agreement=agreement.value,
        agreement_low=agreement.low,
        agreement_high=agreement.high,
        pair_consistency=both.value,
        low=both.low,
        high=both.high,
        given_right=sum(pairs) / single if single else None,
        within_group_correlation=correlation,
        groups=len(several),
        total=len(groups),
        reasons={name: reason for name, reason in reasons.items() if reason},
        note=both.note,
    )


def _mean(values: Sequence[float]) -> Spread:
    """The mean of a value of each group, and its interval where there are two groups or more."""
    return spread_of(Sample(np.array(values, dtype=float), np.arange(len(values))))


def compute(run: RunData) -> Content:
    """A row for all forms and one for each, and the tested differences of `correct` between forms."""
    figures = consistency_figures(run)
    asked = asked_groups(run)
    nothing = asked.reason or (figures.all.reasons.get("pair_agreement") if figures.all else None)
    if nothing:
        return Content([missing(f"not available because {nothing}")], ())
    said = (
        "Whether an outcome survives another wording. These figures do not depend on how many wordings a group has. "
        "What is always wrong agrees too: beside it stands how often both are right."
    )
    if includes_run_to_run(run):
        said += f" {sentence(ASKED_ONCE)}."
    if repeated := of_repeats(run):
        said += f" {repeated}; how all of them agree stands under “From run to run”."
    blocks: list[Block] = [Text(said)]
    if figures.all is not None:
        columns = (
            Column("form"),
            Column("two wordings agree"),
            Column("95 % interval"),
            Column("0 to 100 %", drawn=True),
            Column("both right"),
            Column("95 % interval"),
            Column("another right, given one is"),
            Column("within-group correlation"),
            Column("groups"),
        )
        rows = [("all forms", figures.all), *figures.forms.items()]
        caption = ("Wordings of one group", soft(" – answerable questions"))
        blocks.append(Table(caption, columns, tuple(_row(name, entry) for name, entry in rows)))
        notes = "; ".join(f"{name.replace('_', ' ')}: {reason}" for name, reason in figures.all.reasons.items())
        blocks += [Text(f"{notes}.", "small")] if notes else []
    differences = tuple(_differences(run))
    if differences:
        blocks += [Text("Forms compared within groups", "heading"), Listing(differences)]
    return Content(blocks, ())


def _row(name: str, entry: Consistency) -> tuple[Cell, ...]:
    return (
        foreign(name, 60),
        percent(entry.pair_agreement),
        interval(entry.agreement_low, entry.agreement_high),
        Interval(entry.pair_agreement, entry.agreement_low, entry.agreement_high),
        percent(entry.pair_consistency),
        interval(entry.low, entry.high),
        percent(entry.given_right),
        figure(entry.within_group_correlation, 3),
        f"{count(entry.groups)} of {count(entry.total)}",
    )


def _differences(run: RunData) -> Iterator[Inline]:
    for test in form_tests(run).differences:
        if test.metric == "correct":
            limits = minus(f"{figure(100 * test.low, 1)} to {figure(100 * test.high, 1)}")
            p = p_value(test.p_corrected)
            yield (
                foreign(test.first, 60),
                " against ",
                foreign(test.second, 60),
                f": {signed(test.difference)} points ({limits}), p {p if p.startswith('<') else f'= {p}'} corrected, "
                f"over {number_of(test.groups, 'group')}. ",
                soft("" if test.p_corrected < 0.05 and test.low * test.high > 0 else "Not separated."),
            )


SECTION = ReportSection("consistency", "Consistency", compute, order=30, applies=may_have_wordings)
