"""The ranking as rows: what stands in them, and that their types are the same whatever there is."""

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from boards import BOARD, board_release, entry_of, marks_of

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.entries import parts_of
from benchwright.benchmarks.leaderboards.ranking import make_standings
from benchwright.benchmarks.leaderboards.results import RESULTS_SCHEMA, read_results, results_bytes, results_table
from benchwright.benchmarks.leaderboards.standings import Standings
from benchwright.benchmarks.leaderboards.system_file import SystemModel
from benchwright.benchmarks.leaderboards.verdict import Costs


def test_a_row_is_a_system_in_a_table(tmp_path: Path) -> None:
    parts = parts_of(board_release(tmp_path))
    good = entry_of(tmp_path, "good", marks_of("1" * 110 + "0"), costs=Costs(cost=0.5, latency=2.0))
    good = replace(good, system=replace(good.system, models=(SystemModel("answers", "small-model"),)))
    entries = [good, entry_of(tmp_path, "bad", "1" * 20 + "a" * 6 + "f" * 4 + "0"), entry_of(tmp_path, "part", "1m")]
    standings = make_standings("somebody/board", BOARD, entries, {("firms", "1.0.0"): parts})
    path = tmp_path / "results.parquet"
    path.write_bytes(results_bytes(standings))
    assert path.read_bytes() == results_bytes(standings)
    first, second, third = read_results(path).to_pylist()
    assert {name: first[name] for name in ("system", "name", "submitter", "models", "frontier", "separated_from")} == {
        "system": "good",
        "name": "Good",
        "submitter": "user-of-good",
        "models": ["answers: small-model"],
        "frontier": ["cost", "latency"],
        "separated_from": ["bad"],
    }
    numbers = ("rank_low", "rank_high", "value", "questions", "groups", "coverage", "cost", "input_tokens", "mark")
    assert [first[name] for name in numbers] == [1, 1, 110 / 120, 120, 60, 1.0, 0.5, None, "verified"]
    counted = ("rank_low", "abstained", "failed", "missing", "undecided", "separated_from", "frontier")
    assert [second[name] for name in counted] == [2, 6, 4, 0, 0, ["good"], []]
    assert [third[name] for name in ("rank_low", "rank_high", "apart", "missing", "coverage")] == [
        None,
        None,
        "answers 1 of 120 questions",
        119,
        1 / 120,
    ]


def test_types_are_the_same_where_there_is_nothing(tmp_path: Path) -> None:
    path = tmp_path / "results.parquet"
    path.write_bytes(results_bytes(Standings("somebody/board", BOARD, (), "1.0.0")))
    assert pq.read_schema(path) == RESULTS_SCHEMA
    assert pq.ParquetFile(path).num_row_groups == 0  # load_dataset cannot read a group without rows, and says not why
    assert read_results(path).num_rows == read_results(tmp_path / "none.parquet").num_rows == 0


def test_an_earlier_ranking_is_read_with_the_columns_of_now(tmp_path: Path) -> None:
    path = tmp_path / "results.parquet"
    pq.write_table(pa.table({"system": ["one"], "benchmark": ["firms"], "gone": [1]}), path)
    (row,) = read_results(path).to_pylist()
    assert (row["system"], row["value"], row["flags"]) == ("one", None, None)
    path.write_bytes(b"PAR1 no")
    with pytest.raises(BenchwrightError, match=r"results.parquet cannot be read .*: restore it from an earlier commit"):
        read_results(path)


def test_nothing_of_single_held_out_questions_is_said(tmp_path: Path) -> None:
    parts = parts_of(board_release(tmp_path))
    entry = entry_of(tmp_path, "one", "10", split="heldout")
    entry = replace(entry, scores={"heldout": entry.scores["test"]})
    standings = make_standings("b", BOARD, [entry], {("firms", "1.0.0"): {"heldout": parts["test"]}})
    said = str(results_table(standings).to_pylist()) + repr(standings)
    assert "g00-0" not in said and "heldout" in said
