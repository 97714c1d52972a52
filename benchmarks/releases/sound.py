"""Whether the rows of a file hold what every row must: whoever reads them can then do without asking."""

from pathlib import Path

import numpy as np
import pyarrow as pa

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.schemas import QUESTIONS, ConfigSchema

_MAY_LACK = frozenset({"fact"})
"""Fields of a struct that may be null."""


def always_there(config: ConfigSchema) -> frozenset[str]:
    """The columns in which every row of a config has a value."""
    named = [*config.references, *([config.id] if config.id else [])]
    if config is QUESTIONS:
        named.append("question")
    return frozenset(named)


def check_sound(batch: pa.RecordBatch, needed: frozenset[str], path: Path, first: int) -> None:
    """Looks for what is missing.

    Args:
        batch: rows of a file.
        needed: the columns in which every row has a value.
        path: the file.
        first: how many rows of the file come before them.

    Raises:
        BenchwrightError: an id, a reference, a question, or a text within a list is missing.
    """
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        if name in needed and column.null_count:
            row = first + int(np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False))[0])
            raise BenchwrightError(f"{path}: row {row + 1:,} has no {name}: build or download the release again")
        if pa.types.is_list(column.type) and _lacks_item(column.flatten()):
            rows = (row for row, value in enumerate(column) if value.is_valid and _lacks_item(value.values))
            raise BenchwrightError(
                f"{path}: row {first + next(rows, 0) + 1:,} has nothing where {name} must have a value: build or "
                "download the release again"
            )


def _lacks_item(items: pa.Array) -> bool:
    """Whether a text, a number or a struct of a list is null; a list within it may be."""
    if pa.types.is_list(items.type):
        return _lacks_item(items.flatten())
    if items.null_count:
        return True
    if pa.types.is_struct(items.type):
        fields = zip(items.type, items.flatten(), strict=True)
        return any(_lacks_item(values) for field, values in fields if field.name not in _MAY_LACK)
    return False
