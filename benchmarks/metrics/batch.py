"""Predictions that are scored together, and their scores as columns: for metrics that need no objects."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields as fields_of
from functools import cached_property
from typing import cast, overload

import numpy as np
import numpy.typing as npt

from benchwright.benchmarks.grounding.matching import CorpusMatcher
from benchwright.benchmarks.metrics.base import BatchRule, Rule, Score, each_of
from benchwright.benchmarks.prediction_fields import PredictionFields, shows_retrieval
from benchwright.benchmarks.predictions import OWN, Prediction, StepUsage, Usage
from benchwright.benchmarks.types import Question

_STEP = tuple(each.name for each in fields_of(StepUsage))


class PredictionBatch(Sequence[Prediction]):
    """The predictions that one call of a rule scores, their contexts matched to the corpus.

    Each is made into an object when it is asked for, once; columns are there without any.
    """

    def __init__(self, matcher: CorpusMatcher) -> None:
        self._matcher = matcher
        self._made: list[Prediction | None] = []
        self._with_first: dict[int, list[Prediction]] = {}
        self._documents: list[list[str | None]] = []
        self.fields: list[PredictionFields] = []
        """As they were handed in."""

    def add(self, fields: PredictionFields, *, is_counted: bool = True) -> None:
        """Adds a prediction, and counts how its contexts were matched unless they were given."""
        self._documents.append(self._matcher.documents_of(fields.get("contexts", ()), is_counted=is_counted))
        self.fields.append(fields)
        self._made.append(None)

    @cached_property
    def retrieved(self) -> list[list[str] | None]:
        """See `retrieved_by`."""
        return [
            distinct_sources(documents, (each.get("id") or each.get("uri") for each in fields.get("contexts", ())))
            if documents or shows_retrieval(fields)
            else None
            for documents, fields in zip(self._documents, self.fields, strict=True)
        ]

    def __len__(self) -> int:
        return len(self.fields)

    @overload
    def __getitem__(self, place: int) -> Prediction: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Prediction]: ...
    def __getitem__(self, place: int | slice) -> Prediction | Sequence[Prediction]:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        made = self._made[place]
        if made is None:
            made = matched_prediction(self.fields[place], self._documents[place], self._matcher)
            self._made[place] = made
        return made

    def __iter__(self) -> Iterator[Prediction]:
        return (self[place] for place in range(len(self)))

    def with_first(self, count: int) -> list[Prediction]:
        """The predictions as if they had so many contexts at the most; made once for all metrics that ask."""
        if count not in self._with_first:
            pairs = zip(self.fields, self._documents, strict=True)
            self._with_first[count] = [
                matched_prediction(fields, documents[:count], self._matcher) for fields, documents in pairs
            ]
        return self._with_first[count]


def each_with_first(count: int, score: Callable[[Question, Prediction], Score]) -> BatchRule:
    """Scores many predictions one after the other, which need no more than so many of their contexts.

    Of a batch the others are never made into objects; predictions of another kind are given as they are.
    """
    score_each = each_of(score)

    def rule(questions: Sequence[Question], predictions: Sequence[Prediction]) -> Sequence[Score]:
        is_batch = isinstance(predictions, PredictionBatch)
        return score_each(questions, predictions.with_first(count) if is_batch else predictions)

    return rule


def each_answer(score: Callable[[Question, Prediction], Score]) -> Rule:
    """The rule of a metric that looks at answers alone, one after the other."""
    return lambda data: each_with_first(0, score)


def matched_prediction(fields: PredictionFields, documents: Sequence[str | None], matcher: CorpusMatcher) -> Prediction:
    """A prediction, its contexts as parts of the documents that they were found to be from: as many as are given."""
    pairs = zip(documents, fields.get("contexts", ()), strict=False)
    return Prediction(
        fields["id"],
        fields.get("answer"),
        fields.get("abstained", False),
        fields.get("condition", OWN),
        fields.get("repeat", 0),
        tuple(fields.get("samples", ())),
        tuple([matcher.placed(document, each) for document, each in pairs]),
        _usage(fields),
        fields.get("cost"),
        fields.get("latency"),
        fields.get("error"),
        fields.get("cut_off", False),
    )


def _usage(fields: PredictionFields) -> Usage:
    said = fields.get("usage")
    if said is None:
        return Usage()
    counts = said.get("input_tokens", 0), said.get("output_tokens", 0), said.get("calls", 0)
    steps = tuple(StepUsage(**{name: each[name] for name in _STEP if name in each}) for each in said.get("steps", ()))
    return Usage(*counts, said.get("retrievals"), steps)


def distinct_sources(documents: list[str | None], ids: Iterable[str | None]) -> list[str]:
    """The documents that contexts are from, the best first, each once; foreign ones keep their place, by their own id.

    Args:
        documents: as they were matched.
        ids: the system's own, or URIs.
    """
    if all(documents):
        sources = cast("list[str]", documents)
    else:
        sources = [
            (document if document is not None else name) or f"\0{place}"
            for place, (document, name) in enumerate(zip(documents, ids, strict=True))
        ]
    return sources if len(set(sources)) == len(sources) else list(dict.fromkeys(sources))


def retrieved_by(predictions: Sequence[Prediction]) -> Sequence[list[str] | None]:
    """The documents that each prediction's contexts are from, the best first; None where it shows none."""
    if isinstance(predictions, PredictionBatch):
        return predictions.retrieved
    return [
        distinct_sources([each.document for each in one.contexts], [each.id or each.uri for each in one.contexts])
        if one.shows_retrieval
        else None
        for one in predictions
    ]


class Scores(Sequence[Score]):
    """Scores as columns: what a rule may return instead of a list of them."""

    def __init__(self, values: npt.NDArray[np.float64], reasons: Sequence[str | None]) -> None:
        """Scores of some predictions.

        Args:
            values: NaN where a prediction is unscored.
            reasons: why each is, or what decided.
        """
        self.values, self.reasons = values, reasons

    def __len__(self) -> int:
        return len(self.values)

    @overload
    def __getitem__(self, place: int) -> Score: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Score]: ...
    def __getitem__(self, place: int | slice) -> Score | Sequence[Score]:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        value = float(self.values[place])
        return Score(None if np.isnan(value) else value, self.reasons[place])
