"""A metric: does an answer say please or thank you?"""

from benchwright.benchmarks.metrics.base import Metric, Score, each
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question


def score(question: Question, prediction: Prediction) -> Score:
    """1 where it does, else 0."""
    answer = (prediction.answer or "").lower()
    return Score(float("please" in answer or "thank" in answer))


METRIC = Metric(
    name="politeness",
    meaning="whether an answer says please or thank you",
    formula="1 if it does, else 0",
    citation="none",
    needs=frozenset({"answer"}),
    rule=each(score),
)
