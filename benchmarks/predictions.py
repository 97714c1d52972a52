"""What a system said: predictions and their contexts, and how one line of a predictions file is read."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError

OWN, CLOSED, GOLD, WITHOUT_GOLD = "own", "closed", "gold", "without-gold"
CONDITIONS = (OWN, CLOSED, GOLD, WITHOUT_GOLD)
"""What a system may be given: its own retrieval, nothing, the gold passages, its own without every document that states
a needed fact."""
UNSUPPORTED = "unsupported: "
"""Begins the error of a prediction whose question the system could not be put in its condition: it was not asked."""
SAID_TO_ABSTAIN = "said to abstain"
"""The reason of the score of a prediction that says itself that it abstains."""

Key = tuple[str, str, int]
"""What no two predictions of a run share: id, condition, repeat."""


@dataclass(frozen=True, slots=True)
class Context:
    """A stretch of text that a system answered from."""

    id: str | None = None
    """The system's own id, which may be that of a document of the corpus."""
    text: str | None = None
    document: str | None = None
    """Corpus id, once it is matched to the corpus; none for a foreign context."""
    start: int | None = None
    """Offset of the first character, in Python code points into the document's text."""
    end: int | None = None
    """Offset after the last character."""
    score: float | None = None
    """The retriever's; contexts are ranked by their order, whatever it is."""

    @property
    def source(self) -> str | None:
        """The document that it is from: as matched, else its own id."""
        return self.document if self.document is not None else self.id


@dataclass(frozen=True, slots=True)
class Usage:
    """What an answer took."""

    input_tokens: int = 0
    output_tokens: int = 0
    calls: int = 0
    retrievals: int | None = None
    """None where it was not said: then 1 with contexts and 0 without."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a system said to one question."""

    id: str
    """The question's."""
    answer: str | None
    """None where the system failed or abstained."""
    abstained: bool = False
    condition: str = OWN
    repeat: int = 0
    samples: tuple[str, ...] = ()
    """Further answers to the same question."""
    contexts: tuple[Context, ...] = ()
    """The best first."""
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    """In US dollars; None where it is not known."""
    latency: float | None = None
    """In seconds."""
    error: str | None = None

    @property
    def key(self) -> Key:
        """What no two predictions of a run share: id, condition, repeat."""
        return self.id, self.condition, self.repeat

    @property
    def is_unsupported(self) -> bool:
        """Whether the system was not asked, because it cannot be put in this condition; `error` says why."""
        return self.error is not None and self.error.startswith(UNSUPPORTED)

    @property
    def retrievals(self) -> int:
        """How often was retrieved: as said, else 1 with contexts and 0 without."""
        return self.usage.retrievals if self.usage.retrievals is not None else int(bool(self.contexts))


_SORTS: Mapping[type, str] = {
    str: "a string",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    list: "a list",
    dict: "an object",
}


class _Fields:
    """The fields of one JSON object, taken with their types checked."""

    def __init__(self, values: Mapping[str, Any], where: str) -> None:
        self.values, self.where = values, where

    def fail(self, name: str, wanted: str) -> BenchwrightError:
        found = json.dumps(self.values.get(name), ensure_ascii=False)
        shown = found if len(found) <= 40 else found[:37] + "..."
        return BenchwrightError(f"{self.where}: {name!r} must be {wanted}, and is {shown}: correct the line.")

    def take(self, name: str, sort: type, default: Any = None, *, nullable: bool = True) -> Any:
        """The field's value, or the default where it is absent or null."""
        value = self.values.get(name)
        if value is None:
            if name in self.values and not nullable:
                raise self.fail(name, _SORTS[sort])
            return default
        if sort is float and isinstance(value, int) and not isinstance(value, bool):
            return float(value)
        if not isinstance(value, sort) or (isinstance(value, bool) and sort is not bool):
            raise self.fail(name, _SORTS[sort])
        if isinstance(value, float) and not math.isfinite(value):
            raise self.fail(name, "a finite number")
        return value

    def count(self, name: str, default: int | None = None) -> int | None:
        value = self.take(name, int, default)
        if value is not None and value < 0:
            raise self.fail(name, "a whole number from 0")
        return value


def _context(value: Any, where: str) -> Context:
    if isinstance(value, str):
        return Context(text=value)
    if not isinstance(value, dict):
        raise BenchwrightError(f'{where} must be an object or a text: write it as {{"id": …, "text": …}}.')
    fields = _Fields(value, where)
    start, end = fields.count("start"), fields.count("end")
    if start is not None and end is not None and end < start:
        raise BenchwrightError(f"{where}: 'end' ({end}) comes before 'start' ({start}): correct the offsets.")
    context = Context(
        id=fields.take("id", str),
        text=fields.take("text", str),
        start=start,
        end=end,
        score=fields.take("score", float),
    )
    if context.id is None and context.text is None:
        raise BenchwrightError(f"{where} has neither 'id' nor 'text': give one of them.")
    return context


def _usage(value: Mapping[str, Any], where: str) -> Usage:
    fields = _Fields(value, where)
    return Usage(
        fields.count("input_tokens", 0) or 0,
        fields.count("output_tokens", 0) or 0,
        fields.count("calls", 0) or 0,
        fields.count("retrievals"),
    )


def parse_prediction(line: str, *, number: int, source: str = "predictions") -> Prediction:
    """One prediction from one line of JSON.

    Only `id` and `answer` are required; `answer` may be null where `abstained` is true or `error` says why. A context
    may be a text alone. Unknown fields are left out.

    Args:
        line: the line.
        number: its number in the file, from 1, for messages.
        source: the file's name, for messages.

    Raises:
        BenchwrightError: the line is no JSON object, lacks a required field, or a field is of the wrong type.
    """
    where = f"{source}, line {number}"
    try:
        values = json.loads(line)
    except json.JSONDecodeError as error:
        raise BenchwrightError(
            f"{where}: not JSON ({error.msg} at character {error.pos + 1}): the line may be cut off; "
            "write it anew or delete it."
        ) from None
    except RecursionError:
        raise BenchwrightError(f"{where}: nested too deeply: write it as one flat object.") from None
    if not isinstance(values, dict):
        raise BenchwrightError(f"{where}: must be one JSON object with 'id' and 'answer', and is another value.")
    return prediction_from(values, where)


def prediction_from(values: Mapping[str, Any], where: str) -> Prediction:
    """One prediction from the values of a JSON object.

    Raises:
        BenchwrightError: a required field is missing or a field is of the wrong type; begins with `where`.
    """
    fields = _Fields(values, where)
    abstained, error = fields.take("abstained", bool, False), fields.take("error", str)
    for name in ("id",) if abstained or error is not None else ("id", "answer"):
        if values.get(name) is None:
            raise BenchwrightError(
                f"{where}: no {name!r}: every prediction needs 'id' and 'answer' (or 'abstained': true, or an 'error')."
            )
    samples = fields.take("samples", list, [])
    if not all(isinstance(sample, str) for sample in samples):
        raise fields.fail("samples", "a list of strings")
    contexts = enumerate(fields.take("contexts", list, []), start=1)
    return Prediction(
        id=fields.take("id", str),
        answer=fields.take("answer", str),
        abstained=abstained,
        condition=fields.take("condition", str, "own"),
        repeat=fields.count("repeat", 0) or 0,
        samples=tuple(samples),
        contexts=tuple(_context(value, f"{where}, context {position}") for position, value in contexts),
        usage=_usage(fields.take("usage", dict, {}), f"{where}, usage"),
        cost=fields.take("cost", float),
        latency=fields.take("latency", float),
        error=error,
    )
