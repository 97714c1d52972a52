"""Whether an answer means what the true answer does, by a judge that is shown both."""

from dataclasses import dataclass
from typing import Literal

from benchwright.benchmarks.metrics.answers.judge import ABSTAINED
from benchwright.benchmarks.metrics.base import NO_ANSWER, JudgedItem, Metric, Score
from benchwright.benchmarks.metrics.correct import NO_GOLD, UNANSWERABLE
from benchwright.benchmarks.metrics.steps.answers import abstains
from benchwright.benchmarks.metrics.steps.long_texts import beginning, with_notes
from benchwright.benchmarks.metrics.steps.true_answers import true_answer
from benchwright.benchmarks.metrics.tools import Tools
from benchwright.benchmarks.predictions import SAID_TO_ABSTAIN

PROMPT = "judge_semantic_match"


@dataclass(frozen=True)
class Match:
    """What the judge says: why in a sentence, then its verdict."""

    reason: str
    verdict: Literal["Correct", "Incorrect"]


async def judge(item: JudgedItem, tools: Tools) -> Score:
    """1 where the judge says Correct, 0 where it says Incorrect, in one call; 0 where the system abstained, in none.

    As by `correct`, unanswerable questions and those without a gold answer are unscored, and a known gap is judged
    against its true answer.
    """
    question, prediction = item.question, item.prediction
    if question.answerability == "unanswerable":
        return Score(None, UNANSWERABLE.reason)
    if not question.answers or question.answer_type == "none":
        return Score(None, NO_GOLD.reason)
    if abstains(prediction, question.question):
        return Score(0.0, SAID_TO_ABSTAIN if prediction.abstained else ABSTAINED.reason)
    if prediction.answer is None:
        return NO_ANSWER
    answer, cut = beginning(prediction.answer, "the answer")
    values = {"question": question.question, "true_answer": true_answer(question), "answer": answer}
    found = await tools.ask(PROMPT, values, reply=Match)
    return Score(float(found.verdict == "Correct"), with_notes(found.reason, cut))


METRIC = Metric(
    name="semantic_match",
    meaning="the answer means what the gold answer does, as a judge says that is shown both",
    formula="1 if the judge says Correct, 0 if Incorrect or the system abstains; one call a question",
    citation="GRAMMAR (Li et al. 2024), appendix G and Table 6, 'Ours'",
    needs=frozenset({"answer", "answers", "judge"}),
    judged=judge,
    uses=(PROMPT,),
    order=50,
)
