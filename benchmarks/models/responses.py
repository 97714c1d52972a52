"""What came back from an endpoint: the texts of a chat completion, the vectors of an embedding, and the tokens."""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.models.endpoint.structured import InvalidReply
from benchwright.benchmarks.models.endpoint.thinking import Thought, apart, said_beside

T = TypeVar("T")
Vectors = npt.NDArray[np.float32]

REFUSAL, INVALID, FAILED, ESTIMATED = "refusal", "invalid reply", "no reply", "estimated"
"""Why something has no reply that could be used."""
EMPTY = "the message is empty"
"""What is wrong with a reply that holds no text."""
_FILTERED = ("content_filter", "safety", "prohibited_content", "content_filtered")
"""Reasons to end a reply that are a filter's."""
BATCH = "batch_id"
"""In the body of a reply that came in a batch: of which one."""
_SHOWN = 300
_LOOKED_AT = 20 * _SHOWN
"""Characters of a text that a message may be made of."""
_MOST_TOKENS = 10_000_000
"""That a reply may say it took: more than that is no count, or one in other units."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """What requests took."""

    input: int = 0
    output: int = 0
    cached: int = 0
    """Of the input, what the endpoint had in a cache of its own."""
    calls: int = 0
    batched: "Tokens | None" = None
    """Of these, what was answered in batches, at half the price."""

    def __add__(self, other: "Tokens") -> "Tokens":
        batched = self.batched + other.batched if self.batched and other.batched else self.batched or other.batched
        return Tokens(
            self.input + other.input,
            self.output + other.output,
            self.cached + other.cached,
            self.calls + other.calls,
            batched,
        )

    @property
    def in_batch(self) -> "Tokens":
        """The same, all of it answered in a batch."""
        return replace(self, batched=replace(self, batched=None))


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
    thinking: str = ""
    """What the model thought before the text, where it says so."""


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
        self,
        reason: str,
        detail: str,
        raw: str = "",
        tokens: Tokens = Tokens(),
        *,
        rejected: str | None = None,
        cost: float | None = None,
        may_be_billed: bool = False,
    ) -> None:
        super().__init__(encodable(f"{reason}: {detail}" if detail else reason))
        self.reason = reason
        """`refusal`, `invalid reply`, `no reply`, or `estimated`, where nothing is asked."""
        self.raw = encodable(raw)
        """What came back."""
        self.tokens = tokens
        """What was paid for it."""
        self.cost = cost
        """In US dollars, of these; None where that is not known."""
        self.may_be_billed = may_be_billed
        """No answer arrived in time: what the endpoint counts for it is not known."""
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
    """Without the thoughts before them."""
    refusal: str | None
    is_cut: bool
    """The reply ended at the limit of tokens."""
    thinking: str = ""
    """What the model thought before the first text."""


def read_completion(body: Any, tool: str | None = None) -> Completion:
    """The texts of a chat completion, without thoughts.

    Args:
        body: as it came.
        tool: the name of the tool that may have been asked for, whose arguments are a text.

    Raises:
        InvalidReply: it is not a chat completion, or one without an answer: empty, cut off within the model's thoughts,
            or a call of a tool that nobody asked for.
    """
    choices = body.get("choices") if isinstance(body, Mapping) else None
    if not isinstance(choices, list) or not choices:
        raise InvalidReply("the completion has no choices")
    texts: list[str] = []
    thoughts: list[str] = []
    lacks: list[str] = []
    refusal: str | None = None
    is_cut = False
    for choice in choices:
        message = choice.get("message") if isinstance(choice, dict) else None
        if not isinstance(message, dict):
            raise InvalidReply("a choice has no message")
        is_cut = is_cut or choice.get("finish_reason") == "length"
        if (refused := _refusal(body, choice, message)) is not None:
            refusal = encodable(refused)
            continue
        try:
            text, thinking = _content(choice, message, tool)
        except InvalidReply as lacking:
            lacks.append(str(lacking))
            continue
        texts.append(text)
        thoughts.append(thinking)
    if not texts and refusal is None:
        raise InvalidReply(lacks[0])
    return Completion(tuple(texts), refusal, is_cut, thoughts[0] if thoughts else "")


def _refusal(body: Mapping[str, Any], choice: Mapping[str, Any], message: Mapping[str, Any]) -> str | None:
    """What a refusal says, be it OpenAI's, Azure's filter, Anthropic's stop reason, or what OpenRouter passes on."""
    if message.get("refusal"):
        return str(message["refusal"])
    reasons = [choice.get(name) for name in ("finish_reason", "stop_reason", "native_finish_reason")]
    reasons.append(body.get("stop_reason"))
    if any(str(reason).lower() in _FILTERED for reason in reasons):
        return "the endpoint's content filter"
    if any(str(reason).lower() == "refusal" for reason in reasons):
        content = message.get("content")
        return content if isinstance(content, str) and content.strip() else "the model refused"
    return None


def _content(choice: Mapping[str, Any], message: Mapping[str, Any], tool: str | None) -> tuple[str, str]:
    """What a message answers, and what was thought before it."""
    beside = said_beside(message)
    if (error := choice.get("error")) is not None or choice.get("finish_reason") == "error":
        said = error.get("message") if isinstance(error, dict) else error
        raise InvalidReply(f"the endpoint failed while it wrote{f': {shown(str(said))}' if said else ''}")
    content = message.get("content")
    if isinstance(content, list):  # some endpoints give parts
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join(text for text in texts if isinstance(text, str))
    taken = apart(encodable(content)) if isinstance(content, str) else Thought("")
    thinking = "\n\n".join(filter(None, (encodable(beside), taken.thinking)))
    called, arguments = _call(message)
    if tool is not None and called == tool and arguments is not None:
        return encodable(arguments), thinking
    is_call = choice.get("finish_reason") in ("tool_calls", "function_call") or not taken.answer
    if called not in (None, tool) and is_call:
        raise InvalidReply(f"it calls a tool that was not offered: {shown(str(called))}")
    if tool is None and taken.answer.startswith("<tool_call>"):
        raise InvalidReply("it calls a tool, and none was offered")
    if taken.answer.strip():
        return taken.answer, thinking
    is_cut = choice.get("finish_reason") == "length"
    if thinking:
        raise InvalidReply("it was cut off within its thoughts" if is_cut else "it holds thoughts and no answer")
    raise InvalidReply("it was cut off at the limit of tokens" if is_cut else EMPTY)


def _call(message: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """The name of the tool that a message calls first, and its arguments."""
    calls = message.get("tool_calls")
    first = calls[0] if isinstance(calls, list) and calls else None
    function = first.get("function") if isinstance(first, dict) else message.get("function_call")
    if not isinstance(function, dict):
        return ("?", None) if first is not None else (None, None)
    arguments = function.get("arguments")
    if isinstance(arguments, dict):  # as some servers give them
        arguments = json.dumps(arguments, ensure_ascii=False)
    return str(function.get("name") or "?"), arguments if isinstance(arguments, str) else None


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


def read_vectors(body: Any, count: int) -> Vectors:
    """The vectors of an embedding, one a row, in the order of its texts.

    Raises:
        InvalidReply: it is none, or not of so many texts.
    """
    data = body.get("data") if isinstance(body, Mapping) else None
    if not isinstance(data, list) or len(data) != count:
        raise InvalidReply(f"{len(data) if isinstance(data, list) else 'no'} vectors for {count} texts")
    try:
        places = [item.get("index", place) for place, item in enumerate(data)]
        if sorted(places) != list(range(count)):
            raise ValueError("an index stands twice")
        rows = [_vector(data[at]["embedding"]) for at in np.argsort(places)]
        return np.stack(rows)
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise InvalidReply(f"a vector cannot be read: {error}") from None


def _vector(value: str | Sequence[float]) -> Vectors:
    is_packed = isinstance(value, str)
    vector = np.frombuffer(base64.b64decode(value), "<f4") if is_packed else np.asarray(value, dtype=np.float32)
    if vector.ndim != 1 or not np.isfinite(vector).all():
        raise ValueError("it is no row of numbers")
    return vector


def read_tokens(body: Any) -> Tokens | None:
    """What a request took; None where the endpoint does not say, or says what cannot be.

    Chat completions and responses name it otherwise.
    """
    usage = body.get("usage") if isinstance(body, dict) else None
    if not isinstance(usage, dict):
        return None
    taken, given = ("prompt", "completion") if "prompt_tokens" in usage else ("input", "output")
    read, written, total = (_count(usage, name) for name in (f"{taken}_tokens", f"{given}_tokens", "total_tokens"))
    if read is None:  # all that some servers say where nothing is written
        return Tokens(total, calls=1) if total is not None and f"{given}_tokens" not in usage else None
    if written is None and (usage.get(f"{given}_tokens") is not None or "choices" in body):
        return None
    written = written or 0
    thought = _count(usage.get(f"{given}_tokens_details"), "reasoning_tokens")
    if thought and total == read + written + thought:  # some endpoints count thoughts beside
        written += thought
    cached = _count(usage.get(f"{taken}_tokens_details"), "cached_tokens") or 0
    tokens = Tokens(read, written, min(cached, read), 1)
    return tokens.in_batch if BATCH in body else tokens


def _count(table: Any, name: str) -> int | None:
    """A number of tokens in a table; None where there is none that can be."""
    value = table.get(name) if isinstance(table, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _MOST_TOKENS:
        return None
    return int(value)


def encodable(text: str) -> str:
    """A text without halves of surrogate pairs: JSON can hold them, and no file or request can."""
    return text.encode("utf-8", "replace").decode("utf-8")


def shown(text: str) -> str:
    """A text short enough for a message, and without what would steer a terminal."""
    words = " ".join(text[:_LOOKED_AT].split())
    line = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in words)
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 3]}..."
