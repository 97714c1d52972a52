"""Numbers that Word makes by itself: `numbering.xml` and the order of paragraphs to the text before a paragraph.

Levels, starts, restarts and forms are those of ECMA-376, part 1, section 17.9.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from lxml import etree

from benchwright.builders.documents.docx_styles import W, value_of

_SUFFIXES = {"tab": "\t", "space": " ", "nothing": ""}
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl")),
    *((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_LEVELS = 9
_OWN = f"{W}pPr/{W}numPr"


@dataclass(frozen=True, slots=True)
class Marker:
    """What Word puts before a paragraph."""

    text: str
    """With the tab or the space after it; "" where it is a bullet or has a form that is not read."""
    unread: str = ""
    """What of it is not read, if anything."""


NO_MARKER = Marker("")


@dataclass(frozen=True, slots=True)
class _Level:
    start: int = 1
    form: str = "decimal"
    text: str = ""
    suffix: str = "\t"
    restart: int | None = None
    """After a paragraph of which level it begins anew: 0 none, None any above it."""
    legal: bool = False
    style: str = ""


@dataclass(frozen=True, slots=True)
class _List:
    abstract: str
    levels: tuple[_Level, ...]
    restarts: frozenset[int]
    """Levels that begin anew where this list is met first."""


class Numbers:
    """Counts the paragraphs of one document, in its order."""

    def __init__(self, lists: dict[str, _List], styles: dict[str, etree._Element]) -> None:
        self._lists = lists
        self._styles = styles
        self._counts: dict[str, dict[int, int]] = {}
        self._met: set[str] = set()
        self._by_style: dict[str, tuple[str, int]] = {}

    def apart(self) -> "Numbers":
        """The same lists, counted from their start: a text box counts by itself."""
        return Numbers(self._lists, self._styles)

    def marker(self, paragraph: etree._Element, style: str) -> Marker:
        """What stands before a paragraph that has this style. Each call counts: once for a paragraph."""
        named, at = self._place(paragraph, style)
        found = self._lists.get(named)
        if found is None or not 0 <= at < _LEVELS:
            return NO_MARKER
        level = found.levels[at]
        counts = self._counts.setdefault(found.abstract, {})
        if named not in self._met:
            self._met.add(named)
            for restarted in found.restarts:
                counts.pop(restarted, None)
        for above in range(at):
            counts.setdefault(above, found.levels[above].start)
        counts[at] = counts.get(at, level.start - 1) + 1
        for deeper in range(at + 1, _LEVELS):
            restart = found.levels[deeper].restart
            if restart is None or at < restart:
                counts.pop(deeper, None)
        if level.form == "bullet":
            return Marker("", "bullets that Word makes by itself")
        return _written(found, at, counts)

    def _place(self, paragraph: etree._Element, style: str) -> tuple[str, int]:
        """The list and the level, from 0, that a paragraph or its style names."""
        own = paragraph.find(_OWN)
        named, at = (value_of(own, "numId"), value_of(own, "ilvl")) if own is not None else ("", "")
        if named:
            return named, _number(at, 0)
        if style not in self._by_style:
            self._by_style[style] = self._place_of(style)
        named, place = self._by_style[style]
        return named, _number(at, place)

    def _place_of(self, style: str) -> tuple[str, int]:
        """The list and level that a style, or one that it is based on, names. The level that names it comes first."""
        chain = _chain(style, self._styles)
        said = [each for style in chain if (each := style.find(f"{W}pPr/{W}numPr")) is not None]
        named = next((value for each in said if (value := value_of(each, "numId"))), "")
        if found := self._lists.get(named):
            for each in chain:
                for place, level in enumerate(found.levels):
                    if level.style == each.get(f"{W}styleId"):
                        return named, place
        return named, next((_number(value, 0) for each in said if (value := value_of(each, "ilvl"))), 0)


def read_numbers(numbering: etree._Element | None, styles: etree._Element | None) -> Numbers:
    """The lists of `numbering.xml`, and the styles that name them."""
    named = {each.get(f"{W}styleId", ""): each for each in (styles.iter(f"{W}style") if styles is not None else ())}
    return Numbers(_lists(numbering, named) if numbering is not None else {}, named)


def _written(found: _List, at: int, counts: dict[int, int]) -> Marker:
    level = found.levels[at]
    unknown = ""

    def number(match: re.Match[str]) -> str:
        nonlocal unknown
        place = int(match[1]) - 1
        value = counts.get(place, found.levels[place].start)
        form = "decimal" if level.legal and found.levels[place].form != "none" else found.levels[place].form
        written = _FORMS.get(form, lambda value: "")(value)
        if form not in _FORMS:
            unknown = f"numbers that Word makes by itself in the form {form}"
        return written

    text = re.sub(r"%([1-9])", number, level.text)
    if unknown:
        return Marker("", unknown)
    return Marker(text + level.suffix) if text.strip() else NO_MARKER


def _lists(numbering: etree._Element, styles: dict[str, etree._Element]) -> dict[str, _List]:
    abstracts = {each.get(f"{W}abstractNumId", ""): each for each in numbering.iter(f"{W}abstractNum")}
    numbers = {each.get(f"{W}numId", ""): each for each in numbering.iter(f"{W}num")}
    found = {}
    for named, each in numbers.items():
        abstract = value_of(each, "abstractNumId")
        element = abstracts.get(abstract)
        link = value_of(element, "numStyleLink") if element is not None else ""
        if link in styles and (said := styles[link].find(f"{W}pPr/{W}numPr")) is not None:
            other = numbers.get(value_of(said, "numId"))
            abstract = value_of(other, "abstractNumId") if other is not None else abstract
            element = abstracts.get(abstract)
        if element is None:
            continue
        levels = [_Level()] * _LEVELS
        restarts: set[int] = set()
        for level in element.findall(f"{W}lvl"):
            levels[_ilvl(level)] = _level(level)
        for override in each.findall(f"{W}lvlOverride"):
            at = _ilvl(override)
            if (level := override.find(f"{W}lvl")) is not None:
                levels[at] = _level(level)
            if (start := override.find(f"{W}startOverride")) is not None:
                restarts.add(at)
                levels[at] = replace(levels[at], start=_number(start.get(f"{W}val", ""), 1))
        found[named] = _List(abstract, tuple(levels), frozenset(restarts))
    return found


def _level(level: etree._Element) -> _Level:
    form = next(level.iter(f"{W}numFmt"), None)
    restart = value_of(level, "lvlRestart")
    legal = level.find(f"{W}isLgl")
    return _Level(
        _number(value_of(level, "start"), 0),
        form.get(f"{W}val", "decimal") if form is not None else "decimal",
        value_of(level, "lvlText"),
        _SUFFIXES.get(value_of(level, "suff"), "\t"),
        int(restart) if restart.isdecimal() else None,
        legal is not None and legal.get(f"{W}val", "1") not in ("0", "false"),
        value_of(level, "pStyle"),
    )


def _chain(style: str, styles: dict[str, etree._Element]) -> list[etree._Element]:
    """A style and those that it is based on."""
    chain: list[etree._Element] = []
    while style in styles and styles[style] not in chain:
        chain.append(styles[style])
        style = value_of(styles[style], "basedOn")
    return chain


def _ilvl(element: etree._Element) -> int:
    return min(_number(element.get(f"{W}ilvl", ""), 0), _LEVELS - 1)


def _number(value: str, usual: int) -> int:
    return int(value) if value.isdecimal() and len(value) < _LEVELS else usual


def _letters(value: int) -> str:
    """a to z, then aa to zz: the same letter again, as Word writes it."""
    return chr(ord("a") + (value - 1) % 26) * ((value - 1) // 26 + 1) if 0 < value <= 780 else str(value)


def _roman(value: int) -> str:
    if not 0 < value < 4_000:
        return str(value)
    text = ""
    for size, letters in _ROMAN:
        text += letters * (value // size)
        value %= size
    return text


_FORMS: dict[str, Callable[[int], str]] = {
    "decimal": str,
    "decimalZero": lambda value: f"{value:02}",
    "lowerLetter": _letters,
    "upperLetter": lambda value: _letters(value).upper(),
    "lowerRoman": _roman,
    "upperRoman": lambda value: _roman(value).upper(),
    "none": lambda value: "",
}
