"""What answers took and were worth, by condition and subset, in a report and beside other runs."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from report_cases import QUESTIONS, Case, begin_run, make_release, write_rows

from benchwright.benchmarks.comparisons.effort import Effort
from benchwright.benchmarks.comparisons.missing_blocks import effort_blocks
from benchwright.benchmarks.predictions import Context, Prediction, StepUsage, Usage
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.blocks import SideBySide, Table
from benchwright.benchmarks.reports.effort.figures import UNKNOWN, Grade, KnownTotal, Part, Step
from benchwright.benchmarks.reports.report import Report
from benchwright.benchmarks.runs.run import PREDICTIONS
from benchwright.benchmarks.runs.store import PredictionStore
from benchwright.cards.blocks import html, markdown

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
    """A run whose answers took 100 tokens, and 900 more where something was retrieved; the first three in steps."""
    begin_run(release, folder, len(IDS), name=folder.name)
    store = PredictionStore(folder / PREDICTIONS)
    for place, (name, times) in enumerate(zip(IDS, retrieved, strict=True)):
        steps = [StepUsage("decision", "decision", 40, 1, 1, None if place == 1 else 0.25)]
        steps += [StepUsage("answer", None, 960, 19, 1)] if times else []
        usage = Usage(100 + 900 * (times > 0), 20, 1, times or None, tuple(steps) if place < 3 else ())
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
        grades={
            "truthfulness": Grade(4.5, 2, 3, (0, 0, 0, 1, 1)),
            "relevance": Grade(14 / 3, 3, 3, (0, 0, 0, 1, 2)),
        },
        input_tokens=KnownTotal(2100, 3, 3),
        output_tokens=KnownTotal(60, 3, 3),
        retrievals=KnownTotal(3, 2, 3),
        retrieved=2,
        tokens_with_retrieval=KnownTotal(2040, 2, 2),
        tokens_without_retrieval=KnownTotal(None, 0, 0, UNKNOWN),
        sums=(0, 0, 0, 0, 0, 0, 0, 1, 1),
        steps=(
            Step(
                "decision",
                "decision",
                3,
                KnownTotal(120, 3, 3),
                KnownTotal(3, 3, 3),
                KnownTotal(3, 3, 3),
                KnownTotal(0.5, 2, 3),
            ),
            Step(
                "answer",
                None,
                2,
                KnownTotal(1920, 2, 2),
                KnownTotal(38, 2, 2),
                KnownTotal(2, 2, 2),
                KnownTotal(None, 0, 2, UNKNOWN),
            ),
        ),
    )
    assert (post.subset, post.answers, post.grades["truthfulness"].mean) == ("post_cutoff", 1, 1.0)
    assert post.retrievals == KnownTotal(None, 0, 1, "no prediction says")
    assert (none.subset, none.condition, none.input_tokens.total) == (None, "own", 100)
    (section,) = [each for each in report.sections if each.id == "cost"]
    table, drawn, grades, sums, steps = section.blocks[-6:-4] + section.blocks[-3:]
    assert isinstance(table, Table) and isinstance(grades, Table) and isinstance(sums, Table)
    assert [plain(cell) for cell in grades.rows[1]] == [
        "random",
        "relevance",
        "0",
        "0",
        "0",
        "1 (33 %)",
        "2 (67 %)",
        "3",
    ]
    assert [plain(cell) for cell in sums.rows[0]] == ["random", *"0000000", "1 (50 %)", "1 (50 %)", "2"]
    assert isinstance(drawn, SideBySide) and len(drawn.panels) == 2
    page = html.draw([drawn])
    assert page.count('<ul class="columns" role="img"') == 2
    assert "sum of truthfulness and relevance. 2: 0, 3: 0, 4: 0, 5: 0, 6: 0, 7: 0, 8: 0, 9: 1, 10: 1" in page
    assert '<span class="good" style="height:7.00em"></span>10' in page
    assert "9 1 (50.0 %), 10 1 (50.0 %)" in markdown.draw([drawn])
    assert isinstance(steps, Table)
    assert [[plain(cell) for cell in row] for row in steps.rows] == [
        ["random", "decision", "decision", "3", "3", "120", "3", "$0.50"],
        ["random", "answer", "–", "2", "2", "1,920", "38", "unknown"],
    ]
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
    tables = [block for block in effort_blocks(efforts) if isinstance(block, Table)]
    _, random, grades, sums, steps, post, *_ = tables
    assert len(tables) == 11
    assert plain(random.caption) == "What answers took and were worth: random · own"
    assert [[plain(cell) for cell in row] for row in random.rows] == [
        ["naive", "4.50 (of 2)", "4.67", "3", "3,000", "60", "3", "3"],
        ["agent", "4.50 (of 2)", "4.67", "3", "2,100", "60", "2 (of 2)", "2"],
    ]
    assert plain(grades.caption) == "How many answers got each grade: random · own"
    assert plain(sums.caption) == "How many answers got each sum of truthfulness and relevance: random · own"
    assert [[plain(cell) for cell in row][:5] for row in steps.rows] == [
        ["naive", "decision", "decision", "3", "3"],
        ["naive", "answer", "–", "3", "3"],
        ["agent", "decision", "decision", "3", "3"],
        ["agent", "answer", "–", "2", "2"],
    ]
    assert plain(post.caption) == "What answers took and were worth: post_cutoff · own"
