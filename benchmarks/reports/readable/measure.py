"""Gives a reader the gold documents of a release's questions, and says how many it answers right and what fails."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from benchwright.benchmarks.metrics.answers.judge import NO_VALUES
from benchwright.benchmarks.metrics.base import Score
from benchwright.benchmarks.metrics.correct import correct
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.progress import Progress, silent
from benchwright.benchmarks.releases.readable_figures import FAULTS, Failure, Fault, Part, Readable, Reader
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.readable.asked import Drawn, Item, draw
from benchwright.benchmarks.reports.readable.faults import fault_of, find_twins
from benchwright.benchmarks.reports.readable.readers import read_items, reader_of
from benchwright.benchmarks.statistics.intervals import Sample, codes_of
from benchwright.benchmarks.statistics.shares import clustered_share
from benchwright.benchmarks.types import Question

_COLUMNS = ("form", "kind", "hops")
_DIGITS = 4
_TEXT, _WORDS = 2_000, 900
"""Characters that are kept of a text of the release, and of a name."""


def measure_readable(
    release: Release, wanted: str, client: Client | None = None, progress: Progress = silent
) -> Readable | None:
    """Asks a reader, and judges what it says as the metric `correct` does.

    Args:
        release: a release with documents.
        wanted: how many groups, as `parse_wanted` gives it.
        client: its model of the role `reader` reads; without one the built-in reader does.
        progress: told how many are read.

    Returns:
        None where there is nothing to ask.

    Raises:
        BenchwrightError: the release cannot be read.
        StopError: a limit of the run is reached; a model's replies are kept, and the same command goes on from there.
        Estimated: nothing is to be asked of a model.
    """
    drawn = draw(release, wanted)
    if drawn is None:
        return None
    return judged(release, drawn, reader_of(client), read_items(drawn.items, client, progress))


def judged(release: Release, drawn: Drawn, reader: Reader, said: Sequence[Prediction]) -> Readable:
    """The figures of what a reader said, one prediction for each item in their order."""
    scores = [_score(drawn, item, prediction) for item, prediction in zip(drawn.items, said, strict=True)]
    rows = list(zip(drawn.items, said, scores, strict=True))
    failed = [row for row in rows if row[2].value != 1.0]
    twins = find_twins(release, drawn.asked.split, [item.question for item, *_ in failed])
    failures = [_failure(row[0], row[1], fault_of(*row, twins)) for row in failed]
    scored = [(item.question, score.value) for item, _, score in rows if score.value is not None]
    values = np.array([value for _, value in scored], np.float64)
    interval = None
    if len(values):
        clusters = codes_of([question.group or question.id for question, _ in scored])
        interval = clustered_share(Sample(values, clusters))
    counts = Counter[str](failure.fault for failure in failures)
    kept = [prediction for _, prediction, score in rows if score.value == 1.0 and reader.kind == "model"]
    return Readable(
        reader=reader,
        asked=drawn.asked,
        right=int(values.sum()),
        scored=len(values),
        value=round(float(values.mean()), _DIGITS) if len(values) else None,
        low=None if interval is None else round(interval.low, _DIGITS),
        high=None if interval is None else round(interval.high, _DIGITS),
        faults={fault: counts[fault] for fault in FAULTS if counts[fault]},
        parts=tuple(_parts(scored)),
        failures=tuple(failures),
        right_answers={prediction.id: prediction.answer or "" for prediction in kept},
    )


def _score(drawn: Drawn, item: Item, prediction: Prediction) -> Score:
    return correct(item.question, prediction, drawn.values.get(item.question.template or "", NO_VALUES))


def _failure(item: Item, prediction: Prediction, found: tuple[Fault, str]) -> Failure:
    question = item.question
    return Failure(
        id=question.id[:_WORDS],
        question=question.question[:_TEXT],
        answers=tuple(answer[:_TEXT] for answer in question.answers),
        said=prediction.answer,
        documents=tuple(dict.fromkeys(passage.document[:_WORDS] for passage in item.passages)),
        fault=found[0],
        why=found[1][:_WORDS],
    )


def _parts(scored: Sequence[tuple[Question, float]]) -> list[Part]:
    """The same of each form, kind and number of hops, where there are several."""
    found: list[Part] = []
    for column in _COLUMNS:
        values: dict[str, list[float]] = {}
        for question, value in scored:
            name = getattr(question, column)
            if name is not None:
                values.setdefault(str(name)[:_WORDS], []).append(value)
        if len(values) > 1:
            found += [Part(column, name, int(sum(each)), len(each)) for name, each in sorted(values.items())]
    return found
