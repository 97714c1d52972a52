"""`compare-systems` in continuous integration: exit codes, files, and bad use in a line; and `--counterfactual`."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from report_cases import begin_run, make_release, make_run, write_rows

import benchwright
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.types import Question
from benchwright.scripts.compare_systems import main

GROUPS = 200
TOWNS = ("Oslo", "Perth", "Bergen", "Turin")


def seeded(folder: Path, seed: int, groups: int = GROUPS) -> Release:
    questions = [
        Question(f"q{group}", f"Where is {group}?", (TOWNS[(group + seed) % 4],), answer_type="one", group=f"g{group}")
        for group in range(groups)
    ]
    return make_release(folder, questions, seed=seed)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of which 20, 10, 50 and 21 groups are wrong, and one without any answer; and a release of another seed."""
    folder = tmp_path_factory.mktemp("gate")
    release = seeded(folder / "releases" / "small" / "1.0.0", 0)
    for name, wrong in (("base", 20), ("better", 10), ("worse", 50), ("alike", 21), ("silent", None)):
        where = folder / "runs" / "small" / "1.0.0" / name
        begin_run(release, where, GROUPS)
        write_rows(where, [
            (f"q{group}", "correct", None if wrong is None else float(group >= wrong), "the system gave no answer")
            for group in range(GROUPS)])  # fmt: skip
    return folder


def compare(place: Path, *arguments: object) -> Result:
    roots = ("--releases", place / "releases", "--runs", place / "runs", "--output", place / "out")
    return CliRunner().invoke(main, [*map(str, arguments), *map(str, roots)])


@pytest.mark.parametrize(
    ("runs", "code"),
    [
        (["better"], 0),
        (["worse"], 3),
        (["alike"], 4),
        (["worse", "alike", "better"], 3),
        (["better", "alike"], 4),
        (["better", "silent"], 3),
    ],
)
def test_a_gate_ends_with_a_code(place: Path, runs: list[str], code: int) -> None:
    given = [f"small/{name}" for name in runs]
    result = compare(place, "small/base", *given, "--gate", "correct>=-0.02", "-q", "--junit", place / "junit.xml")
    assert result.exit_code == code, result.output
    counted = ET.parse(place / "junit.xml").getroot().attrib
    assert (counted["tests"], counted["failures"]) == (str(len(runs)), str(len({"worse", "silent"} & set(runs))))
    assert int(counted["errors"]) == runs.count("alike")
    told = [
        line.split(": ")[1] for line in result.stderr.splitlines() if line.startswith(("failed: ", "inconclusive: "))
    ]
    assert told == [f"{name}, correct>=-0.02" for name in runs if name != "better"]


def test_the_page_the_file_and_the_summary_tell_the_gates(place: Path) -> None:
    result = compare(
        place,
        "small/worse",
        "--baseline",
        "small/base",
        "--gate",
        "correct>=-0.02",
        "--summary",
        place / "out" / "s.md",
    )
    assert result.exit_code == 3
    assert result.stdout == f"{place}/out/compare.html\n"
    assert "Against base: 1 failed" in result.stderr
    page = (place / "out" / "compare.html").read_text()
    assert page.index('<h2 id="gates-title">Gates') < page.index('<h2 id="result-title">Result')
    (gate,) = json.loads((place / "out" / "compare.json").read_text())["gates"]
    assert gate["target"] == "this benchmark"
    assert (gate["candidate"], gate["baseline"], gate["verdict"]) == ("worse", "base", "failed")
    assert gate["common"]["value"] == pytest.approx(-0.15)
    summary = (place / "out" / "s.md").read_text()
    assert "## compare-systems: 1 failed\n\nOn small 1.0.0.\n" in summary
    assert "| worse | 75.0 % |" in summary


def test_a_run_that_answers_nothing_is_named_and_has_no_page(place: Path) -> None:
    result = compare(place, "small/base", "small/silent", "--gate", "correct>=-0.02", "--summary", place / "silent.md")
    assert (result.exit_code, result.stdout) == (3, "")
    first, second = result.stderr.splitlines()
    assert first.startswith("no page: no question has a score of correct in all 2 runs (")
    assert second.startswith(
        "failed: silent, correct>=-0.02: no question has a score of both runs, and with what is unscored as the worst "
        "it is −90.0 points (95 % limits −9"
    )
    assert second.endswith(
        "over 200 groups; asked for is −2.0 points or more; 200 questions that the baseline has a score of the run has "
        "none of: the system gave no answer (200)"
    )
    assert "compare-systems: 1 failed" in (place / "silent.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["small/better", "--gate", "correct"], "--gate 'correct' is not METRIC>=DIFFERENCE: write it in quotes"),
        (["small/better", "--gate", "mrr>=0"], "base has no metric 'mrr': there is correct"),
        (["small/better", "--junit", "x.xml"], "--junit writes what gates decided: add a --gate"),
        (["--gate", "correct>=0"], "a comparison is of two runs or more: name another RUN"),
        (["small/better", "--counterfactual", "--gate", "correct>=0"], "--counterfactual is of two RUNs on two"),
        (["--counterfactual"], "--counterfactual is of two RUNs on two releases: leave out"),
    ],
)
def test_bad_use_in_a_line(place: Path, arguments: list[str], said: str) -> None:
    result = compare(place, "small/base", *arguments)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert said in result.stderr


@pytest.mark.parametrize("gate", ['"correct>=-0.02"', '["correct>=-0.02"]'])
def test_gates_from_the_settings_file(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gate: str) -> None:
    """One text or a list of them, as of each option that is repeatable."""
    monkeypatch.chdir(tmp_path)
    Path("benchwright.toml").write_text(f"[compare-systems]\ngate = {gate}\n")
    result = compare(place, "small/base", "small/worse", "-q")
    assert (result.exit_code, result.stderr.count("failed: worse, correct>=-0.02: ")) == (3, 1)


def test_gates_from_python(place: Path) -> None:
    where = place / "runs" / "small" / "1.0.0"
    found = benchwright.compare_systems(
        where / "base", where / "worse", where / "better", gates=["correct>=-0.02"], releases=place / "releases"
    )
    assert [(gate.candidate, gate.verdict) for gate in found.gates] == [("worse", "failed"), ("better", "passed")]
    assert found.baseline == "base"
    with pytest.raises(benchwright.UsageError, match="is not METRIC>=DIFFERENCE"):
        benchwright.compare_systems(where / "base", where / "worse", gates=["correct"])


def test_a_counterfactual(place: Path) -> None:
    """The system knows the published answers of all groups by heart."""
    fresh = seeded(place / "releases" / "fresh" / "1.0.0", 1)
    said = [Prediction(f"q{group}", TOWNS[group % 4]) for group in range(GROUPS)]
    folders = [
        make_run(release, place / "runs" / name / "1.0.0" / "rag", said, ("correct",)).folder
        for name, release in (("small", Release.load(place / "releases" / "small" / "1.0.0")), ("fresh", fresh))
    ]
    manifest = place / "releases" / "fresh" / "1.0.0" / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"name": "small"', '"name": "fresh"'))
    run = folders[1] / "run.json"
    run.write_text(run.read_text().replace('"benchmark": "small"', '"benchmark": "fresh"'))
    result = compare(place, "small/rag", "fresh/rag", "--counterfactual")
    assert (result.exit_code, result.stdout) == (0, f"{place}/out/counterfactual.html\n")
    assert "A memorisation gap: correct is 100.0 points higher" in " ".join(result.stderr.split())
    found = json.loads((place / "out" / "counterfactual.json").read_text())
    assert (found["metrics"]["correct"]["every"]["value"], found["old_answers"]["remembered"]) == (1.0, 1.0)
    assert "A memorisation gap" in (place / "out" / "counterfactual.html").read_text()
