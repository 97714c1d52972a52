"""F1 of words as SQuAD 2.0 defines it, unanswerable questions included."""

from benchwright.benchmarks.metrics.base import Metric
from benchwright.benchmarks.metrics.overlap import shared_words
from benchwright.benchmarks.metrics.steps.squad import CITATION, Words, squad_rule


def _f1(answer: Words, gold: Words) -> float:
    """Computed from precision and recall, in the reference's order: the value is then the same to the last bit."""
    if not answer or not gold:
        return float(answer == gold)
    shared = shared_words(answer, gold)
    if not shared:
        return 0.0
    precision, recall = shared / len(answer), shared / len(gold)
    return 2 * precision * recall / (precision + recall)


METRIC = Metric(
    name="squad_f1",
    meaning="the words that answer and gold answer share; nothing is said where there is none",
    formula="max over gold answers g of 2PR / (P + R), P = |A ∩ G| / |A|, R = |A ∩ G| / |G|; 1 where both are empty",
    citation=CITATION,
    needs=frozenset({"answer", "answers"}),
    rule=squad_rule(_f1),
    order=26,
    by_default=False,
    default_with="squad",
)
