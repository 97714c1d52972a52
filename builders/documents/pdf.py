"""PDF files with text: pages' lines to paragraphs, headings by their numbers. Tables are not told from text there."""

import re
from collections import Counter
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.documents.outline import Outline, read_heading
from benchwright.builders.documents.tree import Document

_HEADING = re.compile(r"(?:\d+(?:\.\d+)*|[A-Z](?:\.\d+)+)\.?\s+[A-Z][^.]{1,90}|(?:Annex|Appendix) [A-Z]\b.{0,90}")
_CONTENTS = re.compile(r"\S.*(?:\. ?){4,}\s*\d+")


def read_pdf(path: Path, name: str) -> Document:
    """The tree of a PDF; its places are pages.

    Raises:
        BenchwrightError: it is encrypted, damaged, has no text, or the library that reads PDF is not installed.
    """
    try:
        from pypdf import PdfReader
        from pypdf.errors import PyPdfError
    except ImportError:
        raise BenchwrightError("PDF files need the extra documents: pip install 'benchwright[documents]'") from None
    try:
        reader = PdfReader(path)
        if reader.is_encrypted and not reader.decrypt(""):
            raise BenchwrightError("it is encrypted: save it without a password")
        pages = [page.extract_text().splitlines() for page in reader.pages]
        title = (reader.metadata.title if reader.metadata else None) or ""
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        raise BenchwrightError(f"it is damaged or no PDF: {error or type(error).__name__}") from None
    pages = [[line.strip() for line in page if line.strip()] for page in pages]
    if not any(pages):
        raise BenchwrightError("it has no text, only pictures of pages: recognise its text (OCR) first")
    return _outline(pages).finish(name, title)


def _outline(pages: list[list[str]]) -> Outline:
    outline = Outline()
    running = _running(pages)
    outline.not_read("pages without text", sum(not page for page in pages))
    outline.not_read("tables, if there are any, are read as lines: PDF files", 1)
    for number, page in enumerate(pages, 1):
        place, lines = f"page {number}", []
        for at, line in enumerate(page):
            if (at < 2 or at >= len(page) - 2) and _folded(line) in running:
                outline.not_read("running heads and feet of pages")
            elif _CONTENTS.fullmatch(line):
                outline.not_read("lines of the table of contents")
            elif _HEADING.fullmatch(line) and (read_heading(line).number):
                outline.paragraph(" ".join(lines), place)
                lines = []
                outline.heading(line, 1, place)
            else:
                lines.append(line)
                if line.endswith((".", ":", ";")):
                    outline.paragraph(" ".join(lines), place)
                    lines = []
        outline.paragraph(" ".join(lines), place)
    return outline


def _running(pages: list[list[str]]) -> set[str]:
    """Lines at the top or bottom of more than half of the pages, digits aside; of three pages or more."""
    if len(pages) < 3:
        return set()
    counts = Counter(line for page in pages for line in {_folded(each) for each in (*page[:2], *page[-2:])})
    return {line for line, count in counts.items() if count > len(pages) / 2}


def _folded(line: str) -> str:
    return re.sub(r"\d+", "0", line)
