"""What `score-metric` refuses before a judge is asked, and paid, for what could not be rated."""

from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.metrics.human_verdicts import read_verdicts
from benchwright.benchmarks.reports.metrics.scale import Asked, refuse_thresholds


def refuse_beforehand(run: RunData, asked: Asked) -> None:
    """Looks at thresholds and at the file of verdicts.

    Args:
        run: the run with the scores that it has.
        asked: what is to be rated, of which some may not be scored yet.

    Raises:
        UsageError: a threshold is of nothing that is named, or beyond its scale; several judges are mixed unasked.
        BenchwrightError: verdicts are not of this run.
    """
    if asked.metrics:
        refuse_thresholds(asked, [*asked.metrics, asked.truth])
    if asked.human is not None:
        read_verdicts(asked.human, run, judge=asked.judge, mixed=asked.mix_judges)


def to_be_scored(asked: Asked) -> tuple[str, ...]:
    """The metrics that must be scored: those that are named, and a truth that is named and that people do not say."""
    is_named = asked.human is None and asked.truth not in ("correct", *asked.metrics)
    return (*asked.metrics, asked.truth) if is_named else asked.metrics
