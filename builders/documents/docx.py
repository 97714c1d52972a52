"""Word documents: clauses from literal numbers and styles, tables with merged cells, code verbatim.

The parts are walked as XML, not through python-docx, which passes over tracked insertions, content controls and smart
tags: their text is read here. Text that a tracked change deletes is left out, as in the document once it is accepted.
"""

import zipfile
from pathlib import Path

from lxml import etree

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.documents.docx_styles import Style, W, default_style, read_styles
from benchwright.builders.documents.docx_tables import read_table, row_texts
from benchwright.builders.documents.docx_text import Counts, blocks, text_of
from benchwright.builders.documents.outline import Outline
from benchwright.builders.documents.packages import open_package, read_part
from benchwright.builders.documents.tree import Document, Kind, Paragraph, Table

_OFFICE = "/officeDocument"
_KINDS: tuple[Kind, ...] = ("list", "note", "example", "reference", "caption", "definition", "abbreviation", "footnote")


def read_docx(path: Path, name: str) -> Document:
    """The tree of a .docx or .docm; macros are neither read nor run.

    Raises:
        BenchwrightError: it is encrypted, damaged, or no Word document.
    """
    with open_package(path) as package:
        names = set(package.namelist())
        main = _main_part(package)
        folder = main.rpartition("/")[0]
        root = read_part(package, main)
        body = root.find(f"{W}body")
        if body is None:
            raise BenchwrightError("it has no text of the kind that Word writes (Strict Open XML is not read)")
        at = f"{folder}/styles.xml".lstrip("/")
        styles = read_part(package, at) if at in names else None
        outline = Outline()
        notes = {
            kind: _notes(read_part(package, at))
            for kind in ("footnote", "endnote")
            if (at := f"{folder}/{kind}s.xml".lstrip("/")) in names
        }
        title = _Reader(outline, read_styles(styles), default_style(styles), notes).read(body)
        if any(each.endswith("vbaProject.bin") for each in names):
            outline.not_read("macros, neither read nor run")
        for kind, left in notes.items():
            outline.not_read(f"{kind}s that no paragraph refers to", len(left))
        if (at := f"{folder}/comments.xml".lstrip("/")) in names:
            outline.not_read("comments", len(read_part(package, at)))
        return outline.finish(name, title)


def _main_part(package: zipfile.ZipFile) -> str:
    for relation in read_part(package, "_rels/.rels"):
        if isinstance(relation.tag, str) and relation.get("Type", "").endswith(_OFFICE):
            return relation.get("Target", "").lstrip("/")
    raise BenchwrightError("it names no main part: it is no Word document")


def _notes(root: etree._Element) -> dict[str, str]:
    """The texts of footnotes or endnotes by their id."""
    return {
        note.get(f"{W}id", ""): " ".join(text_of(each, Counts()).strip() for each in note.iter(f"{W}p")).strip()
        for note in root
        if note.get(f"{W}type") not in ("separator", "continuationSeparator", "continuationNotice")
    }


class _Reader:
    """One document, from its first paragraph to its last."""

    def __init__(
        self, outline: Outline, styles: dict[str, Style], usual: str, notes: dict[str, dict[str, str]]
    ) -> None:
        self._outline = outline
        self._styles = styles
        self._usual = usual
        self._notes = notes
        self._counts = Counts()
        self._caption: tuple[str, str] | None = None
        self._paragraphs = 0
        self._tables = 0

    def read(self, body: etree._Element) -> str:
        """Reads all blocks. Returns the document's title, where a paragraph has that style."""
        title = ""
        for block in blocks(body, self._counts):
            if block.tag == f"{W}tbl":
                self._table(block)
                continue
            self._paragraphs += 1
            style = self.style(block)
            text = text_of(block, self._counts)
            if style.role == "title" and not title:
                title = text
            self._paragraph(text, style, f"paragraph {self._paragraphs:,}", block)
        self._flush_caption()
        for what, count in self._counts.items():
            self._outline.not_read(what, count)
        return title

    def style(self, paragraph: etree._Element) -> Style:
        """What a paragraph's style, or its own level in the outline, says."""
        own = paragraph.find(f"{W}pPr/{W}pStyle")
        named = own.get(f"{W}val", "") if own is not None else self._usual
        style = self._styles.get(named, Style())
        outline = paragraph.find(f"{W}pPr/{W}outlineLvl")
        if style.role == "paragraph" and outline is not None and (outline.get(f"{W}val") or "9") in "012345678":
            return Style("heading", int(outline.get(f"{W}val", "0")) + 1, style.numbered)
        if style.role == "paragraph" and paragraph.find(f"{W}pPr/{W}numPr") is not None:
            return Style("list", 0, style.numbered)
        return style

    def _paragraph(self, text: str, style: Style, place: str, block: etree._Element) -> None:
        if style.role == "code":
            self._flush_caption()
            self._outline.code(text, place)
            return
        if not text.strip():
            return
        if style.role == "contents":
            self._outline.not_read("lines of the table of contents")
            return
        last = self._outline.last
        is_caption = style.role in ("table caption", "caption")
        if is_caption and text.strip().startswith("Table"):
            if style.role == "caption" and isinstance(last, Table) and not last.caption and self._follows(block):
                self._outline.replace_last(Table(text.strip(), last.rows, last.notes, last.place))
                return
            self._flush_caption()
            self._caption = text.strip(), place
            return
        self._flush_caption()
        if style.numbered or block.find(f"{W}pPr/{W}numPr") is not None:
            self._outline.not_read("numbers and bullets that Word makes by itself")
        if style.role == "heading":
            self._outline.heading(text, style.level, place)
            return
        kind: Kind = "paragraph"
        for each in _KINDS:
            if each == style.role:
                kind = each
        if is_caption:
            kind = "caption"
        if kind == "reference" and not text.lstrip().startswith("["):
            kind = "example"
        if kind == "abbreviation" and "\t" not in text.strip():
            kind = "paragraph"
        self._outline.paragraph(text, place, kind)
        self._footnotes(block)

    def _footnotes(self, block: etree._Element) -> None:
        """Puts the notes that a paragraph refers to after it. Those left in the end are referred to elsewhere."""
        for kind, texts in self._notes.items():
            for reference in block.iter(f"{W}{kind}Reference"):
                number = reference.get(f"{W}id", "")
                self._outline.paragraph(texts.pop(number, ""), f"{kind} {number}", "footnote")

    def _follows(self, block: etree._Element) -> bool:
        before = block.getprevious()
        return before is not None and before.tag == f"{W}tbl"

    def _table(self, table: etree._Element) -> None:
        self._tables += 1
        caption = self._caption[0] if self._caption else ""
        self._caption = None
        read = read_table(table, self.style, self._counts)
        if read.is_frame:
            for text in row_texts(read.rows):
                self._outline.paragraph(text, f"table {self._tables:,}")
            return
        self._outline.add(Table(caption, read.rows, read.notes, f"table {self._tables:,}"))

    def _flush_caption(self) -> None:
        if self._caption:
            self._outline.add(Paragraph(self._caption[0], "caption", self._caption[1]))
            self._caption = None
