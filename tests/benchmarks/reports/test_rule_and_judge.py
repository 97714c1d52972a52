"""`correct` by rule and by a judge in a report: counts, agreement, and the answers that they differ in."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from judged_items import shown_last
from model_clients import KEY
from report_cases import PREDICTIONS_MADE, QUESTIONS, Case, make_release, make_run

from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.reports.columns import load_run
from benchwright.benchmarks.reports.metrics.rule_and_judge import NOT_BOTH, rule_and_judge
from benchwright.benchmarks.runs.score import score_run
from benchwright.cards.report.markdown import markdown_report
from benchwright.scripts.servers.openai.server import OpenAIServer

ODD = "in 1990"
"""Where the day is wanted: rules leave it to a judge."""
VERDICTS = {"It is in Oslo.": "Incorrect", "Ben Tal": "Correct", ODD: "Correct", "Perth": "Correct"}
"""Answer → what the judge says; of others it says Correct where they are Oslo."""


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Case]:
    root = tmp_path_factory.mktemp("both")
    odd = [replace(each, answer=ODD) if each.id == "halden-2" else each for each in PREDICTIONS_MADE]
    when = {
        "question": "When did it open?",
        "answers": ("1 May 1990",),
        "template": None,
        "evidence": (),
        "group": "opened",
    }
    questions = [replace(each, **when) if each.id == "halden-2" else each for each in QUESTIONS]
    made = make_run(make_release(root / "release", questions), root / "run", odd)

    def reply(body: Any) -> Any:
        answer = shown_last(body).partition("The chatbot's answer:\n")[2].splitlines()[1]
        return {"reason": f"It says {answer[:20]}.", "verdict": VERDICTS.get(answer, "Correct")}

    with OpenAIServer(reply) as server:
        settings = ModelSettings({"judge": Endpoint("gpt", server.url, KEY, None)}, cache=root / "kept.sqlite")
        with Client(settings) as client:
            score_run(made.release, made.folder, metrics=("correct", "semantic_match"), client=client)
    yield made


def test_counts_and_agreement(case: Case) -> None:
    """12 answers to the headline's questions, of which one failed and one is not decided by rules."""
    found = rule_and_judge(load_run(case.release, case.folder))
    assert (found.reason, found.answers, found.differing) == (None, 11, 4)
    assert found.counts["right"] == {"Correct": 5, "Incorrect": 1, "unscored": 0}
    assert found.counts["wrong"] == {"Correct": 3, "Incorrect": 0, "unscored": 0}
    assert found.counts["abstained"] == {"Correct": 0, "Incorrect": 1, "unscored": 0}
    assert found.counts["not decided"] == {"Correct": 1, "Incorrect": 0, "unscored": 0}
    assert found.agreement is not None and (found.agreement.same.count, found.agreement.answers) == (6, 10)
    # by chance: both right 6/10 * 8/10, both wrong 4/10 * 2/10
    kappa = found.agreement.kappa
    assert kappa is not None and kappa.value == pytest.approx((0.6 - 0.56) / (1 - 0.56))


def test_where_they_differ_is_listed_with_both_reasons(case: Case) -> None:
    listed = {each.id: each for each in rule_and_judge(load_run(case.release, case.folder)).listed}
    assert list(listed) == ["halden-1", "quay-0", "halden-3", "quay-1", "halden-2"], "groups in turn"
    first = listed["halden-1"]
    assert (first.gold, first.answer, first.by_rule, first.by_judge) == (
        ("Oslo",),
        "It is in Oslo.",
        "right",
        "Incorrect",
    )
    assert first.judge_reason == "It says It is in Oslo.." and first.rule_reason
    assert (listed["halden-2"].by_rule, listed["halden-2"].by_judge) == ("not decided", "Correct")


def test_the_section_is_in_the_report(case: Case) -> None:
    report = case.made()
    (section,) = [each for each in report.sections if each.id == "rule-and-judge"]
    assert section.error is None and section.data["differing"] == 4
    text = markdown_report(report)
    line = "say the same of 60.0 %"
    assert line in text and "of 10 answers, kappa 0.09" in text and "they differ in 4" in text
    assert "Of 1 answer that the rules do not decide the judge calls 1 right" in text
    assert "Where they differ: 4 answers" in text
    assert "Right by rule and by a judge" in case.page().read_text()


def test_a_run_without_a_judge_has_no_such_section(tmp_path: Path) -> None:
    made = make_run(make_release(tmp_path / "release"), tmp_path / "run")
    assert rule_and_judge(load_run(made.release, made.folder)).reason == NOT_BOTH
    assert not [each for each in made.made().sections if each.id in ("rule-and-judge", "samples")]
