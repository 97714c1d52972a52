"""The readable text of a page, from its wikitext: paragraphs, lists, tables and infoboxes as lines, headings as lines.

References, categories, files, navigation, comments and the sections that hold only such things are left out. What an
infobox says stands as "Label: value" lines after the introduction's paragraphs, so that a text begins with its subject.
"""

import functools
import re
from collections import Counter
from collections.abc import Sequence

from benchwright.benchmarks.data_files import read_toml
from benchwright.builders.wiki.pages import Article, Page, Section
from benchwright.builders.wiki.text.lists import INFOBOX_END, INFOBOX_START, LINE
from benchwright.builders.wiki.text.markup import remove_markup, show_literals

_HEADING = re.compile(r"(={1,6})\s*(.*?)\s*\1")
_HEADING_LINE = re.compile(r"^={1,6}[^\n]*=[ \t]*$", re.MULTILINE)
_TOP = 2
"""The level of a section that is part of no other."""
_MARKS = re.compile(r"\{\{+|\}\}+|\[\[+|\]\]+|\{\||\|\}")
_BULLET = re.compile(r"[*#:;]*[*#][*#:;]*\s*")
_INDENT = re.compile(r"[:;]+\s*")
_SPACES = re.compile(r"[ \t\u2009\u202f]{2,}|[\t\u2009\u202f]")
_LINES = re.compile(rf"\n?{LINE}(?: ?\n?{LINE})*+ ?\n?")
_EMPTIED = re.compile(r"\(\s*[;,:][;,:\s]*")
_COMMAS = re.compile(r"[,;](?: ?[,;])++")
_OPEN_END = re.compile(r"[;,](?: ?[;,])*+\)")
_EMPTY = re.compile(r"[ \t]*\([\s;,:]*\)")
_LOOSE = re.compile(r"[ \t]+(?=[,;)](?!-)|[.:](?=\s|$))|(?<=\()[ \t]+", re.MULTILINE)


@functools.cache
def _left_out(language: str) -> tuple[frozenset[str], frozenset[str]]:
    """Headings of sections that hold references and links: at any level, and where they are part of no other."""
    told = read_toml(__package__, "sections.toml")
    known = [told["en"], told.get(language, told["en"])]
    return frozenset(name for one in known for name in one["anywhere"]), frozenset(
        name for one in known for name in one["top"]
    )


def languages_of_sections() -> tuple[str, ...]:
    """Languages whose headings of references and links are known."""
    return tuple(read_toml(__package__, "sections.toml"))


def read_article(page: Page, language: str = "en") -> Article:
    """A page as an article, of a wiki in a language: `en`, `de`, …; it tells which sections are not for reading.

    It takes time in proportion to the page's length, whatever the wikitext holds, and never fails: what is broken is
    left out or stays as text. An article of nothing has one section, the introduction, of no characters.
    """
    left_out = Counter[str]()
    text = _introduced(remove_markup(page.wikitext, page.title, left_out))
    parts = _kept(_parts(_tidied(text)), *_left_out(language))
    pieces, sections, at = list[str](), list[Section](), 0
    for number, (heading, level, lines) in enumerate(parts):
        body = "\n".join([heading, *lines] if level else lines).strip()
        if number and at:
            body, at = body, at + 2
            pieces.append("\n\n")
        pieces.append(body)
        sections.append(Section(heading, level, at, at + len(body)))
        at += len(body)
    return Article(page, "".join(pieces), tuple(sections), tuple(sorted(left_out.items())))


def _introduced(text: str) -> str:
    """A text with the infoboxes of its introduction at the introduction's end, and the others where they stand."""
    if INFOBOX_START not in text:
        return text
    first = _HEADING_LINE.search(text)
    end = first.start() if first else len(text)
    boxes, kept = list[str](), list[str]()
    for number, part in enumerate(text[:end].split(INFOBOX_START)):
        inside, mark, after = part.partition(INFOBOX_END)
        if number and mark:
            boxes.append(inside)
            kept.append(after)
        else:
            kept.append(part)
    rest = text[end:].replace(INFOBOX_START, "\n\n").replace(INFOBOX_END, "\n\n")
    return "\n\n".join(["".join(kept), *boxes, rest])


def _tidied(text: str) -> str:
    """A text without the gaps and stray marks that removed markup leaves."""
    text = text.replace(INFOBOX_START, "").replace(INFOBOX_END, "")
    text = _SPACES.sub(" ", _MARKS.sub("", text))
    if LINE in text:
        text = _LINES.sub("\n", text)
    if "(" in text:
        text = _EMPTY.sub("", _EMPTIED.sub("(", text))
    text = _LOOSE.sub("", text)
    if ";)" in text or ",)" in text:
        text = _OPEN_END.sub(")", text)
    return _COMMAS.sub(lambda signs: signs[0][-1], text) if ",," in text or ",;" in text or ";," in text else text


def _parts(text: str) -> list[tuple[str, int, list[str]]]:
    """Heading, level and lines of each section, the introduction first."""
    lines: list[str] = []
    parts = [("", 0, lines)]
    for line in text.split("\n"):
        line = line.strip()
        sign = line[:1]
        if sign == "=" and len(line) > 2 and (match := _HEADING.fullmatch(line)) and match[2]:
            lines = []
            parts.append((show_literals(match[2]).strip(), len(match[1]), lines))
            continue
        if sign in ("*", "#", ":", ";"):
            bullet = _BULLET.match(line)
            line = "- " + line[bullet.end() :] if bullet else _INDENT.sub("", line, count=1)
            if line == "- ":
                continue
        elif sign == "|" or line.startswith("----"):
            continue
        if line:
            lines.append(show_literals(line))
        elif lines and lines[-1]:
            lines.append("")
    return parts


def _kept(
    parts: Sequence[tuple[str, int, list[str]]], anywhere: frozenset[str], top: frozenset[str]
) -> list[tuple[str, int, list[str]]]:
    """The sections that hold text for reading: no references, and nothing empty that has no section below it."""
    found: list[tuple[str, int, list[str]]] = []
    below = 99
    for part in parts:
        heading, level, _ = part
        if level > below:
            continue
        told = heading.lower()
        below = level if level and (told in anywhere or (told in top and level <= _TOP)) else 99
        if below == 99:
            found.append(part)
    kept: list[tuple[str, int, list[str]]] = []
    for part in reversed(found):
        _, level, lines = part
        holds = any(lines) or (kept and kept[-1][1] > level > 0)
        if holds or not level:
            kept.append(part)
    return kept[::-1]
