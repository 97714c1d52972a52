"""Dense retrieval: the passages whose vectors are nearest to the question's, by exact cosine.

The vectors come from the model of the role `embedder`; without one, from words that are hashed.
"""

import heapq
import logging
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.money.costs import Estimated
from benchwright.benchmarks.models.money.samples import decide, imagine
from benchwright.benchmarks.models.responses import ESTIMATED, ReplyError, Vectors
from benchwright.benchmarks.remote.response_store import users_folder
from benchwright.benchmarks.systems.base import Attempt, Opening, Retrieved
from benchwright.benchmarks.systems.baseline import Retriever
from benchwright.benchmarks.systems.hashed_words import hash_words
from benchwright.benchmarks.systems.ranked_passages import RankedPassages
from benchwright.benchmarks.systems.vector_file import file_of, open_vectors

EMBEDDER = "embedder"
HASHED = "hashed words"
_PASSAGES, _QUESTIONS = "vectors of passages", "vectors of questions"
_BATCH = 256
_AT_ONCE = 4
"""Batches that are asked for at once: what memory holds of the corpus's vectors."""

log = logging.getLogger("benchwright")


def dense_retriever(passages: Sequence[Passage], opening: Opening) -> Retriever:
    """The k passages whose vectors are nearest to the question's, of whatever cosine; their title stands before them.

    The vectors of the passages are kept in a file beside the kept replies of models; see `vector_file`.

    Raises:
        BenchwrightError: the embedding model gives no vectors, or they cannot be kept.
    """
    client = opening.client if opening.client is not None and opening.client.has(EMBEDDER) else None
    if client is None:
        log.warning("passages are found by hashed words, for trying things out: --model embedder=NAME names a model")
    texts = _Texts(passages)
    path = file_of(_folder(opening.client), str(sorted(embedder_settings(opening).items())), texts)
    ranked = RankedPassages(passages)
    try:
        is_fresh = client is not None and client.settings.fresh
        is_sample = client is not None and len(texts) <= _BATCH * client.settings.estimate_with
        vectors = open_vectors(
            path, texts, lambda wanted: _embedded(client, wanted, is_sample=is_sample), again=is_fresh
        )
    except Estimated:
        vectors = None

    usual = _usual(passages, opening.k) if client is not None and client.settings.estimate else []

    async def retrieve(attempt: Attempt) -> Retrieved:
        if not passages:
            return []
        if vectors is None:
            imagine()
        vector = await _question_vector(client, attempt.question.question)
        if vectors is None or vector is None:
            return [(passage, None) for passage in usual]  # of an estimate, which counts their words
        if not vector.any():
            return []
        return ranked.best(vectors.similar(vector), opening.k, attempt.without, above=-np.inf)

    return retrieve


def _usual(passages: Sequence[Passage], count: int) -> list[Passage]:
    """Passages that are about as long as what a search finds: long ones hold more of what is asked for."""
    lengths = [len(passage.text) for passage in passages]
    wanted = sum(length**2 for length in lengths) / max(1, sum(lengths))
    return heapq.nsmallest(count, passages, key=lambda passage: abs(len(passage.text) - wanted))


def embedder_settings(opening: Opening) -> dict[str, Any]:
    """What the vectors depend on, for run.json."""
    client = opening.client
    endpoint = client.settings.endpoint(EMBEDDER) if client is not None else None
    if endpoint is None:
        return {"embedder": HASHED}
    described = endpoint.described
    return {"embedder": described.pop("name"), **{f"embedder_{name}": value for name, value in described.items()}}


class _Texts(Sequence[str]):
    """What of passages becomes vectors, without holding it a second time."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._passages = passages

    def __len__(self) -> int:
        return len(self._passages)

    def __getitem__(self, place: Any) -> Any:
        passage = self._passages[place]
        return f"{passage.title}\n{passage.text}" if passage.title else passage.text


def _folder(client: Client | None) -> Path:
    """Beside the kept replies."""
    cache = client.settings.cache if client is not None else None
    return (cache.parent if cache is not None else users_folder()) / "vectors"


def _embedded(client: Client | None, texts: Iterable[str], *, is_sample: bool) -> Iterator[Vectors]:
    """The vectors of passages, in batches; of an estimate all of them or none."""
    waiting = iter(texts)
    batches = iter(lambda: list(islice(waiting, _BATCH)), [])
    if client is None:
        yield from map(hash_words, batches)
        return

    async def embed(batch: list[str]) -> Vectors:
        decide(is_asked=is_sample)
        return await client.embed(EMBEDDER, batch, step=_PASSAGES)

    asked = client.each(batches, embed, at_once=_AT_ONCE, must_answer=True)
    is_estimate = False
    for _, vectors in asked:
        if isinstance(vectors, ReplyError) and vectors.reason == ESTIMATED:
            is_estimate = True
        elif isinstance(vectors, ReplyError):
            raise BenchwrightError(f"the embedding model gave no vectors of passages: {vectors}")
        elif not is_estimate:  # behind a gap nothing may follow
            yield vectors


async def _question_vector(client: Client | None, question: str) -> Vectors | None:
    """The vector of a question; None where nothing is to be asked."""
    if client is None:
        return hash_words([question])[0]
    try:
        return (await client.embed(EMBEDDER, [question], step=_QUESTIONS, is_question=True))[0]
    except ReplyError as error:
        if error.reason == ESTIMATED:
            return None
        raise
