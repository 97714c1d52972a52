"""How far down one must read until all that is needed has been stated."""

from collections.abc import Mapping

from benchwright.benchmarks.metrics.base import Metric, MetricAt, Score
from benchwright.benchmarks.metrics.batch import each_with_first
from benchwright.benchmarks.metrics.evidence_recall import facts_in, needed_texts
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Document, Question


def evidence_mrr(question: Question, prediction: Prediction, k: int, documents: Mapping[str, Document]) -> Score:
    """1 over the number of first contexts that together hold an evidence of each fact; 0 where the first k do not.

    It is at least 1/n where, and only where, the first n contexts hold all that is needed: the accuracy of a retriever
    at each n up to k can be read from it.
    """
    contexts = prediction.contexts[:k]
    texts = needed_texts(question, prediction, contexts, documents)
    if isinstance(texts, Score):
        return texts
    lacking = {evidence.fact for evidence in question.evidence}
    for rank, context in enumerate(contexts, start=1):
        lacking -= facts_in(context, texts)
        if not lacking:
            return Score(1 / rank)
    return Score(0.0)


def at(k: int) -> Metric:
    """The metric at a cut-off of k contexts."""
    return Metric(
        name=f"evidence_mrr@{k}",
        meaning="how far up the last of the facts needed is stated",
        formula="1 / the number of first contexts, up to k, that state all facts needed; 0 where they do not",
        citation="Benchwright; the passage-level counterpart of trec_eval's reciprocal rank",
        needs=frozenset({"contexts", "evidence"}),
        rule=lambda data: each_with_first(
            k, lambda question, prediction: evidence_mrr(question, prediction, k, data.documents)
        ),
        order=31,
    )


METRIC = MetricAt("evidence_mrr", at)
