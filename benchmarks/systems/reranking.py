"""Re-ranking: more passages are retrieved than are read, and the best of them, by another measure, are read.

`NAME+rerank`      a cross-encoder behind the API `/rerank`: the model of the role `reranker`; without one, by rules
`NAME+llm-rerank`  a language model puts the passages in order: that of the role `reranker`, else the system's
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.responses import ESTIMATED, ReplyError
from benchwright.benchmarks.predictions import StepUsage
from benchwright.benchmarks.systems.base import Attempt, Opening, Retrieved
from benchwright.benchmarks.systems.language_model import ROLE, TEMPERATURE, why_no_reply

RERANKER, STEP = "reranker", "re-ranking"
PROMPT = "rerank_passages"
CROSS_ENCODER, LANGUAGE_MODEL = "rerank", "llm-rerank"
SUFFIXES = (CROSS_ENCODER, LANGUAGE_MODEL)
MORE = 4
"""Times as many passages as are read are put in order."""


@dataclass(frozen=True, slots=True)
class Order:
    """The numbers of passages, from 1, the best first."""

    best: tuple[int, ...]


@dataclass(frozen=True)
class Reranker:
    """Puts passages in another order."""

    what: str
    settings: Mapping[str, Any]
    model: str | None
    """None where it is done by rules."""
    role: str | None
    rerank: Callable[[Attempt, Retrieved], Awaitable[tuple[Retrieved, StepUsage | None]]]
    """All passages, the best first, and what that took."""


def open_reranker(suffix: str, opening: Opening) -> Reranker:
    """The re-ranker that stands behind the plus sign of a reference.

    Raises:
        UsageError: it needs a model that is not named.
    """
    client = opening.client
    settings = {"reranked": suffix, "candidates": MORE * opening.k}
    if suffix == LANGUAGE_MODEL:
        role = RERANKER if client is not None and client.has(RERANKER) else ROLE
        if client is None or not client.has(role):
            raise UsageError(f"+{suffix} needs a language model: name one with --model {RERANKER}=NAME")
        return _by_language_model(client, role, settings)
    if client is not None and client.has(RERANKER):
        return _by_cross_encoder(client, settings)
    return Reranker("the built-in rules of the reader put them in order", settings, None, None, _by_rules)


def _described(client: Client, role: str) -> dict[str, Any]:
    endpoint = client.settings.endpoint(role)
    described = dict(endpoint.described) if endpoint is not None else {}
    return {"reranker": described.pop("name", None), **{f"reranker_{key}": text for key, text in described.items()}}


def _by_cross_encoder(client: Client, settings: Mapping[str, Any]) -> Reranker:
    described = _described(client, RERANKER)

    async def rerank(attempt: Attempt, passages: Retrieved) -> tuple[Retrieved, StepUsage | None]:
        texts = [f"{passage.title}\n{passage.text}".strip() for passage, _ in passages]
        try:
            found = await client.rerank(RERANKER, attempt.question.question, texts, step=STEP)
        except ReplyError as error:
            return _estimated(error, passages)
        scored = sorted(
            (place for place, score in enumerate(found.scores) if score is not None),
            key=lambda place: -(found.scores[place] or 0.0),
        )
        left = [place for place, score in enumerate(found.scores) if score is None]
        better = [(passages[place][0], found.scores[place]) for place in (*scored, *left)]
        tokens = found.tokens
        return better, StepUsage(STEP, RERANKER, tokens.input, tokens.output, tokens.calls, found.cost)

    model = described["reranker"]
    return Reranker(f"the cross-encoder {model} puts them in order", {**settings, **described}, model, RERANKER, rerank)


def _by_language_model(client: Client, role: str, settings: Mapping[str, Any]) -> Reranker:
    described = {**_described(client, role), "reranker_prompt": client.prompt(PROMPT).sha256}

    async def rerank(attempt: Attempt, passages: Retrieved) -> tuple[Retrieved, StepUsage | None]:
        told = client.prompt(PROMPT).fill(
            question=attempt.question.question, passages=[passage for passage, _ in passages]
        )
        try:
            reply = await client.chat(
                role, told, step=STEP, reply=Order, repeat=attempt.repeat, temperature=TEMPERATURE
            )
        except ReplyError as error:
            return _estimated(error, passages)
        named = [number - 1 for number in dict.fromkeys(reply.value.best) if 0 < number <= len(passages)]
        places = [*named, *(place for place in range(len(passages)) if place not in named)]
        tokens = reply.tokens
        usage = StepUsage(STEP, role, tokens.input, tokens.output, tokens.calls, reply.cost)
        return [(passages[place][0], None) for place in places], usage

    model = described["reranker"]
    return Reranker(f"the model {model} puts them in order", {**settings, **described}, model, role, rerank)


def _estimated(error: ReplyError, passages: Retrieved) -> tuple[Retrieved, None]:
    """Passages as they are, where nothing is asked. Raises the error where something was."""
    if error.reason != ESTIMATED:
        raise ReplyError(f"{STEP}: {error.reason}", why_no_reply(error).removeprefix(f"{error.reason}: "), error.raw)
    return passages, None


async def _by_rules(attempt: Attempt, passages: Retrieved) -> tuple[Retrieved, None]:
    from benchwright.benchmarks.systems.reader.extract import fit_of

    fits = fit_of(attempt.question.question, [passage for passage, _ in passages])
    places = sorted(range(len(passages)), key=lambda place: -fits[place])
    return [(passages[place][0], round(fits[place], 4)) for place in places], None
