"""Predictions as a submission holds them: what was written is read again, and what is none is refused."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from submissions import read_predictions_table

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.predictions_table import (
    holds_contexts,
    read_prediction_lines,
    write_predictions_table,
)
from benchwright.benchmarks.predictions import Context, Prediction, StepUsage, Usage, read_prediction
from benchwright.benchmarks.runs.store import prediction_line

PREDICTIONS = (
    Prediction("a", "31 metres", contexts=(Context("d1", "a text", start=0, end=6, score=0.5), Context(uri="x:1"))),
    Prediction("b", None, abstained=True, usage=Usage(10, 2, 1, 0), cost=0.0, latency=1.25),
    Prediction("b", "yes", condition="closed", repeat=1, samples=("yes", "no")),
    Prediction("c", None, error="timed out"),
    Prediction("d", "", usage=Usage(1, 2, 3, 4, (StepUsage("decides", "reader", 1, 2, 3, 0.25),))),
    Prediction("e", "Zürich 東京 \u202e <b>", error="cut to 10 characters"),
)


def test_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "predictions.parquet"
    assert write_predictions_table(path, PREDICTIONS) == 6
    assert tuple(read_predictions_table(path)) == PREDICTIONS
    assert holds_contexts(path)
    again = tmp_path / "again.parquet"
    write_predictions_table(again, iter(PREDICTIONS))
    assert again.read_bytes() == path.read_bytes()


def test_contexts_are_kept_back(tmp_path: Path) -> None:
    path = tmp_path / "predictions.parquet"
    write_predictions_table(path, PREDICTIONS, with_contexts=False)
    assert not holds_contexts(path)
    assert b"a text" not in path.read_bytes()
    first, *rest = read_predictions_table(path)
    assert first == Prediction("a", "31 metres")
    assert tuple(rest) == PREDICTIONS[1:]


def test_no_prediction_at_all(tmp_path: Path) -> None:
    path = tmp_path / "predictions.parquet"
    assert write_predictions_table(path, []) == 0
    assert list(read_predictions_table(path)) == []


def test_lines_are_those_of_a_run(tmp_path: Path) -> None:
    path = tmp_path / "predictions.parquet"
    write_predictions_table(path, PREDICTIONS)
    for line, prediction in zip(read_prediction_lines(path), PREDICTIONS, strict=True):
        assert read_prediction(line, "it") == read_prediction(prediction_line(prediction), "it")


def _table(path: Path, rows: list[Mapping[str, Any]]) -> Path:
    pq.write_table(pa.Table.from_pylist(rows), path)
    return path


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"id": "a", "answer": "x", "cost": float("nan")}], "row 1: 'cost' must be a finite number, and is nan"),
        ([{"id": "a", "answer": "x", "contexts": [{"id": "d", "score": float("inf")}]}], "row 1: 'score' must be"),
        ([{"id": "a", "answer": "x", "note": "y"}], "has a column 'note', which predictions have not"),
        ([{"answer": "x"}], "has no column 'id'"),
        ([{"id": "a", "answer": "x"}, {"id": "b", "answer": None}], "row 2: no 'answer'"),
        ([{"id": None, "answer": "x"}], "row 1: no 'id'"),
        ([{"id": "a", "answer": "x", "repeat": -1}], "row 1: 'repeat' must be a whole number from 0"),
        ([{"id": "a", "answer": "x", "repeat": "first"}], "cannot be read as predictions"),
        ([{"id": "a", "answer": "x", "contexts": [None]}], "row 1: an item of 'contexts' is null"),
    ],
)
def test_what_is_no_table_of_predictions(tmp_path: Path, rows: list[Mapping[str, Any]], said: str) -> None:
    with pytest.raises(BenchwrightError) as caught:
        list(read_predictions_table(_table(tmp_path / "predictions.parquet", rows)))
    assert said in str(caught.value)


def test_what_is_no_parquet(tmp_path: Path) -> None:
    path = tmp_path / "predictions.parquet"
    path.write_text("PAR1 no PAR1")
    with pytest.raises(BenchwrightError, match=r"predictions\.parquet is not a Parquet file"):
        list(read_predictions_table(path))


def test_a_number_that_no_table_holds(tmp_path: Path) -> None:
    huge = Prediction("a", "x", usage=Usage(input_tokens=2**70))
    with pytest.raises(BenchwrightError, match="the predictions from 'a' to 'a' do not go into a table"):
        write_predictions_table(tmp_path / "predictions.parquet", [huge])
