"""RFCs and other plain text: headings by their number at the margin, pages without their running heads and feet."""

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchwright.builders.documents.contents import contents_in, is_contents_line
from benchwright.builders.documents.outline import Outline
from benchwright.builders.documents.plain import read_text
from benchwright.builders.documents.tree import Document

_FOOT = re.compile(r"\S.*\[Page [\divxlc]+\]\s*")
_HEAD = re.compile(r"(RFC \d+|Internet[- ]Draft)\s{2,}.*\d{4}\s*")
_NUMBERED = re.compile(
    r"(?:\d+(?:\.\d+)*\.?|[A-Z]\.(?:\d+\.?)*|(?:Appendix|Annex) [A-Z]\b\.?:?)\s{1,3}\S.{0,100}[^.;:,]"
)
_UNNUMBERED = re.compile(r"[A-Z][A-Za-z'’]*(?: [A-Za-z'’]+){0,4}")
_DRAWN = re.compile(r"\+[-=]+|[-=]{4,}[+>]|\||::=|[{}]|\S {3,}\S|^[A-Za-z][\w-]* *=/? ")
_ITEM = re.compile(r"([o*•+-]|\d+[.)]|\([a-z0-9]+\))\s")
_TITLE_LINES = 3


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str
    after_page: bool
    """Whether a page ends between it and the line before."""


def read_rfc(path: Path, name: str) -> Document:
    """The tree of a plain text: a block that is drawn or aligned stays verbatim, others are one line each.

    Raises:
        BenchwrightError: it is no text.
    """
    outline = Outline()
    title = ""
    has_heading = False
    for place, block in _blocks(_lines(read_text(path), outline)):
        if heading := _heading(block):
            has_heading = True
            outline.heading(heading, 1, place)
        elif any(_DRAWN.search(line.strip()) for line in block):
            outline.code(textwrap.dedent("\n".join(block)), place)
            outline.flush()
        else:
            text = _joined(block)
            if not title and not has_heading and block[0].startswith("   ") and len(block) <= _TITLE_LINES:
                title = text
            outline.paragraph(text, place, "list" if _ITEM.match(text) else "paragraph")
    return outline.finish(name, title)


def _heading(block: list[str]) -> str:
    """The heading that a block is, in one line, "" where it is none. One that goes on is indented there."""
    if len(block) == 1 and (_NUMBERED.fullmatch(block[0]) or _UNNUMBERED.fullmatch(block[0])):
        return block[0]
    if len(block) == 2 and re.match(r"[\dA-Z]+(\.\d+)*\.  ?\S", block[0]) and block[1].startswith("  "):
        whole = _joined(block)
        return whole if _NUMBERED.fullmatch(whole) else ""
    return ""


def _joined(block: list[str]) -> str:
    """Lines as one. A hyphen at a line's end is the word's own: no space follows it."""
    text = ""
    for line in block:
        line = line.strip()
        is_cut = re.search(r"\w-$", text) and re.match(r"\w", line)
        text += line if is_cut else f" {line}"
    return " ".join(text.split())


def _lines(text: str, outline: Outline) -> list[_Line]:
    """The lines without heads and feet of pages and without the table of contents."""
    found: list[_Line] = []
    after_page = False
    for number, raw in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        line = raw.replace("\f", "").expandtabs(8).rstrip()
        if _FOOT.fullmatch(line) or _HEAD.fullmatch(line):
            outline.not_read("running heads and feet of pages")
            after_page = True
        else:
            found.append(_Line(number, line, after_page))
            after_page = after_page and not line
    contents = contents_in([line.text for line in found])
    kept = []
    for at, line in enumerate(found):
        if line.text and (at in contents or is_contents_line(line.text)):
            outline.not_read("lines of the table of contents")
        else:
            kept.append(line)
    return kept


def _blocks(lines: list[_Line]) -> Iterator[tuple[str, list[str]]]:
    """Lines between empty ones. One that a page's end cuts off is put together again."""
    block: list[str] = []
    start, is_open = 0, False
    for line in lines:
        if not line.text:
            is_open = False
        elif is_open or (line.after_page and block and _goes_on(block, line.text)):
            block.append(line.text)
            is_open = True
        else:
            if block:
                yield f"line {start}", block
            block, start, is_open = [line.text], line.number, True
    if block:
        yield f"line {start}", block


def _goes_on(before: list[str], line: str) -> bool:
    """Whether a line after a page's end goes on with the block before it."""
    indent = len(line) - len(line.lstrip())
    last = before[-1]
    if last[-1] in ".:;" or _DRAWN.search(last.strip()) or _ITEM.match(line.strip()):
        return False
    return 0 < indent == len(last) - len(last.lstrip())
