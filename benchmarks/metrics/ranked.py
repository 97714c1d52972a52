"""How a measure of ranked documents becomes a metric of predictions."""

from benchwright.benchmarks.metrics.base import NO_DOCUMENTS, Metric, Score, plain
from benchwright.benchmarks.metrics.ranking import Measure, ranked_documents, ranks_of
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question


def ranked_metric(*, name: str, meaning: str, formula: str, citation: str, measure: Measure, k: int) -> Metric:
    """A metric of the documents that a prediction's contexts are from; without contexts it is 0.

    Several contexts from one document count as that document at its best place. Questions without gold documents are
    unscored.
    """

    def score(question: Question, prediction: Prediction) -> Score:
        if not question.documents:
            return NO_DOCUMENTS
        ranks = ranks_of([ranked_documents(prediction)], [dict.fromkeys(question.documents, 1)])
        return Score(float(measure(ranks, k)[0]))

    return Metric(name, meaning, formula, citation, frozenset({"contexts", "documents"}), plain(score))
