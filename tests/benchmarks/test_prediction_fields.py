"""Predictions read as plain fields: the same lines are taken, refused and understood as by the reader of objects."""

import json
import random
from typing import Any

import pytest

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.matching import CorpusMatcher
from benchwright.benchmarks.metrics.batch import PredictionBatch
from benchwright.benchmarks.prediction_fields import read_fields, shows_retrieval
from benchwright.benchmarks.predictions import Prediction, parse_prediction

ODD = (None, "", "x", 0, 1, -1, 2.5, 1e400, True, [], {}, ["x"], [1], "\ud800", 10**30)
FIELDS: dict[str, tuple[Any, ...]] = {
    "id": ("q",), "answer": ("x",), "abstained": (True, False), "condition": ("own",), "repeat": (3,),
    "samples": (["a", "b"], [None]), "error": ("it broke",), "cost": (0.5,), "latency": (1,),
    "usage": ({"calls": 2, "retrievals": 0}, {"retrievals": None}, {"calls": -1}, {"calls": "2"}, {"odd": 1},
              {"steps": [{"step": "a", "calls": 1, "more": 2}, {"step": "b", "role": None, "cost": 0}]},
              {"steps": [{"step": "a", "role": "r", "cost": 0.5}]}, {"steps": [{}]}, {"steps": [None]}, {"steps": {}}),
    "contexts": (
        [{"id": "d"}, {"id": "e", "text": "t", "start": 3, "end": 9, "score": 1}], [{"id": "d", "start": 5, "end": 2}],
        ["plain"], [{"text": None}], [{}], [None], [{"id": 7}], [{"id": "d", "score": "1"}], [{"id": None, "text": "t"}],
        [{"id": "d", "end": None, "start": 3, "more": {}}], [{"id": "d", "end": 4}],
    ),
    "more": ("left out",),
}  # fmt: skip


def lines(count: int) -> list[bytes]:
    """Predictions of which some are right, and some wrong in one or several places."""
    draw, found = random.Random(4), []
    for _ in range(count):
        values = {"id": "q", "answer": "x"}
        for name in draw.sample(list(FIELDS), draw.randrange(1, 5)):
            values[name] = draw.choice(FIELDS[name] if draw.random() < 0.7 else ODD)
        if draw.random() < 0.1:
            del values[draw.choice(list(values))]
        found.append(json.dumps(values).encode())
    return found


def read(reader: Any, line: bytes) -> Any:
    try:
        return reader(line, number=3, source="mine.jsonl")
    except BenchwrightError as error:
        return str(error)


def made(line: bytes) -> Any:
    """The prediction that a batch makes of a line."""
    found = read(read_fields, line)
    if isinstance(found, str):
        return found
    batch = PredictionBatch(CorpusMatcher({}))
    batch.add(found)
    assert shows_retrieval(found) == batch[0].shows_retrieval
    return batch[0]


def test_both_readers_say_the_same() -> None:
    said = [(line, made(line), read(parse_prediction, line)) for line in lines(6_000)]
    assert [(line, one, other) for line, one, other in said if one != other] == []
    kinds = {isinstance(one, Prediction) for _, one, _ in said}
    assert kinds == {True, False} and len({str(one) for _, one, _ in said}) > 300


@pytest.mark.parametrize("line", [b"", b"[1]", b'{"id": "q", "answ', b"\xff", b'{"id": ' + b"[" * 100_000, b"{}"])
def test_what_is_no_prediction(line: bytes) -> None:
    assert made(line) == read(parse_prediction, line) and "line 3" in made(line)


def test_a_batch_is_a_sequence_of_its_predictions() -> None:
    batch = PredictionBatch(CorpusMatcher({}))
    for number in range(4):
        batch.add({"id": f"q{number}", "answer": str(number)})
    assert [one.id for one in batch] == ["q0", "q1", "q2", "q3"] == [one.id for one in batch[:]]
    assert len(batch) == 4 and batch[-1].answer == "3" and batch[1] is batch[1]
    assert list(batch[1:3]) == [batch[1], batch[2]]
