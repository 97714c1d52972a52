"""What a system's own page shows: the parts of a benchmark, and the groups that it is worst at, in few bytes."""

import json
from pathlib import Path

import pytest
from boards import GROUPS, board_release, entry_of, marks_of

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.details import (
    LARGEST,
    Slice,
    SystemDetails,
    WorstGroup,
    details_of,
    details_text,
    read_details,
)
from benchwright.benchmarks.leaderboards.entries import PartQuestions, part_questions
from benchwright.benchmarks.leaderboards.predictions_table import write_predictions_table
from benchwright.benchmarks.predictions import Prediction


@pytest.fixture(scope="module")
def part(tmp_path_factory: pytest.TempPathFactory) -> PartQuestions:
    return part_questions(board_release(tmp_path_factory.mktemp("releases")))


def predictions(path: Path, answer: str) -> Path:
    write_predictions_table(
        path,
        [
            each
            for group in range(GROUPS)
            for number in range(2)
            for each in (
                Prediction(f"g{group:02}-{number}", answer),
                Prediction(f"g{group:02}-{number}", "of another repeat", repeat=1),
                Prediction(f"g{group:02}-{number}", "without a search", condition="closed"),
            )
        ],
    )
    return path


def test_details_say_where_a_system_is_weak(part: PartQuestions, tmp_path: Path) -> None:
    # the first two groups and the tenth wrong, the fifth in one wording
    marks = marks_of("0000" + "1111" + "10" + "11" * 4 + "00" + "1")
    entry = entry_of(tmp_path, "one", marks)
    found = details_of(entry.scores["test"], predictions(tmp_path / "predictions.parquet", "Rome"), part, "correct")
    assert (found.metric, found.groups, found.wrong_groups) == ("correct", GROUPS, 3)
    assert [(each.column, each.value, each.questions, each.mean) for each in found.slices] == [
        ("form", "short", 60, 0.95),
        ("form", "long", 60, 0.9333),
        ("kind", "lookup", 60, 0.95),
        ("kind", "count", 60, 0.9333),
        ("hops", "1", 40, 0.9),
        ("hops", "2", 40, 0.925),
        ("hops", "3", 40, 1.0),
    ]
    assert found.worst == (
        WorstGroup(0.0, 2, "Wording 0 of where firm 0 sits?", "Oslo", "Rome"),
        WorstGroup(0.0, 2, "Wording 0 of where firm 1 sits?", "Oslo", "Rome"),
        WorstGroup(0.0, 2, "Wording 0 of where firm 9 sits?", "Oslo", "Rome"),
        WorstGroup(0.5, 2, "Wording 1 of where firm 4 sits?", "Oslo", "Rome"),
    )
    path = tmp_path / "details.json"
    path.write_text(details_text(found), encoding="utf-8")
    assert read_details(path) == found


def test_details_of_one_system_take_few_bytes_whatever_it_said(part: PartQuestions, tmp_path: Path) -> None:
    entry = entry_of(tmp_path, "one", "0")
    loud = predictions(tmp_path / "predictions.parquet", "\u202e<script>\n" * 3 + "🏛" * 10_000)
    found = details_of(entry.scores["test"], loud, part, "correct")
    assert len(details_text(found).encode()) <= LARGEST
    assert [(each.answer or "")[:24] for each in found.worst] == ["\u202e<script> \u202e<script> \u202e<sc"] * len(
        found.worst
    )
    assert len(found.worst) >= 2
    assert all(len(each.answer or "") == 160 for each in found.worst)


def test_predictions_may_be_lines_of_json_and_lack_some(part: PartQuestions, tmp_path: Path) -> None:
    entry = entry_of(tmp_path, "one", "0" + "f")
    path = tmp_path / "predictions.jsonl"
    lines = [{"id": "g00-0", "answer": None, "abstained": True}, {"id": "g01-0", "answer": "half \ud800"}]
    path.write_text("\n".join(map(json.dumps, lines)) + "\n\n", encoding="utf-8")
    found = details_of(entry.scores["test"], path, part, "correct")
    assert [each.answer for each in found.worst] == [None, "half ?", None, None, None]
    assert details_text(found).encode()


def test_a_metric_that_was_not_computed_has_no_details(part: PartQuestions, tmp_path: Path) -> None:
    entry = entry_of(tmp_path, "one", "0")
    assert details_of(entry.scores["test"], tmp_path / "none", part, "mrr") == SystemDetails("mrr")


def test_details_that_were_changed_are_named(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    assert read_details(path) is None
    path.write_text('{"metric": 1}')
    with pytest.raises(BenchwrightError, match=r"one.json: .*metric.*; restore it from an earlier commit"):
        read_details(path)
    path.write_text(details_text(SystemDetails("correct", (Slice("form", "short", 3, 0.5),))))
    assert read_details(path) == SystemDetails("correct", (Slice("form", "short", 3, 0.5),))
