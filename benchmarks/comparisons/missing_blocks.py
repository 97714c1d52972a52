"""What runs lack, what they took, and what they are, as blocks."""

from collections.abc import Iterator, Mapping, Sequence

from benchwright.benchmarks.comparisons.comparison import COMPARISON, Comparison
from benchwright.benchmarks.comparisons.effort import Effort
from benchwright.benchmarks.reports.blocks import (
    Block,
    Cell,
    Column,
    Definition,
    Definitions,
    Details,
    Table,
    Text,
    foreign,
    soft,
    strong,
)
from benchwright.benchmarks.reports.effort.figures import KnownTotal
from benchwright.benchmarks.reports.effort.table import (
    SUMS,
    effort_table,
    grades_table,
    steps_table,
    sums_figures,
    sums_table,
)
from benchwright.benchmarks.reports.format import count, money, number_of, reasons, seconds

_PARTS = 8
_SHOWN = 30


def shrinking_blocks(comparison: Comparison) -> Iterator[Block]:
    """Runs for which more than half of the questions of the others do not count."""
    leading = comparison.leading
    for gaps in comparison.missing:
        if gaps.shrinks:
            yield Text(
                (
                    strong("Few questions in common: "),
                    "without ",
                    foreign(gaps.run, 60),
                    f" the others share {number_of(gaps.common_without, 'question')} with a score of {leading.metric}; "
                    f"with it {count(leading.questions)}. Leave it out, or ask it the same questions.",
                ),
                "notice",
            )


def missing_blocks(comparison: Comparison) -> Iterator[Block]:
    """What each run lacks that another has; nothing where nothing is missing."""
    rows: list[tuple[Cell, ...]] = []
    for gaps in comparison.missing:
        for metrics, tally in _alike(gaps.unscored):
            more = f" and {number_of(len(metrics) - 1, 'metric')} more" if len(metrics) > 1 else ""
            lacking = foreign(metrics[0], 40), f"{more} of {number_of(sum(tally.values()), 'question')}"
            rows.append((foreign(gaps.run, 60), lacking, foreign(reasons(tally), 400)))
        for what, names in (("metrics", gaps.metrics), ("conditions", gaps.conditions)):
            if names:
                rows.append((foreign(gaps.run, 60), what, foreign(", ".join(names), 400)))
        if gaps.unknown_scores:
            rows.append(
                (foreign(gaps.run, 60), "left out", f"{count(gaps.unknown_scores)} scores of unknown questions")
            )
    if not rows:
        return
    more = len(rows) - _SHOWN
    note = f" – {count(more)} more rows stand in {COMPARISON}" if more > 0 else ""
    columns = (Column("run", "left"), Column("lacks", "left"), Column("why, or which", "left"))
    yield Table(("What others have and a run lacks", soft(note)), columns, tuple(rows[:_SHOWN]))


def _alike(unscored: Mapping[str, Mapping[str, int]]) -> list[tuple[list[str], Mapping[str, int]]]:
    """Metrics with the same reasons for the same numbers of questions, together."""
    found: list[tuple[list[str], Mapping[str, int]]] = []
    for metric, tally in unscored.items():
        same = next((metrics for metrics, other in found if other == tally), None)
        if same is None:
            found.append(([metric], tally))
        else:
            same.append(metric)
    return found


def effort_blocks(efforts: Sequence[Effort]) -> Iterator[Block]:
    """What each run took."""
    rows: list[tuple[Cell, ...]] = []
    for each in efforts:
        if each.cost is None:
            rows.append((foreign(each.run, 60), f"not known: {each.reason}"))
            continue
        cost = each.cost
        rows.append(
            (
                foreign(each.run, 60),
                *(_total(total) for total in (cost.input_tokens, cost.output_tokens, cost.calls, cost.retrievals)),
                money(cost.cost.total),
                seconds(cost.latency.median),
                seconds(cost.latency.p95),
                count(cost.retrievals.of),
            )
        )
    columns = ("tokens in", "tokens out", "calls", "retrievals", "cost", "median time", "95 % within", "answers")
    yield Text(
        "Totals over all answers of a run, whether they are compared or not; what no answer says is unknown, not 0. "
        "Times depend on the machine.",
        "soft",
    )
    yield Table("", (Column("run"), *(Column(name) for name in columns)), tuple(rows), "fit")
    yield from _part_tables(efforts)


def _part_tables(efforts: Sequence[Effort]) -> Iterator[Block]:
    """For each condition and subset that several runs have, what each took and how its answers were graded."""
    parts = [(each.run, part) for each in efforts if each.cost is not None for part in each.cost.parts]
    places = list(dict.fromkeys((part.condition, part.subset) for _, part in parts))
    for condition, subset in places[:_PARTS]:
        there = [
            (foreign(run, 60), part) for run, part in parts if (part.condition, part.subset) == (condition, subset)
        ]
        if len(there) > 1:
            name = condition if subset is None else f"{subset} · {condition}"
            yield effort_table(("What answers took and were worth: ", foreign(name, 80)), "run", there)
            yield from sums_figures(there)
            more = (
                grades_table(("How many answers got each grade: ", foreign(name, 80)), "run", there),
                sums_table((f"{SUMS}: ", foreign(name, 80)), "run", there),
                steps_table(("What each step of the answers took: ", foreign(name, 80)), "run", there),
            )
            yield from (table for table in more if table is not None)
    if len(places) > _PARTS:
        yield Text(f"{count(len(places) - _PARTS)} more conditions and subsets stand in {COMPARISON}.", "small")


def _total(total: KnownTotal) -> str:
    """A total, with how many answers it is of where that is not all."""
    if total.total is None:
        return "unknown"
    return count(total.total) + ("" if total.known == total.of else f" (of {count(total.known)})")


def run_blocks(comparison: Comparison) -> Iterator[Block]:
    """How each system was given, and with which settings."""
    for run in comparison.runs[:_SHOWN]:
        items = [
            Definition("Given as", foreign(f"{run.kind}: {run.reference}", 300)),
            Definition("Asked", number_of(run.questions, "question")),
            *(Definition(foreign(name, 60), foreign(str(value), 200)) for name, value in run.settings.items()),
        ]
        name = (foreign(run.name, 60), soft(" – a built-in system, for trying things out" if run.built_in else ""))
        yield Details(name, (Definitions(tuple(items)),))
    more = len(comparison.runs) - _SHOWN
    if more > 0:
        yield Text(f"{count(more)} more runs stand in {COMPARISON}.", "small")
