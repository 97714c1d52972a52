"""Grades from 1 to 5 that a judge gives who has read the article: truthfulness and relevance come from one call."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from benchwright.benchmarks.metrics.base import (
    BatchRule,
    JudgedItem,
    ReleaseData,
    Rule,
    Score,
    unscored,
)
from benchwright.benchmarks.metrics.correct import rule as correct_rule
from benchwright.benchmarks.metrics.steps.long_texts import beginning, with_notes
from benchwright.benchmarks.metrics.steps.whole_numbers import OneToFive
from benchwright.benchmarks.metrics.tools import Tools
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question

LOWEST, HIGHEST = 1, 5
PROMPT = "judge_with_article"


@dataclass(frozen=True)
class Grades:
    """What the judge says: why, in a sentence, and two whole numbers. Others are no grades, and are asked for anew."""

    reason: str
    truthfulness: OneToFive
    relevance: OneToFive


async def grade(item: JudgedItem, tools: Tools, name: Literal["truthfulness", "relevance"]) -> Score | None:
    """One of the two grades, in one call for both; None where the system gave no answer or there is no article.

    Of an article and an answer the judge reads 60,000 characters each; where that is not all the reason says so.
    """
    prediction = item.prediction
    texts = [item.documents[name] for name in item.question.documents if name in item.documents]
    if (prediction.answer is None and not prediction.abstained) or not texts:
        return None
    article, article_cut = beginning("\n\n".join(f"{each.title}\n{each.text}" for each in texts), "the article")
    answer, answer_cut = beginning(prediction.answer or "(the chatbot said that it does not know)", "the answer")
    values = {"question": item.question.question, "answer": answer, "article": article}
    grades = await tools.ask(PROMPT, values, reply=Grades)
    return Score(float(getattr(grades, name)), with_notes(grades.reason, article_cut, answer_cut))


def by_outcome(value: Callable[[str], float]) -> Rule:
    """The twin by rule: a grade for each outcome of `correct`."""

    def prepare(data: ReleaseData) -> BatchRule:
        judge = correct_rule(data)

        def score(questions: Sequence[Question], predictions: Sequence[Prediction]) -> list[Score]:
            return [
                unscored(judged.reason or "not judged")
                if judged.value is None or judged.outcome is None
                else Score(value(judged.outcome), f"by rule: {judged.outcome}")
                for judged in judge(questions, predictions)
            ]

        return score

    return prepare
