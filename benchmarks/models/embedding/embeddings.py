"""Vectors of texts: asked for in batches, which are cached one by one."""

import asyncio
from collections.abc import Sequence

import numpy as np

from benchwright.benchmarks.models.embedding.folder import unit_length
from benchwright.benchmarks.models.kept.cached_requests import CachedRequests
from benchwright.benchmarks.models.kept.keys import request_key
from benchwright.benchmarks.models.kept.tries import KeptTry
from benchwright.benchmarks.models.money.costs import StepCosts
from benchwright.benchmarks.models.money.tokens import count_tokens
from benchwright.benchmarks.models.money.usage_notes import Purpose
from benchwright.benchmarks.models.one_usable import one_usable
from benchwright.benchmarks.models.responses import INVALID, ReplyError, Vectors, encodable, read_vectors
from benchwright.benchmarks.models.settings import Endpoint

AT_ONCE = 256
"""Texts in one request."""


async def embed_texts(requests: CachedRequests, endpoint: Endpoint, texts: Sequence[str], costs: StepCosts) -> Vectors:
    """The vectors of some texts, one a row, of length 1; see `Client.embed`."""
    clean = [encodable(text) for text in texts]
    parts = await asyncio.gather(
        *(
            _embed_batch(requests, endpoint, clean[start : start + AT_ONCE], costs)
            for start in range(0, len(clean), AT_ONCE)
        )
    )
    if not parts:
        return np.zeros((0, 0), dtype=np.float32)
    lengths = sorted({part.shape[1] for part in parts}, reverse=True)
    if len(lengths) > 1:
        said = " and of ".join(str(length) for length in lengths)
        raise ReplyError(INVALID, f"the endpoint gives vectors of {said} numbers")
    return unit_length(np.concatenate(parts))


async def _embed_batch(requests: CachedRequests, endpoint: Endpoint, texts: list[str], costs: StepCosts) -> Vectors:
    body = {"model": endpoint.model, "input": texts, "encoding_format": "base64"}
    key = request_key(endpoint, "/embeddings", {"input": texts})
    purpose = Purpose(requests.ledger.place_of(costs)[0], counted=count_tokens(texts))

    async def ask(number: int) -> KeptTry:
        return await requests.fetch(endpoint, key, "/embeddings", body, purpose, costs, number=number)

    found = await one_usable(requests, endpoint, key, costs, ask, lambda reply: read_vectors(reply, len(texts)))
    return found.value
