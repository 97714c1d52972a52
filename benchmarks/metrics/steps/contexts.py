"""The contexts of a prediction as a judge reads them: their texts, the best first, of so many characters together."""

from collections.abc import Mapping
from dataclasses import dataclass

from benchwright.benchmarks.metrics.base import NO_CONTEXTS, Score, unscored
from benchwright.benchmarks.metrics.steps.long_texts import together, with_notes
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.types import Document

FOUND_NOTHING = "retrieval found nothing"
NO_TEXTS = unscored("no context has a text, and the corpus does not hold them")


@dataclass(frozen=True, slots=True)
class ContextTexts:
    """What was handed in, as far as it is read."""

    texts: tuple[str, ...]
    """The best first, without those that hold nothing; prompts number them from 1."""
    note: str | None = None
    """What was left out, for the reason of a score; None: nothing."""


def context_texts(prediction: Prediction, documents: Mapping[str, Document]) -> ContextTexts:
    """The texts of a prediction's contexts, as handed in, else as the corpus has them.

    Args:
        prediction: whose.
        documents: the corpus by id.
    """
    texts = [text for each in prediction.contexts if (text := context_text(each, documents)).strip()]
    without = len(prediction.contexts) - len(texts)
    missing = f"{without} of {len(prediction.contexts)} contexts have no text" if without else None
    read, cut = together(texts, "the contexts")
    return ContextTexts(tuple(read), with_notes(missing, cut))


def without_texts(prediction: Prediction, contexts: ContextTexts) -> Score | None:
    """The score by a metric of contexts where there is none to read; None where there is one.

    Unscored where nobody knows what was retrieved, 0 where retrieval found nothing.
    """
    if contexts.texts:
        return None
    if not prediction.shows_retrieval:
        return NO_CONTEXTS
    return NO_TEXTS if prediction.contexts else Score(0.0, FOUND_NOTHING)


def context_text(context: Context, documents: Mapping[str, Document]) -> str:
    """The text of one context, as handed in, else as the corpus has it; empty where neither does."""
    if context.text is not None:
        return context.text
    names = (context.document, context.id, context.uri)
    document = next((documents[name] for name in names if name is not None and name in documents), None)
    if document is None:
        return ""
    return document.body[context.start or 0 : context.end]
