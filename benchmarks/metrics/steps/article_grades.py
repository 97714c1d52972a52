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
"""Characters of the articles, and of the answer, that the judge reads."""
PROMPT = "judge_with_article"


@dataclass(frozen=True)
class Grades:
    """What the judge says: why, in a sentence, and two whole numbers. Others are no grades, and are asked for anew."""

    reason: str
    truthfulness: Literal[1, 2, 3, 4, 5]
    relevance: Literal[1, 2, 3, 4, 5]


async def grade(item: JudgedItem, tools: Tools, name: Literal["truthfulness", "relevance"]) -> Score | None:
    """One of the two grades, in one call for both; None where the system gave no answer or there is no article.

    Of an article or answer of more than `LONGEST` characters the judge reads so many, which the reason says.
    """
    values = shown_to_judge(item)
    if values is None:
        return None
    grades = await tools.ask(PROMPT, values, reply=Grades)
    cut = [f"of the {text} the first {LONGEST:,} characters" for text in ("article", "answer") if _is_cut(values[text])]
    return Score(float(getattr(grades, name)), f"{grades.reason} (read {' and '.join(cut)})" if cut else grades.reason)


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
        "answer": _cut(prediction.answer or "(the chatbot said that it does not know)"),
        "article": _cut(article),
    }


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} […]"


def _is_cut(text: str) -> bool:
    return len(text) > LONGEST


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
