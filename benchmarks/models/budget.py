"""The limits that a run must keep: a call is sent only if what it may cost fits beside those in flight."""

from dataclasses import dataclass

from benchwright.benchmarks.errors import StopError, UsageError
from benchwright.benchmarks.models.costs import Ledger, price_of
from benchwright.benchmarks.models.responses import Tokens
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings


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
