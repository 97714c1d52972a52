"""The baselines that need no model: what they retrieve, and the built-in reader that answers from it."""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from benchwright.benchmarks.grounding.chunking import WORDS, Passage, chunk_document, chunk_documents
from benchwright.benchmarks.predictions import Context, Prediction, Usage
from benchwright.benchmarks.systems.base import Answerer, System
from benchwright.benchmarks.systems.reader import UNKNOWN, read_passages
from benchwright.benchmarks.systems.words import content_words, words
from benchwright.benchmarks.types import Document, Evidence, Question

Floats = npt.NDArray[np.float64]
Found = list[tuple[Passage, float | None]]

READER = "extractive"
_READS = "the built-in extractive reader, a program of rules and no language model, answers from it"


def baselines(k: int) -> dict[str, System]:
    """The baselines by name, each with the number of contexts that it reads."""

    def system(name: str, what: str, prepare: Callable[[Mapping[str, Document]], Answerer], **settings: Any) -> System:
        return System(name, name, what, prepare, settings, is_builtin=True)

    return {
        "closed-book": system(
            "closed-book", "retrieves nothing and, without a model, always says that it does not know", _closed_book
        ),
        "oracle": system(
            "oracle", f"is given the gold passages; {_READS}", _oracle, reader=READER, passage_words=WORDS
        ),
        "keyword": system(
            "keyword",
            f"takes the {k} documents that share the most words with the question, deliberately weak; {_READS}",
            lambda documents: _keyword(documents, k),
            reader=READER,
            k=k,
        ),
        "bm25": system(
            "bm25",
            f"takes the best {k} passages by BM25; {_READS}",
            lambda documents: _bm25(documents, k),
            reader=READER,
            k=k,
            passage_words=WORDS,
        ),
    }


def _closed_book(documents: Mapping[str, Document]) -> Answerer:
    return lambda question: Prediction(question.id, UNKNOWN)


def _reply(question: Question, found: Found) -> Prediction:
    answer = read_passages(question.question, [passage for passage, _ in found])
    contexts = tuple(
        Context(id=each.document, start=each.start, end=each.end, text=each.text, score=score) for each, score in found
    )
    return Prediction(question.id, answer, contexts=contexts, usage=Usage(retrievals=1))


def _oracle(documents: Mapping[str, Document]) -> Answerer:
    def answer(question: Question) -> Prediction:
        return _reply(question, [(passage, None) for passage in gold_passages(question, documents)])

    return answer


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


def _keyword(documents: Mapping[str, Document], k: int) -> Answerer:
    passages = [_whole(document) for document in documents.values()]
    places: dict[str, list[int]] = {}
    for place, passage in enumerate(passages):
        for word in {*words(passage.title), *words(passage.text)}:
            places.setdefault(word, []).append(place)
    postings = {word: np.array(found) for word, found in places.items()}

    def answer(question: Question) -> Prediction:
        shared = np.zeros(len(passages))
        for word in set(words(question.question)):
            if word in postings:
                shared[postings[word]] += 1
        return _reply(question, [(passages[place], float(shared[place])) for place in _best(shared, k)])

    return answer


def _bm25(documents: Mapping[str, Document], k: int) -> Answerer:
    import bm25s

    logging.getLogger("bm25s").setLevel(logging.WARNING)
    passages = chunk_documents(documents.values())
    tokens: Sequence[list[str]] = [content_words(f"{each.title}\n{each.text}") for each in passages]
    if not any(tokens):
        return lambda question: _reply(question, [])
    index: Any = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    index.index(tokens, show_progress=False)
    known = index.vocab_dict

    def answer(question: Question) -> Prediction:
        asked = [word for word in content_words(question.question) if word in known]
        scores = np.asarray(index.get_scores(asked), dtype=float) if asked else np.zeros(len(passages))
        return _reply(question, [(passages[place], round(float(scores[place]), 4)) for place in _best(scores, k)])

    return answer
