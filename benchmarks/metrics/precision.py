"""precision at a cut-off, from ranked documents."""

from benchwright.benchmarks.metrics.base import Metric, MetricAt
from benchwright.benchmarks.metrics.ranked import ranked_metric
from benchwright.benchmarks.metrics.ranking import Floats


def precision(ranks: Floats, k: int) -> Floats:
    """The share of the first k places that relevant documents hold; empty places count."""
    return (ranks <= k).sum(axis=1) / k


def at(k: int) -> Metric:
    """The metric at a cut-off of k documents."""
    return ranked_metric(
        name=f"precision@{k}",
        meaning="the share of the first k documents that are gold",
        formula="relevant among the first k / k, also where fewer were retrieved",
        citation="trec_eval 9, measure P; Manning et al. 2008, Introduction to Information Retrieval, section 8.4",
        measure=precision,
        k=k,
        order=42,
    )


METRIC = MetricAt("precision", at)
