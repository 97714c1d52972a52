"""Language models as systems: closed book, or reading what a baseline has retrieved."""

from collections.abc import Sequence
from typing import Any

from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.responses import ReplyError
from benchwright.benchmarks.predictions import Context, Prediction, Usage
from benchwright.benchmarks.systems.base import System
from benchwright.benchmarks.text.slugs import slug
from benchwright.benchmarks.types import Question

ROLE, STEP = "system", "answers"
CLOSED_BOOK, FROM_CONTEXTS = "answer_closed_book", "answer_from_contexts"
TEMPERATURE = 0.0

Found = Sequence[tuple[Passage, float | None]]


async def ask_model(client: Client, question: Question, found: Found | None) -> Prediction:
    """What a model says to a question, from passages or, without any, from what it knows."""
    if found is None:
        messages = client.prompt(CLOSED_BOOK).fill(question=question.question)
    else:
        passages = [passage for passage, _ in found]
        messages = client.prompt(FROM_CONTEXTS).fill(question=question.question, passages=passages)
    contexts = as_contexts(found or ())
    retrievals = 0 if found is None else 1
    try:
        reply = await client.chat(ROLE, messages, step=STEP, temperature=TEMPERATURE)
    except ReplyError as error:
        said = f"{error}; it was: {error.raw}" if error.raw and error.raw not in str(error) else str(error)
        usage = Usage(error.tokens.input, error.tokens.output, error.tokens.calls, retrievals)
        return Prediction(question.id, None, contexts=contexts, usage=usage, error=said)
    usage = Usage(reply.tokens.input, reply.tokens.output, reply.tokens.calls, retrievals)
    return Prediction(question.id, reply.text.strip(), contexts=contexts, usage=usage, cost=reply.cost)


def as_contexts(found: Found) -> tuple[Context, ...]:
    """Passages as the contexts of a prediction."""
    return tuple(
        Context(id=each.document, start=each.start, end=each.end, text=each.text, score=score) for each, score in found
    )


def model_settings(client: Client, prompt: str) -> dict[str, Any]:
    """What the answers of a system with a model depend on, for run.json."""
    described = client.described(ROLE, [prompt])[0]
    return {
        "model": described["name"],
        "prompt": described["prompt_sha256"],
        "temperature": TEMPERATURE,
        **({"base_url": described["base_url"]} if "base_url" in described else {}),
    }


def closed_book_model(client: Client, reference: str) -> System:
    """`openai:MODEL`: a model that is asked without any passage."""
    name = client.settings.endpoints[ROLE].model
    return System(
        name=model_slug(f"openai-{name}"),
        reference=reference,
        description=f"the model {name}, asked without any passage",
        prepare=lambda documents: lambda question: ask_model(client, question, None),
        settings=model_settings(client, CLOSED_BOOK),
        is_async=True,
        workers=client.settings.at_once,
        keeps_time=True,
    )


def model_slug(text: str) -> str:
    """A model's name as a part of a folder's: `gpt-4o-mini`, `meta-llama-3.1-8b`."""
    return slug(text, "model", keeps="._-")
