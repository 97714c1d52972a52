"""What people said of a run's answers, as blocks: every metric beside it, and calibrated scores."""

from collections.abc import Iterator, Sequence

from benchwright.benchmarks.reports.blocks import Block, Cell, Column, Range, Span, Table, Text, cut, foreign, soft
from benchwright.benchmarks.reports.format import NONE, amount, count, interval, minus, number_of
from benchwright.benchmarks.reports.metrics.agreement_blocks import share_with_limits, with_limits
from benchwright.benchmarks.reports.metrics.calibrated import CalibratedMetric, CalibratedScores
from benchwright.benchmarks.reports.metrics.people import BesidePeople
from benchwright.benchmarks.reports.metrics.scale import scale_of
from benchwright.benchmarks.statistics.calibration import Bounds, Calibration, ErrorRate
from benchwright.benchmarks.statistics.intervals import Interval

_NAME = 60


def beside_people_table(found: Sequence[BesidePeople]) -> Table:
    """A row for each metric and what people judged by."""
    columns = (
        Column("metric"), Column("same verdict"), Column("precision"), Column("recall"), Column("Cohen's kappa"),
        Column("on pairs"), Column("Pearson"), Column("Spearman"), Column("answers"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = [
        (
            _of_two(each.metric, each.said),
            share_with_limits(each.verdicts.accuracy) if each.verdicts else NONE,
            share_with_limits(each.verdicts.precision) if each.verdicts else NONE,
            share_with_limits(each.verdicts.recall) if each.verdicts else NONE,
            with_limits(each.verdicts.kappa) if each.verdicts else NONE,
            with_limits(each.pairs),
            with_limits(each.pearson),
            with_limits(each.spearman),
            count(each.answers),
        )
        for each in found
    ]
    caption = ("Each metric beside people's verdicts", soft(", with intervals of 95 % by semantic group"))
    return Table(caption, columns, tuple(rows), "wide")


def beside_people_lines(found: Sequence[BesidePeople]) -> Iterator[Block]:
    """On how many answers a metric gives the verdict that people gave by another."""
    for each in found:
        if each.verdicts is not None and each.metric != each.said:
            same, kappa = share_with_limits(each.verdicts.accuracy), with_limits(each.verdicts.kappa)
            beyond = f", kappa {kappa}" if each.verdicts.kappa is not None else ""
            said = f" gives the verdict of people on {same} of {number_of(each.answers, 'answer')}{beyond}."
            yield Text((foreign(each.metric, _NAME), said))


def calibrated_blocks(found: CalibratedScores) -> Iterator[Block]:
    """The part of the page: sentences, and a table of what they rest on."""
    yield from calibrated_lines(found)
    if not found.metrics:
        return
    columns = (
        Column("scores"), Column("their mean"), Column("people, on the sample"), Column("calibrated"),
        Column("weight"), Column("labels"), Column("groups"), Column("that differ"), Column("worth"),
    )  # fmt: skip
    rows = tuple(_row(each) for each in found.metrics)
    yield Table("What calibrated scores rest on", columns, rows, "wide")
    yield Text(_HOW, "small")


def _row(each: CalibratedMetric) -> tuple[Cell, ...]:
    figures, scale = each.figures, scale_of(each.metric).range
    return (
        _of_two(each.by, each.metric),
        minus(amount(figures.judge_mean, scale)),
        _with_interval(figures.people, scale),
        _with_interval(figures.estimate, scale),
        NONE if figures.weight is None else f"{figures.weight:.2f}",
        count(figures.labelled) + (f" of {count(figures.drawn)}" if figures.labelled < figures.drawn else ""),
        count(figures.groups),
        count(figures.disagreements),
        NONE if figures.gain is None else count(figures.gain * figures.labelled),
    )


def _of_two(metric: str, said: str) -> Cell:
    """A metric, and what people judged by where that is another."""
    name = foreign(metric, _NAME)
    return name if metric == said else (name, soft(" for "), foreign(said, _NAME))


def calibrated_lines(found: CalibratedScores) -> Iterator[Text]:
    """A sentence for each metric, and what is to be known of the sample."""
    if found.reason is not None:
        yield Text((soft("Not calibrated: "), foreign(found.reason, 600), "."), "small")
        return
    notes: list[Text] = []
    for each in found.metrics:
        yield _line(each, found.sample or "")
        notes += [note for note in _notes(each) if note not in notes]
    yield from notes
    for metric, why in found.lacking.items():
        yield Text((soft("Not calibrated: "), foreign(f"{metric}, for {why}", 600), "."), "small")
    if found.samples > 1:
        yield Text(
            f"{number_of(found.samples, 'sample')} were drawn from these answers. The interval holds for one that was"
            " taken before anybody saw its labels, and not for one that was chosen.",
            "notice",
        )
    if found.unmarked:
        labels = number_of(found.unmarked, "label")
        yield Text(f"{labels} of the file are not marked as of the sample, and calibrate nothing.", "small")


def _line(each: CalibratedMetric, sample: str) -> Text:
    figures, scale = each.figures, scale_of(each.metric).range
    if figures.estimate is None:
        return _refused_line(each)
    worth = ""
    if figures.gain is not None and figures.gain > 1 and figures.labelled == figures.drawn:
        worth = f" It would take {count(figures.gain * figures.labelled)} of them alone for so narrow an interval."
    return Text(
        (
            _strong(each.metric),
            f" by people, over all {number_of(figures.answers, 'answer')}:"
            f" {_with_interval(figures.estimate, scale)}, calibrated from ",
            *_scores(each),
            f", which say {minus(amount(figures.judge_mean, scale))}, with {number_of(figures.labelled, 'label')} of"
            f" {sample}.{worth}",
        )
    )


def _refused_line(each: CalibratedMetric) -> Text:
    figures, scale = each.figures, scale_of(each.metric).range
    said = f": {'; '.join(figures.refused)}."
    if figures.bounds is not None:
        between = minus(f"between {amount(figures.bounds.low, scale)} and {amount(figures.bounds.high, scale)}")
        said += f" {_errors(figures.bounds)}over all answers it is {between} by people."
    if figures.people is not None:
        supposed = ", as if those without a label were like the others" if figures.labelled < figures.drawn else ""
        said += f" By the labels alone it is {_with_interval(figures.people, scale)}{supposed}."
    return Text((_strong(each.metric), " is not calibrated from ", *_scores(each), said))


def _strong(name: str) -> Span:
    return Span(cut(name, _NAME), "strong", foreign=True)


def _scores(each: CalibratedMetric) -> tuple[str | Span, ...]:
    """Whose scores they are."""
    return ("the run's own scores",) if each.by == each.metric else ("those of ", _strong(each.by))


def _errors(bounds: Bounds) -> str:
    if bounds.false_correct is None or bounds.false_wrong is None:
        return "Bounded without the judge, "
    return (
        f"People call wrong {_rate(bounds.false_correct)} of what the scores call right, and"
        f" right {_rate(bounds.false_wrong)} of what they call wrong: "
    )


def _rate(rate: ErrorRate) -> str:
    """`1 of 20 (0.1 to 24.9 %)`."""
    return f"{rate.errors:g} of {rate.answers:,} ({interval(rate.low, rate.high)} %)"


def _notes(each: CalibratedMetric) -> Iterator[Text]:
    figures = each.figures
    missing = figures.drawn - figures.labelled
    if missing:
        has = "has" if missing == 1 else "have"
        allowed = ": the interval allows for the worst of them" if figures.estimate is not None else ""
        yield Text(
            f"{number_of(missing, 'answer')} of {figures.drawn:,} that were drawn {has} no label{allowed}. What people"
            " find unclear, or are divided about, has none; annotate --merge with --resolve makes a page of it.",
            "small",
        )
    if each.divided:
        yield Text(f"People are divided about {number_of(each.divided, 'answer')}: their mean counts.", "small")
    if figures.judge_unscored:
        yield Text(_unscored(each.by, figures), "small")


def _unscored(by: str, figures: Calibration) -> tuple[Span, str]:
    number = figures.judge_unscored
    counts = "counts" if number == 1 else "count"
    said = f" did not score {number_of(number, 'answer')}, which {counts} in people's mean all the same."
    return (foreign(by, _NAME), said)


def _with_interval(found: Interval | None, scale: Range) -> str:
    if found is None:
        return NONE
    return minus(f"{amount(found.value, scale)} ({interval(found.low, found.high, scale)})")


_HOW = (
    "The estimate is the judge's mean over all answers, times its weight, and on the sample people's mean less the"
    " judge's times its weight (prediction-powered inference, PPI++). The weight, from 0 to 1, is found on other labels"
    " than those that it corrects. Intervals of 95 % are of this benchmark, whose semantic groups are drawn. Worth: so"
    " many labels alone would make an interval as narrow. Where fewer than 100 groups are labelled, or judge and people"
    " differ in fewer than 10, such intervals hold the truth too seldom: then error rates are bounded."
)
