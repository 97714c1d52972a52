"""Traces of a system that answered elsewhere: `FILE.csv`, `FILE.tsv`, and files of OpenTelemetry's spans."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.systems.base import Answerer, Opening, ReadLine, System, SystemKind
from benchwright.benchmarks.systems.traces.assembly import assembled
from benchwright.benchmarks.systems.traces.spans import holds_spans, read_spans
from benchwright.benchmarks.systems.traces.tables import open_table, read_rows
from benchwright.benchmarks.systems.traces.trace import QuestionIndex, as_lines
from benchwright.benchmarks.text.csv_files import ENDINGS
from benchwright.benchmarks.text.slugs import slug
from benchwright.benchmarks.types import Document, Question

_OF_SPANS = (".json", ".jsonl", ".ndjson", ".otlp", ".txt", ".log")


def open_traces(reference: str, opening: Opening) -> System:
    """The system that left a file of traces; its settings are the file's hash, and the columns where they were said.

    Raises:
        UsageError: the columns that were said are not there.
        BenchwrightError: there is no such file, or it is no table of questions and answers.
    """
    path = Path(reference)
    if not path.is_file():
        raise BenchwrightError(f"there is no file of traces {path}: check the path")
    with path.open("rb") as file:
        settings: dict[str, Any] = {"sha256": hashlib.file_digest(file, "sha256").hexdigest()}
    if path.suffix.lower() in ENDINGS:
        read, told = _of_table(path, opening.columns)
        settings |= {"columns": opening.columns} if opening.columns else {}
    elif opening.columns:
        raise UsageError(f"--columns is for tables, and {path.name} is one of spans")
    else:
        read, told = _of_spans(path), "spans of OpenTelemetry"
    return System(
        name=slug(path.stem, "traces"),
        kind="file of traces",
        reference=path.name,
        description=f"traces of a system that answered elsewhere: {told}",
        prepare=_cannot_be_asked,
        settings=settings,
        predictions=path,
        read=read,
    )


def _of_table(path: Path, columns: str | None) -> tuple[Callable[[Sequence[Question]], Iterator[ReadLine]], str]:
    file, chosen = open_table(path, columns)
    return lambda questions: as_lines(read_rows(file, chosen), QuestionIndex(questions)), chosen.told


def _of_spans(path: Path) -> Callable[[Sequence[Question]], Iterator[ReadLine]]:
    def read(questions: Sequence[Question]) -> Iterator[ReadLine]:
        index = QuestionIndex(questions)
        return as_lines(assembled(read_spans(path), index), index)

    return read


def _cannot_be_asked(documents: Mapping[str, Document]) -> Answerer:
    raise BenchwrightError("a file of traces cannot be asked")


def _matches(reference: str) -> bool:
    ending = Path(reference).suffix.lower()
    if "://" in reference or ":" in reference.partition("/")[0]:
        return False
    return ending in ENDINGS or (ending in _OF_SPANS and Path(reference).is_file() and holds_spans(Path(reference)))


KIND = SystemKind(
    name="trace-file",
    matches=_matches,
    open=open_traces,
    order=25,  # before files of predictions: spans may be in a FILE.jsonl
    form="FILE.csv",
)
