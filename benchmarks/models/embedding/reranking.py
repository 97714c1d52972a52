"""How well texts fit a question, by a cross-encoder behind the API `/rerank` as Cohere, Jina, vLLM and others have it.

The server of Text Embeddings Inference takes and gives other names: it is asked so once it has said so.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.benchmarks.models.endpoint.structured import InvalidReply
from benchwright.benchmarks.models.kept.cached_requests import CachedRequests
from benchwright.benchmarks.models.kept.keys import request_key
from benchwright.benchmarks.models.kept.tries import KeptTry
from benchwright.benchmarks.models.money.costs import StepCosts
from benchwright.benchmarks.models.money.tokens import count_tokens
from benchwright.benchmarks.models.money.usage_notes import Purpose
from benchwright.benchmarks.models.one_usable import one_usable
from benchwright.benchmarks.models.responses import ReplyError, Tokens, encodable
from benchwright.benchmarks.models.settings import Endpoint

PATH = "/rerank"
_AT_ONCE = 32
"""Texts in one request: what servers take unless they are told otherwise."""
_LOWEST = -1e300
"""Of a score: what lies beyond is no number."""
_OTHER = "texts"
"""What Text Embeddings Inference calls the texts, and misses."""


@dataclass(frozen=True, slots=True)
class Fitting:
    """How well texts fit a question."""

    scores: tuple[float | None, ...]
    """Of each text, as the endpoint gave it: the higher, the better; None where it gave none."""
    tokens: Tokens
    cost: float | None
    """In US dollars; None where the price is not known."""


async def rerank_texts(
    requests: CachedRequests, endpoint: Endpoint, question: str, texts: Sequence[str], costs: StepCosts
) -> Fitting:
    """How well some texts fit a question; see `Client.rerank`."""
    clean = [encodable(text) for text in texts]
    parts = await asyncio.gather(
        *(
            _rerank_batch(requests, endpoint, encodable(question), clean[start : start + _AT_ONCE], costs)
            for start in range(0, len(clean), _AT_ONCE)
        )
    )
    prices = [part.cost for part in parts]
    return Fitting(
        tuple(score for part in parts for score in part.scores),
        sum((part.tokens for part in parts), Tokens()),
        None if None in prices else sum(price for price in prices if price is not None),
    )


async def _rerank_batch(
    requests: CachedRequests, endpoint: Endpoint, question: str, texts: list[str], costs: StepCosts
) -> Fitting:
    key = request_key(endpoint, PATH, {"query": question, "documents": texts})
    counted = count_tokens([*texts, *[question] * len(texts)])
    purpose = Purpose(requests.ledger.place_of(costs)[0], counted=counted)

    otherwise = {_OTHER: texts, "truncate": True}

    async def fetch(body: Mapping[str, Any], number: int) -> KeptTry:
        whole = {"model": endpoint.model, "query": question, **body}
        return await requests.fetch(endpoint, key, PATH, whole, purpose, costs, number=number)

    async def ask(number: int) -> KeptTry:
        try:
            named = otherwise if requests.abilities.of(endpoint).takes_texts else {"documents": texts}
            return await fetch(named, number)
        except ReplyError as error:
            if error.rejected is None or _OTHER not in str(error):
                raise
            requests.abilities.learn(endpoint, takes_texts=True)
            return await fetch(otherwise, number)

    found = await one_usable(requests, endpoint, key, costs, ask, lambda body: read_scores(body, len(texts)))
    return Fitting(found.value, found.tokens, found.cost)


def read_scores(body: Any, count: int) -> tuple[float | None, ...]:
    """The score of each text, None where there is none.

    Raises:
        InvalidReply: it is no ranking, or not of these texts.
    """
    results = body.get("results", body.get("data")) if isinstance(body, Mapping) else body
    if not isinstance(results, list) or not results:
        raise InvalidReply("the ranking has no results")
    scores: list[float | None] = [None] * count
    for result in results:
        place = result.get("index") if isinstance(result, Mapping) else None
        score = result.get("relevance_score", result.get("score")) if isinstance(result, Mapping) else None
        if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place < count:
            raise InvalidReply(f"a result of the ranking has no index of one of {count} texts")
        if isinstance(score, bool) or not isinstance(score, int | float) or not _LOWEST <= score <= -_LOWEST:
            raise InvalidReply("a result of the ranking has no score")
        scores[place] = float(score)
    return tuple(scores)
