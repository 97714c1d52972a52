"""Who moved, when and why: of two rankings, what is worth telling."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from boards import BOARD, board_release, entry_of, marks_of

from benchwright.benchmarks.leaderboards.entries import Entry, Parts, parts_of
from benchwright.benchmarks.leaderboards.history import HISTORY_SCHEMA, changes, history_bytes, moves_of
from benchwright.benchmarks.leaderboards.ranking import make_standings
from benchwright.benchmarks.leaderboards.results import RESULTS_SCHEMA, read_rows, results_table
from benchwright.benchmarks.leaderboards.standings import Move

NOON = "2026-11-20T12:00:00Z"


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Parts:
    return parts_of(board_release(tmp_path_factory.mktemp("releases")))


def ranking(entries: Sequence[Entry], parts: Parts) -> pa.Table:
    return results_table(make_standings("somebody/board", BOARD, entries, {("firms", "1.0.0"): parts}))


def said(before: pa.Table, after: pa.Table) -> dict[str, tuple[object, ...]]:
    return {
        row["system"]: (row["value_before"], row["value"], row["rank_low_before"], row["rank_low"], row["why"])
        for row in changes(before, after, NOON).to_pylist()
    }


def right(groups: int) -> str:
    return marks_of("11" * groups + "0")


def test_newcomers_are_told_and_those_whom_they_surely_beat(parts: Parts, tmp_path: Path) -> None:
    first = [entry_of(tmp_path, "one", right(30)), entry_of(tmp_path, "two", right(28))]
    nothing, before = RESULTS_SCHEMA.empty_table(), ranking(first, parts)
    assert said(nothing, before) == {
        "one": (None, 0.5, None, 1, "submitted"),
        "two": (None, pytest.approx(28 / 60), None, 1, "submitted"),
    }
    alike = ranking([*first, entry_of(tmp_path, "alike", right(29))], parts)
    assert said(before, alike) == {"alike": (None, pytest.approx(29 / 60), None, 1, "submitted")}
    better = ranking([*first, entry_of(tmp_path, "better", right(60))], parts)
    assert said(before, better) == {
        "better": (None, 1.0, None, 1, "submitted"),
        "one": (0.5, 0.5, 1, 2, "a better system came"),
        "two": (pytest.approx(28 / 60), pytest.approx(28 / 60), 1, 2, "a better system came"),
    }
    assert said(better, better) == {}


def test_a_new_version_of_a_metric_moves_systems_and_says_so(parts: Parts, tmp_path: Path) -> None:
    one, two = entry_of(tmp_path, "one", right(50)), entry_of(tmp_path, "two", right(30))
    before = ranking([one, two], parts)
    again = entry_of(tmp_path, "one", right(32), scored_by="1.1.0")
    after = ranking([again, replace(two, verdict=replace(two.verdict, scored_by="1.1.0"))], parts)
    assert said(before, after) == {
        "one": (
            pytest.approx(50 / 60),
            pytest.approx(32 / 60),
            1,
            1,
            "scored again with benchwright 1.1.0, before with 1.0.0",
        ),
        "two": (0.5, 0.5, 2, 1, "others' values changed"),
    }


def test_a_submission_that_comes_again_or_goes_is_told(parts: Parts, tmp_path: Path) -> None:
    one, two = entry_of(tmp_path, "one", right(50)), entry_of(tmp_path, "two", right(30))
    before = ranking([one, two], parts)
    assert said(before, ranking([entry_of(tmp_path, "one", right(50), revision="b" * 40), two], parts)) == {
        "one": (pytest.approx(50 / 60), pytest.approx(50 / 60), 1, 1, "submitted again")
    }
    assert said(before, ranking([two], parts)) == {
        "one": (pytest.approx(50 / 60), None, 1, None, "withdrawn"),
        "two": (0.5, 0.5, 2, 1, "others' values changed"),
    }


def test_a_first_value_is_told_as_such(parts: Parts, tmp_path: Path) -> None:
    one = entry_of(tmp_path, "one", right(30))
    (part,) = one.verdict.parts
    unscored = replace(one, scores={}, verdict=replace(one.verdict, parts=(replace(part, figures={}),)))
    assert said(ranking([unscored], parts), ranking([one], parts)) == {"one": (None, 0.5, None, 1, "scored")}


def test_another_judge_is_told_as_such(parts: Parts, tmp_path: Path) -> None:
    before = ranking([entry_of(tmp_path, "one", marks_of("j" * 120)), entry_of(tmp_path, "two", right(30))], parts)
    after = ranking([entry_of(tmp_path, "one", marks_of("k" * 60 + "0")), entry_of(tmp_path, "two", right(30))], parts)
    assert said(before, after) == {
        "one": (1.0, 0.5, 1, 1, "judged by model wiser 2 + rules, before by model wise 1"),
    }


def test_a_history_grows_and_its_latest_moves_are_shown_first(parts: Parts, tmp_path: Path) -> None:
    one = entry_of(tmp_path, "one", right(50))
    nothing, before = RESULTS_SCHEMA.empty_table(), ranking([one], parts)
    path = tmp_path / "history.parquet"
    path.write_bytes(history_bytes(HISTORY_SCHEMA.empty_table(), changes(nothing, before, NOON)))
    gone = changes(before, nothing, "2026-11-21T12:00:00Z")
    path.write_bytes(history_bytes(read_rows(path, HISTORY_SCHEMA), gone))
    assert pq.read_schema(path) == HISTORY_SCHEMA
    value: Any = pytest.approx(50 / 60)
    moves = moves_of(read_rows(path, HISTORY_SCHEMA))
    shared = ("firms", "1.0.0", "test", "correct", "one")
    assert moves == (
        Move("2026-11-21T12:00:00Z", *shared, value, None, (1, 1), None, "withdrawn"),
        Move(NOON, *shared, None, value, None, (1, 1), "submitted"),
    )
    assert moves_of(read_rows(path, HISTORY_SCHEMA), 1) == moves[:1]
