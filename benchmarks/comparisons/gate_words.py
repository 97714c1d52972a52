"""What gates decided, in words: one sentence each, and blocks for pages, terminals and comments."""

import math
from collections import Counter
from collections.abc import Sequence

from benchwright.benchmarks.comparisons.compared import IN_PART
from benchwright.benchmarks.comparisons.gate import Gate, GateResult, Look, Verdict
from benchwright.benchmarks.reports.blocks import Block, Cell, Column, Listing, Span, Table, Text, Tone, foreign
from benchwright.benchmarks.reports.format import NONE, SHARE, count, minus, number_of, reasons, signed

TONES: dict[Verdict, Tone] = {"passed": "good", "failed": "bad", "inconclusive": "mixed"}
_ORDER: tuple[Verdict, ...] = ("failed", "inconclusive", "passed")
_WORST = "with what is unscored as the worst"
ROWS = 100
"""Of the table of gates: what failed stands first."""


def difference(value: float, scale: tuple[float, float]) -> str:
    """A difference with its sign: in points of 100 where the metric is a share."""
    return f"{signed(value)} points" if scale == SHARE else minus(f"{value:+.3f}")


def reason(result: GateResult) -> str:
    """Why a gate decided as it did, in a sentence or two that begin in the middle."""
    common, other = result.common, result.with_unscored
    wanted, lacking = asked(result.gate, result.range), _lacking(result)
    if common is None:
        none = "no question has a score of both runs"
        if other is None or result.verdict == "inconclusive":
            return f"{none}{_score(result)}{lacking}"
        return f"{none}, and {_WORST} it is {_seen(other, result)}; asked for is {wanted}{lacking}"
    said, decide = _seen(common, result), _deciding(result)
    if result.verdict != "inconclusive":
        return f"{said}; asked for is {wanted}{lacking}"
    if other is not None and other.verdict != common.verdict:
        return f"{said}: {common.verdict} there, but {_seen(other, result)} {_WORST}{decide}{lacking}"
    return f"{said}, too wide to tell whether it is {wanted}{decide}{lacking}"


def _deciding(result: GateResult) -> str:
    """What would decide what is inconclusive."""
    if result.groups_needed is not None:
        return f"; about {count(_rounded(result.groups_needed))} groups like these would decide four times in five"
    if result.with_unscored is not None:
        return _score(result)
    return "; the difference is the one that is asked for, so that no number of groups like these would decide"


def _score(result: GateResult) -> str:
    return "; score what is unscored to decide" if result.unscored else ""


def asked(gate: Gate, scale: tuple[float, float]) -> str:
    """What a gate asks for, in words."""
    return f"{difference(gate.margin, scale)} or {'more' if gate.sign == '>=' else 'less'}"


def outcome(results: Sequence[GateResult]) -> str:
    """How many gates passed, failed and are inconclusive: "1 failed, 2 passed"."""
    counted = Counter(result.verdict for result in results)
    return ", ".join(f"{counted[verdict]:,} {verdict}" for verdict in _ORDER if counted[verdict])


def sorted_results(results: Sequence[GateResult]) -> list[GateResult]:
    """What failed first, then what is inconclusive."""
    return sorted(results, key=lambda result: _ORDER.index(result.verdict))


def gate_blocks(results: Sequence[GateResult]) -> list[Block]:
    """A table of the gates, and of each that did not pass, or that not all questions count in, why."""
    shown = sorted_results(results)
    rows = tuple(_row(result) for result in shown[:ROWS])
    columns = (
        Column("run", "left"),
        Column("gate", "left"),
        Column("verdict", "left"),
        Column("difference"),
        Column("at least"),
        Column("at most"),
        Column("questions"),
        Column("groups"),
    )
    names = sorted({result.baseline for result in shown})
    caption = ("Against ", foreign(" and ".join(names), 200), f": {outcome(results)}")
    blocks: list[Block] = [Table(caption, columns, rows, "wide")] if shown else []
    if len(shown) > ROWS:
        blocks.append(Text(f"{len(shown) - ROWS:,} more gates are in the JSON file and in the JUnit file.", "small"))
    told = [result for result in shown[:ROWS] if result.verdict != "passed" or result.unscored or result.not_asked]
    if told:
        blocks.append(Listing(tuple((_name(result), f": {reason(result)}.") for result in told)))
    return blocks


METHOD = Text(
    "Differences are the run's minus the baseline's, over the questions that both have a score of, paired by id. Each "
    "limit alone holds the true difference with 95 % confidence; its target is this benchmark, its semantic groups are "
    "what is drawn. A gate passes where the worse limit is within what it asks for, fails where the better one is not, "
    "and else is inconclusive. Where the run has no score of what the baseline has one of, a second look counts it as "
    "the worst there is: a gate decides only where both agree, or fails by the second where the run has no score at "
    "all. Differences of pairs hold for all pairs at once and are two-sided: a gate may decide where a pair is not "
    "separated.",
    "small",
)


def _seen(look: Look, result: GateResult) -> str:
    limits = f"{_cell(look.low, result.range)} and {_cell(look.high, result.range)}"
    return f"{difference(look.value, result.range)} (95 % limits {limits}) over {number_of(look.groups, 'group')}"


def _lacking(result: GateResult) -> str:
    """What is unscored and was not asked."""
    said = ""
    if result.unscored:
        parts = ", or not of each repeat" if IN_PART in result.reasons else ""
        said = (
            f"; {number_of(result.unscored, 'question')} that the baseline has a score of the run has none of{parts}: "
        )
        said += reasons(result.reasons)
    if result.not_asked:
        said += f"; {number_of(result.not_asked, 'question')} of the baseline's the run's sample leaves out"
    if result.baseline_lacks:
        said += f"; {number_of(result.baseline_lacks, 'question')} only the run has a score of"
    return said


def _rounded(number: int) -> int:
    """A number to two digits, rounded up."""
    unit = 10 ** max(0, len(str(number)) - 2)
    return math.ceil(number / unit) * unit


def _name(result: GateResult) -> Span:
    return Span(f"{foreign(result.candidate, 100).text}, {result.gate.text}", "code", foreign=True)


def _row(result: GateResult) -> tuple[Cell, ...]:
    look = result.common
    shown = (look.value, look.low, look.high) if look is not None else ()
    return (
        Span(foreign(result.candidate, 100).text, "code", foreign=True),
        Span(result.gate.text, "code", foreign=True),
        Span(result.verdict, "pill", TONES[result.verdict]),
        *([_cell(value, result.range) for value in shown] or [NONE] * 3),
        count(look.questions if look is not None else 0),
        count(look.groups if look is not None else 0),
    )


def _cell(value: float, scale: tuple[float, float]) -> str:
    return signed(value) if scale == SHARE else minus(f"{value:+.3f}")
