"""Many files, one at a time: what can be read is a Document, what cannot is an Unread with its reason."""

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.builders.documents.tree import Document, Unread

READERS = {
    ".docx": ("docx", "read_docx"),
    ".docm": ("docx", "read_docx"),
    ".doc": ("word97", "read_word97"),
    ".html": ("html", "read_html"),
    ".htm": ("html", "read_html"),
    ".xhtml": ("html", "read_html"),
    ".md": ("markdown", "read_markdown"),
    ".markdown": ("markdown", "read_markdown"),
    ".pdf": ("pdf", "read_pdf"),
    ".txt": ("rfc", "read_rfc"),
}
"""The module and the function that read files with this ending."""


def read_documents(
    source: Path, progress: Callable[[str, int, int], None] = lambda what, done, total: None
) -> Iterator[Document | Unread]:
    """Reads a file, or all files of a folder and the folders in it, in the order of their paths.

    One document is in memory at a time, unless the caller keeps them.

    Args:
        source: the file or folder. Hidden files, and those that Word keeps while a document is open, are passed over.
        progress: told "documents", how many are done, and of how many.

    Raises:
        UsageError: there is no such file or folder, or no file in it.
    """
    if not source.exists():
        raise UsageError(f"{source} is not there: name a file or a folder of documents")
    root = source if source.is_dir() else source.parent
    files = sorted(path for path in source.rglob("*") if _is_wanted(path, root)) if source.is_dir() else [source]
    if not files:
        raise UsageError(f"{source} has no files: put documents into it ({', '.join(READERS)})")
    for done, path in enumerate(files):
        progress("documents", done, len(files))
        yield read_document(path, path.relative_to(root).as_posix())
    progress("documents", len(files), len(files))


def read_document(path: Path, name: str) -> Document | Unread:
    """Reads one file by its ending."""
    if path.suffix.lower() not in READERS:
        return Unread(name, f"there is no reader for {path.suffix or 'a name without an ending'}")
    module, function = READERS[path.suffix.lower()]
    try:
        document = getattr(import_module(f"benchwright.builders.documents.{module}"), function)(path, name)
    except (BenchwrightError, OSError) as error:
        return Unread(name, str(error))
    except RecursionError:
        return Unread(name, "its parts are nested too deeply to be a document's")
    if not any(clause.parts for clause in document.walk()):
        return Unread(name, "it has no text")
    return document


def _is_wanted(path: Path, root: Path) -> bool:
    parts = path.relative_to(root).parts
    return path.is_file() and not path.name.startswith("~$") and not any(part.startswith(".") for part in parts)
