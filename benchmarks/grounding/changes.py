"""Whether a database changes while a release is made of it: a file by its bytes, a server's tables by all rows."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError, StopError
from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.benchmarks.hashing import file_sha256

_ADVICE = "nothing is made of it: build again when nobody writes to it, or from a copy; what a model wrote is kept"
_HASHES = {
    "postgresql": "SUM(HASHTEXTEXTENDED(CAST(ROW({}) AS TEXT), 0))",
    "mysql": "SUM(CRC32(CONCAT_WS(',', {})))",
    "mariadb": "SUM(CRC32(CONCAT_WS(',', {})))",
}
"""SQL that is the same for the same rows in any order. Of other servers rows are counted."""
_TEXTS = {"mysql": "QUOTE({})", "mariadb": "QUOTE({})"}


class Watched:
    """A database that is to stay as it is."""

    def __init__(self, database: Database, sha256: str | None) -> None:
        self._database, self._sha256 = database, sha256
        self._file = _file_state(database.path)
        self._tables: dict[str, tuple[Collection[str], tuple[Any, ...]]] = {}

    def watch(self, columns: Mapping[str, Collection[str]]) -> None:
        """From now on these columns of a server's tables must hold what they hold.

        Raises:
            BenchwrightError: they cannot be read.
        """
        if self._database.dialect not in ("sqlite", "duckdb"):  # DuckDB lets nobody write who does not read alone
            self._tables = {table: (names, self._rows(table, names)) for table, names in sorted(columns.items())}

    def change(self) -> str | None:
        """What has changed; None where nothing has."""
        if (path := self._database.path) is not None:
            is_same = self._file == _file_state(path) or (
                path.is_file() and not _log_of(path) and file_sha256(path) == self._sha256
            )
            return None if is_same else f"the database {self._database.source} was written to while it was read"
        for table, (names, before) in self._tables.items():
            try:
                after = self._rows(table, names)
            except BenchwrightError as error:
                return f"{table} cannot be read any more, which could be read before ({error})"
            if after != before:
                rows = f"it had {before[0]:,} rows and has {after[0]:,}" if before[0] != after[0] else "its rows differ"
                return f"the table {table} of {self._database.source} changed while it was read: {rows}"
        return None

    def _rows(self, table: str, columns: Collection[str]) -> tuple[Any, ...]:
        dialect = self._database.dialect
        texts = ", ".join(_TEXTS.get(dialect, "{}").format(quoted(name)) for name in sorted(columns))
        hashed = _HASHES.get(dialect, "0").format(texts)
        [row] = self._database.all(f"SELECT COUNT(*), {hashed} FROM {quoted(table)}")
        return tuple(row)


@contextmanager
def held_still(database: Database, sha256: str | None) -> Iterator[Watched]:
    """Ends in an error where a database is no more as it was when this began, also instead of one that follows from it.

    Args:
        database: an open database.
        sha256: of its file, where it has one.

    Raises:
        BenchwrightError: it changed; the message says what.
    """
    watched = Watched(database, sha256)
    try:
        yield watched
    except StopError:
        raise
    except BenchwrightError:
        if change := watched.change():
            raise BenchwrightError(f"{change}; {_ADVICE}") from None
        raise
    if change := watched.change():
        raise BenchwrightError(f"{change}; {_ADVICE}")


def _log_of(path: Path) -> tuple[int, int] | None:
    """Size and time of what is written beside a SQLite file before it is written into it; None where there is none."""
    try:
        found = Path(f"{path}-wal").stat()
    except OSError:
        return None
    return (found.st_size, found.st_mtime_ns) if found.st_size else None


def _file_state(path: Path | None) -> tuple[Any, ...]:
    if path is None:
        return ()
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_size, found.st_mtime_ns, found.st_ino, _log_of(path)
