"""How true an answer is, from 1 to 5, by a judge that has the article."""

from benchwright.benchmarks.metrics.base import Metric
from benchwright.benchmarks.metrics.scale import HIGHEST, LOWEST, by_rule, judging

METRIC = Metric(
    name="truthfulness",
    meaning="how true the answer is by the gold documents",
    formula="1 to 5 by the judge; by rule: 5 if `correct`, else 1",
    citation="RAG dataset creation and boolean agent, section III-B",
    needs=frozenset({"answer", "answers", "documents"}),
    prepare=by_rule(lambda outcome: float(HIGHEST if outcome == "correct" else LOWEST)),
    range=(LOWEST, HIGHEST),
    judging=judging("truthfulness"),
)
