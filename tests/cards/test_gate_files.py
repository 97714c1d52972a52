"""Gates as JUnit and as Markdown: what continuous integration and a pull request show."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from report_cases import begin_run, make_release, write_rows

from benchwright.benchmarks.comparisons.compared import Compared
from benchwright.benchmarks.comparisons.gate import GateResult, gate_runs, parse_gate
from benchwright.benchmarks.comparisons.read import read_runs
from benchwright.benchmarks.types import Question
from benchwright.cards.compare.junit import junit
from benchwright.cards.compare.summary import LIMIT, MARK, summary

GROUPS = 200


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Compared:
    """A baseline with 20 of 200 groups wrong, one that is better, one worse, and one that answers nothing."""
    folder = tmp_path_factory.mktemp("gate")
    questions = [Question(f"q{group}", f"What of {group}?", ("x",), group=f"g{group}") for group in range(GROUPS)]
    release = make_release(folder / "small", questions)
    runs = []
    for name, wrong in (("base", 20), ("better", 10), ("worse", 50), ("silent", None)):
        begin_run(release, folder / name, GROUPS)
        write_rows(folder / name, [
            (f"q{group}", "correct", None if wrong is None else float(group >= wrong), "@octo said \x00 <no> #7")
            for group in range(GROUPS)])  # fmt: skip
        runs.append(folder / name)
    return read_runs(release, runs)


@pytest.fixture(scope="module")
def results(compared: Compared) -> list[GateResult]:
    return gate_runs(compared, [parse_gate("correct>=-0.02")])


def test_a_junit_file(results: list[GateResult]) -> None:
    text = junit({"benchmark": "small 1.0.0", "condition": "own"}, results)
    root = ET.fromstring(text)
    counts = {"tests": "3", "failures": "2", "errors": "0", "skipped": "0"}
    assert {key: root.attrib[key] for key in counts} == counts
    assert [suite.attrib["name"] for suite in root] == ["better", "worse", "silent"]
    properties = {item.attrib["name"]: item.attrib["value"] for item in root[0].iter("property")}
    assert properties == {
        "benchmark": "small 1.0.0",
        "baseline": "base",
        "condition": "own",
    }
    better, worse, silent = (suite.find("testcase") for suite in root)
    assert better is not None and worse is not None and silent is not None
    assert better.attrib == {"classname": "compare-systems.better", "name": "correct>=-0.02", "time": "0"}
    assert [child.tag for child in better] == ["system-out"]
    failure, none = worse[0], silent[0]
    assert (failure.tag, failure.attrib["type"]) == (none.tag, none.attrib["type"]) == ("failure", "failed")
    assert failure.attrib["message"].startswith("worse against base: −15.0 points (95 % limits −")
    assert failure.text == failure.attrib["message"]
    assert none.attrib["message"].startswith("silent against base: no question has a score of both runs, and with ")
    assert none.attrib["message"].endswith(
        "200 questions that the baseline has a score of the run has none of: @octo said \ufffd <no> #7 (200)"
    )
    unsure = junit({}, [replace(results[0], verdict="inconclusive")])
    error = ET.fromstring(unsure)[0].find("testcase/error")
    assert error is not None and error.attrib["type"] == "inconclusive"


def test_a_summary_for_a_pull_request(results: list[GateResult]) -> None:
    text = summary("small 1.0.0", results)
    assert text.startswith(f"{MARK}\n## compare-systems: 2 failed, 1 passed\n\nOn small 1.0.0.\n")
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    assert [row.split(" | ")[:4] for row in rows] == [
        ["| `worse`", "<code>correct&#62;=-0.02</code>", "**failed**", "−15.0"],
        ["| `silent`", "<code>correct&#62;=-0.02</code>", "**failed**", "–"],
        ["| `better`", "<code>correct&#62;=-0.02</code>", "**passed**", "+5.0"],
    ]
    assert "- <code>worse, correct&#62;=-0.02</code>: −15.0 points (" in text
    assert "@\u2060octo said &lt;no&gt; #\u20607 (200)" in text
    assert "@octo" not in text
    assert "#7" not in text


def test_a_summary_fits_a_comment(results: list[GateResult]) -> None:
    """500 candidates with long names, each of which says why at length."""
    why = {f"{letter * 500} is not there": 1 for letter in "äöü"}
    many = [replace(results[2], candidate=f"{place:03}-{'ü' * 90}", reasons=why) for place in range(500)]
    text = summary("small 1.0.0", many)
    assert len(text.encode()) <= LIMIT
    assert "400 more gates are in the JSON file and in the JUnit file." in text
    assert text.endswith("*The rest does not fit here and is in compare.html and compare.json.*\n")
    whole = summary("y" * LIMIT, [replace(each, candidate="ü" * 4000) for each in many])
    assert len(whole.encode()) <= LIMIT
