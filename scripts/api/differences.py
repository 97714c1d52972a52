"""Whether scores of the same questions differ, from Python: for scores that lie in no run."""

from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Literal

from benchwright.benchmarks.errors import UsageError

if TYPE_CHECKING:
    from benchwright.benchmarks.statistics.joint import JointComparison
    from benchwright.benchmarks.statistics.paired import PairedComparison


def compare_pair(
    first: Iterable[float],
    second: Iterable[float],
    groups: Iterable[Hashable],
    *,
    limits: tuple[float, float] | None = (0.0, 1.0),
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    null: float = 0.0,
    confidence: float = 0.95,
) -> "PairedComparison":
    """Compares two scores of each question, in the same order: difference, interval, sign flips and t-test by group.

    Args:
        first: scores.
        second: of the same questions.
        groups: of each question its semantic group; where each stands alone, its id.
        limits: the least and the largest that a score can be; None where it has none.
        alternative: "greater" asks whether the first is larger, "less" whether it is smaller: intervals have one limit.
        null: the difference that is tested against: below 0 for "worse by no more than so much".
        confidence: of the interval.

    Raises:
        UsageError: the numbers of scores and groups differ, a score is not finite or outside the limits, or there are
            fewer than two groups.
    """
    import numpy as np

    from benchwright.benchmarks.statistics.intervals import codes_of
    from benchwright.benchmarks.statistics.paired import compare_pair as compare

    one, other = (np.array(list(each), dtype=float) for each in (first, second))
    codes = codes_of(list(groups))
    try:
        found = compare(one, other, codes, limits=limits, alternative=alternative, null=null, confidence=confidence)
    except ValueError as error:
        raise UsageError(f"{error}.") from error
    if found is None:
        raise UsageError("all questions are of one semantic group, which cannot tell what chance does: two are needed.")
    return found


def compare_jointly(
    scores: Mapping[str, Iterable[float]],
    groups: Iterable[Hashable],
    *,
    limits: tuple[float, float] | None = (0.0, 1.0),
    higher_is_better: bool = True,
    confidence: float = 0.95,
) -> "JointComparison":
    """Compares all pairs of systems by scores of the same questions, with one level for all pairs, and ranks them.

    Args:
        scores: of each system those of its questions, all in the same order.
        groups: of each question its semantic group; where each stands alone, its id.
        limits: the least and the largest that a score can be; None where it has none.
        higher_is_better: which way ranks go.
        confidence: of all intervals together.

    Raises:
        UsageError: the numbers of scores and groups differ, a score is not finite or outside the limits, or there are
            fewer than two systems or groups.
    """
    import numpy as np

    from benchwright.benchmarks.statistics.intervals import codes_of
    from benchwright.benchmarks.statistics.joint import compare_jointly as compare

    columns = {name: np.array(list(each), dtype=float) for name, each in scores.items()}
    codes = codes_of(list(groups))
    for name, column in columns.items():
        if len(column) != len(codes):
            raise UsageError(
                f"{name!r} has {len(column)} scores of {len(codes)} questions: give each system all of them."
            )
    if len(columns) < 2:
        raise UsageError("a comparison is of two systems or more.")
    try:
        found = compare(
            np.stack(list(columns.values()), axis=1),
            codes,
            limits=limits,
            higher_is_better=higher_is_better,
            confidence=confidence,
        )
    except ValueError as error:
        raise UsageError(f"{error}.") from error
    if found is None:
        raise UsageError("all questions are of one semantic group, which cannot tell what chance does: two are needed.")
    return found
