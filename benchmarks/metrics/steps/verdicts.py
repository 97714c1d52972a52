"""Whether contexts support each of some statements: all in one call, each verdict after its explanation.

The second step of faithfulness in RAGAS (Es et al. 2024, section 3).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from benchwright.benchmarks.metrics.steps.numbered import one_on_each
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
    reply = await tools.ask(PROMPT, values, reply=one_on_each(Verdicts, count, "statements"), imagined=imagined)
    return sorted(reply.verdicts, key=lambda each: each.number)
