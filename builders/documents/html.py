"""HTML pages: headings h1 to h6, tables with rowspan and colspan, lists of definitions, `pre` verbatim."""

import re
from dataclasses import replace
from pathlib import Path

from lxml import etree, html

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.documents.outline import Outline
from benchwright.builders.documents.tree import Cell, Document, Paragraph, Table

WIDEST = 1_000
"""Columns or rows that a cell may span: a larger number is a mistake in the page."""
_SKIPPED = {"script", "style", "nav", "template", "noscript", "head", "svg"}
_BLOCKS = {
    *("address", "article", "aside", "blockquote", "body", "center", "details", "div", "dl", "fieldset", "figure"),
    *("footer", "form", "header", "hr", "main", "ol", "section", "summary", "ul"),
}
_CAPTION = re.compile(r"(?:Table|TABLE|Tab\.) ?(?:[A-Z]\.?)?\d[\w.-]*?\s*[:.–—-]\s+\S.{1,120}")
"""A paragraph above a table that is its caption, where the page marks none."""
_PARAGRAPHS = {"p", "li", "dt", "dd", "figcaption"}


def read_html(path: Path, name: str) -> Document:
    """The tree of a page.

    Raises:
        BenchwrightError: it has no element that can be read.
    """
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
        data = re.sub(r"^\s*<\?xml[^>]*\?>", "", text).encode()
        parser = html.HTMLParser(encoding="utf-8")
    except UnicodeDecodeError:
        parser = html.HTMLParser()
    return read_markup(data, name, parser)


def read_markup(data: bytes, name: str, parser: html.HTMLParser) -> Document:
    """The tree of a page's bytes."""
    try:
        root = html.document_fromstring(data, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError) as error:
        raise BenchwrightError(f"it is no HTML that can be read: {error}") from None
    outline = Outline()
    _Reader(outline).block(root)
    return outline.finish(name, _squeezed(root.findtext(".//title") or ""))


class _Reader:
    """One page."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self._inline: list[str] = []
        self._tables = 0

    def block(self, parent: html.HtmlElement) -> None:
        """Reads what is in an element; text that is in no paragraph is one."""
        self._inline.append(parent.text or "")
        for child in parent:
            self._child(child)
            self._inline.append(child.tail or "")
        self._flush(parent)

    def _child(self, child: html.HtmlElement) -> None:
        tag = child.tag
        if not isinstance(tag, str) or tag in _SKIPPED:
            return
        if re.fullmatch("h[1-6]", tag):
            self._flush(child)
            for link in child.iter("a"):
                if link.text_content().strip() in ("#", "¶", "§"):
                    link.text = ""
            self._outline.heading(_text(child), int(tag[1]), f"line {child.sourceline}")
        elif tag == "pre":
            self._flush(child)
            self._outline.code(child.text_content().strip("\n"), f"line {child.sourceline}")
        elif tag == "table":
            self._flush(child)
            self._tables += 1
            table = _table(child, f"table {self._tables:,}")
            last = self._outline.last
            if table.rows and not table.caption and isinstance(last, Paragraph) and _CAPTION.fullmatch(last.text):
                self._outline.replace_last(replace(table, caption=last.text))
            elif table.rows:
                self._outline.add(table)
        elif tag in _PARAGRAPHS or tag in _BLOCKS or tag == "html":
            self._flush(child)
            self.block(child)
        elif tag == "br":
            self._inline.append("\n")
        elif tag == "img":
            self._outline.not_read("pictures")
        elif any(isinstance(each.tag, str) and each.tag in ("p", "div", "table", "pre") for each in child.iter()):
            self.block(child)
        else:
            self._inline.append(child.text_content())

    def _flush(self, element: html.HtmlElement) -> None:
        text = _squeezed("".join(self._inline))
        self._inline.clear()
        kind = "list" if element.tag == "li" else "caption" if element.tag == "figcaption" else "paragraph"
        self._outline.paragraph(text, f"line {element.sourceline}", kind)


def _table(table: html.HtmlElement, place: str) -> Table:
    caption = table.find("caption")
    elements = [row for row in table.iter("tr") if next(row.iterancestors("table")) is table]
    hanging: dict[int, tuple[Cell, int]] = {}
    rows: list[tuple[Cell, ...]] = []
    for element in elements:
        row: list[Cell] = []
        in_head = element.getparent().tag == "thead"
        for cell in element.iterchildren("td", "th"):
            _hang(row, hanging)
            text, header = _text(cell), cell.tag == "th" or in_head
            down = _span(cell, "rowspan")
            for across in range(_span(cell, "colspan")):
                if down > 1:
                    hanging[len(row)] = Cell(text, header, True), down - 1
                row.append(Cell(text, header, bool(across)))
        _hang(row, hanging)
        if row:
            rows.append(tuple(row))
    width = max(map(len, rows), default=0)
    full = tuple(row + (Cell(""),) * (width - len(row)) for row in rows)
    return Table(_text(caption) if caption is not None else "", full, (), place)


def _hang(row: list[Cell], hanging: dict[int, tuple[Cell, int]]) -> None:
    """Adds the cells that reach down from rows above."""
    while (at := len(row)) in hanging and hanging[at][1]:
        cell, left = hanging[at]
        row.append(cell)
        hanging[at] = cell, left - 1


def _span(cell: html.HtmlElement, name: str) -> int:
    value = (cell.get(name) or "1").strip()
    return max(1, min(int(value), WIDEST)) if value.isdecimal() else 1


def _text(element: html.HtmlElement) -> str:
    for line_break in element.iter("br"):
        line_break.tail = "\n" + (line_break.tail or "")
    return _squeezed(element.text_content())


def _squeezed(text: str) -> str:
    return " ".join(text.split())
