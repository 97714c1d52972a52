"""How near the question is to the questions that the answer would answer."""

from typing import Any

from benchwright.benchmarks.metrics.base import NO_ANSWER, JudgedItem, Metric, Score
from benchwright.benchmarks.metrics.steps.answers import SAYS_NOTHING, says_nothing
from benchwright.benchmarks.metrics.steps.long_texts import with_notes
from benchwright.benchmarks.metrics.steps.questions import PROMPT, questions_for
from benchwright.benchmarks.metrics.steps.similarity import similarities
from benchwright.benchmarks.metrics.tools import Tools
from benchwright.benchmarks.metrics.traces import ARITHMETIC, ROWS


async def judge(item: JudgedItem, tools: Tools) -> Score:
    """The mean cosine of the question with three that were made from the answer; one call a question, one of vectors.

    Without a model that embeds it is a cosine of words, which the reason says.
    """
    prediction = item.prediction
    if prediction.answer is None and not prediction.abstained:
        return NO_ANSWER
    if says_nothing(prediction, item.question.question):
        return SAYS_NOTHING
    made = await questions_for(prediction.answer or "", tools)
    found = await similarities(item.question.question, made.questions, tools)
    value = sum(found.counted) / len(found.counted)

    async def show() -> dict[str, Any]:
        said = f"({' + '.join(f'{each:.3f}' for each in found.counted)}) / {len(found.counted)} = {value:.3f}"
        pairs = zip(made.questions, found.cosines, strict=True)
        return {ARITHMETIC: said, ROWS: [{"question": each, "cosine": cosine} for each, cosine in pairs]}

    await tools.step(METRIC.name, {"questions": made.questions, "asked": item.question.question}, show)
    return Score(value, with_notes(f"{len(made.questions)} questions", found.said, made.note))


METRIC = Metric(
    name="answer_relevance",
    meaning="how near the question is to questions that the answer would answer",
    formula="1/n Σ sim(q, q_i), n = 3 questions q_i made from the answer alone; sim: the cosine of vectors, below 0 as "
    "0; without an embedder of words",
    citation="Es et al. 2024, RAGAS, section 3, equation 1; Roychowdhury et al. 2024, appendix A.2, equation 4",
    needs=frozenset({"answer", "judge", "embedder"}),
    judged=judge,
    uses=(PROMPT,),
    order=63,
    by_default=False,
)
