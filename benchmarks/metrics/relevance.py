"""How much an answer answers its question, from 1 to 5, by a judge that has the article."""

from benchwright.benchmarks.metrics.base import Metric
from benchwright.benchmarks.metrics.scale import HIGHEST, LOWEST, by_rule, judging

MIDDLE = 3

METRIC = Metric(
    name="relevance",
    meaning="how much the answer answers the question; 1 where it says that it does not know",
    formula="1 to 5 by the judge; by rule: 5 if `correct`, 1 if it abstains, else 3",
    citation="RAG dataset creation and boolean agent, section III-B",
    needs=frozenset({"answer", "answers", "documents"}),
    prepare=by_rule(lambda outcome: float({"correct": HIGHEST, "abstained": LOWEST}.get(outcome, MIDDLE))),
    range=(LOWEST, HIGHEST),
    judging=judging("relevance"),
)
