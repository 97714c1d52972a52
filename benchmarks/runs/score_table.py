"""From predictions to `scores.parquet`: every metric of every attempt in the release's order, batch by batch."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.benchmarks.arrow import release_unused
from benchwright.benchmarks.collector import settled_memory
from benchwright.benchmarks.grounding.matching import CorpusMatcher
from benchwright.benchmarks.grounding.uris import UriMap
from benchwright.benchmarks.judgments import Verdicts
from benchwright.benchmarks.metrics.base import NO_ANSWER, BatchRule, Metric, ReleaseData, Score, failed
from benchwright.benchmarks.metrics.batch import PredictionBatch, Scores
from benchwright.benchmarks.prediction_fields import PredictionFields, checked_fields, read_fields
from benchwright.benchmarks.predictions import CLOSED, GOLD, UNSUPPORTED, Prediction
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
NO_PREDICTION = "no prediction"
NO_JUDGMENT = "no judgment"
NOT_FINITE = "the metric gave no finite number"
_ROWS = 50_000
"""Of a row group, at least."""
_BATCH = 500
"""Predictions that are scored at once, and how often progress is told."""
_BATCH_BYTES = 20_000_000
"""Of their lines together: bounds memory."""

Floats = npt.NDArray[np.float64]
Texts = npt.NDArray[np.object_]
"""None where there is none."""
Columns = tuple[Floats, Sequence[str | None]]
"""Values, NaN where a prediction is unscored, and reasons."""


@dataclass
class _Counts:
    """What a run's predictions hold, counted while they are scored; see `RunCounts`."""

    predictions: int = 0
    missing: int = 0
    errors: int = 0
    unsupported: int = 0
    cut: int = 0
    cut_off: int = 0

    def add(self, fields: PredictionFields | None) -> None:
        """Counts what an attempt has."""
        if fields is None:
            self.missing += 1
            return
        self.predictions += 1
        self.cut_off += bool(fields.get("cut_off"))
        error = fields.get("error")
        if error is None:
            return
        if error.startswith(UNSUPPORTED):
            self.unsupported += 1
        elif fields.get("answer") is not None:
            self.cut += 1
        else:
            self.errors += 1


@dataclass
class _Batch:
    """Some attempts, in order."""

    predictions: PredictionBatch
    """Of those that are scored."""
    keys: list[tuple[Question, str, int]] = field(default_factory=list)
    """Question, condition and repeat of each."""
    unscored: dict[int, str] = field(default_factory=dict)
    """Place → why an attempt has no score by any rule."""
    questions: list[Question] = field(default_factory=list)
    """Of those that are scored."""
    size: int = 0
    """Bytes of the lines of what is scored."""

    def add(self, question: Question, condition: str, repeat: int, fields: PredictionFields | None, size: int) -> None:
        """Adds an attempt."""
        why = _why_unscored(fields)
        if why is not None:
            self.unscored[len(self.keys)] = why
        elif fields is not None:
            self.questions.append(question)
            self.predictions.add(fields, is_counted=condition not in (CLOSED, GOLD))
            self.size += size
        self.keys.append((question, condition, repeat))

    @property
    def is_full(self) -> bool:
        """Whether it is to be scored now."""
        return len(self.keys) >= _BATCH or self.size >= _BATCH_BYTES

    @property
    def places(self) -> npt.NDArray[np.int64]:
        """Those of what is scored."""
        return np.array([place for place in range(len(self.keys)) if place not in self.unscored], dtype=np.int64)


def write_scores(
    path: Path,
    store: PredictionStore,
    questions: Sequence[Question],
    attempts: Sequence[tuple[str, int]],
    metrics: Sequence[Metric],
    data: ReleaseData,
    verdicts: Verdicts,
    progress: Callable[[int], None],
    uris: UriMap | None = None,
) -> RunCounts:
    """Scores a run, and writes the scores in one step.

    Args:
        path: where the scores go.
        store: the predictions.
        questions: those that the run is about, in order.
        attempts: the conditions and repeats; of repeats but the first, a question has those with a prediction.
        metrics: what is computed.
        data: what the metrics prepare themselves from.
        verdicts: scores of judges, used instead.
        progress: is told how many predictions are scored.
        uris: which documents URIs mean.
    """
    rules = {metric.name: metric.rule(data) if metric.rule is not None else None for metric in metrics}
    rules |= {name: None for judged in verdicts.values() for name in judged if name not in rules}
    matcher, counts = CorpusMatcher(data.documents, uris), _Counts()

    def tables() -> Iterator[pa.Table]:
        done = 0
        for batch in _batches(store, questions, attempts, matcher, counts):
            yield _table(batch, rules, verdicts)
            done += len(batch.keys)
            progress(done)

    with settled_memory():
        _write(path, tables())
    release_unused()
    matched = ContextCounts(**{name: matcher.counts[name] for name in ("id", "uri", "text", "foreign")})
    return RunCounts(**asdict(counts), contexts=matched)


def _batches(
    store: PredictionStore,
    questions: Sequence[Question],
    attempts: Sequence[tuple[str, int]],
    matcher: CorpusMatcher,
    counts: _Counts,
) -> Iterator[_Batch]:
    """All attempts, their contexts matched to the corpus, counted."""
    batch, source = _Batch(PredictionBatch(matcher)), str(store.path)
    for question in questions:
        for condition, repeat in attempts:
            line, number = store.line((question.id, condition, repeat)) or (b"", 0)
            if repeat and not line:
                continue  # a file may hold further answers to some questions alone
            fields = None
            if line:
                fields = checked_fields(line) if store.is_checked else read_fields(line, number=number, source=source)
            counts.add(fields)
            batch.add(question, condition, repeat, fields, len(line))
            if batch.is_full:
                yield batch
                batch = _Batch(PredictionBatch(matcher))
    if batch.keys:
        yield batch


def _why_unscored(fields: PredictionFields | None) -> str | None:
    if fields is None:
        return NO_PREDICTION
    error = fields.get("error")
    if error is not None and error.startswith(UNSUPPORTED):
        return error
    if fields.get("answer") is None and not fields.get("abstained") and not fields.get("contexts"):
        return NO_ANSWER.reason  # for every metric: a system that fails must not be judged by its retrieval alone
    return None


def _table(batch: _Batch, rules: Mapping[str, BatchRule | None], verdicts: Verdicts) -> pa.Table:
    """The scores of a batch: every metric of its first attempt, then of the next."""
    shape = len(batch.keys), len(rules)
    values, reasons, judges = np.full(shape, np.nan), np.full(shape, None), np.full(shape, None)
    places = batch.places
    for column, rule in enumerate(rules.values()):
        if rule is None:
            reasons[places, column] = NO_JUDGMENT
        elif len(places):
            values[places, column], reasons[places, column] = _scored(rule, batch.questions, batch.predictions)
    for place, why in batch.unscored.items():
        reasons[place] = why
    if verdicts:
        _judge(batch, list(rules), verdicts, values, reasons, judges)
    attempt, metric = np.repeat(np.arange(shape[0]), shape[1]), np.tile(np.arange(shape[1]), shape[0])
    columns = (
        pa.array([question.id for question, _, _ in batch.keys], pa.string()).take(pa.array(attempt)),
        pa.array([condition for _, condition, _ in batch.keys], pa.string()).take(pa.array(attempt)),
        pa.array([repeat for _, _, repeat in batch.keys], pa.int32()).take(pa.array(attempt)),
        pa.array(list(rules), pa.string()).take(pa.array(metric)),
        pa.array(values.ravel(), pa.float64(), mask=np.isnan(values.ravel())),
        pa.array(reasons.ravel(), pa.string()),
        pa.array(judges.ravel(), pa.string()),
    )
    return pa.Table.from_arrays(columns, schema=SCHEMA)


def _judge(
    batch: _Batch, names: Sequence[str], verdicts: Verdicts, values: Floats, reasons: Texts, judges: Texts
) -> None:
    """Puts the verdicts of judges in the place of computed scores."""
    for place, (question, condition, repeat) in enumerate(batch.keys):
        for name, verdict in verdicts.get((question.id, condition, repeat), {}).items():
            at = place, names.index(name)
            values[at] = np.nan if verdict.score is None else verdict.score
            reasons[at], judges[at] = verdict.why, str(verdict.judge)


def _scored(rule: BatchRule, questions: Sequence[Question], predictions: Sequence[Prediction]) -> Columns:
    """The scores of some predictions; where a rule fails, those of the predictions that it does not fail at."""
    try:
        scores = rule(questions, predictions)
        if not isinstance(scores, Scores):
            scores = list(scores)
        if len(scores) != len(questions):
            raise ValueError(f"{len(scores)} scores for {len(questions)} predictions")
        return _columns(scores)
    except Exception as error:
        if len(questions) == 1:
            return np.full(1, np.nan), [failed(error).reason]
    parts = [_scored(rule, [question], [one]) for question, one in zip(questions, predictions, strict=True)]
    return np.concatenate([values for values, _ in parts]), [reason for _, reasons in parts for reason in reasons]


def _columns(scores: Scores | list[Score]) -> Columns:
    """Scores as columns; a value that is no finite number is none, and says so."""
    if isinstance(scores, Scores):
        values, reasons = scores.values, list(scores.reasons)
        odd = ~np.isfinite(values) & ~(np.isnan(values) & np.array([reason is not None for reason in reasons]))
    else:
        values = np.array([math.nan if each.value is None else each.value for each in scores], dtype=float)
        reasons = [each.reason for each in scores]
        odd = ~np.isfinite(values) & np.array([each.value is not None for each in scores])
    for place in np.flatnonzero(odd).tolist():
        reasons[place] = NOT_FINITE
    return np.where(odd, np.nan, values), reasons


def _write(path: Path, tables: Iterator[pa.Table]) -> None:
    part = path.with_name(f".{path.name}")
    with pq.ParquetWriter(part, SCHEMA, compression="zstd") as writer:
        group: list[pa.Table] = []
        for table in tables:
            group.append(table)
            if sum(map(len, group)) >= _ROWS:
                writer.write_table(pa.concat_tables(group))
                group = []
        if group:
            writer.write_table(pa.concat_tables(group))
    part.replace(path)
