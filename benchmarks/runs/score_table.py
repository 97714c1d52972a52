"""From predictions to `scores.parquet`: every metric of every attempt in the release's order, batch by batch."""

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.benchmarks.grounding.matching import CorpusMatcher
from benchwright.benchmarks.judgments import Judgment, Verdicts
from benchwright.benchmarks.metrics.base import (
    NO_ANSWER,
    BatchRule,
    Metric,
    ReleaseData,
    Score,
    failed,
    finite,
    unscored,
)
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
"""Of a row group."""
_BATCH = 500
"""Predictions that are scored at once, and how often progress is told."""
_BATCH_CHARACTERS = 20_000_000
"""Of their contexts together: bounds memory."""

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


@dataclass
class _Batch:
    """Some attempts, in order."""

    keys: list[tuple[Question, str, int]] = field(default_factory=list)
    """Question, condition and repeat of each."""
    unscored: list[Score | None] = field(default_factory=list)
    """Why an attempt has no score by any rule; None where it has."""
    questions: list[Question] = field(default_factory=list)
    """Of those that are scored."""
    predictions: list[Prediction] = field(default_factory=list)
    characters: int = 0

    def add(self, question: Question, condition: str, repeat: int, prediction: Prediction | None) -> None:
        """Adds an attempt."""
        self.keys.append((question, condition, repeat))
        why = _why_unscored(prediction)
        self.unscored.append(why)
        if why is None and prediction is not None:
            self.questions.append(question)
            self.predictions.append(prediction)
            self.characters += sum(len(context.text or "") for context in prediction.contexts)

    @property
    def is_full(self) -> bool:
        """Whether it is to be scored now."""
        return len(self.keys) >= _BATCH or self.characters >= _BATCH_CHARACTERS


def write_scores(
    path: Path,
    store: PredictionStore,
    questions: Sequence[Question],
    attempts: Sequence[tuple[str, int]],
    metrics: Sequence[Metric],
    data: ReleaseData,
    verdicts: Verdicts,
    progress: Callable[[int], None],
) -> RunCounts:
    """Scores a run, and writes the scores in one step.

    Args:
        path: where the scores go.
        store: the predictions.
        questions: those that the run is about, in order.
        attempts: the conditions and repeats that each question has.
        metrics: what is computed.
        data: what the metrics prepare themselves from.
        verdicts: scores of judges, used instead.
        progress: is told how many predictions are scored.
    """
    rules = {metric.name: metric.rule(data) if metric.rule is not None else None for metric in metrics}
    rules |= {name: None for judged in verdicts.values() for name in judged if name not in rules}
    matcher, counts = CorpusMatcher(data.documents), _Counts()

    def rows() -> Iterator[Row]:
        done = 0
        for batch in _batches(store, questions, attempts, matcher, counts):
            yield from _rows(batch, rules, verdicts)
            done += len(batch.keys)
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


def _batches(
    store: PredictionStore,
    questions: Sequence[Question],
    attempts: Sequence[tuple[str, int]],
    matcher: CorpusMatcher,
    counts: _Counts,
) -> Iterator[_Batch]:
    """All attempts, their contexts matched to the corpus, counted."""
    batch = _Batch()
    for question in questions:
        for condition, repeat in attempts:
            prediction = store.read((question.id, condition, repeat))
            if prediction is not None and prediction.contexts:
                prediction = replace(prediction, contexts=matcher.match(prediction.contexts))
            counts.add(prediction)
            batch.add(question, condition, repeat, prediction)
            if batch.is_full:
                yield batch
                batch = _Batch()
    if batch.keys:
        yield batch


def _why_unscored(prediction: Prediction | None) -> Score | None:
    if prediction is None:
        return NO_PREDICTION
    if prediction.is_unsupported:
        return unscored(prediction.error or "")
    if prediction.answer is None and not prediction.abstained and not prediction.contexts:
        return NO_ANSWER  # for every metric: a system that fails must not be judged by its retrieval alone
    return None


def _rows(batch: _Batch, rules: Mapping[str, BatchRule | None], verdicts: Verdicts) -> Iterator[Row]:
    nothing: Mapping[str, Judgment] = {}
    columns = {name: _scores(rule, batch) for name, rule in rules.items()}
    for place, (question, condition, repeat) in enumerate(batch.keys):
        given = verdicts.get((question.id, condition, repeat), nothing)
        for name, scores in columns.items():
            if (verdict := given.get(name)) is not None:
                yield question.id, condition, repeat, name, verdict.score, verdict.why, str(verdict.judge)
            else:
                score = scores[place]
                yield question.id, condition, repeat, name, score.value, score.reason, None


def _scores(rule: BatchRule | None, batch: _Batch) -> list[Score]:
    """A metric's scores of all attempts of a batch."""
    if rule is None:
        return [why or NO_JUDGMENT for why in batch.unscored]
    scores = iter(_scored(rule, batch.questions, batch.predictions))
    return [next(scores) if why is None else why for why in batch.unscored]


def _scored(rule: BatchRule, questions: Sequence[Question], predictions: Sequence[Prediction]) -> list[Score]:
    """The scores of some predictions; where a rule fails, those of the predictions that it does not fail at."""
    try:
        scores = list(rule(questions, predictions))
        if len(scores) != len(questions):
            raise ValueError(f"{len(scores)} scores for {len(questions)} predictions")
    except Exception as error:
        if len(questions) == 1:
            return [failed(error)]
        pairs = zip(questions, predictions, strict=True)
        return [score for question, prediction in pairs for score in _scored(rule, [question], [prediction])]
    return [finite(score) for score in scores]


def _write(path: Path, rows: Iterator[Row]) -> None:
    part = path.with_name(f".{path.name}")
    with pq.ParquetWriter(part, SCHEMA, compression="zstd") as writer:
        columns: list[list[object]] = [[] for _ in SCHEMA]
        for row in rows:
            for column, value in zip(columns, row, strict=True):
                column.append(value)
            if len(columns[0]) >= _ROWS:
                writer.write_batch(_record_batch(columns))
                columns = [[] for _ in SCHEMA]
        if columns[0]:
            writer.write_batch(_record_batch(columns))
    part.replace(path)


def _record_batch(columns: Sequence[list[object]]) -> pa.RecordBatch:
    arrays = [pa.array(values, field.type) for values, field in zip(columns, SCHEMA, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)
