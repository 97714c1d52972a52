"""Grades from 1 to 5 that a judge gives who has read the article: truthfulness and relevance come from one call."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from benchwright.benchmarks.metrics.base import (
    BatchRule,
    JudgedItem,
    ReleaseData,
    Rule,
    Score,
    unscored,
)
from benchwright.benchmarks.metrics.correct import rule as correct_rule
from benchwright.benchmarks.metrics.tools import Tools
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question

LOWEST, HIGHEST = 1, 5
LONGEST = 60_000
"""Characters of the articles that the judge reads."""
PROMPT = "judge_with_article"


@dataclass(frozen=True)
class Grades:
    """What the judge says: two whole numbers from 1 to 5, and why in a sentence."""

    reason: str
    truthfulness: int
    relevance: int


async def grade(item: JudgedItem, tools: Tools, name: Literal["truthfulness", "relevance"]) -> Score | None:
    """One of the two grades; None where the system gave no answer or there is no article."""
    values = shown_to_judge(item)
    if values is None:
        return None
    grades = await tools.ask(PROMPT, values, reply=Grades)
    return Score(float(min(HIGHEST, max(LOWEST, getattr(grades, name)))), grades.reason)


def shown_to_judge(item: JudgedItem) -> Mapping[str, Any] | None:
    """Question, answer, and the gold documents, which the system under test need not have."""
    prediction = item.prediction
    if prediction.answer is None and not prediction.abstained:
        return None
    texts = [item.documents[name] for name in item.question.documents if name in item.documents]
    if not texts:
        return None
    article = "\n\n".join(f"{each.title}\n{each.text}" for each in texts)
    return {
        "question": item.question.question,
        "answer": prediction.answer or "(the chatbot said that it does not know)",
        "article": article if len(article) <= LONGEST else f"{article[:LONGEST]} […]",
    }


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
