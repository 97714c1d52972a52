"""Scores of nuggets: one reading of an answer for each of the metrics, which differ in what they count."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.benchmarks.metrics.answers.judge import NO_VALUES
from benchwright.benchmarks.metrics.base import BatchRule, Judged, JudgedItem, ReleaseData, Rule, Score
from benchwright.benchmarks.metrics.batch import each_with_first
from benchwright.benchmarks.metrics.correct import template_values
from benchwright.benchmarks.metrics.steps.nugget_support import NuggetSupport, judged_support, support_by_rule
from benchwright.benchmarks.metrics.steps.nuggets import Nugget, Support
from benchwright.benchmarks.metrics.tools import Tools
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question

Share = Callable[[Sequence[Nugget], Sequence[Support]], float]
Line = Callable[[Sequence[Nugget], Sequence[Support]], str]


@dataclass(frozen=True, slots=True)
class Recall:
    """What a metric counts of nuggets."""

    share: Share
    line: Line
    """The same in words, with the arithmetic."""

    def score(self, found: NuggetSupport, by: str = "") -> Score:
        """The score, with how it was counted as its reason."""
        line = by + self.line(found.nuggets, found.supports)
        return Score(self.share(found.nuggets, found.supports), f"{line}; {found.note}" if found.note else line)


def rule_of(recall: Recall) -> Rule:
    """The twin by rule."""

    def prepare(data: ReleaseData) -> BatchRule:
        values = template_values(data.questions)

        def score(question: Question, prediction: Prediction) -> Score:
            there = values.get(question.template or "", NO_VALUES)
            found = support_by_rule(question, prediction, data.documents, there)
            return found if isinstance(found, Score) else recall.score(found, "by rule: ")

        return each_with_first(0, score)

    return prepare


def judged_by(recall: Recall, name: str) -> Judged:
    """How a judge scores it; the rule decides what needs no judge: no answer, an empty one, and abstaining."""

    async def judge(item: JudgedItem, tools: Tools) -> Score | None:
        found = await judged_support(item, tools)
        if found is None:
            return None
        score = recall.score(found)

        async def count() -> Mapping[str, Any]:
            rows = [
                {"nugget": nugget.text, "importance": nugget.importance, "support": support, "reason": reason}
                for nugget, support, reason in zip(found.nuggets, found.supports, found.reasons, strict=True)
            ]
            return {"arithmetic": score.reason, "rows": rows}

        await tools.step(name, {"supports": found.supports, "nuggets": [each.text for each in found.nuggets]}, count)
        return score

    return judge
