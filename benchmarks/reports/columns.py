"""What a report is computed from: the questions of a run and their scores as columns, without any text."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.runs.run import RUN, SCORES, Run, read_run
from benchwright.benchmarks.schemas import DEFAULT_CONFIG

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

OWN = "own"
"""The condition that the figures are of where it was run: the system's own retrieval."""
_TEXTS = ("answerability", "group", "form", "template", "kind", "subset")
_CODED = ["id", "condition", "metric", "reason", "judge"]


@dataclass(frozen=True)
class Column:
    """A column of few values: a name for each code, and each row's code, -1 where it has none."""

    names: tuple[str, ...]
    codes: Ints

    @property
    def is_empty(self) -> bool:
        """No row has a value."""
        return not self.names

    def where(self, name: str) -> Bools:
        """The rows of a value."""
        return self.codes == (self.names.index(name) if name in self.names else -2)


@dataclass(frozen=True)
class Questions:
    """The questions that the run is about, in the release's order."""

    ids: tuple[str, ...]
    index: Mapping[str, int]
    columns: Mapping[str, Column]
    """answerability, group, form, template, kind, hops and subset."""
    documents: tuple[tuple[str, ...], ...]
    clusters: Ints
    """What is drawn and counted: the group's code, a number of its own for a question without one."""
    distinct_answers: Mapping[int, int]
    """Of each template's code: different gold answers of its questions in the release."""

    @property
    def headline(self) -> Bools:
        """The questions that the headline is over: neither known gaps nor unanswerable."""
        column = self.columns["answerability"]
        return ~(column.where("gap") | column.where("unanswerable"))


@dataclass(frozen=True)
class Scores:
    """`scores.parquet` as parallel arrays, one entry a row of a known question."""

    question: Ints
    condition: Column
    repeat: Ints
    metric: Column
    value: Floats
    """NaN stands for null; it leaves no function."""
    reason: Column
    judge: Column
    unknown: int
    """Rows that were left out: their question is not in the release."""

    def rows(self, metric: str, condition: str) -> Ints:
        """The places of a metric's rows in a condition."""
        return np.flatnonzero(self.metric.where(metric) & self.condition.where(condition))

    def first_values(self, metric: str, condition: str) -> dict[int, float]:
        """Question → value of its first repeat, of those that are scored."""
        rows = self.rows(metric, condition)
        rows = rows[~np.isnan(self.value[rows])]
        rows = rows[np.argsort(-self.repeat[rows], kind="stable")]
        return dict(zip(self.question[rows].tolist(), self.value[rows].tolist(), strict=True))


@dataclass(frozen=True)
class RunData:
    """A run, ready to be reported."""

    release: Release
    folder: Path
    settings: Run
    questions: Questions
    scores: Scores
    condition: str
    """The condition that the figures are of."""


def load_run(release: Release, folder: Path) -> RunData:
    """Reads a run's settings, scores and questions.

    Raises:
        BenchwrightError: `run.json` or `scores.parquet` is missing or cannot be read.
    """
    settings = read_run(folder)
    if settings is None or not (folder / SCORES).is_file():
        lacking = RUN if settings is None else SCORES
        raise BenchwrightError(f"{folder} holds no {lacking}: it is not a scored run; score the system again")
    try:
        table = pq.read_table(folder / SCORES, read_dictionary=_CODED)
    except (OSError, ValueError, pa.ArrowException) as error:
        what = str(error).splitlines()[0]
        raise BenchwrightError(f"{folder / SCORES} cannot be read ({what}): score the system again") from None
    missing = [name for name in ("id", "metric", "value") if name not in table.column_names]
    if missing:
        raise BenchwrightError(f"{folder / SCORES} lacks {', '.join(missing)}: score the system again")
    ids = _coded(table, "id")
    questions = _read_questions(release, ids.names)
    scores = _scores(table, ids, questions)
    return RunData(release, folder, settings, questions, scores, _main_condition(settings, scores))


def _main_condition(settings: Run, scores: Scores) -> str:
    there = [name for name in settings.conditions if name in scores.condition.names] or sorted(scores.condition.names)
    return OWN if OWN in there or not there else there[0]


def _coded(table: pa.Table, name: str, absent: str | None = None) -> Column:
    """A column of text as codes; where the file lacks it, all rows have the value `absent`."""
    if name not in table.column_names:
        return Column(() if absent is None else (absent,), np.full(len(table), -1 if absent is None else 0))
    column = table.column(name).cast(pa.string()).combine_chunks().dictionary_encode()
    return Column(
        tuple(column.dictionary.to_pylist()), column.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(int)
    )


def _scores(table: pa.Table, ids: Column, questions: Questions) -> Scores:
    places = np.array([*(questions.index.get(name, -1) for name in ids.names), -1], dtype=int)
    question = places[ids.codes]
    kept = question >= 0
    repeat = (
        pc.fill_null(table.column("repeat"), 0).to_numpy().astype(int)
        if "repeat" in table.column_names
        else np.zeros(len(table), dtype=int)
    )
    value = table.column("value").cast(pa.float64()).to_numpy().astype(float)

    def column(name: str, absent: str | None = None) -> Column:
        found = _coded(table, name, absent)
        return Column(found.names, found.codes[kept])

    return Scores(
        question=question[kept],
        condition=column("condition", OWN),
        repeat=repeat[kept],
        metric=column("metric"),
        value=np.where(np.isfinite(value), value, np.nan)[kept],
        reason=column("reason"),
        judge=column("judge"),
        unknown=int((~kept).sum()),
    )


class _Encoder:
    """Gives each value a code in the order of first appearance."""

    def __init__(self) -> None:
        self.index: dict[str, int] = {}
        self.codes: list[int] = []

    def add(self, value: str | None) -> int:
        code = -1 if value is None else self.index.setdefault(value, len(self.index))
        self.codes.append(code)
        return code

    def column(self) -> Column:
        return Column(tuple(self.index), np.array(self.codes, dtype=int))


def _read_questions(release: Release, ids: tuple[str, ...]) -> Questions:
    """The questions of the ids, and of every template in the release how many different answers it has."""
    wanted, found = pa.array(ids, pa.string()), []
    documents: list[tuple[str, ...]] = []
    encoders = {name: _Encoder() for name in (*_TEXTS, "hops")}
    answers: dict[str, set[int]] = {}
    interned: dict[tuple[str, ...], tuple[str, ...]] = {}
    for split in release.manifest.splits.get(DEFAULT_CONFIG, {}):
        for batch in release.batches(DEFAULT_CONFIG, split, ["id", *_TEXTS, "hops", "documents", "answers"]):
            for template, gold in zip(
                batch.column("template").to_pylist(), batch.column("answers").to_pylist(), strict=True
            ):
                if template is not None and gold:
                    answers.setdefault(template, set()).add(hash(tuple(gold)))
            for row in batch.filter(pc.is_in(batch.column("id"), value_set=wanted)).to_pylist():
                found.append(row["id"])
                gold = tuple(row["documents"] or ())
                documents.append(interned.setdefault(gold, gold))
                for name, encoder in encoders.items():
                    encoder.add(None if row[name] is None else str(row[name]))
    columns = {name: encoder.column() for name, encoder in encoders.items()}
    group = columns["group"]
    clusters = np.where(group.codes >= 0, group.codes, len(group.names) + np.arange(len(found)))
    templates = {name: code for code, name in enumerate(columns["template"].names)}
    return Questions(
        ids=tuple(found),
        index={name: place for place, name in enumerate(found)},
        columns=columns,
        documents=tuple(documents),
        clusters=clusters,
        distinct_answers={templates[name]: len(seen) for name, seen in answers.items() if name in templates},
    )
