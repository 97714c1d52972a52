"""Calibrated scores from `score-metric --human`: what calibrates, what only rates, and what somebody might try."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from annotated import make_annotated, right
from click.testing import CliRunner, Result
from report_cases import DOCUMENTS, QUESTIONS, begin_run, make_release, write_rows

import benchwright
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.metrics.human_sample import HumanSample, draw_sample, read_samples, write_sample
from benchwright.benchmarks.reports.metrics.truth import read_scored
from benchwright.benchmarks.runs.run import PREDICTIONS
from benchwright.benchmarks.runs.store import PredictionStore
from benchwright.scripts.score_metric import main

GROUPS = 160
IDS = [f"g{group}-{number}" for group in range(GROUPS) for number in range(1 + group % 3)]
"""Groups of one to three answers."""
ADA = {"kind": "human", "name": "Ada"}


def truth(name: str) -> bool:
    """What people say of an answer: two in three are right."""
    return int(name.split("-")[0][1:]) % 3 != 1


def judged(name: str) -> float:
    """What the judge says: it calls every sixth group right that is not, or wrong."""
    group = int(name.split("-")[0][1:])
    return float(truth(name) != (group % 8 == 3))


@dataclass(frozen=True)
class Calibrated:
    """A release and a run of it, in a folder of its own for each test."""

    release: Release
    folder: Path

    def sample(self, groups: int, seed: int = 0) -> HumanSample:
        """Draws one and keeps it."""
        found = draw_sample(read_scored(self.release, self.folder), groups, seed)
        write_sample(self.folder, found)
        return found

    def labels(self, sample: HumanSample, **changes: Any) -> list[dict[str, Any]]:
        """What Ada says of a sample."""
        return [label(each.id, **changes) for each in sample.answers]

    def run(self, lines: Sequence[dict[str, Any]], *arguments: str) -> Result:
        """The command with these labels."""
        path = self.folder.parent / "labels.jsonl"
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        where = ("--release", str(self.release.folder), "--output", str(self.folder.parent / "out"))
        return CliRunner().invoke(main, [str(self.folder), "--human", str(path), *where, *arguments])

    def json(self, lines: Sequence[dict[str, Any]], *arguments: str) -> dict[str, Any]:
        """What it wrote."""
        result = self.run(lines, *arguments)
        assert result.exit_code == 0, result.output
        return json.loads((self.folder.parent / "out" / "score-metric.json").read_text())

    def calibrated(self, lines: Sequence[dict[str, Any]], *arguments: str) -> dict[str, Any]:
        """Its part about calibrated scores."""
        return self.json(lines, *arguments)["calibrated"]


def label(name: str, sample: str = "sample-1", **changes: Any) -> dict[str, Any]:
    return {
        "id": name,
        "metric": "correct",
        "value": int(truth(name)),
        "judge": ADA,
        "trace": {"sample": sample, "page": "1"},
        **changes,
    }


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    questions = [replace(QUESTIONS[0], id=name, group=name.split("-")[0], documents=(), evidence=()) for name in IDS]
    return make_release(tmp_path_factory.mktemp("calibrated") / "release", questions, DOCUMENTS)


@pytest.fixture
def made(release: Release, tmp_path: Path) -> Calibrated:
    begin_run(release, tmp_path / "run", len(IDS))
    store = PredictionStore(tmp_path / "run" / PREDICTIONS)
    for name in IDS:
        store.append(Prediction(name, f"Oslo, says {name}"))
    store.close()
    write_rows(
        tmp_path / "run",
        [
            row
            for name in IDS
            for row in (
                (name, "correct", judged(name), None),
                (name, "semantic_match", judged(name), None),
                (name, "truthfulness", 1 + 4 * judged(name), None),
            )
        ],
    )
    return Calibrated(release, tmp_path / "run")


def test_labels_of_a_sample_calibrate_the_runs_scores(made: Calibrated) -> None:
    sample = made.sample(120)
    result = made.run(made.labels(sample), "correct")
    assert result.exit_code == 0, result.output
    found = json.loads((made.folder.parent / "out" / "score-metric.json").read_text())["calibrated"]
    assert (found["reason"], found["sample"], found["seed"], found["samples"]) == (None, "sample-1", 0, 1)
    assert [(each["metric"], each["by"]) for each in found["metrics"]] == [
        ("correct", "correct"),
        ("correct", "semantic_match"),
    ]
    figures = found["metrics"][0]["figures"]
    assert (figures["answers"], figures["groups"], figures["drawn"], figures["labelled"]) == (319, 160, 120, 120)
    assert figures["judge_mean"] == pytest.approx(np.mean([judged(name) for name in IDS]))
    differing = sum(truth(each.id) != bool(judged(each.id)) for each in sample.answers)
    assert figures["disagreements"] == differing >= 10
    assert figures["estimate"]["low"] < np.mean([truth(name) for name in IDS]) < figures["estimate"]["high"]
    assert 0 < figures["weight"] < 1 < figures["gain"]
    said = " ".join(result.output.split())
    assert f"correct by people, over all 319 answers: {100 * figures['estimate']['value']:.1f} % (" in said
    mean = f"calibrated from the run's own scores, which say {100 * figures['judge_mean']:.1f} %, with 120 labels of"
    assert f"{mean} sample-1. It would take {120 * figures['gain']:.0f} of them alone" in said
    assert "calibrated from those of semantic_match, which say" in said
    page = (made.folder.parent / "out" / "score-metric.html").read_text()
    assert ">Calibrated scores</h2>" in page and ">Beside people</h2>" in page


def test_few_labels_bound_the_errors(made: Calibrated) -> None:
    sample = made.sample(30)
    result = made.run(made.labels(sample), "semantic_match")
    said = " ".join(result.output.split())
    figures = made.calibrated(made.labels(sample), "semantic_match")["metrics"][0]["figures"]
    assert figures["estimate"] is None
    assert (
        "is not calibrated from the run's own scores: people scored answers of 30 semantic groups, and it takes 100; "
        in said
    )
    bounds = figures["bounds"]
    right = [each.id for each in sample.answers if judged(each.id)]
    assert bounds["false_correct"]["answers"] == len(right)
    assert bounds["false_correct"]["errors"] == sum(not truth(name) for name in right)
    assert 0 <= bounds["low"] < np.mean([truth(name) for name in IDS]) < bounds["high"] <= 1
    assert (
        f"over all answers it is between {100 * bounds['low']:.1f} % and {100 * bounds['high']:.1f} % by people" in said
    )
    assert "By the labels alone it is" in said


def test_labels_that_are_not_of_a_sample_rate_and_calibrate_nothing(made: Calibrated) -> None:
    lines = [{**label(name), "trace": None} for name in IDS[:100]]
    found = made.json(lines, "semantic_match")
    assert found["calibrated"]["reason"].startswith("the labels do not say that they are of a recorded random sample")
    assert found["metrics"]["semantic_match"]["answers"] == 100
    assert "Not calibrated: the labels do not say" in " ".join(made.run(lines).output.split())


def test_grades_and_every_metric_beside_people(made: Calibrated) -> None:
    """People judged by two metrics: each is held against people's own, and all against the truth."""
    sample = made.sample(120)
    grades = [label(each.id, metric="truthfulness", value=1 + 4 * truth(each.id)) for each in sample.answers]
    found = made.json([*made.labels(sample), *grades])
    by_metric = {(each["metric"], each["by"]): each["figures"] for each in found["calibrated"]["metrics"]}
    assert set(by_metric) == {("correct", "correct"), ("correct", "semantic_match"), ("truthfulness", "truthfulness")}
    shares, graded = by_metric["correct", "correct"]["estimate"], by_metric["truthfulness", "truthfulness"]["estimate"]
    assert graded["value"] == pytest.approx(1 + 4 * shares["value"])
    assert graded["high"] == pytest.approx(1 + 4 * shares["high"])
    rows = {(each["metric"], each["said"]): each for each in found["people"]}
    assert set(rows) == {
        ("correct", "correct"),
        ("semantic_match", "correct"),
        ("truthfulness", "correct"),
        ("truthfulness", "truthfulness"),
    }
    same = {
        json.dumps([each["verdicts"]["precision"], each["pairs"], each["verdicts"]["kappa"]]) for each in rows.values()
    }
    assert len(same) == 1, "all of them say the same here"
    row = rows["truthfulness", "truthfulness"]
    assert row["verdicts"]["precision"]["value"] == found["metrics"]["correct"]["verdicts"]["precision"]["value"]


def test_a_run_that_lacks_the_metric_says_so(made: Calibrated) -> None:
    sample = made.sample(20)
    found = made.calibrated(made.labels(sample, metric="faithfulness", value=0.5))
    assert found["metrics"] == []
    assert found["lacking"]["faithfulness"].startswith("run has no score by faithfulness itself")


def test_a_larger_sample_of_the_same_seed_takes_the_labels_of_a_smaller_one(made: Calibrated) -> None:
    small, large = made.sample(60), made.sample(110)
    lines = made.labels(small) + [label(each.id, "sample-2") for each in large.answers[60:]]
    found = made.calibrated(lines)
    assert (found["sample"], found["samples"], found["metrics"][0]["figures"]["labelled"]) == ("sample-2", 1, 110)


def test_samples_that_were_drawn_besides_are_told(made: Calibrated) -> None:
    """Whoever draws until the labels please leaves a trace of it."""
    sample = made.sample(120)
    made.sample(120, seed=1)
    made.sample(40, seed=2)
    found = made.run(made.labels(sample))
    assert made.calibrated(made.labels(sample))["samples"] == 3
    assert "3 samples were drawn from these answers." in found.output


def test_labels_that_are_missing_are_allowed_for_and_too_many_refused(made: Calibrated) -> None:
    lines = made.labels(made.sample(120))
    whole, some, many = (made.calibrated(lines[number:])["metrics"][0]["figures"] for number in (0, 6, 7))
    assert (some["labelled"], some["drawn"]) == (114, 120)
    widths = [each["estimate"]["high"] - each["estimate"]["low"] for each in (whole, some)]
    assert widths[1] > widths[0] + 0.03
    assert many["estimate"] is None and "people scored 113 of 120 answers" in many["refused"][0]
    assert "6 answers of 120 that were drawn have no label" in " ".join(made.run(lines[6:]).output.split())


def test_what_people_are_divided_about_or_find_unclear_is_missing(made: Calibrated) -> None:
    """As `annotate --merge` writes it: no value, and who said what."""
    lines = made.labels(made.sample(120))
    lines[:4] = [{**line, "value": None, "reason": "divided: Ada right, Ben wrong"} for line in lines[:4]]
    found = made.json(lines)
    assert found["left_out"] == {"no value": 4}
    figures = found["calibrated"]["metrics"][0]["figures"]
    assert (figures["labelled"], figures["drawn"], figures["refused"]) == (116, 120, [])


def test_annotators_who_are_divided(made: Calibrated) -> None:
    sample = made.sample(120)
    ben = [
        label(each.id, value=int(truth(each.id) != (place < 5)), judge={"kind": "human", "name": "Ben"})
        for place, each in enumerate(sample.answers)
    ]
    refused = made.run([*made.labels(sample), *ben])
    assert (refused.exit_code, "several judges said correct" in refused.output) == (2, True)
    found = made.calibrated([*made.labels(sample), *ben], "--mix-judges")["metrics"][0]
    assert (found["divided"], found["annotators"]) == (5, {"Ada (human)": 120, "Ben (human)": 120})
    assert found["figures"]["labelled"] == 120


@pytest.mark.parametrize(
    ("attempt", "reason"),
    [
        ("probability", "is not the sample that its seed, 0, draws from these answers: its file was changed"),
        ("answer", "is not the sample that its seed, 0, draws from these answers: its file was changed"),
        ("changed", "the answers of run are others than those that sample-1 was drawn from"),
        ("outside", "1 answer with labels of sample-1 was not drawn for it, such as"),
        ("unknown", "the labels are of sample-7, which the run does not hold"),
        ("traversal", "the labels are of ../../other/samples/sample-1, which the run does not hold"),
        ("model", "labels of people calibrate, and some are by gpt"),
        ("nobody", "labels of people calibrate, and some are by not named"),
        ("two", "the labels are of sample-1 and sample-2, which were not drawn as one"),
        ("condition", "sample-1 was drawn in the condition gold, and not in own"),
        ("broken", "sample-1.json cannot be read as a sample"),
    ],
)
def test_what_somebody_might_try(made: Calibrated, attempt: str, reason: str) -> None:
    """Each is refused, and the labels rate the metrics all the same; a sample that cannot be read stops the command."""
    sample = made.sample(120)
    lines, path = made.labels(sample), made.folder / "samples" / "sample-1.json"
    stored = json.loads(path.read_text())
    drawn = {each.id for each in sample.answers}
    if attempt == "probability":
        stored["answers"][0]["probability"] = 1.0
    elif attempt == "answer":
        stored["answers"][0]["id"] = next(name for name in IDS if name not in drawn)
        lines[0] = label(stored["answers"][0]["id"])
    elif attempt == "condition":
        stored["drawn_from"]["condition"] = "gold"
    elif attempt == "changed":
        predictions = made.folder / PREDICTIONS
        predictions.write_text(predictions.read_text().replace("says g5-0", "says otherwise"))
    elif attempt == "outside":
        lines.append(label(next(name for name in IDS if name not in drawn)))
    elif attempt == "unknown":
        lines = [label(each.id, "sample-7") for each in sample.answers]
    elif attempt == "traversal":
        lines = [label(each.id, "../../other/samples/sample-1") for each in sample.answers]
    elif attempt == "model":
        lines = made.labels(sample, judge={"kind": "model", "name": "gpt"})
    elif attempt == "nobody":
        lines = made.labels(sample, judge=None)
    elif attempt == "two":
        lines = [label(each.id, "sample-2") for each in made.sample(60, seed=1).answers[:50]] + lines
        lines = list({line["id"]: line for line in lines}.values())
    if attempt == "broken":
        path.write_text("{")
        result = made.run(lines)
        assert (result.exit_code, reason in result.output, result.output.count("\n")) == (1, True, 1)
        return
    path.write_text(json.dumps(stored))
    found = made.json(lines)
    assert reason in found["calibrated"]["reason"] and not found["calibrated"]["metrics"]
    assert found["metrics"]["semantic_match"]["answers"] >= 110


def test_the_same_answer_twice_counts_once_or_is_refused(made: Calibrated) -> None:
    lines = made.labels(made.sample(120))
    twice = made.run([*lines, lines[0]])
    assert (twice.exit_code, "a second judgment of correct" in twice.output) == (1, True)
    again = made.json([*lines, {**lines[0], "judge_repeat": 1, "value": 1 - lines[0]["value"]}])
    assert again["left_out"] == {"judged again by the same judge": 1}
    assert again["calibrated"]["metrics"] == made.calibrated(lines)["metrics"]


def test_answers_that_were_scored_since_do_not_matter(made: Calibrated) -> None:
    """Scores may be made after the sample was drawn: only the answers are what it is of."""
    sample = made.sample(120)
    write_rows(made.folder, [(name, "correct", float(truth(name)), None) for name in IDS])
    figures = made.calibrated(made.labels(sample))["metrics"][0]["figures"]
    assert (figures["disagreements"], figures["estimate"]) == (0, None)
    assert read_samples(made.folder) == {"sample-1": sample}


def test_from_python(made: Calibrated) -> None:
    lines = made.labels(made.sample(120))
    path = made.folder.parent / "ada.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    found = benchwright.score_metric(made.folder, human=path, release=made.release)
    assert found.calibrated is not None and found.calibrated.metrics[0].figures.estimate is not None
    assert found.people[0].metric == "correct"


def test_what_annotate_saves_calibrates(tmp_path: Path) -> None:
    """From the page's file and from the merged one: twelve groups are few, and the bounds are there."""
    made = make_annotated(tmp_path)
    ada = made.saved(made.work(12), "Ada", right)
    merged = made.run("--merge", ada)
    assert merged.exit_code == 0, merged.output
    for path in (ada, made.folder / "human.jsonl"):
        result = made.score("--human", path, "correct")
        assert result.exit_code == 0, result.output
        found = json.loads((made.folder / "score-metric.json").read_text())["calibrated"]
        assert (found["reason"], found["sample"], found["unmarked"]) == (None, "sample-1", 0)
        figures = found["metrics"][0]["figures"]
        assert (figures["drawn"], figures["labelled"], figures["estimate"]) == (12, 12, None)
        assert figures["people"]["value"] == 1 and figures["bounds"]["high"] > 0.99
