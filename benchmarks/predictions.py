"""What a system said: predictions and their contexts, and how one line of a predictions file is read."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.records import shown

OWN, CLOSED, GOLD, WITHOUT_GOLD = "own", "closed", "gold", "without-gold"
CONDITIONS = (OWN, CLOSED, GOLD, WITHOUT_GOLD)
"""What a system may be given: its own retrieval, nothing, the gold passages, its own without every document that states
a needed fact."""
UNSUPPORTED = "unsupported: "
"""Begins the error of a prediction whose question the system could not be put in its condition: it was not asked."""
SAID_TO_ABSTAIN = "said to abstain"
"""The reason of the score of a prediction that says itself that it abstains."""

Finite = Annotated[float, Field(allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0)]

Key = tuple[str, str, int]
"""What no two predictions of a run share: id, condition, repeat."""


@dataclass(frozen=True, slots=True)
class Context:
    """A stretch of text that a system answered from."""

    id: str | None = None
    """The system's own id, which may be that of a document of the corpus."""
    text: str | None = None
    document: Annotated[str | None, Field(validation_alias="(matched)")] = None
    """Corpus id, once it is matched to the corpus; none for a foreign context. Not read from a file."""
    start: Count | None = None
    """Offset of the first character, in Python code points into the document's text."""
    end: Count | None = None
    """Offset after the last character."""
    score: Finite | None = None
    """The retriever's; contexts are ranked by their order, whatever it is."""
    uri: str | None = None
    """Where the system has it from: its address, a path, or an id of a company's own; see `grounding/uris.py`."""

    @property
    def source(self) -> str | None:
        """The document that it is from: as matched, else its own id or URI."""
        return next((name for name in (self.document, self.id, self.uri) if name is not None), None)


@dataclass(frozen=True, slots=True)
class StepUsage:
    """What one step of an answer took, such as deciding whether to retrieve."""

    step: str
    role: str | None = None
    """Of the model that took it."""
    input_tokens: Count = 0
    output_tokens: Count = 0
    calls: Count = 0
    cost: Finite | None = None
    """In US dollars; None where it is not known."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What an answer took."""

    input_tokens: Count = 0
    output_tokens: Count = 0
    calls: Count = 0
    retrievals: Count | None = None
    """None where it was not said: then 1 with contexts. From 1 and without contexts: retrieval found nothing."""
    steps: tuple[StepUsage, ...] = ()
    """The same tokens and calls by step, of a system that takes several."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a system said to one question."""

    id: str
    """The question's."""
    answer: str | None = None
    """None where the system failed or abstained."""
    abstained: bool = False
    condition: str = OWN
    repeat: Count = 0
    samples: tuple[str, ...] = ()
    """Further answers to the same question."""
    contexts: tuple[Context, ...] = ()
    """The best first."""
    usage: Usage = field(default_factory=Usage)
    cost: Finite | None = None
    """In US dollars; None where it is not known."""
    latency: Finite | None = None
    """In seconds."""
    error: str | None = None
    cut_off: bool = False
    """The answer ended at the limit of tokens; it is scored as it stands."""

    @property
    def key(self) -> Key:
        """What no two predictions of a run share: id, condition, repeat."""
        return self.id, self.condition, self.repeat

    @property
    def is_unsupported(self) -> bool:
        """Whether the system was not asked, because it cannot be put in this condition; `error` says why."""
        return self.error is not None and self.error.startswith(UNSUPPORTED)

    @property
    def is_failed(self) -> bool:
        """Whether the system was asked and there is no answer; `error` says why. An answer that was cut is one."""
        return self.answer is None and not self.abstained and not self.is_unsupported

    @property
    def retrievals(self) -> int:
        """How often was retrieved: as said, else 1 with contexts and 0 without."""
        return self.usage.retrievals if self.usage.retrievals is not None else int(bool(self.contexts))

    @property
    def shows_retrieval(self) -> bool:
        """Whether it shows what was retrieved: contexts, or that it retrieved and found none.

        Without either nobody knows what a system retrieved: no figure of retrieval may count it.
        """
        return bool(self.contexts or self.usage.retrievals)


@cache
def _adapter() -> TypeAdapter[Prediction]:
    return TypeAdapter(Prediction)


def parse_prediction(line: str | bytes, *, number: int, source: str = "predictions") -> Prediction:
    """One prediction from one line of JSON.

    Only `id` and `answer` are required; `answer` may be null where `abstained` is true or `error` says why. A context
    may be a text alone, an id a whole number. Unknown fields are left out; a field that is null, or whose number is not
    finite, has its default.

    Args:
        line: the line.
        number: its number in the file, from 1, for messages.
        source: the file's name, for messages.

    Raises:
        BenchwrightError: the line is no JSON object, lacks a required field, or a field is of the wrong type.
    """
    return read_prediction(line, f"{source}, line {number}")


def read_prediction(text: str | bytes, where: str) -> Prediction:
    """One prediction from a JSON object.

    Raises:
        BenchwrightError: it is none; begins with `where`.
    """
    return read_as_written(text, where)[0]


def read_as_written(text: str | bytes, where: str) -> tuple[Prediction, bool]:
    """One prediction from a JSON object, and whether it stands there in the form in which a run keeps it.

    Raises:
        BenchwrightError: it is none; begins with `where`.
    """
    is_plain = True
    try:
        prediction = _adapter().validate_json(text, strict=True)
    except ValidationError:
        prediction, is_plain = _read_tolerantly(text, where), False
    if not prediction.abstained and prediction.error is None and prediction.answer is None:
        raise _lacks("answer", where)
    for place, context in enumerate(prediction.contexts, start=1):
        start, end = context.start, context.end
        if start is not None and end is not None and end < start:
            raise BenchwrightError(
                f"{where}, context {place}: 'end' ({end}) comes before 'start' ({start}): correct the offsets."
            )
        if context.id is None and context.text is None and context.uri is None:
            raise BenchwrightError(f"{where}, context {place} has none of 'id', 'uri' and 'text': give one of them.")
    return prediction, is_plain


def _read_tolerantly(text: str | bytes, where: str) -> Prediction:
    """What the adapter does not take as it stands.

    Null or NaN for a default, a number as id, a text as context, half of a surrogate pair.
    """
    try:
        values = json.loads(text if isinstance(text, str) else text.decode("utf-8", "replace"))
    except json.JSONDecodeError as error:
        raise BenchwrightError(
            f"{where}: not JSON ({error.msg} at character {error.pos + 1}): the line may be cut off; "
            "write it anew or delete it."
        ) from None
    except RecursionError:
        raise BenchwrightError(f"{where}: nested too deeply: write it as one flat object.") from None
    except ValueError as error:  # a whole number of thousands of digits
        raise BenchwrightError(f"{where}: not JSON ({str(error).partition(';')[0]}): correct the line.") from None
    if not isinstance(values, dict):
        raise BenchwrightError(f"{where}: must be one JSON object with 'id' and 'answer', and is another value.")
    plain = _said(values)
    if isinstance(values.get("usage"), dict):
        plain["usage"] = _said(values["usage"])
        if isinstance(plain["usage"].get("steps"), list):
            steps = plain["usage"]["steps"]
            plain["usage"]["steps"] = [_said(each) if isinstance(each, dict) else each for each in steps]
    if isinstance(values.get("contexts"), list):
        plain["contexts"] = [
            {"text": each} if isinstance(each, str) else _said(each) if isinstance(each, dict) else each
            for each in values["contexts"]
        ]
    try:
        cleaned = json.dumps(plain, ensure_ascii=False).encode("utf-8", "replace")
        return _adapter().validate_json(cleaned, strict=True)
    except ValidationError as error:
        raise _refused(plain, error, where) from None


def _said(values: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that hold something: null and numbers that are not finite do not; an id is a text."""
    said = {name: value for name, value in values.items() if value is not None and not _is_nothing(value)}
    if type(said.get("id")) is int:
        said["id"] = str(said["id"])
    return said


def _is_nothing(value: Any) -> bool:
    return isinstance(value, float) and not math.isfinite(value)


def _lacks(name: str, where: str) -> BenchwrightError:
    return BenchwrightError(
        f"{where}: no {name!r}: every prediction needs 'id' and 'answer' (or 'abstained': true, or an 'error')."
    )


_WANTED: Mapping[str, str] = {
    "string_type": "a string",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "greater_than_equal": "a whole number from 0",
    "float_type": "a number",
    "tuple_type": "a list",
    "dataclass_type": "an object",
}
"""What pydantic refuses → what is wanted."""


def _refused(values: Mapping[str, Any], error: ValidationError, where: str) -> BenchwrightError:
    """The first thing that is wrong with the values of a prediction."""
    if "id" not in values:
        return _lacks("id", where)
    problem = error.errors(include_url=False)[0]
    place = list(problem["loc"])
    wanted = _WANTED.get(problem["type"], problem["msg"])
    value = problem["input"]
    if place[0] == "contexts" and len(place) > 1:
        where = f"{where}, context {int(place[1]) + 1}"
        if len(place) == 2:
            return BenchwrightError(f'{where} must be an object or a text: write it as {{"id": …, "text": …}}.')
    elif place[0] == "usage" and len(place) > 1:
        where = f"{where}, usage"
        if place[1] == "steps":
            place, wanted = place[:2], 'a list of objects with "step" and whole numbers from 0'
            value = values["usage"]["steps"]
    elif place[0] == "samples" and len(place) > 1:
        place, wanted, value = place[:1], "a list of strings", values["samples"]
    return BenchwrightError(f"{where}: {str(place[-1])!r} must be {wanted}, and is {shown(value)}: correct the line.")
