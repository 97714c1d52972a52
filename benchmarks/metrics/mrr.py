"""Mean reciprocal rank, from ranked documents."""

import numpy as np

from benchwright.benchmarks.metrics.ranked import ranked_metric
from benchwright.benchmarks.metrics.ranking import Floats

_WHOLE = 1_000_000
"""Stands for no cut-off."""


def mrr(ranks: Floats, k: int = _WHOLE) -> Floats:
    """One divided by the rank of the first relevant document; 0 without one."""
    best = ranks.min(axis=1, initial=np.inf)
    return np.where(best <= k, 1 / best, 0.0)


METRIC = ranked_metric(
    name="mrr",
    meaning="how far up the first gold document stands",
    formula="1 / rank of the first relevant document, 0 without one; its mean over questions",
    citation="Voorhees 1999, The TREC-8 Question Answering Track Report; trec_eval 9, measure recip_rank",
    measure=mrr,
    k=_WHOLE,
    order=43,
)
