"""SQuAD's exact match and F1 beside the reference's: `tests/cases/squad.jsonl` holds what transformers 4.57.1 gave.

Where `scripts/peers squad` has installed it, the table is computed again by the reference itself.
"""

import json
import subprocess

import pytest
from support import ROOT

from benchwright.benchmarks.metrics import find_metric
from benchwright.benchmarks.metrics.base import Metric
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question

CASES = [json.loads(line) for line in (ROOT / "tests/cases/squad.jsonl").read_text("utf-8").splitlines()]
PYTHON = ROOT / ".peers" / "squad" / "bin" / "python"
EXACT, F1 = find_metric("squad_exact_match"), find_metric("squad_f1")
ONE = Question("q", "Which?", answers=("the AMF",), answer_type="one", answerability="answerable")
NONE = Question("q", "Which?", answerability="unanswerable")


def _question(answers: list[str]) -> Question:
    if not answers:
        return NONE
    first, *others = answers
    return Question("q", "Which?", (first,), (tuple(others),), answer_type="one", answerability="answerable")


def test_every_value_is_the_references_to_the_last_bit() -> None:
    ours = [
        [metric.score(_question(each["answers"]), Prediction("q", each["prediction"])).value for metric in (EXACT, F1)]
        for each in CASES
    ]
    assert ours == [[each["exact"], each["f1"]] for each in CASES]
    assert len(CASES) == 60


@pytest.mark.skipif(not PYTHON.exists(), reason="transformers is not installed: scripts/peers squad")
def test_the_table_is_the_references() -> None:
    script = ROOT / "tests" / "squad_scores.py"
    done = subprocess.run([PYTHON, script], input=json.dumps(CASES), capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["rows"] == {each["id"]: [each["exact"], each["f1"]] for each in CASES}


@pytest.mark.parametrize("metric", [EXACT, F1])
def test_abstaining_is_the_empty_text_and_a_sentence_is_an_answer(metric: Metric) -> None:
    assert metric.score(NONE, Prediction("q", None, abstained=True)).value == 1.0
    assert metric.score(NONE, Prediction("q", "I do not know", abstained=True)).value == 1.0
    assert metric.score(NONE, Prediction("q", "I do not know")).value == 0.0
    assert metric.score(ONE, Prediction("q", None, abstained=True)).value == 0.0


@pytest.mark.parametrize("metric", [EXACT, F1])
def test_what_is_not_known_is_unscored(metric: Metric) -> None:
    assert metric.score(ONE, Prediction("q", None, error="timeout")).reason == "the system gave no answer"
    assert metric.score(Question("q", "Which?"), Prediction("q", "x")).reason == "the question has no gold answer"
