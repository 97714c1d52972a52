"""One reply that is as it must be, without a conversation: vectors, rankings, and replies that are kept whole."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from benchwright.benchmarks.models.endpoint.structured import InvalidReply
from benchwright.benchmarks.models.kept.cached_requests import CachedRequests
from benchwright.benchmarks.models.kept.tries import KeptTry
from benchwright.benchmarks.models.money.costs import StepCosts, price_of
from benchwright.benchmarks.models.responses import INVALID, ReplyError, Tokens, read_tokens
from benchwright.benchmarks.models.settings import Endpoint
from benchwright.benchmarks.models.waiting import took

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Usable(Generic[T]):
    """What was read from a reply."""

    value: T
    made: KeptTry
    tokens: Tokens
    """Of this try and of those before it that could not be used."""
    cost: float | None
    """In US dollars, likewise; None where the price or the tokens are not known."""


async def one_usable(
    requests: CachedRequests,
    endpoint: Endpoint,
    item: bytes,
    costs: StepCosts,
    ask: Callable[[int], Awaitable[KeptTry]],
    read: Callable[[Any], T],
    *,
    reuse: bool = True,
) -> Usable[T]:
    """The last usable try at an item; where there is none, one more is made in each start.

    Args:
        requests: where tries are kept.
        endpoint: who is asked.
        item: the key of what is asked for.
        costs: where it is counted.
        ask: makes the try of a number.
        read: what its body says; raises InvalidReply where that cannot be used.
        reuse: a kept try is used; False: only where nothing is to be asked.

    Raises:
        ReplyError: there is none.
        StopError: a limit of the run is reached, or no request would go better.
    """
    reading = _Reading(requests, endpoint, item, costs, read)
    try:
        await _go_on(reading, ask, reuse)
        found = reading.result()
    except ReplyError as error:
        requests.ended(item, error)
        raise
    requests.ended(item, None)
    return found


async def _go_on(reading: "_Reading[Any]", ask: Callable[[int], Awaitable[KeptTry]], reuse: bool) -> None:
    """Goes through the kept tries, and makes another where that is wanted."""
    requests, item = reading.requests, reading.item
    tries = requests.tries(item)
    for each in tries:
        reading.judge(each)
    settings = requests.settings
    is_kept = bool(tries) and (settings.replay or (reuse and not settings.fresh))
    if is_kept and (reading.found is not None or settings.replay or requests.was_asked(item)):
        reading.costs.reused += reading.found is not None
        return
    try:
        made = await ask(len(tries))
    except ReplyError as error:
        error.tokens = reading.taken if reading.found is None else Tokens()
        error.cost = None if error.may_be_billed or reading.found is not None else reading.cost
        raise
    reading.costs.reused += made.is_kept
    reading.judge(made)


class _Reading(Generic[T]):
    """Tries at an item, judged one after the other: the last one counts."""

    def __init__(
        self,
        requests: CachedRequests,
        endpoint: Endpoint,
        item: bytes,
        costs: StepCosts,
        read: Callable[[Any], T],
    ) -> None:
        self.requests, self.endpoint, self.item, self.costs, self.read = requests, endpoint, item, costs, read
        self.found: Usable[T] | None = None
        self.problem = ""
        self.taken, self.is_counted = Tokens(), True

    def judge(self, made: KeptTry) -> None:
        if self.found is not None:
            self.found, self.taken, self.is_counted = None, Tokens(), True
        tokens = read_tokens(made.body)
        self.taken += tokens or Tokens(calls=1)
        self.is_counted = self.is_counted and tokens is not None
        try:
            self.found = Usable(self.read(made.body), made, self.taken, self.cost)
        except InvalidReply as error:
            self.problem = str(error)
            self.requests.note_fault(self.item, made, INVALID)
        if not made.is_kept:
            self.costs.usable += self.found is not None
            self.costs.invalid += self.found is None

    @property
    def cost(self) -> float | None:
        """In US dollars, of what was taken; None where the price or the tokens are not known."""
        return price_of(self.endpoint, self.taken) if self.is_counted else None

    def result(self) -> Usable[T]:
        if self.found is None:
            raise ReplyError(INVALID, self.problem, tokens=self.taken, cost=self.cost)
        took(self.found.made.latency)
        return self.found
