"""Questions of two hops: a clause tells of a thing and refers to another clause, which states a fact about it.

The question says what the first clause says of the thing, without its name, and asks for what the second one states.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from benchwright.benchmarks.text.sentences import COUNTED
from benchwright.builders.documents.sections import Section, Span
from benchwright.builders.documents.tree import Paragraph, Table
from benchwright.builders.telequad.questions.asked import Asked, Specification, Stated
from benchwright.builders.telequad.questions.duties import Duty, Setting, duties
from benchwright.builders.telequad.questions.requirements import NAMED, named_things
from benchwright.builders.telequad.questions.tables import Grid, grids, says_nothing
from benchwright.builders.telequad.questions.wordings import worded

PATTERN = "reference"
_NUMBER = r"(?:[A-Z]\.)?\d+(?:\.\d+)*[a-z]?(?:-\d+)?"
_TO = re.compile(
    rf"\b(?:(?:sub)?clauses?|sections?|tables?|annex) (?P<numbers>{_NUMBER}(?:(?:,| and| or) {_NUMBER})*)(?! of )", re.I
)
_CELL = re.compile(rf"(?:(?:sub)?clause |section )?(?P<number>{_NUMBER})", re.IGNORECASE)
_CAPTION = re.compile(rf"Table (?P<number>{_NUMBER})\b", re.IGNORECASE)
_ENDS = r"(?=[,;.](?:\s|$))"
_ITS = re.compile(
    r"\bits (?P<attribute>[a-z]+(?: [a-z]+)?) is (?!\w+ed\b|shown\b|given\b|set\b|sent\b|not\b|to\b)"
    rf"(?P<value>[^,;]{{1,200}}?)(?:(?= and its )|{_ENDS})",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"\bvalue of the (?P<name>[\w \-]{1,80}?) (?:IE |field |parameter )?(?:shall be|is) in the range "
    rf"(?P<value>[^,;]{{1,200}}?){_ENDS}"
)
_PRESENT = re.compile(
    r"The (?P<name>[\w \-]{1,80}?) (?P<noun>IE|information element|field|parameter) shall be (?:present|included) "
    r"(?P<condition>if [^,]{1,200}?)(?:, and absent otherwise)?\."
)
_NOUNS = {"IE": "information element"}


@dataclass(frozen=True, slots=True)
class _Told:
    """What a clause says of a thing to which another clause belongs."""

    section: int
    span: Span
    name: str
    described: str
    targets: tuple[int, ...]
    """Sections of the clauses that are referred to."""


@dataclass(frozen=True, slots=True)
class _Fact:
    section: int
    attribute: str
    answer: Span
    evidence: Span


class _Reader:
    """A specification and where its references lead."""

    def __init__(self, specification: Specification) -> None:
        self.specification = specification
        self.sections = specification.sections
        self.grids = list(grids(specification))
        self.tables = _tables(specification)
        self.below = _below(specification)

    def targets(self, numbers: str) -> Iterator[int]:
        """The sections of the clauses and tables of these numbers, clauses in them included."""
        for number in re.findall(_NUMBER, numbers):
            if number in self.tables:
                yield self.tables[number]
            else:
                yield from self.below.get(number, ())

    def around(self, section: int, name: str) -> tuple[int, ...]:
        """The sections to which the sentences and rows of a section refer that have a name."""
        found: list[int] = []
        for line, cells in _lines(self.sections[section]):
            if not _has(line, name):
                continue
            for match in _TO.finditer(line):
                found += self.targets(match["numbers"])
            for cell in cells:
                if match := _CELL.fullmatch(cell):
                    found += self.targets(match["number"])
        return tuple(dict.fromkeys(each for each in found if each != section))

    def facts(self, section: int, name: str) -> Iterator[_Fact]:
        """What a section states of the thing of that name."""
        text = self.sections[section].text
        title = self.sections[section].clause.title
        if re.fullmatch(rf"(?:the )?{re.escape(name)}(?: [\w ]+)?", title, re.IGNORECASE):
            for span in _paragraphs(self.sections[section]):
                for shape in (_ITS, _RANGE):
                    for match in shape.finditer(text, span.start, span.end):
                        attribute = match.groupdict().get("attribute") or "range of values"
                        evidence = _sentence(text, span, match.start())
                        yield _Fact(section, attribute, Span(*match.span("value")), evidence)
        for grid in self.grids:
            if grid.section == section:
                yield from _of_grid(grid, name)


def references(specification: Specification) -> Iterator[Asked]:
    """The questions for which two clauses must be read, one of which refers to the other."""
    reader = _Reader(specification)
    told = [*_of_duties(reader), *_of_presence(reader)]
    meant: dict[str, set[str]] = {}
    for each in told:
        meant.setdefault(each.described, set()).add(each.name)
    done = set()
    for each in told:
        for target in each.targets if len(meant[each.described]) == 1 else ():
            for fact in reader.facts(target, each.name):
                if (each.described, fact.attribute) not in done and _needs_both(reader, each, fact):
                    done.add((each.described, fact.attribute))
                    yield _asked(reader, each, fact)


def _of_duties(reader: _Reader) -> Iterator[_Told]:
    """Messages, timers and states that somebody shall send, start and enter; values that are set in a case."""
    for duty in duties(reader.specification):
        if isinstance(duty, Setting):
            name = re.sub(r"^#?\d+ \((.*)\)$", r"\1", duty.value.text)
            targets = reader.around(duty.section, re.sub(r"^the ", "", duty.subject))
            yield _Told(
                duty.section, duty.span, name, f"the value that {duty.modal} be set {duty.condition.text}", targets
            )
        else:
            yield from _of_duty(reader, duty)


def _of_duty(reader: _Reader, duty: Duty) -> Iterator[_Told]:
    for name, described in named_things(duty):
        yield _Told(duty.section, duty.span, name, described, reader.around(duty.section, name))


def _of_presence(reader: _Reader) -> Iterator[_Told]:
    """Information elements that are present in a case, in the clause that lists them with their own clauses."""
    for place, section in enumerate(reader.sections):
        for span in _paragraphs(section):
            for match in _PRESENT.finditer(section.text, span.start, span.end):
                noun = _NOUNS.get(match["noun"], match["noun"])
                described = f"the {noun} that shall be present {match['condition']}"
                yield _Told(place, Span(*match.span()), match["name"], described, reader.around(place, match["name"]))


def _of_grid(grid: Grid, name: str) -> Iterator[_Fact]:
    for row in grid.rows:
        cells = grid.table.rows[row]
        if grid.key(row).casefold() != name.casefold():
            continue
        spans = grid.placed.cells[row]
        for column in grid.columns:
            text = cells[column.place].text
            if column.place in grid.keys or not (column.is_noun or column.is_prose) or says_nothing(text):
                continue
            if not _CELL.fullmatch(text) or not re.search(r"clause|section|reference", column.header, re.IGNORECASE):
                yield _Fact(grid.section, column.name, spans[column.place], Span(spans[0].start, spans[-1].end))


def _needs_both(reader: _Reader, told: _Told, fact: _Fact) -> bool:
    """Whether neither clause alone answers: the first has not the answer, the question not what finds the second."""
    first, second = reader.sections[told.section], reader.sections[fact.section]
    answer = second.text[fact.answer.start : fact.answer.end]
    names = [name for name in NAMED.findall(told.described) if _has(second.text, name)]
    begins = answer.split()[0]
    beside = [cells for line, cells in _lines(first) if begins in cells and _has(line, told.name)]
    said = _content(answer)
    return (
        len(answer) <= 200
        and "\n" not in answer
        and not _has(first.text, answer)
        and not beside
        and not names
        and not _has(told.described, told.name)
        and len(said & _content(told.described)) <= len(said) / 2
    )


def _content(text: str) -> set[str]:
    """The words of a text that say something, and its figures."""
    return {word for word in re.findall(r"\w+", text.casefold()) if len(word) > 3 or word.isdigit()} or {
        text.casefold()
    }


def _asked(reader: _Reader, told: _Told, fact: _Fact) -> Asked:
    text = reader.sections[fact.section].text
    answer = text[fact.answer.start : fact.answer.end]
    others = [
        Stated(place, span, 1)
        for place, section in enumerate(reader.sections)
        for span in _stating(section, told.name, answer)
        if (place, span) != (fact.section, fact.evidence)
    ]
    return Asked(
        pattern=PATTERN,
        wordings=worded(
            "reference",
            document=reader.specification.called,
            attribute=fact.attribute,
            described=told.described,
        ),
        context=fact.section,
        answers=(fact.answer,),
        stated=(Stated(told.section, told.span), Stated(fact.section, fact.evidence, 1), *others),
        asks=fact.attribute,
        entity=re.sub(r"^the ", "", told.described),
        hops=2,
        metadata={
            "clause": reader.sections[told.section].clause.number,
            "refers_to": reader.sections[fact.section].clause.number,
        },
    )


def _stating(section: Section, name: str, answer: str) -> Iterator[Span]:
    """The rows of a section that hold both a name and an answer, which may state the fact too."""
    for placed in section.placed:
        if isinstance(placed.part, Table):
            for row, spans in zip(placed.part.rows, placed.cells, strict=True):
                texts = [cell.text for cell in row]
                if name in texts and answer in texts:
                    yield Span(spans[0].start, spans[-1].end)


def _tables(specification: Specification) -> dict[str, int]:
    """The number of each table → its section; none that two tables have."""
    found: dict[str, list[int]] = {}
    for place, section in enumerate(specification.sections):
        for placed in section.placed:
            if isinstance(placed.part, Table) and (match := _CAPTION.match(placed.part.caption)):
                found.setdefault(match["number"], []).append(place)
    return {number: places[0] for number, places in found.items() if len(places) == 1}


def _below(specification: Specification) -> dict[str, list[int]]:
    """The number of a clause → its section and those of the clauses in it."""
    found: dict[str, list[int]] = {}
    for number, place in specification.by_number.items():
        parts = number.split(".")
        for length in range(1, len(parts) + 1):
            found.setdefault(".".join(parts[:length]), []).append(place)
    return found


def _lines(section: Section) -> Iterator[tuple[str, list[str]]]:
    """Each sentence, and each row with its cells."""
    for placed in section.placed:
        if isinstance(placed.part, Table):
            for row in placed.part.rows:
                cells = [cell.text for cell in row]
                yield " | ".join(cells), cells
        elif isinstance(placed.part, Paragraph):
            text = " ".join(placed.part.text.split())
            yield from ((text[start:end], []) for start, end in COUNTED.spans(text))


def _paragraphs(section: Section) -> Iterator[Span]:
    for placed in section.placed:
        if isinstance(placed.part, Paragraph) and placed.part.kind == "paragraph":
            yield placed.span


def _sentence(text: str, paragraph: Span, place: int) -> Span:
    """The sentence of a paragraph that holds a place."""
    for start, end in COUNTED.spans(text[paragraph.start : paragraph.end]):
        if paragraph.start + start <= place < paragraph.start + end:
            return Span(paragraph.start + start, paragraph.start + end)
    return paragraph


def _has(text: str, name: str) -> bool:
    """Whether a name stands in a text as words of its own."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None
