"""Exact match of the answer with a gold answer."""

from benchwright.benchmarks.metrics.base import NO_ANSWER, NO_ANSWERS, Metric, Score
from benchwright.benchmarks.metrics.batch import each_answer
from benchwright.benchmarks.metrics.overlap import answer_tokens, gold_forms
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question

_SAME, _OTHER = Score(1.0), Score(0.0)


def exact_match(question: Question, prediction: Prediction) -> Score:
    """1 where the answer is an accepted form, but for case, ASCII punctuation, articles and spaces; else 0."""
    if not question.answers:
        return NO_ANSWERS
    if prediction.answer is None:
        return _OTHER if prediction.abstained else NO_ANSWER
    return _SAME if answer_tokens(prediction.answer) in gold_forms(question).forms else _OTHER


METRIC = Metric(
    name="exact_match",
    meaning="the answer is the gold answer, word for word",
    formula="1 if tokens(answer) = tokens(g) for an accepted form g, else 0",
    citation="Rajpurkar et al. 2016, SQuAD: 100,000+ Questions for Machine Comprehension of Text, section 6.1",
    needs=frozenset({"answer", "answers"}),
    rule=each_answer(exact_match),
    order=20,
)
