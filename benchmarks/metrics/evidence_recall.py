"""The share of facts whose evidence the first k contexts hold, by text."""

from collections.abc import Mapping, Sequence

from benchwright.benchmarks.metrics.base import NO_CONTEXTS, NO_EVIDENCE, Metric, MetricAt, Score, unscored
from benchwright.benchmarks.metrics.batch import each_with_first
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.text.markup import without_markup
from benchwright.benchmarks.text.remembering import remembers
from benchwright.benchmarks.types import Document, Evidence, Question

_PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00a0": " ", "*": "", "_": ""})


NO_TEXTS_TO_COMPARE = unscored(
    "this release does not hold the texts that contexts are compared with: hand in their start and end, or join them"
)
_ACCOUNTED = 0.66
"""A context that is so much of one stretch of a document holds what that stretch holds; else it is put together."""
_UNSPACED = "\u0e00"
"""From this letter on scripts set no spaces between words, or write what belongs to a word onto it."""


@remembers(characters=10_000_000)
def _normalised(text: str) -> str:
    """Lower case, plain quotes and dashes, single spaces, no tags: what survives a chunker and a writer of pages."""
    folded = text if text.isascii() else text.translate(_PLAIN)
    return " ".join(without_markup(folded.replace("*", "").replace("_", "")).casefold().split())


def states(text: str, wanted: str) -> bool:
    """Whether a text contains another one as whole words, but for case, quotes, dashes, spaces and markup.

    The year 1931 stands neither in 19310 nor in 1931.5, a height of 4 metres not in one of 14.4 metres.
    """
    if not wanted:
        return False
    return _has_words(text, wanted) or _has_words(_normalised(text), _normalised(wanted))


def _has_words(text: str, wanted: str) -> bool:
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        end = at + len(wanted)
        before, after = text[max(0, at - 2) : at][::-1], text[end : end + 2]
        if not (_goes_on(wanted[0], before) or _goes_on(wanted[-1], after)):
            return True
        at = text.find(wanted, at + 1)
    return False


def _goes_on(edge: str, beyond: str) -> bool:
    """Whether the word or number that a text ends with goes on in the two characters beyond, the nearer one first."""
    if not beyond or not edge.isalnum() or edge >= _UNSPACED:
        return False
    if beyond[0].isalnum():
        return beyond[0] < _UNSPACED
    return edge.isdigit() and beyond[0] in ".," and beyond[1:].isdigit()


def holds(context: Context, evidence: Evidence, text: str | None) -> bool:
    """Whether a context holds a stretch of evidence.

    By offsets alone where the context is, word for word, known characters of a document: evidence is often a short
    value, which other documents hold too. So what was found to be of another document holds none. A chunk that was
    decorated or changed holds what its text states, see `states`: that it is of the document does not say which
    version. A whole document named by its id alone holds all of its evidence.

    Args:
        text: that of the evidence; None where the corpus is not at hand.
    """
    if (context.document if context.document is not None else context.id) == evidence.document:
        start, end = context.start, context.end
        if start is not None and end is not None:
            is_within = start <= evidence.start and evidence.end <= end
            if context.text is None or not text:
                return is_within
            if is_within:
                return text in context.text or states(context.text, text)
            if end - start >= _ACCOUNTED * len(context.text):
                return False  # what it states is another place of the document
        if context.text is None and context.start is None:
            return True
    elif context.document is not None and context.start is not None:
        return False
    if context.text is None or not text:
        return False
    return states(context.text, text)


def evidence_recall(question: Question, prediction: Prediction, k: int, documents: Mapping[str, Document]) -> Score:
    """From 0 to 1: facts of which the first k contexts hold any one evidence, over all facts; of nothing found 0."""
    contexts = prediction.contexts[:k]
    texts = needed_texts(question, prediction, contexts, documents)
    if isinstance(texts, Score):
        return texts
    facts = {evidence.fact for evidence in question.evidence}
    return Score(len({fact for context in contexts for fact in facts_in(context, texts)}) / len(facts))


def facts_in(context: Context, texts: Mapping[Evidence, str | None]) -> set[int]:
    """The facts of which a context holds an evidence."""
    return {evidence.fact for evidence, text in texts.items() if holds(context, evidence, text)}


def needed_texts(
    question: Question, prediction: Prediction, contexts: Sequence[Context], documents: Mapping[str, Document]
) -> dict[Evidence, str | None] | Score:
    """A question's evidence with its text, None where the corpus does not say it; or why nothing can be scored."""
    if not question.evidence:
        return NO_EVIDENCE
    if not prediction.shows_retrieval:
        return NO_CONTEXTS
    texts: dict[Evidence, str | None] = {}
    for evidence in question.evidence:
        document = documents.get(evidence.document)
        texts[evidence] = (
            None if document is None or document.text is None else document.text[evidence.start : evidence.end]
        )
    by_text = any(
        context.text is not None and (context.start is None or context.source is None) for context in contexts
    )
    if by_text and None in texts.values():
        if all(evidence.document in documents for evidence in texts):
            return NO_TEXTS_TO_COMPARE
        missing = next(evidence.document for evidence, text in texts.items() if text is None)
        return unscored(f"the corpus does not hold document {missing!r} of the evidence")
    return texts


def at(k: int) -> Metric:
    """The metric at a cut-off of k contexts."""

    return Metric(
        name=f"evidence_recall@{k}",
        meaning="the share of the facts needed that the first k contexts state",
        formula="facts with an evidence that one of the first k contexts holds / facts",
        citation="Benchwright; the passage-level counterpart of trec_eval's recall",
        needs=frozenset({"contexts", "evidence"}),
        rule=lambda data: each_with_first(
            k, lambda question, prediction: evidence_recall(question, prediction, k, data.documents)
        ),
        order=30,
    )


METRIC = MetricAt("evidence_recall", at)
