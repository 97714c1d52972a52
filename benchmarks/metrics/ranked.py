"""How a measure of ranked documents becomes a metric of predictions."""

from collections.abc import Sequence

from benchwright.benchmarks.metrics.base import NO_CONTEXTS, NO_DOCUMENTS, BatchRule, Metric, ReleaseData, Rule, Score
from benchwright.benchmarks.metrics.ranking import Measure, Ranks, ranked_documents, ranks_of
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question

Places = list[int]


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
    def score(questions: Sequence[Question], predictions: Sequence[Prediction]) -> list[Score]:
        scores = [NO_CONTEXTS if question.documents else NO_DOCUMENTS for question in questions]
        for places, ranks in _RANKS.of(questions, predictions):
            for place, value in zip(places, measure(ranks, k).tolist(), strict=True):
                scores[place] = Score(value)
        return scores

    def prepare(data: ReleaseData) -> BatchRule:
        return score

    return prepare


class _LastRanks:
    """The ranks of the predictions that were asked for last: the metrics of one batch share them."""

    def __init__(self) -> None:
        self._last: tuple[Sequence[Question], Sequence[Prediction], list[tuple[Places, Ranks]]] | None = None

    def of(self, questions: Sequence[Question], predictions: Sequence[Prediction]) -> list[tuple[Places, Ranks]]:
        """The ranks where there are gold documents and retrieval is shown, those of equally many documents together.

        Sums over more columns than a question has documents would be added up in another order, and differ in the last
        bit.
        """
        last = self._last
        if last is not None and last[0] is questions and last[1] is predictions:
            return last[2]
        by_count: dict[int, Places] = {}
        for place, question in enumerate(questions):
            if question.documents and predictions[place].shows_retrieval:
                by_count.setdefault(len(set(question.documents)), []).append(place)
        ranks = [
            (
                places,
                ranks_of(
                    [ranked_documents(predictions[place]) for place in places],
                    [dict.fromkeys(questions[place].documents, 1) for place in places],
                ),
            )
            for places in by_count.values()
        ]
        self._last = questions, predictions, ranks
        return ranks


_RANKS = _LastRanks()
