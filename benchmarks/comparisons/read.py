"""What a comparison is computed from: runs on one release, their scores beside each other, question by question.

Compared      the runs, the questions that any of them has, and of each metric a Scored
Scored        one metric: a matrix of what each run has of each question, and why something is unscored
ComparedRun   one of the runs: its name here, its folder and what it is of
"""

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.comparisons.judged import JudgedApart, JudgesByQuestion
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.judgments import COMPUTED
from benchwright.benchmarks.predictions import OWN
from benchwright.benchmarks.progress import Progress, silent
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.columns import Bools, Ints, Questions, read_questions
from benchwright.benchmarks.reports.metric_figures import NO_REASON, metric_order, metric_sense, tally
from benchwright.benchmarks.reports.outcomes import ABSTAINING
from benchwright.benchmarks.runs.run import RUN, SCORES, Run, read_run

Floats32 = npt.NDArray[np.float32]
Counts = npt.NDArray[np.uint16]

CORRECT = "correct"
NOT_ASKED = "not in the run"
"""The reason of a question that a run has no row of."""
_CELLS = 20_000_000
"""Scores that are held of all metrics together, where none was named: some 100 MB."""
_MOST = 3
"""Metrics that are held where that is too many."""
_LEADING = ("evidence_recall", "recall", "hit")
_CODED = ["id", "condition", "metric", "reason", "judge"]
_COLUMNS = [*_CODED, "repeat", "value"]
_NEEDED = ("id", "metric", "value")


@dataclass(frozen=True)
class ComparedRun:
    """One of the runs that are compared."""

    name: str
    """What it is called in this comparison: the system's name, with the folder's where two are called the same."""
    folder: Path
    settings: Run
    metrics: tuple[str, ...]
    """All that were scored, also those that other runs lack."""
    conditions: tuple[str, ...]
    """All that it was asked in."""
    repeats: int
    """Answers to a question, at the most: the last number of a repeat, from 0, and one."""
    unknown_scores: int
    """Scores that were left out: their question is not in the release."""


@dataclass(frozen=True)
class Unscored:
    """The questions of one run that one metric has no value of."""

    questions: Ints
    """Places."""
    reasons: Ints
    """Of each the code of its reason, -1 without one."""


@dataclass(frozen=True)
class Tries:
    """How often one metric's questions were answered, of shape (questions, runs)."""

    scored: Counts
    """Repeats that have a value."""
    listed: Counts
    """Repeats that the run's file names, scored or not."""

    def of_runs(self, columns: list[int]) -> "Tries":
        """The same of some of the runs, in that order."""
        return Tries(self.scored[:, columns], self.listed[:, columns])

    def share(self, run: int, beside: int, repeats: int) -> Floats32:
        """Of each question what share of the repeats that it should have has a value, from 0 to 1.

        It should have those that its file names, and as many as the run that it is held against has values of, where it
        was asked as often at all.
        """
        wanted = np.maximum(self.listed[:, run], np.minimum(self.scored[:, beside], repeats))
        return (self.scored[:, run] / np.maximum(wanted, 1)).astype(np.float32)


@dataclass(frozen=True)
class Scored:
    """One metric of all runs."""

    name: str
    values: Floats32
    """Of shape (questions, runs): the mean over a question's repeats. 0 where `is_scored` is false; never NaN."""
    is_scored: Bools
    """Whether there is a value, of the same shape."""
    unscored: tuple[Unscored, ...]
    """Of each run what its file says to be unscored; a question that the file does not name is not among them."""
    reasons: tuple[str, ...]
    """What the codes of reasons mean."""
    judges: tuple[tuple[str, ...], ...]
    """Of each run who judged; COMPUTED where nobody did."""
    judged_apart: JudgedApart | None
    """A question that not the same judges judged in two of the runs, each of which has several; None where there is
    none, or where not both of the two are among the runs."""
    abstained: Floats32 | None
    """Of `correct`, what share of a question's scored repeats is 0 because the system abstained, of the same shape."""
    tries: Tries | None
    """None where no run has repeats."""
    higher_is_better: bool
    range: tuple[float, float]

    def of_runs(self, places: Sequence[int]) -> "Scored":
        """The same of some of the runs, in that order."""
        columns = list(places)
        if columns == list(range(len(self.judges))):
            return self  # no copy of some 0.2 GB where there are many runs
        return replace(
            self,
            values=self.values[:, columns],
            is_scored=self.is_scored[:, columns],
            unscored=tuple(self.unscored[place] for place in columns),
            judges=tuple(self.judges[place] for place in columns),
            judged_apart=_of_places(self.judged_apart, columns),
            abstained=None if self.abstained is None else self.abstained[:, columns],
            tries=None if self.tries is None else self.tries.of_runs(columns),
        )

    def why_unscored(self, run: int, wanted: Bools) -> dict[str, int]:
        """Why a run has no value of wanted questions: reasons with their numbers, the most frequent first."""
        lacking = wanted & ~self.is_scored[:, run]
        there = self.unscored[run]
        of_wanted = lacking[there.questions]
        found = tally(self.reasons, there.reasons[of_wanted], NO_REASON)
        absent = int(lacking.sum()) - int(of_wanted.sum())
        return {**found, **({NOT_ASKED: absent} if absent else {})}


@dataclass(frozen=True)
class Compared:
    """Runs on one release, in the order given, with the questions that any of them has, in the release's order."""

    release: Release
    runs: tuple[ComparedRun, ...]
    condition: str
    """The condition that everything is of."""
    questions: Questions
    scored: Mapping[str, Scored]
    """By name: the benchmark's primary metric first, where there is one."""
    left_out: tuple[str, ...]
    """Metrics that all runs have and that were not read, for there are many runs and none was named."""

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of what is compared, the leading one first."""
        return tuple(self.scored)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The runs' names."""
        return tuple(run.name for run in self.runs)

    @cached_property
    def asked(self) -> Bools:
        """Of shape (questions, runs): whether a run's file names a question, scored or not."""
        found = np.zeros((len(self.questions.ids), len(self.runs)), dtype=bool)
        for scored in self.scored.values():
            found |= scored.is_scored
            for run, unscored in enumerate(scored.unscored):
                found[unscored.questions, run] = True
        return found

    def common(self, metric: str) -> Bools:
        """The headline's questions that every run has a score of."""
        return self.questions.headline & self.scored[metric].is_scored.all(axis=1)

    def with_scores(self, metric: str) -> tuple[int, ...]:
        """The places of the runs that have a score of any of the headline's questions."""
        there = self.scored[metric].is_scored[self.questions.headline].any(axis=0)
        return tuple(int(place) for place in np.flatnonzero(there))

    def of_runs(self, places: Sequence[int], metric: str) -> "Compared":
        """Some of the runs by one metric, in that order; all questions stay."""
        runs = tuple(self.runs[place] for place in places)
        return replace(self, runs=runs, scored={metric: self.scored[metric].of_runs(places)})


def with_baseline(folders: Sequence[Path], baseline: Path | None) -> tuple[list[Path], int | None]:
    """The runs, with the baseline before them where it is not among them, and its place."""
    if baseline is None:
        return list(folders), None
    place = next((place for place, each in enumerate(folders) if each.resolve() == baseline.resolve()), None)
    return (list(folders), place) if place is not None else ([baseline, *folders], 0)


def read_runs(
    release: Release,
    folders: Sequence[Path],
    *,
    metrics: Sequence[str] | None = None,
    condition: str | None = None,
    progress: Progress = silent,
) -> Compared:
    """Reads the scores of runs. What is paired is paired by the question's id, never by its place in a file.

    500 runs of 40,000 questions take 0.1 GB for each metric.

    Args:
        release: what all runs are of.
        folders: those of the runs, in the order in which they are compared.
        metrics: the names of what is compared; None: what all runs have, or of very many runs what leads.
        condition: what the systems were given; None: their own retrieval where all have that, else the one condition
            that all have.
        progress: is told how many runs are read.

    Raises:
        UsageError: there are fewer than two runs, one is given twice, or no run has the condition or a metric.
        BenchwrightError: a run is not scored, cannot be read, is of another release or split than the others, or the
            runs have no metric or condition in common.
    """
    settings = _settings(release, folders)
    files = _Files(folders)
    shown = files.common_condition(condition)
    primary = next((run.scoring.primary for run in settings if run.scoring.primary), None)
    common = files.common_metrics(metrics, primary)
    compared, left_out = common, ()
    if metrics is None and len(common) * len(folders) * len(files.ids) > _CELLS:
        compared = _leading(common)
        left_out = tuple(name for name in common if name not in compared)
    questions = read_questions(release, files.ids)
    reader = _Reader(questions, compared, shown, len(folders))
    for place, folder in enumerate(folders):
        reader.add(place, folder)
        progress("runs read", place + 1, len(folders))
    runs = tuple(
        ComparedRun(name, folder, run, *files.found[place], reader.repeats[place], reader.unknown[place])
        for place, (name, folder, run) in enumerate(zip(names_of(folders), folders, settings, strict=True))
    )
    return Compared(release, runs, shown, questions, reader.scored(), left_out)


def _settings(release: Release, folders: Sequence[Path]) -> list[Run]:
    """What each run's run.json says, of runs that may be compared."""
    if len(folders) < 2:
        raise UsageError("a comparison is of two runs or more: name another RUN")
    twice = [folder for folder, number in Counter(folder.resolve() for folder in folders).items() if number > 1]
    if twice:
        raise UsageError(f"the run {twice[0].name} is given twice: name it once")
    found = []
    for folder in folders:
        run = read_run(folder)
        if run is None or not (folder / SCORES).is_file():
            lacking = RUN if run is None else SCORES
            raise BenchwrightError(f"{folder} holds no {lacking}: it is not a scored run; score the system again")
        found.append(run)
    check_same_release(release, folders, found)
    splits = {run.questions.split: folder for run, folder in zip(found, folders, strict=True)}
    if len(splits) > 1:
        said = " and ".join(f"{folder} of the split {split!r}" for split, folder in list(splits.items())[:2])
        raise BenchwrightError(f"{said} have no question in common: compare runs of one split")
    return found


def check_same_release(release: Release, folders: Sequence[Path], settings: Sequence[Run]) -> None:
    """Raises BenchwrightError where a run is not of the release, which names both runs, or the run and the release."""
    manifest = release.manifest
    wanted = manifest.name, manifest.version, manifest.content_hash
    which = [(run.benchmark, run.version, run.content_hash) for run in settings]
    for folder, own in zip(folders, which, strict=True):
        if own == wanted:
            continue
        same = next((other for other, its in zip(folders, which, strict=True) if its == wanted), None)
        against = f"{same} is on {_said(wanted)}" if same is not None else f"the release is {_said(wanted)}"
        raise BenchwrightError(
            f"{folder} is a run on {_said(own)}, and {against}: "
            "only runs on the same questions can be compared; score the system on the same release"
        )


def _said(release: tuple[str, str, str]) -> str:
    name, version, content_hash = release
    return f"{name} {version} (content {content_hash[:12]}…)"


def names_of(folders: Sequence[Path]) -> list[str]:
    """What runs are called: their folders' names, with as many of the folders above as tell them apart."""
    parts = [folder.resolve().parts for folder in folders]
    names = ["/".join(each[-1:]) for each in parts]
    for depth in range(2, max(map(len, parts)) + 1):
        counted = Counter(names)
        if max(counted.values()) == 1:
            break
        names = [
            "/".join(each[-depth:]) if counted[name] > 1 else name for name, each in zip(names, parts, strict=True)
        ]
    return names


def _leading(metrics: Sequence[str]) -> tuple[str, ...]:
    """The first metric, and of each kind of finding documents the one with the largest cut-off."""
    found = list(metrics[:1])
    for base in _LEADING:
        found += [name for name in metrics if name.startswith(f"{base}@") and name not in found][-1:]
    return tuple(found[:_MOST])


class _Files:
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


class _Reader:
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


def _of_places(apart: JudgedApart | None, places: Sequence[int]) -> JudgedApart | None:
    """The same among some of the runs, in that order."""
    if apart is None or not set(apart.runs) <= set(places):
        return None
    first, second = (places.index(run) for run in apart.runs)
    return replace(apart, runs=(first, second))


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
