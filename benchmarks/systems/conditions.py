"""What a system is given in each condition: its own retrieval, nothing, the gold passages, its own without these."""

from collections.abc import Mapping

from benchwright.benchmarks.grounding.chunking import Passage, chunk_document
from benchwright.benchmarks.grounding.stating import StatingDocuments
from benchwright.benchmarks.predictions import CLOSED, CONDITIONS, GOLD, OWN, WITHOUT_GOLD
from benchwright.benchmarks.releases.offsets import JOIN
from benchwright.benchmarks.systems.base import Attempt, UnsupportedError
from benchwright.benchmarks.types import Document, Evidence, Question


def attempt_of(
    question: Question,
    condition: str,
    repeat: int,
    documents: Mapping[str, Document],
    stating: StatingDocuments | None = None,
) -> Attempt:
    """A question under a condition.

    Args:
        stating: finds the documents that state what is needed and that the release does not name; without it they are
            left, and the condition `without-gold` leaves out those that it names.

    Raises:
        UnsupportedError: the question has nothing that the condition could give or take away.
    """
    if condition == OWN:
        return Attempt(question, condition, repeat)
    if condition == CLOSED:
        return Attempt(question, condition, repeat, contexts=())
    needed = needed_documents(question)
    if not needed:
        raise UnsupportedError("the question has no gold documents")
    if any(name in documents and documents[name].text is None for name in needed):
        raise UnsupportedError(f"this release has no texts of its gold documents: join them first, {JOIN}")
    if condition == WITHOUT_GOLD:
        if stating is None:
            return Attempt(question, condition, repeat, without=needed)
        return Attempt(question, condition, repeat, without=stating.of(question), needed=stating.facts_of(question))
    if condition == GOLD:
        passages = tuple(gold_passages(question, documents))
        if not passages:
            raise UnsupportedError("the corpus does not hold the gold documents")
        return Attempt(question, condition, repeat, contexts=passages)
    raise ValueError(f"no condition {condition!r}: there are {', '.join(CONDITIONS)}")


def needed_documents(question: Question) -> frozenset[str]:
    """Ids of the documents that a release names as stating any fact that a question needs."""
    return frozenset((*question.documents, *(evidence.document for evidence in question.evidence)))


def gold_passages(question: Question, documents: Mapping[str, Document]) -> list[Passage]:
    """The passages that hold a question's evidence, in its order; of a question without, its whole documents."""
    passages: dict[Passage, None] = {}
    for evidence in question.evidence:
        if evidence.document in documents:
            passages[_around(evidence, documents[evidence.document])] = None
    if not question.evidence:
        for name in question.documents:
            if name in documents:
                passages[whole_document(documents[name])] = None
    return list(passages)


def _around(evidence: Evidence, document: Document) -> Passage:
    """The passage, or the passages in a row, that hold a stretch of evidence."""
    parts = [each for each in chunk_document(document) if each.start < evidence.end and evidence.start < each.end]
    start, end = (parts[0].start, parts[-1].end) if parts else (evidence.start, evidence.end)
    return Passage(document.id, document.title, start, end, document.body[start:end])


def whole_document(document: Document) -> Passage:
    """A document as one passage."""
    return Passage(document.id, document.title, 0, len(document.body), document.body)
