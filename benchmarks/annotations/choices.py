"""What a person may say of an answer by a metric: right or wrong, or a grade of the metric's scale."""

from benchwright.benchmarks.annotations.items import CANNOT_TELL, RIGHT, WRONG, Choice
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.metrics import find_metric, may_be_judged
from benchwright.benchmarks.metrics.judged_scales import range_of_computed

_ASKED = {
    "correct": "Is the answer correct?",
    "semantic_match": "Does the answer say what the true answer says?",
    "retrieved": "Do the contexts hold what is needed to answer?",
}
_YES_OR_NO = (*_ASKED, "exact_match")
_GRADES = 11
"""Grades up to which each is a choice; beyond it, and between 0 and 1, there are three steps."""


def choices_of(metric: str) -> tuple[Choice, ...]:
    """What may be said by a metric.

    Raises:
        UsageError: there is no such metric.
    """
    if not may_be_judged(metric):
        raise UsageError(f"there is no metric {metric!r} that answers are judged by: name another with --metric")
    low, high = range_of_computed(metric) or (0.0, 1.0)
    if metric in _YES_OR_NO:
        return (RIGHT, WRONG, CANNOT_TELL)
    if high - low > 1 and low.is_integer() and high.is_integer() and high - low < _GRADES:
        grades = range(int(low), int(high) + 1)
        return (*(Choice(str(grade), str(grade), float(grade)) for grade in grades), CANNOT_TELL)
    if not (abs(low) < 1e6 and abs(high) < 1e6):
        raise UsageError(f"{metric} has no scale that a person could use: name another with --metric")
    return (
        Choice("fully", "Fully", high, "good"),
        Choice("partly", "Partly", (low + high) / 2),
        Choice("not", "Not at all", low, "bad"),
        CANNOT_TELL,
    )


def question_of(metric: str) -> str:
    """What is asked by a metric, in a sentence."""
    if metric in _ASKED:
        return _ASKED[metric]
    try:
        meaning = find_metric(metric).meaning
    except BenchwrightError:  # a name that judgments alone have
        return f"{metric.replace('_', ' ').capitalize()}: what do you say?"
    low, high = range_of_computed(metric) or (0.0, 1.0)
    scale = f" ({low:g} is the worst, {high:g} the best)" if high - low > 1 else ""
    return f"{metric}: {meaning}{scale}"
