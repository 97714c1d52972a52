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
from benchwright.benchmarks.models.costs import price_of
from benchwright.benchmarks.models.prompts import followers, load_prompt
from benchwright.benchmarks.models.responses import Tokens
from benchwright.benchmarks.models.settings import Endpoint
from benchwright.benchmarks.remote.response_store import ResponseStore


@dataclass(frozen=True)
class Purpose:
    """What a request is for."""

    step: str
    prompt: str
    """The prompt's name."""
    sha256: str
    """Of the prompt's file."""
    output_tokens: int
    """What a reply takes about, as is said where the request is made."""
    second_attempts: float
    """Further requests that follow one, on average, about."""
    is_further: bool
    """An estimate does not see it: it follows from an earlier reply."""


@dataclass
class Took:
    """What requests took that were alike."""

    calls: int = 0
    counted: int = 0
    """Tokens of input, as they are counted here."""
    input: int = 0
    """As the endpoint counted them."""
    output: int = 0


@dataclass
class Seen:
    """What the requests with a prompt took of an endpoint."""

    first: Took
    further: Took


@dataclass
class StepEstimate:
    """How sure the estimate of a step is."""

    model: str
    replies: int = 0
    """Earlier ones that it goes by; 0: it is a guess."""
    again: int = 0
    """Of them, those to further requests."""
    guessed: float = 0.0
    """US dollars of output whose length is a guess."""
    guessed_further: float = 0.0
    """US dollars of further requests whose number is a guess."""


class UsageNotes:
    """What is known of requests like those of this client. Belongs to one event loop."""

    def __init__(self, store: ResponseStore, prompts: Path | None) -> None:
        self._store, self._prompts = store, prompts
        self._known: dict[str, Seen] = {}
        self._new: dict[str, Seen] = defaultdict(lambda: Seen(Took(), Took()))
        self.steps: dict[str, StepEstimate] = {}
        """Step → how sure its estimate is."""

    def _seen(self, endpoint: Endpoint, step: str, sha256: str) -> Seen:
        name = _name(endpoint, step, sha256)
        if name not in self._known:
            self._known[name] = _read(self._store.note(name))
        return self._known[name]

    def learn(self, endpoint: Endpoint, purpose: Purpose, counted: int, used: Tokens) -> None:
        """Takes up what a request took.

        Args:
            endpoint: who was asked.
            purpose: what for.
            counted: its tokens of input, as they are counted here.
            used: as the endpoint counted.
        """
        seen = self._new[_name(endpoint, purpose.step, purpose.sha256)]
        took = seen.further if purpose.is_further else seen.first
        took.calls += 1
        took.counted += counted
        took.input += used.input
        took.output += used.output

    def expected(self, endpoint: Endpoint, purpose: Purpose, counted: int) -> Tokens:
        """What a request will take about."""
        took = self._seen(endpoint, purpose.step, purpose.sha256).first
        if not took.calls or not took.counted:
            return Tokens(counted, purpose.output_tokens)
        return Tokens(round(counted * took.input / took.counted), round(took.output / took.calls))

    def further(self, endpoint: Endpoint, purpose: Purpose, one: Tokens) -> list[tuple[float, Tokens]]:
        """The further requests that follow from one: how many on average, and what each takes.

        Takes up, too, how sure that is: for `sure`.
        """
        first = self._seen(endpoint, purpose.step, purpose.sha256).first.calls
        step = self.steps.setdefault(purpose.step, StepEstimate(endpoint.model))
        if first:
            names = [purpose.sha256, *(load_prompt(name, self._prompts).sha256 for name in followers(purpose.prompt))]
            took = [self._seen(endpoint, purpose.step, name).further for name in names]
            step.again = sum(each.calls for each in took)
            step.replies = first + step.again
            return [
                (each.calls / first, Tokens(round(each.input / each.calls), round(each.output / each.calls)))
                for each in took
                if each.calls
            ]
        share = purpose.second_attempts
        again = Tokens(one.input + one.output, one.output)  # the request, its reply, and what is wrong with that
        step.guessed += (price_of(endpoint, one) or 0.0) - (price_of(endpoint, Tokens(one.input, 0)) or 0.0)
        step.guessed_further += share * (price_of(endpoint, again) or 0.0)
        return [(share, again)] if share else []

    def sure(self, cost: dict[str, float | None]) -> Iterator[str]:
        """A line for each step: what its estimate stands on, and from where to where it may be.

        Args:
            cost: step → US dollars as they are estimated, None where the price is not known.
        """
        for name, step in self.steps.items():
            if step.replies:
                again = f", {step.again:,} of them second attempts" if step.again else ""
                yield f"{name}: by {step.replies:,} earlier replies of {step.model} to this prompt{again}"
                continue
            middle = cost.get(name)
            between = ""
            if middle:
                low = middle - step.guessed / 2 - step.guessed_further
                high = middle + step.guessed + step.guessed_further
                between = f": ${low:,.4f} if replies are half as long and none is asked again, ${high:,.4f} if twice"
            yield f"{name}: how long replies of {step.model} are and how many are asked again is a guess{between}"

    def save(self) -> None:
        """Keeps what was taken up, beside what others have kept meanwhile."""
        for name, new in self._new.items():
            seen = _read(self._store.note(name))
            for before, more in ((seen.first, new.first), (seen.further, new.further)):
                for each in fields(Took):
                    setattr(before, each.name, getattr(before, each.name) + getattr(more, each.name))
            try:
                self._store.set_note(name, json.dumps(asdict(seen)))
            except StopError:  # a disk is full: what was paid for is what counts, and has said so
                return
        self._new.clear()


def _name(endpoint: Endpoint, step: str, sha256: str) -> str:
    return f"usage {endpoint.base_url} {endpoint.model} {step} {sha256}"


def _read(note: str | None) -> Seen:
    try:
        kept = json.loads(note or "{}")
        return Seen(Took(**kept["first"]), Took(**kept["further"]))
    except (KeyError, TypeError, ValueError):  # of nobody, or of another version
        return Seen(Took(), Took())
