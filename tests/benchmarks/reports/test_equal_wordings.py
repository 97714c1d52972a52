"""Shares of robust and gap groups where forms were asked in different numbers of wordings."""

from typing import Any

import pytest
from report_cases import make_release, make_run

from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question
from benchwright.cards.report.markdown import markdown_report

OUTCOMES = {"short": ("11", "10", "00"), "long": ("1110", "1111", "0000"), "odd": ("1", "1", "0")}
"""Of each form, whether the wordings of three groups are right."""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("wordings")
    questions, predictions = [], []
    for form, groups in OUTCOMES.items():
        for group, outcomes in enumerate(groups):
            for wording, right in enumerate(outcomes):
                name = f"{form}-{group}-{wording}"
                more: dict[str, Any] = {
                    "group": f"g{group}",
                    "form": form,
                    "answer_type": "one",
                    "answerability": "answerable",
                }
                questions.append(Question(name, f"{form} wording {wording} of {group}?", answers=("Oslo",), **more))
                predictions.append(Prediction(name, "Oslo" if right == "1" else "Perth"))
    return make_run(make_release(folder / "release", questions, ()), folder / "run", predictions, ("correct",)).made()


def test_forms_are_compared_at_the_number_that_all_have(report: Any) -> None:
    equal = report.groups.at_equal_wordings
    assert equal.wordings == 2 and list(equal.forms) == ["short", "long"], "of the odd form none was judged twice"
    short, long = equal.forms["short"], equal.forms["long"]
    assert (short.robust.value, short.gap.value) == pytest.approx((1 / 3, 1 / 3))
    # three of four right: half of the pairs are; as asked the group is non-robust
    assert long.robust.value == pytest.approx((1 / 2 + 1) / 3) and long.gap.value == pytest.approx(1 / 3)
    assert report.groups.forms["long"]["robust"] == report.groups.forms["short"]["robust"] == 1
    # all forms: 6 of 7, 6 of 7 and 0 of 7 right; of 21 pairs 15 are of two right ones
    assert equal.all.robust.value == pytest.approx(2 / 3 * 15 / 21)


def test_the_published_figures_say_that_forms_differ(report: Any) -> None:
    text = markdown_report(report)
    assert "Forms were judged in different numbers of wordings, on which tags and R depend" in text
    assert "**At 2 wordings of each group" in text
    agree = report.consistency.all.pair_agreement
    assert f"**Two wordings of a group agree in {100 * agree:.1f} %" in text
    assert agree == pytest.approx((2 * (15 / 21) + 1) / 3)
