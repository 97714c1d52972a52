"""PDF files with text: pages' lines to paragraphs, headings by bookmarks, else by their numbers. Tables are lines."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.documents.pdf_lines import Bookmark, Page, outline_of
from benchwright.builders.documents.tree import Document

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

_SIDE_BY_SIDE = 0.5
"""Of the lines of a page, how many may go back and forth between its halves."""


def read_pdf(path: Path, name: str) -> Document:
    """The tree of a PDF; its places are pages.

    Raises:
        BenchwrightError: it is encrypted, damaged, has no text, or the library that reads PDF is not installed.
    """
    try:
        from pypdf import PdfReader
        from pypdf.errors import DependencyError
    except ImportError:
        raise BenchwrightError("PDF files need pypdf: pip install pypdf") from None
    try:
        with _faults() as faults:
            reader = PdfReader(path)
            if reader.is_encrypted and not reader.decrypt(""):
                raise BenchwrightError("it is encrypted: save it without a password")
            found = [_page(page) for page in reader.pages]
            title = (reader.metadata.title if reader.metadata else None) or ""
            bookmarks = _bookmarks(reader)
    except DependencyError:
        raise BenchwrightError(
            "it is encrypted, for which pypdf needs more: pip install cryptography, or save it without a password"
        ) from None
    except (BenchwrightError, RecursionError, OSError):
        raise
    except Exception as error:  # a damaged file makes the library raise whatever its parts raise
        raise BenchwrightError(f"it is damaged or no PDF: {error or type(error).__name__}") from None
    if found and not any(found):
        raise BenchwrightError("it is damaged: none of its pages can be read")
    pages = [page or Page((), False) for page in found]
    if not any(page.lines for page in pages):
        raise BenchwrightError("it has no text, only pictures of pages: recognise its text (OCR) first")
    outline = outline_of(pages, bookmarks)
    outline.not_read("pages without text", sum(page is not None and not page.lines for page in found))
    outline.not_read("pages that cannot be read", found.count(None))
    outline.not_read("places where the file does not keep to the format of PDF", faults.count)
    return outline.finish(name, title)


class _Faults(logging.Handler):
    """Counts what the library says of a file instead of raising it."""

    count = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.count += 1


@contextmanager
def _faults() -> Iterator[_Faults]:
    log, faults = logging.getLogger("pypdf"), _Faults()
    passed_on, log.propagate = log.propagate, False
    log.addHandler(faults)
    try:
        yield faults
    finally:
        log.removeHandler(faults)
        log.propagate = passed_on


def _page(page: "PageObject") -> Page | None:
    """The lines of a page, and whether they go back and forth between two columns; None where it is damaged."""
    starts: list[tuple[float, float]] = []

    def visit(operator: bytes, operands: Any, outer: list[float], inner: list[float]) -> None:
        if operator in (b"Tj", b"TJ"):
            x, y = inner[4], inner[5]
            starts.append((x * outer[1] + y * outer[3] + outer[5], x * outer[0] + y * outer[2] + outer[4]))

    try:
        text = page.extract_text(visitor_operand_before=visit)
        middle = float(page.mediabox.left) + float(page.mediabox.width) / 2
    except RecursionError:
        raise
    except Exception:  # as above: the other pages go on
        return None
    lines = [line for each in text.splitlines() if (line := each.strip())]
    across = sum(
        round(before[0]) == round(after[0]) and before[1] < middle <= after[1] for before, after in pairwise(starts)
    )
    return Page(tuple(lines), across > len({round(y) for y, _ in starts}) * _SIDE_BY_SIDE)


def _bookmarks(reader: "PdfReader") -> list[Bookmark]:
    """The document's own outline; none where it has none that can be read."""

    def walk(entries: list[Any], level: int) -> Iterator[Bookmark]:
        for entry in entries:
            if isinstance(entry, list):
                yield from walk(entry, level + 1)
            elif (page := reader.get_destination_page_number(entry)) is not None:
                yield Bookmark(str(entry.title or ""), level, page)

    try:
        return list(walk(reader.outline, 1))
    except Exception:  # bookmarks are a help: the text is read without them
        return []
