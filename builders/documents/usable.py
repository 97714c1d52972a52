"""Documents that a release can be made of, one at a time: what was refused is kept with its reason, and told once."""

import logging
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.documents.sections import sections
from benchwright.builders.documents.tree import Document, Unread

_NAMED = 5
"""Files that could not be read and are named in one warning or error."""
log = logging.getLogger("benchwright")


def usable_documents(documents: Iterable[Document | Unread], refused: MutableMapping[str, str]) -> Iterator[Document]:
    """The documents whose names and texts can be written to files.

    Args:
        documents: as `read_documents` gives them.
        refused: filled with the files that are passed over → why.
    """
    for document in documents:
        if not document.name.isprintable():
            refused[ascii(document.name)[1:-1]] = "its name cannot be printed: give the file another name"
        elif isinstance(document, Unread):
            refused[document.name] = document.reason
        elif not _is_unicode(document):
            refused[document.name] = "its text has halves of characters, which no file can hold: save it anew"
        else:
            yield document


def tell_refused(source: Path, refused: Mapping[str, str], read: int, hint: str = "") -> None:
    """Names the first of the files that were refused in a warning.

    Args:
        source: the file or folder.
        refused: file → why.
        read: how many were read.
        hint: what else the user can do where none was.

    Raises:
        BenchwrightError: none was read.
    """
    if not read:
        raise BenchwrightError(f"no file of {source} can be read: {_told(refused)}{hint}")
    if refused:
        log.warning("not read: %s", _told(refused))


def _is_unicode(document: Document) -> bool:
    """Whether all of a document's text can be written: a PDF may have halves of surrogate pairs."""
    try:
        for text in (document.title, *(section.text for section in sections(document))):
            text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _told(refused: Mapping[str, str]) -> str:
    shown = [f"{name} ({reason})" for name, reason in list(refused.items())[:_NAMED]]
    more = len(refused) - len(shown)
    return "; ".join(shown) + (f"; and {more:,} more" if more else "")
