"""The headline: the first metric, wrong answers, consistency and coverage at a glance."""

from collections.abc import Iterator

from benchwright.benchmarks.reports.blocks import (
    Block,
    Column,
    Figure,
    Inline,
    Table,
    Text,
    foreign,
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
    sentence,
)
from benchwright.benchmarks.reports.groups import asked_groups, has_wordings, judged_wordings, may_have_wordings
from benchwright.benchmarks.reports.metrics.figures import (
    by_rule,
    headline_metrics,
    leading_metrics,
    scale_shown,
    with_values,
)
from benchwright.benchmarks.reports.noise.repeats import includes_run_to_run, of_repeats
from benchwright.benchmarks.reports.section import Content, ReportSection
from benchwright.benchmarks.reports.sections.consistency import consistency_figures
from benchwright.benchmarks.reports.sections.coverage import coverage_figures
from benchwright.benchmarks.reports.sections.metrics import foreign_language, undecided, unscored, without_gold
from benchwright.benchmarks.reports.sections.outcomes import outcome_figures


def compute(run: RunData) -> Content:
    """What stands first: a few large figures."""
    asked = count(int(run.questions.headline.sum()))
    over = f"Over the {asked} questions that are neither known gaps nor unanswerable. "
    said = Text(f"{over}{_asked(run)}", "small")
    notes = list(interval_notes(run))
    intervals = [Text(" ".join(notes), "small")] if notes else []
    ended = run.settings.counts.cut_off_told
    cut = [Text(f"{ended}.", "small")] if ended else []
    return Content(
        [*_figures(run), *without_gold(run), *undecided(run), *foreign_language(run), said, *cut, *intervals],
        list(_brief(run)),
    )


def _asked(run: RunData) -> str:
    """What was asked, and of how many groups there is more than one wording to compare."""
    sample, groups = run.settings.questions, asked_groups(run)
    said = "A sample was asked: " if sample.is_sampled else "Asked: "
    said += f"{number_of(len(run.questions.ids), 'question')} of {number_of(groups.total, 'group')}"
    repeated = f" {of_repeats(run)}." if of_repeats(run) else ""
    if not may_have_wordings(run):
        return f"{said}.{repeated}"
    if groups.reason:
        return f"{said}; {groups.reason}: nothing is said of robustness and consistency.{repeated}"
    said += f", {count(groups.twice)} of them in two wordings or more"
    if groups.judged_twice < groups.twice:
        said += f"; in {count(groups.judged_twice)} two wordings or more were judged"
    if includes_run_to_run(run):
        said += ". Each question was asked once: non-robust and disagreeing wordings include noise from run to run"
    return f"{said}.{repeated}"


def interval_notes(run: RunData) -> Iterator[str]:
    """What the intervals speak of, and the leading metric's for new templates and entities."""
    metrics = headline_metrics(run)
    for name in leading_metrics(metrics)[:1]:
        entry, other = metrics[name], metrics[name].new_templates_and_entities
        if entry.low is not None:
            drawn = "other groups of wordings from its templates and entities"
            yield f"Intervals are of 95 %: {entry.method}. They speak of {entry.target}: {drawn}."
        if entry.note and entry.scored:
            yield f"{sentence(entry.note)}."
        if other.low is None:
            yield f"For {other.target} there is no interval: {other.reason}."
            continue
        limits = f"{amount(entry.value, entry.range)} ({interval(other.low, other.high, entry.range)})"
        drawn = f"{count(other.templates)} templates and {count(other.entities)} entities"
        yield f"For {other.target} {name} is {limits}: of {drawn}."


def _figures(run: RunData) -> Iterator[Figure]:
    metrics = headline_metrics(run)
    for name in leading_metrics(metrics)[:1]:
        entry = metrics[name]
        said = sentence(name) + by_rule(name, entry)
        yield Figure(
            foreign(said, 60), entry.value, entry.low, entry.high, entry.scored, entry.total,
            f"scored {count(entry.scored)} of {count(entry.total)}", entry.range, lead=True,
        )  # fmt: skip
    wrong = outcome_figures(run).wrong_answer_rate
    note = of(wrong.share) if wrong.value is not None else wrong.reason or ""
    yield Figure("Wrong-answer rate", wrong.value, wrong.low, wrong.high, wrong.total, wrong.total, note, tone="bad")
    yield from _abstaining(run)
    if not has_wordings(run):
        return
    both = consistency_figures(run).all
    if both is not None:
        note = f"both right {percent(both.pair_consistency)} · {count(both.groups)} of {count(both.total)} groups"
        note = both.reasons.get("pair_agreement", note)
        limits = both.agreement_low, both.agreement_high
        yield Figure("Two wordings agree", both.pair_agreement, *limits, both.groups, both.total, note)
    competent, true = coverage_figures(run).competent, coverage_figures(run).true
    if competent is not None and true is not None:
        known = "" if true.value is None else f" · the corpus can answer {percent(true.value)}"
        note = f"{of(competent)} groups, judged in {judged_wordings(run)}{known}"
        limits = competent.low, competent.high
        yield Figure("Groups with any right answer", competent.value, *limits, competent.total, note=note)


def _abstaining(run: RunData) -> Iterator[Figure]:
    """How often the system abstained where no answer can be known; nothing where each question has one."""
    said = outcome_figures(run).abstention.recall
    if said.value is not None:
        invented = number_of(said.total - int(said.count), "answer")
        note = f"{of(said)} known gaps and unanswerable questions · {invented} invented or guessed"
        yield Figure("Abstained rightly", said.value, said.low, said.high, said.total, said.total, note)


def _brief(run: RunData) -> Iterator[Block]:
    """What a terminal shows: the metrics, wrong answers and abstaining, consistency and coverage."""
    names = ("over answerable questions", "value", "95 % interval", "of")
    yield Table("", tuple(Column(name) for name in names), (*_metric_lines(run), *_group_lines(run)), "fit")
    yield Text(_asked(run))
    notes = list(interval_notes(run))
    yield from [Text(" ".join(notes))] if notes else []
    yield from without_gold(run)
    yield from undecided(run)
    yield from foreign_language(run)
    yield from unscored(headline_metrics(run))


Line = tuple[Inline, str, str, str]


def _metric_lines(run: RunData) -> Iterator[Line]:
    for name, entry in with_values(headline_metrics(run)).items():
        shown = interval(entry.low, entry.high, entry.range)
        scored = f"{entry.scored:,} of {entry.total:,}"
        said = f"{name}{scale_shown(entry.range)}{by_rule(name, entry)}"
        yield foreign(said, 80), amount(entry.value, entry.range), shown, scored
    outcomes = outcome_figures(run)
    wrong = outcomes.wrong_answer_rate
    yield "wrong-answer rate", percent(wrong.value), interval(wrong.low, wrong.high), of(wrong.share)
    for name, share in (("precision", outcomes.abstention.precision), ("recall", outcomes.abstention.recall)):
        if share.value is not None:
            yield f"abstention {name}", percent(share.value), interval(share.low, share.high), of(share)
    wise = outcomes.abstention.recall
    if wise.value is not None:
        limits = NONE if wise.low is None or wise.high is None else interval(1 - wise.high, 1 - wise.low)
        invented = f"{count(wise.total - int(wise.count))} of {count(wise.total)}"
        yield "  invented or guessed instead", percent(1 - wise.value), limits, invented


def _group_lines(run: RunData) -> Iterator[Line]:
    both, coverage = consistency_figures(run).all, coverage_figures(run)
    if both is not None and has_wordings(run):
        groups = f"{both.groups:,} of {both.total:,} groups"
        agreement = interval(both.agreement_low, both.agreement_high)
        yield "two wordings agree", percent(both.pair_agreement), agreement, groups
        yield "  both right", percent(both.pair_consistency), interval(both.low, both.high), groups
        correlation = figure(both.within_group_correlation, 3)
        yield "within-group correlation", correlation, NONE, groups
    any_right, known = coverage.competent, coverage.true
    if any_right is not None and any_right.value is not None:
        limits = interval(any_right.low, any_right.high)
        yield "groups with any right answer", percent(any_right.value), limits, f"{of(any_right)} groups"
    if known is not None and known.value is not None:
        yield "groups the corpus can answer", percent(known.value), NONE, f"{of(known)} groups"
    gaps = coverage.gaps
    if gaps.correct.total:
        yield (
            "known gaps guessed right",
            percent(gaps.correct.value),
            interval(gaps.correct.low, gaps.correct.high),
            of(gaps.correct),
        )
        chance = gaps.expected_by_chance
        yield "  expected by chance", percent(chance.value), NONE, of(chance)


SECTION = ReportSection("headline", "Headline", compute, order=10)
