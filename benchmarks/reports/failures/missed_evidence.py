"""Where the evidence of an answer was when the contexts looked at did not hold all of it: a pass over such answers."""

from collections.abc import Mapping, Sequence
from typing import Literal

import pyarrow as pa

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.matching import CorpusMatcher
from benchwright.benchmarks.metrics.batch import matched_prediction
from benchwright.benchmarks.metrics.evidence_recall import holds
from benchwright.benchmarks.prediction_fields import fields_of, plain_fields
from benchwright.benchmarks.predictions import Context, Prediction, read_prediction
from benchwright.benchmarks.releases.rows import load_documents
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.prediction_facts import read_predictions
from benchwright.benchmarks.reports.section import per_run
from benchwright.benchmarks.runs.run import PREDICTIONS
from benchwright.benchmarks.runs.uri_file import kept_uris
from benchwright.benchmarks.schemas import DEFAULT_CONFIG
from benchwright.benchmarks.types import Evidence

Attempt = tuple[int, int]
"""A question's place in the run, and a repeat."""
Where = Literal["ranked-low", "foreign", "passage-missed", "elsewhere"]
"""`elsewhere` is all the rest."""


@per_run
def matcher_of(run: RunData) -> CorpusMatcher:
    """What finds the documents of contexts, as when the run was scored."""
    return CorpusMatcher(load_documents(run.release), kept_uris(run.folder))


class Predictions:
    """The run's predictions of the condition shown, read one by one, their contexts matched to the corpus."""

    def __init__(self, run: RunData) -> None:
        self._facts, self._matcher = read_predictions(run), matcher_of(run)
        self._path = run.folder / PREDICTIONS
        self._file = self._path.open("rb") if self._facts.offsets else None

    def read(self, attempt: Attempt) -> Prediction | str:
        """The prediction of an attempt, or why there is none to read."""
        offset = self._facts.offsets.get(attempt)
        if offset is None or self._file is None:
            return "no prediction"
        self._file.seek(offset)
        line = self._file.readline()
        try:
            fields = plain_fields(line) or fields_of(read_prediction(line, PREDICTIONS))
        except BenchwrightError as error:
            return str(error)
        return matched_prediction(fields, self._matcher.documents_of(fields.get("contexts", ())), self._matcher)

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            self._file.close()


def evidence_of(run: RunData, places: Sequence[int]) -> dict[int, tuple[Evidence, ...]]:
    """The evidence of questions, by their place in the run."""
    wanted = pa.array([run.questions.ids[place] for place in places], pa.string())
    found: dict[int, tuple[Evidence, ...]] = {}
    for split in run.release.manifest.splits.get(DEFAULT_CONFIG, {}) if len(wanted) else ():
        for batch in run.release.batches(DEFAULT_CONFIG, split, ["id", "evidence"]):
            kept = batch.filter(pc.is_in(batch.column("id"), value_set=wanted))
            for row in kept.to_pylist():
                found[run.questions.index[row["id"]]] = read_evidence(row["evidence"])
    return found


def read_evidence(items: Sequence[Mapping[str, object]] | None) -> tuple[Evidence, ...]:
    """The column `evidence` of a row."""
    return tuple(
        Evidence(str(each["document"]), _whole(each["start"]), _whole(each["end"]), _whole(each["fact"]))
        for each in items or ()
    )


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def texts_of(matcher: CorpusMatcher, evidence: Sequence[Evidence]) -> dict[Evidence, str | None]:
    """The text of each evidence; None where the corpus does not hold it."""
    found: dict[Evidence, str | None] = {}
    for item in evidence:
        document = matcher.documents.get(item.document)
        whole = None if document is None else document.text
        found[item] = None if whole is None else whole[item.start : item.end]
    return found


def where_missed(run: RunData, attempts: Sequence[Attempt], k: int) -> list[Where]:
    """Where the evidence was that the first k contexts of each attempt lacked."""
    if not attempts:
        return []
    evidence, predictions = evidence_of(run, sorted({place for place, _ in attempts})), Predictions(run)
    matcher, found = matcher_of(run), list[Where]()
    try:
        for attempt in attempts:
            prediction, needed = predictions.read(attempt), evidence.get(attempt[0], ())
            contexts = () if isinstance(prediction, str) else prediction.contexts
            found.append(_where(contexts, texts_of(matcher, needed), k))
    finally:
        predictions.close()
    return found


def _where(contexts: Sequence[Context], evidence: Mapping[Evidence, str | None], k: int) -> Where:
    facts = {item.fact for item in evidence}
    lacking = facts - _held(contexts[:k], evidence)
    if lacking and lacking <= _held(contexts[k:], evidence):
        return "ranked-low"
    if contexts and all(context.document is None for context in contexts):
        return "foreign"
    there = {context.document for context in contexts[:k]}
    near = {item.fact for item in evidence if item.document in there}
    return "passage-missed" if lacking and lacking <= near else "elsewhere"


def _held(contexts: Sequence[Context], evidence: Mapping[Evidence, str | None]) -> set[int]:
    return {item.fact for item, text in evidence.items() if any(holds(context, item, text) for context in contexts)}
