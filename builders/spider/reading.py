"""Reads a page: where it states each fact of its row, and what it says that is none of them. The proof of a release and
the build call the same; the writer shares nothing with it."""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from benchwright.builders.spider.cues import Cue, Value, cues_of, has_words, is_about, is_class
from benchwright.builders.spider.facts import FactKey
from benchwright.builders.spider.profiles import Fact, Profile
from benchwright.builders.spider.strangers import Strangers, may_be_small

SHORTEST, LONGEST = 200, 400
"""Words of a page (GRAMMAR, appendix H.2)."""
Span = tuple[int, int]

_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_END = re.compile(r"(?<=[.!?])[\"”’)]*\s+(?=\S)|\n+")
_HEDGE = re.compile(
    r"\b(?:no longer|formerly|previously|allegedly|reportedly|rumou?red|perhaps|maybe|might|may have|is unknown|"
    r"denie[sd]|unconfirmed|wrongly)\b",
    re.IGNORECASE,
)
"""What doubts, takes back or passes on what a sentence states."""
_NOT = re.compile(
    r"\b(?:not(?! (?:only|just|merely|least)\b)|never|if(?! any\b)|neither|nor)\b|n['’]t\b", re.IGNORECASE
)
"""What takes back what its clause states."""
_CLAUSE = re.compile(r"[,;:()—–]| (?:but|while|although|though|whereas|which|who) ", re.IGNORECASE)


def find_facts(profile: Profile, text: str) -> dict[FactKey, list[Span]]:
    """Where a text states each fact of a profile that it states: of a cell its value, else from the first to the last
    of what belongs together."""
    found: dict[FactKey, list[Span]] = {}
    for start, end in sentences_of(profile, text):
        for key, span in _Sentence(profile, text[start:end]).stated().items():
            found.setdefault(key, []).append((start + span[0], start + span[1]))
    return found


def problems_of(profile: Profile, text: str, strangers: Strangers, may_lack_pairs: bool = False) -> list[str]:
    """What is wrong with a page: facts that it lacks, numbers, names and values that belong to no fact of its row.

    Args:
        profile: what it must state.
        text: the page.
        strangers: the names and values of all profiles.
        may_lack_pairs: whether what an associative table says may stand on the other row's page.
    """
    found = find_facts(profile, text)
    problems = [
        f"it does not state that the {said_of(fact, profile.name)}: say so plainly in one sentence"
        for fact in profile.facts
        if fact.key not in found and not (may_lack_pairs and fact.sort == "pair")
    ]
    parts = [part for fact in profile.facts for part in (fact.value, fact.label, fact.tie, *fact.names)]
    held = [profile.name, profile.noun, *parts]
    numbers = {number for part in held for number in _NUMBER.findall(part)}
    problems += [
        f"it holds the number {number[0]}, which is in no fact: leave it out"
        for number in _NUMBER.finditer(text)
        if number[0] not in numbers
    ]
    own = {run for part in held for run, _, _ in strangers.runs(part)}
    for line in text.split("\n"):
        problems += [
            f"it names {name}, of which no fact speaks: leave it out" for name in sorted(strangers.named(line) - own)
        ]
    for start, end in sentences_of(profile, text):
        sentence = _Sentence(profile, text[start:end])
        for fact in profile.facts:
            if fact.sort == "cell":
                problems += [
                    f"it says {other} where the {fact.label} of {profile.name} is {fact.value}"
                    for other in sentence.others(fact, strangers, own)
                ]
        problems += [f"it takes back or doubts a fact by {doubt!r}: state it plainly" for doubt in sentence.doubts()]
    return list(dict.fromkeys(problems))


def said_of(fact: Fact, name: str) -> str:
    """A fact of a row in a few words."""
    others = [other for other in (*fact.names, *((fact.value,) if fact.sort == "pair" else ())) if other != name]
    if fact.sort != "pair":
        return f"{fact.label} of {name} is {fact.value}"
    if not fact.key[2]:
        return f"{fact.label} is one of {name} and {others[0] if others else name}"
    return f"{fact.label} of {name} with {others[0]} is {fact.value}"


def gives_a_value(profile: Profile, text: str, label: str, strangers: Strangers) -> bool:
    """Whether a page has a value for a column that its row has none of: a sentence with the words of the label that
    states no fact of a label like it, and a number or a value that other rows have there."""
    for start, end in sentences_of(profile, text):
        sentence = _Sentence(profile, text[start:end])
        alike = {fact.key for fact in profile.facts if label in fact.label or fact.label in label}
        if not sentence.cues(label) or alike & sentence.stated().keys():
            continue
        if _NUMBER.search(sentence.text) or any(strangers.held(profile, label, sentence.text)):
            return True
    return False


def sentences_of(profile: Profile, text: str) -> list[Span]:
    """The sentences of a text; a full stop within a name or a value ends none."""
    names = {profile.name, *(part for fact in profile.facts for part in (fact.value, *fact.names))}
    held = [match.span() for name in names if re.search(r"[.!?]", name) for match in re.finditer(re.escape(name), text)]
    spans, start = [], 0
    for end in _END.finditer(text):
        if any(low < end.start() < high for low, high in held):
            continue
        if any(high == end.start() for _, high in held) and not text[end.end() : end.end() + 1].isupper():
            continue
        spans.append((start, end.start()))
        start = end.end()
    return [span for span in [*spans, (start, len(text))] if text[span[0] : span[1]].strip()]


def words_in(text: str) -> int:
    """The words of a text."""
    return len(text.split())


class _Sentence:
    """A sentence of a page, read for the facts of its row."""

    def __init__(self, profile: Profile, text: str) -> None:
        self.profile, self.text = profile, text
        names = {profile.name, *(name for fact in profile.facts for name in fact.names)}
        names |= {fact.value for fact in profile.facts if fact.sort == "pair" and not fact.key[2]}
        self._names = {name: _places(name, text) for name in names}
        self._named = [span for spans in self._names.values() for span in spans]
        own = self._names[profile.name]
        self._values = [
            Value(start, end, fact.label)
            for fact in profile.facts
            for start, end in self._value_places(fact)
            if not any(low <= start and end <= high for low, high in own)
        ]
        self._blanked = text
        for start, end in sorted({*self._named, *((one.start, one.end) for one in self._values)}):
            self._blanked = f"{self._blanked[:start]}{'·' * (end - start)}{self._blanked[end:]}"
        self._cues = [cue for label in dict.fromkeys(fact.label for fact in profile.facts) for cue in self.cues(label)]

    def cues(self, label: str) -> list[Cue]:
        """Where it says what a value of a column is."""
        return list(cues_of(label, self._blanked))

    def _value_places(self, fact: Fact) -> list[Span]:
        """Where a value stands, which is no part of a name."""
        if fact.sort == "pair" and not fact.key[2]:
            return []
        found = _places(fact.value, self.text, may_be_small(fact.value, fact.label))
        if fact.sort == "link" and fact.value == self.profile.name:
            return found[1:]  # the first is the row itself
        within = [
            span
            for name, spans in self._names.items()
            if name != fact.value and (fact.sort != "link" or name == self.profile.name)
            for span in spans
        ]
        return [span for span in found if not any(low <= span[0] and span[1] <= high for low, high in within)]

    def stated(self) -> dict[FactKey, Span]:
        """The facts that it states, with their places."""
        return {key: span for key, span, doubt in self._read() if not doubt}

    def doubts(self) -> list[str]:
        """The words by which it takes facts back or doubts them."""
        return [doubt for _, _, doubt in self._read() if doubt]

    def _read(self) -> Iterator[tuple[FactKey, Span, str]]:
        """Each fact that it speaks of, with its place, and the word that doubts it."""
        for fact in self.profile.facts:
            read = self._pair(fact) if fact.sort == "pair" and not fact.key[2] else self._valued(fact)
            if read is not None:
                span, around = read
                yield fact.key, span, _doubt(self._blanked, around)

    def _pair(self, fact: Fact) -> tuple[Span, Span] | None:
        """Two names that belong together: both, or on the one's page the other with words for what ties them."""
        parts = [self._names.get(name) or _places(name, self.text) for name in (*fact.names, fact.value)]
        others = [
            spans for name, spans in zip((*fact.names, fact.value), parts, strict=True) if name != self.profile.name
        ]
        if not all(others):
            return None
        edges = [spans[0] for spans in parts if spans]
        if len(set(edges)) < len(edges) or (not all(parts) and not self.cues(fact.tie)):
            return None
        span = min(low for low, _ in edges), max(high for _, high in edges)
        return span, span

    def _valued(self, fact: Fact) -> tuple[Span, Span] | None:
        names = [name for name in fact.names if name != fact.value]
        others = [self._names.get(name) or [] for name in names if name != self.profile.name]
        if not all(others):
            return None
        for start, end in self._value_places(fact):
            if fact.scale and not re.match(rf"\s+{fact.scale}\b", self.text[end:]):
                continue
            cue = self._cue(fact, start, end)
            if cue is None or not self._is_paired(fact, (start, end)):
                continue
            around = min(start, cue[0]), max(end, cue[1])
            if fact.sort == "cell":
                return (start, end), around
            edges = [(start, end), *(spans[0] for name in names if (spans := self._names.get(name)))]
            return (min(low for low, _ in edges), max(high for _, high in edges)), around
        return None

    def _cue(self, fact: Fact, start: int, end: int) -> Span | None:
        """What says that a value is that of its column."""
        cue = is_about(Value(start, end, fact.label), self._blanked, self._cues, self._values)
        if cue is not None:
            return cue
        if is_class(fact.label) and not fact.value[:1].isdigit():
            return start, end
        if fact.label.casefold() == "age" and any(
            high <= start and self.text[high:start].strip() in (",", "(") for _, high in self._names[self.profile.name]
        ):
            return start, end
        return None

    def _is_paired(self, fact: Fact, place: Span) -> bool:
        """Where several values of one column stand there, each with a name of its own, whether they are in the order of
        the names."""
        alike = [one for one in self.profile.facts if one.sort == "pair" and one.key[2] and one.label == fact.label]
        known: list[tuple[Span, Span]] = []
        for one in alike if fact.sort == "pair" else ():
            spans = [spans[0] for name in one.names if name != self.profile.name and (spans := self._names.get(name))]
            places = [place] if one is fact else self._value_places(one)
            if spans and places:
                known.append((spans[0], places[0]))
        return [name for name, _ in sorted(known)] == [name for name, _ in sorted(known, key=lambda pair: pair[1])]

    def others(self, fact: Fact, strangers: Strangers, own: Collection[str]) -> Iterator[str]:
        """Values of other rows that it says the column of a fact has."""
        cues = [cue for cue in self._cues if cue.label == fact.label]
        if not cues and not is_class(fact.label):
            return
        for run, start, end in strangers.held(self.profile, fact.label, self.text):
            if run in own or any(low <= start and end <= high for low, high in self._named):
                continue
            about = is_about(Value(start, end, fact.label), self._blanked, self._cues, self._values)
            if is_class(fact.label) or about is not None or has_words(self._blanked, fact.label):
                yield run


def _doubt(sentence: str, around: Span) -> str:
    """The word that takes back or doubts what a sentence says there; nothing where there is none."""
    hedge = _HEDGE.search(sentence)
    if hedge:
        return hedge[0]
    edges = [0, *(match.start() for match in _CLAUSE.finditer(sentence)), len(sentence)]
    low = max(edge for edge in edges if edge <= around[0])
    high = min(edge for edge in edges if edge >= around[1])
    no = _NOT.search(sentence[low:high])
    return no[0] if no else ""


def _places(text: str, sentence: str, may_be_small: bool = False) -> list[Span]:
    return [match.span() for match in _as_words(text, may_be_small).finditer(sentence)]


@lru_cache(maxsize=65_536)
def _as_words(text: str, may_be_small: bool = False) -> re.Pattern[str]:
    """A text as whole words, a number as the whole number."""
    before = r"(?<!\w)" + (r"(?<!\d[.,])(?<![-−])" if text[:1].isdigit() else "")
    after = r"(?!\w)" + (r"(?![.,]\d)" if text[-1:].isdigit() else "")
    first = f"[{text[0].upper()}{text[0].lower()}]" if may_be_small else ""
    words = text[1:].split(" ") if first else text.split()
    return re.compile(before + first + r"\s+".join(map(re.escape, words)) + after)


def as_page(paragraphs: Sequence[str]) -> str:
    """A page's text: paragraphs with an empty line between."""
    return "\n\n".join(paragraphs)
