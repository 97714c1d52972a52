"""Files as tables: CSV, JSON, JSON lines, Parquet and lists of questions, by their names and beginnings; several of a
folder as one."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.hashing import file_sha256
from benchwright.benchmarks.records import BadLine, read_records, shown
from benchwright.benchmarks.releases.writer import AS_QUESTIONS
from benchwright.benchmarks.text.csv_files import read_csv_file
from benchwright.builders.documents.json_files import read_json, why_not_utf8
from benchwright.builders.tabular.tables import Row, Table, columns_of

CSV, JSON, PARQUET, LIST = "csv", "json", "parquet", "list"
LINES = (".jsonl", ".ndjson")
_FORMATS = {
    **dict.fromkeys((".csv", ".tsv"), CSV),
    **dict.fromkeys((".json", *LINES), JSON),
    **dict.fromkeys((".parquet", ".pq"), PARQUET),
    ".txt": LIST,
}
WORDS = {CSV: "CSV", JSON: "JSON", PARQUET: "Parquet", LIST: "a list of questions"}
_WHOLE = "\x1f"
"""Stands between the values of a file that has one column: no text holds it, so that a comma is part of a question."""
_PACKED = (".gz", ".zip", ".bz2", ".xz", ".zst")


def format_of(path: Path, given: str = "auto") -> str:
    """How a file is to be read.

    Raises:
        BenchwrightError: its name does not tell.
    """
    if given != "auto":
        return given
    found = _FORMATS.get(path.suffix.lower())
    if found is None and path.suffix.lower() in _PACKED:
        raise BenchwrightError(f"{path} is packed: unpack it first")
    if found is None:
        known = ", ".join(_FORMATS)
        raise BenchwrightError(f"the name of {path} does not tell how to read it ({known} do): add --set format=…")
    return found


def files_of(folder: Path, given: str = "auto") -> list[Path]:
    """The files of a folder that are read as one table, by their names.

    Raises:
        BenchwrightError: there is none, or they are of several formats.
    """
    wanted = [suffix for suffix, form in _FORMATS.items() if given == form or (given == "auto" and form != LIST)]
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.suffix.lower() in wanted)
    if not files:
        raise BenchwrightError(f"the folder {folder} holds no file that can be read ({', '.join(wanted)})")
    forms = sorted({format_of(path) for path in files})
    if len(forms) > 1:
        raise BenchwrightError(
            f"the folder {folder} holds {' and '.join(WORDS[form] for form in forms)}: add --set format=…, or name one "
            "file"
        )
    return files


def open_files(files: Sequence[Path], form: str) -> Table:
    """One table of the rows of some files.

    Raises:
        BenchwrightError: one cannot be read.
    """
    parts = [_OPEN[form](path) for path in files]
    if len(parts) == 1:
        return parts[0]

    def read(columns: Sequence[str]) -> Iterator[Row]:
        for part in parts:
            yield from part.read(columns)

    columns = tuple(dict.fromkeys(name for part in parts for name in part.columns))
    return Table(files[0].parent.name, columns, read, tuple(source for part in parts for source in part.sources))


def source_of(path: Path, form: str) -> Mapping[str, Any]:
    """What a manifest says of a file whose rows are in a release."""
    uri = f"{form}:{path.name}"
    return {"uri": uri, "revision": None, "sha256": file_sha256(path), "licence": None, "rows_shipped": AS_QUESTIONS}


def _open_csv(path: Path) -> Table:
    file = read_csv_file(path)
    first, header = next(file.rows(), (0, []))
    columns = [name.strip() for name in header]
    if not any(columns):
        raise BenchwrightError(f"{path} has no header: its first line must name its columns")
    if len(columns) == 1:
        file = replace(file, delimiter=_WHOLE)
    doubled = next((name for name in columns if name and columns.count(name) > 1), None)
    if doubled is not None:
        raise BenchwrightError(f"{path}, line {first}: two columns have the name {doubled!r}")

    def read(wanted: Sequence[str]) -> Iterator[Row]:
        rows = file.rows()
        next(rows, None)
        for line, row in rows:
            if len(row) != len(columns):
                counted = f"{len(row)} values for {len(columns)} columns"
                raise BenchwrightError(f"{path}, line {line} has {counted} (separated by {file.separated_by})")
            yield Row(f"{path.name}, line {line}", dict(zip(columns, row, strict=True)))

    return Table(path.name, tuple(filter(None, columns)), read, (source_of(path, CSV),))


def _open_list(path: Path) -> Table:
    """A question a line."""

    def read(wanted: Sequence[str]) -> Iterator[Row]:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
                except UnicodeDecodeError as error:
                    raise BenchwrightError(f"{path}, line {number} {why_not_utf8(path, error)}") from None
                if text:
                    yield Row(f"{path.name}, line {number}", {"question": text})

    return Table(path.name, ("question",), read, (source_of(path, LIST),))


def _open_json(path: Path) -> Table:
    """JSON lines, or one JSON text of a list of objects."""
    rows = _line_rows(path) if path.suffix.lower() in LINES or not _is_one_text(path) else _item_rows(path)
    columns = columns_of(rows())
    if not columns:
        raise BenchwrightError(f"{path} holds no rows: write one JSON object a line")
    return Table(path.name, columns, lambda wanted: rows(), (source_of(path, JSON),))


def _is_one_text(path: Path) -> bool:
    """Whether a file is one JSON text, and not one a line."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            for line in file:
                if line.strip():
                    json.loads(line)
                    return not any(further.strip() for further in file)
    except (ValueError, RecursionError):
        return True
    return False


def _line_rows(path: Path) -> Callable[[], Iterator[Row]]:
    def rows() -> Iterator[Row]:
        for number, record in read_records(path, _object):
            if isinstance(record, BadLine):
                raise BenchwrightError(f"{path}, line {number} {_why_no_json(path, record.error)}")
            yield Row(f"{path.name}, line {number}", record)

    return rows


def _object(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    if not isinstance(found, dict):
        raise ValueError(f"is no JSON object but {shown(found)}")
    return found


def _why_no_json(path: Path, error: BaseException) -> str:
    if isinstance(error, UnicodeDecodeError):
        return why_not_utf8(path, error)
    if isinstance(error, json.JSONDecodeError):
        return f"is no JSON ({error.msg}, column {error.colno}): write one object a line"
    return str(error)


def _item_rows(path: Path) -> Callable[[], Iterator[Row]]:
    found = read_json(path)
    if isinstance(found, dict):
        lists = [name for name, value in found.items() if _is_table(value)]
        if len(lists) > 1:
            raise BenchwrightError(f"{path} holds several lists of objects ({', '.join(lists)}): save one as a file")
        found = found[lists[0]] if lists else found
    if not _is_table(found):
        raise BenchwrightError(f"{path} is no list of objects: write [{{…}}, …], or one object a line as .jsonl")

    def rows() -> Iterator[Row]:
        for number, item in enumerate(found, 1):
            if not isinstance(item, dict):
                raise BenchwrightError(f"{path}, item {number} is no object but {shown(item)}")
            yield Row(f"{path.name}, item {number}", item)

    return rows


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _open_parquet(path: Path) -> Table:
    import pyarrow as pa
    import pyarrow.parquet as pq

    def opened() -> pq.ParquetFile:
        try:
            return pq.ParquetFile(path)
        except (pa.ArrowException, OSError, ValueError) as error:
            raise BenchwrightError(f"{path} is no Parquet file: {next(iter(str(error).splitlines()), '')}") from None

    def read(wanted: Sequence[str]) -> Iterator[Row]:
        number = 0
        try:
            for batch in opened().iter_batches(1_000, columns=list(wanted)):
                for cells in batch.to_pylist():
                    number += 1
                    yield Row(f"{path.name}, row {number}", cells)
        except (pa.ArrowException, OSError, ValueError) as error:
            what = next(iter(str(error).splitlines()), "")
            raise BenchwrightError(f"{path} cannot be read after row {number:,}: {what}") from None

    return Table(path.name, tuple(opened().schema_arrow.names), read, (source_of(path, PARQUET),))


_OPEN: Mapping[str, Callable[[Path], Table]] = {
    CSV: _open_csv,
    JSON: _open_json,
    PARQUET: _open_parquet,
    LIST: _open_list,
}
