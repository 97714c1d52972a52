"""A judged metric: how warm an answer is; by rule, whether it has an exclamation mark."""

from dataclasses import dataclass

from benchwright.benchmarks.metrics.base import JudgedItem, Metric, Score, each
from benchwright.benchmarks.metrics.tools import Tools

PROMPT = "ferrykit:warmth"


@dataclass(frozen=True)
class Grade:
    """What the judge replies."""

    reason: str
    grade: int


async def judge(item: JudgedItem, tools: Tools) -> Score:
    """The judge's grade."""
    reply = await tools.ask(PROMPT, {"answer": item.prediction.answer or ""}, reply=Grade)
    return Score(float(reply.grade), reply.reason)


METRIC = Metric(
    name="warmth",
    meaning="how warm the answer is",
    formula="1 to 5 by the judge; by rule: 5 with an exclamation mark, else 1",
    citation="none",
    needs=frozenset({"answer", "judge"}),
    rule=each(lambda question, prediction: Score(5.0 if "!" in (prediction.answer or "") else 1.0)),
    judged=judge,
    uses=(PROMPT,),
    range=(1, 5),
)
