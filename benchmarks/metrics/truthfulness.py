"""How true an answer is, from 1 to 5, by a judge that has the article."""

from benchwright.benchmarks.metrics.base import JudgedItem, Metric, Score
from benchwright.benchmarks.metrics.steps.article_grades import HIGHEST, LOWEST, PROMPT, by_outcome, grade
from benchwright.benchmarks.metrics.tools import Tools


async def judge(item: JudgedItem, tools: Tools) -> Score | None:
    """The judge's grade, in one call a question, which `relevance` shares."""
    return await grade(item, tools, "truthfulness")


METRIC = Metric(
    name="truthfulness",
    meaning="how true the answer is by the gold documents",
    formula="1 to 5 by the judge; by rule: 5 if `correct`, else 1",
    citation="RAG dataset creation and boolean agent, section III-B",
    needs=frozenset({"answer", "answers", "documents", "judge"}),
    rule=by_outcome(lambda outcome: float(HIGHEST if outcome == "correct" else LOWEST)),
    judged=judge,
    uses=(PROMPT,),
    range=(LOWEST, HIGHEST),
    order=60,
)
