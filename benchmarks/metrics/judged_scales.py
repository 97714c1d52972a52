"""Whether verdicts made elsewhere are on the scales of their metrics."""

from collections.abc import Callable, Iterable
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.judgments import Judgment
from benchwright.benchmarks.metrics.registry import find_metric


def refuse_other_scales(
    path: Path, judgments: Iterable[Judgment], range_of: Callable[[str], tuple[float, float] | None]
) -> None:
    """Refuses verdicts that lie beyond the lowest and the highest value that their metric can have.

    Args:
        path: the file that they are from: for messages.
        judgments: its verdicts.
        range_of: of a metric's name; None where nobody knows.

    Raises:
        BenchwrightError: one lies beyond.
    """
    for each in judgments:
        limits = None if each.is_of_step else range_of(each.metric)
        if limits is not None and each.score is not None and not limits[0] <= each.score <= limits[1]:
            raise BenchwrightError(
                f"{path.name} says {each.metric} {each.score:g} of {each.id!r}, and {each.metric} goes from "
                f"{limits[0]:g} to {limits[1]:g}: write verdicts on that scale"
            )


def range_of_computed(name: str) -> tuple[float, float] | None:
    """The range of a metric that is computed here; None of a name that judgments alone have."""
    try:
        low, high = find_metric(name).range
    except BenchwrightError:
        return None
    return float(low), float(high)
