"""What answers took and were worth, by condition and subset, in a report and beside other runs."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from report_cases import QUESTIONS, Case, begin_run, make_release, write_rows

from benchwright.benchmarks.comparisons.effort import Effort
from benchwright.benchmarks.comparisons.missing_blocks import effort_blocks
from benchwright.benchmarks.predictions import Context, Prediction, Usage
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.blocks import Table
from benchwright.benchmarks.reports.effort import Grade, Part, Total
from benchwright.benchmarks.reports.report import Report
from benchwright.benchmarks.runs.run import PREDICTIONS
from benchwright.benchmarks.runs.store import PredictionStore

SUBSETS = ("random", "random", "random", "post_cutoff", None)
IDS = [question.id for question in QUESTIONS[:5]]
GRADED = {"truthfulness": (5.0, 4.0, None, 1.0, 2.0), "relevance": (5.0, 5.0, 4.0, 1.0, 2.0)}


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    questions = [replace(each, subset=subset) for each, subset in zip(QUESTIONS, SUBSETS, strict=False)]
    return make_release(tmp_path_factory.mktemp("effort") / "release", questions)


def plain(cell: Any) -> str:
    parts = cell if isinstance(cell, tuple) else (cell,)
    return "".join(part if isinstance(part, str) else part.text for part in parts)


def report_of(release: Release, folder: Path, retrieved: Sequence[int]) -> Report:
    """A run whose answers took 100 tokens, and 900 more where something was retrieved."""
    begin_run(release, folder, len(IDS), name=folder.name)
    store = PredictionStore(folder / PREDICTIONS)
    for name, times in zip(IDS, retrieved, strict=True):
        usage = Usage(100 + 900 * (times > 0), 20, 1, times or None)
        store.append(Prediction(name, "An answer.", contexts=(Context("d1"),) * (times > 0), usage=usage))
    store.close()
    rows = [
        (name, metric, value, None if value else "the judge gave no value")
        for metric, values in GRADED.items()
        for name, value in zip(IDS, values, strict=True)
    ]
    write_rows(folder, rows)
    return Case(release, folder).made()


def test_grades_tokens_and_retrievals_of_each_subset(release: Release, tmp_path: Path) -> None:
    report = report_of(release, tmp_path / "agent", (1, 0, 2, 0, 0))
    random, post, none = report.cost.parts
    assert random == Part(
        condition="own",
        subset="random",
        answers=3,
        grades={"truthfulness": Grade(4.5, 2, 3), "relevance": Grade(14 / 3, 3, 3)},
        input_tokens=Total(2100, 3, 3),
        output_tokens=Total(60, 3, 3),
        retrievals=Total(3, 2, 3),
        retrieved=2,
    )
    assert (post.subset, post.answers, post.grades["truthfulness"].mean) == ("post_cutoff", 1, 1.0)
    assert post.retrievals == Total(None, 0, 1, "no prediction says")
    assert (none.subset, none.condition, none.input_tokens.total) == (None, "own", 100)
    (section,) = [each for each in report.sections if each.id == "cost"]
    table = section.blocks[-1]
    assert isinstance(table, Table)
    assert [plain(cell) for cell in table.rows[0]] == [
        "random",
        "4.50 (of 2)",
        "4.67",
        "3",
        "2,100",
        "60",
        "3 (of 2)",
        "2",
    ]
    assert [plain(row[0]) for row in table.rows] == ["random", "post_cutoff", "own"]


def test_several_runs_stand_beside_each_other(release: Release, tmp_path: Path) -> None:
    runs = {"naive": (1, 1, 1, 1, 1), "agent": (1, 0, 1, 0, 1), "unread": None}
    efforts = [
        Effort(name, report_of(release, tmp_path / name, times).cost if times else None, None)
        for name, times in runs.items()
    ]
    _, _, random, post, none = effort_blocks(efforts)
    assert isinstance(random, Table) and isinstance(post, Table) and isinstance(none, Table)
    assert plain(random.caption) == "What answers took and were worth: random · own"
    assert [[plain(cell) for cell in row] for row in random.rows] == [
        ["naive", "4.50 (of 2)", "4.67", "3", "3,000", "60", "3", "3"],
        ["agent", "4.50 (of 2)", "4.67", "3", "2,100", "60", "2 (of 2)", "2"],
    ]
