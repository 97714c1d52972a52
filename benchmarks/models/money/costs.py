"""What calls take: tokens and US dollars for each step and role.

A price that is not known stays unknown: it is never counted as zero.
"""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from benchwright.benchmarks.models.responses import Tokens
from benchwright.benchmarks.models.settings import Endpoint

STATES = ("usable", "refused", "invalid", "cut", "failed", "lost", "timed_out")
"""What becomes of a call; `StepCosts` counts each."""
BATCH_SHARE = 0.5
"""Of a price, what the same costs in a batch: the lists of prices have single requests only."""
_SAID = {
    "retries": "retries",
    "refused": "refused",
    "invalid": "invalid",
    "cut": "cut off at the limit of tokens",
    "failed": "failed",
    "lost": "lost on the way",
    "timed_out": "without an answer in time (they may be billed)",
    "unjudged": "broken off",
}


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
    """What some tokens cost at an endpoint, those in batches at half the price."""
    if tokens.batched is not None:
        batched = tokens.batched
        single = Tokens(tokens.input - batched.input, tokens.output - batched.output, tokens.cached - batched.cached)
        parts = price_of(endpoint, single), price_of(endpoint, batched)
        return None if parts[0] is None or parts[1] is None else parts[0] + BATCH_SHARE * parts[1]
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
    usable: int = 0
    """Replies that could be used. This and the following are what became of the calls."""
    refused: int = 0
    invalid: int = 0
    """Empty, or not of the right shape."""
    cut: int = 0
    """Ended at the limit of tokens, so that they could not be used."""
    failed: int = 0
    """Answered by the endpoint, with an error or with nothing that is a reply."""
    lost: int = 0
    """No answer arrived: the connection failed or broke."""
    timed_out: int = 0
    """No answer arrived in time; the endpoint may bill it."""

    @property
    def unjudged(self) -> int:
        """Calls of which nothing is said above: on their way, or broken off by a stop."""
        return self.calls - sum(getattr(self, name) for name in STATES)

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

    def place_of(self, costs: StepCosts) -> tuple[str, str]:
        """The step and the role whose costs these are."""
        with self.lock:
            return next(place for place, each in self.by_step.items() if each is costs)

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
                    **{name: getattr(costs, name) for name in (*STATES, "unjudged")},
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
        return [about + _line(row, is_estimate) for row in self.rows()] or ["no model was asked"]


class Estimated(Exception):
    """Nothing was asked, and what would be asked is in the ledger."""


def _line(row: Mapping[str, object], is_estimate: bool) -> str:
    cost = row["cost"]
    paid = f"${cost:,.4f}" if cost is not None else "cost unknown"
    text = (
        f"{row['step']}: {row['calls']:,} calls of {row['model']}, {row['kept']:,} replies reused, "
        f"{row['input_tokens']:,} tokens in ({row['cached_tokens']:,} cached), {row['output_tokens']:,} out, {paid}"
    )
    for name, said in _SAID.items():
        if row[name] and not is_estimate:
            text += f", {row[name]:,} {said}"
    return text
