"""Marks of citations in an answer, and the contexts that they point to.

Read are `[1]`, `[1, 3]`, `[2-4]`, `[^1]`, `[^1^]`, `[[1]]`, `[Source 2]`, `(doc 3)`, `【1†name】`, `<sup>1</sup>`,
links as Markdown has them, and brackets that hold nothing but the id, the address or the file's name of a context.
Numbers mean the contexts in their order, counted from 1.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.predictions import Context

_LABEL = r"(?:documents?|docs?|sources?|passages?|contexts?|chunks?|references?|refs?|citations?|cites?|ids?|see)"
_NUMBERS = rf"(?:{_LABEL}[\s.:#_-]*)?\^?\d{{1,3}}\^?(?:\s*[-–]\s*\d{{1,3}}\^?)?"
_LIST = rf"{_NUMBERS}(?:\s*(?:,|;|&|and)\s*{_NUMBERS})*"
_MARK = re.compile(
    rf"(?P<link>\[(?P<said>\[[^\[\]\n]{{1,50}}\]|[^\[\]\n]{{0,300}})\]\((?P<address>[^()\s]{{1,500}})\))"
    rf"|【(?P<corner>[^【】\n]{{1,200}})】"
    rf"|\[?\[(?P<square>{_LIST})\]\]?"
    rf"|\((?P<round>{_LABEL}[\s.:#_-]*\^?\d{{1,3}}(?:\s*(?:,|;|&|and)\s*{_NUMBERS})*)\)"
    r"|(?<![\dx])(?<!\bm)(?<!\bkm)(?<!\bcm)(?<!\bmm)(?<!\bft)<sup>\s*\[?(?P<raised>\d{1,3}(?:\s*,\s*\d{1,3})*)\]?\s*</sup>"
    r"|\[(?P<named>[^\[\]\n]{1,200})\]|\((?P<aside>[^()\[\]【】\n]{1,200})\)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(\d{1,3})(?:\s*[-–]\s*(\d{1,3}))?")
_CORNER = re.compile(r"\s*(?P<message>\d+\s*:\s*)?(?P<number>\d{1,3})?\s*(?:†\s*(?P<name>.*))?\s*")
_ONLY_LABEL = re.compile(rf"^{_LABEL}(?:\s*[:#]\s*|\s+)", re.IGNORECASE)
_IN_JSON = re.compile(r'"\s*:\s*$')
_MOST = 50
"""Contexts that one mark may list."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One place of an answer that cites."""

    start: int
    end: int
    written: str
    """As it stands there."""
    contexts: tuple[int | None, ...]
    """Places of contexts, from 0; None: it points to nothing that was handed in."""
    keeps: str = ""
    """What is read in its place: the words of a link."""


class Cited:
    """The contexts of a prediction, by what an answer may call them."""

    def __init__(self, contexts: Sequence[Context], listed: Mapping[int, int | None] | None = None) -> None:
        """What there is to cite.

        Args:
            contexts: in their order.
            listed: number → place of a context, where the answer ends with a list of its sources.
        """
        self.count = len(contexts)
        self.listed = listed or {}
        self.names: dict[str, int] = {}
        for place, context in enumerate(contexts):
            for name in _names(context):
                self.names.setdefault(name.casefold(), place)
        self._shapes = {shape for name in self.names if (shape := _shape(name)) is not None}
        self._has_addresses = any("://" in name for name in self.names)

    def number(self, number: int) -> int | None:
        """The place of what a number means; None where it means nothing."""
        if number in self.listed:
            return self.listed[number]
        return number - 1 if 1 <= number <= self.count else None

    def named(self, text: str) -> tuple[int | None, ...]:
        """The places of what a text between brackets names; none where it is no citation.

        A name that looks as those of the contexts do but for its figures is a citation of nothing.
        """
        text = text.strip()
        if text.casefold() in self.names:
            return (self.names[text.casefold()],)
        parts = [_ONLY_LABEL.sub("", each.strip()).casefold() for each in re.split(r"[,;]", text) if each.strip()]
        if not parts or not all(part in self.names or _shape(part) in self._shapes for part in parts):
            return ()
        return tuple(self.names.get(part) for part in parts)

    def address(self, address: str) -> tuple[int | None, ...]:
        """The place of an address; of nothing where the contexts have addresses and this is none of them."""
        place = self.names.get(address.casefold())
        if place is not None:
            return (place,)
        return (None,) if self._has_addresses and "://" in address else ()


def _names(context: Context) -> Iterator[str]:
    for name in (context.id, context.document, context.uri):
        if name:
            yield name
            last = name.rstrip("/").rpartition("/")[2]
            if last and last != name:
                yield last


def _shape(name: str) -> str | None:
    """A name with its figures as noughts; None where it has no figure or no letter."""
    if not any(each.isdigit() for each in name) or not any(each.isalpha() for each in name) or " " in name:
        return None
    return re.sub(r"\d+", "0", name)


def find_marks(text: str, cited: Cited) -> list[Mark]:
    """The citations of a text, in order; brackets that cite nothing are not among them."""
    if not any(sign in text for sign in "[【(<"):
        return []
    found = (_mark(match, text, cited) for match in _MARK.finditer(text))
    return [mark for mark in found if mark is not None]


def _mark(match: re.Match[str], text: str, cited: Cited) -> Mark | None:
    places: tuple[int | None, ...] = ()
    keeps = ""
    if match["link"] is not None:
        places, keeps = cited.address(match["address"]), match["said"].strip("[]")
        if re.fullmatch(_LIST, keeps.strip(), re.IGNORECASE):
            places, keeps = places if None not in places and places else _numbered(keeps, cited), ""
    elif match["corner"] is not None:
        places = _cornered(match["corner"], cited)
    elif (numbers := match["square"] or match["round"] or match["raised"]) is not None:
        if match["square"] is not None and _IN_JSON.search(text, max(0, match.start() - 10), match.start()):
            return None
        places = cited.named(numbers) or _numbered(numbers, cited)
    else:
        said = match["named"] or match["aside"]
        places = cited.address(said.strip("<> ")) if "://" in said else cited.named(said)
    return Mark(match.start(), match.end(), match.group(), places, keeps) if places else None


def _cornered(text: str, cited: Cited) -> tuple[int | None, ...]:
    """What 【…】 points to: by the name after the dagger, else by number, which counts from 0 after a message's."""
    corner = _CORNER.fullmatch(text)
    if corner is None or (corner["number"] is None and corner["name"] is None):
        return cited.named(text) or (_numbered(text, cited) if re.fullmatch(_LIST, text.strip(), re.IGNORECASE) else ())
    named = cited.named(corner["name"]) if corner["name"] else ()
    if named and None not in named:
        return named
    if corner["number"] is None:
        return named
    if corner["message"] is not None:
        place = int(corner["number"])
        return (place if place < cited.count else None,)
    return _numbered(corner["number"], cited)


def _numbered(numbers: str, cited: Cited) -> tuple[int | None, ...]:
    found: list[int] = []
    for match in _NUMBER.finditer(numbers):
        first, last = int(match[1]), int(match[2] or match[1])
        found += range(first, min(last, first + _MOST) + 1) if first <= last else (first, last)
    places: list[int | None] = []
    for number in dict.fromkeys(found[:_MOST]):
        place = cited.number(number)
        if place is None or place not in places:
            places.append(place)
    return tuple(places)
