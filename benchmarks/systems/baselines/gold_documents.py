"""Is given the gold documents whole: what is lost by reading more than the passages."""

from collections.abc import Mapping

from benchwright.benchmarks.predictions import WITHOUT_GOLD
from benchwright.benchmarks.systems.base import Opening
from benchwright.benchmarks.systems.baseline import Baseline, Retriever
from benchwright.benchmarks.systems.conditions import whole_document
from benchwright.benchmarks.types import Document


def _retriever(documents: Mapping[str, Document], opening: Opening) -> Retriever:
    return lambda attempt: [
        (whole_document(documents[name]), None) for name in attempt.question.documents if name in documents
    ]


BASELINE = Baseline(
    what="is given the gold documents, whole",
    retriever=_retriever,
    unsupported={WITHOUT_GOLD: "it is given nothing but gold documents"},
)
