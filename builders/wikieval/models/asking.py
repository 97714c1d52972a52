"""How a model is asked about one passage: what cannot be used is asked for once more, with the reasons, and counted."""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.responses import ESTIMATED, ReplyError, shown

ROLE = "writer"
TEMPERATURE = 1.0
NO_REPLY = "no usable reply"
_ROUNDS = 2

T = TypeVar("T")
Told = list[dict[str, str]]
"""What was refused before, and why."""


def prompt_of(step: str) -> str:
    """The name of the prompt with which a step is asked for."""
    return f"wikieval_{step}"


@dataclass(frozen=True)
class Refused:
    """Something of a model that is not used."""

    source: str
    """Of its passage."""
    step: str
    """What was asked for."""
    text: str
    reason: str
    round: int
    """1, or 2 where it came when the model was asked again."""


@dataclass
class Asking:
    """What a model is asked about one passage, and what of its replies was refused."""

    client: Client
    source: str
    """Of the passage."""
    refused: list[Refused] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    """What was asked for."""
    estimated: ReplyError | None = None
    """Where nothing is asked: from then on replies are imagined, and none is refused."""

    async def chat(self, step: str, imagined: T, number: int, **values: Any) -> T:
        """A reply of the shape of the one that an estimate imagines.

        Args:
            step: what is asked for: see `prompt_of`.
            imagined: what an estimate goes on with.
            number: of the round, from 0.
            values: for the prompt.

        Raises:
            ReplyError: there is no reply that could be used.
        """
        self.asked.add(step)
        messages = self.client.prompt(prompt_of(step)).fill(**values)
        try:
            reply = await self.client.chat(
                ROLE, messages, step=step, reply=type(imagined), repeat=number, temperature=TEMPERATURE
            )
        except ReplyError as error:
            if error.reason != ESTIMATED:
                raise
            self.estimated = error
            return imagined
        return reply.value

    async def tried(
        self, step: str, ask: Callable[[Told, int], Awaitable[T | None]], final: Sequence[str] = ()
    ) -> T | None:
        """What can be used of at most two replies; None where nothing can.

        Args:
            step: what is asked for.
            ask: given what was refused so far and the number of the round, asks, and refuses what cannot be used.
            final: reasons after which the model is not asked again.

        Raises:
            ReplyError: the endpoint gave no answer.
        """
        for number in range(_ROUNDS):
            before = len(self.refused)
            told = [{"text": one.text, "reason": one.reason} for one in self.refused if one.step == step and one.text]
            try:
                found = await ask(told, number)
            except ReplyError as error:
                if error.is_lost:
                    raise
                self.refuses(step, error.raw, f"{NO_REPLY}: {error.reason}", number)
                continue
            if found is not None or any(one.reason in final for one in self.refused[before:]):
                return found
        return None

    def refuses(self, step: str, text: str, problem: str, number: int) -> bool:
        """Whether there is a problem, which is noted; there is none with what is only imagined."""
        is_refused = bool(problem) and self.estimated is None
        if is_refused:
            self.refused.append(Refused(self.source, step, shown(text), problem, number + 1))
        return is_refused

    @property
    def model(self) -> str:
        """The name of the model."""
        return self.client.settings.endpoints[ROLE].model


def count_refused(found: Iterable[Refused], steps: Sequence[str]) -> dict[str, int]:
    """`STEP: REASON` → how often something of the model was not used for it, the steps in their order."""
    counts = Counter((one.step, one.reason) for one in found)
    return {
        f"{step}: {reason}": counts[step, reason]
        for step, reason in sorted(counts, key=lambda one: (steps.index(one[0]), one[1]))
    }
