"""Scores as they are written: each attempt in the release's order, whatever a rule returns or raises."""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from report_cases import QUESTIONS

from benchwright.benchmarks.metrics import Metric, ReleaseData, Score, each, find_metric
from benchwright.benchmarks.metrics.batch import Scores
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.runs.score_table import SCHEMA, write_scores
from benchwright.benchmarks.runs.store import PredictionStore
from benchwright.benchmarks.types import Document, Question


def metric(name: str, rule: object) -> Metric:
    return Metric(name, "", "", "", frozenset(), rule=rule)  # type: ignore[arg-type]


def written(
    tmp_path: Path,
    metrics: Sequence[Metric],
    questions: Sequence[Question],
    predictions: Sequence[Prediction],
    documents: dict[str, Document] | None = None,
) -> list[tuple[str, str, float | None, str | None]]:
    store = PredictionStore(tmp_path / "predictions.jsonl")
    for prediction in predictions:
        store.append(prediction)
    path, data = tmp_path / "scores.parquet", ReleaseData(questions, documents or {})
    write_scores(path, store, questions, [("own", 0)], metrics, data, {}, lambda done: None)
    store.close()
    table = pq.read_table(path)
    assert table.schema.equals(SCHEMA)
    return [(row["id"], row["metric"], row["value"], row["reason"]) for row in table.to_pylist()]


def said(number: int) -> list[Prediction]:
    return [Prediction(question.id, str(place)) for place, question in enumerate(QUESTIONS[:number])]


def test_rules_that_fail_or_give_no_number(tmp_path: Path) -> None:
    def odd(question: Question, prediction: Prediction) -> Score:
        values = {"0": 0.5, "1": math.inf, "2": math.nan, "3": None, "4": True}
        if prediction.answer == "5":
            raise ZeroDivisionError("no\nthing")
        return Score(values[prediction.answer or ""], "because")  # type: ignore[arg-type]

    def columns(questions: Sequence[Question], predictions: Sequence[Prediction]) -> Scores:
        values = np.array([0.5, math.inf, math.nan, math.nan, 1.0, -math.inf])
        return Scores(values, [None, "so", None, "why", "rule 7", None])

    def short(questions: Sequence[Question], predictions: Sequence[Prediction]) -> list[Score]:
        return [Score(1.0)] * (len(questions) - (len(questions) > 2))

    made = (metric("odd", each(odd)), metric("columns", lambda data: columns), metric("short", lambda data: short))
    found = written(tmp_path, made, QUESTIONS[:6], said(6))
    no_number = "the metric gave no finite number"
    assert [row[2:] for row in found if row[1] == "odd"] == [
        (0.5, "because"), (None, no_number), (None, no_number), (None, "because"), (1.0, "because"),
        (None, "the metric failed: ZeroDivisionError: no thing"),
    ]  # fmt: skip
    assert [row[2:] for row in found if row[1] == "columns"] == [
        (0.5, None), (None, no_number), (None, no_number), (None, "why"), (1.0, "rule 7"), (None, no_number),
    ]  # fmt: skip
    assert {row[2:] for row in found if row[1] == "short"} == {(1.0, None)}
    assert [row[:2] for row in found[:4]] == [("halden-0", "odd"), ("halden-0", "columns"), ("halden-0", "short"), ("halden-1", "odd")]  # fmt: skip


def test_many_batches_are_one(tmp_path: Path) -> None:
    """More than two batches, with attempts that are not there between them, in the order of the questions."""
    documents = {f"d{number}": Document(f"d{number}", "", f"text {number}") for number in range(9)}
    questions = [Question(f"q{number}", "?", documents=(f"d{number % 9}", "d0")) for number in range(4_500)]
    predictions = [
        Prediction(question.id, "x", contexts=(Context(id=f"d{number % 7}"), Context(id="mine", text="y")))
        for number, question in enumerate(questions)
        if number % 5
    ]
    names = ("recall@1", "mrr")
    found = written(tmp_path, [find_metric(name) for name in names], questions, predictions[::-1], documents)
    assert [row[0] for row in found[::2]] == [question.id for question in questions]
    by_id = {prediction.id: prediction for prediction in predictions}
    for question, pair in zip(questions, zip(found[::2], found[1::2], strict=True), strict=True):
        prediction = by_id.get(question.id)
        for name, row in zip(names, pair, strict=True):
            alone = find_metric(name).score(question, prediction) if prediction else Score(None, "no prediction")
            assert row == (question.id, name, alone.value, alone.reason)


def test_a_run_without_questions(tmp_path: Path) -> None:
    assert written(tmp_path, [find_metric("mrr")], (), ()) == []
