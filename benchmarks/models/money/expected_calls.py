"""What would be asked, gathered while nothing is, and then what that would take: calls, tokens and dollars, with what
is known and what is a guess.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from benchwright.benchmarks.models.money.costs import Ledger, StepCosts, price_of
from benchwright.benchmarks.models.money.usage_notes import Purpose, Took, UsageNotes
from benchwright.benchmarks.models.responses import Tokens
from benchwright.benchmarks.models.settings import Endpoint

_SHORTER, _LONGER, _OFTENER = 0.25, 4.0, 2.0
"""Times the length and the number of replies that nobody knows, at the ends of an interval."""
_OFF, _IMAGINED_OFF = 0.1, 0.15
"""Times the input, what the count of it may be off, and what is imagined of replies that there are not."""
_ERRORS, _LEAST = 2.0, 0.01
"""Standard errors on both sides of what is known from a sample, and the least that one is, times the cost."""


@dataclass(frozen=True)
class _Kind:
    """Requests that are alike."""

    step: str
    role: str
    endpoint: Endpoint
    share: float
    """Of the price: less in batches."""
    is_imagined: bool
    """They rest on replies that there are not: how long they are themselves is not known either."""
    purpose: Purpose
    """Without what differs between them."""


@dataclass
class _Wanted:
    """How many of a kind would be asked."""

    calls: int = 0
    counted: int = 0
    """Tokens of input, as they are counted here."""
    guessed: int = 0
    """Tokens of output, as is said where they are made."""
    held: int = 0
    """A batch that was sent has them: only what follows from them is still to be paid."""


@dataclass
class _Amount:
    """What some requests will take, about."""

    calls: float = 0.0
    input: float = 0.0
    output: float = 0.0
    cost: float = 0.0
    """US dollars."""
    is_priced: bool = True
    low: float = 0.0
    """US dollars less than `cost`, where what is a guess is as little as it may be."""
    high: float = 0.0
    """Likewise more."""
    deviation: float = 0.0
    """Of the cost, from how different the replies were that are known; it adds up, since samples err together that are
    of the same items.
    """
    replies: Mapping[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    """That it goes by, and of them those to further requests; by prompt."""
    is_guess: bool = False
    held: int = 0
    model: str = ""

    def add(self, other: "_Amount") -> None:
        for name in ("calls", "input", "output", "cost", "low", "high", "deviation", "held"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.is_priced, self.is_guess = self.is_priced and other.is_priced, self.is_guess or other.is_guess
        self.model, self.replies = other.model or self.model, {**self.replies, **other.replies}

    @property
    def interval(self) -> tuple[float, float]:
        """Dollars, from where to where."""
        error = _ERRORS * self.deviation
        return max(0.0, self.cost - self.low - error), self.cost + self.high + error


@dataclass
class ExpectedCalls:
    """What would be asked. Belongs to one event loop until it is read."""

    usage: UsageNotes
    _kinds: dict[_Kind, _Wanted] = field(default_factory=lambda: defaultdict[_Kind, _Wanted](_Wanted))
    _items: set[bytes] = field(default_factory=set[bytes])

    def add(
        self,
        item: bytes,
        place: tuple[str, str],
        endpoint: Endpoint,
        purpose: Purpose,
        share: float,
        *,
        is_imagined: bool,
        is_held: bool,
    ) -> bool:
        """Takes up a request that would be made; False where it was before.

        Args:
            item: the key of what is asked for.
            place: step and role.
            endpoint: who would be asked.
            purpose: what for.
            share: of the price.
            is_imagined: it rests on a reply that there is not.
            is_held: it is in a batch that was sent.
        """
        if item in self._items:
            return False
        self._items.add(item)
        alike = replace(purpose, output_tokens=0, counted=0)
        wanted = self._kinds[_Kind(*place, endpoint, share, is_imagined, alike)]
        if is_held:
            wanted.held += 1
        else:
            wanted.calls += 1
            wanted.counted += purpose.counted
            wanted.guessed += purpose.output_tokens
        return True

    def ledger(self, asked: Ledger) -> Ledger:
        """What it would take by step and role, with the replies that were there, of another ledger."""
        made = Ledger()
        for (step, role), costs in asked.by_step.items():
            made.by_step[step, role] = StepCosts(costs.model, reused=costs.reused)
        for (step, role), amount in self._amounts().items():
            costs = made.by_step[step, role]
            costs.calls, costs.input_tokens = round(amount.calls), round(amount.input)
            costs.output_tokens, costs.cost = round(amount.output), amount.cost
            costs.unpriced = 0 if amount.is_priced else costs.calls
        return made

    def sure(self, *, is_sample: bool) -> Iterator[str]:
        """A line for each step: what its estimate stands on, and from where to where it may be; and for all.

        Args:
            is_sample: some of it was asked to know more.
        """
        amounts, whole = self._amounts(), _Amount()
        for (step, _), amount in amounts.items():
            whole.add(amount)
            if amount.held:
                yield f"{step}: {amount.held:,} more are in a batch that was sent, and not counted"
            low, high = amount.interval
            is_shown = amount.is_priced and high > low
            if amount.is_guess:
                little = f"${low:,.4f} if replies are a quarter as long and none is asked again"
                between = f": {little}, ${high:,.4f} if they are four times as long"
                what = f"how long replies of {amount.model} are and how many are asked again is a guess"
                yield f"{step}: {what}{between if is_shown else ''}"
            elif amount.replies:
                known, further = (sum(counts) for counts in zip(*amount.replies.values(), strict=True))
                again = f", {further:,} of them second attempts" if further else ""
                between = f": ${low:,.4f} to ${high:,.4f}" if is_shown else ""
                yield f"{step}: by {known:,} earlier replies of {amount.model} to this prompt{again}{between}"
        if len(amounts) > 1 and whole.is_priced:
            low, high = whole.interval
            yield f"together: about ${whole.cost:,.4f}, ${low:,.4f} to ${high:,.4f}"
        if whole.is_guess and not is_sample:
            yield "--estimate-with 10 asks a few first, whose replies are kept as answers, and knows how long they are"

    def _amounts(self) -> dict[tuple[str, str], _Amount]:
        found: dict[tuple[str, str], _Amount] = {}
        for kind, wanted in self._kinds.items():
            found.setdefault((kind.step, kind.role), _Amount()).add(_amount(kind, wanted, self.usage))
        return found


def _amount(kind: _Kind, wanted: _Wanted, usage: UsageNotes) -> _Amount:
    """What the requests of a kind will take."""
    purpose = kind.purpose
    seen = usage.seen(kind.endpoint, kind.step, purpose.sha256)
    took = seen.further if purpose.is_further and seen.further.is_known else seen.first
    first = _first(kind, wanted, took)
    further = _further(kind, wanted, usage, first, seen.first)
    first.add(further)
    if took.is_known:
        again = sum(each.calls for each in _seen_further(kind, usage))
        first.replies = {purpose.sha256: (took.calls + (0 if took is seen.further else again), again)}
    first.held, first.model = wanted.held, kind.endpoint.model
    return first


def _seen_further(kind: _Kind, usage: UsageNotes) -> list[Took]:
    """The further requests that followed those of a kind, in earlier starts and in this one."""
    found = usage.further(kind.endpoint, kind.step, kind.purpose.prompt, kind.purpose.sha256)
    return [took for took in found if took.calls]


def _first(kind: _Kind, wanted: _Wanted, took: Took) -> _Amount:
    """What the requests themselves will take."""
    calls = wanted.calls
    if not calls:
        return _Amount(is_guess=not took.is_known)
    is_guess = not took.is_known
    if is_guess:
        taken, given = float(wanted.counted), float(wanted.guessed)
    else:
        taken = wanted.counted * took.input_ratio
        given = wanted.guessed * took.output_ratio
    cost = _cost(kind, calls, taken, given)
    if cost is None:
        return _Amount(calls, taken, given, is_priced=False, is_guess=is_guess and given > 0)
    if is_guess:
        off = _OFF + kind.is_imagined * _IMAGINED_OFF
        low = cost - (_cost(kind, calls, (1 - off) * taken, _SHORTER * given) or 0.0)
        high = (_cost(kind, calls, (1 + off) * taken, _LONGER * given) or 0.0) - cost
        return _Amount(calls, taken, given, cost, low=low, high=high, is_guess=given > 0)
    of_sum = calls * (calls / took.calls + 1)  # of many, by the mean of some, times the variance of one
    more = math.sqrt(of_sum * took.input_variance) + kind.is_imagined * _IMAGINED_OFF / _ERRORS * taken
    longer = math.sqrt(of_sum * took.output_variance)
    ends = (taken + more, given), (taken, given + longer)
    deviations = [(_cost(kind, calls, *end) or 0.0) - cost for end in ends]
    deviation = math.hypot(*deviations, _LEAST * cost) * (1 + 2 / took.calls)
    return _Amount(calls, taken, given, cost, deviation=deviation)


def _further(kind: _Kind, wanted: _Wanted, usage: UsageNotes, first: _Amount, seen: Took) -> _Amount:
    """What further requests will take that follow from them."""
    purpose, calls = kind.purpose, wanted.calls + wanted.held
    amount = _Amount()
    if purpose.is_further:
        return amount
    followed = _seen_further(kind, usage) if seen.is_known else []
    for took in followed:
        amount.add(_followed(kind, calls * took.calls / seen.calls, took))
    if followed or not wanted.calls or not purpose.second_attempts:
        return amount
    number = purpose.second_attempts * wanted.calls
    taken = number * (first.input + first.output) / wanted.calls  # the reply and what is wrong with it, too
    given = number * first.output / wanted.calls
    cost = _cost(kind, number, taken, given)
    if seen.is_known:  # of so many none was asked again, so that few will be
        few = min(1.0, 2 / seen.calls) / purpose.second_attempts
        return _Amount(is_priced=cost is not None, high=few * (cost or 0.0))
    rest = (_OFTENER - 1) * (cost or 0.0)
    return _Amount(number, taken, given, cost or 0.0, is_priced=cost is not None, low=cost or 0.0, high=rest)


def _followed(kind: _Kind, number: float, took: Took) -> _Amount:
    """What so many further requests will take that are like some that were seen; how many is as sure as a count is."""
    taken, given = number * took.input / took.calls, number * took.output / took.calls
    cost = _cost(kind, number, taken, given)
    deviation = (cost or 0.0) / math.sqrt(took.calls)
    return _Amount(number, taken, given, cost or 0.0, is_priced=cost is not None, deviation=deviation)


def _cost(kind: _Kind, calls: float, taken: float, given: float) -> float | None:
    """US dollars of some requests, by what one of them takes on average; None where the price is not known."""
    (taken_part, taken_whole), (given_part, given_whole) = math.modf(taken / calls), math.modf(given / calls)
    near = ((int(taken_whole) + more, int(given_whole) + longer) for more, longer in ((0, 0), (1, 0), (0, 1)))
    one, more, longer = (price_of(kind.endpoint, Tokens(*tokens)) for tokens in near)
    if one is None or more is None or longer is None:
        return None
    return calls * kind.share * (one + taken_part * (more - one) + given_part * (longer - one))
