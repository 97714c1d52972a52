"""RFCs and other plain text: headings by their number at the margin, pages without their running heads and feet."""

import re
import textwrap
from pathlib import Path

from benchwright.builders.documents.outline import Outline
from benchwright.builders.documents.plain import read_text
from benchwright.builders.documents.tree import Document

_FOOT = re.compile(r"\S.*\[Page \d+\]\s*")
_HEAD = re.compile(r"(RFC \d+|Internet-Draft)\s{2,}.*\d{4}\s*")
_HEADING = re.compile(r"(?:\d+(?:\.\d+)*\.?|[A-Z]\.(?:\d+\.?)*|Appendix [A-Z]\.?)\s{1,3}\S.{0,100}")
_UNNUMBERED = re.compile(r"[A-Z][A-Za-z'’]*(?: [A-Za-z'’]+){0,4}")
_CONTENTS = re.compile(r"\s*\S.*(?:\. ?){3,}\s*\d+\s*")
_DRAWN = re.compile(r"\+[-=]+|[-=]{4,}[+>]|\||::=|[{}]|\S {3,}\S")


def read_rfc(path: Path, name: str) -> Document:
    """The tree of a plain text: a block that is drawn or aligned stays verbatim, others are one line each.

    Raises:
        BenchwrightError: it is no text.
    """
    outline = Outline()
    title = ""
    for place, block in _blocks(read_text(path), outline):
        if all(_CONTENTS.fullmatch(line) for line in block):
            outline.not_read("lines of the table of contents", len(block))
        elif len(block) == 1 and _is_heading(block[0]):
            outline.heading(block[0], 1, place)
        elif any(_DRAWN.search(line.strip()) for line in block):
            outline.code(textwrap.dedent("\n".join(block)), place)
            outline.flush()
        else:
            text = " ".join(line.strip() for line in block)
            if not title and block[0].startswith("   " * 3):
                title = text
            kind = "list" if re.match(r"([o*•-]|\d+[.)]|\([a-z0-9]+\))\s", text) else "paragraph"
            outline.paragraph(text, place, kind)
    return outline.finish(name, title)


def _is_heading(line: str) -> bool:
    return bool(_HEADING.fullmatch(line.rstrip()) or _UNNUMBERED.fullmatch(line.rstrip()))


def _blocks(text: str, outline: Outline) -> list[tuple[str, list[str]]]:
    """Lines between empty ones. One that a page's end cuts off is put together again."""
    found: list[tuple[str, list[str]]] = []
    block: list[str] = []
    start = 0
    is_cut = False
    for number, raw in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        line = raw.replace("\f", "").expandtabs(8).rstrip()
        if _FOOT.fullmatch(line) or _HEAD.fullmatch(line):
            outline.not_read("running heads and feet of pages")
            is_cut = is_cut or bool(_FOOT.fullmatch(line))
        elif line:
            start = start if block else number
            if is_cut and not block and found and _goes_on(found[-1][1], line):
                place, block = found.pop()
                start = int(place.split()[1])
            is_cut = False
            block.append(line)
        elif block:
            found.append((f"line {start}", block))
            block = []
    return [*found, (f"line {start}", block)] if block else found


def _goes_on(before: list[str], line: str) -> bool:
    """Whether a line after a page's end goes on with the block before it."""
    indent = len(line) - len(line.lstrip())
    last = before[-1]
    return last[-1] not in ".:;" and len(before) > 0 and indent == len(last) - len(last.lstrip()) and indent > 0
