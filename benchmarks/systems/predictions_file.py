"""`FILE.jsonl`: predictions made elsewhere, one JSON object a line."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.systems.base import Answerer, Opening, System, SystemKind
from benchwright.benchmarks.text.slugs import slug
from benchwright.benchmarks.types import Document


def open_file(reference: str, opening: Opening) -> System:
    """The system that made a file of predictions, which cannot be asked any more; its settings are the file's hash.

    Raises:
        BenchwrightError: there is no such file.
    """
    path = Path(reference)
    if path.is_dir():
        raise BenchwrightError(f"{path} is a folder: give the file of predictions in it")
    if not path.is_file():
        raise BenchwrightError(f"there is no file of predictions {path}: check the path")
    with path.open("rb") as file:
        settings = {"sha256": hashlib.file_digest(file, "sha256").hexdigest()}
    return System(
        name=slug(path.stem, "predictions"),
        kind="file of predictions",
        reference=path.name,
        description="predictions made elsewhere",
        prepare=_cannot_be_asked,
        settings=settings,
        predictions=path,
    )


_OTHER_FILES = (".json", ".ndjson", ".txt", ".parquet", ".xlsx", ".gz")


def _cannot_be_asked(documents: Mapping[str, Document]) -> Answerer:
    raise BenchwrightError("a file of predictions cannot be asked")


def _hint(reference: str) -> str | None:
    suffix = Path(reference).suffix.lower()
    if suffix == ".xlsx":
        return "save the table as CSV, and give FILE.csv"
    if suffix == ".json" and Path(reference).is_file():
        return "it holds no traces of OpenTelemetry; predictions are one JSON object a line, in a file named FILE.jsonl"
    if suffix in _OTHER_FILES:
        return "predictions are one JSON object a line, in a file named FILE.jsonl"
    return None


KIND = SystemKind(
    name="predictions-file",
    matches=lambda reference: reference.lower().endswith(".jsonl") and "://" not in reference,
    open=open_file,
    order=30,
    form="FILE.jsonl",
    hint=_hint,
)
