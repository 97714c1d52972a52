"""Markdown: the page it becomes (CommonMark with tables), read as HTML; fenced code stays verbatim."""

from pathlib import Path

from lxml import html
from markdown_it import MarkdownIt

from benchwright.builders.documents.html import read_markup
from benchwright.builders.documents.plain import read_text
from benchwright.builders.documents.tree import Document


def read_markdown(path: Path, name: str) -> Document:
    """The tree of a Markdown file. Places are lines of the page it becomes."""
    page = MarkdownIt("commonmark").enable("table").render(read_text(path))
    return read_markup(f"<html><body>{page}</body></html>".encode(), name, html.HTMLParser(encoding="utf-8"))
