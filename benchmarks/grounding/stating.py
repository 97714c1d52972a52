"""Which documents state a fact that a question needs, beside those that its release names.

A release names the documents that its builder knows of. Where a system is to be asked without any of them, a copy, a
list or another page that says the same must not be left. A text is taken to state a fact

- where it has the fact's value near what the fact is about: the question's entity, or the value of another of its facts
  that the document of its evidence names (the steps of a question of several hops). Values are words in a row, and
  dates and numbers however they are written;
- of a question without such a name, where it has the value near most of what is telling of the words that question and
  evidence share;
- where it has the words of a long value in a row.

It finds more rather than less: a text with both may be about something else.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.text.dates import covers, find_dates, parse_date
from benchwright.benchmarks.text.folding import clean, fold, lower
from benchwright.benchmarks.text.numbers import find_numbers, parse_number, same_value
from benchwright.benchmarks.text.remembering import remembers
from benchwright.benchmarks.text.words import content_words, stem, words
from benchwright.benchmarks.types import Document, Evidence, Question

NEAR = 800
"""Characters between a value and what it is of."""
_LONG = 8
"""A value of so many words is recognised by itself."""
_MOST_TELLING = 0.7
"""The share of the telling words that must stand near the value."""
_PIECE = 10_000
"""Characters in which dates and numbers are looked for at once."""
_YES_OR_NO = frozenset(("yes", "no", "true", "false"))


@dataclass(frozen=True, slots=True)
class NeededFact:
    """A fact as texts may state it."""

    values: tuple[str, ...]
    """Words in a row, in small letters with one space between: any of them."""
    raw: tuple[str, ...]
    """The same as they stand, for dates and numbers."""
    subjects: tuple[str, ...]
    """What it is about, as `values`: any of them."""
    telling: tuple[tuple[str, float], ...] = ()
    """Stems of words with their weights, where there is no subject."""


class StatingDocuments:
    """Finds the documents of a corpus that state what questions need. Reads the corpus once, for all of them."""

    def __init__(self, documents: Mapping[str, Document], questions: Iterable[Question]) -> None:
        self._documents = documents
        self._postings: dict[str, set[str]] = {}
        self._found: dict[NeededFact, frozenset[str]] = {}
        wanted = frozenset(self._wanted(questions))
        for name, document in documents.items() if wanted else ():
            for word in wanted.intersection(_all_words(document)):
                self._postings.setdefault(word, set()).add(name)

    def facts_of(self, question: Question) -> tuple[NeededFact, ...]:
        """What a question needs, as texts may state it."""
        return tuple(dict.fromkeys(self._facts(question)))

    def of(self, question: Question) -> frozenset[str]:
        """Ids of the documents that state any fact that a question needs, those that its release names among them."""
        named = frozenset((*question.documents, *(evidence.document for evidence in question.evidence)))
        return named.union(*(self._stating(fact) for fact in self.facts_of(question)))

    def _wanted(self, questions: Iterable[Question]) -> Iterator[str]:
        """The words by which documents are looked up."""
        seen = set[tuple[object, ...]]()
        for question in questions:
            key = question.evidence, question.entity, question.answers, question.group or question.question
            if key in seen:
                continue
            seen.add(key)
            for value in _spans(question, self._documents).values():
                yield from words(fold(value))
            for value in (question.entity, *question.answers, *(each for more in question.aliases for each in more)):
                yield from words(fold(value)) if value else ()
            if not question.entity:
                yield from content_words(fold(question.question))

    def _facts(self, question: Question) -> Iterator[NeededFact]:
        spans = _spans(question, self._documents)
        answers = () if question.answer_type == "boolean" else _answers(question)
        numbers = {evidence.fact for evidence in spans}
        for evidence, value in spans.items():
            others = [text for each, text in spans.items() if each.fact != evidence.fact]
            source = self._documents[evidence.document]
            is_answer = len(numbers) == 1 or any(_plain(value) == _plain(each) for each in answers)
            forms = (value, *(answers if is_answer else ()))
            yield from self._fact(question, forms, _subjects(question.entity, others, source), source, evidence)
        if not spans:
            sources = [self._documents[name] for name in question.documents if name in self._documents]
            for source in sources if answers else ():
                yield from self._fact(question, answers, _subjects(question.entity, (), source), source, None)

    def _fact(
        self, question: Question, forms: Sequence[str], subjects: Sequence[str], source: Document, at: Evidence | None
    ) -> Iterator[NeededFact]:
        plain = tuple(dict.fromkeys(value for form in forms if (value := _plain(form)) and value not in _YES_OR_NO))
        if not plain:
            return
        raw = tuple(form for form in forms if parse_date(form) or parse_number(form))
        if subjects:
            yield NeededFact(plain, raw, tuple(subjects))
            return
        telling = self._telling(question, source, at, {word for value in plain for word in content_words(value)})
        if sum(weight for _, weight in telling) >= math.log(len(self._documents) + 1) / 2 or any(
            value.count(" ") >= _LONG - 1 for value in plain
        ):
            yield NeededFact(plain, raw, (), telling)

    def _telling(
        self, question: Question, source: Document, at: Evidence | None, own: set[str]
    ) -> tuple[tuple[str, float], ...]:
        """The words that a question shares with its evidence, but for the value's own, weighted by how few documents
        have them."""
        body = source.body if at is None else source.body[max(0, at.start - NEAR) : at.end + NEAR]
        there = {*content_words(fold(source.title)), *content_words(fold(body))}
        asked = dict.fromkeys(content_words(fold(question.question)))
        shared = [word for word in asked if word in there and word not in own]
        size = len(self._documents)
        return tuple((word, math.log((size + 1) / (len(self._postings.get(word, ())) + 0.5))) for word in shared)

    def _stating(self, fact: NeededFact) -> frozenset[str]:
        if fact not in self._found:
            self._found[fact] = frozenset(
                name
                for name in self._candidates(fact)
                if states_fact(self._documents[name].body, fact, title=self._documents[name].title)
            )
        return self._found[fact]

    def _candidates(self, fact: NeededFact) -> set[str]:
        """The documents that have all words of a value; of dates and numbers, which may be written otherwise, all that
        have the words of what the fact is about."""
        named = set[str]().union(*map(self._holding, fact.subjects))
        if fact.raw and fact.subjects:
            return named
        valued = set[str]().union(*map(self._holding, fact.values))
        is_long = any(value.count(" ") >= _LONG - 1 for value in fact.values)
        return valued & named if fact.subjects and not is_long else valued

    def _holding(self, text: str) -> list[str]:
        """The documents that have all words of a text."""
        found = sorted((self._postings.get(word, set()) for word in set(text.split())), key=len)
        return [name for name in found[0] if all(name in others for others in found[1:])] if found else []


def states_any(text: str, facts: Iterable[NeededFact], title: str = "") -> bool:
    """Whether a text states any of some facts."""
    return any(states_fact(text, fact, title=title) for fact in facts)


def states_fact(text: str, fact: NeededFact, *, title: str = "") -> bool:
    """Whether a text under a title states a fact, as this module says."""
    plain, head = _plain_text(text), _plain(title)
    found = {value: _places(plain, value) for value in fact.values}
    if any(places and value.count(" ") >= _LONG - 1 for value, places in found.items()):
        return True
    if not fact.subjects:
        return any(_is_told(plain, head, place, fact.telling) for places in found.values() for place in places)
    for subject in fact.subjects:
        if f" {subject} " in f" {head} ":
            if any(places for places in found.values()) or has_quantity(text, fact.raw):
                return True
            continue
        about = _places(plain, subject)
        inside = [(start, start + len(subject)) for start in about]
        for value, places in found.items():
            free = [at for at in places if not any(start <= at and at + len(value) <= end for start, end in inside)]
            if any(abs(at - start) <= NEAR for at in free for start in about):
                return True
        if about and fact.raw and any(has_quantity(window, fact.raw) for window in _windows(text, subject)):
            return True
    return False


def _is_told(plain: str, head: str, place: int, telling: Sequence[tuple[str, float]]) -> bool:
    """Whether most of the telling words stand about a place of a text, or in its title."""
    total = sum(weight for _, weight in telling)
    if total <= 0:
        return False
    near = {*content_words(head), *content_words(plain[max(0, place - NEAR) : place + NEAR])}
    return sum(weight for word, weight in telling if word in near) >= _MOST_TELLING * total


def _spans(question: Question, documents: Mapping[str, Document]) -> dict[Evidence, str]:
    """The texts of a question's evidence, of the documents that are at hand."""
    found = {}
    for evidence in question.evidence:
        document = documents.get(evidence.document)
        if document is not None and document.text is not None:
            found[evidence] = document.text[evidence.start : evidence.end]
    return found


def _answers(question: Question) -> tuple[str, ...]:
    return (*question.answers, *(each for more in question.aliases for each in more))


def _subjects(entity: str | None, others: Iterable[str], source: Document) -> list[str]:
    """What a fact is about: of the question's entity and its other facts' values those that its document names."""
    there = f" {_plain(source.title)} {_plain_text(source.body)} "
    wanted = (entity, *others)
    return list(dict.fromkeys(plain for text in wanted if text and (plain := _plain(text)) and f" {plain} " in there))


def _all_words(document: Document) -> set[str]:
    """The words of a document as they stand, and their stems."""
    found = set(words(fold(f"{document.title}\n{document.body}")))
    return found.union(map(stem, found))


def _plain(text: str) -> str:
    """Words with one space between."""
    return " ".join(words(fold(text)))


@remembers(characters=10_000_000)
def _plain_text(text: str) -> str:
    return _plain(text)


def _places(plain: str, value: str) -> list[int]:
    """Where words in a row stand."""
    padded, wanted = f" {plain} ", f" {value} "
    places, at = list[int](), padded.find(wanted)
    while at >= 0:
        places.append(at)
        at = padded.find(wanted, at + 1)
    return places


def _windows(text: str, subject: str) -> Iterator[str]:
    """What stands near the places of a subject, as it is written."""
    pattern = r"\W+".join(map(re.escape, subject.split()))
    for match in re.finditer(pattern, fold(text).lower()):
        yield text[max(0, match.start() - NEAR) : match.end() + NEAR]


def has_quantity(text: str, raw: Sequence[str]) -> bool:
    """Whether a text has one of some dates and numbers, however it is written."""
    if not raw:
        return False
    dates = [day for form in raw if (date := parse_date(form)) for day in date.readings]
    numbers = [number for form in raw if not parse_date(form) and (number := parse_number(form))]
    for start in range(0, max(len(text), 1), _PIECE):
        lowered = lower(clean(text[max(0, start - 100) : start + _PIECE]))
        if dates and any(
            covers(stated, day) for each in find_dates(lowered) for stated in each.readings for day in dates
        ):
            return True
        for each in find_numbers(lowered) if numbers else ():
            for number in numbers:
                if each.dimension == number.dimension and same_value(
                    each.value * each.factor, number.value * number.factor
                ):
                    return True
    return False
