"""What a report says of its intervals: their target, their method, and why there is none."""

from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from report_cases import Case, begin_run, make_release, write_rows

from benchwright.benchmarks.reports.metrics.figures import MetricFigure
from benchwright.benchmarks.reports.noise.spread import spread_of
from benchwright.benchmarks.statistics.crossed import cross, crossed_share
from benchwright.benchmarks.statistics.intervals import Sample, bootstrap_t
from benchwright.benchmarks.statistics.shares import clustered_share
from benchwright.benchmarks.types import Question
from benchwright.cards.report.page import render_report
from benchwright.cards.report.terminal import terminal_table

ASKED = 80
TEMPLATES = np.arange(ASKED) % 20
RIGHT = np.where((TEMPLATES < 17) & (np.arange(ASKED) % 11 > 0), 1.0, 0.0)
HELPFUL = np.arange(1, ASKED + 1, dtype=float) % 5 + 1


def made(folder: Path, entities: int = ASKED, values: Any = RIGHT) -> Case:
    """A run on questions of 20 templates and so many entities, each a group of its own; the last names no entity."""
    questions = [
        Question(
            f"q{number}", f"Question {number}?", ("yes",), (), "one", group=f"g{number}", form="short",
            template=f"t{TEMPLATES[number]}", entity=f"e{number % entities}" if number < ASKED - 1 else None,
            answerability="answerable", hops=1 + number % 2,
        )
        for number in range(ASKED)
    ]  # fmt: skip
    case = Case(make_release(folder / "release", questions, ()), folder / "run")
    begin_run(case.release, case.folder, ASKED)
    rows = [(f"q{number}", "correct", float(value), None) for number, value in enumerate(values)]
    rows += [(f"q{number}", "helpful", float(value), None) for number, value in enumerate(HELPFUL)]
    write_rows(case.folder, rows)
    return case


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return made(tmp_path_factory.mktemp("spread"))


def test_both_targets_have_an_interval(case: Case) -> None:
    """Three of 20 templates are never answered: of new ones far less is known than of these."""
    found = case.made().metrics["correct"]
    places = np.arange(ASKED)
    here, new = clustered_share(Sample(RIGHT, places)), crossed_share(RIGHT, cross(TEMPLATES, places))
    assert here is not None and new is not None
    assert (found.low, found.high, found.target) == (here.low, here.high, "this benchmark")
    assert (found.groups, found.method, found.note) == (ASKED, "Wilson's interval by semantic group", None)
    other = found.new_templates_and_entities
    assert (other.low, other.high, other.target) == (new.low, new.high, "new templates and entities")
    assert (other.templates, other.entities, other.reason, new.target) == (20, ASKED - 1, None, other.target)
    assert new.high - new.low > 1.3 * (here.high - here.low)


def test_the_page_names_target_and_method(case: Case) -> None:
    report = case.made()
    correct = report.metrics["correct"].new_templates_and_entities
    limits = f"{100 * (correct.low or 0):.1f} to {100 * (correct.high or 0):.1f}"
    for drawn in (terminal_table(report), render_report(report)):
        text = " ".join(unescape(drawn).split())
        assert "Intervals are of 95 %: Wilson's interval by semantic group. They speak of this benchmark:" in text
        assert f"For new templates and entities correct is 76.2 % ({limits}): of 20 templates and 79 entities." in text


def test_too_few_entities_are_said_to_be_so(tmp_path: Path) -> None:
    case = made(tmp_path, entities=30)
    other = case.made().metrics["correct"].new_templates_and_entities
    assert (other.low, other.high) == (None, None)
    assert other.reason == "of 20 templates and 30 entities: at least 20 and 50 are needed"
    assert f"there is no interval: {other.reason}." in " ".join(terminal_table(case.made()).split())


def test_verdicts_beyond_their_scale_are_resampled(case: Case) -> None:
    """Nobody knows the scale of a metric that only judgments name."""
    found, drawn = case.made().metrics["helpful"], bootstrap_t(Sample(HELPFUL, np.arange(ASKED)))
    assert drawn is not None and (found.value, found.low, found.high) == (3.0, drawn.low, drawn.high)
    assert found.method == "bootstrap-t of whole semantic groups"
    assert found.new_templates_and_entities.reason == "values lie beyond 0 to 1"


@pytest.mark.parametrize(
    ("values", "differing"),
    [
        ([3.0, 5.0], "only 2.0 of 2 groups"),
        ([5.0] * 19 + [4.0], "only 1.1 of 20 groups"),
        ([0.0] * 10 + [2.0] * 18, "only 20.7 of 28 groups"),
    ],
)
def test_of_an_unknown_scale_few_groups_that_differ_tell_no_spread(values: list[float], differing: str) -> None:
    found = spread_of(Sample(np.array(values), np.arange(len(values))))
    assert (found.low, found.high, found.method) == (None, None, None) and found.value == np.mean(values)
    said = f"the scale of the values is not known, and {differing} make up how much the values vary"
    assert found.note == f"{said}: at least 30 are needed"


def test_verdicts_of_many_groups_that_differ_have_an_interval() -> None:
    found = spread_of(Sample(np.tile([0.0, 2.0], 40), np.arange(80)))
    assert found.low == pytest.approx(0.776, abs=0.01) and found.high == pytest.approx(1.224, abs=0.01)
    alike = spread_of(Sample(np.full(30, 5.1), np.arange(30) // 3))
    assert (alike.low, alike.note) == (None, "values that are all alike tell no spread")


def test_of_few_groups_with_most_questions_it_is_said_that_the_interval_is_wide() -> None:
    found = spread_of(Sample(np.tile([1.0, 1, 0, 1], 20), np.concatenate([np.zeros(61, int), np.arange(1, 20)])))
    said = "few groups hold most questions: 20 groups are worth 1.7 of one size, and the interval is as wide as if"
    assert found.note == f"{said} all of a group went the same way"
    assert found.low is not None and found.high is not None and found.high - found.low > 0.7


@pytest.mark.parametrize(("values", "low", "high"), [(np.ones(ASKED), 0.953, 1.0), (np.zeros(ASKED), 0.0, 0.047)])
def test_all_right_and_all_wrong_are_no_points(tmp_path: Path, values: Any, low: float, high: float) -> None:
    report = made(tmp_path, values=values).made()
    found: MetricFigure = report.metrics["correct"]
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-3)
    wrong = report.outcomes.wrong_answer_rate
    assert (wrong.low, wrong.high) == pytest.approx((1 - high, 1 - low), abs=1e-3)
    other = found.new_templates_and_entities
    assert other.low is not None and other.high is not None and other.high - other.low > high - low
