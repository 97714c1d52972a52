"""The report of a run: pinned on a run that was worked out by hand, and on what is missing, empty or odd."""

import json
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from report_cases import (
    DOCUMENTS,
    PREDICTIONS_MADE,
    QUESTIONS,
    Case,
    begin_run,
    make_release,
    make_run,
    repeated,
    write_rows,
)

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.reports.share import Share
from benchwright.benchmarks.statistics.power import minimum_detectable_difference
from benchwright.benchmarks.types import Question
from benchwright.cards.report.markdown import markdown_report
from benchwright.cards.report.page import render_report
from benchwright.cards.report.terminal import terminal_table

KEYS = {
    "benchmark", "version", "content_hash", "system", "metrics", "outcomes", "slices", "groups", "consistency",
    "coverage", "grammar", "conditions", "attribution", "agreement", "tests", "cost", "errors", "noise",
    "minimum_detectable_difference",
}  # fmt: skip


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    folder = tmp_path_factory.mktemp("report")
    return make_run(
        make_release(folder / "release", texts={"wordings": {"rule": 2}, "documents": {"rule": 3}}), folder / "run"
    )


@pytest.fixture(scope="module")
def report(case: Case) -> dict:
    return case.report()


def share(value: float | None, count: float, total: int) -> dict:
    return {"value": pytest.approx(value), "count": pytest.approx(count), "total": total, "reason": None}


def counted(found: dict) -> dict:
    """A share without its interval."""
    return {name: found[name] for name in share(None, 0, 0)}


def test_every_key_and_what_was_scored(case: Case, report: dict) -> None:
    assert report.keys() >= KEYS
    assert report == json.loads((case.folder / "report.json").read_text("utf-8"))
    assert (report["benchmark"], report["version"]) == ("small", "1.0.0")
    assert report["content_hash"] == case.release.manifest.content_hash
    assert report["system"]["name"] == "my-rag" and report["system"]["kind"] == "Python object"
    assert report["system"]["built_in"] and report["system"]["built_in_texts"] == ["wordings", "documents"]
    assert not report["system"]["built_in_reader"]
    assert (report["questions"], report["headline_questions"], report["condition"]) == (18, 12, "own")


def test_metrics_are_of_the_headline_with_denominators_and_reasons(report: dict) -> None:
    correct = report["metrics"]["correct"]
    assert correct["value"] == pytest.approx(7 / 11)
    assert (correct["scored"], correct["total"]) == (11, 12)
    assert correct["reasons"] == {"the system gave no answer": 1}
    assert correct["higher_is_better"]
    assert (correct["low"], correct["high"]) == pytest.approx((0.0568, 1.0), abs=1e-4)
    assert report["metrics"]["exact_match"]["value"] == pytest.approx(6 / 11)
    assert report["metrics"]["evidence_recall@2"] == {
        "value": pytest.approx(8 / 10), "low": pytest.approx(0.0840, abs=1e-4), "high": pytest.approx(1.0, abs=1e-4),
        "scored": 10, "total": 12,
        "reasons": {"handed in no contexts": 1, "the system gave no answer": 1}, "judges": {}, "higher_is_better": True, "range": [0.0, 1.0],
        "target": "this benchmark", "method": "Wilson's interval by semantic group", "groups": 3,
        "note": None,
        "new_templates_and_entities": {
            "target": "new templates and entities", "method": "Wilson's interval by template and entity", "low": None, "high": None,
            "templates": None, "entities": None, "reason": "the release's questions name no entity",
        },
    }  # fmt: skip
    assert list(report["metrics"]) == ["correct", "evidence_recall@2", "exact_match", "recall@2"]


def test_outcomes_and_gap_rules(report: dict) -> None:
    outcomes = report["outcomes"]
    assert outcomes["headline"] == {"correct": 7, "wrong": 3, "abstained": 1, "unscored": 1, "total": 12}
    assert outcomes["by_answerability"] == {
        "answerable": outcomes["headline"],
        "gap": {"correct": 1, "wrong": 1, "abstained": 2, "unscored": 0, "total": 4},
        "unanswerable": {"correct": 0, "wrong": 0, "abstained": 0, "unscored": 2, "total": 2},
    }
    precision, recall = (outcomes["abstention"][name] for name in ("precision", "recall"))
    assert (counted(precision), counted(recall)) == (share(3 / 4, 3, 4), share(3 / 6, 3, 6))
    assert precision["low"] < 0.2 and precision["high"] > 0.99 and precision["target"] == "this benchmark"
    wrong = outcomes["wrong_answer_rate"]
    assert (wrong["value"], wrong["count"], wrong["total"]) == (pytest.approx(3 / 11), 3, 11)
    assert (wrong["low"], wrong["high"]) == pytest.approx((0.0, 0.9265), abs=1e-4)


def test_answers_that_were_not_understood_are_counted_and_never_wrong(tmp_path: Path) -> None:
    """Of one group of yes and no: two are right, one is wrong, one speaks of something else, one abstains by a flag."""
    questions = [
        Question(
            f"q{number}", f"Is the mill open, {number}?", ("yes",), (), "boolean",
            group="mill", form="short", answerability="answerable",
        )
        for number in range(5)
    ]  # fmt: skip
    said = ["Yes.", "Yes, it is open.", "No.", "Weather?"]
    predictions = [Prediction(f"q{number}", answer) for number, answer in enumerate(said)]
    predictions.append(Prediction("q4", None, abstained=True))
    made = make_run(make_release(tmp_path / "release", questions, ()), tmp_path / "run", predictions, ("correct",))
    report = made.made()
    assert report.metrics["correct"].reasons == {"not understood": 1}
    assert report.outcomes.headline.parts == {"correct": 2, "wrong": 1, "abstained": 1, "unscored": 1}
    decided = report.outcomes.decided
    assert (decided.value, decided.count, decided.total) == (3 / 4, 3, 4)
    assert decided.undecided == {"not understood": 1}
    assert report.outcomes.wrong_answer_rate.share == Share(1 / 4, 1, 4)
    assert report.grammar.forms["short"].accuracy == Share(2 / 4, 2, 4)
    assert report.consistency.all is not None
    assert report.consistency.all.pair_consistency == pytest.approx(2 / 4 * 1 / 3)
    note = (
        "The rules of `correct` decided 75.0 % of 4 answers. The others are unscored, not wrong: not understood (1); "
        "verdicts of people or of a model decide them: score again with --judgments FILE."
    )
    for drawn in (terminal_table(report), markdown_report(report), render_report(report)):
        assert note.replace("`", "") in unescape(" ".join(drawn.split())).replace("`", "").replace("\\", "")


def test_abstaining_is_of_questions_that_were_answered(tmp_path: Path) -> None:
    release = make_release(tmp_path / "release")
    part = [each for each in PREDICTIONS_MADE if each.id in ("halden-0", "corvane-0", "corvane-1")]
    failed = Prediction("corvane-2", None, error="it broke")
    recall = make_run(release, tmp_path / "part", [*part, failed]).report()["outcomes"]["abstention"]["recall"]
    assert counted(recall) == share(1 / 2, 1, 2)
    recall = make_run(release, tmp_path / "none", part[:1]).report()["outcomes"]["abstention"]["recall"]
    assert recall["value"] is None
    assert recall["reason"] == "no known gap and no unanswerable question was answered"


def test_where_the_rules_decide_all_answers_nothing_is_said_of_it(case: Case, report: dict) -> None:
    assert report["outcomes"]["decided"] == {"value": 1.0, "count": 10, "total": 10, "undecided": {}}
    assert "The rules of" not in terminal_table(case.made())


def test_slices(report: dict) -> None:
    slices = report["slices"]
    shown = {
        name: [
            (entry["value"], entry["questions"], entry["groups"], entry["outcomes"]["correct"])
            for entry in found["values"]
        ]
        for name, found in slices.items()
    }
    assert shown == {
        "form": [("short", 6, 3, 4), ("long", 6, 3, 3)],
        "kind": [("lookup", 12, 3, 7)],
        "hops": [("1", 8, 2, 7), ("2", 4, 1, 0)],
        "facts": [("1", 12, 3, 7)],
        "documents": [("1", 12, 3, 7)],
        "subset": [],
    }
    assert slices["subset"]["reason"] == "not available because the release's questions have no subset"
    assert [entry["one_fact_groups"] for entry in slices["hops"]["values"]] == [2, 1]
    long = slices["form"]["values"][1]["metrics"]["correct"]
    assert (long["value"], long["scored"], long["total"]) == (pytest.approx(3 / 5), 5, 6)


def test_groups_are_tagged_within_the_slice_shown(report: dict) -> None:
    groups = report["groups"]
    assert groups["all"] == {"gap": 1, "non-robust": 2, "robust": 1, "once": 0, "total": 4}
    assert groups["forms"] == {
        "short": {"gap": 1, "non-robust": 1, "robust": 2, "once": 0, "total": 4},
        "long": {"gap": 1, "non-robust": 1, "robust": 1, "once": 1, "total": 4},
    }
    assert groups["asked"] == {"total": 5, "twice": 5, "judged_twice": 4}
    assert groups["asked_in_forms"]["long"] == {"total": 4, "twice": 4, "judged_twice": 3}
    cells = {
        row["template"]: [(cell["correct"], cell["total"], cell["known_gap"]) for cell in row["cells"]]
        for row in groups["rows"]
    }
    equal = groups["at_equal_wordings"]
    assert (equal["wordings"], equal["all"]["groups"], equal["all"]["left_out"]) == (2, 4, 0)
    # 3 of 4 right: both are in 1/2 of the pairs; 1 of 4 and 0 of 3: in none
    assert equal["all"]["robust"]["value"] == pytest.approx((1 / 2 + 1) / 4)
    assert equal["all"]["gap"]["value"] == pytest.approx((1 / 2 + 1) / 4)
    assert equal["forms"]["long"]["robust"]["value"] == pytest.approx(1 / 3)
    assert (equal["forms"]["long"]["groups"], equal["forms"]["long"]["left_out"]) == (3, 1)
    assert cells == {"office": [(3, 4, False), (4, 4, False), (1, 4, True)], "manager": [(0, 3, False)]}
    assert groups["rows"][0]["example"] == "Wording 0 of what halden asks?" and groups["shown"] == 4


def test_the_worst_groups_show_texts_and_reasons(report: dict) -> None:
    quay, halden = report["groups"]["worst"]
    assert (quay["group"], quay["tag"], quay["gold"]) == ("quay", "gap", ["Ada Moor"])
    assert quay["evidence"] == [
        {"document": "d3", "fact": 0, "before": "The manager of Quay Wall is ", "text": "Ada Moor", "after": "."}
    ]
    first, second, third = quay["questions"]
    assert (first["answer"], first["outcome"], first["reason"]) == ("Ben Tal", "wrong", "does not name the gold answer")
    assert first["contexts"] == [{"id": "d3", "text": DOCUMENTS[2].text, "holds_evidence": True}]
    assert second["contexts"][0]["holds_evidence"] is False
    assert third["outcome"] == "abstained" and third["answer"] is None and quay["more_questions"] == 0
    assert (halden["group"], halden["correct"], halden["total"]) == ("halden", 3, 4)
    assert [question["outcome"] for question in halden["questions"]] == ["wrong", "correct", "correct", "correct"]


def test_consistency(report: dict) -> None:
    both = report["consistency"]["all"]
    assert both["pair_consistency"] == pytest.approx(1 / 2) and both["given_right"] == pytest.approx(6 / 7)
    assert both["pair_agreement"] == pytest.approx((1 / 2 + 1 + 1) / 3)
    assert 0 < both["agreement_low"] < 0.5 and both["agreement_high"] < 1
    assert 0 <= both["low"] < 0.2 and 0.8 < both["high"] <= 1, "three groups say little"
    assert (both["groups"], both["total"], both["reasons"]) == (3, 3, {})
    forms = report["consistency"]["forms"]
    assert forms["short"]["pair_consistency"] == pytest.approx(2 / 3)
    assert forms["long"]["pair_consistency"] == pytest.approx(1 / 2)
    assert (forms["long"]["groups"], forms["long"]["total"]) == (2, 3)
    assert forms["short"]["within_group_correlation"] == 1.0


def test_coverage_and_lucky_guesses(report: dict) -> None:
    coverage = report["coverage"]
    assert coverage["true"] == share(3 / 4, 3, 4) and counted(coverage["competent"]) == share(3 / 4, 3, 4)
    gaps = coverage["gaps"]
    assert counted(gaps["correct"]) == share(1 / 4, 1, 4)
    assert gaps["expected_by_chance"] == share(1 / 3, 4 / 3, 4)
    (guess,) = gaps["shown"]
    assert (guess["id"], guess["answer"], guess["gold"], guess["chance"]) == ("corvane-0", "Bergen", ["Bergen"], 1 / 3)
    assert (guess["correct"], guess["total"]) == (1, 4)
    assert (gaps["groups"], gaps["total_groups"], gaps["omitted"]) == (1, 1, 0)


def test_grammar_as_published_includes_gaps(report: dict) -> None:
    grammar = report["grammar"]
    short, long = grammar["forms"]["short"], grammar["forms"]["long"]
    assert short["accuracy"] == share(5 / 8, 5, 8) and long["accuracy"] == share(3 / 6, 3, 6)
    assert short["database_accuracy"] == share(3 / 4, 3, 4) and long["database_accuracy"] == share(2 / 3, 2, 3)
    assert short["refined_accuracy"] == share(5 / 6, 5, 6) and long["refined_accuracy"] == share(3 / 4, 3, 4)
    assert short["retrieval"] == share(5 / 7, 5, 7) and short["refined_retrieval"] == share(4 / 5, 4, 5)
    assert short["groups"] == {"gap": 1, "non-robust": 1, "robust": 2, "once": 0, "total": 4}
    assert long["groups"] == {"gap": 1, "non-robust": 1, "robust": 1, "once": 1, "total": 4}
    assert short["lowest_refined_accuracy"] == long["lowest_refined_accuracy"] == 1 / 2
    assert short["is_balanced"] and long["is_balanced"] and grammar["is_balanced"]
    assert grammar["retrieval_judged_by"] == "gold documents: every one of them was retrieved (recall@2 is 1)"
    assert [row["values"]["short"] for row in grammar["table3"]] == [5 / 8, 5 / 7, 5 / 6, 4 / 5, 5 / 8, 5 / 7]
    assert grammar["comparisons"][0]["refined_accuracy"] == pytest.approx(5 / 6 - 3 / 4)
    assert grammar["ranks_systems"] is False


def test_attribution_is_of_wrong_answers(report: dict) -> None:
    found = report["attribution"]
    assert (found["kind"], found["metric"], found["reason"]) == ("observational", "evidence_recall@2", None)
    assert counted(found["retrieval"]) == share(2 / 3, 2, 3) and counted(found["reader"]) == share(1 / 3, 1, 3)
    assert found["outcomes"]["abstained"] == {
        "evidence_missing": 0, "evidence_in_part": 0, "evidence_held": 0, "unscored": 1, "total": 1,
        "reasons": {"handed in no contexts": 1},
    }  # fmt: skip


def test_tests_between_forms(report: dict) -> None:
    correct, evidence = report["tests"]["differences"]
    assert (correct["metric"], correct["first"], correct["second"]) == ("correct", "short", "long")
    assert correct["difference"] == pytest.approx(1 / 6) and correct["p"] == correct["p_corrected"] == 1.0
    # of differences 0.5, 0 and 0 the mean is one standard error from 0: t = 1 with two degrees of freedom
    assert correct["p_t"] == pytest.approx(1 - 1 / np.sqrt(3))
    assert report["tests"]["target"] == "this benchmark"
    assert (correct["first_better"], correct["second_better"], correct["equal"], correct["groups"]) == (1, 0, 2, 3)
    assert correct["effect"] == pytest.approx((1 / 6) / np.std([0.5, 0, 0], ddof=1))
    assert evidence["metric"] == "evidence_recall@2" and evidence["difference"] == pytest.approx(1 / 4)
    assert report["minimum_detectable_difference"] == {
        "value": minimum_detectable_difference(3), "groups": 3, "reason": None,
        "needed": [
            {"difference": 0.1, "groups": 778}, {"difference": 0.05, "groups": 3132},
            {"difference": 0.02, "groups": 19_615}, {"difference": 0.01, "groups": 78_481},
        ],
    }  # fmt: skip


def test_cost_says_unknown_and_never_zero(report: dict) -> None:
    cost = report["cost"]
    assert cost["input_tokens"] == {"total": None, "known": 0, "of": 18, "reason": "no prediction says"}
    assert cost["cost"]["total"] is None and cost["calls"]["total"] is None
    assert cost["retrievals"] == {"total": 12, "known": 12, "of": 18, "reason": None}
    assert cost["latency"]["total"] == 10.0 and cost["latency"]["known"] == 4 and cost["latency"]["median"] == 2.5


def test_errors_are_counted_with_an_example(report: dict) -> None:
    errors = report["errors"]
    assert errors["count"] == 1
    assert errors["kinds"] == [{"message": "TimeoutError: no answer within 60 s", "count": 1, "example": "quay-3"}]
    assert errors["questions_without_prediction"] == 0 and errors["unreadable_lines"] == 0


def test_the_same_run_gives_the_same_bytes(case: Case) -> None:
    case.report()
    before = (case.folder / "report.json").read_bytes()
    case.report()
    assert (case.folder / "report.json").read_bytes() == before and b"NaN" not in before


VERDICTS = Path(__file__).parents[4] / "shared" / "data" / "grammar_published" / "aurp_verdicts.jsonl"


@pytest.mark.skipif(not VERDICTS.exists(), reason="../shared/data with the published verdicts is not here")
def test_the_published_figures_on_aurp(tmp_path: Path) -> None:
    verdicts = [json.loads(line) for line in VERDICTS.read_text("utf-8").splitlines()]
    questions = [
        Question(each["id"], f"Question {number}?", ("x",), answer_type="one", group=each["group"], form=each["form"])
        for number, each in enumerate(verdicts)
    ]
    release = make_release(tmp_path / "release", questions, ())
    begin_run(release, tmp_path / "run", len(questions))
    rows = [(each["id"], "correct", float(each["correct"]), None) for each in verdicts]
    rows += [(each["id"], "retrieved", float(each["retrieved"]), None) for each in verdicts]
    write_rows(tmp_path / "run", rows)
    report = Case(release, tmp_path / "run").report()
    split = report["retrieval_split"]
    assert (split["by"], split["right"], split["wrong"]) == ("retrieved", 267, 675)
    assert split["metrics"]["correct"]["right"]["mean"] == 259 / 267
    grammar = report["grammar"]
    assert grammar["retrieval_source"] == "judgements" and grammar["is_balanced"]
    figures = {
        name: [round(grammar["forms"][form][name]["value"], 4) for form in ("short", "long")]
        for name in ("accuracy", "retrieval", "refined_accuracy", "refined_retrieval", "database_accuracy")
    }
    assert figures == {
        "accuracy": [0.2739, 0.2760],
        "retrieval": [0.2866, 0.2803],
        "refined_accuracy": [0.9556, 0.9630],
        "refined_retrieval": [1.0, 0.9778],
        "database_accuracy": [0.2866, 0.2866],
    }
    for form in grammar["forms"].values():
        assert form["groups"] == {"gap": 112, "non-robust": 5, "robust": 40, "once": 0, "total": 157}
    assert [round(row["values"]["long"], 4) for row in grammar["table3"]] == [
        0.2760,
        0.2803,
        0.9630,
        0.9778,
        0.2760,
        0.2803,
    ]


def test_an_empty_run(tmp_path: Path) -> None:
    release = make_release(tmp_path / "release")
    begin_run(release, tmp_path / "run", 0)
    write_rows(tmp_path / "run", [])
    report = Case(release, tmp_path / "run").report()
    assert report["metrics"] == {} and report["questions"] == 0 and report["groups"]["worst"] == []
    assert report["groups"]["reason"] == "not available because no answer was judged by `correct`"
    assert report["outcomes"]["wrong_answer_rate"]["reason"] == "no answer was judged by `correct`"
    assert report["minimum_detectable_difference"]["reason"] == "the run has no question of the headline"
    assert report["attribution"]["reason"] == "not available because no evidence recall was scored"
    assert report["slices"]["form"]["reason"] == "not available because the run has no questions"
    assert report["outcomes"]["abstention"]["recall"]["reason"] == "the run has no questions"
    assert report["cost"]["latency"]["total"] is None and report["tests"]["differences"] == []


def test_a_run_of_one_question(tmp_path: Path) -> None:
    release = make_release(tmp_path / "release", QUESTIONS[:1])
    report = make_run(release, tmp_path / "run", PREDICTIONS_MADE[:1]).report()
    correct = report["metrics"]["correct"]
    assert (correct["value"], correct["low"], correct["high"], correct["scored"], correct["total"]) == (
        1,
        None,
        None,
        1,
        1,
    )
    assert (correct["groups"], correct["note"]) == (1, "one semantic group tells no spread")
    both = report["consistency"]["all"]
    assert both["pair_consistency"] is None and both["low"] is None
    assert set(both["reasons"].values()) == {"each group was asked once"}
    assert report["tests"]["reason"] == "not available because no two forms have two judged groups in common"
    assert report["coverage"]["true"] == share(1.0, 1, 1)
    assert report["attribution"]["reason"] == "not available because there is no wrong answer"
    assert report["coverage"]["gaps"]["reason"] == "the run has no known gap that was judged"


def test_what_was_asked_once_is_neither_robust_nor_gap(tmp_path: Path) -> None:
    """Nor where it was asked twice, and only one answer came or could be judged."""
    release = make_release(tmp_path / "release", [question for question in QUESTIONS if question.id[-1] in "02"])
    once = make_run(release, tmp_path / "once", [each for each in PREDICTIONS_MADE if each.id[-1] in "02"]).report()
    assert once["groups"]["all"] == {"gap": 1, "non-robust": 1, "robust": 2, "once": 0, "total": 4}
    for form in once["grammar"]["forms"].values():
        assert form["groups"] == {"gap": 0, "non-robust": 0, "robust": 0, "once": 4, "total": 4}
        for name in (
            "accuracy",
            "database_accuracy",
            "refined_accuracy",
            "gap_share",
            "retrieval",
            "refined_retrieval",
        ):
            assert form[name] == {"value": None, "count": 0, "total": 0, "reason": "each group was asked once"}
        assert form["lowest_refined_accuracy"] is None
    assert once["consistency"]["forms"]["long"]["reasons"] == dict.fromkeys(
        ("pair_agreement", "pair_consistency", "given_right", "within_group_correlation"), "each group was asked once"
    )
    assert (
        once["grammar"]["comparisons"][0]["accuracy"] is once["grammar"]["comparisons"][0]["refined_accuracy"] is None
    )
    assert once["grammar"]["comparisons"][0]["groups"] == 4

    every = make_release(tmp_path / "every")
    part = make_run(every, tmp_path / "part", [each for each in PREDICTIONS_MADE if each.id[-1] == "0"]).report()
    assert part["groups"]["all"] == {"gap": 0, "non-robust": 0, "robust": 0, "once": 4, "total": 4}
    assert part["groups"]["asked"] == {"total": 5, "twice": 5, "judged_twice": 0}
    assert (
        part["grammar"]["forms"]["short"]["refined_accuracy"]["reason"] == "no group has two wordings that were judged"
    )
    drawn = {section["id"]: section["blocks"] for section in part["sections"]}
    asked = (
        "Asked: 18 questions of 5 groups; no group has two wordings that were judged: nothing is said of robustness and"
    )
    assert asked in json.dumps(drawn["headline"])
    for name in ("consistency", "groups", "grammar"):
        (block,) = drawn[name]
        said = "".join(span["text"] for span in block["text"])
        assert said == "Not available because no group has two wordings that were judged."
    assert part["groups"]["worst"][0]["tag"] is None and counted(part["coverage"]["competent"]) == share(3 / 4, 3, 4)


def test_a_release_without_groups_forms_evidence_or_answerability(tmp_path: Path) -> None:
    questions = [Question(f"q{number}", f"What is {number}?", (str(number),), answer_type="one") for number in range(3)]
    release = make_release(tmp_path / "release", questions, ())
    said = [Prediction("q0", "0"), Prediction("q1", "7"), Prediction("q2", "I don't know")]
    report = make_run(release, tmp_path / "run", said, ("correct",)).report()
    assert report["outcomes"]["headline"] == {"correct": 1, "wrong": 1, "abstained": 1, "unscored": 0, "total": 3}
    no_groups = "not available because the release's questions have no semantic groups"
    for name in ("groups", "consistency", "coverage", "grammar", "tests"):
        assert report[name]["reason"] == no_groups
    lacking = {"facts": "evidence", "documents": "evidence"}
    assert all(
        found["reason"] == f"not available because the release's questions have no {lacking.get(name, name)}"
        for name, found in report["slices"].items()
    )
    assert (
        report["outcomes"]["abstention"]["recall"]["reason"]
        == "the release does not say which questions are answerable"
    )
    assert [group["group"] for group in report["groups"]["worst"]] == ["q1", "q2"]
    assert report["minimum_detectable_difference"]["groups"] == 3


def test_imported_questions_without_gold(tmp_path: Path) -> None:
    release = make_release(tmp_path / "release", [Question("a", "Why?"), Question("b", "How?")], ())
    report = make_run(release, tmp_path / "run", [Prediction("a", "So.")], ("correct", "token_f1")).report()
    assert report["metrics"]["correct"]["value"] is None
    assert report["metrics"]["correct"]["reasons"] == {"no prediction": 1, "the question has no gold answer": 1}
    assert report["errors"]["questions_without_prediction"] == 1


def test_conditions_and_repeats(tmp_path: Path) -> None:
    release = make_release(tmp_path / "release", QUESTIONS[:4])
    own, again = PREDICTIONS_MADE[:4], repeated(PREDICTIONS_MADE[:4], repeat=1, answer="Oslo")
    report = make_run(release, tmp_path / "run", [*own, *again], ("correct",)).report()
    assert (report["metrics"]["correct"]["value"], report["metrics"]["correct"]["total"]) == (7 / 8, 8)
    assert report["groups"]["all"] == {"gap": 0, "non-robust": 1, "robust": 0, "once": 0, "total": 1}
    closed = repeated(own, condition="nothing", answer="Perth", contexts=())
    report = make_run(release, tmp_path / "two", [*own, *closed], ("correct",)).report()
    assert {name: entry["metrics"]["correct"]["value"] for name, entry in report["conditions"].items()} == {
        "nothing": 0.0,
        "own": 3 / 4,
    }
    assert report["metrics"]["correct"]["value"] == 3 / 4


def test_context_comparison_where_nothing_else_says_what_was_retrieved(tmp_path: Path) -> None:
    questions = [
        Question(f"q{n}", f"Wording {n}?", ("Oslo",), answer_type="one", group="g", form="short") for n in range(3)
    ]
    release = make_release(tmp_path / "release", questions)
    said = [
        Prediction("q0", "Oslo", contexts=PREDICTIONS_MADE[1].contexts),
        Prediction("q1", "Perth", contexts=PREDICTIONS_MADE[0].contexts),
        Prediction("q2", "Perth", contexts=PREDICTIONS_MADE[3].contexts),
    ]
    grammar = make_run(release, tmp_path / "run", said, ("correct",)).report()["grammar"]
    assert grammar["retrieval_judged_by"] == "context comparison among non-robust groups (section 4.3)"
    assert grammar["forms"]["short"]["retrieval"] == share(2 / 3, 2, 3)


def test_lines_that_cannot_be_read_and_ids_that_are_unknown_are_counted(case: Case, tmp_path: Path) -> None:
    copy = make_run(case.release, tmp_path / "run", PREDICTIONS_MADE[:3])
    with (copy.folder / "predictions.jsonl").open("a") as file:
        file.write('{"id": "elsewhere", "answer": "x", "usage": {"input_tokens": 7}}\n{"id": "halden-3", "ans')
    write_rows(copy.folder, [("halden-0", "correct", 1.0, None), ("elsewhere", "correct", 1.0, None)])
    errors = copy.report()["errors"]
    assert errors["unreadable_lines"] == 1 and errors["scores_for_unknown_questions"] == 1
    assert errors["predictions_for_unknown_questions"] == 3 and errors["questions"] == 1


def test_a_folder_that_is_no_scored_run(case: Case, tmp_path: Path) -> None:
    with pytest.raises(BenchwrightError, match=r"holds no run\.json: it is not a scored run; score the system again"):
        Case(case.release, tmp_path).report()
    begin_run(case.release, tmp_path / "run", 0)
    with pytest.raises(BenchwrightError, match=r"holds no scores\.parquet: it is not a scored run"):
        Case(case.release, tmp_path / "run").report()
    (tmp_path / "run" / "scores.parquet").write_bytes(b"no")
    with pytest.raises(BenchwrightError, match=r"scores\.parquet cannot be read \(.*\): score the system again"):
        Case(case.release, tmp_path / "run").report()
