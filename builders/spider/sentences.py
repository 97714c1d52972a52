"""A sentence of a page, read for the facts of its row."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from functools import cached_property, lru_cache

from benchwright.builders.spider.cues import Cue, Value, cues_of, has_words, is_about, is_class, places_of_stems
from benchwright.builders.spider.facts import FactKey
from benchwright.builders.spider.profile import Fact, Profile, called
from benchwright.builders.spider.strangers import Strangers, may_be_small

Span = tuple[int, int]

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


def names_of(profile: Profile) -> Set[str]:
    """The names that a page of a row may hold."""
    names = {profile.name, *(name for fact in profile.facts for name in fact.names)}
    return names | {fact.value for fact in profile.facts if fact.sort == "pair" and not fact.key[2]}


class Sentence:
    """A sentence of a page, read for the facts of its row."""

    def __init__(self, profile: Profile, names: Set[str], text: str) -> None:
        """
        Args:
            profile: what the page must state.
            names: see `names_of`.
            text: the sentence.
        """
        self.profile, self.text = profile, text
        self._names = {name: _places(name, text) for name in names}
        self._places: dict[FactKey, list[Span]] = {}
        self._all_runs: Sequence[tuple[str, int, int]] | None = None
        self._named = [span for spans in self._names.values() for span in spans]
        own = self._names[profile.name]
        self._values = [
            Value(start, end, fact.label)
            for fact in profile.facts
            for start, end in self._value_places(fact)
            if not any(low <= start and end <= high for low, high in own)
        ]
        self._blanked = text
        number = called(profile.name, profile.noun)
        more = [] if number == profile.name else _places(number, text, may_be_small=True)
        for start, end in sorted({*self._named, *more, *((one.start, one.end) for one in self._values)}):
            self._blanked = f"{self._blanked[:start]}{'·' * (end - start)}{self._blanked[end:]}"
        self._stems = places_of_stems(self._blanked)
        self._cues = [cue for label in dict.fromkeys(fact.label for fact in profile.facts) for cue in self.cues(label)]

    def cues(self, label: str) -> list[Cue]:
        """Where it says what a value of a column is."""
        return list(cues_of(label, self._blanked, self._stems))

    def _value_places(self, fact: Fact) -> list[Span]:
        """Where a value stands, which is no part of a name."""
        if fact.key not in self._places:
            self._places[fact.key] = self._find(fact)
        return self._places[fact.key]

    def _find(self, fact: Fact) -> list[Span]:
        if fact.sort == "pair" and not fact.key[2]:
            return []
        found = _places(fact.value, self.text, may_be_small(fact.value, fact.label))
        if not found:
            return []
        if fact.sort == "link" and fact.value == self.profile.name:
            return found[1:]  # the first is the row itself
        within = [
            span
            for name, spans in self._names.items()
            if name != fact.value and (fact.sort != "link" or name == self.profile.name)
            for span in spans
        ]
        return [span for span in found if not any(low <= span[0] and span[1] <= high for low, high in within)]

    @cached_property
    def stated(self) -> Mapping[FactKey, Span]:
        """The facts that it states, with their places."""
        return {key: span for key, span, doubt in self._read if not doubt}

    @property
    def doubts(self) -> Sequence[str]:
        """The words by which it takes facts back or doubts them."""
        return [doubt for _, _, doubt in self._read if doubt]

    @cached_property
    def _read(self) -> Sequence[tuple[FactKey, Span, str]]:
        """Each fact that it speaks of, with its place, and the word that doubts it."""
        found = []
        for fact in self.profile.facts:
            read = self._pair(fact) if fact.sort == "pair" and not fact.key[2] else self._valued(fact)
            if read is not None:
                span, around = read
                found.append((fact.key, span, _doubt(self._blanked, around)))
        return found

    def _pair(self, fact: Fact) -> tuple[Span, Span] | None:
        """Two names that belong together: both, or on the one's page the other with words for what ties them."""
        names = (*fact.names, fact.value)
        if not all(self._names[name] for name in names if name != self.profile.name):
            return None
        parts = [self._names[name] for name in names]
        edges = [spans[0] for spans in parts if spans]
        if len(set(edges)) < len(edges) or (not all(parts) and not self.cues(fact.tie)):
            return None
        span = min(low for low, _ in edges), max(high for _, high in edges)
        return span, span

    def _valued(self, fact: Fact) -> tuple[Span, Span] | None:
        names = [name for name in fact.names if name != fact.value]
        if not all(self._names[name] for name in names if name != self.profile.name):
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
            edges = [(start, end), *(spans[0] for name in names if (spans := self._names[name]))]
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
            spans = [spans[0] for name in one.names if name != self.profile.name and (spans := self._names[name])]
            places = [place] if one is fact else self._value_places(one)
            if spans and places:
                known.append((spans[0], places[0]))
        return [name for name, _ in sorted(known)] == [name for name, _ in sorted(known, key=lambda pair: pair[1])]

    def others(self, fact: Fact, strangers: Strangers, own: Collection[str]) -> Iterator[str]:
        """Values of other rows that it says the column of a fact has."""
        cues = [cue for cue in self._cues if cue.label == fact.label]
        if not cues and not is_class(fact.label):
            return
        for run, start, end in strangers.held(self.profile, fact.label, self._runs(strangers)):
            if run in own or any(low <= start and end <= high for low, high in self._named):
                continue
            about = is_about(Value(start, end, fact.label), self._blanked, self._cues, self._values)
            if is_class(fact.label) or about is not None or has_words(self._stems, fact.label):
                yield run

    def _runs(self, strangers: Strangers) -> Sequence[tuple[str, int, int]]:
        if self._all_runs is None:
            self._all_runs = list(strangers.runs(self.text))
        return self._all_runs


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
    """The places of a text in a sentence, where it may begin with a small letter too."""
    if _sure_part(text, may_be_small) not in sentence:
        return []
    return [match.span() for match in _as_words(text, may_be_small).finditer(sentence)]


def _sure_part(text: str, may_be_small: bool) -> str:
    """The beginning of a text that stands in each sentence with it: most sentences hold none."""
    return (text[1:] if may_be_small else text).split(" " if may_be_small else None, 1)[0]


@lru_cache(maxsize=65_536)
def _as_words(text: str, may_be_small: bool = False) -> re.Pattern[str]:
    """A text as whole words, a number as the whole number."""
    before = r"(?<!\w)" + (r"(?<!\d[.,])(?<![-−])" if text[:1].isdigit() else "")
    after = r"(?!\w)" + (r"(?![.,]\d)" if text[-1:].isdigit() else "")
    first = f"[{text[0].upper()}{text[0].lower()}]" if may_be_small else ""
    words = text[1:].split(" ") if first else text.split()
    return re.compile(before + first + r"\s+".join(map(re.escape, words)) + after)
