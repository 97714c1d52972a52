"""Quality and cost: which systems no other beats for less."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from benchwright.benchmarks.leaderboards.standings import Standing
from benchwright.benchmarks.leaderboards.verdict import Costs


def _tokens(costs: Costs) -> float | None:
    """Tokens in and out; None where nothing is said of either."""
    said = [each for each in (costs.input_tokens, costs.output_tokens) if each is not None]
    return sum(said) if said else None


COST_COLUMNS: Mapping[str, Callable[[Costs], float | None]] = {
    "tokens": _tokens,
    "cost": lambda costs: costs.cost,
    "latency": lambda costs: costs.latency,
    "retrievals": lambda costs: costs.retrievals,
}
"""Column → what an answer takes in the mean: tokens in and out, US dollars, seconds, searches."""


def with_frontier(standings: Sequence[Standing], *, higher_is_better: bool, worst: float) -> list[Standing]:
    """Standings that say, for each cost that a system names, whether it is on the frontier.

    It is where no other ranked system is at least as good for less, or better for as much. Systems that are ranked
    apart, and those that get nothing right, are neither on it nor do they push others off it.

    Args:
        standings: of one table.
        higher_is_better: which way.
        worst: the value of a system that gets nothing right.
    """
    found: list[dict[str, bool]] = [{} for _ in standings]
    for column, cost_of in COST_COLUMNS.items():
        points = []
        for place, each in enumerate(standings):
            cost = cost_of(each.costs)
            if cost is None:
                continue
            if each.apart is not None or each.value is None or each.value == worst:
                found[place][column] = False
            else:
                points.append((cost, -each.value if higher_is_better else each.value, place))
        best, at = float("inf"), -1.0
        for cost, loss, place in sorted(points):
            found[place][column] = loss < best or (loss == best and cost == at)
            if loss < best:
                best, at = loss, cost
    return [replace(each, is_on_frontier=columns) for each, columns in zip(standings, found, strict=True)]
