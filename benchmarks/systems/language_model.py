"""Language models as systems: closed book, or reading passages."""

from typing import Any

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.responses import EMPTY, ReplyError
from benchwright.benchmarks.predictions import Context, Prediction, Usage
from benchwright.benchmarks.systems.base import Attempt, Opening, Retrieved
from benchwright.benchmarks.text.slugs import slug

ROLE, STEP = "system", "answers"
CLOSED_BOOK, FROM_CONTEXTS = "answer_closed_book", "answer_from_contexts"
TEMPERATURE = 0.0


def named_model(reference: str, prefix: str) -> str:
    """The model that a system such as `openai:MODEL` names.

    Raises:
        UsageError: it names none.
    """
    name = reference.removeprefix(prefix)
    if not name.strip():
        raise UsageError(f"{reference} names no model: write {prefix}MODEL")
    return name


def client_of(reference: str, opening: Opening) -> Client:
    """The client that asks the model of the role `system`.

    Raises:
        UsageError: there is none.
    """
    if opening.client is None or not opening.client.has(ROLE):
        raise UsageError(f"the system {reference!r} needs a client: name the model with --model system=NAME")
    return opening.client


async def ask_model(client: Client, attempt: Attempt, retrieved: Retrieved | None, retrievals: int = 1) -> Prediction:
    """What a model says to a question, from passages or, without any, from what it knows; anew in each repeat.

    Args:
        client: has a model for the role `system`.
        attempt: what is asked.
        retrieved: the passages; None for a closed book.
        retrievals: how often was retrieved for them.
    """
    question = attempt.question
    if retrieved is None:
        messages = client.prompt(CLOSED_BOOK).fill(question=question.question)
        retrievals = 0
    else:
        passages = [passage for passage, _ in retrieved]
        messages = client.prompt(FROM_CONTEXTS).fill(question=question.question, passages=passages)
    contexts = as_contexts(retrieved or ())
    try:
        reply = await client.chat(ROLE, messages, step=STEP, repeat=attempt.repeat, temperature=TEMPERATURE)
    except ReplyError as error:
        usage = Usage(error.tokens.input, error.tokens.output, error.tokens.calls, retrievals)
        return Prediction(question.id, None, contexts=contexts, usage=usage, cost=error.cost, error=why_no_reply(error))
    usage = Usage(reply.tokens.input, reply.tokens.output, reply.tokens.calls, retrievals)
    return Prediction(
        question.id, reply.text.strip(), contexts=contexts, usage=usage, cost=reply.cost, cut_off=reply.is_cut
    )


def why_no_reply(error: ReplyError) -> str:
    """Why a model's reply could not be used, with what it was where it said anything."""
    is_said = error.raw and error.raw not in str(error) and EMPTY not in str(error)
    return f"{error}; it was: {error.raw}" if is_said else str(error)


def as_contexts(retrieved: Retrieved) -> tuple[Context, ...]:
    """Passages as the contexts of a prediction."""
    return tuple(
        Context(id=each.document, start=each.start, end=each.end, text=each.text, score=score)
        for each, score in retrieved
    )


def model_settings(client: Client, prompt: str, role: str = ROLE) -> dict[str, Any]:
    """What the replies of a role's model to a prompt depend on, for run.json."""
    described = client.described(role, [prompt])[0]
    return {
        "model": described["name"],
        "prompt": described["prompt_sha256"],
        "temperature": TEMPERATURE,
        **({"base_url": described["base_url"]} if "base_url" in described else {}),
    }


def model_slug(text: str) -> str:
    """A model's name as a part of a folder's: `gpt-4o-mini`, `meta-llama-3.1-8b`."""
    return slug(text, "model", keeps="._-")
