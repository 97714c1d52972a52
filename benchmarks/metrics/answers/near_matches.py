"""Wordings that are close to the gold answer and that no index holds; tried where an answer names no gold value."""

import functools
from collections import Counter
from collections.abc import Iterator

from rapidfuzz.distance import Levenshtein

from benchwright.benchmarks.metrics.answers.gold import Element
from benchwright.benchmarks.metrics.answers.judged_answer import JudgedAnswer
from benchwright.benchmarks.metrics.answers.mentions import Mention, as_mention, is_meant
from benchwright.benchmarks.metrics.answers.names import is_person_named
from benchwright.benchmarks.metrics.answers.values import Form, Hit, Index, Words, index_forms, scan, word_lists
from benchwright.benchmarks.text import countries as places
from benchwright.benchmarks.text.variants import american

_SHORTEST_SLIP = 9
"""Letters of a word in which one wrong letter is seen through: shorter words and names have neighbours."""


@functools.lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    word = american(word)
    return word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] != "s" else word


def _reordered(found: list[tuple[int, str]], wording: Words) -> Iterator[tuple[int, int]]:
    """The same words in another order, with small words, initials and a plural between: "Head of Marketing"."""
    joining = word_lists("names")["joining"]
    wanted = Counter(_stem(word) for word in wording if word not in joining and len(word) > 1)
    size = wanted.total()
    if size < 1 or (size == 1 and len(wording[0]) < 4) or not wanted.keys() <= {word for _, word in found}:
        return
    for first in range(len(found) - size + 1):
        window = found[first : first + size]
        if Counter(word for _, word in window) == wanted and window[-1][0] - window[0][0] < 2 * size + 1:
            yield window[0][0], window[-1][0] + 1


def _joined(words: list[str], wording: Words) -> Iterator[tuple[int, int]]:
    """The same letters, divided otherwise: "Tech Corp"."""
    legal = word_lists("names")["legal"]
    kept = [word for position, word in enumerate(wording) if position == 0 or word not in legal]
    wanted = "".join(kept).replace("'", "")
    words = [word.replace("'", "") for word in words]
    if len(wanted) < 6 or wanted not in "".join(words):
        return
    for first in range(len(words)):
        text = ""
        for last in range(first, len(words)):
            text += words[last]
            if text == wanted and words[first : last + 1] != kept:
                yield first, last + 1
            if not wanted.startswith(text):
                break


def _misspelt(words: list[str], wanted: Words) -> Iterator[tuple[int, int]]:
    """One wrong letter in one long word."""
    long = [index for index, word in enumerate(wanted) if len(word) >= _SHORTEST_SLIP]
    for index in long:
        for position, word in enumerate(words):
            first = position - index
            if len(word) < _SHORTEST_SLIP or word[0] != wanted[index][0] or first < 0:
                continue
            others = words[first:position] + words[position + 1 : first + len(wanted)]
            if others == [*wanted[:index], *wanted[index + 1 :]] and Levenshtein.distance(word, wanted[index]) == 1:
                yield first, first + len(wanted)


def _person(answer: JudgedAnswer, element: Element) -> Iterator[tuple[int, int]]:
    """A person by the last name, where no other value has it: with other given names of the same person, or none."""
    lists, value = word_lists("names"), element.item[0]
    name = [word for word in element.wordings[0] if word not in lists["titles"]]
    capitals = "," not in value and all(part[:1].isupper() for part in value.split() if part[:1].isalpha())
    if not (capitals and 2 <= len(name) <= 4 and name[-1] in answer.words and name[-1].replace("'", "").isalpha()):
        return
    if not answer.question_text.person or lists["legal"].union(lists["sorts"]).intersection(name):
        return
    if len(answer.values.last_words.get(name[-1], frozenset()) | {element.key}) > 1:
        return
    for position, word in enumerate(answer.words):
        if word == name[-1] and (first := is_person_named(answer, position, name[:-1])) is not None:
            yield first, position + 1


@functools.cache
def _place_index() -> Index:
    named = [
        Form(words, frozenset({f"country:{code}"}), "place", capital=True)
        for words, code in places.place_codes().items()
    ]
    codes = [
        Form((state,), frozenset({f"country:{country}"}), "place", exact=state.upper())
        for state, country in places.state_countries().items()
    ]
    return index_forms([*named, *codes])


def near_mentions(answer: JudgedAnswer) -> list[Mention]:
    """Mentions of gold elements in wordings close to them; for a country, of countries that imply one.

    A town or a state counts for its country only where the template's values are countries, or one is asked for.
    """
    countries = answer.gold.countries and (
        answer.values.mostly_countries or (not answer.values.items and answer.question_text.country)
    )
    if not countries and not any(part in answer.lowered for part in answer.gold.beginnings):
        return []
    words = list(answer.words)
    stemmed = [
        (position, _stem(word))
        for position, word in enumerate(words)
        if len(word) > 1 and word not in word_lists("names")["joining"]
    ]
    hits = scan(words, answer.gold.near) if answer.gold.near else []
    for element in answer.gold.elements:
        for wording in element.wordings:
            form = Form(wording, frozenset({element.key}))
            found = (*_reordered(stemmed, wording), *_joined(words, wording), *_misspelt(words, wording))
            hits += [Hit(first, last, form) for first, last in dict.fromkeys(found)]
        if element.wordings:
            form = Form(element.wordings[0], frozenset({element.key}))
            hits += [Hit(first, last, form) for first, last in _person(answer, element)]
    if countries:
        hits += scan(words, _place_index())
    return sorted((as_mention(answer, hit) for hit in hits if is_meant(answer, hit)), key=lambda mention: mention.start)
