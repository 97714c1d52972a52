"""The text in a .docx's elements, with what python-docx passes over: insertions, content controls, smart tags."""

from collections import Counter
from collections.abc import Iterator

from lxml import etree

from benchwright.builders.documents.docx_styles import W

Counts = Counter[str]
"""What was left out, and how often."""
_COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_MATHS = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_DELETED = {f"{W}del", f"{W}moveFrom"}
_LEFT_OUT = {f"{W}drawing": "pictures", f"{W}pict": "pictures", f"{W}object": "embedded objects"}
_AROUND = {f"{W}sdt", f"{W}sdtContent", f"{W}ins", f"{W}moveTo", f"{W}customXml", f"{W}smartTag"}
_CHARACTERS = {f"{W}tab": "\t", f"{W}ptab": "\t", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "\u2011"}
_NOTHING = {f"{W}pPr", f"{W}rPr", f"{W}sdtPr", f"{W}instrText", f"{W}delText"}


def blocks(parent: etree._Element, counts: Counts) -> Iterator[etree._Element]:
    """Paragraphs and tables in order, those in content controls and insertions too."""
    for child in parent:
        if child.tag in (f"{W}p", f"{W}tbl"):
            yield child
        elif child.tag in _AROUND:
            yield from blocks(child, counts)
        elif child.tag == f"{W}altChunk":
            counts["inserted files"] += 1


def rows_of(table: etree._Element, tag: str) -> Iterator[etree._Element]:
    """Rows of a table or cells of a row, those in content controls and insertions too."""
    for child in table:
        if child.tag == tag:
            if child.find(f"{W}trPr/{W}del") is None:
                yield child
        elif child.tag in _AROUND:
            yield from rows_of(child, tag)


def text_of(paragraph: etree._Element, counts: Counts) -> str:
    """A paragraph's text: tabs and line breaks as characters, without what a tracked change deletes."""
    pieces: list[str] = []
    _collect(paragraph, pieces, counts)
    return "".join(pieces)


def _collect(element: etree._Element, pieces: list[str], counts: Counts) -> None:
    for child in element:
        tag = child.tag
        if tag == f"{W}t":
            pieces.append(child.text or "")
        elif tag == f"{W}r":
            _collect(child, pieces, counts)
        elif tag in _NOTHING or not isinstance(tag, str):
            continue
        elif tag in _CHARACTERS:
            pieces.append(_CHARACTERS[tag])
        elif tag in _DELETED:
            counts["tracked deletions"] += 1
        elif tag in _LEFT_OUT:
            boxes = list(child.iter(f"{W}txbxContent"))
            for box in boxes[:1]:
                pieces.extend("\n" + text_of(each, counts) for each in box.iter(f"{W}p"))
            counts[_LEFT_OUT[tag]] += not boxes
        elif tag == f"{_COMPATIBILITY}AlternateContent":
            if len(child):
                _collect(child[0], pieces, counts)
        elif tag == f"{W}sym":
            counts["characters of symbol fonts"] += 1
        elif tag == f"{_MATHS}t":
            pieces.append(child.text or "")
        elif len(child):
            _collect(child, pieces, counts)
