"""Three healthy pipelines that have nothing in common but their steps, each on documents of its own."""

import re
import zlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from report_cases import make_release

from benchwright.benchmarks.grounding.chunking import Passage, chunk_document
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_documents, load_questions
from benchwright.benchmarks.text.words import content_words, words
from benchwright.benchmarks.types import Document, Question
from faulty.corpora import GROUPS
from faulty.pipeline import DEPTH, UNKNOWN, Bench, Search, Stack, simulated_reader

MakeSearch = Callable[[Sequence[Passage]], Search]
_DIMENSIONS = 2048


@lru_cache(maxsize=50_000)
def _tokens(text: str) -> tuple[str, ...]:
    return tuple(content_words(text))


def _best(scores: np.ndarray) -> list[int]:
    order = np.argsort(-scores, kind="stable")[:DEPTH]
    return order[scores[order] > 0].tolist()


def sentences(words_each: int) -> Callable[[Document], list[Passage]]:
    """Sentences, joined while they have at most so many words together."""
    return lambda document: chunk_document(document, words_each)


def by_characters(size: int, overlap: int) -> Callable[[Document], list[Passage]]:
    """Stretches of so many characters that end at a space."""

    def chunk(document: Document) -> list[Passage]:
        found, start, body = list[Passage](), 0, document.body
        while start < len(body):
            end = len(body) if start + size >= len(body) else max(body.rfind(" ", start, start + size), start + 1)
            found.append(Passage(document.id, document.title, start, end, body[start:end]))
            if end == len(body):
                break
            start = max(body.rfind(" ", start, end - overlap) + 1, start + 1) if overlap else end
        return found

    return chunk


def whole(document: Document) -> list[Passage]:
    """The document as it is."""
    return [Passage(document.id, document.title, 0, len(document.body), document.body)]


def bm25(passages: Sequence[Passage]) -> Search:
    """BM25 over the words of passages and titles."""
    import bm25s

    index: Any = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    index.index([list(_tokens(f"{each.title}\n{each.text}")) for each in passages], show_progress=False)
    known = index.vocab_dict

    def search(query: str) -> Sequence[int]:
        asked = [word for word in _tokens(query) if word in known]
        return _best(np.asarray(index.get_scores(asked), dtype=float)) if asked else []

    return search


def hashed_vectors(passages: Sequence[Passage]) -> Search:
    """Cosine of vectors in which each word and its beginnings have a place by hash, weighted by how rare they are."""

    def features(text: str) -> dict[int, float]:
        found: dict[int, float] = {}
        for word in _tokens(text):
            for part, weight in ((word, 1.0), (word[:5] + "*", 0.4)):
                place = zlib.crc32(part.encode()) % _DIMENSIONS
                found[place] = found.get(place, 0.0) + weight
        return found

    matrix = np.zeros((len(passages), _DIMENSIONS), dtype=np.float32)
    for row, each in enumerate(passages):
        for place, weight in features(f"{each.title}\n{each.title}\n{each.text}").items():
            matrix[row, place] = 1 + np.log(weight) if weight > 1 else weight
    rarity = (np.log((1 + len(passages)) / (1 + (matrix > 0).sum(axis=0))) ** 1.5).astype(np.float32)
    matrix *= rarity
    matrix /= np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-9)

    def search(query: str) -> Sequence[int]:
        vector = np.zeros(_DIMENSIONS, dtype=np.float32)
        found = features(query)
        vector[list(found)] = list(found.values())
        return _best(matrix @ (vector * rarity))

    return search


def keyword_then_titles(passages: Sequence[Passage]) -> Search:
    """Shared words, then the best again by how much of the question their titles name."""
    postings: dict[str, list[int]] = {}
    for place, each in enumerate(passages):
        for word in {*words(each.title), *_tokens(each.text)}:
            postings.setdefault(word, []).append(place)
    places = {word: np.array(found) for word, found in postings.items()}
    titles = [set(_tokens(each.title)) for each in passages]

    def search(query: str) -> Sequence[int]:
        asked, scores = set(_tokens(query)), np.zeros(len(passages))
        for word in asked & places.keys():
            scores[places[word]] += np.log((1 + len(passages)) / len(places[word]))
        first = _best(scores)
        named = {place: len(titles[place] & asked) / max(1, len(titles[place])) for place in first}
        return sorted(first, key=lambda place: (-named[place], -scores[place]))

    return search


_SENTENCE = re.compile(r"[^.!?\n]+[.!?]")
_SAID = re.compile(r"^.*?\b(?:is|has an? (?P<asked>[\w ]+?) of) (?P<value>.+?)[.!?]$")


def rule_reader(bench: Bench, question: Question, texts: Sequence[str]) -> str:
    """Takes, of the page that the question names, the sentence that shares most words with it, and what is said there.

    It knows neither the answers nor where they stand.
    """
    asked = set(_tokens(question.question))
    titles = {text: set(_tokens(text.partition("\n")[0])) for text in texts}
    longest = max((len(title) for title in titles.values() if title <= asked), default=0)
    named = [text for text in texts if titles[text] <= asked and len(titles[text]) == longest]
    best: tuple[float, str] = (0.0, "")
    for text in named:
        title = titles[text]
        for match in _SENTENCE.finditer(text.partition("\n")[2]):
            found, said = _SAID.match(match[0].strip()), set(_tokens(match[0])) - title
            if found and said & asked:
                best = max(best, (len(said & asked) / len(said - set(_tokens(found["value"])) | {""}), found["value"]))
    return f"I found this: {best[1]}." if best[1] and best[0] >= 0.5 else UNKNOWN


def bench_of(release: Release) -> Bench:
    """A release as what is asked."""
    return Bench(load_documents(release), {each.question: each for each in load_questions(release, "test")})


def on_aurp(release: Release) -> Stack:
    """BM25 over sentences of Aurp, and a reader that abstains rather than guess."""
    reader = simulated_reader(0.1, 0.02, ("{value}", "It is {value}."))
    return Stack("bm25", bench_of(release), sentences(60), bm25, reader, k=5, hands_in="id")


def on_films(release: Release) -> Stack:
    """Vectors of passages of 1,024 characters about films, and a reader that guesses now and then."""
    reader = simulated_reader(0.3, 0.03, ("The answer is {value}.", "{value}", "That would be {value}."))
    return Stack("dense", bench_of(release), by_characters(1024, 48), hashed_vectors, reader, k=4, hands_in="own")


def on_tracks(release: Release) -> Stack:
    """Shared words over whole documents about music, ranked again by titles, and a reader of rules."""
    return Stack("keyword", bench_of(release), whole, keyword_then_titles, rule_reader, k=3, hands_in="text")


def findable(stack: Stack) -> Callable[[Question], bool]:
    """Whether a healthy stack finds the evidence of a question: what it cannot find says nothing about a fault."""
    passages = [passage for each in stack.bench.documents.values() for passage in stack.chunk(each)]
    search = stack.make_search(passages)

    def is_found(question: Question) -> bool:
        best = [passages[place] for place in search(question.question)[: stack.k]]
        there = {
            item.fact
            for item in question.evidence
            for each in best
            if item.document == each.document and each.start <= item.start and item.end <= each.end
        }
        return there == {item.fact for item in question.evidence} != set()

    return is_found


MAKERS: dict[str, Callable[[Release], Stack]] = {"aurp": on_aurp, "films": on_films, "tracks": on_tracks}


def narrowed(release: Release, folder: Path, make: Callable[[Release], Stack], groups: int = GROUPS) -> Stack:
    """The stack on the first groups of a release that it finds in every wording, and on as many gaps as there are."""
    questions, finds = load_questions(release, "test"), findable(make(release))
    lost = {each.group for each in questions if each.evidence and not finds(each)}
    found = list(dict.fromkeys(each.group for each in questions if each.evidence and each.group not in lost))[:groups]
    kept = {*found, *(each.group for each in questions if not each.evidence)}
    asked = [each for each in questions if each.group in kept]
    return make(make_release(folder, asked, load_documents(release).values()))
