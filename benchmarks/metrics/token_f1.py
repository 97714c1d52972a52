"""F1 of the answer's words with a gold answer's."""

from benchwright.benchmarks.metrics.base import NO_ANSWER, NO_ANSWERS, Metric, Score
from benchwright.benchmarks.metrics.batch import each_answer
from benchwright.benchmarks.metrics.overlap import answer_tokens, gold_forms, shared_words
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question


def token_f1(question: Question, prediction: Prediction) -> Score:
    """From 0 to 1: the best F1 over the accepted forms; of two texts without words 1."""
    if not question.answers:
        return NO_ANSWERS
    if prediction.answer is None:
        return Score(0.0) if prediction.abstained else NO_ANSWER
    answer, gold = answer_tokens(prediction.answer), gold_forms(question)
    return Score(1.0 if answer in gold.forms else gold.best(answer, shared_words))


METRIC = Metric(
    name="token_f1",
    meaning="the share of words that answer and gold answer have in common",
    formula="max over accepted forms g of 2 |A ∩ G| / (|A| + |G|), A and G the multisets of words",
    citation="Rajpurkar et al. 2016, SQuAD: 100,000+ Questions for Machine Comprehension of Text, section 6.1",
    needs=frozenset({"answer", "answers"}),
    rule=each_answer(token_f1),
    order=21,
)
