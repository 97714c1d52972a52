"""Where the noise comes from, as reports say it: parts that are told apart, parts that are not, and what more buys."""

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from report_cases import Case, make_release, make_run

from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.runs.score import score_run
from benchwright.benchmarks.types import Question
from benchwright.cards.report.markdown import markdown_report
from benchwright.cards.report.terminal import terminal_table

OUTCOMES = ((1, 1), (0, 1)), ((0, 0), (0, 0))
"""Of two groups the two wordings, each answered twice."""


def questions(groups: Sequence[Sequence[object]], grouped: bool = True) -> list[Question]:
    return [
        Question(
            id=f"{group}-{wording}",
            question=f"Wording {wording} of {group}?",
            answers=("Oslo",),
            answer_type="one",
            group=f"g{group}" if grouped else None,
            answerability="answerable",
        )
        for group, wordings in enumerate(groups)
        for wording in range(len(wordings))
    ]


def answers(groups: Sequence[Sequence[Sequence[int]]]) -> list[Prediction]:
    return [
        Prediction(f"{group}-{wording}", "Oslo" if right else "Perth", repeat=repeat)
        for group, wordings in enumerate(groups)
        for wording, repeats in enumerate(wordings)
        for repeat, right in enumerate(repeats)
    ]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return make_release(tmp_path_factory.mktemp("noise") / "release", questions(OUTCOMES), ())


def run(release: Release, folder: Path, predictions: Sequence[Prediction]) -> Case:
    return make_run(release, folder, predictions, metrics=("correct",))


def section_of(report: Any) -> str:
    text = markdown_report(report)
    return text.partition("## Where the noise comes from")[2].partition("\n## ")[0]


def test_groups_wordings_and_repeats_are_told_apart(release: Release, tmp_path: Path) -> None:
    report = run(release, tmp_path / "run", answers(OUTCOMES)).made()
    noise = report.noise["correct"]
    assert (noise.reason, noise.answers, noise.groups, dict(noise.not_told)) == (None, 8, 2, {})
    # worked by hand in test_components
    groups, wordings, repeats = 9 / 32 - 1 / 32, 0.0, 1 / 8
    assert [(part.of, part.told_by) for part in noise.parts] == [
        (("groups",), 2),
        (("wordings",), 2),
        (("repeats",), 4),
    ]
    assert [part.variance for part in noise.parts] == pytest.approx([groups, wordings, repeats])
    assert [part.share for part in noise.parts] == pytest.approx([2 / 3, 0, 1 / 3])
    options = {option.name: option for option in noise.options}
    now, twice = options["as it was"], options["twice the groups"]
    assert (now.answers, now.least) == (8, now.most)
    assert 0.49 < now.most <= 0.5, "of two groups nothing is known"
    assert 0.4 < twice.most < 0.46
    ten = options["ten more repeats"]
    assert (ten.answers, ten.least) == (48, ten.most)
    assert options["one wording of each group"].answers == 4
    shown = section_of(report)
    assert "| correct | 66.7 % | 0.0 % | 33.3 % |" in shown and "cannot be told apart" not in shown
    assert "Rough: 2 groups say little of their own noise." in shown
    assert "Noise of correct: groups 67 %, wordings 0 %, repeats 33 %." in " ".join(terminal_table(report).split())


def test_what_is_said_of_the_run_itself_is_its_interval(tmp_path: Path) -> None:
    outcomes = [
        [[int(group % 5 > 1), int(group % 5 > 2)], [int(group % 5 > 0), int(group % 7 > 1)]] for group in range(35)
    ]
    release = make_release(tmp_path / "release", questions(outcomes), ())
    report = run(release, tmp_path / "run", answers(outcomes)).made()
    said, found = report.noise["correct"], report.metrics["correct"]
    assert found.low is not None and found.high is not None
    options = {option.name: option for option in said.options}
    assert options["as it was"].most == pytest.approx((found.high - found.low) / 2, rel=0.01)
    assert options["twice the groups"].most == pytest.approx(options["as it was"].most / math.sqrt(2), rel=0.05)
    variances = [part.variance for part in said.parts]
    now, ten = (math.sqrt(variances[0] / 35 + variances[1] / 70 + variances[2] / (70 * repeats)) for repeats in (2, 12))
    assert options["ten more repeats"].most == pytest.approx(options["as it was"].most * ten / now, rel=0.02)
    alone = options["as many groups as questions"]
    spread = math.sqrt((variances[0] + variances[1] + variances[2] / 2) / 70)
    assert (alone.answers, alone.least) == (140, alone.most)
    assert alone.most == pytest.approx(options["as it was"].most * spread / now, rel=0.05)


def test_with_one_repeat_repeats_and_wordings_are_one_part(release: Release, tmp_path: Path) -> None:
    once = [each for each in answers(OUTCOMES) if each.repeat == 0]
    report = run(release, tmp_path / "run", once).made()
    noise = report.noise["correct"]
    assert [part.of for part in noise.parts] == [("groups",), ("wordings", "repeats")]
    assert list(noise.not_told) == ["repeats"]
    options = {option.name: option for option in noise.options}
    assert options["twice the wordings"].least == options["twice the wordings"].most
    assert options["twice the repeats"].least == options["twice the wordings"].most
    assert options["twice the repeats"].most == options["as it was"].most
    shown = section_of(report)
    assert "Wordings and repeats cannot be told apart: no question was answered twice" in shown


def test_the_judges_noise_is_told_by_its_repeats(release: Release, tmp_path: Path) -> None:
    case = run(release, tmp_path / "run", answers(OUTCOMES))
    judge = {"kind": "model", "name": "m", "version": "1"}
    said = [
        {
            "id": each.id,
            "repeat": each.repeat,
            "metric": "correct",
            "judge": judge,
            "judge_repeat": look,
            "value": value,
        }
        for each in answers(OUTCOMES)
        for look, value in enumerate((float(each.answer == "Oslo"), float(each.id != "1-1" and each.answer == "Oslo")))
    ]
    said[0] |= {"value": 1.0}
    said[1] |= {"value": 0.0}  # of one answer of eight the judge says one thing first and another then
    path = tmp_path / "judgments.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in said))
    score_run(release, case.folder, judgments=path)
    report = case.made()
    noise = report.noise["correct"]
    assert "| metric | groups | wordings | repeats | judge |" in section_of(report)
    assert [(part.of, part.told_by) for part in noise.parts] == [
        (("groups",), 2),
        (("wordings",), 2),
        (("repeats",), 4),
        (("judge",), 8),
    ]
    assert noise.parts[-1].variance == pytest.approx(1 / 2 / 8)
    assert (noise.answers, noise.not_told) == (8, {})
    path.write_text("".join(json.dumps(line) + "\n" for line in said if line["judge_repeat"] == 0))
    score_run(release, case.folder, judgments=path)
    noise = case.made().noise["correct"]
    assert noise.parts[-1].of == ("repeats", "judge")
    assert noise.not_told == {
        "judge": "no answer was judged twice by the judge (--repeat-judge 2, or `judge_repeat` 1 in a file of judgments)"
    }


def test_without_groups_questions_are_what_is_drawn(tmp_path: Path) -> None:
    alone = [replace(each, group=each.id) for each in questions(OUTCOMES)]
    every = make_release(tmp_path / "alone", alone, ())
    assert run(every, tmp_path / "every", answers(OUTCOMES)).made().noise["correct"].parts[0].of == ("groups",)
    release = make_release(tmp_path / "release", questions(OUTCOMES, grouped=False), ())
    report = run(release, tmp_path / "run", answers(OUTCOMES)).made()
    noise = report.noise["correct"]
    assert [part.of for part in noise.parts] == [("groups",), ("repeats",)]
    assert "twice the wordings" not in {option.name for option in noise.options}
    shown = section_of(report)
    assert "| metric | questions | repeats |" in shown and "| twice the questions |" in shown
    assert "group" not in shown.replace("groups of", "")


@pytest.mark.parametrize(
    ("outcomes", "reason"),
    [
        ([[[1, 0], [1, 1]]], "all that was scored is of one group: what another would say is not known"),
        ([[[1]]], "all that was scored is of one group: what another would say is not known"),
        ([[[1], [1]], [[1], [1]]], "all 4 scores are 1: where nothing varies, nothing can be split"),
        ([[[0], [0]], [[0], [0]]], "all 4 scores are 0: where nothing varies, nothing can be split"),
    ],
)
def test_where_there_is_nothing_to_split_it_says_why(outcomes: Any, reason: str, tmp_path: Path) -> None:
    release = make_release(tmp_path / "release", questions(outcomes), ())
    report = run(release, tmp_path / "run", answers(outcomes)).made()
    noise = report.noise["correct"]
    assert (noise.reason, noise.parts, noise.options) == (reason, (), ())
    assert f"correct: not available because {reason}." in section_of(report)


def test_what_is_unscored_throughout_has_no_section(release: Release, tmp_path: Path) -> None:
    failed = [Prediction(each.id, None, error="it broke") for each in answers(OUTCOMES) if each.repeat == 0]
    report = run(release, tmp_path / "run", failed).made()
    assert report.noise == {} and section_of(report) == ""
