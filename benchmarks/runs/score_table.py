"""From predictions to `scores.parquet`: every metric of every question in the release's order, as a stream."""

import gc
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.benchmarks.grounding.matching import CorpusMatcher
from benchwright.benchmarks.judgments import Verdicts
from benchwright.benchmarks.metrics import Material, Score, Scorer, find_metric, unscored
from benchwright.benchmarks.metrics.base import NO_ANSWER
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.runs.run import ContextCounts, RunCounts
from benchwright.benchmarks.runs.store import PredictionStore
from benchwright.benchmarks.types import Question

SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("condition", pa.string()),
        ("repeat", pa.int32()),
        ("metric", pa.string()),
        ("value", pa.float64()),
        ("reason", pa.string()),
        ("judge", pa.string()),
    ]
)
"""`value` is null where a prediction is unscored, and `reason` says why; `judge` is null where it was computed."""
NO_PREDICTION = unscored("no prediction")
NO_JUDGMENT = unscored("no judgment")
_ROWS = 50_000
_STEP = 500

Row = tuple[str, str, int, str, float | None, str | None, str | None]


@dataclass
class _Counts:
    """What a run's predictions hold, counted while they are scored; see `RunCounts`."""

    predictions: int = 0
    missing: int = 0
    errors: int = 0
    unsupported: int = 0
    cut: int = 0

    def add(self, prediction: Prediction | None) -> None:
        """Counts what an attempt has."""
        if prediction is None:
            self.missing += 1
            return
        self.predictions += 1
        if prediction.is_unsupported:
            self.unsupported += 1
        elif prediction.error is not None:
            self.cut += prediction.answer is not None
            self.errors += prediction.answer is None


def write_scores(
    path: Path,
    store: PredictionStore,
    questions: Sequence[Question],
    attempts: Sequence[tuple[str, int]],
    metrics: Sequence[str],
    material: Material,
    verdicts: Verdicts,
    progress: Callable[[int], None],
) -> RunCounts:
    """Scores a run, and writes the scores in one step.

    Args:
        path: where the scores go.
        store: the predictions.
        questions: those that the run is about, in order.
        attempts: the conditions and repeats that each question has.
        metrics: names of what is computed.
        material: what the metrics prepare themselves from.
        verdicts: scores that were made elsewhere, used instead.
        progress: is told how many predictions are scored.
    """
    scorers = {name: find_metric(name).prepare(material) for name in metrics}
    judged = {name: None for each in verdicts.values() for name in each if name not in scorers}
    matcher, counts = CorpusMatcher(material.documents), _Counts()

    def rows() -> Iterator[Row]:
        done = 0
        for question in questions:
            for condition, repeat in attempts:
                prediction = store.read((question.id, condition, repeat))
                if prediction is not None:
                    prediction = _matched(prediction, matcher)
                counts.add(prediction)
                given = verdicts.get((question.id, condition, repeat), {})
                for name, scorer in {**scorers, **judged}.items():
                    if (verdict := given.get(name)) is not None:
                        value, reason, judge = verdict.value, verdict.reason, verdict.judge
                    else:
                        score, judge = _score(scorer, question, prediction), None
                        value, reason = score.value, score.reason
                    yield question.id, condition, repeat, name, value, reason, judge
                done += 1
                if not done % _STEP:
                    progress(done)
        progress(done)

    with settled_memory():
        _write(path, rows())
    matched = ContextCounts(**{name: matcher.counts[name] for name in ("id", "text", "foreign")})
    return RunCounts(**asdict(counts), contexts=matched)


@contextmanager
def settled_memory() -> Iterator[None]:
    """Spares the garbage collector what is in memory now: walking it again and again took a fifth of the time."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _matched(prediction: Prediction, matcher: CorpusMatcher) -> Prediction:
    if not prediction.contexts:
        return prediction
    return replace(prediction, contexts=matcher.match(prediction.contexts))


def _score(scorer: Scorer | None, question: Question, prediction: Prediction | None) -> Score:
    if scorer is None:
        return NO_JUDGMENT
    if prediction is None:
        return NO_PREDICTION
    if prediction.is_unsupported:
        return unscored(prediction.error or "")
    if prediction.answer is None and not prediction.abstained and not prediction.contexts:
        return NO_ANSWER  # for every metric: a system that fails must not be judged by its retrieval alone
    try:
        score = scorer(question, prediction)
    except Exception as error:
        return unscored(f"the metric failed: {type(error).__name__}: {' '.join(str(error).split())[:200]}")
    if score.value is not None and not math.isfinite(score.value):
        return unscored("the metric gave no finite number")
    return score


def _write(path: Path, rows: Iterator[Row]) -> None:
    part = path.with_name(f".{path.name}")
    with pq.ParquetWriter(part, SCHEMA, compression="zstd") as writer:
        columns: list[list[Any]] = [[] for _ in SCHEMA]
        for row in rows:
            for column, value in zip(columns, row, strict=True):
                column.append(value)
            if len(columns[0]) >= _ROWS:
                writer.write_batch(_batch(columns))
                columns = [[] for _ in SCHEMA]
        if columns[0]:
            writer.write_batch(_batch(columns))
    part.replace(path)


def _batch(columns: Sequence[list[Any]]) -> pa.RecordBatch:
    arrays = [pa.array(values, field.type) for values, field in zip(columns, SCHEMA, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)
