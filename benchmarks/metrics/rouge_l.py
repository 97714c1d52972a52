"""ROUGE-L of the answer with a gold answer."""

import re

from rapidfuzz.distance import LCSseq

from benchwright.benchmarks.metrics.base import NO_ANSWER, NO_ANSWERS, Metric, Score
from benchwright.benchmarks.metrics.batch import each_answer
from benchwright.benchmarks.metrics.overlap import Words, gold_forms
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.text.remembering import remembers
from benchwright.benchmarks.types import Question

_WORD = re.compile(r"[a-z0-9]+")


@remembers(characters=2_000_000)
def _answer_words(answer: str) -> Words:
    return tuple(_words(answer))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def rouge_l(question: Question, prediction: Prediction) -> Score:
    """From 0 to 1: the best over the accepted forms; each is that of rouge-score's `rougeL` without stemming."""
    if not question.answers:
        return NO_ANSWERS
    if prediction.answer is None:
        return Score(0.0) if prediction.abstained else NO_ANSWER
    return Score(gold_forms(question, _words).best(_answer_words(prediction.answer), LCSseq.similarity))


METRIC = Metric(
    name="rouge_l",
    meaning="the longest run of words, gaps allowed, that answer and gold answer share in order",
    formula="max over accepted forms g of 2 LCS(A, G) / (|A| + |G|)",
    citation="Lin 2004, ROUGE: A Package for Automatic Evaluation of Summaries, section 3",
    needs=frozenset({"answer", "answers"}),
    rule=each_answer(rouge_l),
    order=22,
)
