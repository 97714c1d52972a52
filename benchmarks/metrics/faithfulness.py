"""Which share of what an answer says the contexts support."""

from typing import Any

from benchwright.benchmarks.metrics.base import (
    NO_ANSWER,
    BatchRule,
    JudgedItem,
    Metric,
    ReleaseData,
    Score,
    each_of,
)
from benchwright.benchmarks.metrics.lexical import BY_RULE, telling_words
from benchwright.benchmarks.metrics.steps.answers import says_nothing
from benchwright.benchmarks.metrics.steps.cited_sentences import cited_sentences
from benchwright.benchmarks.metrics.steps.contexts import ContextTexts, context_texts, without_texts
from benchwright.benchmarks.metrics.steps.extracted import sentences_of
from benchwright.benchmarks.metrics.steps.long_texts import with_notes
from benchwright.benchmarks.metrics.steps.statements import NO_STATEMENT, statements_of
from benchwright.benchmarks.metrics.steps.statements import PROMPT as STATEMENTS
from benchwright.benchmarks.metrics.steps.verdicts import PROMPT as VERDICTS
from benchwright.benchmarks.metrics.steps.verdicts import verdicts_on
from benchwright.benchmarks.metrics.steps.word_support import PARTIAL, denies
from benchwright.benchmarks.metrics.tools import Tools
from benchwright.benchmarks.metrics.traces import ARITHMETIC, ROWS
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question


async def judge(item: JudgedItem, tools: Tools) -> Score:
    """Supported statements over statements; two calls a question, two for each 6,000 characters of a longer answer."""
    prediction = item.prediction
    contexts = context_texts(prediction, item.documents)
    decided = _decided(item.question, prediction, contexts)
    if decided is not None:
        return decided
    stated = await statements_of(item.question.question, prediction.answer or "", tools)
    verdicts = [each for piece in stated.pieces for each in await verdicts_on(piece, contexts.texts, tools)]
    if not verdicts:
        return NO_STATEMENT
    supported = sum(each.supported for each in verdicts)
    said = f"{supported} of {len(verdicts)} statements supported"
    value = supported / len(verdicts)
    pairs = zip(stated.all, verdicts, strict=True)
    rows = [{"statement": text, "explanation": each.explanation, "supported": each.supported} for text, each in pairs]

    async def show() -> dict[str, Any]:
        return {ARITHMETIC: f"{said} = {value:.3f}", ROWS: rows}

    await tools.step(METRIC.name, {"statements": stated.all, "contexts": contexts.texts}, show)
    return Score(value, with_notes(said, stated.note, contexts.note))


def rule(data: ReleaseData) -> BatchRule:
    """The twin: which share of the words of each sentence of an answer stand in the contexts, on average.

    Sentences are those that citations are scored on, without the marks; words count by their roots. A sentence counts 0
    where the contexts deny it, or lack a figure of it, unless that has one digit: it may count what they list.
    """

    def score(question: Question, prediction: Prediction) -> Score:
        contexts = context_texts(prediction, data.documents)
        decided = _decided(question, prediction, contexts)
        if decided is not None:
            return decided
        there = {word for text in contexts.texts for word in telling_words(text)}
        said = [each.text for each in cited_sentences(prediction.answer or "", prediction.contexts or ())]
        said = said or sentences_of([prediction.answer or ""])
        sentences = [(each, words) for each in said if (words := telling_words(each))]
        if not sentences:
            return NO_STATEMENT
        whole = "\n".join(contexts.texts)
        shares: list[float] = []
        refuted = 0
        for sentence, words in sentences:
            share = sum(word in there for word in words) / len(words)
            is_refuted = any(word[0].isdigit() and len(word) > 1 and word not in there for word in words) or (
                share >= PARTIAL and denies(whole, sentence)
            )
            refuted += is_refuted
            shares.append(0 if is_refuted else share)
        reason = f"{BY_RULE}words of {len(sentences)} sentences that stand in the contexts"
        if refuted:
            reason += f"; {refuted} with a figure that does not, or denied there, count 0"
        return Score(sum(shares) / len(shares), with_notes(reason, contexts.note))

    return each_of(score)


def _decided(question: Question, prediction: Prediction, contexts: ContextTexts) -> Score | None:
    """The score where there is nothing to compare."""
    if prediction.answer is None and not prediction.abstained:
        return NO_ANSWER
    if says_nothing(prediction, question.question):
        return NO_STATEMENT
    return without_texts(prediction, contexts)


METRIC = Metric(
    name="faithfulness",
    meaning="the share of the answer's statements that the contexts support",
    formula="|V| / |S|, S the statements of the answer and V those that the contexts support; by rule: the mean over "
    "its sentences of the share of their words that stand in the contexts, 0 where these deny one or lack its figures",
    citation="Es et al. 2024, RAGAS, section 3; Roychowdhury et al. 2024, appendix A.1, equation 3",
    needs=frozenset({"answer", "contexts", "judge"}),
    rule=rule,
    judged=judge,
    uses=(STATEMENTS, VERDICTS),
    order=62,
    by_default=False,
)
