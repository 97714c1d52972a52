"""Exact match as SQuAD 2.0 defines it, unanswerable questions included."""

from benchwright.benchmarks.metrics.base import Metric
from benchwright.benchmarks.metrics.steps.squad import CITATION, Words, squad_rule


def _same(answer: Words, gold: Words) -> float:
    return float(answer == gold)


METRIC = Metric(
    name="squad_exact_match",
    meaning="the answer is a gold answer word for word; nothing is said where there is none",
    formula="1 if words(answer) = words(g) for a gold answer g, else 0; g is empty where a question is unanswerable",
    citation=CITATION,
    needs=frozenset({"answer", "answers"}),
    rule=squad_rule(_same),
    order=25,
    by_default=False,
    default_with="squad",
)
