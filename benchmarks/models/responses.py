"""What came back from an endpoint: the texts of a chat completion, the vectors of an embedding, and the tokens."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.models.structured import InvalidReply

T = TypeVar("T")
Vectors = npt.NDArray[np.float32]

REFUSAL, INVALID, FAILED, ESTIMATED = "refusal", "invalid reply", "no reply", "estimated"
"""Why something has no reply that could be used."""
_SHOWN = 300


@dataclass(frozen=True, slots=True)
class Tokens:
    """What requests took."""

    input: int = 0
    output: int = 0
    cached: int = 0
    """Of the input, what the endpoint had in a cache of its own."""
    calls: int = 0

    def __add__(self, other: "Tokens") -> "Tokens":
        return Tokens(
            self.input + other.input, self.output + other.output, self.cached + other.cached, self.calls + other.calls
        )


@dataclass(frozen=True, slots=True)
class Reply(Generic[T]):
    """A reply that can be used."""

    text: str
    samples: tuple[str, ...]
    """Further replies to the same request."""
    value: T
    """Of a structured reply; else the text."""
    tokens: Tokens
    """What it took, together with the tries before it that could not be used: also where it was cached."""
    cost: float | None
    """In US dollars, likewise; None where the price is not known."""
    is_cached: bool
    """It was not asked for now."""
    prompt: str
    """SHA-256 of the prompt."""
    latency: float | None = None
    """Seconds that it took when it was made, also where it was cached; None where they are not known."""
    is_cut: bool = False
    """It ended at the limit of tokens."""


@dataclass(frozen=True, slots=True)
class WholeReply:
    """A reply with everything that the endpoint said."""

    body: Mapping[str, Any]
    tokens: Tokens
    cost: float | None
    """In US dollars; None where the price or the tokens are not known."""
    latency: float | None = None
    """Seconds that it took when it was made; None where they are not known."""
    is_cut: bool = False
    """It ended at the limit of tokens."""


class ReplyError(BenchwrightError):
    """A request has no reply that could be used; what asked for it is unscored."""

    def __init__(
        self, reason: str, detail: str, raw: str = "", tokens: Tokens = Tokens(), *, rejected: str | None = None
    ) -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        """`refusal`, `invalid reply`, `no reply`, or `estimated`, where nothing is asked."""
        self.raw = raw
        """What came back."""
        self.tokens = tokens
        self.rejected = rejected
        """Where the endpoint does not take such a request: the parameter that it names, or nothing."""

    @property
    def is_lost(self) -> bool:
        """The endpoint gave no answer, and may give one another time."""
        return self.reason == FAILED and self.rejected is None


@dataclass(frozen=True, slots=True)
class Completion:
    """What a chat completion holds."""

    texts: tuple[str, ...]
    refusal: str | None
    is_cut: bool
    """The reply ended at the limit of tokens."""


def read_completion(body: Mapping[str, Any]) -> Completion:
    """The texts of a chat completion, those of a tool's arguments included.

    Raises:
        InvalidReply: it is not a chat completion, or an empty one.
    """
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices:
        raise InvalidReply("the completion has no choices")
    texts: list[str] = []
    refusal: str | None = None
    is_cut = False
    for choice in choices:
        message = choice.get("message") if isinstance(choice, dict) else None
        if not isinstance(message, dict):
            raise InvalidReply("a choice has no message")
        reason = choice.get("finish_reason")
        is_cut = is_cut or reason == "length"
        if message.get("refusal") or reason == "content_filter":
            refusal = encodable(str(message.get("refusal") or "the endpoint's content filter"))
            continue
        text = _content(message)
        if text is not None:
            texts.append(text)
    if not texts and refusal is None:
        raise InvalidReply("it was cut off at the limit of tokens" if is_cut else "the message is empty")
    return Completion(tuple(texts), refusal, is_cut)


def _content(message: Mapping[str, Any]) -> str | None:
    calls = message.get("tool_calls")
    if isinstance(calls, list) and calls:
        function = calls[0].get("function") if isinstance(calls[0], dict) else None
        arguments = function.get("arguments") if isinstance(function, dict) else None
        return encodable(arguments) if isinstance(arguments, str) else None
    content = message.get("content")
    if isinstance(content, list):  # some endpoints give parts
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return encodable(content) if isinstance(content, str) and content.strip() else None


def was_cut(body: Any) -> bool:
    """Whether a chat completion or a response says that it ended at the limit of tokens."""
    if not isinstance(body, Mapping):
        return False
    details = body.get("incomplete_details")
    if isinstance(details, Mapping) and details.get("reason") == "max_output_tokens":
        return True
    choices = body.get("choices")
    return isinstance(choices, list) and any(
        isinstance(choice, Mapping) and choice.get("finish_reason") == "length" for choice in choices
    )


def read_vectors(body: Mapping[str, Any], count: int) -> Vectors:
    """The vectors of an embedding, one a row, in the order of its texts.

    Raises:
        InvalidReply: it is none, or not of so many texts.
    """
    data = body.get("data")
    if not isinstance(data, list) or len(data) != count:
        raise InvalidReply(f"{len(data) if isinstance(data, list) else 'no'} vectors for {count} texts")
    try:
        rows = [_vector(item["embedding"]) for item in sorted(data, key=lambda item: item.get("index", 0))]
        return np.stack(rows)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InvalidReply(f"a vector cannot be read: {error}") from None


def _vector(value: str | Sequence[float]) -> Vectors:
    is_packed = isinstance(value, str)
    vector = np.frombuffer(base64.b64decode(value), "<f4") if is_packed else np.asarray(value, dtype=np.float32)
    if vector.ndim != 1 or not np.isfinite(vector).all():
        raise ValueError("it is no row of numbers")
    return vector


def read_tokens(body: Any) -> Tokens | None:
    """What a request took; None where the endpoint does not say. Chat completions and responses name it otherwise."""
    usage = body.get("usage") if isinstance(body, dict) else None
    if not isinstance(usage, dict):
        return None
    taken, given = ("prompt", "completion") if "prompt_tokens" in usage else ("input", "output")
    if not isinstance(usage.get(f"{taken}_tokens"), int):
        total = usage.get("total_tokens")  # all that some servers say where nothing is written
        return Tokens(total, calls=1) if isinstance(total, int) and f"{given}_tokens" not in usage else None
    details = usage.get(f"{taken}_tokens_details")

    def count(table: Any, name: str) -> int:
        value = table.get(name) if isinstance(table, dict) else None
        return value if isinstance(value, int) and value > 0 else 0

    return Tokens(count(usage, f"{taken}_tokens"), count(usage, f"{given}_tokens"), count(details, "cached_tokens"), 1)


def encodable(text: str) -> str:
    """A text without halves of surrogate pairs: JSON can hold them, and no file or request can."""
    return text.encode("utf-8", "replace").decode("utf-8")


def shown(text: str) -> str:
    """A text short enough for a message."""
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 3]}..."
