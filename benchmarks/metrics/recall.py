"""recall at a cut-off, from ranked documents."""

from benchwright.benchmarks.metrics.base import Metric, MetricAt
from benchwright.benchmarks.metrics.ranked import ranked_metric
from benchwright.benchmarks.metrics.ranking import Floats


def recall(ranks: Floats, k: int) -> Floats:
    """The share of relevant documents that are among the first k."""
    return (ranks <= k).sum(axis=1) / ranks.shape[1]


def at(k: int) -> Metric:
    """The metric at a cut-off of k documents."""
    return ranked_metric(
        name=f"recall@{k}",
        meaning="the share of gold documents among the first k",
        formula="relevant among the first k / relevant",
        citation="trec_eval 9, measure recall; Manning et al. 2008, Introduction to Information Retrieval, section 8.3",
        measure=recall,
        k=k,
        order=41,
    )


METRIC = MetricAt("recall", at)
