"""A RAG pipeline of separate modules, each of which a fault can break: import, chunks, search, ranking, passing, reading.

    documents → chunks → index;   query → candidates → contexts → what reaches the reader → answer → output

A `Fault` replaces what one of these steps gives. A `Stack` is one healthy way to make all of them.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Any

from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.systems.calling import titled
from benchwright.benchmarks.types import Document, Evidence, Question
from faulty.corpora import drawn, picked

DEPTH = 60
"""Candidates that a search gives at most."""
UNKNOWN = "I don't know."

Search = Callable[[str], Sequence[int]]
"""The places of the passages for a query, the best first, DEPTH at most."""
Reader = Callable[["Bench", Question, Sequence[str]], str]


@dataclass(frozen=True)
class Bench:
    """What is asked, with what a simulated reader and faults may know of it."""

    documents: Mapping[str, Document]
    questions: Mapping[str, Question]
    """By their text."""

    @property
    def name(self) -> str:
        """Of its documents."""
        return next(iter(self.documents))

    @cache  # noqa: B019  a bench lives as long as the tests
    def values(self, template: str | None) -> tuple[str, ...]:
        """All answers to the questions of a template: what one of them could be confused with."""
        return tuple(sorted({each.answers[0] for each in self.questions.values() if each.template == template}))

    def other_value(self, question: Question, *parts: object) -> str:
        """Another value of the same sort, by hash: an older one, or that of another entity."""
        others = [each for each in self.values(question.template) if each != question.answers[0]]
        return picked(others, question.group, *parts) if others else "none of these"

    def stated(self, question: Question) -> str:
        """The answer as the documents state it."""
        for each in sorted(question.evidence, key=lambda each: -each.fact):
            return self.documents[each.document].body[each.start : each.end]
        return question.answers[0]

    def __hash__(self) -> int:
        return id(self)


@dataclass(frozen=True)
class At:
    """Where a fault is put: how strong it is, and in which bench."""

    kind: str
    strength: float
    bench: Bench

    def hits(self, key: object) -> bool:
        """Whether it hits something, by hash: as often as it is strong."""
        return drawn(self.kind, key) < self.strength


def _same(value: Any, *_: Any) -> Any:
    return value


@dataclass(frozen=True)
class Fault:
    """What one module does wrong; each step is given what a healthy one gives."""

    documents: Callable[[dict[str, Document], At], dict[str, Document]] = _same
    chunks: Callable[[list[Passage], At], list[Passage]] = _same
    stored: Callable[[list[Passage], At], list[Passage]] = _same
    """Of the passages of an index, parallel to their vectors: what comes back in place of each."""
    query: Callable[[str, Question, At], str] = _same
    found: Callable[[list[Passage], Question, At], list[Passage]] = _same
    """Of the candidates, at most DEPTH."""
    contexts: Callable[[list[Passage], Question, At], list[Passage]] = _same
    """Of the best k: what is handed in."""
    own_texts: Callable[[list[str], Question, At], list[str]] = _same
    """Of the texts that go from the search to the reader."""
    texts: Callable[[list[str], Question, At], list[str]] = _same
    """Of all texts that go to the reader, those of a condition too."""
    reader: Callable[[Reader, At], Reader] = _same
    output: Callable[[str, Question, At], str] = _same


@dataclass(frozen=True)
class Stack:
    """A healthy pipeline."""

    name: str
    bench: Bench
    chunk: Callable[[Document], list[Passage]]
    make_search: Callable[[Sequence[Passage]], Search]
    reader: Reader
    k: int = 5
    hands_in: str = "id"
    """How contexts are handed in: `id` of the document, `own` ids of chunks, `text` alone; `capitals`: ids of documents in
    capitals; `header`: the title and the place in lines before the text."""


@dataclass
class Pipeline:
    """A stack with faults, as the harness asks it."""

    stack: Stack
    faults: Sequence[tuple[Fault, At]] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    _passages: list[Passage] = field(default_factory=list)
    _search: Search | None = None

    def index(self, documents: Sequence[Mapping[str, str]]) -> None:
        """Takes the corpus in."""
        kept = {each["id"]: Document(each["id"], each["title"], each["text"]) for each in documents}
        for fault, at in self.faults:
            kept = fault.documents(kept, at)
        if all(fault.documents is _same and fault.chunks is _same for fault, _ in self.faults):
            self._passages, self._search = _indexed(self.stack)
        else:
            self._take_in(kept)
        for fault, at in self.faults:
            self._passages = fault.stored(self._passages, at)

    def _take_in(self, kept: Mapping[str, Document]) -> None:
        passages = [passage for each in kept.values() for passage in self.stack.chunk(each)]
        for fault, at in self.faults:
            passages = fault.chunks(passages, at)
        self._passages, self._search = passages, lru_cache(maxsize=5_000)(self.stack.make_search(passages))

    def candidates(self, question: str) -> list[Passage]:
        """The passages that are found, the best first."""
        asked = self.stack.bench.questions.get(question)
        query = question
        if asked is not None:
            for fault, at in self.faults:
                query = fault.query(query, asked, at)
        assert self._search is not None
        found = [self._passages[place] for place in self._search(query)]
        if asked is not None:
            for fault, at in self.faults:
                found = fault.found(found, asked, at)
        return found

    def retrieve(self, question: str, k: int) -> list[dict[str, Any]]:
        """The best k, as contexts."""
        return [self._handed_in(each) for each in self.candidates(question)[:k]]

    def answer(self, question: str, *, contexts: Sequence[str] | None = None) -> dict[str, Any]:
        """The answer, and what it was read from."""
        asked = self.stack.bench.questions[question]
        if contexts is not None:
            return {"answer": self._said(asked, list(contexts))}
        read = self.candidates(question)[: self.stack.k]
        for fault, at in self.faults:
            read = fault.contexts(read, asked, at)
        texts = list(map(titled, read))
        for fault, at in self.faults:
            texts = fault.own_texts(texts, asked, at)
        handed = [self._handed_in(each) for each in read]
        return {"answer": self._said(asked, texts), "contexts": handed, "usage": {"retrievals": 1}}

    def _said(self, asked: Question, texts: list[str]) -> str:
        reader = self.stack.reader
        for fault, at in self.faults:
            texts, reader = fault.texts(texts, asked, at), fault.reader(reader, at)
        said = reader(self.stack.bench, asked, texts)
        for fault, at in self.faults:
            said = fault.output(said, asked, at)
        return said

    def _handed_in(self, passage: Passage) -> dict[str, Any]:
        if self.stack.hands_in == "id":
            return {"id": passage.document, "text": passage.text}
        if self.stack.hands_in == "own":
            return {"id": f"{passage.document}#{passage.start}", "text": titled(passage)}
        if self.stack.hands_in == "capitals":
            return {"id": passage.document.upper(), "text": passage.text}
        if self.stack.hands_in == "header":
            head = f"[Source: {passage.title} | characters {passage.start}-{passage.end}]"
            return {"id": passage.document, "text": f"{head}\n{passage.text}"}
        return {"text": passage.text}


_INDEXED: dict[int, tuple[Stack, list[Passage], Search]] = {}
"""By the identity of a stack, which is kept so that no other gets it."""


def _indexed(stack: Stack) -> tuple[list[Passage], Search]:
    """The healthy index of a stack, made once; what a query finds is kept."""
    if id(stack) not in _INDEXED:
        passages = [passage for each in stack.bench.documents.values() for passage in stack.chunk(each)]
        _INDEXED[id(stack)] = stack, passages, lru_cache(maxsize=20_000)(stack.make_search(passages))
    return _INDEXED[id(stack)][1:]


@lru_cache(maxsize=20_000)
def _frames(body: str, start: int, end: int) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """How a reader finds the place of a value: what stands before and after it, up to the ends of the sentence."""
    first = max(body.rfind(mark, 0, start) for mark in (". ", "\n", "! ", "? ")) + 1
    before = body[max(first, start - 40) : start].lstrip()
    after = body[end : end + (10 if len(before) > 7 else 40)].split("\n")[0].rstrip() or "."
    whole = re.compile(re.escape(before) + r"(?P<value>[^\n]{1,90}?)" + re.escape(after), re.IGNORECASE)
    cut = re.compile(re.escape(before) + r"(?P<value>[^\n]{1,60})$", re.IGNORECASE)
    return whole, (cut if len(before) > 7 else re.compile(r"(?!)"))


def read_value(bench: Bench, evidence: Evidence, texts: Sequence[str]) -> str | None:
    """What stands in texts at the place of a stretch of evidence, whatever it is now; None where the place is not there."""
    document = bench.documents[evidence.document]
    whole, cut = _frames(document.body, evidence.start, evidence.end)
    for text in texts:
        if names(document, text) and (match := whole.search(text) or cut.search(text)):
            return match["value"]
    return None


def read_answer(bench: Bench, question: Question, texts: Sequence[str]) -> str | None:
    """What stands at the place of the last fact, where each of the facts that an answer needs is there."""
    value = None
    for fact in sorted({item.fact for item in question.evidence}):
        those = [item for item in question.evidence if item.fact == fact]
        value = next((each for item in those if (each := read_value(bench, item, texts))), None)
        if value is None:
            return None
    return value


@lru_cache(maxsize=2_000)
def _name_words(title: str) -> tuple[str, ...]:
    return tuple(word.casefold() for word in re.findall(r"\w+", title) if len(word) > 3)


def names(document: Document, text: str) -> bool:
    """Whether a text names what a document is about."""
    plain = text.casefold()
    return any(word in plain for word in _name_words(document.title))


def simulated_reader(guesses: float, errs: float, says: Sequence[str]) -> Reader:
    """A reader in a language model's stead: it finds the sentence that answers, and reads what stands there.

    Args:
        guesses: how often it takes another value of the same sort where the sentence is not there, else it abstains.
        errs: how often it takes another value though it is.
        says: how it puts an answer, with `{value}`.
    """

    def read(bench: Bench, question: Question, texts: Sequence[str]) -> str:
        frame = picked(says, "says", question.id)
        value = read_answer(bench, question, texts)
        if value is not None and drawn("errs", question.id) >= errs:
            return frame.format(value=value)
        guessing = value is not None or drawn("guesses", question.id) < guesses
        other = another_in(bench, question, texts) if guessing else None
        return UNKNOWN if other is None else frame.format(value=other)

    return read


def another_in(bench: Bench, question: Question, texts: Sequence[str]) -> str | None:
    """Another value of the same sort that stands in some texts, by hash."""
    joined = "\n".join(texts)
    gold = {question.answers[0], *(alias for each in question.aliases for alias in each), bench.stated(question)}
    there = [
        each
        for each in bench.values(question.template)
        if each not in gold and re.search(rf"(?<!\w){re.escape(each)}(?!\w)", joined)
    ]
    return picked(there, "other", question.id) if there else None


def with_k(stack: Stack, k: int) -> Stack:
    """The stack with another number of contexts."""
    return replace(stack, k=k)
