"""Normalised discounted cumulative gain at a cut-off, from ranked documents."""

import numpy as np

from benchwright.benchmarks.metrics.base import Metric, MetricAt
from benchwright.benchmarks.metrics.ranked import ranked_metric
from benchwright.benchmarks.metrics.ranking import Floats


def ndcg(ranks: Floats, k: int) -> Floats:
    """Of each relevant document up to rank k 1 / log2(rank + 1), together; as a share of the best order's."""
    counted = np.where(ranks <= k, 1 / np.log2(ranks + 1), 0.0).sum(axis=1)
    return counted / (1 / np.log2(np.arange(min(k, ranks.shape[1])) + 2)).sum()


def at(k: int) -> Metric:
    """The metric at a cut-off of k documents."""
    return ranked_metric(
        name=f"ndcg@{k}",
        meaning="how far up the gold documents stand",
        formula="DCG@k / ideal DCG@k, DCG@k = Σ over ranks i ≤ k of gold documents of 1 / log2(i + 1)",
        citation="Järvelin and Kekäläinen 2002, Cumulated Gain-based Evaluation; trec_eval 9, measure ndcg_cut",
        measure=ndcg,
        k=k,
        order=44,
    )


METRIC = MetricAt("ndcg", at)
