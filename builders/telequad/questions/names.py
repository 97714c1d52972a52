"""What a specification calls its timers and messages, and which of its entities starts or sends each."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from benchwright.builders.documents.tree import Table
from benchwright.builders.telequad.questions.asked import Specification
from benchwright.builders.telequad.questions.sentences import blocks

_CAPITALS = r"[A-Z][A-Z0-9\-/_]+(?: [A-Z][A-Z0-9\-/_]+)*"
_TIMER = re.compile(r"\b[Tt]imer (?P<name>[A-Z]{1,3}\d{1,5})\b")
_MESSAGE = re.compile(rf"\b(?P<name>{_CAPITALS}) (?P<noun>message|frame|packet)s?\b")
_ENTITY = r"[A-Za-z][\w\-]*(?: [a-z][\w\-]*){0,2}?"
_WHO = rf"[Tt]he (?P<who>{_ENTITY})"
_TO = rf"(?: again)? to the (?P<to>{_ENTITY})(?=[,.;]|$| to | and | if | when | in )"
_MODAL = r"(?:shall|must|should|may|will)"
_ROLE = {
    "message": (
        re.compile(rf"\b{_WHO}(?: {_MODAL})?(?: then)? sends? (?:the|an?) (?P<name>{_CAPITALS}) \w+(?:{_TO})?"),
        re.compile(rf"\b[Tt]he (?P<name>{_CAPITALS}) \w+ (?:is|{_MODAL} be) sent by the (?P<who>{_ENTITY}){_TO}"),
    ),
    "timer": (
        re.compile(
            rf"\b{_WHO} {_MODAL} send (?:the|an?) {_CAPITALS} \w+{_TO}(?:,| and|, and) start (?:the )?timer "
            r"(?P<name>\w+)"
        ),
        re.compile(rf"\b{_WHO} {_MODAL} (?:[^.;:]*(?:,| and) )?start (?:the )?timer (?P<name>\w+)"),
    ),
}
_COLUMNS = {
    "message": (("from", "sender", "source", "sent by"), ("to", "receiver", "destination", "sent to")),
    "timer": (("entity", "node", "started by"), ()),
}
"""Headers of who sends or starts what stands in a row, and of who receives it."""
_COUNTED = 40
"""Names that are looked for in each section to find the one that lists them: more take long and change nothing."""
_DOING = (
    r"(?:sen[dt]s?|sending|transmit\w*|forward\w*|return\w*|issue[sd]?|initiat\w+|(?:answer|respond|repl)\w* with"
    r"|start\w*|restart\w*|stop\w*)"
)

_NOT_TO = r"(?<!\bto the )(?<!\bto a )(?<!\bto an )(?<!\bfrom the )(?<!\bfrom a )(?<!\bfrom an )"


@dataclass(frozen=True, slots=True)
class Name:
    """A timer or a message."""

    name: str
    noun: str
    """What it is: "timer", "message"."""
    section: int
    """Where one would look for it: the section that tells who sends or starts it, or that names it first."""
    by: frozenset[str]
    """The entities that send or start it, as far as the document says so in words that are read; often none."""
    to: frozenset[str]
    """The entities that receive it, or the message with which it is started."""


@dataclass(frozen=True)
class Names:
    """All of a specification's."""

    specification: Specification

    @cached_property
    def lines(self) -> list[str]:
        """Each sentence, row and line of code, in one line."""
        return list(_lines(self.specification))

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words, in small letters."""
        return frozenset(word.casefold() for line in self.lines for word in re.findall(r"\w+", line))

    @cached_property
    def squeezed(self) -> list[str]:
        """The letters and figures of each line."""
        return [_squeezed(line) for line in self.lines]

    @cached_property
    def all_squeezed(self) -> str:
        """All of them, a line each."""
        return "\n".join(self.squeezed)

    @cached_property
    def squeezed_with(self) -> dict[str, list[str]]:
        """Letters that were looked for → the lines that have them."""
        return {}

    @cached_property
    def with_word(self) -> Mapping[str, Sequence[str]]:
        """Each word as it is written → the lines that have it."""
        found: dict[str, list[str]] = {}
        for line in self.lines:
            for word in set(re.findall(r"\w+", line)):
                found.setdefault(word, []).append(line)
        return found

    @property
    def called(self) -> str:
        """The specification's."""
        return self.specification.called

    @cached_property
    def modal(self) -> str:
        """The word by which it requires most: "shall" or "must"."""
        count = Counter(match.lower() for line in self.lines for match in re.findall(r"\b(?:shall|must)\b", line, re.I))
        return count.most_common(1)[0][0] if count else "shall"

    def is_no_word(self, name: str) -> bool:
        """Whether a name is none of the document's words."""
        return name.casefold() not in self.words

    @cached_property
    def timers(self) -> list[Name]:
        """In the order of the document."""
        return self._named("timer", _TIMER)

    @cached_property
    def messages(self) -> list[Name]:
        """In the order of the document: those whose names are in capitals."""
        return self._named("message", _MESSAGE)

    def is_new(self, name: str) -> bool:
        """Whether a name stands nowhere in the document, however it is written."""
        return _squeezed(name) not in self.all_squeezed

    def has_together(self, first: str, second: str) -> bool:
        """Whether a sentence, a row with its headers or a line of code has both, however they are written."""
        one, other = _squeezed(first), _squeezed(second)
        if other not in self.squeezed_with:
            self.squeezed_with[other] = [line for line in self.squeezed if other in line]
        return any(one in line for line in self.squeezed_with[other])

    def listing(self, known: Sequence[str]) -> int:
        """The section that names the most of them: where one would look for another."""
        longest_first = sorted(known[:_COUNTED], key=len, reverse=True)
        wanted = re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b")
        count = [len(set(wanted.findall(section.text))) for section in self.specification.sections]
        return count.index(max(count))

    def does(self, who: str, name: str) -> bool:
        """Whether any sentence might say that an entity sends or starts something of this name."""
        lines = self.with_word.get(re.findall(r"\w+", name)[0], ())
        doing = re.compile(
            rf"{_NOT_TO}\b{re.escape(who)}s?\b.*\b{_DOING}\b.*\b{re.escape(name)}\b"
            rf"|\b{re.escape(name)}\b.*\bby\b.*\b{re.escape(who)}\b",
            re.IGNORECASE,
        )
        return any(doing.search(line) for line in lines)

    def _named(self, kind: str, shape: re.Pattern[str]) -> list[Name]:
        nouns: dict[str, Counter[str]] = {}
        first: dict[str, int] = {}
        for place, section in enumerate(self.specification.sections):
            for match in shape.finditer(section.text):
                name = match["name"]
                nouns.setdefault(name, Counter())[match.groupdict().get("noun") or kind] += 1
                first.setdefault(name, place)
        told = self._by(kind)
        found = []
        for name, count in nouns.items():
            said = told.get(name, [])
            place = said[0][0] if said else first[name]
            by = frozenset(who for _, who, _ in said if who)
            to = frozenset(whom for _, _, whom in said if whom)
            found.append(Name(name, count.most_common(1)[0][0], place, by, to))
        return found

    def _by(self, kind: str) -> Mapping[str, Sequence[tuple[int, str, str]]]:
        """Name → each place that tells of it: its section, who sends or starts it, and who receives it; "" unsaid."""
        found: dict[str, list[tuple[int, str, str]]] = {}
        for block in blocks(self.specification):
            for sentence in (*block.sentences, *block.items):
                for shape in _ROLE[kind]:
                    for match in shape.finditer(sentence.text):
                        to = match.groupdict().get("to") or ""
                        found.setdefault(match["name"], []).append((sentence.section, _small(match["who"]), _small(to)))
        for place, name, who, to in self._rows(*_COLUMNS[kind]):
            found.setdefault(name, []).append((place, who, to))
        return found

    def _rows(self, by: Sequence[str], to: Sequence[str]) -> Iterator[tuple[int, str, str, str]]:
        """Each other cell of a row whose columns under such headers say who does it, and to whom."""
        for place, section in enumerate(self.specification.sections):
            for placed in section.placed:
                if not isinstance(placed.part, Table) or not placed.part.header_rows:
                    continue
                heads = [column[-1].casefold() for column in _headers(placed.part)]
                who = next((number for number, head in enumerate(heads) if head in by), None)
                whom = next((number for number, head in enumerate(heads) if head in to), None)
                if who is None:
                    continue
                for row in placed.part.rows[placed.part.header_rows :]:
                    receiver = _small(row[whom].text) if whom is not None else ""
                    for number, cell in enumerate(row):
                        if number not in (who, whom):
                            yield place, cell.text, _small(row[who].text), receiver


def _small(entity: str) -> str:
    """An entity in small letters, but for one in capitals."""
    return entity if re.search(r"\w[A-Z]", entity) else entity.lower()


def _squeezed(text: str) -> str:
    """The letters and figures of a text, small."""
    return re.sub(r"[\W_]+", "", text).casefold()


def _headers(table: Table) -> list[tuple[str, ...]]:
    """The texts of the header cells above each column."""
    return [tuple(cell.text for cell in column) for column in zip(*table.rows[: table.header_rows], strict=True)]


def _lines(specification: Specification) -> Iterator[str]:
    for section in specification.sections:
        for placed in section.placed:
            if isinstance(placed.part, Table):
                yield from _rows(placed.part)
            else:
                yield from re.split(r"(?<=[.;:]) |\n", section.text[placed.span.start : placed.span.end])


def _rows(table: Table) -> Iterator[str]:
    """Each row with the headers of its cells that say something."""
    heads = [" ".join(dict.fromkeys(column)) for column in _headers(table)] or [""] * len(table.rows[0])
    for row in table.rows:
        filled = zip(heads, row, strict=True)
        yield " | ".join(f"{head}: {cell.text}" for head, cell in filled if not is_empty(cell.text))


def is_empty(text: str) -> bool:
    """Whether nothing stands in a cell, or a dash."""
    return not text.strip(" -–—")
