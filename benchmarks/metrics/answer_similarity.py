"""How near in meaning an answer is to the true answer, whatever it says of it."""

from typing import Any

from benchwright.benchmarks.metrics.base import JudgedItem, Metric, Score
from benchwright.benchmarks.metrics.batch import each_answer
from benchwright.benchmarks.metrics.lexical import BY_RULE, word_cosine
from benchwright.benchmarks.metrics.overlap import some_forms
from benchwright.benchmarks.metrics.steps.answers import nothing_to_compare
from benchwright.benchmarks.metrics.steps.long_texts import with_notes
from benchwright.benchmarks.metrics.steps.similarity import LONGEST, similarities
from benchwright.benchmarks.metrics.tools import Tools
from benchwright.benchmarks.metrics.traces import ARITHMETIC, ROWS
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question


async def judge(item: JudgedItem, tools: Tools) -> Score:
    """The best cosine over accepted forms; no call of a judge, one request of vectors."""
    decided = nothing_to_compare(item.question, item.prediction)
    if decided is not None:
        return decided
    forms, note = some_forms(item.question)
    found = await similarities(item.prediction.answer or "", forms, tools)
    best = max(found.counted)

    async def show() -> dict[str, Any]:
        pairs = zip(forms, found.cosines, strict=True)
        rows = [{"accepted form": form, "cosine": cosine} for form, cosine in pairs]
        return {ARITHMETIC: f"the highest cosine = {best:.3f}", ROWS: rows}

    await tools.step(METRIC.name, {"answer": item.prediction.answer, "forms": forms}, show)
    nearest = f"the nearest of {len(forms)} accepted forms" if len(forms) > 1 else None
    return Score(best, with_notes(nearest, note, found.said))


def similar_words(question: Question, prediction: Prediction) -> Score:
    """The twin: the best cosine of counts of words over accepted forms."""
    decided = nothing_to_compare(question, prediction)
    if decided is not None:
        return decided
    forms, _ = some_forms(question)
    best = max(word_cosine((prediction.answer or "")[:LONGEST], form) for form in forms)
    return Score(best, f"{BY_RULE}lexical")


METRIC = Metric(
    name="answer_similarity",
    meaning="how near in meaning the answer is to the gold answer",
    formula="max over accepted forms g of sim(a, g), sim: the cosine of vectors, below 0 as 0; by rule: of words",
    citation="Roychowdhury et al. 2024, appendix A.4, equation 6",
    needs=frozenset({"answer", "answers", "embedder"}),
    rule=each_answer(similar_words),
    judged=judge,
    order=65,
    by_default=False,
)
