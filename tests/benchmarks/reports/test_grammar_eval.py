"""GRAMMAR-Eval: the published figures, and small cases worked out by hand."""

import json
from pathlib import Path

import pytest

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.reports.grammar_figures import (
    Row,
    compare_forms,
    evaluate,
    evaluate_form,
)
from benchwright.benchmarks.reports.share import Share

VERDICTS = Path(__file__).parents[4] / "shared" / "data" / "grammar_published" / "aurp_verdicts.jsonl"


@pytest.mark.skipif(not VERDICTS.exists(), reason="../shared/data with the published verdicts is not here")
def test_the_published_figures_on_aurp() -> None:
    verdicts = [json.loads(line) for line in VERDICTS.read_text("utf-8").splitlines()]
    rows = [Row(each["group"], each["form"], bool(each["correct"]), bool(each["retrieved"])) for each in verdicts]
    reports = evaluate(rows)
    assert list(reports) == ["short", "long"]
    short, long = reports["short"], reports["long"]
    assert (short.accuracy, long.accuracy) == (Share(129 / 471, 129, 471), Share(130 / 471, 130, 471))
    assert (short.retrieval, long.retrieval) == (Share(135 / 471, 135, 471), Share(132 / 471, 132, 471))
    assert (short.refined_accuracy, long.refined_accuracy) == (Share(129 / 135, 129, 135), Share(130 / 135, 130, 135))
    assert (short.refined_retrieval, long.refined_retrieval) == (Share(1.0, 135, 135), Share(132 / 135, 132, 135))
    for report in (short, long):
        assert report.database_accuracy == Share(45 / 157, 45, 157)
        assert [report.count(tag) for tag in ("gap", "robust", "non-robust")] == [112, 40, 5]
        assert report.is_balanced and report.retrieval_source == "judgements"
    comparison = compare_forms(rows, "short", "long")
    within = comparison.within_groups
    assert (
        within is not None
        and within.clusters == 157
        and comparison.refined_difference == pytest.approx(129 / 135 - 130 / 135)
    )
    assert within.value == pytest.approx(-1 / 471) and within.p == 1.0


ROWS = [
    Row("gap", "short", False, contexts=("x",)),
    Row("gap", "short", False, contexts=("y",)),
    Row("robust", "short", True, contexts=("r",)),
    Row("robust", "short", True, contexts=("r",)),
    Row("mixed", "short", True, contexts=("m", "n")),
    Row("mixed", "short", False, contexts=("n", "o")),
    Row("mixed", "short", False, contexts=("p",)),
]


def test_by_hand() -> None:
    report = evaluate_form(ROWS)
    assert report.tags == {"gap": "gap", "robust": "robust", "mixed": "non-robust"}
    assert report.accuracy == Share(3 / 7, 3, 7)
    assert report.database_accuracy == Share(2 / 3, 2, 3)
    assert report.refined_accuracy == Share(3 / 5, 3, 5)
    assert report.gap_share == Share(2 / 7, 2, 7)
    assert not report.is_balanced
    accuracy, refined, gaps = (
        share.value or 0 for share in (report.accuracy, report.refined_accuracy, report.gap_share)
    )
    assert accuracy == pytest.approx(refined * (1 - gaps))


def test_context_comparison_is_among_non_robust_groups() -> None:
    report = evaluate_form(ROWS)
    assert report.retrieval_source == "comparison"
    assert report.retrieval == report.refined_retrieval == Share(2 / 3, 2, 3)


def test_gold_documents_go_before_the_comparison_and_judgements_before_both() -> None:
    documents = {"robust": ("r",), "mixed": ("n", "o")}
    rows = [Row(row.group, row.form, row.correct, None, row.contexts, documents.get(row.group, ())) for row in ROWS]
    report = evaluate_form(rows)
    assert report.retrieval_source == "documents"
    assert (report.retrieval, report.refined_retrieval) == (Share(3 / 7, 3, 7), Share(3 / 5, 3, 5))
    judged = [*rows[:-1], Row("mixed", "short", False, True, ("p",), ("m",))]
    assert evaluate_form(judged).retrieval_source == "judgements"
    assert evaluate_form(judged).retrieval == Share(1.0, 1, 1)


def test_competence_is_by_correct_and_not_by_retrieval() -> None:
    rows = [
        Row("a", "s", False, True),
        Row("a", "s", False, True),
        Row("b", "s", True, False),
        Row("b", "s", False, True),
    ]
    report = evaluate_form(rows)
    assert report.retrieval == Share(3 / 4, 3, 4) and report.refined_retrieval == Share(1 / 2, 1, 2)


def test_nothing_retrieved_and_nothing_right() -> None:
    report = evaluate_form([Row(group, "s", False) for group in "aabb"])
    assert report.retrieval == report.refined_retrieval == Share(None, 0, 0) and report.retrieval_source == "none"
    assert report.refined_accuracy == Share(None, 0, 0) and report.database_accuracy == Share(0.0, 0, 2)
    assert report.consistency == Share(0.0, 2, 2) and report.within_group_correlation is None


def test_a_group_of_one_wording_is_left_out() -> None:
    once = [Row("a", "s", True), Row("b", "s", False)]
    report = evaluate_form(once)
    assert report.tags == {} and report.once == 2
    assert report.accuracy == report.refined_accuracy == report.database_accuracy == Share(None, 0, 0)
    assert report.consistency == Share(None, 0, 2)
    with_others = evaluate_form([*ROWS, *(Row(row.group, "short", row.correct) for row in once)])
    assert (with_others.once, with_others.consistency.total) == (2, 5)
    assert with_others.tags == evaluate_form(ROWS).tags
    assert with_others.refined_accuracy == Share(3 / 5, 3, 5)


def test_groups_are_tagged_within_one_form() -> None:
    reports = evaluate([Row("a", form, form == "short") for form in ("short", "long", "short", "long")])
    assert reports["short"].tags == {"a": "robust"} and reports["long"].tags == {"a": "gap"}
    with pytest.raises(
        BenchwrightError, match="GRAMMAR tags groups within one form, and these rows have 2: pass one form's"
    ):
        evaluate_form([Row("a", "short", True), Row("a", "long", False)])
    with pytest.raises(BenchwrightError, match="these rows have 0"):
        evaluate_form([])


def test_forms_are_compared_within_groups() -> None:
    rows = [Row(str(number), "short", True) for number in range(20)] + [
        Row(str(number), "long", number >= 10) for number in range(20)
    ]
    rows += [Row("only long", "long", False)]
    comparison = compare_forms(rows, "short", "long")
    within = comparison.within_groups
    assert within is not None and (within.clusters, within.first_larger, within.equal) == (20, 10, 10)
    assert within.value == 0.5 and 0.2 < within.low < 0.5 < within.high < 0.8
    assert within.p == pytest.approx(2 / 2**10)
    with pytest.raises(BenchwrightError, match="no question of form 'formal' was scored: name one of the run's forms"):
        compare_forms(rows, "short", "formal")
