"""Further answers of a language model to a question that it answered: at temperature 1, from what it read then."""

from collections.abc import Callable, Mapping

from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.prompts import Messages
from benchwright.benchmarks.models.responses import ReplyError
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.systems.base import Sampler, Sampling
from benchwright.benchmarks.systems.language_model import CLOSED_BOOK, FROM_CONTEXTS, ROLE, why_no_reply
from benchwright.benchmarks.types import Document

STEP = "samples"
TEMPERATURE = 1.0
"""As in GRAMMAR (Li et al. 2024, first version), section 4.1."""
REPEATS = 1_000
"""Repeats that a run may have: samples of one do not share their kept replies with those of another."""


def model_sampler(client: Client) -> Callable[[Mapping[str, Document]], Sampler]:
    """How the model of the role `system` is asked for further answers: in one request where its endpoint takes `n`."""

    def prepare(documents: Mapping[str, Document]) -> Sampler:
        async def sample(wanted: Sampling) -> Prediction:
            return await _sample(client, documents, wanted)

        return sample

    return prepare


async def _sample(client: Client, documents: Mapping[str, Document], wanted: Sampling) -> Prediction:
    """So many answers, or those that came before one failed."""
    prediction, attempt = wanted.prediction, wanted.attempt
    messages = _messages(client, documents, wanted)
    there, texts, error = len(prediction.samples), list[str](), None
    while len(texts) < wanted.count and error is None:
        number = REPEATS * (there + len(texts)) + attempt.repeat
        try:
            left = wanted.count - len(texts)
            reply = await client.chat(ROLE, messages, step=STEP, samples=left, repeat=number, temperature=TEMPERATURE)
            texts += [text.strip() for text in (reply.text, *reply.samples)][:left]
        except ReplyError as failure:
            error = why_no_reply(failure)
    return Prediction(prediction.id, texts[0] if texts else None, samples=tuple(texts[1:]), error=error)


def _messages(client: Client, documents: Mapping[str, Document], wanted: Sampling) -> Messages:
    """The prompt that the answer was given to."""
    question, prediction = wanted.attempt.question.question, wanted.prediction
    if not prediction.contexts and not prediction.retrievals:
        return client.prompt(CLOSED_BOOK).fill(question=question)
    passages = [passage_of(each, documents) for each in prediction.contexts]
    return client.prompt(FROM_CONTEXTS).fill(question=question, passages=[each for each in passages if each])


def passage_of(context: Context, documents: Mapping[str, Document]) -> Passage | None:
    """A context as the passage that it was; None where nobody has its text."""
    document = documents.get(context.source or "")
    start = context.start or 0
    text = context.text if context.text is not None else document.body[start : context.end] if document else None
    if text is None:
        return None
    end = context.end if context.end is not None else start + len(text)
    return Passage(context.source or "", document.title if document else "", start, end, text)
