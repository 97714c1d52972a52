"""What calls take: tokens and US dollars for each step and role, and the limits that a run must keep.

A price that is not known stays unknown: it is never counted as zero.
"""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from benchwright.benchmarks.errors import StopError, UsageError
from benchwright.benchmarks.models.responses import Tokens
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings


@lru_cache(maxsize=4096)
def price(model: str, base_url: str, input_tokens: int, output_tokens: int, cached_tokens: int = 0) -> float | None:
    """What a request costs in US dollars by `genai-prices`; None where that does not have the model."""
    from genai_prices import Usage, calc_price

    usage = Usage(input_tokens=input_tokens, output_tokens=output_tokens, cache_read_tokens=cached_tokens)
    try:
        return float(calc_price(usage, model, provider_api_url=base_url).total_price)
    except Exception:  # whatever is wrong in a table of prices, work must not stop for it
        return None


def price_of(endpoint: Endpoint, tokens: Tokens) -> float | None:
    """What some tokens cost at an endpoint."""
    if endpoint.rates is not None:
        return (tokens.input * endpoint.rates[0] + tokens.output * endpoint.rates[1]) / 1e6
    return price(endpoint.model, endpoint.base_url, tokens.input, tokens.output, tokens.cached)


@dataclass
class StepCosts:
    """The calls of one step and role, so far."""

    model: str
    calls: int = 0
    """Requests that were sent, repeated ones included."""
    reused: int = 0
    """Replies that were in the cache and cost nothing."""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost: float = 0.0
    unpriced: int = 0
    """Paid replies of which the cost is unknown: no price, or no count of tokens."""
    retries: int = 0
    refused: int = 0
    invalid: int = 0

    @property
    def known_cost(self) -> float | None:
        """In US dollars; None where a part of it is unknown."""
        return None if self.unpriced else self.cost


@dataclass
class Ledger:
    """What a command has spent, by step and role. Safe to read from any thread."""

    by_step: dict[tuple[str, str], StepCosts] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def costs_of(self, step: str, role: str, endpoint: Endpoint) -> StepCosts:
        """The costs of a step and role, to be added to."""
        with self.lock:
            return self.by_step.setdefault((step, role), StepCosts(endpoint.model))

    @property
    def calls(self) -> int:
        """Requests sent."""
        return sum(costs.calls for costs in self.by_step.values())

    @property
    def cost(self) -> float:
        """US dollars, of what has a known price."""
        return sum(costs.cost for costs in self.by_step.values())

    @property
    def is_priced(self) -> bool:
        """Everything that was paid for has a known price."""
        return not any(costs.unpriced for costs in self.by_step.values())

    def rows(self) -> list[Mapping[str, object]]:
        """The by_step as plain values, for run.json and for the screen."""
        with self.lock:
            return [
                {
                    "step": step,
                    "role": role,
                    "model": costs.model,
                    "calls": costs.calls,
                    "kept": costs.reused,
                    "input_tokens": costs.input_tokens,
                    "output_tokens": costs.output_tokens,
                    "cached_tokens": costs.cached_tokens,
                    "cost": costs.known_cost,
                    "retries": costs.retries,
                    "refused": costs.refused,
                    "invalid": costs.invalid,
                }
                for (step, role), costs in self.by_step.items()
            ]

    @property
    def short(self) -> str:
        """Calls and dollars so far, in a few words."""
        return f"{self.calls:,} calls, " + (f"${self.cost:,.4f}" if self.is_priced else "cost unknown")

    def summary(self, *, is_estimate: bool = False) -> list[str]:
        """The by_step as lines for people."""
        about = "about " if is_estimate else ""
        return [about + _line(row) for row in self.rows()] or ["no model was asked"]


class Estimated(Exception):
    """Nothing was asked, and what would be asked is in the ledger."""


def _line(row: Mapping[str, object]) -> str:
    cost = row["cost"]
    paid = f"${cost:,.4f}" if cost is not None else "cost unknown"
    text = (
        f"{row['step']}: {row['calls']:,} calls of {row['model']}, {row['kept']:,} replies reused, "
        f"{row['input_tokens']:,} tokens in ({row['cached_tokens']:,} cached), {row['output_tokens']:,} out, {paid}"
    )
    for name in ("retries", "refused", "invalid"):
        if row[name]:
            text += f", {row[name]:,} {name}"
    return text


@dataclass(frozen=True)
class ReservedCost:
    """What is set aside for a call, in US dollars."""

    estimated: float = 0.0
    amount: float = 0.0


class Budget:
    """Keeps `--max-calls` and `--max-cost`: a call is sent only if it fits beside those in flight."""

    def __init__(self, settings: ModelSettings, ledger: Ledger) -> None:
        self.settings, self.ledger = settings, ledger
        self._reserved = 0.0
        self._factor = 1.0
        """Times its estimate that a call has cost, at most: so much is set aside for the next ones."""
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

    def reserve(self, endpoint: Endpoint, tokens: Tokens) -> ReservedCost:
        """Sets aside what a call may cost; to be given back with `release`.

        Raises:
            StopError: it does not fit.
        """
        self.check_stopped()
        settings, spent = self.settings, self.ledger.cost
        if settings.max_calls is not None and self.ledger.calls >= settings.max_calls:
            raise StopError(
                f"stopped at --max-calls {settings.max_calls:,}: all replies are kept; "
                "the same command with a higher limit goes on from here"
            )
        if settings.max_cost is None:
            return ReservedCost()
        estimated = price_of(endpoint, tokens) or 0.0
        wanted = estimated * self._factor
        if spent + self._reserved + wanted > settings.max_cost:
            more = f", up to ${self._reserved:,.4f} more are not known yet" if self._reserved > 1e-9 else ""
            raise StopError(
                f"stopped before --max-cost {settings.max_cost:g}: ${spent:,.4f} are spent{more} and the next call "
                f"may cost ${wanted:,.4f}; all replies are kept, the same command with a higher limit goes on from here"
            )
        self._reserved += wanted
        return ReservedCost(estimated, wanted)

    def release(self, reserved: ReservedCost, cost: float | None) -> None:
        """Gives back what was set aside for a call whose cost is in the ledger; where it is not known, nothing."""
        if cost is not None:
            self._reserved -= reserved.amount
            if reserved.estimated:
                self._factor = max(self._factor, cost / reserved.estimated)
