"""What a report says of judges beside each other, and of answers by whether their retrieval was right."""

import json
from pathlib import Path
from statistics import correlation
from typing import Any

import pytest
from report_cases import Case, make_release, make_run

from benchwright.benchmarks.reports.metrics.judge_agreement import ONE_JUDGE
from benchwright.benchmarks.reports.metrics.retrieval_split import NO_PARTS, NO_RETRIEVAL
from benchwright.benchmarks.runs.run import JUDGMENTS
from benchwright.cards.report.markdown import markdown_report


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    """The run of `report_cases`, with what three judges said of its answers."""
    root = tmp_path_factory.mktemp("judged")
    made = make_run(make_release(root / "release"), root / "run")
    judge(made.folder, "Ann", "human", {"halden": "1110", "brightwater": "1111", "quay": "0000"})
    judge(made.folder, "gpt", "model", {"halden": "1111", "brightwater": "1110", "quay": "0001"})
    judge(made.folder, "gpt", "model", {"halden": "1111", "brightwater": "1111"}, judge_repeat=1)
    judge(made.folder, "Bo", "human", {"halden": "11"})
    return made


def judge(folder: Path, name: str, kind: str, said: dict[str, str], metric: str = "correct", **more: Any) -> None:
    """Adds judgments: group → a digit for each wording."""
    with (folder / JUDGMENTS).open("a") as file:
        for group, values in said.items():
            for place, value in enumerate(values):
                line = {"id": f"{group}-{place}", "metric": metric, "value": int(value), **more}
                file.write(json.dumps({**line, "judge": {"kind": kind, "name": name}}) + "\n")


def test_judges_are_compared_two_by_two(case: Case) -> None:
    found = case.report()["agreement"]
    assert found["reason"] is None
    correct = found["metrics"]["correct"]
    assert correct["judges"] == {"Ann (human)": 12, "gpt": 12, "Bo (human)": 2}
    first, *others = correct["pairs"]
    assert (first["first"], first["second"], first["answers"]) == ("Ann (human)", "gpt", 12)
    assert first["confusion"] == [[3, 2], [1, 6]]
    assert first["same"]["value"] == 0.75
    # 9 of 12 the same; by chance (5 * 4 + 7 * 8) / 144
    assert first["kappa"]["value"] == pytest.approx((9 / 12 - 76 / 144) / (1 - 76 / 144))
    assert [(each["answers"], each["kappa"]) for each in others] == [(2, None), (2, None)]
    assert correct["answers"] == 12
    assert correct["fleiss"]["items"] == 12


def test_a_judge_asked_again_is_compared_with_itself(case: Case) -> None:
    (again,) = case.report()["agreement"]["metrics"]["correct"]["again"]
    assert (again["judge"], again["answers"], again["times"]) == ("gpt", 8, 2)
    assert (again["same"]["count"], again["same"]["total"]) == (7, 8)
    assert (again["same_verdict"]["count"], again["means"]) == (7, [7 / 8, 8 / 8])
    assert again["deviation"] == pytest.approx((0.5 / 8) ** 0.5), "one answer of eight got 0 and 1: a variance of 1/2"


def test_the_section_says_it_in_words(case: Case) -> None:
    text = markdown_report(case.made())
    assert "## Agreement of judges" in text
    assert "judged by Ann (human) 12 answers; gpt 12 answers; Bo (human) 2 answers" in text
    assert "Ann (human) in rows, gpt in columns" in text


def test_grades_are_compared_with_weights(tmp_path: Path) -> None:
    case = make_run(make_release(tmp_path / "release"), tmp_path / "run")
    judge(case.folder, "Ann", "human", {"halden": "1234", "quay": "5555"}, "truthfulness")
    judge(case.folder, "gpt", "model", {"halden": "1244", "quay": "5554"}, "truthfulness")
    (pair,) = case.report()["agreement"]["metrics"]["truthfulness"]["pairs"]
    assert pair["grades"] == [1, 2, 3, 4, 5]
    assert pair["kappa"]["value"] > 0.9
    assert pair["pearson"]["value"] == pytest.approx(correlation([1, 2, 3, 4, 5, 5, 5, 5], [1, 2, 4, 4, 5, 5, 5, 4]))


def test_one_judge_has_nobody_to_agree_with(tmp_path: Path) -> None:
    case = make_run(make_release(tmp_path / "release"), tmp_path / "run")
    assert case.report()["agreement"] == {"reason": ONE_JUDGE, "metrics": {}}
    judge(case.folder, "Ann", "human", {"halden": "11"})
    assert case.report()["agreement"]["reason"] == ONE_JUDGE
    assert "Agreement of judges" not in markdown_report(case.made())


def test_answers_by_retrieval(case: Case) -> None:
    """All evidence was there for halden-0 to -2, all of brightwater and quay-0; not for halden-3 and quay-1."""
    found = case.report()["retrieval_split"]
    assert (found["by"], found["right"], found["wrong"], found["unscored"]) == ("evidence_recall@2", 8, 2, 2)
    correct = found["metrics"]["correct"]
    assert (correct["right"]["mean"], correct["right"]["answers"]) == (7 / 8, 8)
    assert (correct["wrong"]["mean"], correct["wrong"]["deviation"]) == (0, 0)
    assert correct["p_t"] is not None
    assert (correct["p"], correct["p_corrected"]) == (None, None), "the wrong ones lie in two groups"
    assert "evidence_recall@2" not in found["metrics"]
    assert "0.88 (0.35)" in markdown_report(case.made())


@pytest.mark.parametrize(
    ("metrics", "reason"), [(["correct"], NO_RETRIEVAL), (["correct", "evidence_recall@2"], NO_PARTS)]
)
def test_without_two_parts(tmp_path: Path, metrics: list[str], reason: str) -> None:
    from report_cases import PREDICTIONS_MADE

    right = [each for each in PREDICTIONS_MADE if each.id.startswith("brightwater")]
    case = make_run(make_release(tmp_path / "release"), tmp_path / "run", right, metrics)
    found = case.report()["retrieval_split"]
    assert (found["reason"], found["metrics"]) == (reason, {})
