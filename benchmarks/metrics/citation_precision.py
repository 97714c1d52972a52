"""The share of an answer's citations that support their sentences: weighted precision.

One call of the judge an answer, which `citation_recall` shares. Unscored where the answer cites nothing.
"""

from benchwright.benchmarks.metrics.base import Metric
from benchwright.benchmarks.metrics.steps.citation_scores import Citing, judged_by, rule_of
from benchwright.benchmarks.metrics.steps.citation_support import PROMPT
from benchwright.benchmarks.metrics.steps.citations import precision, precision_line

_CITING = Citing(lambda found: found.citations, precision, precision_line, needs_citations=True)

METRIC = Metric(
    name="citation_precision",
    meaning="how far each citation of the answer supports its sentence",
    formula="credit of the citations / citations; full 1, partial 0.5, one that points to nothing 0",
    citation="Weighted precision of the support evaluation of TREC's RAG track (Thakur et al. 2025, arXiv 2504.15205)",
    needs=frozenset({"answer", "contexts", "judge"}),
    rule=rule_of(_CITING),
    judged=judged_by(_CITING, "citation_precision"),
    uses=(PROMPT,),
    order=72,
    by_default=False,
)
