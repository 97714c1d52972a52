"""All metrics over the headline's questions, and how their answers came out."""

from collections.abc import Iterator

from benchwright.benchmarks.catalogue import load_spec
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.reports.answers.outcomes import DECIDE, NOT_JUDGED, TONES, OutcomeCounts, decided_by_rules
from benchwright.benchmarks.reports.blocks import (
    Block,
    Cell,
    Chart,
    Column,
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
from benchwright.benchmarks.reports.format import amount, count, interval, percent, reasons
from benchwright.benchmarks.reports.metrics.figures import (
    MetricFigure,
    Metrics,
    by_rule,
    headline_metrics,
    scale_shown,
    with_values,
)
from benchwright.benchmarks.reports.section import Content, ReportSection
from benchwright.benchmarks.reports.sections.outcomes import outcome_figures


def compute(run: RunData) -> Content:
    """The shares of outcomes as a bar, and a table."""
    counts, metrics = outcome_figures(run).headline, headline_metrics(run)
    blocks: list[Block] = []
    if counts.total:
        blocks += [Text(f"Outcomes of {count(counts.total)} answers", "heading"), _bar(counts), *undecided(run)]
    else:
        blocks.append(missing(f"outcomes are not available because {NOT_JUDGED}"))
    if metrics:
        blocks += [_table(with_values(metrics)), *unscored(metrics)]
    else:
        blocks.append(missing("metrics are not available because nothing was scored"))
    return Content(blocks, ())


def without_gold(run: RunData) -> Iterator[Text]:
    """Why nothing says which answers are right, where no question has a gold answer and nobody judged."""
    if not run.questions.has_gold and "correct" not in run.metrics:
        why = "no question has a gold answer, so that what needs one, such as `correct`, is not scored"
        yield Text(f"Of this benchmark {why}; verdicts of people or of a model may be handed in with --judgments.")


def undecided(run: RunData) -> Iterator[Text]:
    """What share of the answers the rules of `correct` could read, and what to do about the others."""
    decided = decided_by_rules(run)
    if decided.undecided:
        total = f"{percent(decided.value)} of {count(decided.total)} answers"
        why = reasons(decided.undecided)
        yield Text(f"The rules of `correct` decided {total}. The others are unscored, not wrong: {why}; {DECIDE}.")


def foreign_language(run: RunData) -> Iterator[Text]:
    """What to know where the rules of `correct` judged answers of another language than theirs."""
    language = report_language(run)
    if language and language.partition("-")[0] != "en" and decided_by_rules(run).total:
        reader = ", as does the built-in reader that answered" if run.settings.system.builtin else ""
        read = f"Its language is {language}, and the rules of `correct` read English{reader}"
        yield Text(f"{read}: they may misread numbers, dates, denials and hedges; {DECIDE}.")


def report_language(run: RunData) -> str | None:
    """The language of the benchmark; None where its builder is not installed."""
    manifest = run.release.manifest
    try:
        return load_spec(manifest.builder).language_of(manifest.parameters, manifest.sources)
    except BenchwrightError:
        return None


def _bar(counts: OutcomeCounts) -> Chart:
    marks = tuple(Mark(name, TONES[name], number) for name, number in counts.parts.items() if number)
    return Chart("shares", "Outcomes", marks)


def _table(metrics: Metrics) -> Table:
    """The metrics, with the interval for new templates and entities where a metric has one."""
    others = any(entry.new_templates_and_entities.low is not None for entry in metrics.values())
    columns = [
        Column("metric"),
        Column("value"),
        Column("95 % interval"),
        Column("from lowest to highest", drawn=True),
        Column("scored"),
    ]
    if others:
        columns.insert(4, Column("for new templates and entities"))
    rows = tuple(_row(name, entry, others=others) for name, entry in metrics.items())
    return Table("All metrics", tuple(columns), rows)


def _row(name: str, entry: MetricFigure, *, others: bool) -> tuple[Cell, ...]:
    label: list[str | Span] = [foreign(name, 60)]
    if not entry.higher_is_better:
        label.append(soft(" (lower is better)"))
    if said := scale_shown(entry.range) + by_rule(name, entry):
        label.append(soft(said))
    other = entry.new_templates_and_entities
    return (
        tuple(label),
        amount(entry.value, entry.range),
        interval(entry.low, entry.high, entry.range),
        Interval(entry.value, entry.low, entry.high, entry.range),
        *((interval(other.low, other.high, entry.range),) if others else ()),
        f"{count(entry.scored)} of {count(entry.total)}",
    )


def unscored(metrics: Metrics) -> Iterator[Text]:
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


SECTION = ReportSection("metrics", "Metrics", compute, order=14)
