"""Markdown: the page it becomes (CommonMark with tables), read as HTML; fenced code stays verbatim."""

import re
from dataclasses import replace
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt

from benchwright.builders.documents.html import read_markup
from benchwright.builders.documents.plain import read_text
from benchwright.builders.documents.tree import Document

DEEPEST = 100
"""Levels of lists and quotations in each other that are read."""
_FRONT = re.compile(r"\A---[ \t]*\n(?P<lines>(?:[\w-]+:.*\n|[ \t#-].*\n|\n)+?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
"""Lines of metadata before the text, as site generators want them."""
_TITLE = re.compile(r"^title:[ \t]*[\"']?(?P<title>.+?)[\"']?[ \t]*$", re.MULTILINE)


def read_markdown(path: Path, name: str) -> Document:
    """The tree of a Markdown file. Places are lines of the page it becomes.

    Metadata before the text is kept verbatim, and its title is the document's.

    Raises:
        BenchwrightError: it is no text.
    """
    text = read_text(path)
    front = _FRONT.match(text)
    lines = front["lines"] if front else ""
    title = _TITLE.search(lines)
    head = f"<head><title>{escape(title['title'])}</title></head>" if title else ""
    before = f"<pre>{escape(lines)}</pre>" if front else ""
    parser = MarkdownIt("commonmark", {"maxNesting": DEEPEST}).enable("table")
    tokens = parser.parse(text[front.end() :] if front else text)
    page = parser.renderer.render(tokens, parser.options, {})
    document = read_markup(f"<html>{head}<body>{before}{page}</body></html>", name)
    if max((token.level for token in tokens), default=0) < DEEPEST - 2:
        return document
    return replace(document, unread=(*document.unread, f"parts that are nested more than {DEEPEST} deep: 1"))
