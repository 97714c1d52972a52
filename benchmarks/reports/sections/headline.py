"""The headline: the first metric, wrong answers, consistency and coverage at a glance, and all metrics."""

from collections.abc import Iterator

from benchwright.benchmarks.reports.blocks import (
    Block,
    Cell,
    Chart,
    Column,
    Figure,
    Inline,
    Interval,
    Mark,
    Span,
    Table,
    Text,
    foreign,
    missing,
    soft,
)
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.format import (
    NONE,
    amount,
    count,
    figure,
    interval,
    number_of,
    of,
    percent,
    reasons,
    sentence,
)
from benchwright.benchmarks.reports.groups import ASKED_ONCE, asked_groups, has_wordings, may_have_wordings
from benchwright.benchmarks.reports.metric_figures import MetricFigure, Metrics, headline_metrics, leading_metrics
from benchwright.benchmarks.reports.outcomes import DECIDE, NOT_JUDGED, TONES, OutcomeCounts, decided_by_rules
from benchwright.benchmarks.reports.section import Content, ReportSection
from benchwright.benchmarks.reports.sections.consistency import consistency_figures
from benchwright.benchmarks.reports.sections.coverage import coverage_figures
from benchwright.benchmarks.reports.sections.outcomes import outcome_figures


def compute(run: RunData) -> Content:
    """The page's first screen."""
    asked = count(int(run.questions.headline.sum()))
    over = f"Over the {asked} questions that are neither known gaps nor unanswerable. "
    intervals = "Intervals are 95 %, from drawing whole semantic groups."
    counts, metrics = outcome_figures(run).headline, headline_metrics(run)
    blocks: list[Block] = [Text(over + intervals, "soft"), Text(_asked(run), "soft"), *_figures(run)]
    if counts.total:
        blocks += [Text(f"Outcomes of {count(counts.total)} answers", "heading"), _bar(counts)]
        blocks += _undecided(run)
    else:
        blocks.append(missing(f"outcomes are not available because {NOT_JUDGED}"))
    if metrics:
        blocks += [_table(_with_values(metrics)), *_unscored(metrics)]
    else:
        blocks.append(missing("metrics are not available because nothing was scored"))
    return Content(blocks, list(_brief(run)))


def _asked(run: RunData) -> str:
    """What was asked, and of how many groups there is more than one wording to compare."""
    sample, groups = run.settings.questions, asked_groups(run)
    said = "A sample was asked: " if sample.is_sampled else "Asked: "
    said += f"{number_of(len(run.questions.ids), 'question')} of {number_of(groups.total, 'group')}"
    if not may_have_wordings(run):
        return f"{said}."
    if not groups.twice:
        return f"{said}; {ASKED_ONCE}: nothing is said of robustness and consistency."
    said += f", {count(groups.twice)} of them in two wordings or more"
    if groups.judged_twice < groups.twice:
        said += f"; in {count(groups.judged_twice)} two wordings or more were judged"
    return f"{said}."


def _figures(run: RunData) -> Iterator[Figure]:
    metrics = headline_metrics(run)
    for name in leading_metrics(metrics)[:1]:
        entry = metrics[name]
        yield Figure(
            foreign(sentence(name), 60), entry.value, entry.low, entry.high, entry.scored, entry.total,
            f"scored {count(entry.scored)} of {count(entry.total)}", entry.range, lead=True,
        )  # fmt: skip
    wrong = outcome_figures(run).wrong_answer_rate
    note = of(wrong.share) if wrong.value is not None else wrong.reason or ""
    yield Figure("Wrong-answer rate", wrong.value, wrong.low, wrong.high, wrong.total, wrong.total, note, tone="bad")
    if not has_wordings(run):
        return
    both = consistency_figures(run).all
    if both is not None:
        note = f"{count(both.groups)} of {count(both.total)} groups"
        if both.pair_consistency is None:
            note = both.reasons["pair_consistency"]
        value = both.pair_consistency
        yield Figure("Two wordings both right", value, both.low, both.high, both.groups, both.total, note)
    competent, true = coverage_figures(run).competent, coverage_figures(run).true
    if competent is not None and true is not None:
        known = "" if true.value is None else f" · the corpus can answer {percent(true.value)}"
        note = f"{of(competent)} groups{known}"
        yield Figure("Groups with any right answer", competent.value, n=competent.total, note=note)


def _undecided(run: RunData) -> Iterator[Text]:
    """What share of the answers the rules of `correct` could read, and what to do about the others."""
    decided = decided_by_rules(run)
    if decided.undecided:
        total = f"{percent(decided.value)} of {count(decided.total)} answers"
        why = reasons(decided.undecided)
        yield Text(f"The rules of `correct` decided {total}. The others are unscored, not wrong: {why}; {DECIDE}.")


def _bar(counts: OutcomeCounts) -> Chart:
    marks = tuple(Mark(name, TONES[name], number) for name, number in counts.parts.items() if number)
    return Chart("shares", "Outcomes", marks)


def _table(metrics: Metrics) -> Table:
    columns = (
        Column("metric"),
        Column("value"),
        Column("95 % interval"),
        Column("from lowest to highest", drawn=True),
        Column("scored"),
    )
    return Table("All metrics", columns, tuple(_row(name, entry) for name, entry in metrics.items()))


def _row(name: str, entry: MetricFigure) -> tuple[Cell, ...]:
    label: list[str | Span] = [foreign(name, 60)]
    if not entry.higher_is_better:
        label.append(soft(" (lower is better)"))
    if scale := _scale(entry):
        label.append(soft(scale))
    return (
        tuple(label),
        amount(entry.value, entry.range),
        interval(entry.low, entry.high, entry.range),
        Interval(entry.value, entry.low, entry.high, entry.range),
        f"{count(entry.scored)} of {count(entry.total)}",
    )


def _scale(entry: MetricFigure) -> str:
    """The scale of a metric that is none of shares."""
    return "" if entry.range == (0.0, 1.0) else f" ({entry.range[0]:g} to {entry.range[1]:g})"


def _with_values(metrics: Metrics) -> Metrics:
    """The metrics that a table shows: a row without any value says less than the line below it."""
    return {name: entry for name, entry in metrics.items() if entry.scored} or metrics


def _unscored(metrics: Metrics) -> Iterator[Text]:
    """Why metrics are unscored, those with the same reasons together: `every metric` where it is the same for all."""
    found: list[tuple[list[str], MetricFigure]] = []
    for name, entry in metrics.items():
        same = next((names for names, each in found if each.reasons == entry.reasons), None)
        if same is not None:
            same.append(name)
        elif entry.reasons:
            found.append(([name], entry))
    line: list[str | Span] = ["Unscored by "]
    for place, (names, entry) in enumerate(found):
        are_all = len(found) == 1 and len(names) == len(metrics) > 1
        named = "every metric" if are_all else ", ".join(names)
        line += ["; by " if place else "", foreign(f"{named}:", 200), " ", foreign(reasons(entry.reasons), 600)]
    if found:
        yield Text((*line, "."), "small")


def _brief(run: RunData) -> Iterator[Block]:
    """What a terminal shows: the metrics, wrong answers and abstaining, consistency and coverage."""
    names = ("over answerable questions", "value", "95 % interval", "of")
    yield Table("", tuple(Column(name) for name in names), (*_metric_lines(run), *_group_lines(run)), "fit")
    yield Text(_asked(run))
    yield from _undecided(run)
    yield from _unscored(headline_metrics(run))


Line = tuple[Inline, str, str, str]


def _metric_lines(run: RunData) -> Iterator[Line]:
    for name, entry in _with_values(headline_metrics(run)).items():
        shown = interval(entry.low, entry.high, entry.range)
        scored = f"{entry.scored:,} of {entry.total:,}"
        yield foreign(f"{name}{_scale(entry)}", 80), amount(entry.value, entry.range), shown, scored
    outcomes = outcome_figures(run)
    wrong = outcomes.wrong_answer_rate
    yield "wrong-answer rate", percent(wrong.value), interval(wrong.low, wrong.high), of(wrong.share)
    for name, share in (("precision", outcomes.abstention.precision), ("recall", outcomes.abstention.recall)):
        if share.value is not None:
            yield f"abstention {name}", percent(share.value), NONE, of(share)


def _group_lines(run: RunData) -> Iterator[Line]:
    both, coverage = consistency_figures(run).all, coverage_figures(run)
    if both is not None and has_wordings(run):
        groups = f"{both.groups:,} of {both.total:,} groups"
        yield "two wordings both right", percent(both.pair_consistency), interval(both.low, both.high), groups
        correlation = figure(both.within_group_correlation, 3)
        yield "within-group correlation", correlation, NONE, groups
    named = (("groups with any right answer", coverage.competent), ("groups the corpus can answer", coverage.true))
    for name, share in named:
        if share is not None and share.value is not None:
            yield name, percent(share.value), NONE, f"{of(share)} groups"
    gaps = coverage.gaps
    if gaps.correct.total:
        yield "known gaps guessed right", percent(gaps.correct.value), NONE, of(gaps.correct)
        chance = gaps.expected_by_chance
        yield "  expected by chance", percent(chance.value), NONE, of(chance)


SECTION = ReportSection("headline", "Headline", compute, order=10)
