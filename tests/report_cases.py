"""A small release and a run on it that were worked out by hand, written through the real writers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.benchmarks.metrics import ReleaseData, find_metric
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.records import as_json
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_documents, load_questions
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.reports.report import Report, make_report
from benchwright.benchmarks.runs.run import PREDICTIONS, SCORES, Run, RunQuestions, RunSystem, write_run
from benchwright.benchmarks.runs.score_table import SCHEMA, write_scores
from benchwright.benchmarks.runs.store import PredictionStore
from benchwright.benchmarks.types import Document, Evidence, Question
from benchwright.cards.report.page import PAGE, report_run

METRICS = ("correct", "exact_match", "evidence_recall@2", "recall@2")
DOCUMENTS = (
    Document("d1", "Halden", "Halden Marine has its head office in Oslo."),
    Document("d2", "Brightwater", "Brightwater has its head office in Perth."),
    Document("d3", "Quay Wall", "The manager of Quay Wall is Ada Moor."),
)


def _wordings(group: str, gold: str | None, document: int | None, forms: str, **more: Any) -> list[Question]:
    """One question for each letter of `forms`, s for short and l for long."""
    text = DOCUMENTS[document].body if document is not None else ""
    evidence = () if document is None else (Evidence(f"d{document + 1}", text.index(gold or ""), len(text) - 1),)
    return [
        Question(
            id=f"{group}-{number}",
            question=f"Wording {number} of what {group} asks?",
            answers=(gold,) if gold else (),
            answer_type="one" if gold else "none",
            group=group,
            form={"s": "short", "l": "long"}[form],
            kind="lookup",
            documents=() if document is None else (f"d{document + 1}",),
            evidence=evidence,
            **more,
        )
        for number, form in enumerate(forms)
    ]


QUESTIONS = (
    *_wordings("halden", "Oslo", 0, "ssll", template="office", hops=1, answerability="answerable"),
    *_wordings("brightwater", "Perth", 1, "ssll", template="office", hops=1, answerability="answerable"),
    *_wordings("quay", "Ada Moor", 2, "ssll", template="manager", hops=2, answerability="answerable"),
    *_wordings("corvane", "Bergen", None, "ssll", template="office", hops=1, answerability="gap"),
    *_wordings("nobody", None, None, "ss", template="office", hops=1, answerability="unanswerable"),
)

_D1, _D2, _D3 = (Context(id=document.id, text=document.text) for document in DOCUMENTS)
PREDICTIONS_MADE = (
    Prediction("halden-0", "Oslo", contexts=(_D1, _D2), latency=1.0),
    Prediction("halden-1", "It is in Oslo.", contexts=(_D1,), latency=2.0),
    Prediction("halden-2", "Oslo", contexts=(_D2, _D1), latency=3.0),
    Prediction("halden-3", "Perth", contexts=(_D2,), latency=4.0),
    *(Prediction(f"brightwater-{number}", "Perth", contexts=(_D2,)) for number in range(4)),
    Prediction("quay-0", "Ben Tal", contexts=(_D3,)),
    Prediction("quay-1", "Ben Tal", contexts=(_D1,)),
    Prediction("quay-2", None, abstained=True),
    Prediction("quay-3", None, error="TimeoutError: no answer within 60 s\nand a second line"),
    Prediction("corvane-0", "Bergen"),
    Prediction("corvane-1", "I don't know.", contexts=(_D1,)),
    Prediction("corvane-2", None, abstained=True),
    Prediction("corvane-3", "Oslo", contexts=(_D1,)),
    Prediction("nobody-0", "I do not know."),
    Prediction("nobody-1", "Oslo"),
)


@dataclass(frozen=True)
class Case:
    """A release and a folder with a run on it."""

    release: Release
    folder: Path

    def made(self) -> Report:
        """The run's report, computed anew."""
        return make_report(self.release, self.folder)

    def page(self) -> Path:
        """The run's page, made anew with its report."""
        report_run(self.release, self.folder)
        return self.folder / PAGE

    def report(self) -> dict[str, Any]:
        """The same as JSON's values."""
        return as_json(self.made())


def make_release(
    folder: Path,
    questions: Iterable[Question] = QUESTIONS,
    documents: Iterable[Document] = DOCUMENTS,
    texts: Any = None,
    seed: int = 0,
) -> Release:
    """A release of these questions."""
    folder.mkdir(parents=True)
    writer = ReleaseWriter(folder)
    writer.texts |= texts or {}
    writer.questions(list(questions))
    writer.documents(list(documents))
    facts = {"builder": "test", "builder_version": "1", "parameters": {}, "seed": seed, "canary": "c"}
    writer.seal(writer.finish(name="small", version="1.0.0", **facts), "card")
    return Release.load(folder)


def begin_run(release: Release, folder: Path, count: int, **system: Any) -> None:
    """Writes run.json."""
    folder.mkdir(parents=True)
    asked = {"name": "my-rag", "kind": "Python object", "reference": "my_rag:answer", "description": "a test"}
    run = Run(
        benchmark=release.manifest.name,
        version=release.manifest.version,
        content_hash=release.manifest.content_hash,
        system=RunSystem(**{**asked, "settings": {"k": 2}, **system}),
        questions=RunQuestions(split="test", count=count),
        libraries={"numpy": "2"},
    )
    write_run(folder, run)


def make_run(
    release: Release,
    folder: Path,
    predictions: Sequence[Prediction] = PREDICTIONS_MADE,
    metrics: Sequence[str] = METRICS,
    **system: Any,
) -> Case:
    """A run with these predictions, scored by the harness's writer."""
    questions = load_questions(release, "test")
    begin_run(release, folder, len(questions), **system)
    store = PredictionStore(folder / PREDICTIONS)
    for prediction in predictions:
        store.append(prediction)
    attempts = sorted({(prediction.condition, prediction.repeat) for prediction in predictions}) or [("own", 0)]
    data = ReleaseData(questions, load_documents(release))
    computed = [find_metric(name) for name in metrics]
    write_scores(folder / SCORES, store, questions, attempts, computed, data, {}, lambda done: None)
    store.close()
    return Case(release, folder)


def write_rows(
    folder: Path, rows: Sequence[tuple[str, str, float | None, str | None]], repeats: Sequence[int] | None = None
) -> None:
    """Scores of the condition `own`: id, metric, value, reason; and the repeat of each, by default the first."""
    numbers = repeats or [0] * len(rows)
    full = [(row[0], "own", number, row[1], row[2], row[3], None) for row, number in zip(rows, numbers, strict=True)]
    columns = list(zip(*full, strict=True)) or [()] * len(SCHEMA)
    arrays = [pa.array(values, field.type) for values, field in zip(columns, SCHEMA, strict=True)]
    pq.write_table(pa.Table.from_arrays(arrays, schema=SCHEMA), folder / SCORES)


def repeated(predictions: Iterable[Prediction], **changes: Any) -> list[Prediction]:
    """The predictions with other values."""
    return [replace(prediction, **changes) for prediction in predictions]


def give_judge(folder: Path, judge: str) -> None:
    """Gives `correct` of a run a judge."""
    table = pq.read_table(folder / "scores.parquet")
    metric = table.column("metric").to_pylist()
    judges = pa.array([judge if name == "correct" else None for name in metric], pa.string())
    pq.write_table(table.set_column(table.column_names.index("judge"), "judge", judges), folder / "scores.parquet")
