"""The scores of many runs, read file by file: what each has, and the matrices that a comparison is made of."""

import itertools
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.comparisons.compared import CORRECT, Counts, Scored, Tries, Unscored
from benchwright.benchmarks.comparisons.judged import JudgesByQuestion
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.judgments import COMPUTED
from benchwright.benchmarks.predictions import OWN
from benchwright.benchmarks.reports.answers.outcomes import ABSTAINING
from benchwright.benchmarks.reports.columns import Ints, Questions
from benchwright.benchmarks.reports.metrics.figures import metric_order, metric_sense
from benchwright.benchmarks.runs.run import SCORES

_CODED = ["id", "condition", "metric", "reason", "judge"]
_COLUMNS = [*_CODED, "repeat", "value"]
_NEEDED = ("id", "metric", "value")


class ScoreFiles:
    """What the files of scores hold, looked at before any score is read."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders = folders
        self.found: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
        """Of each run its metrics and its conditions."""
        known, before = pa.array([], pa.string()), None
        for folder in folders:
            table = _read(folder / SCORES, ["id", "condition", "metric"])
            ids = _dictionary(table, "id")
            if before is None or not ids.equals(before):
                known = pa.concat_arrays([known, ids.filter(pc.invert(pc.is_in(ids, value_set=known)))])
                before = ids
            conditions = _dictionary(table, "condition").to_pylist() if "condition" in table.column_names else [OWN]
            self.found.append((tuple(_dictionary(table, "metric").to_pylist()), tuple(conditions)))
        self.ids: list[str] = known.to_pylist()
        """Of all questions that any run has."""

    def common_condition(self, wanted: str | None) -> str:
        """The condition that everything is of."""
        conditions = [there for _, there in self.found]
        every = [name for name in conditions[0] if all(name in there for there in conditions)]
        if wanted is not None:
            self._refuse_lacking("condition", wanted, conditions)
            return wanted
        if OWN in every or len(every) == 1:
            return OWN if OWN in every else every[0]
        said = "; ".join(
            f"{folder.name}: {', '.join(there)}"
            for folder, there in itertools.islice(zip(self.folders, conditions, strict=True), 5)
        )
        if every:
            raise UsageError(f"the runs have several conditions in common ({', '.join(every)}): choose a --condition")
        raise BenchwrightError(f"the runs have no condition in common ({said}): score them in one")

    def common_metrics(self, wanted: Sequence[str] | None, primary: str | None) -> tuple[str, ...]:
        """The metrics that all runs have, the primary one first; where some are wanted, these in their order."""
        metrics = [there for there, _ in self.found]
        if wanted:
            for name in wanted:
                self._refuse_lacking("metric", name, metrics)
            return tuple(dict.fromkeys(wanted))
        every = [name for name in metrics[0] if all(name in there for there in metrics)]
        if not every:
            raise BenchwrightError("the runs have no metric in common: score them with the same --metric")
        return tuple(sorted(every, key=lambda name: (name != primary, *metric_order(name))))

    def _refuse_lacking(self, what: str, name: str, there: Sequence[Sequence[str]]) -> None:
        for folder, names in zip(self.folders, there, strict=True):
            if name not in names:
                raise UsageError(f"{folder} has no {what} {name!r}: there is {', '.join(names)}")


class ScoreReader:
    """The matrices of all metrics, filled run by run."""

    def __init__(self, questions: Questions, metrics: tuple[str, ...], condition: str, runs: int) -> None:
        self.questions, self.metrics, self.condition = questions, metrics, condition
        self.ids = pa.array(questions.ids, pa.string())
        shape = (len(metrics), runs, len(questions.ids))
        self.values, self.is_scored = np.zeros(shape, dtype=np.float32), np.zeros(shape, dtype=bool)
        self.unscored: list[list[Unscored]] = [[] for _ in metrics]
        self.judges: list[list[tuple[str, ...]]] = [[] for _ in metrics]
        self.by_question: dict[int, JudgesByQuestion] = {}
        """Of the metrics that several judged in one run."""
        self.tried: dict[int, tuple[Counts, Counts]] = {}
        self.abstained = np.zeros(shape[1:], dtype=np.float32) if CORRECT in metrics else None
        self.reasons: dict[str, int] = {}
        self.repeats, self.unknown = [0] * runs, [0] * runs

    def add(self, run: int, folder: Path) -> None:
        """Takes in the scores of a run."""
        path = folder / SCORES
        table = _read(path, _COLUMNS)
        metric = _codes(table, "metric", pa.array(self.metrics, pa.string()))
        is_shown = metric >= 0
        if "condition" in table.column_names:
            is_shown &= _codes(table, "condition", pa.array([self.condition], pa.string())) == 0
        if not is_shown.all():
            table, metric = table.filter(pa.array(is_shown)), metric[is_shown]
        place = _codes(table, "id", self.ids)
        self.unknown[run] = int((place < 0).sum())
        kept = np.flatnonzero(place >= 0)
        size = len(self.questions.ids)
        keys = metric[kept].astype(np.int64) * size + place[kept]
        repeat = _repeats(table)[kept]
        self.repeats[run] = int(repeat.max(initial=0)) + 1
        if len(keys) and int(np.bincount(keys).max()) > self.repeats[run]:
            _, firsts = np.unique(keys * (int(repeat.max()) + 1) + repeat, return_index=True)
            kept, keys = kept[firsts], keys[firsts]
        value = table.column("value").cast(pa.float64()).to_numpy().astype(float)[kept]
        finite = np.isfinite(value)
        cells = len(self.metrics) * size
        counts = np.bincount(keys[finite], minlength=cells)
        means = np.bincount(keys[finite], weights=value[finite], minlength=cells) / np.maximum(counts, 1)
        self.values[:, run] = means.reshape(-1, size)
        self.is_scored[:, run] = counts.reshape(-1, size) > 0
        if self.repeats[run] > 1:
            listed = np.bincount(keys, minlength=cells)
            self.tried[run] = counts.astype(np.uint16).reshape(-1, size), listed.astype(np.uint16).reshape(-1, size)
        self._add_reasons(table, kept[~finite & (counts[keys] == 0)], keys[~finite & (counts[keys] == 0)])
        self._add_judges(run, table, kept, keys)
        if self.abstained is not None and "reason" in table.column_names:
            column = self.metrics.index(CORRECT)
            said = _codes(table, "reason", pa.array(ABSTAINING, pa.string()))[kept] >= 0
            which = said & finite & (value == 0) & (metric[kept] == column)
            part = slice(column * size, (column + 1) * size)
            number = np.bincount(keys[which] - part.start, minlength=size)
            self.abstained[run] = number / np.maximum(counts[part], 1)

    def _add_reasons(self, table: pa.Table, rows: Ints, keys: Ints) -> None:
        """Of each question that a metric has no value of, the first reason."""
        keys, firsts = np.unique(keys, return_index=True)
        codes = np.full(len(keys), -1)
        if "reason" in table.column_names and len(keys):
            column = table.column("reason").take(pa.array(rows[firsts]))
            names = pc.unique(column.cast(pa.string())).drop_null()
            numbers = [self.reasons.setdefault(name, len(self.reasons)) for name in names.to_pylist()]
            found = pc.index_in(column.cast(pa.string()), value_set=names).combine_chunks()
            codes = np.array([*numbers, -1])[found.fill_null(len(numbers)).to_numpy()]
        bounds = np.searchsorted(keys, np.arange(len(self.metrics) + 1) * len(self.questions.ids))
        for column, (start, end) in enumerate(itertools.pairwise(bounds.tolist())):
            places = keys[start:end] - column * len(self.questions.ids)
            self.unscored[column].append(Unscored(places, codes[start:end]))

    def _add_judges(self, run: int, table: pa.Table, rows: Ints, keys: Ints) -> None:
        """Who judged what has a value or a judge, and of several judges who judged which question."""
        has_judges = "judge" in table.column_names and table.column("judge").null_count < len(table)
        size = len(self.questions.ids)
        for column in range(len(self.metrics)):
            names: tuple[str, ...] = (COMPUTED,) if self.is_scored[column, run].any() else ()
            if has_judges:
                is_own = keys // size == column
                own = table.column("judge").take(pa.array(rows[is_own]))
                valued = pc.is_valid(table.column("value").take(pa.array(rows[is_own])))
                said = own.filter(pc.or_(pc.is_valid(own), valued)).cast(pa.string())
                names = tuple(sorted({COMPUTED if name is None else name for name in pc.unique(said).to_pylist()}))
                who = [name for name in names if name != COMPUTED]
                if len(who) > 1:
                    codes = pc.fill_null(pc.index_in(own.cast(pa.string()), value_set=pa.array(who)), -1).to_numpy()
                    wanted = (codes >= 0) & valued.to_numpy()
                    judges = self.by_question.setdefault(column, JudgesByQuestion(size))
                    judges.add(run, (keys[is_own] % size)[wanted], codes[wanted].astype(np.int64), who)
            self.judges[column].append(names)

    def scored(self) -> dict[str, Scored]:
        """The metrics, by name."""
        reasons, found = tuple(self.reasons), {}
        for column, name in enumerate(self.metrics):
            higher, scale = metric_sense(name)
            found[name] = Scored(
                name,
                self.values[column].T,
                self.is_scored[column].T,
                tuple(self.unscored[column]),
                reasons,
                tuple(self.judges[column]),
                self.by_question[column].apart if column in self.by_question else None,
                self.abstained.T if self.abstained is not None and name == CORRECT else None,
                self._tries(column),
                higher,
                scale,
            )
        return found

    def _tries(self, column: int) -> Tries | None:
        """Of a metric; where a run has no repeats a value is of one."""
        if not self.tried:
            return None
        scored = self.is_scored[column].astype(np.uint16)
        listed = scored.copy()
        for run, (with_value, named) in self.tried.items():
            scored[run], listed[run] = with_value[column], named[column]
        return Tries(scored.T, listed.T)


def _read(path: Path, columns: Sequence[str]) -> pa.Table:
    """Columns of a file of scores: those of them that there are."""
    try:
        file = pq.ParquetFile(path, read_dictionary=_CODED)
        absent = [name for name in _NEEDED if name not in file.schema_arrow.names]
        if absent:
            raise BenchwrightError(f"{path} lacks {', '.join(absent)}: score the system again")
        return file.read([name for name in columns if name in file.schema_arrow.names])
    except (OSError, ValueError, pa.ArrowException) as error:
        what = str(error).splitlines()[0]
        raise BenchwrightError(f"{path} cannot be read ({what}): score the system again") from None


def _dictionary(table: pa.Table, name: str) -> pa.Array:
    """The different values of a column, in the order of first appearance."""
    return pc.unique(table.column(name)).cast(pa.string()).drop_null()


def _codes(table: pa.Table, name: str, values: pa.Array) -> Ints:
    """Of each row of a coded column the place of its value among some values, -1 where it is none of them."""
    column = table.column(name).unify_dictionaries().combine_chunks()
    if isinstance(column, pa.ChunkedArray):
        return np.empty(0, dtype=np.int64)
    places = pc.index_in(column.dictionary.cast(pa.string()), value_set=values)
    codes = column.indices.fill_null(len(places)).to_numpy(zero_copy_only=False)
    return np.append(places.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64), -1)[codes]


def _repeats(table: pa.Table) -> Ints:
    """Of each row its repeat."""
    if "repeat" not in table.column_names:
        return np.zeros(len(table), dtype=np.int64)
    return pc.fill_null(table.column("repeat"), 0).to_numpy().astype(np.int64)
