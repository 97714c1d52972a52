"""How far the contexts that an answer cites support its sentences, and what precision and recall come of it.

The support evaluation of TREC's RAG track (Thakur et al. 2025, arXiv 2504.15205): full support counts 1, partial 0.5.
There the first citation of a sentence is judged. Here all are: precision counts each, and recall asks whether what a
sentence cites supports it together, as Gao et al. 2023 (arXiv 2305.14627) do; with one citation a sentence both are
TREC's.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from benchwright.benchmarks.metrics.steps.cited_sentences import CitedSentence
from benchwright.benchmarks.metrics.steps.nuggets import CREDIT, Support


@dataclass(frozen=True, slots=True)
class SupportedSentence:
    """A sentence, and how far what it cites supports it."""

    sentence: CitedSentence
    each: tuple[Support | None, ...] = ()
    """Of each context that it cites, in order; None: it cannot be told, as the context has no text."""
    together: Support | None = "none"
    """By all of them at once; "none" where it cites nothing, None where it cannot be told."""
    reasons: tuple[str, ...] = ()
    """The judge's, in the order of its verdicts."""


@dataclass(frozen=True, slots=True)
class AnswerSupport:
    """The sentences of an answer that were judged."""

    sentences: tuple[SupportedSentence, ...]
    note: str | None = None
    """What was not read or not judged, for the reason of a score; None: nothing."""

    @property
    def citations(self) -> list[Support]:
        """How far each citation supports its sentence, where it can be told."""
        return [support for sentence in self.sentences for support in sentence.each if support is not None]

    @property
    def together(self) -> list[Support]:
        """How far each sentence is supported by what it cites, where it can be told."""
        return [each.together for each in self.sentences if each.together is not None]


def credit_of(supports: Sequence[Support]) -> float:
    """Full support counts 1, partial 0.5, none 0."""
    return sum(CREDIT[each] for each in supports)


def precision(support: AnswerSupport) -> float:
    """The credit of the citations over their number, from 0 to 1: weighted precision.

    Raises:
        ZeroDivisionError: nothing is cited, or no citation can be told.
    """
    return credit_of(support.citations) / len(support.citations)


def recall(support: AnswerSupport) -> float:
    """The credit of the sentences over their number, those without a citation included: weighted recall, from 0 to 1.

    Raises:
        ZeroDivisionError: there is no sentence that can be told.
    """
    return credit_of(support.together) / len(support.together)


def precision_line(support: AnswerSupport) -> str:
    """The precision in words."""
    found = support.citations
    parts = [f"{found.count('full')} of {len(found)} citations support their sentence"]
    if partial := found.count("partial"):
        parts.append(f"{partial} in part")
    if nowhere := sum(place is None for each in support.sentences for place in each.sentence.contexts):
        parts.append(f"{nowhere} point{'s' if nowhere == 1 else ''} to nothing")
    return f"{', '.join(parts)} = {precision(support):.3g}"


def recall_line(support: AnswerSupport) -> str:
    """The recall in words."""
    found = support.together
    parts = [f"{found.count('full')} of {len(found)} sentences are supported by what they cite"]
    if partial := found.count("partial"):
        parts.append(f"{partial} in part")
    if without := sum(not each.sentence.contexts for each in support.sentences):
        parts.append(f"{without} cite{'s' if without == 1 else ''} nothing")
    return f"{', '.join(parts)} = {recall(support):.3g}"
