"""Rows of a CSV file as traces: which column is what, and what its cells say."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.systems.traces.trace import Trace
from benchwright.benchmarks.text.cells import UnreadableCell, is_blank, truth_of, written_list
from benchwright.benchmarks.text.columns import column_pairs, listed, plain_name
from benchwright.benchmarks.text.csv_files import CsvFile, read_csv_file

CONTEXTS = "contexts"
_NUMBERED = re.compile(r"(.+?)_?(\d+)")
"""A column of several that go together: `context_1`, `context 2`."""
_NUMBERS = ("input_tokens", "output_tokens", "repeat", "cost", "latency", "latency_ms")


@dataclass(frozen=True)
class TraceColumns:
    """Which columns of a table are what."""

    of: Mapping[str, tuple[int, ...]]
    """What it is → the places of its columns: of contexts there may be several, one for each."""
    told: str
    """The same in words, for people."""


def usual_columns() -> Mapping[str, Sequence[str]]:
    """What columns may be, with the usual names of each."""
    return read_toml(__package__, "columns.toml")


def open_table(path: Path, said: str | None) -> tuple[CsvFile, TraceColumns]:
    """How a file is read, and which of its columns are what.

    Args:
        path: the file.
        said: `question=Prompt,answer=Reply`: what is not said is guessed by its name; `contexts=` is nothing.

    Raises:
        UsageError: it has no such column, or there is nothing of that name to be.
        BenchwrightError: it is no table, or lacks a question or an answer.
    """
    file = read_csv_file(path)
    header = next((row for _, row in file.rows()), None)
    if header is None:
        raise BenchwrightError(f"{path.name} holds no rows")
    return file, _chosen(path.name, [name.strip() for name in header], said)


def _chosen(file: str, header: Sequence[str], said: str | None) -> TraceColumns:
    usual = usual_columns()
    given: dict[str, str] = {}
    for what, column in column_pairs(said) if said else ():
        if what not in usual:
            near = get_close_matches(what, usual, 1, 0.5)
            more = f"did you mean {near[0]}?" if near else f"there are {', '.join(usual)}"
            raise UsageError(f"columns: there is no {what!r}: {more}")
        if column and column not in header:
            near = get_close_matches(column, header, 1, 0.6)
            more = f"did you mean {near[0]}?" if near else f"it has {listed(header)}"
            raise UsageError(f"{file} has no column {column!r}, which is to be {what}: {more}")
        given[what] = column
    plain = [plain_name(name) for name in header]
    taken = {header.index(column) for column in given.values() if column}
    of: dict[str, tuple[int, ...]] = {what: (header.index(column),) for what, column in given.items() if column}
    for what, names in usual.items():
        if what in given:
            continue
        place = next((plain.index(name) for name in names if name in plain and plain.index(name) not in taken), None)
        if place is not None:
            of[what] = (place,)
            taken.add(place)
        elif what == CONTEXTS and (several := _numbered(plain, names, taken)):
            of[what] = several
            taken.update(several)
    if "question" not in of and "id" not in of:
        raise BenchwrightError(_lacks(file, "question", header))
    if "answer" not in of:
        raise BenchwrightError(_lacks(file, "answer", header))
    told = ", ".join(f"{what}: {listed([header[place] for place in places])}" for what, places in of.items())
    unread = [name for place, name in enumerate(header) if place not in taken]
    return TraceColumns(of, told + (f"; not read: {listed(unread)}" if unread else ""))


def _numbered(plain: Sequence[str], names: Sequence[str], taken: set[int]) -> tuple[int, ...]:
    singular = {*names, *(name.removesuffix("s") for name in names)}
    found = [
        (int(match[2]), place)
        for place, name in enumerate(plain)
        if place not in taken and (match := _NUMBERED.fullmatch(name)) and match[1] in singular
    ]
    return tuple(place for _, place in sorted(found))


def _lacks(file: str, what: str, header: Sequence[str]) -> str:
    return (
        f"no column of {file} is named as {what}s are: it has {listed(header)}; say which is what with "
        "--columns question=COLUMN,answer=COLUMN"
    )


def read_rows(file: CsvFile, columns: TraceColumns) -> Iterator[Trace]:
    """The rows of a file.

    Raises:
        BenchwrightError: a line is no CSV.
    """
    rows = file.rows()
    header = next(rows, (0, []))[1]
    for line, row in rows:
        place = f"line {line}"
        if len(row) > len(header):
            yield Trace(place, {}, problem=f"{len(row)} values, and there are {len(header)} columns")
        elif any(cell.strip() for cell in row):
            try:
                yield _trace(place, row, columns.of)
            except UnreadableCell as error:
                yield Trace(place, {}, problem=str(error))


def _trace(place: str, row: Sequence[str], of: Mapping[str, tuple[int, ...]]) -> Trace:
    cells = {what: [row[each] for each in places if each < len(row)] for what, places in of.items()}
    said = {what: values[0] for what, values in cells.items() if values and not is_blank(values[0])}
    fields: dict[str, Any] = {name: said[name] for name in ("answer", "error", "condition") if name in said}
    if "abstained" in said and truth_of(said["abstained"], "abstained"):
        fields["abstained"] = True
    numbers = {name: _number(said[name], name) for name in _NUMBERS if name in said}
    fields |= {name: numbers[name] for name in ("cost", "latency") if name in numbers}
    if "repeat" in numbers:
        fields["repeat"] = _whole(numbers["repeat"], "repeat")
    if "latency_ms" in numbers:
        fields["latency"] = numbers["latency_ms"] / 1000
    usage = {name: _whole(numbers[name], name) for name in ("input_tokens", "output_tokens") if name in numbers}
    if CONTEXTS in of or "context_ids" in of:
        fields["contexts"] = contexts = _contexts(cells.get(CONTEXTS, ()), cells.get("context_ids", ()))
        if not contexts and "answer" in fields:
            usage["retrievals"] = 1  # the table shows what was retrieved: nothing
    if usage:
        fields["usage"] = usage
    if "answer" not in fields and not fields.get("abstained"):
        fields.setdefault("error", "no answer")
    question = said.get("question")
    return Trace(place, fields, said["id"].strip() if "id" in said else None, () if question is None else (question,))


def _contexts(texts: Sequence[str], ids: Sequence[str]) -> list[dict[str, Any]]:
    """Contexts of cells: one text each, or lists that a program wrote into one."""
    found = [context for cell in texts if not is_blank(cell) for context in _items(cell)]
    names = [str(name).strip() for cell in ids if not is_blank(cell) for name in _names(cell)]
    contexts = [dict(each) if isinstance(each, Mapping) else {"text": str(each)} for each in found if each is not None]
    if names and contexts and len(names) != len(contexts):
        raise UnreadableCell(f"{len(contexts)} contexts and {len(names)} ids of contexts")
    if names:
        contexts = contexts or [{} for _ in names]
        contexts = [{**context, "id": name} for context, name in zip(contexts, names, strict=True)]
    return contexts


def _items(cell: str) -> Sequence[Any]:
    written = written_list(cell.strip())
    return [cell] if written is None else written


def _names(cell: str) -> Sequence[Any]:
    written = written_list(cell.strip())
    return [name for name in re.split(r"[;,|\s]+", cell.strip()) if name] if written is None else written


def _number(text: str, what: str) -> float:
    try:
        number = float(text.strip().replace(",", ".") if text.count(",") == 1 and "." not in text else text)
    except ValueError:
        raise UnreadableCell(f"{what} is no number: {text.strip()[:40]!r}") from None
    if not 0 <= number < 1e15:
        raise UnreadableCell(f"{what} cannot be {text.strip()[:40]!r}")
    return number


def _whole(number: float, what: str) -> int:
    if number != int(number):
        raise UnreadableCell(f"{what} is no whole number: {number:g}")
    return int(number)
