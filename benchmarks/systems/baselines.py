"""The baselines: what they retrieve, and who answers from it: the built-in reader, or a model where one is named."""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from benchwright.benchmarks.grounding.chunking import WORDS, Passage, chunk_document, chunk_documents
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.predictions import Prediction, Usage
from benchwright.benchmarks.systems.base import System
from benchwright.benchmarks.systems.language_model import (
    CLOSED_BOOK,
    FROM_CONTEXTS,
    ROLE,
    Found,
    as_contexts,
    ask_model,
    model_settings,
    model_slug,
)
from benchwright.benchmarks.systems.reader.extract import UNKNOWN, read_passages
from benchwright.benchmarks.text.words import content_words, words
from benchwright.benchmarks.types import Document, Evidence, Question

Floats = npt.NDArray[np.float64]
Retriever = Callable[[Question], Found | None]
"""The passages of a question, the best first, with their scores; None for a closed book."""

READER = "extractive"


def baselines(k: int, client: Client | None = None) -> dict[str, System]:
    """The baselines by name, each with the number of contexts that it reads.

    With a client that has a model for the role `system`, that model answers; else the built-in reader does.
    """
    made = {
        "closed-book": ("retrieves nothing", lambda documents: lambda question: None, {}),
        "oracle": ("is given the gold passages", _oracle, {"passage_words": WORDS}),
        "gold-documents": ("is given the gold documents, whole", _gold_documents, {}),
        "keyword": (
            f"takes the {k} documents that share the most words with the question, deliberately weak",
            lambda documents: _keyword(documents, k),
            {"k": k},
        ),
        "bm25": (
            f"takes the best {k} passages by BM25",
            lambda documents: _bm25(documents, k),
            {"k": k, "passage_words": WORDS},
        ),
    }
    with_model = client if client is not None and client.has(ROLE) else None
    return {
        name: _with_model(with_model, name, *parts) if with_model else _with_reader(name, *parts)
        for name, parts in made.items()
    }


Retrieve = Callable[[Mapping[str, Document]], Retriever]


def _with_reader(name: str, what: str, retrieve: Retrieve, settings: Mapping[str, Any]) -> System:
    """A baseline that the built-in reader answers for."""

    def prepare(documents: Mapping[str, Document]) -> Callable[[Question], Prediction]:
        retriever = retrieve(documents)
        return lambda question: _read(question, retriever(question))

    if name == "closed-book":
        return System(
            name, name, f"{what} and, without a model, always says that it does not know", prepare, {}, is_builtin=True
        )
    reads = "the built-in extractive reader, a program of rules and no language model, answers from it"
    return System(name, name, f"{what}; {reads}", prepare, {"reader": READER, **settings}, is_builtin=True)


def _with_model(client: Client, name: str, what: str, retrieve: Retrieve, settings: Mapping[str, Any]) -> System:
    """A baseline that a model answers for."""

    def prepare(documents: Mapping[str, Document]) -> Callable[[Question], Any]:
        retriever = retrieve(documents)
        return lambda question: ask_model(client, question, retriever(question))

    model = client.settings.endpoints[ROLE].model
    prompt = CLOSED_BOOK if name == "closed-book" else FROM_CONTEXTS
    return System(
        name=model_slug(f"{name}-{model}"),
        reference=name,
        description=f"{what}; the model {model} answers",
        prepare=prepare,
        settings={**model_settings(client, prompt), **settings},
        is_async=True,
        workers=client.settings.at_once,
        keeps_time=True,
    )


def _read(question: Question, found: Found | None) -> Prediction:
    """What the built-in reader says."""
    if found is None:
        return Prediction(question.id, UNKNOWN)
    answer = read_passages(question.question, [passage for passage, _ in found])
    return Prediction(question.id, answer, contexts=as_contexts(found), usage=Usage(retrievals=1))


def _oracle(documents: Mapping[str, Document]) -> Retriever:
    return lambda question: [(passage, None) for passage in gold_passages(question, documents)]


def _gold_documents(documents: Mapping[str, Document]) -> Retriever:
    return lambda question: [(_whole(documents[name]), None) for name in question.documents if name in documents]


def gold_passages(question: Question, documents: Mapping[str, Document]) -> list[Passage]:
    """The passages that hold a question's evidence, in its order; of a question without, its whole documents."""
    found: dict[Passage, None] = {}
    for evidence in question.evidence:
        if evidence.document in documents:
            found[_around(evidence, documents[evidence.document])] = None
    if not question.evidence:
        for name in question.documents:
            if name in documents:
                found[_whole(documents[name])] = None
    return list(found)


def _around(evidence: Evidence, document: Document) -> Passage:
    """The passage, or the passages in a row, that hold a stretch of evidence."""
    parts = [each for each in chunk_document(document) if each.start < evidence.end and evidence.start < each.end]
    start, end = (parts[0].start, parts[-1].end) if parts else (evidence.start, evidence.end)
    return Passage(document.id, document.title, start, end, document.text[start:end])


def _whole(document: Document) -> Passage:
    return Passage(document.id, document.title, 0, len(document.text), document.text)


def _best(scores: Floats, k: int) -> list[int]:
    """The places of the k highest scores above 0, in a tie the first."""
    k = min(k, len(scores))
    if not k:
        return []
    limit = np.partition(scores, len(scores) - k)[len(scores) - k]
    places = np.flatnonzero((scores >= limit) & (scores > 0))
    return places[np.argsort(-scores[places], kind="stable")][:k].tolist()


def _keyword(documents: Mapping[str, Document], k: int) -> Retriever:
    passages = [_whole(document) for document in documents.values()]
    places: dict[str, list[int]] = {}
    for place, passage in enumerate(passages):
        for word in {*words(passage.title), *words(passage.text)}:
            places.setdefault(word, []).append(place)
    postings = {word: np.array(found) for word, found in places.items()}

    def retrieve(question: Question) -> Found:
        shared = np.zeros(len(passages))
        for word in set(words(question.question)):
            if word in postings:
                shared[postings[word]] += 1
        return [(passages[place], float(shared[place])) for place in _best(shared, k)]

    return retrieve


def _bm25(documents: Mapping[str, Document], k: int) -> Retriever:
    import bm25s

    logging.getLogger("bm25s").setLevel(logging.WARNING)
    passages = chunk_documents(documents.values())
    tokens: Sequence[list[str]] = [content_words(f"{each.title}\n{each.text}") for each in passages]
    if not any(tokens):
        return lambda question: []
    index: Any = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    index.index(tokens, show_progress=False)
    known = index.vocab_dict

    def retrieve(question: Question) -> Found:
        asked = [word for word in content_words(question.question) if word in known]
        scores = np.asarray(index.get_scores(asked), dtype=float) if asked else np.zeros(len(passages))
        return [(passages[place], round(float(scores[place]), 4)) for place in _best(scores, k)]

    return retrieve
