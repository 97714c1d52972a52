"""What a system's own page on a leaderboard shows: where it is weak. Of questions whose answers are public alone.

Details are made when a submission is verified or scored again, and kept in 4 kB at most: those of 500 systems go into
one page, and predictions need not be there to make it.
"""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pydantic import TypeAdapter, ValidationError

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.entries import PartQuestions
from benchwright.benchmarks.leaderboards.part_scores import PartScores, read_part_scores
from benchwright.benchmarks.predictions import OWN
from benchwright.benchmarks.records import as_json
from benchwright.benchmarks.releases.budget import FileReader
from benchwright.benchmarks.reports.columns import Bools, Ints
from benchwright.benchmarks.reports.metrics.figures import metric_sense
from benchwright.benchmarks.reports.noise.spread import spread_of
from benchwright.benchmarks.schemas import DEFAULT_CONFIG
from benchwright.benchmarks.statistics.intervals import Floats, Sample
from benchwright.benchmarks.validation import in_one_line

LARGEST = 4096
"""Bytes of one system's details."""
_COLUMNS = ("form", "kind", "hops", "subset")
_SLICES, _WORST = 8, 5
"""Slices of a column, and groups, at most."""
_QUESTION, _GOLD, _ANSWER, _VALUE = 160, 80, 160, 40
"""Characters that are shown."""


@dataclass(frozen=True)
class Slice:
    """The system's value of its table's metric on the questions that share a column's value."""

    column: str
    """Of the release's questions: `form`, `kind`, `hops`, `subset`."""
    value: str
    questions: int
    """That are scored."""
    mean: float
    low: float | None = None
    high: float | None = None
    """Of 95 %, over semantic groups; None: too few."""


@dataclass(frozen=True)
class WorstGroup:
    """A semantic group of which the system gets little."""

    mean: float
    questions: int
    question: str
    """A wording that it gets wrong; shortened, as the other texts are."""
    gold: str
    answer: str | None
    """What the system said to it; None: nothing."""


@dataclass(frozen=True)
class SystemDetails:
    """Of one submission; all texts are others': escape them where they are shown."""

    metric: str
    """Whose values the slices and groups have: the table's of the part `test`."""
    slices: tuple[Slice, ...] = ()
    worst: tuple[WorstGroup, ...] = ()
    """The worst first."""
    groups: int = 0
    """How many there are in all."""
    wrong_groups: int = 0
    """Those of which every question is wrong."""


def details_of(scores: Path, predictions: Path, part: PartQuestions, metric: str) -> SystemDetails:
    """Where a system is weak, in the condition `own`.

    Args:
        scores: the file of its scores of open questions.
        predictions: its predictions, as Parquet or JSON lines; they were verified.
        part: the open questions.
        metric: the table's.

    Raises:
        BenchwrightError: a file cannot be read.
    """
    layers = read_part_scores(scores, pa.array(part.questions.ids, pa.string()), metric)
    if not layers:
        return SystemDetails(metric)
    found = layers[0]
    counted = part.questions.headline & ~found.lacking & found.is_answered
    higher, scale = metric_sense(metric)
    groups, means = _groups(found, part.questions.clusters, counted)
    worst = scale[0] if higher else scale[1]
    chosen = _chosen(groups, means, part, higher=higher, best=scale[1] if higher else scale[0])
    details = SystemDetails(
        metric,
        slices=tuple(_slices(found, part, counted, scale)),
        worst=tuple(_worst_groups(chosen, found, part, counted, predictions, higher=higher)),
        groups=len(groups),
        wrong_groups=int((means == worst).sum()),
    )
    return _bounded(details)


def details_text(details: SystemDetails) -> str:
    """Details as they are kept."""
    return json.dumps(as_json(details), ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"


def read_details(path: Path) -> SystemDetails | None:
    """Details as they were kept; None where there are none.

    Raises:
        BenchwrightError: they cannot be read.
    """
    try:
        return _adapter().validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except ValidationError as error:
        raise BenchwrightError(f"{path}: {in_one_line(error)}; restore it from an earlier commit") from None


@cache
def _adapter() -> TypeAdapter[SystemDetails]:
    return TypeAdapter(SystemDetails)


def _slices(found: PartScores, part: PartQuestions, counted: Bools, scale: tuple[float, float]) -> Iterator[Slice]:
    """The values of each column, those of most questions, in their own order."""
    for name in _COLUMNS:
        column = part.questions.column(name)
        sizes = np.bincount(column.codes[counted & (column.codes >= 0)], minlength=len(column.names))
        largest = sorted(np.argsort(-sizes, kind="stable")[:_SLICES].tolist())
        if (sizes > 0).sum() < 2:
            continue
        for code in largest:
            rows = counted & (column.codes == code)
            if not rows.any():
                continue
            spread = spread_of(Sample(found.surely[rows].astype(float), part.questions.clusters[rows]), scale)
            yield Slice(
                name,
                _shortened(column.names[code], _VALUE),
                int(rows.sum()),
                _rounded(spread.value) or 0.0,
                _rounded(spread.low),
                _rounded(spread.high),
            )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _groups(found: PartScores, clusters: Ints, counted: Bools) -> tuple[Ints, Floats]:
    """The semantic groups that count, and the mean of each."""
    groups, codes, counts = np.unique(clusters[counted], return_inverse=True, return_counts=True)
    return groups, np.bincount(codes, weights=found.surely[counted], minlength=len(groups)) / counts


def _chosen(groups: Ints, means: Floats, part: PartQuestions, *, higher: bool, best: float) -> list[tuple[int, float]]:
    """The groups that are shown, with their means: the worst, of as many templates as there are."""
    template = dict(zip(part.questions.clusters.tolist(), part.questions.template.codes.tolist(), strict=True))
    order = sorted(
        (mean if higher else -mean, group)
        for group, mean in zip(groups.tolist(), means.tolist(), strict=True)
        if mean != best
    )
    seen: dict[tuple[float, int], int] = {}
    ranked: list[tuple[float, int, int]] = []
    for loss, same in groupby(order, key=lambda each: each[0]):
        for _, group in same:
            key = loss, template[group]
            seen[key] = seen.get(key, 0) + 1
            ranked.append((loss, seen[key], group))
        if len(ranked) >= _WORST:
            break
    return [(group, loss if higher else -loss) for loss, _, group in sorted(ranked)[:_WORST]]


def _worst_groups(
    chosen: list[tuple[int, float]],
    found: PartScores,
    part: PartQuestions,
    counted: Bools,
    predictions: Path,
    *,
    higher: bool,
) -> Iterator[WorstGroup]:
    """The groups with the wording of each that the system is worst at."""
    shown: list[tuple[str, float, int]] = []
    for group, mean in chosen:
        rows = np.flatnonzero(counted & (part.questions.clusters == group))
        at = rows[np.argmin(found.surely[rows] if higher else -found.surely[rows])]
        shown.append((part.questions.ids[at], mean, len(rows)))
    ids = {id for id, _, _ in shown}
    texts, answers = _texts(part, ids), _answers(predictions, ids)
    for id, mean, size in shown:
        question, gold = texts[id]
        answer = answers.get(id)
        yield WorstGroup(
            round(mean, 4),
            size,
            _shortened(question, _QUESTION),
            _shortened(gold, _GOLD),
            None if answer is None else _shortened(answer, _ANSWER),
        )


def _texts(part: PartQuestions, ids: Collection[str]) -> dict[str, tuple[str, str]]:
    """Question and gold answer of some questions."""
    wanted, found = pa.array(sorted(ids), pa.string()), {}
    for batch in part.release.batches(DEFAULT_CONFIG, part.split, ["id", "question", "answers"]):
        for row in batch.filter(pc.is_in(batch.column("id"), value_set=wanted)).to_pylist():
            found[row["id"]] = row["question"], ", ".join(row["answers"] or ())
    return found


def _answers(path: Path, ids: Collection[str]) -> dict[str, str | None]:
    """What was said to some questions first, in the condition `own`."""
    found: dict[str, tuple[int, str | None]] = {}
    for row in _rows(path, ids):
        repeat = row.get("repeat") or 0
        if (row.get("condition") or OWN) == OWN and (row["id"] not in found or repeat < found[row["id"]][0]):
            found[row["id"]] = repeat, row.get("answer")
    return {id: answer for id, (_, answer) in found.items()}


def _rows(path: Path, ids: Collection[str]) -> Iterator[Mapping[str, Any]]:
    """The predictions of some questions, without their contexts."""
    if path.suffix == ".parquet":
        wanted = pa.array(sorted(ids), pa.string())
        columns = [("id", pa.string()), ("condition", pa.string()), ("repeat", pa.int64()), ("answer", pa.string())]
        try:
            for batch in FileReader(path).batches(pa.schema(columns)):
                yield from batch.filter(pc.is_in(batch.column("id"), value_set=wanted)).to_pylist()
        except (OSError, ValueError, pa.ArrowException) as error:
            raise BenchwrightError(f"{path.name} cannot be read: {str(error).splitlines()[0]}") from None
        return
    with path.open("rb") as file:
        for line in file:
            if line.strip() and (row := json.loads(line))["id"] in ids:
                yield row


def _shortened(text: str, limit: int) -> str:
    """A text on one line, of so many characters at most."""
    line = " ".join(text[: 4 * limit].encode("utf-8", "replace").decode().split())
    return line if len(line) <= limit and len(text) <= 4 * limit else f"{line[: limit - 1]}…"


def _bounded(details: SystemDetails) -> SystemDetails:
    """With as many groups, and then slices, as go into the bytes that one system may take."""
    while len(details_text(details).encode()) > LARGEST:
        if details.worst:
            details = replace(details, worst=details.worst[:-1])
        else:
            details = replace(details, slices=details.slices[:-1])
    return details
