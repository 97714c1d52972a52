"""Of the claims of an answer those that its contexts ground: RAGAS's first metric as GRAMMAR used it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from benchwright.benchmarks.metrics.base import NO_ANSWER, JudgedItem, Metric, Score
from benchwright.benchmarks.metrics.steps import statements
from benchwright.benchmarks.metrics.steps.answers import says_nothing
from benchwright.benchmarks.metrics.steps.contexts import context_texts, without_texts
from benchwright.benchmarks.metrics.steps.long_texts import with_notes
from benchwright.benchmarks.metrics.steps.numbered import one_on_each
from benchwright.benchmarks.metrics.steps.statements import NO_STATEMENT, statements_of
from benchwright.benchmarks.metrics.tools import Tools
from benchwright.benchmarks.metrics.traces import ARITHMETIC, ROWS

PROMPT = "judge_claims"
Said = Literal["Yes", "No", "Null"]


@dataclass(frozen=True)
class ClaimVerdict:
    """What the judge says of one claim."""

    number: int
    """The claim's, from 1."""
    reason: str
    verdict: Said
    """Yes: the contexts ground it; No: they contradict it; Null: they do not tell."""


@dataclass(frozen=True)
class ClaimVerdicts:
    """What the judge replies: a verdict on each claim."""

    verdicts: list[ClaimVerdict]


async def judge(item: JudgedItem, tools: Tools) -> Score:
    """Claims that the contexts ground, of all claims; in two calls, of which the first is shared with faithfulness.

    Of an answer of more than 6,000 characters one more for each further 6,000.
    """
    prediction = item.prediction
    if prediction.answer is None and not prediction.abstained:
        return NO_ANSWER
    if says_nothing(prediction, item.question.question):
        return NO_STATEMENT
    contexts = context_texts(prediction, item.documents)
    score = without_texts(prediction, contexts)
    if score is not None:
        return score
    stated = await statements_of(item.question.question, prediction.answer or "", tools)
    claims = stated.all
    if not claims:
        return NO_STATEMENT
    verdicts = await _verdicts(claims, contexts.texts, tools)
    counts = {said: sum(each.verdict == said for each in verdicts) for said in ("Yes", "No", "Null")}
    value = counts["Yes"] / len(claims)
    reason = f"{counts['Yes']} of {len(claims)} claims grounded, {counts['No']} contradicted, {counts['Null']} not told"
    pairs = zip(claims, verdicts, strict=True)
    rows = [{"statement": text, "reason": each.reason, "verdict": each.verdict} for text, each in pairs]

    async def show() -> dict[str, Any]:
        return {ARITHMETIC: f"{reason} = {value:.3f}", ROWS: rows}

    await tools.step(METRIC.name, {"claims": claims, "contexts": contexts.texts}, show)
    return Score(value, with_notes(reason, stated.note, contexts.note))


async def _verdicts(claims: Sequence[str], contexts: Sequence[str], tools: Tools) -> list[ClaimVerdict]:
    """A verdict on each claim, in their order, in one call."""
    imagined = ClaimVerdicts([ClaimVerdict(number, "", "Yes") for number in range(1, len(claims) + 1)])
    values = {"claims": list(claims), "contexts": list(contexts)}
    reply = await tools.ask(PROMPT, values, reply=one_on_each(ClaimVerdicts, len(claims), "claims"), imagined=imagined)
    return sorted(reply.verdicts, key=lambda each: each.number)


METRIC = Metric(
    name="ragas_fact",
    meaning="claims of the answer that its contexts ground",
    formula="claims judged Yes / claims (Yes, No or Null each); two calls, the first shared with faithfulness",
    citation="GRAMMAR (Li et al. 2024, first version), section 4.1 and appendix G, after RAGAS (Es et al. 2024)",
    needs=frozenset({"answer", "contexts", "judge"}),
    judged=judge,
    uses=(statements.PROMPT, PROMPT),
    by_default=False,
)
