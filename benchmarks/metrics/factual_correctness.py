"""F1 of what an answer and the true answer say."""

from benchwright.benchmarks.metrics.base import JudgedItem, Metric, Score
from benchwright.benchmarks.metrics.batch import each_answer
from benchwright.benchmarks.metrics.lexical import BY_RULE
from benchwright.benchmarks.metrics.steps.answers import nothing_to_compare
from benchwright.benchmarks.metrics.steps.facts import PROMPT, fact_counts
from benchwright.benchmarks.metrics.token_f1 import token_f1
from benchwright.benchmarks.metrics.tools import Tools
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question


async def judge(item: JudgedItem, tools: Tools) -> Score:
    """F1 of statements; one call a question."""
    decided = nothing_to_compare(item.question, item.prediction)
    if decided is not None:
        return decided
    counts = await fact_counts(item.question, item.prediction.answer or "", tools)
    return Score(counts.f1, counts.said)


def word_f1(question: Question, prediction: Prediction) -> Score:
    """The twin: each word counts as a statement."""
    decided = nothing_to_compare(question, prediction)
    if decided is not None:
        return decided
    return Score(token_f1(question, prediction).value, f"{BY_RULE}words in place of statements")


METRIC = Metric(
    name="factual_correctness",
    meaning="F1 of the statements of the answer and of the gold answer",
    formula="|TP| / (|TP| + 0.5 (|FP| + |FN|)): statements of both, of the answer alone, of the gold answer alone; by "
    "rule: the same of words, the best over accepted forms",
    citation="Roychowdhury et al. 2024, appendix A.5, equation 7",
    needs=frozenset({"answer", "answers", "judge"}),
    rule=each_answer(word_f1),
    judged=judge,
    uses=(PROMPT,),
    order=66,
    by_default=False,
)
