"""The predictions of a run on disk: appended as they arrive, read by key.

A prediction whose system failed is asked again, and what comes of that is appended: of two lines of one key the later
counts where the earlier has no answer. So it does where it has more samples: an answer that gets further ones is
appended again with them. The earlier line is cleared away when the file is opened next.
"""

import json
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import IO, Any, Required

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.predictions import (
    OWN,
    UNSUPPORTED,
    Context,
    Key,
    Prediction,
    StepUsage,
    Usage,
    parse_prediction,
)


class _Stored(TypedDict, total=False):
    """What of a line is looked at when a file is opened."""

    id: Required[str]
    condition: str | None
    repeat: int | None
    samples: list[str] | None
    answer: str | None
    abstained: bool | None
    error: str | None


@cache
def _adapter() -> TypeAdapter[_Stored]:
    return TypeAdapter(_Stored)


_FIELDS, _OF_CONTEXT, _OF_USAGE, _OF_STEP = (
    tuple(each.name for each in fields(kind)) for kind in (Prediction, Context, Usage, StepUsage)
)
_KEPT_OF_CONTEXT = tuple(name for name in _OF_CONTEXT if name != "document")
_ALWAYS = ("id", "answer", "abstained", "condition", "repeat")


def prediction_line(prediction: Prediction) -> str:
    """A prediction as one line of JSON, without the fields that hold nothing."""
    values = {name: getattr(prediction, name) for name in _FIELDS}
    values["contexts"] = [_held(each, _KEPT_OF_CONTEXT) for each in prediction.contexts]
    values["usage"] = _without_zeros(prediction.usage, _OF_USAGE, "retrievals")
    if prediction.usage.steps:
        values["usage"]["steps"] = [_without_zeros(each, _OF_STEP, "cost") for each in prediction.usage.steps]
    required = {name: values[name] for name in _ALWAYS}
    kept = {name: value for name, value in values.items() if value not in (None, (), [], {}) and value is not False}
    return json.dumps({**required, **kept}, ensure_ascii=False, separators=(",", ":"))


def _held(record: object, names: Sequence[str]) -> dict[str, Any]:
    """The fields of a record that hold something; `dataclasses.asdict` takes ten times as long."""
    return {name: value for name in names if (value := getattr(record, name)) is not None}


def _without_zeros(record: object, names: Sequence[str], known: str) -> dict[str, Any]:
    """The fields of a record that hold something and are not 0; one of them is kept where it is 0, and so is known."""
    return {name: value for name, value in _held(record, names).items() if value or name == known}


@dataclass
class StoredLines:
    """The lines of a file of predictions, by key."""

    numbers: dict[Key, int] = field(default_factory=dict)
    """The number of each key's line, from 1."""
    failed: set[Key] = field(default_factory=set)
    """Those without an answer, which may be asked again."""
    unsupported: set[Key] = field(default_factory=set)
    """Those that were not asked."""
    samples: dict[Key, int] = field(default_factory=dict)
    """How many further answers those have that have any."""
    superseded: int = 0
    """Lines that a later line took the place of."""
    begins: "array[int]" = field(default_factory=lambda: array("q"))
    """Where each line begins, in bytes: of 100,000 lines in 0.8 MB."""
    end: int = 0
    """Bytes of all whole lines."""

    def add(self, key: Key, stored: Mapping[str, Any], length: int) -> None:
        """Takes a line in: its key, its fields, and how many bytes it has."""
        self.begins.append(self.end)
        if key in self.numbers:
            self.superseded += 1
            self.failed.discard(key)
            del self.numbers[key]  # so that keys are in stored order
        self.numbers[key] = len(self.begins)
        self.end += length
        if samples := stored.get("samples"):
            self.samples[key] = len(samples)
        if (stored.get("error") or "").startswith(UNSUPPORTED):
            self.unsupported.add(key)
        elif stored.get("answer") is None and not stored.get("abstained"):
            self.failed.add(key)

    def place(self, key: Key) -> tuple[int, int] | None:
        """Where the line of a key begins, in bytes, and its number."""
        number = self.numbers.get(key)
        return None if number is None else (self.begins[number - 1], number)


def _read_lines(file: IO[bytes], path: Path) -> StoredLines:
    """The whole lines of a file of predictions.

    Raises:
        BenchwrightError: a line is no prediction, or answers what was answered before.
    """
    found = StoredLines()
    for number, line in enumerate(file, start=1):
        if not line.endswith(b"\n"):
            break
        stored = _read_stored(line, number, path)
        key = stored["id"], stored.get("condition") or OWN, stored.get("repeat") or 0
        has_more = len(stored.get("samples") or ()) > found.samples.get(key, 0)
        if key in found.numbers and key not in found.failed and not has_more:
            raise BenchwrightError(
                f"{path}, line {number}: a second answer to {key[0]!r}: delete one of them, or use --again"
            )
        found.add(key, stored, len(line))
    return found


def _read_stored(line: bytes, number: int, path: Path) -> _Stored:
    try:
        return _adapter().validate_json(line, strict=True)
    except ValidationError:
        try:
            values = json.loads(line)
            stored = _Stored(id=values["id"], **{name: values.get(name) for name in _Stored.__optional_keys__})
            if not isinstance(stored["id"], str):
                raise TypeError
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise BenchwrightError(
                f"{path}, line {number}: not a prediction: delete the line, or use --again"
            ) from None
        return stored


def stored_predictions(path: Path) -> Iterator[Prediction]:
    """The predictions of a file that may be being written, in the order in which they were said; it is left as it is.

    Raises:
        BenchwrightError: a line is no prediction, or answers what was answered before.
    """
    with path.open("rb") as file:
        lines = _read_lines(file, path)
        for number in lines.numbers.values():
            file.seek(lines.begins[number - 1])
            yield parse_prediction(file.readline(), number=number, source=str(path))


def settled_keys(path: Path) -> set[Key]:
    """What a file of predictions, which may be missing, need not be asked again for; it is left as it is.

    Raises:
        BenchwrightError: a line is no prediction, or answers what was answered before.
    """
    if not path.is_file():
        return set()
    with path.open("rb") as file:
        lines = _read_lines(file, path)
    return lines.numbers.keys() - lines.failed


def has_answers(path: Path) -> bool:
    """Whether a file of predictions, which may be missing, holds any answer, or what nobody can read."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        try:
            lines = _read_lines(file, path)
        except BenchwrightError:
            return True
    return bool(lines.numbers.keys() - lines.failed - lines.unsupported)


class PredictionStore:
    """The predictions of a run: appended one by one, read by key; of one process at a time.

    When it is opened, a cut-off last line is dropped, and so are failures that were asked again.
    """

    def __init__(self, path: Path, lines: StoredLines | None = None) -> None:
        """Opens a file of predictions, which may be missing.

        Args:
            path: the file.
            lines: those of a file that was checked and written just now.

        Raises:
            BenchwrightError: a line is no prediction, or answers what was answered before.
        """
        self.path = path
        self.is_checked = lines is not None
        """Whether each line is known to be a prediction as a run keeps it; else only what of it was looked at is."""
        self._file = path.open("a+b")
        self._file.seek(0)
        self._lines = _read_lines(self._file, path) if lines is None else lines
        self._file.truncate(self._lines.end)
        self.clear()

    def clear(self) -> None:
        """Writes the file anew, in one step, without lines that a later one took the place of, where there are any."""
        if not self._lines.superseded:
            return
        part = self.path.with_name(f".{self.path.name}")
        with part.open("wb") as kept:
            for number in self._lines.numbers.values():
                self._file.seek(self._lines.begins[number - 1])
                kept.write(self._file.readline())
        self._file.close()
        part.replace(self.path)
        self._file = self.path.open("a+b")
        self._file.seek(0)
        self._lines = _read_lines(self._file, self.path)

    def __contains__(self, key: Key) -> bool:
        return key in self._lines.numbers

    def __len__(self) -> int:
        return len(self._lines.numbers)

    @property
    def keys(self) -> Iterator[Key]:
        """Id, condition and repeat of every prediction, in stored order."""
        return iter(self._lines.numbers)

    @property
    def failed(self) -> set[Key]:
        """Those of which the system gave no answer, though it was asked."""
        return self._lines.failed

    @property
    def answers(self) -> int:
        """Predictions that are neither failed nor unsupported."""
        return len(self) - len(self._lines.failed) - len(self._lines.unsupported)

    @property
    def has_samples(self) -> bool:
        """Whether any prediction has further answers to its question."""
        return bool(self._lines.samples)

    def samples(self, key: Key) -> int:
        """How many further answers the prediction of a key has."""
        return self._lines.samples.get(key, 0)

    def add_samples(self, key: Key, samples: Sequence[str]) -> None:
        """Gives an answer further ones to its question, after those that it has, so that they outlive the process."""
        prediction = self.read(key)
        if prediction is not None and samples:
            self.append(replace(prediction, samples=(*prediction.samples, *samples)))

    @property
    def size(self) -> int:
        """Bytes of all lines."""
        return self._lines.end

    def is_settled(self, key: Key) -> bool:
        """Whether a key need not be asked again: it has an answer, or cannot be asked."""
        return key in self._lines.numbers and key not in self._lines.failed

    def is_answered(self, key: Key) -> bool:
        """Whether a key has an answer."""
        return self.is_settled(key) and key not in self._lines.unsupported

    def append(self, prediction: Prediction) -> None:
        """Writes a prediction, so that it outlives the process; it takes the place of a failed one of its key."""
        line = prediction_line(prediction).encode("utf-8", "replace") + b"\n"
        self._file.write(line)
        self._file.flush()
        looked_at = ("samples", "answer", "abstained", "error")
        self._lines.add(prediction.key, {name: getattr(prediction, name) for name in looked_at}, len(line))

    def read(self, key: Key) -> Prediction | None:
        """The prediction of a key; None where there is none."""
        line = self.line(key)
        return None if line is None else parse_prediction(line[0], number=line[1], source=str(self.path))

    def line(self, key: Key) -> tuple[bytes, int] | None:
        """The line of a key, and its number."""
        place = self._lines.place(key)
        if place is None:
            return None
        self._file.seek(place[0])
        return self._file.readline(), place[1]

    def close(self) -> None:
        """Closes the file."""
        self._file.close()
