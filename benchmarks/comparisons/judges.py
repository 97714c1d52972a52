"""Who judged: scores of different judges are not compared unless that is asked for."""

from collections.abc import Sequence
from dataclasses import replace

from benchwright.benchmarks.comparisons.read import Compared, Scored
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.judgments import COMPUTED


def without_mixed_judges(compared: Compared, *, named: bool) -> tuple[Compared, tuple[str, ...]]:
    """The runs without the metrics that other judges judged in one run than in another, and the names of these.

    Args:
        compared: the runs.
        named: whether the user named the metrics; then each must be of the same judges.

    Raises:
        BenchwrightError: the leading metric, or one that was named, is of different judges.
    """
    mixed = [name for name, scored in compared.scored.items() if is_mixed(scored)]
    for name in mixed:
        if not named and name != compared.metrics[0]:
            continue
        judges = compared.scored[name].judges
        one = next(place for place, its in enumerate(judges) if its)
        two = next(place for place, its in enumerate(judges) if its and its != judges[one])
        raise BenchwrightError(
            f"{name} of {compared.names[one]} is {said_judges(judges[one])}, and that of {compared.names[two]} is "
            f"{said_judges(judges[two])}, so that a difference may be the judges': have both judged alike, or compare "
            "them all the same with --mix-judges"
        )
    kept = {name: scored for name, scored in compared.scored.items() if name not in mixed}
    return replace(compared, scored=kept), tuple(mixed)


def is_mixed(scored: Scored) -> bool:
    """Whether a metric is of other judges in one run than in another; a run without any score of it has no judge."""
    return len({its for its in scored.judges if its}) > 1


def said_judges(judges: Sequence[str]) -> str:
    """Who judged, in words."""
    return " and ".join(each if each == COMPUTED else f"judged by {each}" for each in judges) or "unscored"
