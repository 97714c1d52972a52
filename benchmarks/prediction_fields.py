"""A line of predictions as plain fields: as strictly checked as a `Prediction`, and read three times as fast.

For programs that look at few fields of many predictions. What is not written as a run keeps it (null for a default, a
text as context) is read as a `Prediction` first: both readers take the same lines and refuse the same lines.
"""

from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Required

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json
from typing_extensions import TypedDict

from benchwright.benchmarks.predictions import OWN, UNSUPPORTED, Count, Finite, Key, Prediction, parse_prediction


class ContextFields(TypedDict, total=False):
    """See `Context`."""

    id: str | None
    text: str | None
    start: Count | None
    end: Count | None
    score: Finite | None
    uri: str | None


class StepFields(TypedDict, total=False):
    """See `StepUsage`."""

    step: Required[str]
    role: str | None
    input_tokens: Count
    output_tokens: Count
    calls: Count
    cost: Finite | None


class UsageFields(TypedDict, total=False):
    """See `Usage`."""

    input_tokens: Count
    output_tokens: Count
    calls: Count
    retrievals: Count | None
    steps: list[StepFields]


class PredictionFields(TypedDict, total=False):
    """See `Prediction`; what is absent has its default."""

    id: Required[str]
    answer: str | None
    abstained: bool
    condition: str
    repeat: Count
    samples: list[str]
    contexts: list[ContextFields]
    usage: UsageFields
    cost: Finite | None
    latency: Finite | None
    error: str | None
    cut_off: bool


@cache
def _adapter() -> TypeAdapter[PredictionFields]:
    return TypeAdapter(PredictionFields)


def read_fields(line: bytes, *, number: int, source: str) -> PredictionFields:
    """The fields of a prediction from one line of JSON.

    Args:
        line: the line.
        number: its number in the file, from 1, for messages.
        source: the file's name, for messages.

    Raises:
        BenchwrightError: the line is no prediction; see `parse_prediction`.
    """
    found = plain_fields(line)
    return fields_of(parse_prediction(line, number=number, source=source)) if found is None else found


def plain_fields(line: bytes) -> PredictionFields | None:
    """The fields of a prediction that is written as a run keeps it; None where it is not, or is none."""
    try:
        found = _adapter().validate_json(line, strict=True)
    except ValidationError:
        return None
    return found if _is_whole(found) else None


def checked_fields(line: bytes) -> PredictionFields:
    """The fields of a line that `plain_fields` took before: as they stand there, unknown ones too."""
    return from_json(line)


def key_of(found: PredictionFields) -> Key:
    """What no two predictions of a run share: id, condition, repeat."""
    return found["id"], found.get("condition", OWN), found.get("repeat", 0)


def is_failed(found: PredictionFields) -> bool:
    """Whether the system was asked and there is no answer; see `Prediction.is_failed`."""
    if found.get("answer") is not None or found.get("abstained"):
        return False
    return not (found.get("error") or "").startswith(UNSUPPORTED)


def shows_retrieval(found: PredictionFields) -> bool:
    """Whether it shows what was retrieved; see `Prediction.shows_retrieval`."""
    return bool(found.get("contexts") or found.get("usage", {}).get("retrievals"))


def _is_whole(found: PredictionFields) -> bool:
    """Whether nothing is missing, and the offsets of each context are in order."""
    if found.get("answer") is None and not found.get("abstained") and found.get("error") is None:
        return False
    for context in found.get("contexts", ()):
        if "end" in context or context.get("id") is None:
            start, end = context.get("start"), context.get("end")
            if start is not None and end is not None and end < start:
                return False
            if all(context.get(name) is None for name in ("id", "text", "uri")):
                return False
    return True


def fields_of(prediction: Prediction) -> PredictionFields:
    """A prediction's fields, without those that hold nothing."""
    return _plain(prediction)


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        named = {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
        return {name: held for name, held in named.items() if held is not None}
    return [_plain(each) for each in value] if isinstance(value, tuple) else value
