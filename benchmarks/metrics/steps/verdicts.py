"""Whether contexts support each of some statements: all in one call, each verdict after its explanation.

The second step of faithfulness in RAGAS (Es et al. 2024, section 3).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from benchwright.benchmarks.metrics.steps.numbered import refuse_other_numbers
from benchwright.benchmarks.metrics.tools import Tools

PROMPT = "judge_verdicts"


@dataclass(frozen=True)
class Verdict:
    """What the judge says of one statement."""

    number: int
    """The statement's, from 1."""
    explanation: str
    supported: bool


@dataclass(frozen=True)
class Verdicts:
    """What the judge replies: a verdict on each statement."""

    verdicts: list[Verdict]


async def verdicts_on(statements: Sequence[str], contexts: Sequence[str], tools: Tools) -> list[Verdict]:
    """A verdict on each statement, in their order, in one call; the metric must name `PROMPT` in its `uses`.

    A reply that has not one verdict on each statement is no reply: it is asked for anew.

    Raises:
        ReplyError: there is no reply that could be used.
        StopError: a limit of the run is reached, or no request would go better.
    """
    count = len(statements)
    values = {"statements": list(statements), "contexts": list(contexts)}
    imagined = Verdicts([Verdict(number, "", True) for number in range(1, count + 1)])
    reply = await tools.ask(PROMPT, values, reply=verdicts_of(count), imagined=imagined)
    return sorted(reply.verdicts, key=lambda each: each.number)


@cache
def verdicts_of(count: int) -> type[Verdicts]:
    """The replies with verdicts on so many statements; what is asked for is the same for all numbers."""

    @dataclass(frozen=True)
    class Counted(Verdicts):
        def __post_init__(self) -> None:
            refuse_other_numbers([each.number for each in self.verdicts], count, "statements")

    Counted.__name__, Counted.__doc__ = Verdicts.__name__, Verdicts.__doc__  # which are in what is asked for
    return Counted
