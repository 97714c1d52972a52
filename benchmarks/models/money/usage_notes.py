"""What requests with a prompt took of an endpoint before: noted beside the kept replies, so that estimates know it.

A request that fails is asked again, and a reply that does not pass its checks is followed by another request, with the
same prompt or with one whose head says that it `follows` the first. An estimate cannot know how often: it goes by what
was seen, else by `second_attempts` in the prompt's head.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from benchwright.benchmarks.errors import StopError
from benchwright.benchmarks.models.prompts import followers, load_prompt
from benchwright.benchmarks.models.responses import Tokens
from benchwright.benchmarks.models.settings import Endpoint
from benchwright.benchmarks.remote.response_store import ResponseStore

_ALONE = 0.1
"""Times its input, what one request's count may be off."""


@dataclass(frozen=True)
class Purpose:
    """What a request is for, and what is known of it beforehand."""

    step: str
    prompt: str = ""
    """The prompt's name; empty: there is none."""
    sha256: str = ""
    """Of the prompt's file."""
    output_tokens: int = 0
    """What a reply takes about, as is said where the request is made."""
    second_attempts: float = 0.0
    """Further requests that follow one, on average, about."""
    is_further: bool = False
    """An estimate does not see it: it follows from an earlier reply."""
    counted: int = 0
    """Its tokens of input, as they are counted here."""


@dataclass
class Took:
    """What requests took that were alike."""

    calls: int = 0
    counted: int = 0
    """Tokens of input, as they are counted here."""
    input: int = 0
    """As the endpoint counted them."""
    output: int = 0
    guessed: int = 0
    """Tokens of output, as was said where they were made."""
    counted_squared: int = 0
    """The squares of what was counted for each, and so on."""
    input_squared: int = 0
    input_counted: int = 0
    """The products of the two."""
    guessed_squared: int = 0
    output_squared: int = 0
    output_guessed: int = 0

    @property
    def is_known(self) -> bool:
        """Whether it says something of further ones."""
        return self.calls > 0 and self.counted > 0

    @property
    def input_ratio(self) -> float:
        """Tokens for each that is counted here."""
        return self.input / self.counted

    @property
    def output_ratio(self) -> float:
        """Tokens for each that is said where a request is made."""
        return self.output / max(1, self.guessed)

    @property
    def input_variance(self) -> float:
        """Of one request's input, around what the ratio says of it."""
        if self.calls < 2:
            return (_ALONE * self.input) ** 2
        return self._variance(self.input_ratio, self.input_squared, self.input_counted, self.counted_squared)

    @property
    def output_variance(self) -> float:
        """Of one reply's output, around what the ratio says of it; of one alone nobody knows, and it is taken for as
        much as the reply itself.
        """
        if self.calls < 2:
            return float(self.output**2)
        return self._variance(self.output_ratio, self.output_squared, self.output_guessed, self.guessed_squared)

    def _variance(self, ratio: float, squared: int, product: int, of_other: int) -> float:
        return max(0.0, (squared - 2 * ratio * product + ratio**2 * of_other) / (self.calls - 1))

    def add(self, other: "Took") -> None:
        """Takes up what others took."""
        for each in fields(Took):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))


@dataclass
class Seen:
    """What the requests with a prompt took of an endpoint."""

    first: Took
    further: Took

    def add(self, other: "Seen") -> None:
        """Takes up what others took."""
        self.first.add(other.first)
        self.further.add(other.further)


class UsageNotes:
    """What is known of requests like those of this client. Belongs to one event loop."""

    def __init__(self, store: ResponseStore, prompts: Path | None) -> None:
        self._store, self._prompts = store, prompts
        self._known: dict[str, Seen] = {}
        self._new: dict[str, Seen] = defaultdict(_nothing)

    def learn(self, endpoint: Endpoint, purpose: Purpose, used: Tokens) -> None:
        """Takes up what a request took, as the endpoint counted."""
        seen = self._new[_name(endpoint, purpose.step, purpose.sha256)]
        counted, guess, taken, given = purpose.counted, purpose.output_tokens, used.input, used.output
        squares = counted**2, taken**2, taken * counted, guess**2, given**2, given * guess
        took = Took(1, counted, taken, given, guess, *squares)
        (seen.further if purpose.is_further else seen.first).add(took)

    def expected(self, endpoint: Endpoint, purpose: Purpose) -> Tokens:
        """What a request will take about, by earlier starts."""
        name = _name(endpoint, purpose.step, purpose.sha256)
        if name not in self._known:
            self._known[name] = _read(self._store.note(name))
        took = self._known[name].first
        if not took.is_known:
            return Tokens(purpose.counted, purpose.output_tokens)
        return Tokens(round(purpose.counted * took.input_ratio), round(purpose.output_tokens * took.output_ratio))

    def seen(self, endpoint: Endpoint, step: str, sha256: str) -> Seen:
        """What requests took until now, in earlier starts and in this one."""
        name = _name(endpoint, step, sha256)
        seen = _read(self._store.note(name))
        if name in self._new:
            seen.add(self._new[name])
        return seen

    def further(self, endpoint: Endpoint, step: str, prompt: str, sha256: str) -> Iterator[Took]:
        """The further requests that followed those with a prompt, by the prompts that they had."""
        for each in (sha256, *(load_prompt(name, self._prompts).sha256 for name in followers(prompt))):
            yield self.seen(endpoint, step, each).further

    def save(self) -> None:
        """Keeps what was taken up, beside what others have kept meanwhile."""
        for name, new in self._new.items():
            seen = _read(self._store.note(name))
            seen.add(new)
            try:
                self._store.set_note(name, json.dumps(asdict(seen)))
            except StopError:  # a disk is full: what was paid for is what counts, and has said so
                return
        self._new.clear()


def _nothing() -> Seen:
    return Seen(Took(), Took())


def _name(endpoint: Endpoint, step: str, sha256: str) -> str:
    return f"usage {endpoint.base_url} {endpoint.model} {step} {sha256}"


def _read(note: str | None) -> Seen:
    """What is noted; nothing where it is of another version, which did not note as much."""
    try:
        kept = json.loads(note or "{}")
        parts = kept["first"], kept["further"]
        if any(part.keys() != {each.name for each in fields(Took)} for part in parts):
            return _nothing()
        return Seen(*(Took(**part) for part in parts))
    except (KeyError, TypeError, ValueError, AttributeError):
        return _nothing()
