"""How much an answer answers its question, from 1 to 5, by a judge that has the article."""

from benchwright.benchmarks.metrics.base import JudgedItem, Metric, Score
from benchwright.benchmarks.metrics.steps.article_grades import HIGHEST, LOWEST, PROMPT, by_outcome, grade
from benchwright.benchmarks.metrics.tools import Tools

MIDDLE = 3


async def judge(item: JudgedItem, tools: Tools) -> Score | None:
    """The judge's grade, in one call a question, which `truthfulness` shares."""
    return await grade(item, tools, "relevance")


METRIC = Metric(
    name="relevance",
    meaning="how much the answer answers the question; 1 where it says that it does not know",
    formula="1 to 5 by the judge; by rule: 5 if `correct`, 1 if it abstains, else 3",
    citation="RAG dataset creation and boolean agent, section III-B",
    needs=frozenset({"answer", "answers", "documents", "judge"}),
    rule=by_outcome(lambda outcome: float({"correct": HIGHEST, "abstained": LOWEST}.get(outcome, MIDDLE))),
    judged=judge,
    uses=(PROMPT,),
    range=(LOWEST, HIGHEST),
    order=61,
)
