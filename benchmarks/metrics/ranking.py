"""Ranked documents against gold documents, for many questions at once.

Ranks are counted, not sorted: the rank of a relevant document is one more than the number of documents above it, and
only relevant documents need one. Values equal trec_eval's: scores are compared as 32-bit floats, the larger id goes
first in a tie, gains are linear and discounts log2(rank + 1) (Järvelin and Kekäläinen 2002; trec_eval 9).
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from benchwright.benchmarks.predictions import Prediction

Floats = npt.NDArray[np.float64]
_CHUNK = 4096
"""Questions that are worked on at once: bounds memory at this times the longest ranking."""


class Ranks(NamedTuple):
    """Where the relevant documents of some questions stand: arrays of questions by relevant documents."""

    ranks: Floats
    """From 1; infinite where a document was not retrieved or there is none."""
    gains: Floats
    """The qrel's score; 0 where there is none. The largest first."""
    relevant: Floats
    """How many relevant documents each question has."""


Measure = Callable[[Ranks, int], Floats]
"""Values of questions, given their ranks and a cut-off."""


def ranks_of(retrieved: Sequence[Sequence[str]], relevant: Sequence[Mapping[str, int]]) -> Ranks:
    """Ranks from ranked lists of document ids; a repeated document counts at its first place, and the rest close up."""
    width = max((len(gold) for gold in relevant), default=0)
    ranks = np.full((len(relevant), width), np.inf)
    gains = np.zeros((len(relevant), width))
    for row, (ranked, gold) in enumerate(zip(retrieved, relevant, strict=True)):
        places = {document: place for place, document in enumerate(dict.fromkeys(ranked), start=1)}
        ordered = sorted(((gain, document) for document, gain in gold.items() if gain > 0), reverse=True)
        for column, (gain, document) in enumerate(ordered):
            ranks[row, column] = places.get(document, np.inf)
            gains[row, column] = gain
    return Ranks(ranks, gains, (gains > 0).sum(axis=1).astype(float))


def _tied_above(run: Mapping[str, float], document: str, score: np.float32) -> int:
    return sum(other > document and np.float32(value) == score for other, value in run.items())


def _ranks_of_scores(runs: Sequence[Mapping[str, float]], qrels: Sequence[Mapping[str, int]]) -> Ranks:
    lengths = np.fromiter(map(len, runs), dtype=np.int64, count=len(runs))
    width = int(lengths.max(initial=0))
    flat = np.fromiter(chain.from_iterable(run.values() for run in runs), dtype=np.float32, count=int(lengths.sum()))
    scores = np.full((len(runs), width), -np.inf, dtype=np.float32)
    scores[np.arange(width) < lengths[:, None]] = flat
    gold = [sorted(((gain, document) for document, gain in qrel.items() if gain > 0), reverse=True) for qrel in qrels]
    columns = max(map(len, gold), default=0)
    ranks = np.full((len(runs), columns), np.inf)
    gains = np.zeros((len(runs), columns))
    found = np.full((len(runs), columns), np.nan, dtype=np.float32)
    for row, (run, ordered) in enumerate(zip(runs, gold, strict=True)):
        for column, (gain, document) in enumerate(ordered):
            gains[row, column] = gain
            score = run.get(document)
            if score is not None:
                found[row, column] = score
    for column in range(columns):
        wanted = found[:, column, None]
        above = np.count_nonzero(scores > wanted, axis=1)
        equal = np.count_nonzero(scores == wanted, axis=1)
        retrieved = equal > 0
        ranks[retrieved, column] = above[retrieved] + 1
        for row in np.flatnonzero(equal > 1).tolist():
            ranks[row, column] += _tied_above(runs[row], gold[row][column][1], found[row, column])
    return Ranks(ranks, gains, (gains > 0).sum(axis=1).astype(float))


def score_runs(
    qrels: Mapping[str, Mapping[str, int]],
    run: Mapping[str, Mapping[str, float]],
    measures: Mapping[str, tuple[Measure, int]],
) -> dict[str, Floats]:
    """Each measure's value for every question of `qrels`, in its order, from retrieval scores as trec_eval takes them.

    A question without a run, or with an empty one, has 0 everywhere; so has one without a relevant document.

    Args:
        qrels: question → document → relevance; relevant above 0.
        run: question → document → score, the highest best; NaN is not allowed.
        measures: by any name, a measure of this package and its cut-off.
    """
    names = list(qrels)
    parts: dict[str, list[Floats]] = {name: [] for name in measures}
    empty: Mapping[str, float] = {}
    for first in range(0, len(names), _CHUNK):
        chunk = names[first : first + _CHUNK]
        ranks = _ranks_of_scores([run.get(name, empty) for name in chunk], [qrels[name] for name in chunk])
        for name, (measure, cut_off) in measures.items():
            parts[name].append(measure(ranks, cut_off))
    return {name: np.concatenate(values) if values else np.zeros(0) for name, values in parts.items()}


def ranked_documents(prediction: Prediction) -> list[str]:
    """The documents that a prediction's contexts are from, best first, each once; foreign ones keep their place."""
    sources = [context.source or f"\0{place}" for place, context in enumerate(prediction.contexts)]
    return list(dict.fromkeys(sources))


def safe_ratio(part: Floats, whole: Floats) -> Floats:
    """A quotient that is 0 where the whole is 0."""
    return np.divide(part, whole, out=np.zeros_like(part, dtype=float), where=whole > 0)
