"""What a comparison says, as sections of blocks: a sentence first, then the figures that it stands on."""

from collections.abc import Iterator, Sequence

from benchwright.benchmarks.comparisons.comparison import COMPARISON, Comparison
from benchwright.benchmarks.comparisons.differing_blocks import differing_blocks
from benchwright.benchmarks.comparisons.figures import CONFIDENCE, Difference, MetricComparison, SystemFigure
from benchwright.benchmarks.comparisons.gate_words import METHOD, gate_blocks
from benchwright.benchmarks.comparisons.missing_blocks import (
    effort_blocks,
    missing_blocks,
    run_blocks,
    shrinking_blocks,
)
from benchwright.benchmarks.comparisons.part_blocks import (
    answer_blocks,
    columns_of,
    headings,
    left_out,
    slice_blocks,
)
from benchwright.benchmarks.comparisons.retriever_blocks import retriever_blocks
from benchwright.benchmarks.comparisons.sentences import by_points, first_sentences
from benchwright.benchmarks.comparisons.smalltalk_blocks import smalltalk_blocks, smalltalk_sentences
from benchwright.benchmarks.reports.blocks import (
    Block,
    Cell,
    Column,
    Details,
    Inline,
    Interval,
    Range,
    Section,
    Span,
    Table,
    Text,
    foreign,
    missing,
    soft,
)
from benchwright.benchmarks.reports.format import SHARE, amount, count, interval, number_of, p_value

_PAIRS_SHOWN, _PAIRS_IN_TERMINAL = 45, 15
_SYSTEMS_IN_TERMINAL = 25
_NAMES = 3
"""Names in a cell."""


def comparison_sections(comparison: Comparison) -> tuple[Section, ...]:
    """The sections of a comparison, in order; what a terminal shows is each section's `brief`."""
    leading = comparison.leading
    first = [Text(said, "body" if not place else "soft") for place, said in enumerate(first_sentences(comparison))]
    shrinking = list(shrinking_blocks(comparison))
    notes = _notes(comparison)
    found = [
        Section("result", "Result", (*first, *shrinking, *notes), (*first, *shrinking, *notes)),
        Section("systems", "Systems", tuple(_systems(leading)), tuple(_systems(leading, _SYSTEMS_IN_TERMINAL))),
        Section("differences", "Differences", tuple(_differences(leading)), tuple(_brief_differences(leading))),
    ]
    if comparison.gates:
        gates = tuple(gate_blocks(comparison.gates))
        found.insert(0, Section("gates", "Gates", (*gates, METHOD), gates))
    others = list(comparison.metrics.values())[1:]
    if others:
        tested = [each for each in others if each.differences]
        found.append(
            Section(
                "metrics",
                "Other metrics",
                (*_metrics(comparison), *(_folded(each) for each in tested)),
                tuple(_differences(each)[-1] for each in tested),
            )
        )
    if comparison.answers:
        found.append(Section("answers", "Answers", tuple(answer_blocks(comparison)), ()))
    if comparison.retrievers is not None:
        found.append(Section("retrievers", "Retrievers", tuple(retriever_blocks(comparison.retrievers)), ()))
    slices = tuple(slice_blocks(comparison))
    found.append(Section("slices", "Slices", slices, _brief_slices(slices) if len(comparison.runs) == 2 else ()))
    found.append(Section("groups", "Groups they differ on", tuple(differing_blocks(comparison)), ()))
    lacking = tuple(missing_blocks(comparison))
    found.append(
        Section(
            "missing",
            "What is missing",
            lacking or (Text("Nothing: every run has what the others have.", "soft"),),
            lacking,
        )
    )
    if comparison.effort:
        found.append(Section("effort", "What it took", tuple(effort_blocks(comparison.effort)), ()))
    if small := tuple(smalltalk_blocks(comparison.effort, comparison.smalltalk)):
        said = tuple(smalltalk_sentences(comparison.smalltalk))
        found.append(Section("smalltalk", "Small talk", (*said, *small), said))
    found.append(Section("runs", "The runs", tuple(run_blocks(comparison)), ()))
    return tuple(found)


def _notes(comparison: Comparison) -> list[Block]:
    """What makes a difference doubtful."""
    return [Text(foreign(f"{note[:1].upper()}{note[1:]}.", 500), "notice") for note in comparison.notes]


def _systems(metric: MetricComparison, limit: int | None = None) -> Iterator[Block]:
    names = (Column("system", "left"), Column("mean"), Column("95 % interval"), Column("on its scale", drawn=True))
    ranked = metric.method is not None
    if ranked:
        names += (Column("rank"), Column("not separated from", "left"))
    names += (Column("scored"),)
    rows = tuple(tuple(_system(metric, each, ranked=ranked)) for each in metric.systems[:limit])
    more = len(metric.systems) - len(rows)
    note = f" – the best; {count(more)} more stand in {COMPARISON}" if more else ""
    yield Table((foreign(metric.metric, 60), soft(f", {_over(metric)}{note}")), names, rows)
    if ranked and limit is None:
        yield Text(
            "A rank from 2 to 4: the pairs that are separated leave these ranks open to the system. “Not separated” "
            "means that these questions do not show a difference; it does not mean that there is none. The interval "
            "of a mean is the system's own, and is not what systems are compared by.",
            "small",
        )
    note = next((each.note for each in metric.systems if each.note), None)
    if note is not None and limit is None:
        yield Text(f"{note[:1].upper()}{note[1:]}.", "small")


def _over(metric: MetricComparison) -> str:
    """What the means are over."""
    if metric.questions == 1:
        return "over the one question that all have a score of"
    groups = number_of(metric.groups, "group")
    return f"over the {count(metric.questions)} questions that all have a score of ({groups})"


def _system(metric: MetricComparison, each: SystemFigure, *, ranked: bool) -> Iterator[Cell]:
    yield foreign(each.run, 60)
    yield amount(each.value, metric.range)
    yield interval(each.low, each.high, metric.range)
    yield Interval(each.value, each.low, each.high, metric.range)
    if ranked:
        one, last = each.best_rank, each.worst_rank
        yield f"{one}" if one == last else f"{one} to {last}"
        yield _names_of(each)
    yield f"{count(each.scored)} of {count(metric.of_questions)}"


def _names_of(each: SystemFigure) -> Inline:
    """From which systems one is not separated."""
    if not each.not_separated:
        return soft("none")
    shown = each.not_separated_from[:_NAMES]
    more = each.not_separated - len(shown)
    parts: list[str | Span] = []
    for name in shown:
        parts += [*([", "] if parts else []), foreign(name, 40)]
    return (*parts, f" and {count(more)} more") if more else tuple(parts)


def _differences(metric: MetricComparison, limit: int = _PAIRS_SHOWN) -> list[Block]:
    if metric.reason is not None:
        return [missing(f"not tested: {metric.reason}")]
    shown = metric.differences[:limit]
    widest = max((max(abs(each.low), abs(each.high)) for each in shown), default=1.0)
    scale = (-widest, widest)
    points = metric.range == SHARE
    columns = (
        Column("first − second", "left"),
        Column("points" if points else "difference"),
        Column(_confidence(metric)),
        Column("0 in the middle", drawn=True),
        Column("p"),
        Column("result", "left"),
    )
    rows = tuple(_difference(metric, each, scale) for each in shown)
    more = metric.pairs - len(rows)
    note = f" – {count(len(rows))} of {count(metric.pairs)} pairs" if more else ""
    if more and len(metric.differences) == metric.pairs:
        note += f"; the others stand in {COMPARISON}"
    how = f"By {metric.method}. What is drawn are the semantic groups of {metric.target}. "
    how += "A pair is separated where p and the interval both say so."
    if metric.confidence > CONFIDENCE:
        how += f" Separated are pairs with p below {1 - metric.confidence:.3g}: the level is shared with other metrics."
    return [
        Text(how, "soft"),
        Table((foreign(metric.metric, 60), soft(note)), columns, rows, "fit"),
    ]


def _brief_differences(metric: MetricComparison) -> list[Block]:
    """A terminal has the difference of two systems in its sentence."""
    return _differences(metric, _PAIRS_IN_TERMINAL)[-1:] if metric.reason or metric.pairs > 1 else []


def _confidence(metric: MetricComparison) -> str:
    return f"{100 * metric.confidence:.3g} % interval"


def _difference(metric: MetricComparison, each: Difference, scale: Range) -> tuple[Cell, ...]:
    return (
        (foreign(each.first, 40), " − ", foreign(each.second, 40)),
        by_points(each.value, metric.range, signed=True),
        f"{by_points(each.low, metric.range)} to {by_points(each.high, metric.range)}",
        Interval(each.value, each.low, each.high, scale, "good" if each.separated else "quiet", reference=0.0),
        p_value(each.p),
        "separated" if each.separated else soft("not separated"),
    )


def _folded(metric: MetricComparison) -> Details:
    """A further metric that was tested."""
    return Details(foreign(metric.metric, 60), (*_systems(metric), *_differences(metric)))


def _metrics(comparison: Comparison) -> Iterator[Block]:
    places = columns_of(comparison)
    rows = []
    for metric in comparison.metrics.values():
        values = {system.run: system.value for system in metric.systems}
        cells = [amount(values.get(comparison.runs[place].name), metric.range) for place in places]
        better = "" if metric.higher_is_better else " (lower is better)"
        rows.append(((foreign(metric.metric, 60), soft(better)), *cells, count(metric.questions)))
    if not all(metric.method for metric in comparison.metrics.values()):
        yield Text(
            "Means over the questions that all have a score of by that metric; a system with none at all (–) takes no "
            "part. Only metrics whose differences stand on this page were tested: name others with --metric, which "
            "corrects for their number.",
            "soft",
        )
    caption = ("Means", soft(left_out(comparison, places)))
    yield Table(caption, (Column("metric"), *headings(comparison, places), Column("questions")), tuple(rows), "fit")


def _brief_slices(blocks: Sequence[Block]) -> tuple[Block, ...]:
    return tuple(block for block in blocks if isinstance(block, Table))
