"""The scores of one submission by one metric, read from its file as they count in a ranking.

A system's error counts as the worst value that there is: else a system that fails at what is hard would gain. An answer
that the metric cannot decide counts so, too, where the system might come out above another, and as the best value where
another might come out above it. What the question lacks (gold, evidence) is left out for all systems.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.standings import RULES
from benchwright.benchmarks.metrics.base import NO_ANSWER
from benchwright.benchmarks.predictions import OWN, UNSUPPORTED
from benchwright.benchmarks.reports.columns import Bools, Ints
from benchwright.benchmarks.reports.metrics.figures import metric_sense
from benchwright.benchmarks.runs.score_table import NO_PREDICTION, SCHEMA

Floats32 = npt.NDArray[np.float32]

_CODED = ["id", "condition", "metric", "reason", "judge"]
_SCORED, _FAILED, _UNDECIDED, _LACKING, _MISSING = range(5)
_OF_QUESTION = ("the question ", "the corpus ")
"""How a rule's reasons begin that say that a question lacks what the metric needs."""


@dataclass(frozen=True)
class PartScores:
    """What one submission has of each question of a part, in the release's order."""

    surely: Floats32
    """The mean over a question's repeats, what is undecided as the worst value; where there is no answer 0."""
    gains: Floats32
    """Of each question that is `undecided` what it has more with what is undecided as the best value."""
    is_answered: Bools
    """Whether there is a prediction."""
    undecided: Bools
    """Whether an answer to it is not decided."""
    lacking: Bools
    """Whether the question lacks what the metric needs."""
    judge: str | None
    """Who judged, with its version; None: rules decided all."""

    @property
    def at_best(self) -> Floats32:
        """As `surely`, what is undecided as the best value."""
        values = self.surely.copy()
        values[self.undecided] += self.gains
        return values


def read_part_scores(path: Path, ids: pa.Array, metric: str) -> list[PartScores]:
    """The scores by a metric in the condition `own`: by rules first, then with verdicts in the place of rules.

    None where the file has none by it; one where rules decided all, or where what was judged has no score by rule.

    Args:
        path: a file of scores. An attempt may have a row by rule and one of a judge.
        ids: those of the part's questions, in order.
        metric: which.

    Raises:
        BenchwrightError: the file cannot be read.
    """
    table = _read(path, metric)
    if not len(table):
        return []
    place = _places(table.column("id"), ids)
    kept = np.flatnonzero(place >= 0)
    judges = table.column("judge").cast(pa.string()).combine_chunks().take(pa.array(kept))
    is_judged = pc.is_valid(judges).to_numpy(zero_copy_only=False)
    value = table.column("value").to_numpy().astype(float)[kept]
    state = np.where(np.isfinite(value), _SCORED, _states(table)[kept])
    state[(state == _LACKING) & is_judged] = _UNDECIDED  # what a judge's file says of a question is not the metric's
    rows = _Rows(place[kept], value, state)
    if not len(kept) or not is_judged.any():
        return [_scores_of(rows, len(ids), metric, None)] if len(kept) else []
    repeat = pc.fill_null(table.column("repeat"), 0).to_numpy().astype(np.int64)[kept]
    keys = rows.place * (int(repeat.max()) + 1) + repeat
    has_rule = np.isin(keys[is_judged], keys[~is_judged]).all() and bool((state[~is_judged] == _SCORED).any())
    own = is_judged | ~np.isin(keys, keys[is_judged])
    names = sorted(name for name in pc.unique(judges).to_pylist() if name is not None)
    by_rule = bool(((state == _SCORED) & own & ~is_judged).any())
    judge = " + ".join([*names, *([RULES] if by_rule else [])])
    return [
        *([_scores_of(rows.where(~is_judged), len(ids), metric, None)] if has_rule else []),
        _scores_of(rows.where(own), len(ids), metric, judge),
    ]


@dataclass(frozen=True)
class _Rows:
    """Rows of a file, with the place of each one's question."""

    place: Ints
    value: npt.NDArray[np.float64]
    state: Ints

    def where(self, wanted: Bools) -> "_Rows":
        """Some of them."""
        return _Rows(self.place[wanted], self.value[wanted], self.state[wanted])


def _scores_of(rows: _Rows, size: int, metric: str, judge: str | None) -> PartScores:
    """What a submission has of each question."""
    higher, scale = metric_sense(metric)
    worst, best = scale if higher else scale[::-1]
    state = rows.state
    counted = (state == _SCORED) | (state == _FAILED) | (state == _UNDECIDED)
    number = np.bincount(rows.place[counted], minlength=size)

    def mean(undecided: float) -> Floats32:
        values = np.where(state == _SCORED, rows.value, np.where(state == _FAILED, worst, undecided))
        sums = np.bincount(rows.place[counted], weights=values[counted], minlength=size)
        return (sums / np.maximum(number, 1)).astype(np.float32)

    undecided, surely = _has(rows.place[state == _UNDECIDED], size), mean(worst)
    return PartScores(
        surely=surely,
        gains=(mean(best) - surely)[undecided],
        is_answered=number > 0,
        undecided=undecided,
        lacking=_has(rows.place[state == _LACKING], size),
        judge=judge,
    )


def write_board_scores(source: Path, target: Path) -> None:
    """Copies a run's scores as a leaderboard keeps them: metric by metric, each in row groups of its own, so that one
    of a dozen is read alone.

    Raises:
        BenchwrightError: the scores cannot be read.
    """
    try:
        table = pq.read_table(source, schema=SCHEMA)
        # by place, not by name: a file that is sorted twice stays as it is
        metrics = pc.unique(table.column("metric"))
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(f".{target.name}")
        with pq.ParquetWriter(part, SCHEMA, compression="zstd") as writer:
            for metric in metrics:
                writer.write_table(table.filter(pc.equal(table.column("metric"), metric)))
        part.replace(target)
    except (OSError, ValueError, pa.ArrowException) as error:
        raise BenchwrightError(f"{source} cannot be read ({str(error).splitlines()[0]}): score the run again") from None


def _read(path: Path, metric: str) -> pa.Table:
    """The rows of a metric in the condition `own`; only the row groups that may hold some are unpacked."""
    try:
        file = pq.ParquetFile(path, read_dictionary=_CODED)
        if not file.schema_arrow.names == SCHEMA.names:
            raise BenchwrightError(f"{path} has other columns than scores have: score the submission again")
        column = file.schema_arrow.names.index("metric")
        wanted = [
            number
            for number in range(file.num_row_groups)
            if _may_hold(file.metadata.row_group(number).column(column).statistics, metric)
        ]
        if not wanted:
            return SCHEMA.empty_table()
        table = file.read_row_groups(wanted, use_threads=False)
        for name, text in (("metric", metric), ("condition", OWN)):
            is_wanted = _codes(table, name, text)
            table = table if is_wanted.all() else table.filter(pa.array(is_wanted))
        return table
    except (OSError, ValueError, pa.ArrowException) as error:
        what = str(error).splitlines()[0]
        raise BenchwrightError(f"{path} cannot be read ({what}): score the submission again") from None


def _may_hold(statistics: object, metric: str) -> bool:
    least, most = getattr(statistics, "min", None), getattr(statistics, "max", None)
    return least is None or most is None or least <= metric <= most


def _codes(table: pa.Table, name: str, text: str) -> Bools:
    """Whether a coded column has this value, row by row."""
    found = [
        pc.equal(chunk.dictionary.cast(pa.string()), text).to_numpy(zero_copy_only=False)[chunk.indices.to_numpy()]
        if not chunk.null_count and len(chunk.dictionary)
        else pc.fill_null(pc.equal(chunk.cast(pa.string()), text), False).to_numpy(zero_copy_only=False)
        for chunk in table.column(name).chunks
    ]
    return np.concatenate(found) if found else np.zeros(0, dtype=bool)


def _places(column: pa.ChunkedArray, ids: pa.Array) -> Ints:
    """Of each row the place of its question; -1 where it is none of the part's."""
    found = []
    for chunk in column.chunks:
        places = pc.index_in(chunk.dictionary.cast(pa.string()), value_set=ids)
        of_codes = pc.fill_null(places, -1).to_numpy(zero_copy_only=False).astype(np.int64)
        found.append(np.append(of_codes, -1)[pc.fill_null(chunk.indices, len(of_codes)).to_numpy(zero_copy_only=False)])
    return np.concatenate(found)


def _states(table: pa.Table) -> Ints:
    """What the reason of each row says, were it unscored."""
    found = []
    for chunk in table.column("reason").chunks:
        states = [_state(name) for name in chunk.dictionary.cast(pa.string()).to_pylist()]
        codes = pc.fill_null(chunk.indices, len(states)).to_numpy(zero_copy_only=False)
        found.append(np.array([*states, _UNDECIDED])[codes])
    return np.concatenate(found)


def _state(reason: str) -> int:
    if reason == NO_PREDICTION:
        return _MISSING
    if reason == NO_ANSWER.reason or reason.startswith(UNSUPPORTED):
        return _FAILED
    return _LACKING if reason.startswith(_OF_QUESTION) else _UNDECIDED


def _has(places: Ints, size: int) -> Bools:
    found = np.zeros(size, dtype=bool)
    found[places] = True
    return found
