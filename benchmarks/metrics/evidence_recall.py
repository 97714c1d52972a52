"""The share of facts whose evidence the first k contexts hold, by text."""

import functools
from collections.abc import Mapping

from benchwright.benchmarks.metrics.base import NO_CONTEXTS, NO_EVIDENCE, Metric, MetricAt, Score, unscored
from benchwright.benchmarks.metrics.batch import each_with_first
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.types import Document, Evidence, Question

_PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00a0": " ", "*": "", "_": ""})


@functools.lru_cache(maxsize=4096)
def _normalised(text: str) -> str:
    """Lower case, plain quotes and dashes, single spaces: what survives a chunker and a Markdown writer."""
    folded = text if text.isascii() else text.translate(_PLAIN)
    return " ".join(folded.replace("*", "").replace("_", "").casefold().split())


def holds(context: Context, evidence: Evidence, text: str | None) -> bool:
    """Whether a context holds a stretch of evidence.

    By offsets where the context says which of a document's characters it is, and, once it is matched to the corpus, by
    them alone: evidence is often a short value, which other documents hold too. Else where its text contains the text
    of the evidence, but for case, quotes, dashes and spaces; else, a whole document named by its id, where it is the
    document.

    Args:
        text: that of the evidence; None where the corpus is not at hand.
    """
    if (context.document if context.document is not None else context.id) == evidence.document:
        if context.start is not None and context.end is not None:
            return context.start <= evidence.start and evidence.end <= context.end
        if context.text is None and context.start is None:
            return True
    elif context.document is not None and context.start is not None:
        return False
    if context.text is None or not text:
        return False
    return text in context.text or _normalised(text) in _normalised(context.text)


def evidence_recall(question: Question, prediction: Prediction, k: int, documents: Mapping[str, Document]) -> Score:
    """From 0 to 1: facts of which the first k contexts hold any one evidence, over all facts; of nothing found 0."""
    if not question.evidence:
        return NO_EVIDENCE
    if not prediction.shows_retrieval:
        return NO_CONTEXTS
    contexts = prediction.contexts[:k]
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
        missing = next(evidence.document for evidence, text in texts.items() if text is None)
        return unscored(f"the corpus does not hold document {missing!r} of the evidence")
    facts = {evidence.fact for evidence in question.evidence}
    held = {
        evidence.fact for evidence, text in texts.items() if any(holds(context, evidence, text) for context in contexts)
    }
    return Score(len(held) / len(facts))


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
