"""Questions that an answer would answer, written by a judge that is not shown the question; in one call.

The step of answer relevance in RAGAS (Es et al. 2024, section 3).
"""

from dataclasses import dataclass

from benchwright.benchmarks.metrics.steps.long_texts import beginning
from benchwright.benchmarks.metrics.tools import Tools

PROMPT = "judge_questions"
QUESTIONS = 3
LONGEST = 6_000
"""Characters of an answer that are read."""


@dataclass(frozen=True)
class Questions:
    """What the judge replies: three questions."""

    questions: list[str]

    def __post_init__(self) -> None:
        """Refuses another number of questions, and one without a word."""
        found = [each for each in self.questions if any(map(str.isalnum, each))]
        if len(found) != QUESTIONS or len(self.questions) != QUESTIONS:
            raise ValueError(f"{len(found)} questions; there must be {QUESTIONS}")


@dataclass(frozen=True, slots=True)
class Generated:
    """Questions that an answer would answer."""

    questions: tuple[str, ...]
    note: str | None = None
    """What was not read, for the reason of a score; None: nothing."""


async def questions_for(answer: str, tools: Tools) -> Generated:
    """Three questions that an answer would answer, in one call; the metric must name `PROMPT` in its `uses`.

    Raises:
        ReplyError: there is no reply that could be used.
        StopError: a limit of the run is reached, or no request would go better.
    """
    read, note = beginning(answer, "the answer", LONGEST)
    reply = await tools.ask(PROMPT, {"answer": read}, reply=Questions, imagined=_IMAGINED)
    return Generated(tuple(reply.questions), note)


_IMAGINED = Questions(["When was it finished?", "Who finished it?", "What was finished in 2019?"])
"""Stands for the reply where calls are only estimated."""
