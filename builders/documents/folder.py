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
LARGEST = 200_000_000
"""Bytes that a file may have which is read whole. A .docx is read by its parts, which have a limit of their own."""
_BY_PARTS = (".docx", ".docm", ".doc")


def read_documents(
    source: Path,
    progress: Callable[[str, int, int], None] = lambda what, done, total: None,
    order: Callable[[str], bytes] | None = None,
) -> Iterator[Document | Unread]:
    """Reads a file, or all files of a folder and the folders in it, in the order of their paths or another one.

    One document is in memory at a time, unless the caller keeps them.

    Args:
        source: the file or folder. Hidden files, and those that Word keeps while a document is open, are passed over.
        progress: told "documents", how many are done, and of how many.
        order: gives each name what names are sorted by.

    Raises:
        UsageError: there is no such file or folder, or no file in it.
    """
    if not source.exists():
        raise UsageError(f"{source} is not there: name a file or a folder of documents")
    files = files_in(source)
    if not files:
        raise UsageError(f"{source} has no files: put documents into it ({', '.join(READERS)})")
    for done, name in enumerate(sorted(files, key=order) if order else files):
        progress("documents", done, len(files))
        yield read_document(files[name], name, source)
    progress("documents", len(files), len(files))


def files_in(source: Path) -> dict[str, Path]:
    """The files of a folder and of the folders in it, or one file, by their names as documents."""
    if not source.is_dir():
        return {source.name: source}
    found = sorted(path for path in source.rglob("*") if _is_wanted(path, source))
    return {path.relative_to(source).as_posix(): path for path in found}


def read_document(path: Path, name: str, within: Path | None = None) -> Document | Unread:
    """Reads one file by its ending. A link that leads out of the folder `within` is not followed."""
    if why := _why_not(path, within):
        return Unread(name, why)
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


def _why_not(path: Path, within: Path | None) -> str:
    """Why a file is not opened at all; "" where it is."""
    if path.is_dir():
        return f"it is a {'link to a folder, which is not followed' if path.is_symlink() else 'folder'}"
    if path.is_symlink() and not path.exists():
        return "it is a link to a file that is not there"
    if not path.is_file():
        return "it is no ordinary file"
    if within is not None and within.is_dir() and not path.resolve().is_relative_to(within.resolve()):
        return "it is a link that leads out of the folder: put the file itself there"
    suffix = path.suffix.lower()
    if suffix not in READERS:
        return f"there is no reader for {suffix or 'a name without an ending'}"
    size = path.stat().st_size
    if not size:
        return "the file is empty"
    if suffix not in _BY_PARTS and size > LARGEST:
        return f"it has {size:,} bytes, and more than {LARGEST:,} are not read: split it"
    return ""


def _is_wanted(path: Path, root: Path) -> bool:
    if path.is_dir() and not path.is_symlink() and path.suffix.lower() not in READERS:
        return False
    parts = path.relative_to(root).parts
    return not path.name.startswith("~$") and not any(part.startswith(".") for part in parts)
