"""Who judged: scores of different judges are not compared unless that is asked for."""

from collections.abc import Sequence
from dataclasses import replace

from benchwright.benchmarks.comparisons.compared import Compared, Scored
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
        raise BenchwrightError(
            f"{_said_apart(compared, compared.scored[name])}, so that a difference may be the judges': "
            "have both judged alike, or compare them all the same with --mix-judges"
        )
    kept = {name: scored for name, scored in compared.scored.items() if name not in mixed}
    return replace(compared, scored=kept), tuple(mixed)


def is_mixed(scored: Scored) -> bool:
    """Whether a metric is of other judges in one run than in another, or a question is; a run without any score of it
    has no judge, and a question that rules decided in one run is not held against a judgment in another."""
    return _differ(scored) or scored.judged_apart is not None


def mixed_by_question(compared: Compared, scored: Scored) -> str:
    """Which question not the same judges judged, in words; nothing where there is none."""
    if scored.judged_apart is None:
        return ""
    (one, two), judges = scored.judged_apart.runs, scored.judged_apart.judges
    which = compared.questions.ids[scored.judged_apart.question]
    return (
        f"question {which} is {said_judges(judges[0])} in {compared.names[one]} and {said_judges(judges[1])} in "
        f"{compared.names[two]}"
    )


def _differ(scored: Scored) -> bool:
    return len({its for its in scored.judges if its}) > 1


def _said_apart(compared: Compared, scored: Scored) -> str:
    """Who judged what in two runs of a mixed metric."""
    if not _differ(scored):
        return f"{scored.name}: {mixed_by_question(compared, scored)}"
    judges = scored.judges
    one = next(place for place, its in enumerate(judges) if its)
    two = next(place for place, its in enumerate(judges) if its and its != judges[one])
    return (
        f"{scored.name} of {compared.names[one]} is {said_judges(judges[one])}, and that of {compared.names[two]} is "
        f"{said_judges(judges[two])}"
    )


def said_judges(judges: Sequence[str]) -> str:
    """Who judged, in words."""
    return " and ".join(each if each == COMPUTED else f"judged by {each}" for each in judges) or "unscored"
