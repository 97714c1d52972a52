"""What people chose of a release's pairs, from a file: the columns of the config `labels`, one JSON object a line.

    {"pair_id": "p-17", "dimension": "faithfulness", "annotator": "Ann", "choice": "first", "resolved": false}

Only `pair_id`, `dimension` and `choice` are required. `annotate RELEASE --merge FILES…` writes such a file.
"""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.records import BadLine, problem_of, read_records


@dataclass(frozen=True)
class _Label:
    pair_id: str
    dimension: str
    choice: str | None
    annotator: str | None = None
    resolved: bool | None = None


@cache
def _adapter() -> TypeAdapter[_Label]:
    return TypeAdapter(_Label)


def read_labels(path: Path, ids: Collection[str], where: str) -> list[Mapping[str, Any]]:
    """The labels of a file, as rows of the config.

    Args:
        path: the file.
        ids: of the pairs.
        where: what they are of: for messages.

    Raises:
        BenchwrightError: there is no such file, it holds no label, or a line is none or of a pair that there is not.
    """
    if not path.is_file():
        raise BenchwrightError(f"there is no file of labels {path}: check the path")
    found: list[Mapping[str, Any]] = []
    for number, label in read_records(path, lambda line: _adapter().validate_json(line, strict=True)):
        place = f"{path.name}, line {number}"
        if isinstance(label, BadLine):
            what = problem_of(label.error) if isinstance(label.error, ValidationError) else "not JSON"
            raise BenchwrightError(f"{place}: {what}: a label of a pair needs 'pair_id', 'dimension' and 'choice'")
        if label.pair_id not in ids:
            raise BenchwrightError(f"{place}: no pair {label.pair_id!r} in {where}: is the file of another release?")
        found.append(asdict(label))
    if not found:
        raise BenchwrightError(f"{path.name} holds no label: write one JSON object a line")
    return found
