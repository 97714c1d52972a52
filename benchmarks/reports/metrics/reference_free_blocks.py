"""Metrics that need no true answer, taken for verdicts: GRAMMAR's Table 1 for any run, and what it comes to in words.

The paper (Li et al. 2024, first version, section 4.1) calls low precision optimism, for wrong answers are called right,
and low recall cynicism, for right ones are called wrong.
"""

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.metrics import find_metric
from benchwright.benchmarks.reports.blocks import Block, Cell, Column, Table, Text, foreign, strong
from benchwright.benchmarks.reports.format import NONE, count, number_of, percent
from benchwright.benchmarks.reports.metrics.truth import MetricRatings, RatedMetric
from benchwright.benchmarks.statistics.reliability import Proportion, Verdicts

_PAPER = ("ragas_fact", "selfcheck")
"""The evaluators of the paper: with one of them the table is shown."""
_GOLD = frozenset(("answers", "documents", "evidence"))
_NAME = 60
_MUCH, _SOME = 0.5, 0.2
"""Shares of wrong answers called right, and of right ones called wrong, from which on words say so."""


def reference_free_blocks(found: MetricRatings, *, is_brief: bool = False) -> list[Block]:
    """The table, a sentence for each evaluator, and how to read it; nothing where none of the paper's is rated.

    Args:
        found: what was rated.
        is_brief: the table as the paper has it, with what it comes to in words.
    """
    if not any(name in found.metrics for name in _PAPER):
        return []
    rated = [(name, each, each.verdicts) for name, each in found.metrics.items() if _is_free(name) and each.verdicts]
    rows = tuple(_row(name, each, said)[: 4 if is_brief else None] for name, each, said in rated)
    names = ("evaluator", "right above", "precision", "recall", "precision, by group", "recall, by group", "answers")
    columns = tuple(Column(name) for name in (names[:4] if is_brief else names))
    caption = "Without the true answer, as in GRAMMAR's Table 1, with z-intervals of 95 %"
    table = Table(caption, columns, rows, "fit" if is_brief else "wide")
    lines = [Text((strong(name), f": {line}")) for name, _, said in rated if (line := in_words(said)) is not None]
    return [table, *lines] if is_brief else [table, *lines, Text(_how(found), "small")]


def _is_free(name: str) -> bool:
    """Whether a metric needs no true answer."""
    try:
        return not find_metric(name).needs & _GOLD
    except BenchwrightError:
        return False


def _row(name: str, found: RatedMetric, said: Verdicts) -> tuple[Cell, ...]:
    printed = said.published or (None, None, None, None)
    return (
        foreign(name, _NAME),
        ("" if found.higher_is_better else "below ") + f"{said.threshold:g}",
        _share(said.precision.value, printed[0], printed[1]),
        _share(said.recall.value, printed[2], printed[3]),
        _share(said.precision.value, said.precision.low, said.precision.high),
        _share(said.recall.value, said.recall.low, said.recall.high),
        count(found.answers),
    )


def _share(value: float | None, low: float | None, high: float | None) -> str:
    """`19 % (11 to 27)`, in whole per cent as the paper prints them."""
    if value is None:
        return NONE
    limits = f" ({100 * low:.0f} to {100 * high:.0f})" if low is not None and high is not None else ""
    return f"{percent(value, 0)}{limits}"


def in_words(said: Verdicts) -> str | None:
    """What an evaluator's verdicts are worth; None of no answer."""
    wrong = said.wrong_called_right + said.wrong_called_wrong
    right = said.right_called_right + said.right_called_wrong
    if not wrong + right:
        return None
    degrees: list[str] = []
    if wrong:
        share = said.wrong_called_right / wrong
        called = f"{percent(share, 0)} of {number_of(wrong, 'wrong answer')} called right"
        degrees.append(f"{_degree(share)} optimistic ({called})")
    if right:
        share = said.right_called_wrong / right
        called = f"{percent(share, 0)} of {number_of(right, 'right answer')} called wrong"
        degrees.append(f"{_degree(share)} cynical ({called})")
    return f"{', '.join(degrees)}. {_against_all(said.precision, right / (right + wrong))}"


def _degree(share: float) -> str:
    return "very" if share >= _MUCH else "rather" if share >= _SOME else "hardly"


def _against_all(precision: Proportion, base: float) -> str:
    """Whether more are right of the answers that are called so than of all."""
    if precision.value is None:
        return "It calls no answer right."
    are = f"Of the answers that it calls right {percent(precision.value, 0)} are, of all {percent(base, 0)}"
    if precision.low is None or precision.high is None:
        return f"{are}."
    if precision.low > base:
        return f"{are}: its verdict tells right from wrong."
    if precision.high < base:
        return f"{are}: calling every answer right would be right more often."
    return f"{are}: as far as these answers tell, no better than calling every answer right."


def _how(found: MetricRatings) -> str:
    rated = found.metrics.get("ragas_fact")
    if rated is None or rated.verdicts is None:
        return _HOW
    half = rated.verdicts.threshold == 0.5
    share = "more than half" if half else f"a share above {rated.verdicts.threshold:g}"
    more = "; --threshold ragas_fact=0.99 asks for all" if half else ""
    return (
        f"{_HOW} The paper does not say how many of the claims must be grounded for ragas_fact to call an answer right:"
        f" here {share}{more}."
    )


_HOW = (
    "Precision and recall first with the z-interval that the paper prints, which takes each answer to be a draw of its"
    " own; by group: semantic groups are drawn, whose wordings count together. Answers that an evaluator leaves"
    " unscored, such as those that abstain, are in neither."
)
