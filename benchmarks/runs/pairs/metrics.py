"""Which metrics are held against what people chose of pairs."""

from collections.abc import Sequence

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.metrics import Metric, find_metric, metric_names
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.runs.judge import is_judged
from benchwright.benchmarks.types import DIMENSIONS

_KINDS = ("", "gpt_score_", "gpt_ranking_")
"""Before the name of a dimension: RAGAS's metrics and the two that the paper compares them with."""


def pair_metrics(names: Sequence[str], client: Client | None) -> tuple[list[Metric], list[Metric]]:
    """The metrics of names; of none, those of the paper's Table 1, as far as they can be scored, and the others of it.

    Raises:
        UsageError: there is none that can be scored.
        BenchwrightError: there is no metric of a name.
    """
    if names:
        return [find_metric(name) for name in dict.fromkeys(names)], []
    there = metric_names()
    wanted = [f"{kind}{dimension}" for kind in _KINDS for dimension in DIMENSIONS]
    metrics = [find_metric(name) for name in wanted if name in there]
    scored = [each for each in metrics if each.rule is not None or (client is not None and is_judged(client, each))]
    if not scored:
        raise UsageError("no metric of pairs can be scored without a model: name a METRIC, or --model judge=NAME")
    return scored, [each for each in metrics if each not in scored]
