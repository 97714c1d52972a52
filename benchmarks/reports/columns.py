"""What a report is computed from: a run as columns, one row an attempt, and a matrix of what each metric gave it.

RunData      the attempts, with the columns of their questions, and values, masks, reasons and judges by metric
Questions    the questions that the run is about, as columns of their own
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.arrow import release_unused
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.predictions import OWN
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.needed import BANDS, bands_of, needed_documents, needed_facts
from benchwright.benchmarks.runs.run import RUN, SCORES, Run, read_run
from benchwright.benchmarks.schemas import DEFAULT_CONFIG

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.int64] | npt.NDArray[np.int32]

QUESTION_COLUMNS = ("answerability", "group", "form", "template", "entity", "kind", "hops", "subset")
_CODED = ["id", "condition", "metric", "reason", "judge"]
_BATCH = 50_000
"""Scores that are read at once."""


@dataclass(frozen=True)
class Column:
    """A column of few values: a name for each code, and each row's code, -1 where it has none."""

    names: tuple[str, ...]
    codes: Codes

    @property
    def is_empty(self) -> bool:
        """No row has a value."""
        return not self.names

    def where(self, name: str) -> Bools:
        """The rows of a value."""
        return self.codes == (self.names.index(name) if name in self.names else -2)

    def at(self, place: int) -> str | None:
        """The value of a row."""
        code = self.codes[place]
        return self.names[code] if code >= 0 else None

    def take(self, places: Ints) -> "Column":
        """The column of other rows: those of the places."""
        return Column(self.names, self.codes[places])


@dataclass(frozen=True)
class Questions:
    """The questions that the run is about, in the release's order."""

    ids: tuple[str, ...]
    index: Mapping[str, int]
    """Id → place."""
    answerability: Column
    group: Column
    form: Column
    template: Column
    entity: Column
    kind: Column
    hops: Column
    """Numbers, as texts."""
    subset: Column
    facts: Column
    """Bands of how many facts the answer needs, by the evidence."""
    documents: Column
    """Bands of how many documents, at least, state all of them."""
    gold_documents: tuple[tuple[str, ...], ...]
    """Ids of each question's gold documents."""
    distinct_answers: Mapping[int, int]
    """Of each template's code: different gold answers of its questions in the release."""
    has_gold: bool = True
    """Whether any of them has a gold answer."""

    def column(self, name: str) -> Column:
        """One of QUESTION_COLUMNS or NEEDED_COLUMNS."""
        return getattr(self, name)

    @cached_property
    def clusters(self) -> Ints:
        """What is drawn and counted: the group's code, a number of its own for a question without one."""
        places = np.arange(len(self.ids))
        return np.where(self.group.codes >= 0, self.group.codes, len(self.group.names) + places)

    def group_key(self, place: int) -> Hashable:
        """What a question is drawn with, by a name that is the same in all runs on a release."""
        group = self.group.at(place)
        return ("question", self.ids[place]) if group is None else ("group", group)

    @cached_property
    def headline(self) -> Bools:
        """The questions that the headline is over: neither known gaps nor unanswerable."""
        return ~(self.answerability.where("gap") | self.answerability.where("unanswerable"))


@dataclass(frozen=True)
class RunData:
    """A run, ready to be reported: rows are attempts, a question in a condition and repeat.

    `id`, `group`, `template`, `entity`, `form`, `kind`, `hops`, `subset` and `answerability` are columns of the
    attempts; `questions` holds the same with one row a question.
    """

    release: Release
    folder: Path
    settings: Run
    questions: Questions
    question: Ints
    """Each attempt's question, as its place in `questions`."""
    condition: Column
    repeat: Ints
    metrics: tuple[str, ...]
    """What the columns of the matrices are of."""
    values: Floats
    """Of shape (attempts, metrics). 0 where `is_scored` is false; never NaN."""
    is_scored: Bools
    """Whether there is a value, of the same shape."""
    is_listed: Bools
    """Whether the metric has anything to say of the attempt: a value, or that it is unscored."""
    reasons: Column
    """Why it is unscored, or what decided: codes of the same shape."""
    judges: Column
    """Who judged, where it was not computed: codes of the same shape."""
    unknown_scores: int
    """Scores that were left out: their question is not in the release."""
    shown: str
    """The condition that the figures are of."""
    computed: dict[Callable[..., Any], Any] = field(default_factory=dict, repr=False, compare=False)
    """What `per_run` has kept."""

    @property
    def id(self) -> Column:
        """The question's id."""
        return Column(self.questions.ids, self.question)

    @property
    def group(self) -> Column:
        """The question's semantic group."""
        return self.questions.group.take(self.question)

    @property
    def template(self) -> Column:
        """The question's template: with `entity`, what two-way clusters are made of."""
        return self.questions.template.take(self.question)

    @property
    def entity(self) -> Column:
        """The value of the question's first placeholder."""
        return self.questions.entity.take(self.question)

    @property
    def form(self) -> Column:
        """The question's linguistic form."""
        return self.questions.form.take(self.question)

    @property
    def kind(self) -> Column:
        """The sort of question."""
        return self.questions.kind.take(self.question)

    @property
    def hops(self) -> Column:
        """How many facts the question combines."""
        return self.questions.hops.take(self.question)

    @property
    def subset(self) -> Column:
        """The part of the benchmark."""
        return self.questions.subset.take(self.question)

    @property
    def answerability(self) -> Column:
        """Whether the question can be answered."""
        return self.questions.answerability.take(self.question)

    @property
    def clusters(self) -> Ints:
        """Each attempt's semantic group, a number of its own for a question without one."""
        return self.questions.clusters[self.question]

    def rows(self, metric: str, condition: str) -> Ints:
        """The attempts in a condition of which a metric says anything; none where there is no such metric."""
        if metric not in self.metrics:
            return np.empty(0, dtype=np.int64)
        return np.flatnonzero(self.is_listed[:, self.metrics.index(metric)] & self.condition.where(condition))

    def first_values(self, metric: str, condition: str) -> dict[int, float]:
        """Question → value of its first repeat, of those that are scored."""
        rows = self.rows(metric, condition)
        if not len(rows):
            return {}
        column = self.metrics.index(metric)
        rows = rows[self.is_scored[rows, column]]
        rows = rows[np.argsort(-self.repeat[rows], kind="stable")]
        return dict(zip(self.question[rows].tolist(), self.values[rows, column].tolist(), strict=True))


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
        scores = _read_scores(pq.ParquetFile(folder / SCORES), folder / SCORES)
    except (OSError, ValueError, pa.ArrowException) as error:
        what = str(error).splitlines()[0]
        raise BenchwrightError(f"{folder / SCORES} cannot be read ({what}): score the system again") from None
    questions = read_questions(release, scores.id.names)
    known = np.array([*(questions.index.get(name, -1) for name in scores.id.names), -1], dtype=np.int32)
    places = known[scores.id.codes]
    scores = replace(scores, id=Column((), scores.id.codes[:0]))  # its codes are done with: they take what places take
    release_unused()
    return _arrange(release, folder, settings, questions, scores, places)


def in_condition(run: RunData, condition: str | None) -> RunData:
    """The run with its figures of a condition; None: as it is.

    Raises:
        UsageError: nothing was asked in it.
    """
    if condition is None or condition == run.shown:
        return run
    if condition not in run.condition.names:
        there = ", ".join(run.condition.names) or "none"
        raise UsageError(f"{run.folder.name} was not asked in the condition {condition!r}: there is {there}")
    return replace(run, shown=condition, computed={})


@dataclass(frozen=True)
class _Scores:
    """`scores.parquet` as columns; codes are of 32 bits, since there are a dozen scores of every answer."""

    id: Column
    condition: Column
    metric: Column
    reason: Column
    judge: Column
    repeat: Ints
    value: Floats


def _read_scores(file: pq.ParquetFile, path: Path) -> _Scores:
    """The scores of a file, read batch by batch: never is the whole table in memory beside them.

    Raises:
        BenchwrightError: a column is missing.
    """
    absent = [name for name in ("id", "metric", "value") if name not in file.schema_arrow.names]
    if absent:
        raise BenchwrightError(f"{path} lacks {', '.join(absent)}: score the system again")
    rows, there = file.metadata.num_rows, {*_CODED, "repeat", "value"}.intersection(file.schema_arrow.names)
    names: dict[str, dict[str, int]] = {name: {} for name in _CODED}
    codes = {name: np.full(rows, -1, dtype=np.int32) for name in _CODED}
    repeat, value, done = np.zeros(rows, dtype=int), np.empty(rows), 0
    for batch in file.iter_batches(_BATCH, columns=sorted(there)):
        part = slice(done, done := done + len(batch))
        for name in _CODED:
            if name in there:
                codes[name][part] = _codes_of(batch.column(name), names[name])
        if "repeat" in there:
            repeat[part] = pc.fill_null(batch.column("repeat"), 0).to_numpy(zero_copy_only=False)
        value[part] = batch.column("value").cast(pa.float64()).to_numpy(zero_copy_only=False)
    if "condition" not in there:
        names["condition"], codes["condition"] = {OWN: 0}, np.zeros(rows, dtype=np.int32)
    columns = {name: Column(tuple(names[name]), codes[name]) for name in _CODED}
    return _Scores(**columns, repeat=repeat, value=value)


def _codes_of(values: pa.Array, names: dict[str, int]) -> npt.NDArray[np.int32]:
    """Values as codes, -1 where there is none; those that are new are added in the order of first appearance."""
    found = values.cast(pa.string()).dictionary_encode()
    known = [names.setdefault(name, len(names)) for name in found.dictionary.to_pylist()]
    return np.array([*known, -1], dtype=np.int32)[found.indices.fill_null(-1).to_numpy(zero_copy_only=False)]


def _arrange(
    release: Release,
    folder: Path,
    settings: Run,
    questions: Questions,
    scores: _Scores,
    places: npt.NDArray[np.int32],
) -> RunData:
    """The scores as a matrix. Of two scores of one metric for one attempt, the first stands."""
    kept = np.flatnonzero((places >= 0) & (scores.metric.codes >= 0))
    attempts, first = _attempts(places, scores, kept)
    shape = (len(first), len(scores.metric.names))

    def matrix(source: npt.NDArray[Any], empty: float) -> npt.NDArray[Any]:
        found = np.full(shape, empty, dtype=source.dtype)
        for end in range(len(kept), 0, -_BATCH):  # backwards, so that the first stands
            part = slice(max(end - _BATCH, 0), end)
            rows = kept[part][::-1]
            found[attempts[part][::-1], scores.metric.codes[rows]] = source[rows]
        return found

    finite = np.isfinite(scores.value)
    scores.value[~finite] = 0.0
    return RunData(
        release=release,
        folder=folder,
        settings=settings,
        questions=questions,
        question=places[first].astype(int),
        condition=Column(scores.condition.names, scores.condition.codes[first].astype(int)),
        repeat=scores.repeat[first],
        metrics=scores.metric.names,
        values=matrix(scores.value, 0.0),
        is_scored=matrix(finite, False),
        is_listed=matrix(np.ones(len(places), dtype=bool), False),
        reasons=Column(scores.reason.names, matrix(scores.reason.codes, -1)),
        judges=Column(scores.judge.names, matrix(scores.judge.codes, -1)),
        unknown_scores=int((places < 0).sum()),
        shown=_shown_condition(settings, scores.condition),
    )


def _attempts(places: npt.NDArray[np.int32], scores: _Scores, kept: Ints) -> tuple[npt.NDArray[np.int32], Ints]:
    """Of each kept score its attempt, numbered as they first appear, and of each attempt its first score.

    The scores of an attempt mostly follow one another, so that what is sorted is runs of them.
    """
    conditions, repeats = len(scores.condition.names) + 1, int(scores.repeat.max(initial=0)) + 1
    keys = places[kept].astype(int)
    for part, number in ((scores.condition.codes, conditions), (scores.repeat, repeats)):
        keys *= number
        keys += part[kept]
    is_new = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=is_new[1:])
    starts = np.flatnonzero(is_new)
    _, firsts, inverse = np.unique(keys[starts], return_index=True, return_inverse=True)
    order = np.argsort(firsts, kind="stable")
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return rank[inverse][np.cumsum(is_new, dtype=np.int32) - 1], kept[starts[firsts[order]]]


def _shown_condition(settings: Run, condition: Column) -> str:
    there = [name for name in settings.conditions if name in condition.names] or sorted(condition.names)
    return OWN if OWN in there or not there else there[0]


def banded(numbers: Ints) -> Column:
    """Numbers by their bands, those that occur, from few to many; 0 is none."""
    codes = bands_of(numbers)
    there = np.unique(codes[codes >= 0])
    places = np.full(len(BANDS) + 1, -1)
    places[there] = np.arange(len(there))
    return Column(tuple(BANDS[code] for code in there.tolist()), places[codes])


def _encoded(values: pa.ChunkedArray) -> Column:
    """Values as codes, in the order of first appearance."""
    column = values.cast(pa.string()).combine_chunks().dictionary_encode()
    codes = column.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(int)
    return Column(tuple(column.dictionary.to_pylist()), codes)


def read_questions(release: Release, ids: Sequence[str]) -> Questions:
    """The questions of the ids, and of every template in the release how many different answers it has."""
    names = ["id", *QUESTION_COLUMNS, "documents"]
    wanted, found = pa.array(ids, pa.string()), []
    facts, fewest = [np.zeros(0, dtype=int)], [np.zeros(0, dtype=int)]
    answers: dict[str, set[int]] = {}
    has_gold = False
    for split in release.manifest.splits.get(DEFAULT_CONFIG, {}):
        for batch in release.batches(DEFAULT_CONFIG, split, [*names, "evidence", "answers"]):
            golds = zip(batch.column("template").to_pylist(), batch.column("answers").to_pylist(), strict=True)
            for template, gold in golds:
                if template is not None and gold:
                    answers.setdefault(template, set()).add(hash(tuple(gold)))
            asked = batch.filter(pc.is_in(batch.column("id"), value_set=wanted))
            has_gold = has_gold or bool(pc.max(pc.list_value_length(asked.column("answers"))).as_py())
            facts.append(needed_facts(asked.column("evidence")))
            fewest.append(needed_documents(asked.column("evidence"), facts[-1]))
            found.append(asked.drop_columns(["answers", "evidence"]))
    schema = found[0].schema if found else pa.schema([(name, pa.string()) for name in names])
    table = pa.Table.from_batches(found, schema)
    columns = {name: _encoded(table.column(name)) for name in QUESTION_COLUMNS}
    templates = {name: code for code, name in enumerate(columns["template"].names)}
    same = {name: name for name in ids}
    kept = tuple(same[str(name)] for name in table.column("id").to_pylist())
    del same
    interned: dict[tuple[str, ...], tuple[str, ...]] = {}
    golds = (tuple(gold or ()) for gold in table.column("documents").to_pylist())
    return Questions(
        ids=kept,
        index={name: place for place, name in enumerate(kept)},
        **columns,
        facts=banded(np.concatenate(facts)),
        documents=banded(np.concatenate(fewest)),
        gold_documents=tuple(interned.setdefault(gold, gold) for gold in golds),
        distinct_answers={templates[name]: len(seen) for name, seen in answers.items() if name in templates},
        has_gold=has_gold,
    )
