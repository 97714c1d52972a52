"""A file of figures beside a release's data, as JSON of a dataclass: no part of the content hash."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pydantic import TypeAdapter, ValidationError

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.plain_files import check_file
from benchwright.benchmarks.validation import in_one_line

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Shape = TypeVar("Shape")


def figures_text(figures: "DataclassInstance") -> str:
    """What the file holds."""
    return json.dumps(asdict(figures), ensure_ascii=False, indent=1) + "\n"


def parse_figures(shape: type[Shape], data: bytes, place: str) -> Shape:
    """What a file holds that lies at a place.

    Raises:
        BenchwrightError: it is not as it must be.
    """
    try:
        return TypeAdapter(shape).validate_json(data)
    except (ValidationError, RecursionError) as error:
        said = in_one_line(error, {}) if isinstance(error, ValidationError) else str(error)
        raise BenchwrightError(f"{place} is not as it must be: {said:.500}") from None


def read_figures(shape: type[Shape], folder: Path, name: str, most_bytes: int) -> Shape | None:
    """What a release's file holds; None where there is no such file.

    Args:
        shape: the dataclass that the file holds.
        folder: of the release.
        name: of the file.
        most_bytes: a file of more is not read.

    Raises:
        BenchwrightError: the file cannot be read, or is not as it must be.
    """
    path = folder / name
    if not path.exists() and not path.is_symlink():
        return None
    try:
        check_file(path, folder)
        with path.open("rb") as file:
            data = file.read(most_bytes + 1)
        if len(data) > most_bytes:
            raise ValueError(f"it has more than {most_bytes:,} bytes")
    except (OSError, ValueError) as error:
        raise BenchwrightError(f"{path} cannot be read: {error}") from None
    return parse_figures(shape, data, str(path))
