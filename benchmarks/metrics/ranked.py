"""How a measure of ranked documents becomes a metric of predictions."""

from collections.abc import Sequence

import numpy as np

from benchwright.benchmarks.metrics.base import NO_CONTEXTS, NO_DOCUMENTS, BatchRule, Metric, ReleaseData, Rule
from benchwright.benchmarks.metrics.batch import Scores, retrieved_by
from benchwright.benchmarks.metrics.ranking import Measure, Ranks, ranks_of
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question

NO_IDS = "contexts without an id of the corpus, whose texts this release does not hold: join them first"


def ranked_metric(
    *, name: str, meaning: str, formula: str, citation: str, measure: Measure, k: int, order: int
) -> Metric:
    """A metric of the documents that a prediction's contexts are from; 0 where its retrieval found nothing.

    Several contexts from one document count as that document at its best place. Questions without gold documents are
    unscored, and predictions that do not show what was retrieved.
    """
    needs = frozenset(("contexts", "documents"))
    return Metric(name, meaning, formula, citation, needs, rule=_rule(measure, k), order=order)


def _rule(measure: Measure, k: int) -> Rule:
    def prepare(data: ReleaseData) -> BatchRule:
        lacks_texts = any(document.text is None for document in data.documents.values())

        def score(questions: Sequence[Question], predictions: Sequence[Prediction]) -> Scores:
            ranks, reasons = _RANKS.of(questions, predictions)
            if lacks_texts:
                reasons = [_unmatched(each) or reason for each, reason in zip(predictions, reasons, strict=True)]
            values = np.full(len(questions), np.nan)
            for each in ranks:
                values[each.places] = measure(each.ranks, k)
            if lacks_texts:
                values[[reason is not None for reason in reasons]] = np.nan
            return Scores(values, reasons)

        return score

    return prepare


def _unmatched(prediction: Prediction) -> str | None:
    """Why nobody can say which documents a prediction's contexts are from, in a corpus without texts."""
    is_given_by_text = any(each.document is None and each.text is not None for each in prediction.contexts)
    return NO_IDS if is_given_by_text else None


class _LastRanks:
    """The ranks of the predictions that were asked for last: the metrics of one batch share them."""

    def __init__(self) -> None:
        self._last: tuple[Sequence[Question], Sequence[Prediction], list[Ranks], list[str | None]] | None = None

    def of(
        self, questions: Sequence[Question], predictions: Sequence[Prediction]
    ) -> tuple[list[Ranks], list[str | None]]:
        """The ranks of what is scored; and of every prediction why it is not, if so."""
        last = self._last
        if last is None or last[0] is not questions or last[1] is not predictions:
            retrieved = retrieved_by(predictions)
            reasons = [
                NO_DOCUMENTS.reason if not question.documents else NO_CONTEXTS.reason if ranked is None else None
                for question, ranked in zip(questions, retrieved, strict=True)
            ]
            ranks = ranks_of(retrieved, [question.documents for question in questions])
            last = self._last = questions, predictions, ranks, reasons
        return last[2], last[3]


_RANKS = _LastRanks()
