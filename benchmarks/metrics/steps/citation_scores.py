"""Scores of citations: one reading of an answer for each of the metrics, which differ in what they count."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.benchmarks.metrics.base import (
    BatchRule,
    Judged,
    JudgedItem,
    ReleaseData,
    Rule,
    Score,
    each_of,
    unscored,
)
from benchwright.benchmarks.metrics.steps.citation_support import judged_citations, support_by_words
from benchwright.benchmarks.metrics.steps.citations import AnswerSupport, SupportedSentence
from benchwright.benchmarks.metrics.steps.nuggets import Support
from benchwright.benchmarks.metrics.tools import Tools
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question

CITES_NOTHING = unscored("the answer cites nothing")
NOT_TOLD = unscored("no citation can be judged: what is cited has no text, or a sentence needs a judge")


@dataclass(frozen=True, slots=True)
class Citing:
    """What a metric counts of citations."""

    counted: Callable[[AnswerSupport], Sequence[Support]]
    share: Callable[[AnswerSupport], float]
    line: Callable[[AnswerSupport], str]
    """The same in words, with the arithmetic."""
    needs_citations: bool
    """It is unscored where the answer cites nothing."""

    def score(self, found: AnswerSupport, by: str = "") -> Score:
        """The score, with how it was counted as its reason."""
        if self.needs_citations and not any(each.sentence.contexts for each in found.sentences):
            return CITES_NOTHING
        if not self.counted(found):
            return NOT_TOLD
        line = by + self.line(found)
        return Score(self.share(found), f"{line}; {found.note}" if found.note else line)


def rule_of(citing: Citing) -> Rule:
    """The twin by rule."""

    def prepare(data: ReleaseData) -> BatchRule:
        def score(question: Question, prediction: Prediction) -> Score:
            found = support_by_words(question, prediction, data.documents)
            return found if isinstance(found, Score) else citing.score(found, "by rule: ")

        return each_of(score)

    return prepare


def judged_by(citing: Citing, name: str) -> Judged:
    """How a judge scores it; the rule decides what needs no judge: no answer, no contexts, abstaining."""

    async def judge(item: JudgedItem, tools: Tools) -> Score | None:
        found = await judged_citations(item, tools)
        if found is None:
            return None
        score = citing.score(found)

        async def count() -> Mapping[str, Any]:
            return {"arithmetic": score.reason, "rows": [_row(each) for each in found.sentences]}

        inputs = {"sentences": [(each.sentence.text, each.each, each.together) for each in found.sentences]}
        await tools.step(name, inputs, count)
        return score

    return judge


def _row(sentence: SupportedSentence) -> Mapping[str, Any]:
    """A sentence as the trace shows it."""
    names = ["nothing" if place is None else str(place + 1) for place in sentence.sentence.contexts]
    cites = [f"{name}: {support or 'cannot be told'}" for name, support in zip(names, sentence.each, strict=True)]
    reasons = [(name, why) for name, why in zip([*names, "together"], sentence.reasons, strict=False) if why]
    return {
        "sentence": sentence.sentence.text,
        "cites": ", ".join(cites) or "nothing",
        "together": sentence.together or "cannot be told",
        "reason": reasons[0][1] if len(reasons) == 1 else "; ".join(f"{name}: {why}" for name, why in reasons),
    }
