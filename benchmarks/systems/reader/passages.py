"""Passages as the reader sees them: sentences with what stands around them, and the values they hold."""

import bisect
import functools
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.systems.reader.vocabulary import Kind, roots
from benchwright.benchmarks.text.countries import is_wider_place
from benchwright.benchmarks.text.dates import find_dates
from benchwright.benchmarks.text.folding import lower, value_words
from benchwright.benchmarks.text.numbers import SMALL, TENS
from benchwright.benchmarks.text.sentences import PROSE
from benchwright.benchmarks.text.words import STOP_WORDS, root

CAPITALISED = r"[A-ZÀ-Þ][\w’'-]*"
_FADING = 0.85
"""What remains, with each sentence, of what the one before it spoke of."""
_MONEY = re.compile(
    r"(?:(?:US\s?)?[$€£¥]|\b(?:USD|EUR|GBP|JPY)\b)\s?\d[\d,]*(?:\.\d+)?(?:\s?(?:thousand|million|billion)\b)?"
    r"|\b\d[\d,]*(?:\.\d+)?(?:\s(?:thousand|million|billion))?\s(?:US )?(?:dollars|euros?|pounds|yen)\b"
)
_NUMBER = re.compile(
    r"(?<![\w.,])(?:\+\d{1,3}(?:[ -]\d{2,4}){1,5}|\d(?:[\d,]*\d)?(?:\.\d+)?(?:-\d{3,4}(?!\d))*)"
    rf"(?:\s?%|[ -](?!(?:{'|'.join(sorted(STOP_WORDS))})\b)[a-z]+[²³]?)?|\b(?:{'|'.join((*SMALL[2:], *TENS))})\b"
)
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_NAME = re.compile(rf"{CAPITALISED}(?:(?<![’']s)(?: | & | of | of the | de | in )(?={CAPITALISED}){CAPITALISED})*")
_LABEL = re.compile(r"[\s*•-]*(?P<label>[A-Za-z][^:.!?]{1,60}?)\s*[:=]\s+(?P<value>\S.*)", re.DOTALL)
_PHRASE = re.compile(
    r"\b(?:is|are|was|were|been|as|has|have|had|holds|uses?|offers|says|into|through|under|on|in|at|by|with|to|from|for|of|"
    r"an?|the)\s+(?:(?:an?|the|its|their|his|her|our)\s+)?(?![a-z]+ed\b)"
    r"(?P<value>[^\W_][^,;:!?()]*?(?: and [a-z]+(?=[.,;:!?)]|$))?)"
    r"(?=[.,;:!?()]|\s+(?:and|which|who|where|but|for|by|with|to|at|on|as|in|that|from|into|after|since|until|is|are|was|has)\b"
    r"|$)"
)
_TELEPHONE = re.compile(r"\(\d+\)[\d\s./-]*\d")
_SUBJECT = re.compile(r"\s+(?:is|was|has|had)\b")
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_LONGEST = 6
"""Words of a phrase."""


@dataclass(frozen=True, slots=True)
class Value:
    """A stretch of a sentence that may be an answer."""

    kind: Kind
    text: str
    start: int
    end: int
    roots: frozenset[str]
    is_labelled: bool = False
    """It stands after the colon of a line such as "Phone: 12"."""


@dataclass(frozen=True)
class Sentence:
    """A sentence of a passage, read once for all questions; its values are looked for where a question needs them."""

    text: str
    words: frozenset[str]
    """The roots of its content words."""
    title: frozenset[str]
    """The roots of its document's title."""
    said: Mapping[str, Sequence[int]]
    """The root of each content word of the passage → the numbers of the sentences that have it."""
    number: int

    def above(self, word: str) -> float:
        """How near a root stands in the title, 1, or in the sentences before, fading towards 0; 0 where it does not."""
        if word in self.title:
            return 1.0
        places = self.said.get(word, ())
        before = bisect.bisect_left(places, self.number)
        return _FADING ** (self.number - places[before - 1]) if before else 0.0

    @functools.cached_property
    def places(self) -> tuple[tuple[str, int, int], ...]:
        """The roots of all its words, with start and end."""
        return tuple((root(match[0].lower()), *match.span()) for match in _WORD.finditer(self.text))

    @functools.cached_property
    def label(self) -> frozenset[str] | None:
        """The roots of what stands before its colon, of a line such as "Phone: 12"."""
        match = _LABEL.match(self.text)
        return roots(match["label"]) if match else None

    @functools.cached_property
    def values(self) -> tuple[Value, ...]:
        """What may be an answer."""
        match = _LABEL.match(self.text)
        return tuple(_labelled(match) if match else find_values(self.text))


@dataclass(frozen=True)
class ReadPassage:
    """A passage, read."""

    sentences: tuple[Sentence, ...]
    said: Mapping[str, Sequence[int]]
    """As of its sentences."""


@functools.lru_cache(maxsize=20_000)
def read_passage(passage: Passage) -> ReadPassage:
    """The sentences of a passage."""
    title, said = roots(passage.title), dict[str, list[int]]()
    found: list[Sentence] = []
    for number, (start, end) in enumerate(PROSE.spans(passage.text)):
        words = roots(text := passage.text[start:end])
        found.append(Sentence(text, words, title, said, number))
        for word in words:
            said.setdefault(word, []).append(number)
    return ReadPassage(tuple(found), said)


def _value(kind: Kind, text: str, start: int, end: int) -> Value:
    return Value(kind, text[start:end], start, end, roots(text[start:end]))


def _labelled(label: re.Match[str]) -> Iterator[Value]:
    """What stands after a label: as a whole, and the figures in it."""
    text, start = label["value"].rstrip(". "), label.start("value")
    kinds: tuple[Kind, ...] = ("phrase", "name", "place")
    whole = [_value(kind, text, 0, len(text)) for kind in (("number",) if _TELEPHONE.fullmatch(text) else kinds)]
    for value in (*whole, *(value for value in find_values(text) if value.kind not in ("phrase", "name", "place"))):
        yield replace(value, start=start + value.start, end=start + value.end, is_labelled=True)


def find_values(sentence: str) -> Iterator[Value]:
    """The dates, amounts of money, numbers, names, places and phrases of a sentence; a stretch may be of two kinds."""
    taken = [(date.start, date.end) for date in find_dates(lower(sentence))]
    yield from (_value("date", sentence, *span) for span in taken)
    figures: tuple[tuple[Kind, re.Pattern[str]], ...] = (("money", _MONEY), ("number", _NUMBER))
    for kind, pattern in figures:
        for match in pattern.finditer(sentence):
            if _is_free(match.span(), taken):
                taken.append(match.span())
                is_year = kind == "number" and _YEAR.fullmatch(match[0])
                yield _value("year" if is_year else kind, sentence, *match.span())
    names = [match.span() for match in _NAME.finditer(sentence) if _is_free(match.span(), taken)]
    for (start, end), (then, last) in itertools.pairwise([*names, (len(sentence), len(sentence))]):
        head, space, _ = sentence[start:end].partition(" ")
        if start == 0 and head.lower() in STOP_WORDS:
            if not space:
                continue
            start += len(head) + 1
        elif start == 0 and not space and not _SUBJECT.match(sentence, end):
            continue
        yield _value("name", sentence, start, end - 2 * sentence.endswith(("'s", "’s"), start, end))
        if sentence[end:then] == ", " and is_wider_place(value_words(sentence[then:last])):
            yield _value("place", sentence, start, last)
    for match in _PHRASE.finditer(sentence):
        if len(match["value"].split()) <= _LONGEST:
            yield _value("phrase", sentence, *match.span("value"))


def _is_free(span: tuple[int, int], taken: list[tuple[int, int]]) -> bool:
    return all(span[1] <= start or end <= span[0] for start, end in taken)
