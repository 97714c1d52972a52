"""What can be wrong with search and ranking, and with how many passages are handed in."""

import re
from dataclasses import replace

from benchwright.benchmarks.grounding.chunking import Passage, chunk_document
from benchwright.benchmarks.types import Question
from faulty.corpora import drawn, picked
from faulty.pipeline import DEPTH, At, Fault

Passages = list[Passage]


def _is_gold(passage: Passage, question: Question) -> bool:
    return passage.document in question.documents


def anywhere(at: At, *key: object) -> Passage:
    """A passage from anywhere in the corpus, by hash."""
    documents = at.bench.documents
    document = documents[picked(list(documents), at.kind, *key)]
    parts = chunk_document(document)
    return parts[int(drawn(at.kind, *key, "part") * len(parts))]


def search_returns_neighbours() -> Fault:
    """For so many questions what lies near the right documents is found, and never those themselves."""

    def found(passages: Passages, question: Question, at: At) -> Passages:
        return [each for each in passages if not _is_gold(each, question)] if at.hits(question.group) else passages

    return Fault(found=found)


def search_returns_random_passages() -> Fault:
    """For so many wordings passages from anywhere are found."""

    def found(passages: Passages, question: Question, at: At) -> Passages:
        return [anywhere(at, question.id, place) for place in range(DEPTH)] if at.hits(question.id) else passages

    return Fault(found=found)


def search_returns_the_same_passages() -> Fault:
    """For so many questions the same few passages come back, as where vectors were not centred."""

    def found(passages: Passages, question: Question, at: At) -> Passages:
        return [anywhere(at, "hub", place % 12) for place in range(12)] if at.hits(question.group) else passages

    return Fault(found=found)


def embeddings_shuffled_of_entities() -> Fault:
    """The vectors of so many documents were stored with another document: it is found in their place, and they in its."""

    def stored(passages: Passages, at: At) -> Passages:
        parts: dict[str, Passages] = {}
        for each in passages:
            parts.setdefault(each.document, []).append(each)
        names = sorted((name for name in parts if at.hits(name)), key=lambda name: drawn(at.kind, "order", name))
        other = dict(zip(names, [*names[1:], *names[:1]], strict=True))
        places: dict[str, int] = {}
        found = []
        for each in passages:
            place = places[each.document] = places.get(each.document, -1) + 1
            those = parts[other.get(each.document, each.document)]
            found.append(those[place % len(those)])
        return found

    return Fault(stored=stored)


def filter_wrong() -> Fault:
    """For so many entities a filter leaves their own documents out, as where the section is guessed from the question."""

    def found(passages: Passages, question: Question, at: At) -> Passages:
        if not at.hits(question.entity):
            return passages
        half = {each.document for each in passages if drawn("section", each.document) < 0.5} - set(question.documents)
        return [each for each in passages if each.document in half]

    return Fault(found=found)


def query_lost_names() -> Fault:
    """Of so many questions the names are left out of the query, as by a rewriter that keeps the topic alone."""

    def query(text: str, question: Question, at: At) -> str:
        if not at.hits(question.group):
            return text
        return " ".join(word for word in text.split() if not word.strip("?.,:’'")[:1].isupper())

    return Fault(query=query)


def casing_lost_in_query() -> Fault:
    """The index tells capitals from small letters and the query has none: what begins with one is not found, so often."""

    def query(text: str, question: Question, at: At) -> str:
        return re.sub(r"\b[A-Z]\w*", lambda match: "" if drawn("case", match[0]) < at.strength else match[0], text)

    return Fault(query=query)


def query_cut() -> Fault:
    """The query is cut after some words: 45 of them, and fewer the stronger."""
    return Fault(query=lambda text, question, at: " ".join(text.split()[: int(45 - 38 * at.strength)]))


def long_questions_not_understood() -> Fault:
    """Of so many long questions what surrounds the question itself is searched for."""

    def query(text: str, question: Question, at: At) -> str:
        if question.form != "long" or not at.hits(question.id):
            return text
        return " ".join(word for word in text.split() if not word[:1].isupper() and word.isalpha())

    return Fault(query=query)


def short_questions_misspelt_by_a_rewriter() -> Fault:
    """So many short questions are misspelt on their way to the search."""

    def query(text: str, question: Question, at: At) -> str:
        if question.form != "short" or not at.hits(question.id):
            return text
        return re.sub(r"\b([A-Z])(\w)(\w)", r"\1\3x\2", text)

    return Fault(query=query)


def threshold_too_strict() -> Fault:
    """For so many wordings nothing is near enough."""
    return Fault(found=lambda passages, question, at: [] if at.hits(question.id) else passages)


def search_fails_in_silence() -> Fault:
    """For so many entities the search raises, and an empty list is taken for its result."""
    return Fault(found=lambda passages, question, at: [] if at.hits(question.entity) else passages)


_CANDIDATES = 24


def ranking_random() -> Fault:
    """The first 24 candidates are put into any order, for so many wordings."""

    def found(passages: Passages, question: Question, at: At) -> Passages:
        if not at.hits(question.id):
            return passages
        first = sorted(passages[:_CANDIDATES], key=lambda each: drawn("rank", question.id, each.document, each.start))
        return [*first, *passages[_CANDIDATES:]]

    return Fault(found=found)


def ranking_reversed() -> Fault:
    """The worst of the first 24 candidates stand first, for so many questions."""

    def found(passages: Passages, question: Question, at: At) -> Passages:
        return [*passages[:_CANDIDATES][::-1], *passages[_CANDIDATES:]] if at.hits(question.group) else passages

    return Fault(found=found)


def ranking_prefers_long_passages() -> Fault:
    """The first 24 candidates are ordered by their length, for so many questions."""

    def found(passages: Passages, question: Question, at: At) -> Passages:
        if not at.hits(question.group):
            return passages
        return [*sorted(passages[:_CANDIDATES], key=lambda each: -len(each.text)), *passages[_CANDIDATES:]]

    return Fault(found=found)


def ranking_best_dropped() -> Fault:
    """A re-ranker takes the best candidates for copies of the question and puts them behind the others, so often."""

    def found(passages: Passages, question: Question, at: At) -> Passages:
        return [*passages[6:18], *passages[:6], *passages[18:]] if at.hits(question.group) else passages

    return Fault(found=found)


def top_k_truncated() -> Fault:
    """Only the first passage is handed in, for so many wordings; else two."""
    return Fault(contexts=lambda passages, question, at: passages[: 1 if at.hits(question.id) else 2])


def duplicates_fill_the_contexts() -> Fault:
    """The same passage is in the index many times: it fills all places, for so many wordings the second best."""

    def contexts(passages: Passages, question: Question, at: At) -> Passages:
        if not passages:
            return passages
        first = passages[1] if at.hits(question.id) and len(passages) > 1 else passages[0]
        return [replace(first) for _ in passages]

    return Fault(contexts=contexts)
