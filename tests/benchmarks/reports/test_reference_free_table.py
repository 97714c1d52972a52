"""GRAMMAR's Table 1 for any run: precision, recall, z-intervals and words, worked out by hand; and the command."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from judged_items import shown_last
from lighthouses import make_release
from support import Run

from benchwright.benchmarks.models.fencing import fenced
from benchwright.benchmarks.reports.metrics.reference_free_blocks import in_words
from benchwright.benchmarks.statistics.reliability import Verdicts, verdicts_of
from benchwright.benchmarks.statistics.wald import wald_z
from benchwright.scripts.servers.openai.server import OpenAIServer

SAYS = {"Gannet Rock": 31, "Sable Point": 24, "Old Hook": 99, "Cape Farrow": 98, "Mirror Island": 97}
"""What a model says of heights; the first two are right, and the last is a gap."""


def verdicts(right_right: int, right_wrong: int, wrong_right: int, wrong_wrong: int) -> Verdicts:
    """Of answers of a group each: right ones called right and wrong, wrong ones called right and wrong."""
    counts = right_right, right_wrong, wrong_right, wrong_wrong
    called = np.repeat([1.0, 0.0, 1.0, 0.0], counts)
    truth = np.repeat([True, True, False, False], counts)
    found = verdicts_of(called, truth, np.arange(len(called)), 0.5)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("counts", "precision", "recall", "printed", "words"),
    [
        # 19 of 100 called right are, 19 of 21 right ones are called so, of 107 answers
        ((19, 2, 81, 5), 0.19, 19 / 21, (0.1157, 0.2643, 0.8491, 0.9604), "very optimistic (94 % of 86 wrong answers called right), hardly cynical (10 % of 21 right answers"),
        ((15, 15, 85, 0), 0.15, 0.5, (0.0847, 0.2153, 0.4086, 0.5914), "very optimistic (100 % of 85 wrong answers called right), very cynical (50 % of 30"),
        ((50, 0, 0, 50), 1.0, 1.0, (1, 1, 1, 1), "hardly optimistic (0 % of 50 wrong answers called right), hardly cynical"),
        ((10, 40, 5, 45), 2 / 3, 0.2, (0.5743, 0.7591, 0.1216, 0.2784), "hardly optimistic (10 % of 50 wrong answers called right), very cynical"),
        ((30, 20, 20, 30), 0.6, 0.6, (0.5040, 0.6960, 0.5040, 0.6960), "rather optimistic (40 % of 50 wrong answers called right), rather cynical"),
        ((0, 10, 0, 10), None, 0.0, None, "It calls no answer right."),
        ((0, 10, 5, 5), 0.0, 0.0, (0, 0, 0, 0), "very cynical (100 % of 10 right answers called wrong)."),
        ((0, 0, 5, 5), 0.0, None, None, "very optimistic (50 % of 10 wrong answers called right). Of the answers"),
        ((8, 2, 0, 0), 1.0, 0.8, (1, 1, 0.5521, 1), "rather cynical (20 % of 10 right answers called wrong)."),
        ((1, 0, 0, 0), 1.0, 1.0, (1, 1, 1, 1), "hardly cynical (0 % of 1 right answer called wrong)."),
        ((9, 1, 7, 7), 9 / 16, 0.9, (0.3640, 0.7610, 0.7800, 1), "very optimistic (50 % of 14 wrong answers called right), hardly cynical (10 %"),
    ],
)  # fmt: skip
def test_precision_recall_and_the_interval_that_is_printed(
    counts: tuple[int, int, int, int],
    precision: float | None,
    recall: float | None,
    printed: tuple[float, ...] | None,
    words: str,
) -> None:
    found = verdicts(*counts)
    assert (found.precision.value, found.recall.value) == (pytest.approx(precision), pytest.approx(recall))
    assert found.published == (None if printed is None else pytest.approx(printed, abs=1e-4))
    assert words in (in_words(found) or "")


def test_the_four_intervals_of_the_paper_fit_one_number_of_answers() -> None:
    """Shares and limits in whole per cent, as Table 1 prints them; from what share the first was rounded is not said."""
    printed = [(19, 11, 27), (92, 86, 97), (15, 8, 22), (50, 40, 59)]

    def fits(share: int, low: int, high: int, total: int) -> bool:
        limits = [(each / 1000, wald_z(each / 1000, total)) for each in range(10 * share - 5, 10 * share + 6)]
        return any([round(100 * each) for each in (value, *both)] == [share, low, high] for value, both in limits)

    assert [total for total in range(20, 400) if all(fits(*each, total) for each in printed)] == list(range(97, 106))
    assert "97 to 105" in (Path(__file__).parents[3] / "cards/guides/true-answer.md").read_text("utf-8")


def test_words_say_whether_a_verdict_is_worth_anything() -> None:
    assert "tells right from wrong" in (in_words(verdicts(45, 5, 5, 45)) or "")
    assert "no better than calling every answer right" in (in_words(verdicts(25, 25, 25, 25)) or "")
    assert "calling every answer right would be right more often" in (in_words(verdicts(5, 45, 45, 5)) or "")


def test_the_command_prints_the_table_of_any_run(run: Run, tmp_path: Path) -> None:
    """A model that wavers where it is right once and wrong once, and a judge who grounds what is right."""
    make_release(tmp_path / "releases")

    def reply(body: Any) -> Any:
        shown = shown_last(body)
        if body["model"] == "system":
            name = next(each for each in SAYS if each in shown.rpartition("Question:")[2])
            right = SAYS[name]
            if body["temperature"] == 0:
                return f"{right} metres"
            return [f"{right + (number == 3 and name in ('Gannet Rock', 'Old Hook'))} metres" for number in range(4)]
        if "take apart" in body["messages"][0]["content"]:
            return {"statements": [re.findall(r"\d+ metres", shown)[0]]}
        if "Passage 1:" in shown:
            grounded = "31 metres" in shown.rpartition("claim:")[2] or "24 metres" in shown.rpartition("claim:")[2]
            return {"verdicts": [{"number": 1, "reason": "!", "verdict": "Yes" if grounded else "Null"}]}
        answer = re.findall(r"\d+ metres", shown)[0]
        given = [fenced(f"{answer}") == part for part in re.findall(r"Answer \d:\n(.*?</text \w+>)", shown, re.DOTALL)]
        return {"verdicts": [{"number": n, "reason": "!", "same": same} for n, same in enumerate(given, 1)]}

    with OpenAIServer(reply) as server:
        places = ("--base-url", server.url, "--cache", str(tmp_path / "kept.sqlite"))
        asked = run("score-system", "lights", "bm25", "--model", "system=system", "--samples", "4", "--name", "mine",
                    "--metric", "correct", *places)  # fmt: skip
        assert asked.returncode == 0, asked
        assert "samples: 10 answers have 4 further answers to their question" in asked.stderr
        done = run("score-metric", "lights/mine", "ragas_fact", "selfcheck", "--model", "judge=judge", *places)
        assert done.returncode == 0, done
        (calls,) = re.findall(r"judging: (\d+) calls of judge", done.stderr)
        assert int(calls) == 28, "three an answer, but what is the same is asked once"
    said = json.loads((tmp_path / "runs/lights/1.0.0/mine/score-metric.json").read_text())["metrics"]
    counts = {
        name: [
            each["verdicts"][f"{truth}_called_{called}"]
            for truth in ("right", "wrong")
            for called in ("right", "wrong")
        ]
        for name, each in said.items()
    }
    assert counts == {"ragas_fact": [4, 0, 0, 4], "selfcheck": [2, 2, 2, 2]}
    lines = [" ".join(line.split()) for line in done.stderr.splitlines()]
    assert any(line == "ragas_fact 0.5 100 % (100 to 100) 100 % (100 to 100)" for line in lines), "\n".join(lines)
    assert any(line == "selfcheck 0.5 50 % (15 to 85) 50 % (15 to 85)" for line in lines), "\n".join(lines)
    assert "Without the true answer, as in GRAMMAR's Table 1, with z-intervals of 95 %" in done.stderr
    page = (tmp_path / "runs/lights/1.0.0/mine/score-metric.html").read_text()
    assert "Without the true answer" in page and "here more than half" in page
    lines_of = (tmp_path / "runs/lights/1.0.0/mine/predictions.jsonl").read_text().splitlines()
    wavers = next(each for each in map(json.loads, lines_of) if len(set(each["samples"])) > 1)
    traced = run("score-metric", "lights/mine", "selfcheck", "--trace", wavers["id"]).stdout
    assert (
        f"Sample 4: {wavers['samples'][3]}" in traced and "selfcheck: 0, by judge" in traced and "\n     0.75" in traced
    )
    strict = run("score-metric", "lights/mine", "ragas_fact", "--threshold", "ragas_fact=0.99", "--output", "out")
    assert strict.returncode == 0 and "here a share above 0.99." in (tmp_path / "out/score-metric.html").read_text()
    report = (tmp_path / "runs/lights/1.0.0/mine/report.html").read_text()
    assert "the model was asked at temperature 1" in report
