"""hit at a cut-off, from ranked documents."""

from benchwright.benchmarks.metrics.base import Metric, MetricAt
from benchwright.benchmarks.metrics.ranked import ranked_metric
from benchwright.benchmarks.metrics.ranking import Floats


def hit(ranks: Floats, k: int) -> Floats:
    """1 where a relevant document is among the first k, else 0."""
    return (ranks <= k).any(axis=1).astype(float)


def at(k: int) -> Metric:
    """The metric at a cut-off of k documents."""
    return ranked_metric(
        name=f"hit@{k}",
        meaning="whether any gold document is among the first k",
        formula="1 if a relevant document has a rank up to k, else 0",
        citation="trec_eval 9, measure success",
        measure=hit,
        k=k,
        order=40,
    )


METRIC = MetricAt("hit", at)
