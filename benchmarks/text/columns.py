"""Columns of somebody's table: by the names that people give them, or as it was said which is what."""

import json
import re
from collections.abc import Sequence

from benchwright.benchmarks.errors import UsageError

_SHOWN = 12
_LONGEST = 80


def column_pairs(text: str) -> list[tuple[str, str]]:
    """What a column is and its name, of `question=Prompt,answer=Reply`, or of a JSON object where names have commas.

    Raises:
        UsageError: it is neither.
    """
    if text.lstrip().startswith("{"):
        try:
            found = json.loads(text)
        except ValueError as error:
            raise UsageError(f"columns is no JSON object: {error}") from None
        listed = [
            (what, each) for what, value in found.items() for each in (value if isinstance(value, list) else [value])
        ]
        if not all(isinstance(column, str) for _, column in listed):
            raise UsageError("columns: every value of the JSON object must be the name of a column")
        return listed
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    wrong = next((what for what, equals, _ in pairs if not equals), None)
    if wrong is not None:
        raise UsageError(f"columns: {wrong.strip()!r} is no pair: write question=COLUMN,answer=COLUMN")
    return [(what.strip(), column.strip()) for what, _, column in pairs]


def plain_name(name: str) -> str:
    """A column's name as the list of usual ones has it: `Ground Truth` and `groundTruth` are `ground_truth`."""
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip())
    return re.sub(r"[\s\-.]+", "_", split).lower()


def listed(names: Sequence[str]) -> str:
    """Names of columns, as many as a person reads."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(name[:_LONGEST] for name in names[:_SHOWN]) + more if names else "none"
