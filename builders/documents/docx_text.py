"""The text in a .docx's elements, with what python-docx passes over: insertions, content controls, smart tags."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from benchwright.builders.documents.docx_styles import W

_COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_MATHS = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_DELETED = {f"{W}del", f"{W}moveFrom"}
_LEFT_OUT = {f"{W}drawing": "pictures", f"{W}pict": "pictures", f"{W}object": "embedded objects"}
_AROUND = {f"{W}sdt", f"{W}sdtContent", f"{W}ins", f"{W}moveTo", f"{W}customXml", f"{W}smartTag"}
_CHARACTERS = {f"{W}tab": "\t", f"{W}ptab": "\t", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "\u2011"}
_NOTHING = {f"{W}pPr", f"{W}rPr", f"{W}sdtPr", f"{W}instrText", f"{W}delText"}
_NOTES = {f"{W}footnoteReference": "footnote", f"{W}endnoteReference": "endnote"}
_TEXTS = etree.XPath(
    "descendant::w:t[not(ancestor::w:del or ancestor::w:moveFrom or ancestor::mc:Fallback"
    " or ancestor::w:tr/w:trPr/w:del or ancestor::w:sdt/w:sdtPr/w:showingPlcHdr)]/text()",
    namespaces={"w": W[1:-1], "mc": _COMPATIBILITY[1:-1]},
)


@dataclass(slots=True)
class Tally:
    """What was read of a document and what was not, so that nothing is lost in silence."""

    characters: int = 0
    """Of text in runs."""
    left_out: Counter[str] = field(default_factory=Counter)
    """What, and how often."""


@dataclass(slots=True)
class Said:
    """What a paragraph says, and what hangs on it."""

    text: str
    marker: str = ""
    """The number that Word makes by itself, with what stands after it."""
    boxes: list[etree._Element] = field(default_factory=list)
    """Contents of text boxes: blocks."""
    notes: list[tuple[str, str]] = field(default_factory=list)
    """Notes that it refers to: `footnote` or `endnote`, and the id."""

    @property
    def whole(self) -> str:
        """Number and text, without white space at the ends."""
        return (self.marker + self.text.lstrip()).strip() if self.marker else self.text.strip()


def characters_in(body: etree._Element) -> int:
    """The characters of a document's runs that stand once all changes are accepted."""
    found = _TEXTS(body)
    return sum(len(text) for text in found if isinstance(text, str)) if isinstance(found, list) else 0


def blocks(parent: etree._Element, tally: Tally) -> Iterator[etree._Element]:
    """Paragraphs and tables in order, those in content controls and insertions too."""
    for child in parent:
        if child.tag in (f"{W}p", f"{W}tbl"):
            yield child
        elif child.tag in _AROUND:
            if not _is_prompt(child, tally):
                yield from blocks(child, tally)
        elif child.tag == f"{W}altChunk":
            tally.left_out["inserted files"] += 1


def rows_of(table: etree._Element, tag: str, tally: Tally) -> Iterator[etree._Element]:
    """Rows of a table or cells of a row, those in content controls and insertions too."""
    for child in table:
        if child.tag == tag:
            if child.find(f"{W}trPr/{W}del") is None:
                yield child
            else:
                tally.left_out["rows that a tracked change deletes"] += 1
        elif child.tag in _AROUND and not _is_prompt(child, tally):
            yield from rows_of(child, tag, tally)


def said_in(paragraph: etree._Element, tally: Tally) -> Said:
    """A paragraph's text: tabs and line breaks as characters, without what a tracked change deletes."""
    pieces: list[str] = []
    said = Said("")
    _collect(paragraph, pieces, said, tally)
    said.text = "".join(pieces)
    return said


def _collect(element: etree._Element, pieces: list[str], said: Said, tally: Tally) -> None:
    for child in element:
        tag = child.tag
        if tag == f"{W}t":
            text = child.text or ""
            tally.characters += len(text)
            pieces.append(text)
        elif tag == f"{W}r":
            _collect(child, pieces, said, tally)
        elif tag in _NOTHING or not isinstance(tag, str):
            continue
        elif tag in _CHARACTERS:
            pieces.append(_CHARACTERS[tag])
        elif tag in _DELETED:
            tally.left_out["tracked deletions"] += 1
        elif tag in _NOTES:
            said.notes.append((_NOTES[tag], child.get(f"{W}id", "")))
        elif tag in _LEFT_OUT:
            found = list(_boxes(child))
            said.boxes += found
            tally.left_out[_LEFT_OUT[tag]] += not found
        elif tag == f"{_COMPATIBILITY}AlternateContent":
            if len(child):
                _collect(child[0], pieces, said, tally)
        elif tag == f"{W}sym":
            tally.left_out["characters of symbol fonts"] += 1
        elif tag == f"{_MATHS}t":
            pieces.append(child.text or "")
        elif tag != f"{W}sdt" or not _is_prompt(child, tally):
            _collect(child, pieces, said, tally)


def _boxes(drawing: etree._Element) -> Iterator[etree._Element]:
    """The outermost text boxes of a drawing, in its first form where it has several."""
    for child in drawing:
        if child.tag == f"{W}txbxContent":
            yield child
        elif child.tag == f"{_COMPATIBILITY}AlternateContent":
            yield from _boxes(child[0]) if len(child) else ()
        else:
            yield from _boxes(child)


def _is_prompt(control: etree._Element, tally: Tally) -> bool:
    """Whether a content control shows what to fill in."""
    is_prompt = control.find(f"{W}sdtPr/{W}showingPlcHdr") is not None
    tally.left_out["content controls that nobody filled in"] += is_prompt
    return is_prompt
