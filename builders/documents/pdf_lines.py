"""Lines of pages to clauses: running heads and feet apart, words put together that a line's end cuts, headings."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from benchwright.builders.documents.contents import contents_in, is_contents_line
from benchwright.builders.documents.outline import Outline, read_heading

_NUMBERED = re.compile(
    r"(?:\d{1,3}(?:\.\d{1,3})*|[A-Z](?:\.\d{1,3})+)\.?\s+[A-Z][^.]{1,90}|(?:Annex|Appendix) [A-Z]\b.{0,90}"
)
_BULLET = re.compile(r"[•◦▪‣–—o-]\s")
_CUT = re.compile(r"([^\W\d_]+)[-\u2010\u00ad]$")
_EDGE = 2
"""Lines at the top and the bottom of a page that may be its running head or foot."""
_AGAIN, _DENSE = 4, 0.4
"""Pages that have a running line without a number, and their share of the pages from the first to the last of them."""
_LINES_OF_HEADING = 3


_Key = tuple[int, str, int | None]
"""Where a line stands at a page's edge, what it says, and what its number differs by from the page's."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page's lines, top to bottom as the file has them."""

    lines: tuple[str, ...]
    side_by_side: bool
    """Whether they are read across what stands in columns."""


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of the file's own outline."""

    title: str
    level: int
    """1 for the outermost."""
    page: int
    """From 0."""


def outline_of(pages: Sequence[Page], bookmarks: Sequence[Bookmark]) -> Outline:
    """The clauses of a file."""
    return _Reader(pages, bookmarks).read()


class _Reader:
    def __init__(self, pages: Sequence[Page], bookmarks: Sequence[Bookmark]) -> None:
        self._pages = pages
        self._wanted = [each for each in bookmarks if _plain(each.title)]
        self._running = _running(pages)
        self._words = Counter(word for page in pages for line in page.lines for word in re.findall(r"[\w-]+", line))
        self._outline = Outline()
        self._lines: list[str] = []
        self._place = ""
        self._last = ""
        self._deepest = max((read_heading(each.title).number.count(".") for each in self._wanted), default=0)

    def read(self) -> Outline:
        """Reads all pages."""
        not_read = self._outline.not_read
        not_read("files whose tables, where there are any, are read as lines")
        not_read(
            "pages of columns or tables that are read line by line", sum(page.side_by_side for page in self._pages)
        )
        pages = self._without_contents([self._kept(number, page.lines) for number, page in enumerate(self._pages)])
        by_bookmark = len(self._wanted) > _count_numbered(pages) / 2
        for number, lines in enumerate(pages):
            self._place = f"page {number + 1}"
            at = 0
            while at < len(lines):
                used = self._by_bookmark(lines, at, number) if by_bookmark else 0
                used = used or self._by_number(lines[at], self._deepest + 1 if by_bookmark else 0)
                if not used:
                    self._line(lines[at])
                at += used or 1
            self._end()
        if by_bookmark:
            not_read("headings among the bookmarks that are not on their page", len(self._wanted))
        return self._outline

    def _kept(self, number: int, lines: Sequence[str]) -> list[str]:
        """A page's lines without its head and its foot."""
        kept, edges = [], _edges(lines)
        for at, line in enumerate(lines):
            if at in edges and not self._running.isdisjoint(_keys(lines, at, number)):
                self._outline.not_read("running heads and feet of pages")
            else:
                kept.append(line)
        return kept

    def _without_contents(self, pages: list[list[str]]) -> list[list[str]]:
        places = [(number, line) for number, lines in enumerate(pages) for line in lines]
        contents = contents_in([line for _, line in places])
        kept: list[list[str]] = [[] for _ in pages]
        for at, (number, line) in enumerate(places):
            if at in contents or is_contents_line(line):
                self._outline.not_read("lines of the table of contents")
            else:
                kept[number].append(line)
        return kept

    def _by_bookmark(self, lines: Sequence[str], at: int, page: int) -> int:
        """How many lines from here are the heading that a bookmark of this page names."""
        here = [each for each in self._wanted if each.page == page]
        for count in range(1, _LINES_OF_HEADING + 1) if here else ():
            text = " ".join(lines[at : at + count])
            for bookmark in here:
                if _plain(text) == _plain(bookmark.title) or _plain(_titled(text)) == _plain(_titled(bookmark.title)):
                    self._wanted.remove(bookmark)
                    self._last = read_heading(text).number or self._last
                    self._heading(text, bookmark.level)
                    return min(count, len(lines) - at)
        return 0

    def _by_number(self, line: str, dots: int) -> int:
        """1 where a line is a heading: its number, with at least so many dots, follows the one before."""
        number = _next_number(self._last, line)
        if not number or number.count(".") < dots:
            return 0
        self._last = number
        self._heading(line, 1)
        return 1

    def _heading(self, text: str, level: int) -> None:
        self._end()
        self._outline.heading(text, level, self._place)

    def _line(self, line: str) -> None:
        if _BULLET.match(line):
            self._end()
        if self._lines and (cut := _CUT.search(self._lines[-1])):
            self._lines[-1] = self._joined(self._lines[-1], cut, line)
        else:
            self._lines.append(line)
        if line.endswith((".", ":", ";")):
            self._end()

    def _joined(self, before: str, cut: re.Match[str], after: str) -> str:
        """Two lines of which the first ends within a word. Its hyphen stays where the file writes the word so."""
        rest = re.match(r"[\w-]*", after)
        second = rest[0] if rest else ""
        self._outline.not_read("words that a line's end cuts, put together")
        if not second[:1].islower() or self._words[f"{cut[1]}-{second}"] > self._words[cut[1] + second]:
            return before[:-1] + "-" + after
        return before[:-1] + after

    def _end(self) -> None:
        text = " ".join(self._lines)
        self._outline.paragraph(text, self._place, "list" if _BULLET.match(text) else "paragraph")
        self._lines.clear()


def _count_numbered(pages: Sequence[Sequence[str]]) -> int:
    """How many headings the numbers of lines would give."""
    count, last = 0, ""
    for page in pages:
        for line in page:
            if number := _next_number(last, line):
                count, last = count + 1, number
    return count


def _next_number(last: str, line: str) -> str:
    """The number of a line that is a heading: one that follows the last. "" where it is none."""
    number = read_heading(line).number if _NUMBERED.fullmatch(line) else ""
    return number if number and _follows(last, number) else ""


def _follows(before: str, number: str) -> bool:
    """Whether a heading with this number can come after one with that: the next, or the first below either."""
    old, new = before.split(".") if before else [], number.split(".")
    if len(new) > 1 and new[-1] in ("0", "1") and (new[:-1] == old or _follows(before, ".".join(new[:-1]))):
        return True
    if len(new) > len(old):
        return len(new) == 1 and new[0] in ("0", "1", "A")
    if new[:-1] != old[: len(new) - 1]:
        return False
    last, this = old[len(new) - 1], new[-1]
    gaps = (1,) if len(new) == 1 else (1, 2)
    if last.isdecimal() and this.isdecimal():
        return int(this) - int(last) in gaps
    return this == "A" if last.isdecimal() else len(this) == 1 and ord(this) - ord(last[:1]) in gaps


def _running(pages: Sequence[Page]) -> set[_Key]:
    """Keys of lines that come again at the same edge of pages near each other."""
    places: dict[_Key, list[int]] = {}
    for number, page in enumerate(pages):
        for key in {key for at in _edges(page.lines) for key in _keys(page.lines, at, number)}:
            places.setdefault(key, []).append(number)
    return {
        key
        for key, found in places.items()
        if len(found) >= (_AGAIN if key[2] is None else 2) and len(found) / (found[-1] - found[0] + 1) >= _DENSE
    }


def _edges(lines: Sequence[str]) -> set[int]:
    return {*range(min(_EDGE, len(lines))), *range(max(0, len(lines) - _EDGE), len(lines))}


def _keys(lines: Sequence[str], at: int, page: int) -> set[_Key]:
    """A line with its place; and where it begins or ends with a number, by how much that differs from the page's."""
    line, place = lines[at], at if at < _EDGE else at - len(lines)
    numbers = re.finditer(
        r"^\d{1,4}(?= |$)|(?<!\S)\d{1,4}$|(?<=\bPage )\d{1,4}|(?<!\S)\d{1,4}(?= ?(?:of|/) ?\d+$)", line
    )
    counted = {(place, f"{line[: n.start()]}#{line[n.end() :]}", int(n[0]) - page) for n in numbers}
    if line.isdecimal():
        return {(0, "#", int(line) - page)}
    return {(place, line, None), *counted}


def _titled(text: str) -> str:
    return read_heading(text).title


def _plain(text: str) -> str:
    """Letters and digits, without the word that a bookmark may leave out."""
    return re.sub(r"[\W_]+", "", re.sub(r"^(annex|appendix|chapter|section)\b", "", text.casefold()))
