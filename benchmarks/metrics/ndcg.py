"""Normalised discounted cumulative gain at a cut-off, from ranked documents."""

import numpy as np

from benchwright.benchmarks.metrics.base import Metric, MetricAt
from benchwright.benchmarks.metrics.ranked import ranked_metric
from benchwright.benchmarks.metrics.ranking import Floats, Ranks, safe_ratio


def ndcg(ranks: Ranks, k: int) -> Floats:
    """Linear gains, each divided by log2(rank + 1), up to rank k; as a share of the best order's."""
    counted = np.where(ranks.ranks <= k, ranks.gains / np.log2(ranks.ranks + 1), 0.0).sum(axis=1)
    best = ranks.gains[:, :k]
    ideal = (best / np.log2(np.arange(best.shape[1]) + 2)).sum(axis=1)
    return safe_ratio(counted, ideal)


def at(k: int) -> Metric:
    """The metric at a cut-off of k documents."""
    return ranked_metric(
        name=f"ndcg@{k}",
        meaning="how far up the gold documents stand",
        formula="DCG@k / ideal DCG@k, DCG@k = Σ over ranks i ≤ k of gain_i / log2(i + 1)",
        citation="Järvelin and Kekäläinen 2002, Cumulated Gain-based Evaluation; trec_eval 9, measure ndcg_cut",
        measure=ndcg,
        k=k,
        order=44,
    )


METRIC = MetricAt("ndcg", at)
