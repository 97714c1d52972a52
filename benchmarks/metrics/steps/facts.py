"""What an answer and the true answer say: both of them, the answer alone, or the true answer alone; in one call.

The step of factual correctness in RAGAS (Roychowdhury et al. 2024, appendix A.5).
"""

from dataclasses import dataclass
from typing import Any, Literal

from benchwright.benchmarks.metrics.steps.long_texts import beginning, with_notes
from benchwright.benchmarks.metrics.steps.true_answers import true_answer
from benchwright.benchmarks.metrics.tools import Tools
from benchwright.benchmarks.metrics.traces import ARITHMETIC, ROWS
from benchwright.benchmarks.types import Question

PROMPT = "judge_facts"
LONGEST = 12_000
"""Characters of an answer that are read."""
MOST = 300
"""Statements that there may be."""
_KINDS = {"both": "TP", "answer": "FP", "truth": "FN"}


@dataclass(frozen=True)
class Fact:
    """A statement, and which of the two texts make it."""

    statement: str
    explanation: str
    made_by: Literal["both", "answer", "truth"]


@dataclass(frozen=True)
class Facts:
    """What the judge replies."""

    statements: list[Fact]

    def __post_init__(self) -> None:
        """Refuses a list that is empty, though the true answer says something, or that has no end."""
        if not 1 <= len(self.statements) <= MOST:
            raise ValueError(f"{len(self.statements)} statements; there must be from 1 to {MOST}")


@dataclass(frozen=True, slots=True)
class FactCounts:
    """Statements of both, of the answer alone, and of the true answer alone."""

    true_positives: int
    false_positives: int
    false_negatives: int
    note: str | None = None
    """What was not read, for the reason of a score; None: nothing."""

    @property
    def f1(self) -> float:
        """|TP| / (|TP| + 0.5 (|FP| + |FN|)), from 0 to 1; there is a statement."""
        return self.true_positives / (self.true_positives + 0.5 * (self.false_positives + self.false_negatives))

    @property
    def arithmetic(self) -> str:
        """How the F1 comes about."""
        positives, others = self.true_positives, f"{self.false_positives} + {self.false_negatives}"
        return f"{positives} / ({positives} + 0.5 · ({others})) = {self.f1:.3f}"

    @property
    def said(self) -> str | None:
        """The counts, for the reason of a score."""
        counts = f"TP {self.true_positives}, FP {self.false_positives}, FN {self.false_negatives}"
        return with_notes(counts, self.note)


async def fact_counts(question: Question, answer: str, tools: Tools) -> FactCounts:
    """How the statements of an answer and of the true answer meet, in one call; `PROMPT` must be in `uses`.

    Raises:
        ReplyError: there is no reply that could be used.
        StopError: a limit of the run is reached, or no request would go better.
    """
    read, note = beginning(answer, "the answer", LONGEST)
    values = {"question": question.question, "answer": read, "truth": true_answer(question)}
    reply = await tools.ask(PROMPT, values, reply=Facts, imagined=_IMAGINED)
    made_by = [each.made_by for each in reply.statements]
    counts = FactCounts(made_by.count("both"), made_by.count("answer"), made_by.count("truth"), note)

    async def show() -> dict[str, Any]:
        rows = [{"statement": each.statement, "counts as": _KINDS[each.made_by]} for each in reply.statements]
        return {ARITHMETIC: counts.arithmetic, ROWS: rows}

    await tools.step("fact_counts", values, show)
    return counts


_IMAGINED = Facts([Fact("", "", "both")])
"""Stands for the reply where calls are only estimated."""
