"""The predictions of a run on disk: appended as they arrive, read by key."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.predictions import OWN, Key, Prediction, parse_prediction


@dataclass(frozen=True)
class _Stored:
    """What of a line is looked at when a file is opened."""

    id: str
    condition: str | None = None
    repeat: int | None = None
    samples: tuple[str, ...] | None = None


@cache
def _adapter() -> TypeAdapter[_Stored]:
    return TypeAdapter(_Stored)


def prediction_line(prediction: Prediction) -> str:
    """A prediction as one line of JSON, without the fields that hold nothing."""
    values = asdict(prediction)
    values["contexts"] = [
        {key: value for key, value in each.items() if value is not None and key != "document"}
        for each in values["contexts"]
    ]
    values["usage"] = {
        key: value for key, value in values["usage"].items() if value or (key == "retrievals" and value is not None)
    }
    kept = {key: value for key, value in values.items() if value not in (None, (), [], {})}
    required = {"id": prediction.id, "answer": prediction.answer, "abstained": prediction.abstained}
    required |= {"condition": prediction.condition, "repeat": prediction.repeat}
    return json.dumps({**required, **kept}, ensure_ascii=False, separators=(",", ":"))


class PredictionStore:
    """The predictions of a run: appended one by one, read by key. A cut-off last line is dropped when it is opened."""

    def __init__(self, path: Path) -> None:
        """Opens a file of predictions, which may be missing.

        Raises:
            BenchwrightError: a line is no prediction, or one stands there twice.
        """
        self.path = path
        self._offsets: dict[Key, tuple[int, int]] = {}
        self._file = path.open("a+b")
        self.has_samples = False
        """Whether any prediction has further answers to its question."""
        self._end = self._read_keys()

    def _read_keys(self) -> int:
        self._file.seek(0)
        end = 0
        for number, line in enumerate(self._file, start=1):
            if not line.endswith(b"\n"):
                self._file.truncate(end)
                break
            key = self._key_of(line, number)
            if key in self._offsets:
                raise BenchwrightError(
                    f"{self.path}, line {number}: a second answer to {key[0]!r}: delete one of them, or use --again"
                )
            self._offsets[key] = (end, number)
            end += len(line)
        return end

    def _key_of(self, line: bytes, number: int) -> Key:
        try:
            stored = _adapter().validate_json(line, strict=True)
        except ValidationError:
            try:
                stored = _Stored(**{name: json.loads(line).get(name) for name in _Stored.__dataclass_fields__})
                if not isinstance(stored.id, str):
                    raise TypeError
            except (ValueError, TypeError, AttributeError, RecursionError):
                raise BenchwrightError(
                    f"{self.path}, line {number}: not a prediction: delete the line, or use --again"
                ) from None
        self.has_samples |= bool(stored.samples)
        return stored.id, stored.condition or OWN, stored.repeat or 0

    def __contains__(self, key: Key) -> bool:
        return key in self._offsets

    def __len__(self) -> int:
        return len(self._offsets)

    @property
    def keys(self) -> Iterator[Key]:
        """Id, condition and repeat of every prediction, in stored order."""
        return iter(self._offsets)

    @property
    def size(self) -> int:
        """Bytes of all lines."""
        return self._end

    def append(self, prediction: Prediction) -> None:
        """Writes a prediction, so that it outlives the process."""
        line = prediction_line(prediction).encode("utf-8", "replace") + b"\n"
        self._file.write(line)
        self._file.flush()
        self.has_samples |= bool(prediction.samples)
        self._offsets[prediction.key] = (self._end, len(self._offsets) + 1)
        self._end += len(line)

    def read(self, key: Key) -> Prediction | None:
        """The prediction of a key; None where there is none."""
        place = self._offsets.get(key)
        if place is None:
            return None
        self._file.seek(place[0])
        return parse_prediction(self._file.readline(), number=place[1], source=str(self.path))

    def close(self) -> None:
        """Closes the file."""
        self._file.close()
