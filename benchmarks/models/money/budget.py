"""The limits that a run must keep: a call is sent only if what it may cost fits beside those in flight.

With `--max-cost` the first calls of a step are few, until one of them has said what it used. Then as many are in flight
as fit: what is set aside for them follows what was seen of the step, the largest first of all. A call that does not fit
waits for those in flight, which mostly take less than was set aside; where none is left to wait for, the run stops.
"""

import asyncio
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from benchwright.benchmarks.errors import StopError, UsageError
from benchwright.benchmarks.models.money.costs import BATCH_SHARE, Ledger, StepCosts, price_of
from benchwright.benchmarks.models.money.spread import Spread, Weights
from benchwright.benchmarks.models.responses import Tokens
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings

FIRST = 4
"""Calls of a step in flight, at most, while none has said what it used."""
_UNKNOWN = 4000
"""Tokens more than expected that a reply may have where none like it was seen: so much a model may think."""
_LIMITS = ("max_completion_tokens", "max_tokens", "max_output_tokens")


def most_output(body: Mapping[str, Any]) -> float:
    """The tokens that a request says its reply may have; infinite where it says nothing."""
    stated = [body[name] for name in _LIMITS if isinstance(body.get(name), int) and body[name] > 0]
    return float(min(stated) * (body.get("n") or 1)) if stated else math.inf


@dataclass(frozen=True)
class ReservedCost:
    """A call for which something is set aside."""

    endpoint: Endpoint
    costs: StepCosts
    expected: Tokens
    most: float
    """Tokens that its reply may have."""


@dataclass(frozen=True)
class _InFlight:
    """Calls of one step and role on their way."""

    input: Weights = field(default_factory=Weights)
    """Tokens, as they were expected."""
    calls: Weights = field(default_factory=Weights)
    """1 each."""
    output: int = 0
    """Tokens, as they were expected."""
    most: float = 0.0
    """Tokens that the replies of those may have that state a limit."""
    limited: int = 0
    """How many state one."""

    def plus(self, call: ReservedCost) -> "_InFlight":
        states = math.isfinite(call.most)
        return _InFlight(
            self.input.plus(call.expected.input),
            self.calls.plus(1),
            self.output + call.expected.output,
            self.most + (call.most if states else 0.0),
            self.limited + states,
        )

    def minus(self, call: ReservedCost) -> "_InFlight":
        states = math.isfinite(call.most)
        return _InFlight(
            self.input.minus(call.expected.input),
            self.calls.minus(1),
            self.output - call.expected.output,
            self.most - (call.most if states else 0.0),
            self.limited - states,
        )


@dataclass
class _Step:
    """What was seen of the calls of one step and role, and those in flight."""

    endpoint: Endpoint
    input: Spread = field(default_factory=Spread)
    """Tokens for each that was expected."""
    output: Spread = field(default_factory=Spread)
    """Tokens of a reply."""
    keeps_limit: bool = True
    """No reply was longer than its request allowed."""
    in_flight: _InFlight = field(default_factory=_InFlight)
    share: float = 1.0
    """Of the price: less in batches."""

    def may_cost(self, calls: _InFlight) -> float:
        """What some calls may cost together, in US dollars."""
        count = round(calls.calls.total)
        if not count:
            return 0.0
        if self.output.count:
            taken, given = self.input.most(calls.input), self.output.most(calls.calls)
        else:
            taken, given = 1.5 * calls.input.total, float(calls.output + (_UNKNOWN * count if calls.output else 0))
        if self.keeps_limit and calls.limited == count:
            given = min(given, calls.most)
        cost = price_of(self.endpoint, Tokens(math.ceil(taken / count), math.ceil(given / count)))
        return count * self.share * (cost or 0.0)


class Budget:
    """Keeps `--max-calls` and `--max-cost`. Belongs to one event loop."""

    def __init__(self, settings: ModelSettings, ledger: Ledger) -> None:
        self.settings, self.ledger = settings, ledger
        self._steps: dict[int, _Step] = {}
        """By the identity of the costs of a step and role, which a ledger keeps as long as it lives."""
        self._uncounted = 0.0
        """US dollars that replies without a count of tokens have cost, about."""
        self._late = 0.0
        """US dollars that calls without an answer in time may have cost, at most."""
        self.in_batches = 0
        """Requests of batches that count as calls when they are answered."""
        self._turn, self._freed = asyncio.Lock(), asyncio.Event()
        self.is_stopped = False
        """Nothing is sent any more."""
        for role, endpoint in settings.endpoints.items():
            is_paid = settings.max_cost is not None and endpoint.folder is None
            if is_paid and price_of(endpoint, Tokens(1000, 1000)) is None:
                raise UsageError(
                    f"--max-cost cannot be kept: the price of {endpoint.model} ({role}) is not known; "
                    f"give it with --price {endpoint.model}=IN/OUT, or use --max-calls"
                )

    def check_stopped(self) -> None:
        """Raises StopError once the run is ending."""
        if self.is_stopped:
            raise StopError("stopped; all replies are kept, the same command goes on from here")

    def knows(self, costs: StepCosts) -> bool:
        """Whether a call of a step and role has said what it used."""
        step = self._steps.get(id(costs))
        return step is not None and step.output.count > 0

    async def reserve(
        self,
        endpoint: Endpoint,
        expected: Tokens,
        costs: StepCosts,
        most: float = math.inf,
        *,
        waits: bool = True,
        in_batch: bool = False,
    ) -> ReservedCost:
        """Sets aside what a call may cost, once that fits; to be given back with `release`.

        Where it fits at once, nothing else of the event loop runs in between.

        Args:
            endpoint: who is asked.
            expected: about what it will take.
            costs: where it is counted.
            most: tokens that its reply may have; see `most_output`.
            waits: for calls in flight, where it does not fit beside them.
            in_batch: it costs what requests cost in batches, as do further ones of its step and role.

        Raises:
            StopError: it does not fit, and there is none in flight to wait for.
        """
        self._check_calls()
        call = ReservedCost(endpoint, costs, expected, most)
        if self.settings.max_cost is None:
            return call
        step = self._steps.setdefault(id(costs), _Step(endpoint))
        step.share = BATCH_SHARE if in_batch else step.share
        async with self._turn:
            while (lacking := self._lacking(step, call, self.settings.max_cost)) is not None:
                if not waits or not any(one.in_flight.calls.total for one in self._steps.values()):
                    raise StopError(lacking)
                self._freed.clear()
                await self._freed.wait()
                self._check_calls()
            self._check_calls()
            step.in_flight = step.in_flight.plus(call)
        return call

    def release(self, call: ReservedCost, used: Tokens | None, guessed: Tokens, *, is_late: bool = False) -> None:
        """Gives back what was set aside for a call that has ended and whose cost is in the ledger.

        Args:
            call: the call.
            used: tokens; with no calls where there was no reply; None where the endpoint did not count them.
            guessed: what it has used about, for one that was not counted.
            is_late: no answer arrived in time, so that it may be billed: the most that it may cost stays set aside.
        """
        step = self._steps.get(id(call.costs))
        if step is None:
            return
        step.in_flight = step.in_flight.minus(call)
        if is_late:
            self._late += step.may_cost(_InFlight().plus(call))
        if used is None:
            self._uncounted += price_of(call.endpoint, guessed) or 0.0
            used = replace(guessed, calls=1)
        if used.calls:
            step.input.add(used.input / max(1, call.expected.input))
            step.output.add(used.output)
            step.keeps_limit &= used.output <= call.most
        self._freed.set()

    def _check_calls(self) -> None:
        self.check_stopped()
        most = self.settings.max_calls
        if most is not None and self.ledger.calls + self.in_batches >= most:
            raise StopError(
                f"stopped at --max-calls {most:,}: all replies are kept; "
                "the same command with a higher limit goes on from here"
            )

    def _lacking(self, step: _Step, call: ReservedCost, limit: float) -> str | None:
        """Why a call cannot be sent now; None where it can."""
        reserved = sum(one.may_cost(one.in_flight) for one in self._steps.values())
        alone = step.may_cost(_InFlight().plus(call))
        wanted = step.may_cost(step.in_flight.plus(call)) - step.may_cost(step.in_flight)
        in_flight = round(step.in_flight.calls.total)
        if not step.output.count and not in_flight:  # one is to show what the others take
            wanted = alone = step.share * (price_of(call.endpoint, call.expected) or 0.0)
        may_be_sent = bool(step.output.count) or in_flight < FIRST
        spent = self.ledger.cost + self._uncounted + self._late
        if may_be_sent and spent + reserved + wanted <= limit:
            return None
        if not self.ledger.calls:
            return (
                f"--max-cost {limit:g} is less than one call of {call.endpoint.model} may cost, ${alone:,.4f}: nothing "
                "was asked, give more"
            )
        unknown = reserved + self._uncounted
        more = f", up to ${unknown:,.4f} more are not known yet" if unknown > 1e-9 else ""
        more += f", up to ${self._late:,.4f} may be billed for calls without an answer in time" if self._late else ""
        return (
            f"stopped before --max-cost {limit:g}: ${self.ledger.cost:,.4f} are spent{more} and the next call "
            f"may cost ${alone:,.4f}; all replies are kept, the same command with a higher limit goes on from here"
        )
