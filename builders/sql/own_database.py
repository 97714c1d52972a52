"""A user's database by the words of a command line: a URL, a SQLite file, or a folder of CSV or Parquet files."""

import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from benchwright.benchmarks.grounding.urls import is_url
from benchwright.benchmarks.hashing import file_sha256
from benchwright.benchmarks.releases.proofs.base import GivenDatabase
from benchwright.builders.sql.csv_files import PARQUET, table_files
from benchwright.builders.sql.csv_folder import database_of_folder


@dataclass(frozen=True)
class OwnDatabase:
    """Where a database is, and what of it may be published."""

    url: str
    sha256: str | None
    """Of the file, or over all files of a folder; None of a server's database."""
    made_from: str | None = None
    """The folder of files that it was made from, as `csv:NAME` or `parquet:NAME`."""


@contextmanager
def own_database(place: str, known: Collection[str] = ()) -> Iterator[OwnDatabase]:
    """The database at a place. One of CSV or Parquet files is made for as long as it is used.

    Args:
        place: a URL, a SQLite file, or a folder of files.
        known: `table.column`, in lower case, of columns of files of which somebody says where they lead.

    Raises:
        BenchwrightError: the files are not as they must be.
    """
    path = Path(place).expanduser()
    if path.is_dir():
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / f"{path.resolve().name}.sqlite"
            sha256 = database_of_folder(path, made, known)
            kind = "csv" if any(file.suffix.lower() != PARQUET for file in table_files(path)) else "parquet"
            yield OwnDatabase(f"sqlite:///{made}", sha256, f"{kind}:{path.resolve().name}")
        return
    url = place if is_url(place) else f"sqlite:///{place}"
    file = _file(url)
    yield OwnDatabase(url, file_sha256(file) if file is not None and file.is_file() else None)


@contextmanager
def given_database(place: str | None) -> Iterator[GivenDatabase | None]:
    """The same for `verify_release`; nothing where no place is given.

    Raises:
        BenchwrightError: as `own_database`.
    """
    if place is None:
        yield None
        return
    with own_database(place) as own:
        yield GivenDatabase(own.url, own.sha256)


def _file(url: str) -> Path | None:
    """The file of a SQLite URL."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        return None
    is_file = parsed.get_backend_name() == "sqlite" and parsed.database
    return Path(str(parsed.database)).expanduser() if is_file else None
