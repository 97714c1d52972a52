"""Scores from 1 to 5 that a judge gives who has read the article: what truthfulness and relevance share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from benchwright.benchmarks.metrics.base import NO_ANSWER, NO_DOCUMENTS, Judging, Material, Score, Scorer, unscored
from benchwright.benchmarks.metrics.correct import METRIC as CORRECT
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Document, Question

LOWEST, HIGHEST = 1, 5
LONGEST = 60_000
"""Characters of the articles that the judge reads."""


@dataclass(frozen=True)
class Grades:
    """What the judge says: two whole numbers from 1 to 5, and why in a sentence."""

    reason: str
    truthfulness: int
    relevance: int


def values(question: Question, prediction: Prediction, documents: Mapping[str, Document]) -> Mapping[str, Any] | Score:
    """What the judge sees: question, answer, and the gold documents, which the system under test need not have."""
    if prediction.answer is None and not prediction.abstained:
        return NO_ANSWER
    texts = [documents[name] for name in question.documents if name in documents]
    if not texts:
        return NO_DOCUMENTS
    article = "\n\n".join(f"{each.title}\n{each.text}" for each in texts)
    return {
        "question": question.question,
        "answer": prediction.answer or "(the chatbot said that it does not know)",
        "article": article if len(article) <= LONGEST else f"{article[:LONGEST]} […]",
    }


def judging(name: str) -> Judging:
    """How a model gives one of the two grades; both come from one call."""

    def read(grades: Grades) -> tuple[float, str]:
        return float(min(HIGHEST, max(LOWEST, getattr(grades, name)))), grades.reason

    return Judging("judge_with_article", Grades, values, read)


def by_rule(value: Callable[[str], float]) -> Callable[[Material], Scorer]:
    """The twin by rule: a grade for each outcome of `correct`."""

    def prepare(material: Material) -> Scorer:
        judge = CORRECT.prepare(material)

        def score(question: Question, prediction: Prediction) -> Score:
            found = judge(question, prediction)
            if found.value is None or found.outcome is None:
                return unscored(found.reason or "not judged")
            return Score(value(found.outcome), f"by rule: {found.outcome}")

        return score

    return prepare
