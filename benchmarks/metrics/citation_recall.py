"""The share of an answer's sentences that what they cite supports: weighted recall.

One call of the judge an answer, which `citation_precision` shares. A sentence without a citation counts 0.
"""

from benchwright.benchmarks.metrics.base import Metric
from benchwright.benchmarks.metrics.steps.citation_scores import Citing, judged_by, rule_of
from benchwright.benchmarks.metrics.steps.citation_support import PROMPT
from benchwright.benchmarks.metrics.steps.citations import recall, recall_line

_CITING = Citing(lambda found: found.together, recall, recall_line, needs_citations=False)

METRIC = Metric(
    name="citation_recall",
    meaning="how far the sentences of the answer are supported by what they cite",
    formula="credit of the sentences, each by all that it cites / sentences; full 1, partial 0.5, uncited 0",
    citation="Weighted recall of the support evaluation of TREC's RAG track (Thakur et al. 2025, arXiv 2504.15205)",
    needs=frozenset({"answer", "contexts", "judge"}),
    rule=rule_of(_CITING),
    judged=judged_by(_CITING, "citation_recall"),
    uses=(PROMPT,),
    order=73,
    by_default=False,
)
