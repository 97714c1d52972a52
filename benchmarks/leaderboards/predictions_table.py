"""Predictions as Parquet, as a submission holds them: a row each, with the names that a line of JSON has.

Rows stand in the order of the run. What a prediction lacks is null. A file of a submitter who keeps contexts back has
no column `contexts` at all, which tells it from that of a system that retrieved nothing.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.predictions import Prediction, Usage
from benchwright.benchmarks.releases.budget import FileReader

CONTEXTS = "contexts"
_STEP = pa.struct(
    [
        ("step", pa.string()),
        ("role", pa.string()),
        ("input_tokens", pa.int64()),
        ("output_tokens", pa.int64()),
        ("calls", pa.int64()),
        ("cost", pa.float64()),
    ]
)
_USAGE = pa.struct(
    [
        ("input_tokens", pa.int64()),
        ("output_tokens", pa.int64()),
        ("calls", pa.int64()),
        ("retrievals", pa.int64()),
        ("steps", pa.list_(_STEP)),
    ]
)
_CONTEXT = pa.struct(
    [
        ("id", pa.string()),
        ("uri", pa.string()),
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("score", pa.float64()),
        ("text", pa.string()),
    ]
)
SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("condition", pa.string()),
        ("repeat", pa.int64()),
        ("answer", pa.string()),
        ("abstained", pa.bool_()),
        ("error", pa.string()),
        ("samples", pa.list_(pa.string())),
        (CONTEXTS, pa.list_(_CONTEXT)),
        ("usage", _USAGE),
        ("cost", pa.float64()),
        ("latency", pa.float64()),
    ]
)
_WITHOUT_CONTEXTS = SCHEMA.remove(SCHEMA.get_field_index(CONTEXTS))
_PLAIN = tuple(name for name in SCHEMA.names if name not in (CONTEXTS, "usage"))
_OF_CONTEXT = tuple(field.name for field in _CONTEXT)
_NO_USAGE = Usage()
_GROUP_ROWS, _GROUP_BYTES = 20_000, 64_000_000
"""Of a row group, at most about."""
_DICTIONARY_BYTES = 16_000_000
"""Contexts are the same few passages again and again: with the usual limit each would be stored many times."""


def write_predictions_table(path: Path, predictions: Iterable[Prediction], *, with_contexts: bool = True) -> int:
    """Writes predictions as Parquet, some thousands at a time; the same predictions give the same bytes.

    Args:
        path: where they go.
        predictions: in the order of the run.
        with_contexts: whether the contexts go with them.

    Returns:
        How many there are.

    Raises:
        BenchwrightError: a value does not go into a table, such as a number of more than 64 bits.
    """
    schema = SCHEMA if with_contexts else _WITHOUT_CONTEXTS
    rows: list[Mapping[str, Any]] = []
    size = count = 0
    with pq.ParquetWriter(
        path, schema, compression="zstd", dictionary_pagesize_limit=_DICTIONARY_BYTES, store_schema=False
    ) as writer:

        def flush() -> None:
            try:
                writer.write_table(pa.Table.from_pylist(rows, schema=schema), row_group_size=len(rows) or None)
            except (pa.ArrowException, OverflowError, ValueError) as error:
                first, last = rows[0]["id"], rows[-1]["id"]
                said = next(iter(str(error).splitlines()), type(error).__name__)
                raise BenchwrightError(
                    f"the predictions from {first!r} to {last!r} do not go into a table ({said}): correct them"
                ) from None
            rows.clear()

        for prediction in predictions:
            rows.append(_row(prediction))
            size += _size(prediction) if with_contexts else 200
            count += 1
            if len(rows) >= _GROUP_ROWS or size >= _GROUP_BYTES:
                flush()
                size = 0
        if rows or not count:
            flush()
    return count


def _row(prediction: Prediction) -> Mapping[str, Any]:
    """A prediction as a row, without usage where nothing of it is said; `asdict` takes ten times as long."""
    row: dict[str, Any] = {name: getattr(prediction, name) for name in _PLAIN}
    row[CONTEXTS] = [{name: getattr(each, name) for name in _OF_CONTEXT} for each in prediction.contexts]
    usage = prediction.usage
    if usage != _NO_USAGE:
        said = {name: getattr(usage, name) or None for name in ("input_tokens", "output_tokens", "calls")}
        row["usage"] = {**said, "retrievals": usage.retrievals, "steps": [asdict(each) for each in usage.steps]}
    return row


def _size(prediction: Prediction) -> int:
    return 200 + sum(len(each.text or "") + 100 for each in prediction.contexts)


def holds_contexts(path: Path) -> bool:
    """Whether contexts were handed in, were it none to every question.

    Raises:
        BenchwrightError: the file cannot be read.
    """
    return CONTEXTS in _reader(path).names


def read_prediction_lines(path: Path) -> Iterator[str]:
    """The rows of a table, each as a line of JSON such as a run keeps, for `read_prediction` to look at.

    What the file unfolds to is bounded by its size; see `releases/budget.py`.

    Raises:
        BenchwrightError: it is no such table, unfolds to more than it may, or a number is not finite.
    """
    reader = _reader(path)
    names = reader.names
    unknown = [name for name in names if name not in SCHEMA.names]
    if unknown:
        raise BenchwrightError(
            f"{path.name} has a column {unknown[0]!r}, which predictions have not: write it with submit-system"
        )
    if "id" not in names:
        raise BenchwrightError(f"{path.name} has no column 'id': write it with submit-system")
    schema = pa.schema([field for field in SCHEMA if field.name in names])
    number = 0
    try:
        for batch in reader.batches(schema):
            for row in batch.to_pylist():
                number += 1
                yield _line(row, f"{path.name}, row {number}")
    except (pa.ArrowException, OSError, ValueError) as error:
        said = next(iter(str(error).splitlines()), type(error).__name__)
        raise BenchwrightError(f"{path.name} cannot be read as predictions: {said}") from None


def _reader(path: Path) -> FileReader:
    try:
        return FileReader(path)
    except (pa.ArrowException, OSError, ValueError) as error:
        said = next(iter(str(error).splitlines()), type(error).__name__)
        raise BenchwrightError(f"{path.name} is not a Parquet file: {said}") from None


def _line(row: Mapping[str, Any], where: str) -> str:
    """A row as JSON, without what is null or empty.

    Raises:
        BenchwrightError: a number is not finite.
    """
    held = _held(row, where)
    for name in ("condition", "answer"):
        held.setdefault(name, "own" if name == "condition" else None)
    return json.dumps(held, ensure_ascii=False, separators=(",", ":"))


def _held(row: Mapping[str, Any], where: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise BenchwrightError(f"{where}: {name!r} must be a finite number, and is {value}")
        if isinstance(value, Mapping):
            value = _held(value, where)
        elif isinstance(value, list):
            if None in value:
                raise BenchwrightError(f"{where}: an item of {name!r} is null")
            value = [_held(each, where) if isinstance(each, Mapping) else each for each in value]
        if value is not None and value != [] and value != {}:
            found[name] = value
    return found
