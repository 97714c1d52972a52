"""How right an answer is: what it says weighs three times as much as how near its meaning is."""

from typing import Any

from benchwright.benchmarks.metrics import answer_similarity, factual_correctness
from benchwright.benchmarks.metrics.base import JudgedItem, Metric, Score
from benchwright.benchmarks.metrics.batch import each_answer
from benchwright.benchmarks.metrics.lexical import BY_RULE
from benchwright.benchmarks.metrics.steps.answers import nothing_to_compare
from benchwright.benchmarks.metrics.steps.facts import PROMPT
from benchwright.benchmarks.metrics.steps.long_texts import with_notes
from benchwright.benchmarks.metrics.tools import Tools
from benchwright.benchmarks.metrics.traces import ARITHMETIC
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question

FACTUAL, SIMILAR = 0.75, 0.25
"""What factual correctness and answer similarity weigh."""


async def judge(item: JudgedItem, tools: Tools) -> Score:
    """The weighted sum, which shares the calls of its two parts: alone one call a question, and one of vectors."""
    decided = nothing_to_compare(item.question, item.prediction)
    if decided is not None:
        return decided
    factual, similar = await factual_correctness.judge(item, tools), await answer_similarity.judge(item, tools)
    found = _weighed(factual, similar)

    async def show() -> dict[str, Any]:
        sum_of = f"{FACTUAL} · {factual.value or 0:.3f} + {SIMILAR} · {similar.value or 0:.3f}"
        return {ARITHMETIC: f"{sum_of} = {found.value or 0:.3f}"}

    await tools.step(METRIC.name, {"factual": factual.value, "similar": similar.value}, show)
    return found


def by_words(question: Question, prediction: Prediction) -> Score:
    """The twin: the weighted sum of the twins."""
    decided = nothing_to_compare(question, prediction)
    if decided is not None:
        return decided
    parts = factual_correctness.word_f1(question, prediction), answer_similarity.similar_words(question, prediction)
    return Score(_weighed(*parts).value, f"{BY_RULE}words in place of statements and of meaning")


def _weighed(factual: Score, similar: Score) -> Score:
    """The weighted sum; unscored where a part is."""
    if factual.value is None or similar.value is None:
        return factual if factual.value is None else similar
    return Score(FACTUAL * factual.value + SIMILAR * similar.value, with_notes(factual.reason, similar.reason))


METRIC = Metric(
    name="answer_correctness",
    meaning="factual correctness and answer similarity together",
    formula="0.75 factual_correctness + 0.25 answer_similarity; by rule: of their twins",
    citation="Roychowdhury et al. 2024, appendix A.5, equation 8",
    needs=frozenset({"answer", "answers", "judge", "embedder"}),
    rule=each_answer(by_words),
    judged=judge,
    uses=(PROMPT,),
    order=67,
    by_default=False,
)
