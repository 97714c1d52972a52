"""Clauses before they are numbered; their numbers, and the cross-references that need them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from benchwright.benchmarks.errors import BenchwrightError

_REFERENCE = re.compile(r"\{@([^}]+)\}")


@dataclass(frozen=True)
class Line:
    """A paragraph: its style as the layout names it, and its text, where `{@key}` is the number of the clause `key`."""

    text: str
    style: str = "Normal"


@dataclass(frozen=True)
class Grid:
    """A table: its caption without a number, rows (the first `heads` are headers), and `notes` below.

    A cell of None is merged with the one on its left, a cell of "^" with the one above.
    """

    caption: str
    rows: tuple[tuple[str | None, ...], ...]
    heads: int = 1
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Section:
    """A clause: `key` is what cross-references call it; `annex` is "normative" or "informative" for an annex."""

    title: str
    key: str = ""
    parts: tuple["Line | Grid", ...] = ()
    children: tuple["Section", ...] = ()
    annex: str = ""
    number: str = ""


def normal(*texts: str) -> tuple[Line, ...]:
    """Paragraphs of running text."""
    return tuple(Line(text) for text in texts)


def dashes(texts: Iterable[str]) -> tuple[Line, ...]:
    """A list of dashes that ends in a full stop, its last two items joined by `and`."""
    items = list(texts)
    ends = [";"] * (len(items) - 2) + ["; and", "."] if len(items) > 1 else ["."]
    return tuple(Line(f"-\t{item}{end}", "B1") for item, end in zip(items, ends, strict=True))


def choices(texts: Iterable[str]) -> tuple[Line, ...]:
    """As `dashes`, of things of which one suffices."""
    return tuple(replace(line, text=line.text.replace("; and", "; or")) for line in dashes(texts))


def numbered(sections: Iterable[Section]) -> tuple[Section, ...]:
    """The sections with their numbers, and cross-references resolved; raises BenchwrightError for one to nowhere."""
    given = tuple(_numbered(sections))
    numbers = {section.key: section.number for section in walk(given) if section.key}
    return tuple(_resolved(section, numbers) for section in given)


def walk(sections: Iterable[Section]) -> Iterator[Section]:
    """Each section, before those inside it."""
    for section in sections:
        yield section
        yield from walk(section.children)


def _numbered(sections: Iterable[Section]) -> Iterator[Section]:
    clauses = annexes = 0
    for section in sections:
        if section.title == "Foreword":
            yield section
        elif section.annex:
            annexes += 1
            yield _inside(section, chr(ord("A") + annexes - 1))
        else:
            clauses += 1
            yield _inside(section, str(clauses))


def _inside(section: Section, number: str) -> Section:
    children = (_inside(child, f"{number}.{place}") for place, child in enumerate(section.children, 1))
    return replace(section, number=number, children=tuple(children))


def _resolved(section: Section, numbers: Mapping[str, str]) -> Section:
    def text(value: str) -> str:
        def number(found: re.Match[str]) -> str:
            if found[1] not in numbers:
                raise BenchwrightError(f"Clause {section.number} refers to {found[1]!r}, which no clause is called.")
            return numbers[found[1]]

        return _REFERENCE.sub(number, value)

    def part(given: Line | Grid) -> Line | Grid:
        if isinstance(given, Line):
            return replace(given, text=text(given.text))
        rows = tuple(tuple(cell if cell is None else text(cell) for cell in row) for row in given.rows)
        return replace(given, rows=rows, notes=tuple(map(text, given.notes)))

    return replace(
        section,
        parts=tuple(map(part, section.parts)),
        children=tuple(_resolved(child, numbers) for child in section.children),
    )
