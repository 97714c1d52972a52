"""What can be wrong with what is searched: documents that are missing, old or cut, and passages cut in the wrong place."""

import itertools
import re
from collections.abc import Callable
from dataclasses import replace

from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.types import Document, Question
from faulty.corpora import drawn, picked
from faulty.pipeline import At, Fault

Documents = dict[str, Document]


def _each(change: Callable[[Document, At], str]) -> Fault:
    """A fault that changes the text of every document."""
    return Fault(
        documents=lambda documents, at: {name: replace(each, text=change(each, at)) for name, each in documents.items()}
    )


def corpus_lacks_documents() -> Fault:
    """So many of the documents were never taken in."""
    return Fault(documents=lambda documents, at: {name: each for name, each in documents.items() if not at.hits(name)})


def corpus_lacks_a_section() -> Fault:
    """A stretch of the corpus was never taken in: so many of the documents, in a row by the beginning of their title."""

    def lack(documents: Documents, at: At) -> Documents:
        ordered = sorted(documents, key=lambda name: drawn("section", documents[name].title[:4]))
        gone = set(ordered[: int(len(ordered) * at.strength)])
        return {name: each for name, each in documents.items() if name not in gone}

    return Fault(documents=lack)


def spans_hit(at: At) -> dict[str, list[tuple[int, int, str]]]:
    """Of each document the stretches of evidence that are hit, and another value for each, from the last to the first."""
    found: dict[str, dict[tuple[int, int], str]] = {}
    for question in at.bench.questions.values():
        for item in question.evidence:
            if at.hits(question.group):
                found.setdefault(item.document, {})[item.start, item.end] = at.bench.other_value(question, "old")
    return {
        name: sorted(((*span, other) for span, other in those.items()), reverse=True) for name, those in found.items()
    }


def replaced_at(document: Document, spans: list[tuple[int, int, str]], change: Callable[[str, str], str]) -> str:
    text = document.body
    for start, end, other in spans:
        text = text[:start] + change(text[start:end], other) + text[end:]
    return text


def index_stale_values() -> Fault:
    """So many of the facts stand in the index as they were before."""

    def age(documents: Documents, at: At) -> Documents:
        spans = spans_hit(at)
        return {
            name: replace(each, text=replaced_at(each, spans.get(name, []), lambda _, other: other))
            for name, each in documents.items()
        }

    return Fault(documents=age)


def index_stale_documents() -> Fault:
    """So many of the documents stand in the index in an older version: other values, sentences lacking and in another order."""

    def age(document: Document, at: At) -> str:
        if not at.hits(document.id):
            return document.body
        everything = replace(at, strength=1.0)
        text = replaced_at(document, _spans_of(everything, document.id), lambda _, other: other)
        sentences = re.split(r"(?<=[.!?]) ", text)
        kept = [each for place, each in enumerate(sentences) if place == 0 or drawn("kept", document.id, place) > 0.15]
        return " ".join([*kept[len(kept) // 2 :], *kept[: len(kept) // 2]])

    return _each(age)


_KNOWN: dict[tuple[int, str, float], dict[str, list[tuple[int, int, str]]]] = {}


def _spans_of(at: At, document: str) -> list[tuple[int, int, str]]:
    key = id(at.bench), at.kind, at.strength
    if key not in _KNOWN:
        _KNOWN[key] = spans_hit(at)
    return _KNOWN[key].get(document, [])


def characters_garbled_in_parsing() -> Fault:
    """In so many of the documents a parser took figures and letters for others."""
    table = str.maketrans("01569aeosl", "OlSb8ucc5i")

    def garble(document: Document, at: At) -> str:
        if not at.hits(document.id):
            return document.body
        return replaced_at(
            document, _spans_of(replace(at, strength=1.0), document.id), lambda value, _: value.translate(table)
        )

    return _each(garble)


def documents_cut_at_import() -> Fault:
    """Of every document only the first part is taken in: so much is lost."""
    return _each(lambda document, at: document.body[: int(len(document.body) * (1 - at.strength))])


def heads_of_documents_lost() -> Fault:
    """Of every document so much is lost at its beginning."""
    return _each(lambda document, at: document.body[int(len(document.body) * at.strength) :])


def sentences_dropped_at_import() -> Fault:
    """So many sentences are lost, such as those in tables and boxes."""

    def drop(document: Document, at: At) -> str:
        sentences = re.split(r"(?<=[.!?])(?=\s)", document.body)
        return "".join(each for place, each in enumerate(sentences) if not at.hits((document.id, place)))

    return _each(drop)


def another_corpus_searched() -> Fault:
    """For so many questions the passages of somebody else's index come back."""

    def replaced(found: list[Passage], question: object, at: At) -> list[Passage]:
        group = getattr(question, "group", None)
        if not at.hits(group):
            return found
        return [
            replace(each, document=f"x{place}", title="Minutes", text=_elsewhere(at.kind, group, place))
            for place, each in enumerate(found)
        ]

    return Fault(found=replaced)


_THEY = ("The committee", "A member", "The treasurer", "One of the guests", "The caretaker")
_DID = ("moved the meeting to", "wrote a letter about", "asked again for", "could not find", "thanked all for")
_WHAT = ("the second of May", "the broken boiler", "the list of chairs", "a key to the shed", "their patience")


def _elsewhere(*key: object) -> str:
    """A few sentences that nobody asks about."""
    return " ".join(
        f"{picked(_THEY, key, part)} {picked(_DID, key, part, 1)} {picked(_WHAT, key, part, 2)}." for part in range(4)
    )


def chunks_cut_answers() -> Fault:
    """So many of the values that are asked for lie on the border of two passages."""
    return Fault(chunks=lambda chunks, at: cut_at(chunks, at, lambda start, end: [(start + end) // 2]))


def chunks_break_within_values() -> Fault:
    """Passages end wherever a figure or a name begins its second part, of so many of the values that are asked for."""
    return Fault(
        chunks=lambda chunks, at: cut_at(chunks, at, lambda start, end: [start + max(1, (end - start) // 3), end])
    )


def cut_at(chunks: list[Passage], at: At, borders: Callable[[int, int], list[int]]) -> list[Passage]:
    """The passages, cut once more at borders within the evidence that is hit."""
    cuts: dict[str, set[int]] = {}
    for name, spans in spans_hit(at).items():
        cuts[name] = {border for start, end, _ in spans for border in borders(start, end)}
    found: list[Passage] = []
    for each in chunks:
        places = [
            each.start,
            *sorted(cut for cut in cuts.get(each.document, ()) if each.start < cut < each.end),
            each.end,
        ]
        for start, end in itertools.pairwise(places):
            text = each.text[start - each.start : end - each.start]
            found.append(replace(each, start=start, end=end, text=text))
    return found


def chunks_tiny() -> Fault:
    """Passages of a few words: 60 characters, and fewer the stronger."""

    def split(chunks: list[Passage], at: At) -> list[Passage]:
        size = int(70 - 50 * at.strength)
        return [
            replace(each, start=each.start + first, end=each.start + first + len(text), text=text)
            for each in chunks
            for first in range(0, len(each.text), size)
            if (text := each.text[first : first + size])
        ]

    return Fault(chunks=split)


def passages_of_a_document_mixed_up() -> Fault:
    """The search finds the document, and of so many questions hands in another passage of it."""

    def mix(found: list[Passage], question: Question, at: At) -> list[Passage]:
        if not at.hits(question.group):
            return found
        return [beside for each in found if (beside := _beside(each, question, at)) is not None]

    return Fault(found=mix)


def _beside(passage: Passage, question: Question, at: At) -> Passage | None:
    """A passage; in place of one that holds the answer, 250 characters of the same document that do not."""
    spans = [item for item in question.evidence if item.document == passage.document]
    if not any(passage.start < item.end and item.start < passage.end for item in spans):
        return passage
    body, first, last = (
        at.bench.documents[passage.document].body,
        min(item.start for item in spans),
        max(item.end for item in spans),
    )
    start, end = (max(0, first - 290), max(0, first - 40)) if first > 150 else (last + 40, last + 290)
    text = body[start:end].strip()
    if len(text) < 40:
        return None
    at_start = body.find(text)
    return replace(passage, start=at_start, end=at_start + len(text), text=text)
