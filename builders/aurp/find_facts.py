"""Finds the facts of a plan in a text that somebody else wrote, who is not asked where they stand.

A stretch of text states a fact where all of this holds:

- the value stands there in one of its written forms, and not inside a longer value or name;
- the window speaks of the column: a cue of `cues.toml`, or the column's name, is in it;
- where the window holds another value of the same sort, it says of each which it is, so that no two dates, amounts or
  people can be mixed up;
- it is about the right row: the one that the window names, else the one that was named last.

The window is the sentence.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.text.sentences import PROSE, stretch_at
from benchwright.builders.aurp.attribution import is_below, is_clear, is_now, is_swapped
from benchwright.builders.aurp.cues import cues
from benchwright.builders.aurp.document_plan import Plan, PlannedFact
from benchwright.builders.aurp.document_text import StatedCell
from benchwright.builders.aurp.placing import APPOSED, head, is_apposed
from benchwright.builders.aurp.read_pages import FORMER, NUMBERS, SUPERSEDES, Range
from benchwright.builders.aurp.read_values import find, find_text

_LONGEST_HEADING = 80
_BEFORE = r"\b(?:before|earlier|previously|formerly|originally|until then|at first)\b"
_IT_WAS = r"\b(?:it|he|she|this|that) (?:was|had been|used to be)\b"
_EARLIER = re.compile(rf"{_BEFORE}.*{_IT_WAS}|{_IT_WAS}.*{_BEFORE}", re.IGNORECASE)
_GONE = re.compile(r"\b(?:former|previous|earlier|no longer|used to)", re.IGNORECASE)


@dataclass(frozen=True)
class Mention:
    """Where a row that facts are about is named."""

    start: int
    end: int
    subject: str


class FactFinder:
    """A text with what stands in it of a plan."""

    def __init__(self, plan: Plan, text: str) -> None:
        self.plan, self.text = plan, text
        self._starts = PROSE.starts(text)
        self.names = list(_whole_names(plan, text))
        numbers = [(start, end) for kind, unit in NUMBERS for start, end, _ in find(kind, text, unit)]
        self._longer = [*self.names, *numbers]
        self.hits = {one.id: self._hits(one) for one in plan.facts}
        self._longer += [hit for hits in self.hits.values() for hit in hits]
        self.hits = {key: [hit for hit in hits if not self._is_inside(hit)] for key, hits in self.hits.items()}
        self.mentions = sorted(_mentions(plan, text, self.names), key=lambda one: one.start)

    def stated(self) -> Iterator[tuple[PlannedFact, list[Range]]]:
        """Every fact with the stretches that state it: none where the text does not."""
        for one in self.plan.facts:
            yield one, [hit for hit in self.hits[one.id] if self._states(one, hit)]

    def note(self) -> Range | None:
        """The paragraph that says which later report supersedes this one, and in what."""
        old = [one for one in self.plan.facts if one.fact.superseded]
        for start, end, day in find("date", self.text):
            if day != self.plan.later:
                continue
            low, high = self.text.rfind("\n\n", 0, start) + 1, self.text.find("\n\n", end)
            around = (low, high if high >= 0 else len(self.text))
            if SUPERSEDES.search(self.text, *around) and all(self._speaks(one, around) for one in old):
                return start, end
        return None

    def sentence(self, at: int) -> Range:
        """Where the sentence or the line starts and ends that holds an offset."""
        return stretch_at(self._starts, len(self.text), at)

    def _hits(self, one: PlannedFact) -> list[Range]:
        kind, unit = one.fact.kind, one.fact.unit
        if kind in ("text", "reference"):
            return [found[:2] for found in find_text(str(one.fact.value), self.text)]
        return [found[:2] for found in find(kind, self.text, unit) if found[2] == one.value]

    def _is_inside(self, hit: Range) -> bool:
        return any(low <= hit[0] and hit[1] <= high and high - low > hit[1] - hit[0] for low, high in self._longer)

    def _states(self, one: PlannedFact, hit: Range) -> bool:
        return self._proves(one, hit, self.sentence(hit[0]))

    def _proves(self, one: PlannedFact, hit: Range, window: Range) -> bool:
        if one.fact.value == self.plan.main:
            return self._says_of_main(one, window)
        if one.is_replaced and self._continues(one, window):
            return True
        if one.is_replaced and not FORMER.search(self.text, *self.sentence(hit[0])):
            return False
        if one.fact.column == "supervisor_id" and is_below(self.text, hit):
            return False
        if one.replaces and not self._formers(one, window) and _GONE.search(self.text, *window):
            return False
        is_told = self._speaks(one, window) or self._is_placed(one, hit)
        return is_told and self._is_about(one, hit, window) and not self._rivals(one, hit, window)

    def _continues(self, one: PlannedFact, window: Range) -> bool:
        """Whether a former value follows the sentence with what holds now: "The budget is A. Before it was B."."""
        if not window[0] or not _EARLIER.search(self.text, *window):
            return False
        before = self.sentence(window[0] - 1)
        now = [other for other in self.plan.facts if _follows(one, other)]
        return any(before[0] <= start < before[1] for other in now for start, _ in self.hits[other.id])

    def _is_placed(self, one: PlannedFact, hit: Range) -> bool:
        """Whether the place of a value says of which column it is: the head of a table, or the name just before it."""
        if top := head(self.text, hit[0]):
            return self._speaks(one, top)
        return one.fact.column in APPOSED and is_apposed(
            self.text,
            hit,
            [(mention.start, mention.end) for mention in self.mentions if mention.subject == one.subject],
        )

    def _says_of_main(self, one: PlannedFact, window: Range) -> bool:
        """Of what the document is about, other rows say what it is to them; a package belongs to its project anyway."""
        is_given = one.column.fixed
        return is_given or (self._speaks(one, window) and one.subject in self._named(window))

    def _speaks(self, one: PlannedFact, window: Range) -> bool:
        """Whether a cue of the column is in the window, other than in the value of another fact."""
        low, high = window
        if one.label.casefold() in self.text[low:high].casefold():
            return True
        spoken = [match.start() for match in cues()[one.fact.column].finditer(self.text, low, high)]
        values = [
            hit
            for other in self.plan.facts
            if other.value != one.value
            for hit in self.hits[other.id]
            if low <= hit[0] < high
        ]
        return any(not any(start <= at < end for start, end in values) for at in spoken)

    def _rivals(self, one: PlannedFact, hit: Range, window: Range) -> bool:
        """Whether the window holds another value of the same sort, and does not say clearly which is which."""
        rivals = [
            (other, (start, end))
            for other in self.plan.facts
            if other.value != one.value and not _follows(one, other) and other.fact.value != self.plan.main
            for start, end in self.hits[other.id]
            if window[0] <= start and end <= window[1]
        ]
        same = [(other, place) for other, place in rivals if other.sort == one.sort]
        own = (*hit, one.fact.column)
        if one.replaces and same and all(_follows(other, one) for other, _ in same):
            return not all(is_now(self.text, place, hit) for _, place in same)
        if same:
            values = {own, *((*place, other.fact.column) for other, place in same)}
            return not is_clear(self.text, window, sorted(values), self.names)
        named = [
            (*place, other.fact.column) for other, place in rivals if other.fact.kind == one.fact.kind == "reference"
        ]
        return any(
            is_swapped(self.text, window, own, other, self.names)
            and not is_clear(self.text, window, sorted((own, other)), self.names)
            for other in named
        )

    def _formers(self, one: PlannedFact, window: Range) -> list[Range]:
        """Where the window holds what a fact replaces."""
        formers = (other for other in self.plan.facts if _follows(other, one))
        return [hit for other in formers for hit in self.hits[other.id] if window[0] <= hit[0] and hit[1] <= window[1]]

    def _is_about(self, one: PlannedFact, hit: Range, window: Range) -> bool:
        owner = self._owner(hit, window)
        if one.subject == owner:
            return True
        shared = any(
            other.subject != one.subject and (other.sort, other.value) == (one.sort, one.value)
            for other in self.plan.facts
        )
        return one.subject == self.plan.main and not shared

    def _owner(self, hit: Range, window: Range) -> str | None:
        """The row that the text speaks of at a place."""
        mentions = [one for one in self.mentions if one.end <= hit[0] or hit[1] <= one.start]
        named = [one.subject for one in mentions if window[0] <= one.start and one.end <= window[1]]
        others = [name for name in named if name != self.plan.main]
        if len(others) == 1:
            return others[0]
        before = [mention for mention in mentions if mention.start < hit[0]]
        if others:
            inside = [mention.subject for mention in before if mention.start >= window[0]]
            return inside[-1] if inside else named[0]
        if named:
            return self.plan.main
        if self.plan.main:  # each paragraph begins with what the whole document is about
            paragraph = self._paragraph(hit[0])
            before = [mention for mention in before if mention.start >= paragraph]
        return before[-1].subject if before else self.plan.main

    def _paragraph(self, at: int) -> int:
        """Where the paragraph of an offset begins, with its heading if it has one."""
        start = self.text.rfind("\n\n", 0, at)
        above = self.text.rfind("\n\n", 0, max(start, 0))
        heading = self.text[above + 1 : max(start, 0)].strip()
        return above + 1 if heading and len(heading) < _LONGEST_HEADING and heading[-1] not in ".!?" else start + 1

    def _named(self, window: Range) -> list[str]:
        return [one.subject for one in self.mentions if window[0] <= one.start and one.end <= window[1]]


def _follows(one: PlannedFact, other: PlannedFact) -> bool:
    """Whether the other fact is what replaces this one: what was may be named beside what is."""
    return one.is_replaced and (one.fact.table, one.fact.key, one.fact.column) == (
        other.fact.table,
        other.fact.key,
        other.fact.column,
    )


def _whole_names(plan: Plan, text: str) -> Iterator[Range]:
    """Where names stand that the document may hold, the longest of those that overlap."""
    taken: list[Range] = []
    for name in sorted(plan.names, key=lambda name: (-len(name), name)):
        for start, end, _ in find_text(name, text):
            if not any(low < end and start < high for low, high in taken):
                taken.append((start, end))
                yield start, end


def _mentions(plan: Plan, text: str, names: Sequence[Range]) -> Iterator[Mention]:
    """Where subjects are named, in full or by a word that no other name of the document has."""
    subjects = {name.casefold(): name for name in plan.subjects}
    for start, end in names:
        if (subject := subjects.get(text[start:end].casefold())) is not None:
            yield Mention(start, end, subject)
    words = Counter(word for name in plan.names for word in set(name.split()))
    for table, subject in dict.fromkeys((one.fact.table, one.subject) for one in plan.facts):
        for word in _short_names(table, subject, plan.main):
            if words[word] == 1:
                for match in re.finditer(rf"\b{re.escape(word)}\b", text):
                    if not any(low <= match.start() < high for low, high in names):
                        yield Mention(match.start(), match.end(), subject)


def _short_names(table: str, name: str, main: str | None) -> list[str]:
    """The single words by which a row may be called once it has been named."""
    if table in ("employee", "client_contact"):
        return name.split()
    if table == "work_package":
        return [name.removeprefix(f"{main} ")]
    return name.split()[:1] if table in ("client", "supplier", "office") else []


def as_stated(text: str, one: PlannedFact, place: Range) -> StatedCell:
    """A stretch that states a fact, in terms of the standard schema."""
    fact, (start, end) = one.fact, place
    return StatedCell(fact.table, fact.key, fact.column, start, end, text[start:end], fact.superseded)
