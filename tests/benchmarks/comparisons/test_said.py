"""What a system said to few questions, out of a long file."""

import json
from pathlib import Path

from benchwright.benchmarks.comparisons.said import read_said


def test_the_first_repeat_that_was_answered_counts(tmp_path: Path) -> None:
    path = tmp_path / "predictions.jsonl"
    lines = [
        {"id": "other", "answer": "not wanted"},
        {"id": "a", "answer": None, "error": "timeout"},
        {"id": "a", "answer": "second", "repeat": 1},
        {"id": "a", "answer": "asked again"},
        {"answer": "another order", "id": "b"},
        {"id": "c", "answer": "with the gold passages", "condition": "gold"},
        {"id": 'quoted "d"', "answer": "escaped"},
        {"id": "é", "answer": "ASCII"},
        {"id": "e", "answer": None, "error": "down"},
    ]
    text = "\n".join([*map(json.dumps, lines), '{"id": "a", "answer"', ""])
    path.write_text(text, encoding="utf-8")
    wanted = {"a", "b", "c", 'quoted "d"', "é", "e", "nowhere"}
    found = read_said(path, wanted, "own")
    assert {id: each.answer for id, each in found.items()} == {
        "a": "asked again", "b": "another order", 'quoted "d"': "escaped", "é": "ASCII", "e": None,
    }  # fmt: skip
    assert found["e"].error == "down"
    assert read_said(path, wanted, "gold")["c"].answer == "with the gold passages"
    assert read_said(tmp_path / "nothing.jsonl", wanted, "own") == {}
