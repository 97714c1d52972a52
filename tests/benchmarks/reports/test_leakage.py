"""Table 4 of GRAMMAR: database accuracy with and without the groups that the model answers alone."""

from pathlib import Path

import pytest
from report_cases import PREDICTIONS_MADE, Case, make_release, make_run, repeated

from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.columns import load_run
from benchwright.benchmarks.reports.failures.leakage import leakage_figures
from benchwright.benchmarks.reports.share import Share
from benchwright.cards.report.markdown import markdown_report


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return make_release(tmp_path_factory.mktemp("leakage") / "release")


def run_of(release: Release, folder: Path, closed: list[Prediction]) -> Case:
    return make_run(release, folder, [*PREDICTIONS_MADE, *repeated(closed, condition="closed")])


def test_open_groups_are_left_out_of_database_accuracy(release: Release, tmp_path: Path) -> None:
    """Own: short covers halden, brightwater and corvane (a known gap), long halden and brightwater; quay is wrong.

    Alone, the model knows one long wording of halden and one short of brightwater.
    """
    known = {"halden-2": "Oslo", "brightwater-1": "Perth"}
    asked = [f"{group}-{number}" for group in ("halden", "brightwater", "quay", "corvane") for number in range(4)]
    case = run_of(release, tmp_path / "run", [Prediction(name, known.get(name, "Lima")) for name in asked])
    found = leakage_figures(load_run(case.release, case.folder))
    assert found is not None and found.reason is None
    short, long = found.forms
    assert (short.form, long.form) == ("short", "long")
    assert (short.with_open, short.without_open, short.open_groups) == (Share(3 / 4, 3, 4), Share(2 / 3, 2, 3), 1)
    # of the long wordings of quay only one was judged: the system failed at the other
    assert (long.with_open, long.without_open, long.open_groups) == (Share(2 / 3, 2, 3), Share(1 / 2, 1, 2), 1)
    report = case.made()
    assert report.grammar.leakage == found
    assert "Table 4 of the paper, for this run" in (text := markdown_report(report))
    assert "| With open groups | 0.7500 | 3 of 4 | 0.6667 | 2 of 3 |" in text
    assert "without any document: 1 of short, 1 of long." in text


def test_where_there_is_no_table_4(release: Release, tmp_path: Path) -> None:
    plain = make_run(release, tmp_path / "plain")
    assert leakage_figures(load_run(release, plain.folder)) is None and plain.made().grammar.leakage is None
    once = run_of(release, tmp_path / "once", [Prediction("halden-0", "Oslo"), Prediction("halden-2", "Oslo")])
    found = leakage_figures(load_run(release, once.folder))
    assert found is not None and found.reason == (
        "not available because no group has two wordings that were judged with and without documents"
    )
    alone = run_of(release, tmp_path / "alone", [Prediction(f"halden-{number}", "Oslo") for number in range(2)])
    found = leakage_figures(load_run(release, alone.folder))
    assert found is not None and found.forms[0].without_open == Share(
        None, 0, 0, "the model alone answers a wording of every group"
    )
