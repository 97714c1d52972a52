"""HTML pages: headings h1 to h6, tables with rowspan and colspan, lists of definitions, `pre` verbatim."""

import codecs
import re
from pathlib import Path

from lxml import etree, html

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.documents.html_tables import is_layout, read_table
from benchwright.builders.documents.html_text import CONTROLS, Lost, is_skipped, shown, squeezed, text_of, verbatim
from benchwright.builders.documents.outline import Outline
from benchwright.builders.documents.plain import read_text
from benchwright.builders.documents.tree import Document, Kind

_BLOCKS = {
    *("address", "article", "aside", "blockquote", "body", "center", "details", "div", "dl", "fieldset", "figure"),
    *("footer", "form", "header", "hr", "html", "main", "ol", "section", "summary", "ul"),
}
_PARAGRAPHS = {"p", "li", "dt", "dd", "figcaption"}
_DECLARED = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_DECLARED_BY_XML = re.compile(r"^\s*<\?xml[^>]*\?>")


def read_html(path: Path, name: str) -> Document:
    """The tree of a page, in the encoding that it declares where it is no UTF-8.

    Raises:
        BenchwrightError: it has no element that can be read.
    """
    with path.open("rb") as file:
        declared = _DECLARED.search(file.read(4_096))
    try:
        encoding = codecs.lookup(declared[1].decode()).name if declared else "cp1252"
    except LookupError:
        encoding = "cp1252"
    return read_markup(_DECLARED_BY_XML.sub("", read_text(path, encoding)), name)


def read_markup(markup: str, name: str) -> Document:
    """The tree of a page's text.

    Raises:
        BenchwrightError: it has no element, or its elements are nested too deeply.
    """
    parser = html.HTMLParser(encoding="utf-8", huge_tree=True)
    try:
        root = html.document_fromstring(markup.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError) as error:
        raise BenchwrightError(f"it is no HTML that can be read: {error}") from None
    if any(error.type_name == "ERR_RESOURCE_LIMIT" for error in parser.error_log):
        raise RecursionError
    outline = Outline()
    reader = _Reader(outline)
    reader.block(root)
    for what, count in reader.lost.items():
        outline.not_read(what, count)
    return outline.finish(name, squeezed(shown(root.findtext(".//title"))))


class _Reader:
    """One page."""

    def __init__(self, outline: Outline) -> None:
        self.lost: Lost = {}
        self._outline = outline
        self._inline: list[str] = []
        self._item: str | None = None
        """In an item of a list, before its first text: its number, "" for a bullet."""
        self._tables = 0

    def block(self, parent: html.HtmlElement) -> None:
        """Reads what is in an element; text that is in no paragraph is one."""
        self._inline.append(shown(parent.text))
        for child in parent:
            if not is_skipped(child, self.lost):
                self._child(child)
            self._inline.append(shown(child.tail))
        self._flush(parent)

    def _child(self, child: html.HtmlElement) -> None:
        tag = child.tag
        if tag == "nav":
            self.lost["navigation between pages"] = self.lost.get("navigation between pages", 0) + 1
        elif re.fullmatch("h[1-6]", tag):
            self._flush(child)
            heading = text_of(child, self.lost).replace("\n", " ")
            self._outline.heading(heading, int(tag[1]), f"line {child.sourceline}")
        elif tag == "pre":
            self._flush(child)
            self._outline.code(verbatim(child), f"line {child.sourceline}")
            self._outline.flush()
        elif tag == "table":
            self._flush(child)
            self._table(child)
        elif tag in _PARAGRAPHS or tag in _BLOCKS:
            self._flush(child)
            if tag == "li":
                self._item = _number(child)
            self.block(child)
            self._item = None if tag == "li" else self._item
        elif tag == "br":
            self._inline.append("\v")
        elif any(
            isinstance(each.tag, str) and each.tag in ("p", "div", "table", "pre", "ul", "ol") for each in child.iter()
        ):
            self.block(child)
        else:
            self._inline.append(_inline(child, self.lost))

    def _table(self, element: html.HtmlElement) -> None:
        self._tables += 1
        if is_layout(element):
            for cell in element.iter("td", "th", "caption"):
                if next(cell.iterancestors("table")) is element:
                    self.block(cell)
            return
        table = read_table(element, f"table {self._tables:,}", self.lost)
        if any(cell.text for row in table.rows for cell in row):
            self._outline.table(table)

    def _flush(self, element: html.HtmlElement) -> None:
        text = squeezed("".join(self._inline))
        self._inline.clear()
        if not text:
            return
        kind: Kind = "caption" if element.tag == "figcaption" else "paragraph"
        if self._item is not None:
            text, kind = self._item + text, "list"
            self._item = None
        self._outline.paragraph(text, f"line {element.sourceline}", "list" if element.tag == "li" else kind)


def _inline(element: html.HtmlElement, lost: Lost) -> str:
    """Text within a line: the white space at its ends stays."""
    around = " " * (element.tag in CONTROLS)
    pieces = [around, shown(element.text)]
    for child in element:
        if child.tag == "br":
            pieces.append("\v")
        elif not is_skipped(child, lost):
            pieces.append(_inline(child, lost))
        pieces.append(shown(child.tail))
    return "".join([*pieces, around])


def _number(item: html.HtmlElement) -> str:
    """What a browser writes before an item of a numbered list, "" in others."""
    parent = item.getparent()
    if parent is None or parent.tag != "ol":
        return ""
    number = _integer(parent.get("start"), 1) - 1
    for each in parent.iterchildren("li"):
        number = _integer(each.get("value"), number + 1)
        if each is item:
            break
    form = parent.get("type", "1")
    if form in ("a", "A") and 0 < number <= 26:
        return f"{chr(ord(form) + number - 1)}. "
    return f"{number}. "


def _integer(value: str | None, usual: int) -> int:
    text = (value or "").strip()
    return int(text) if re.fullmatch(r"-?\d{1,9}", text) else usual
