"""Which share of the contexts' sentences helps to answer the question."""

from benchwright.benchmarks.metrics.base import (
    NO_ANSWER,
    BatchRule,
    JudgedItem,
    Metric,
    ReleaseData,
    Score,
    each_of,
    unscored,
)
from benchwright.benchmarks.metrics.lexical import BY_RULE, telling_words
from benchwright.benchmarks.metrics.steps.contexts import ContextTexts, context_texts, without_texts
from benchwright.benchmarks.metrics.steps.extracted import PROMPT, extract, sentences_of
from benchwright.benchmarks.metrics.steps.long_texts import with_notes
from benchwright.benchmarks.metrics.tools import Tools
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question

NO_SENTENCE = unscored("the contexts hold no sentence")
NO_WORD = unscored("the question has no word to look for")
_SHARE = 0.5
"""Of the question's words that a sentence must hold to count as relevant by rule."""
_SHOWN = 100


async def judge(item: JudgedItem, tools: Tools) -> Score:
    """Sentences that were copied out over sentences; one call a question."""
    contexts = context_texts(item.prediction, item.documents)
    decided = _decided(item.prediction, contexts)
    if decided is not None:
        return decided
    if not sentences_of(contexts.texts):
        return NO_SENTENCE
    found = await extract(item.question.question, contexts.texts, tools)
    said = f"{len(found.relevant)} of {found.sentences} sentences"
    invented = None
    if found.invented:
        first = " ".join(found.invented[0].split())
        shown = first if len(first) <= _SHOWN else f"{first[:_SHOWN]}…"
        invented = f"{len(found.invented)} invented, which do not count: “{shown}”"
    return Score(found.share, with_notes(said, invented, contexts.note))


def rule(data: ReleaseData) -> BatchRule:
    """The twin: which share of the sentences holds half of the question's words or more."""

    def score(question: Question, prediction: Prediction) -> Score:
        contexts = context_texts(prediction, data.documents)
        decided = _decided(prediction, contexts)
        if decided is not None:
            return decided
        asked, sentences = set(telling_words(question.question)), sentences_of(contexts.texts)
        if not asked or not sentences:
            return NO_SENTENCE if asked else NO_WORD
        relevant = sum(len(asked.intersection(telling_words(each))) >= _SHARE * len(asked) for each in sentences)
        said = f"{BY_RULE}{relevant} of {len(sentences)} sentences hold half of the question's words"
        return Score(relevant / len(sentences), with_notes(said, contexts.note))

    return each_of(score)


def _decided(prediction: Prediction, contexts: ContextTexts) -> Score | None:
    """The score where there is nothing to read. What a failed system retrieved is not judged: by no rule either."""
    return NO_ANSWER if prediction.is_failed else without_texts(prediction, contexts)


METRIC = Metric(
    name="context_relevance",
    meaning="the share of the contexts' sentences that help to answer the question",
    formula="|S_ext| / |c(q)|, in sentences: those copied out of the contexts word for word, over all of the contexts; "
    "by rule: those that hold half of the question's words",
    citation="Es et al. 2024, RAGAS, section 3, equation 2; Roychowdhury et al. 2024, appendix A.3, equation 5",
    needs=frozenset({"contexts", "judge"}),
    rule=rule,
    judged=judge,
    uses=(PROMPT,),
    order=64,
    by_default=False,
)
