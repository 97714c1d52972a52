"""A judge's own score from 0 to 10 for one dimension: GPT Score of RAGAS (Es et al. 2024, section 5), a baseline.

The judge is told what the dimension means and gives a number at once, without statements or sentences in between. We
differ in three things: it says why before the number, is shown a demonstration, and of faithfulness sees the question
too, since an answer such as "In 1874." says nothing without it.
"""

from dataclasses import dataclass

from benchwright.benchmarks.metrics.base import NO_ANSWER, JudgedItem, Metric, Score, unscored
from benchwright.benchmarks.metrics.steps.contexts import context_texts, without_texts
from benchwright.benchmarks.metrics.steps.long_texts import beginning, with_notes
from benchwright.benchmarks.metrics.steps.whole_numbers import ZeroToTen
from benchwright.benchmarks.metrics.tools import Tools
from benchwright.benchmarks.predictions import SAID_TO_ABSTAIN, Prediction
from benchwright.benchmarks.types import Dimension

SCALE = (0.0, 10.0)
CITATION = "RAGAS (Es et al. 2024), section 5, 'GPT Score'"


@dataclass(frozen=True)
class DirectScore:
    """What the judge replies: why, in a sentence, then a whole number from 0 to 10. Another is asked for anew."""

    reason: str
    score: ZeroToTen


def direct_score(dimension: Dimension, meaning: str) -> Metric:
    """The metric `gpt_score_DIMENSION`: one call a prediction, none where there is nothing to score."""
    prompt = f"judge_score_{dimension}"

    async def judge(item: JudgedItem, tools: Tools) -> Score:
        notes: list[str | None] = []
        values: dict[str, object] = {"question": item.question.question}
        if dimension != "context_relevance":
            if (lacking := without_answer(item.prediction)) is not None:
                return lacking
            values["answer"], note = beginning(item.prediction.answer or "", "the answer")
            notes.append(note)
        if dimension != "answer_relevance":
            contexts = context_texts(item.prediction, item.documents)
            if (said := without_texts(item.prediction, contexts)) is not None:
                return said
            values["contexts"] = contexts.texts
            notes.append(contexts.note)
        found = await tools.ask(prompt, values, reply=DirectScore)
        return Score(float(found.score), with_notes(found.reason, *notes))

    has_contexts = dimension != "answer_relevance"
    has_answer = dimension != "context_relevance"
    return Metric(
        name=f"gpt_score_{dimension}",
        meaning=meaning,
        formula="0 to 10, as the judge says at once; one call a question",
        citation=CITATION,
        needs=frozenset({"judge", *(("contexts",) if has_contexts else ()), *(("answer",) if has_answer else ())}),
        judged=judge,
        uses=(prompt,),
        range=SCALE,
        order=90,
        by_default=False,
    )


def without_answer(prediction: Prediction) -> Score | None:
    """Unscored where a prediction has no answer to read; None where it has one."""
    if prediction.answer is not None and prediction.answer.strip():
        return None
    return unscored(SAID_TO_ABSTAIN) if prediction.abstained else NO_ANSWER
