"""ROUGE-L of the answer with a gold answer."""

import functools
import re

from rapidfuzz.distance import LCSseq

from benchwright.benchmarks.metrics.base import NO_ANSWER, NO_ANSWERS, Metric, Score, each
from benchwright.benchmarks.metrics.overlap import accepted_forms
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question

_WORD = re.compile(r"[a-z0-9]+")


@functools.lru_cache(maxsize=8192)
def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.lower()))


def rouge_l_of(text: str, reference: str) -> float:
    """The F-measure of the longest common subsequence of words: that of rouge-score's `rougeL` without stemming."""
    words, wanted = _words(text), _words(reference)
    if not words or not wanted:
        return 0.0
    common = LCSseq.similarity(words, wanted)
    return 2 * common / (len(words) + len(wanted))


def rouge_l(question: Question, prediction: Prediction) -> Score:
    """From 0 to 1: the best ROUGE-L over the accepted forms."""
    if not question.answers:
        return NO_ANSWERS
    if prediction.answer is None:
        return Score(0.0) if prediction.abstained else NO_ANSWER
    answer = prediction.answer
    return Score(max(rouge_l_of(answer, form) for form in accepted_forms(question)))


METRIC = Metric(
    name="rouge_l",
    meaning="the longest run of words, gaps allowed, that answer and gold answer share in order",
    formula="max over accepted forms g of 2 LCS(A, G) / (|A| + |G|)",
    citation="Lin 2004, ROUGE: A Package for Automatic Evaluation of Summaries, section 3",
    needs=frozenset({"answer", "answers"}),
    rule=each(rouge_l),
    order=22,
)
