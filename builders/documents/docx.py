"""Word documents: clauses from literal numbers and styles, tables with merged cells, code verbatim.

The parts are walked as XML, not through python-docx, which passes over tracked insertions, content controls and smart
tags: their text is read here. Text that a tracked change deletes is left out, as in the document once it is accepted.
Numbers that Word makes by itself stand before the text of headings, list items and cells, as a reader sees them.
"""

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lxml import etree

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.documents.docx_numbers import Numbers, read_numbers
from benchwright.builders.documents.docx_styles import LEVELS, Style, W, default_style, read_styles, value_of
from benchwright.builders.documents.docx_tables import frame_of, read_table
from benchwright.builders.documents.docx_text import Said, Tally, blocks, characters_in, said_in
from benchwright.builders.documents.outline import Outline
from benchwright.builders.documents.packages import open_package, read_part
from benchwright.builders.documents.tree import Document, Kind, Paragraph, Table

_OFFICE = "/officeDocument"
_PROPERTIES, _STYLE = f"{W}pPr", f"{W}pPr/{W}pStyle"
_PLAIN = Style()
_DELETED = f"{W}pPr/{W}rPr/{W}del"
_KINDS: tuple[Kind, ...] = ("list", "note", "example", "reference", "caption", "definition", "abbreviation", "footnote")


def read_docx(path: Path, name: str) -> Document:
    """The tree of a .docx or .docm; macros are neither read nor run.

    Raises:
        BenchwrightError: it is encrypted, damaged, or no Word document.
    """
    with open_package(path) as package:
        parts = _Parts(package)
        body = parts.main.find(f"{W}body")
        if body is None:
            raise BenchwrightError("it has no text of the kind that Word writes (Strict Open XML is not read)")
        outline = Outline()
        notes = {kind: _notes(root) for kind in ("footnote", "endnote") if (root := parts.get(f"{kind}s")) is not None}
        styles = parts.get("styles")
        numbers = read_numbers(parts.get("numbering"), styles)
        reader = _Reader(outline, read_styles(styles), default_style(styles), numbers, notes)
        title = reader.read(body)
        if any(each.endswith("vbaProject.bin") for each in parts.names):
            outline.not_read("macros, neither read nor run")
        for kind, left in notes.items():
            outline.not_read(f"{kind}s that no paragraph refers to", len(left))
        if (comments := parts.get("comments")) is not None:
            outline.not_read("comments", len(comments))
        outline.not_read("running heads and feet of pages", parts.running())
        return outline.finish(name, title)


class _Parts:
    """The XML parts of a document, beside its main one."""

    def __init__(self, package: zipfile.ZipFile) -> None:
        self._package = package
        self.names = set(package.namelist())
        main = self._main_part()
        folder = main.rpartition("/")[0]
        self._folder = f"{folder}/" if folder else ""
        self.main = read_part(package, main)

    def get(self, name: str) -> etree._Element | None:
        """The part called so, None where there is none."""
        at = f"{self._folder}{name}.xml"
        return read_part(self._package, at) if at in self.names else None

    def running(self) -> int:
        """How many heads and feet of pages have text."""
        places = f"{self._folder}header", f"{self._folder}footer"
        files = [name for name in sorted(self.names) if name.startswith(places) and name.endswith(".xml")]
        return sum(characters_in(read_part(self._package, name)) > 0 for name in files)

    def _main_part(self) -> str:
        for relation in read_part(self._package, "_rels/.rels"):
            if isinstance(relation.tag, str) and relation.get("Type", "").endswith(_OFFICE):
                return relation.get("Target", "").lstrip("/")
        raise BenchwrightError("it names no main part: it is no Word document")


def _notes(root: etree._Element) -> dict[str, str]:
    """The texts of footnotes or endnotes by their id."""
    return {
        note.get(f"{W}id", ""): " ".join(said_in(each, Tally()).text.strip() for each in note.iter(f"{W}p")).strip()
        for note in root
        if note.get(f"{W}type") not in ("separator", "continuationSeparator", "continuationNotice")
    }


class _Reader:
    """One document, from its first paragraph to its last."""

    def __init__(
        self,
        outline: Outline,
        styles: dict[str, Style],
        usual: str,
        numbers: Numbers,
        notes: dict[str, dict[str, str]],
    ) -> None:
        self.tally = Tally()
        self._outline = outline
        self._styles = styles
        self._usual = usual
        self._numbers = numbers
        self._notes = notes
        self._caption: tuple[str, str] | None = None
        self._title = ""
        self._paragraphs = 0
        self._tables = 0

    def read(self, body: etree._Element) -> str:
        """Reads all blocks. Returns the document's title, where a paragraph has that style."""
        self._blocks(body)
        self._flush_caption()
        for what, count in self.tally.left_out.items():
            self._outline.not_read(what, count)
        lost = characters_in(body) - self.tally.characters
        self._outline.not_read("characters that stand where text is not looked for", max(lost, 0))
        return self._title

    def style(self, paragraph: etree._Element) -> Style:
        """What a paragraph's style, or its own level in the outline, says."""
        style = self._styles.get(self._named(paragraph), _PLAIN)
        properties = paragraph.find(_PROPERTIES)
        if style.role != "paragraph" or properties is None:
            return style
        if (level := value_of(properties, "outlineLvl")) and level in LEVELS:
            return Style("heading", int(level) + 1)
        numbered = properties.find(f"{W}numPr")
        return Style("list") if numbered is not None and value_of(numbered, "numId") != "0" else style

    def said(self, paragraph: etree._Element) -> Said:
        """What a paragraph says, after the number that Word makes for it."""
        said = said_in(paragraph, self.tally)
        if not said.text.strip() and paragraph.find(_DELETED) is not None:
            return said
        marker = self._numbers.marker(paragraph, self._named(paragraph))
        if marker.unread and said.text.strip():
            self.tally.left_out[marker.unread] += 1
        said.marker = marker.text
        return said

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Within it paragraphs are counted by themselves, as those of a text box are."""
        numbers = self._numbers
        self._numbers = numbers.apart()
        yield
        self._numbers = numbers

    def _named(self, paragraph: etree._Element) -> str:
        own = paragraph.find(_STYLE)
        return own.get(f"{W}val", "") if own is not None else self._usual

    def _blocks(self, parent: etree._Element) -> None:
        for block in blocks(parent, self.tally):
            if block.tag == f"{W}tbl":
                self._table(block)
                continue
            self._paragraphs += 1
            said = self.said(block)
            self._paragraph(said, self.style(block), f"paragraph {self._paragraphs:,}", block)
            for box in said.boxes:
                with self.apart():
                    self._blocks(box)

    def _paragraph(self, said: Said, style: Style, place: str, block: etree._Element) -> None:
        text = said.whole
        if style.role == "code":
            self._flush_caption()
            self._outline.code(said.text, place)
            return
        if not said.text.strip():
            return
        if style.role == "contents":
            self._outline.not_read("lines of the table of contents")
            return
        if style.role == "title" and not self._title:
            self._title = text
        last = self._outline.last
        is_caption = style.role in ("table caption", "caption")
        if is_caption and text.startswith("Table"):
            if style.role == "caption" and isinstance(last, Table) and not last.caption and self._follows(block):
                self._outline.replace_last(Table(text, last.rows, last.notes, last.place))
            else:
                self._flush_caption()
                self._caption = text, place
            self._footnotes(said)
            return
        self._flush_caption()
        if style.role == "heading":
            self._outline.heading(said.text, style.level, place, said.marker)
        else:
            self._outline.paragraph(text, place, _kind(text, style))
        self._footnotes(said)

    def _follows(self, block: etree._Element) -> bool:
        before = block.getprevious()
        return before is not None and before.tag == f"{W}tbl"

    def _table(self, table: etree._Element) -> None:
        self._tables += 1
        frame = frame_of(table)
        if frame is not None:
            self._blocks(frame)
            return
        read = read_table(table, self)
        if not read.notes and not any(cell.text for row in read.rows for cell in row):
            self._outline.not_read("tables without text", bool(read.rows))
            return
        caption = self._caption[0] if self._caption else ""
        self._caption = None
        footnotes = tuple(text for note in read.footnotes if (text := self._note(note)))
        self._outline.add(Table(caption, read.rows, read.notes + footnotes, f"table {self._tables:,}"))

    def _footnotes(self, said: Said) -> None:
        """Puts the notes that a paragraph refers to after it."""
        for kind, number in said.notes:
            self._outline.paragraph(self._note((kind, number)), f"{kind} {number}", "footnote")

    def _note(self, note: tuple[str, str]) -> str:
        """A note's text the first time that it is asked for. Those left in the end are referred to nowhere."""
        return self._notes.get(note[0], {}).pop(note[1], "")

    def _flush_caption(self) -> None:
        if self._caption:
            self._outline.add(Paragraph(self._caption[0], "caption", self._caption[1]))
            self._caption = None


def _kind(text: str, style: Style) -> Kind:
    """What a paragraph is by its style."""
    if style.role == "table caption":
        return "caption"
    kind: Kind = "paragraph"
    for each in _KINDS:
        if each == style.role:
            kind = each
    if kind == "reference" and not text.startswith("["):
        return "example"
    return "paragraph" if kind == "abbreviation" and "\t" not in text else kind
