"""Checks of a judge as a table and lines: what the page and the terminal of `score-metric` show of them."""

import math
from collections.abc import Iterator, Mapping

from benchwright.benchmarks.reports.blocks import Block, Cell, Column, Inline, Table, Text, foreign, soft
from benchwright.benchmarks.reports.format import minus, number_of
from benchwright.benchmarks.reports.metrics.agreement_blocks import again_table, share_with_limits
from benchwright.benchmarks.reports.metrics.judge_checks import JudgeChecks, LengthEffect, OwnAnswers, Steadiness

_NAME = 60
_Z = 1.959963984540054
_RELATIONS = {
    "same": "it judges answers of its own model",
    "family": "it judges answers of a model of its own family, by the names",
    "other": "the system's model is another, by the names",
    "unknown": "which model the system uses is not recorded",
}


def judge_check_blocks(checks: Mapping[str, JudgeChecks]) -> Iterator[Block]:
    """A row for each check of each metric's judge, and what a judge who was asked again said."""
    rows: list[tuple[Cell, ...]] = []
    for name, each in checks.items():
        first: Inline = (foreign(name, _NAME), soft(" by "), foreign(each.judge, _NAME))
        rows += [(first, check, said) for check, said in _sentences(each)]
    columns = (Column("metric"), Column("check", "left"), Column("found", "left"))
    yield Table("What is observed of the model that judges", columns, tuple(rows), "wide")
    again = [(foreign(name, _NAME), each.steadiness.again) for name, each in checks.items() if each.steadiness]
    if again:
        yield again_table(again)
    yield Text(_MEANING, "small")


def judge_check_lines(checks: Mapping[str, JudgeChecks]) -> Iterator[Block]:
    """What was observed, a line for each check; of the others their names."""
    for name, each in checks.items():
        for check, said in _sentences(each):
            if check not in each.not_observed or (check == "self-preference" and each.own.relation in _NEAR):
                yield Text((foreign(name, _NAME), f", {check}: ", said), "small")
        if each.not_observed:
            lacking = ", ".join(each.not_observed)
            yield Text((foreign(name, _NAME), f", not observed of its judge: {lacking}; the page says why."), "small")


_NEAR = ("same", "family")


def _sentences(each: JudgeChecks) -> Iterator[tuple[str, str]]:
    """Check and what was found, or why nothing was."""
    why = {check: f"not observed: {reason}" for check, reason in each.not_observed.items()}
    yield "steadiness", _steadiness(each.steadiness) if each.steadiness else why["steadiness"]
    yield "position", why.get("position", "see the pairs")
    yield "length", _length(each.length) if each.length else why["length"]
    yield "self-preference", "; ".join(filter(None, (_own(each.own), why.get("self-preference"))))


def _steadiness(found: Steadiness) -> str:
    again = found.again
    flips = again.same_verdict.total - again.same_verdict.count
    said = (
        f"judged {again.times} times, it said the same of {share_with_limits(again.same)} of"
        f" {number_of(again.answers, 'answer')} and changed its verdict on {flips:,}"
    )
    if found.error is None or found.share is None:
        return f"{said}; what that adds to the mean cannot be told apart"
    rerun = _Z * math.sqrt(2) * found.error
    return (
        f"{said}; that is {100 * found.share:.1f} % of the variance of the mean, and in 95 of 100 cases judging anew"
        f" moves the mean by no more than {rerun:.3f}"
    )


def _length(found: LengthEffect) -> str:
    return minus(
        f"of two answers as right as each other, the one with twice as many words scores {found.slope:+.3f}"
        f" ({found.low:+.3f} to {found.high:+.3f}); {number_of(found.answers, 'answer')} in"
        f" {number_of(found.groups, 'semantic group')}"
    )


def _own(found: OwnAnswers) -> str:
    said = _RELATIONS[found.relation]
    mine, theirs = found.called_right, found.baseline_called_right
    if mine is not None and mine.total:
        said += f"; it calls {mine.count:,} of {number_of(mine.total, 'wrong answer')} right"
    if theirs is None:
        return said
    related = _RELATIONS[found.baseline_relation or "unknown"]
    said += f", and {theirs.count:,} of {theirs.total:,} of the baseline ({related})"
    if found.difference is None or found.low is None or found.high is None:
        return said
    limits = f"{100 * found.low:+.0f} to {100 * found.high:+.0f}"
    said += minus(f": a difference of {100 * found.difference:+.0f} points ({limits})")
    return said if found.tells else f"{said}, which says nothing of its own answers, for both are as near to it"


_MEANING = (
    "Of the times that an answer was judged, the first counts. Length: one slope within right and within wrong answers;"
    " longer answers may be better ones in ways that right and wrong do not show. Self-preference: wrong answers that"
    " are called right; the wrong answers of one system may be easier to see through than those of another, and names"
    " of models may hide that they are related. Intervals of 95 % are by semantic group."
)
