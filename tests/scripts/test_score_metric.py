"""`score-metric`: metrics of a run against the truth, people's verdicts, a baseline, and every kind of bad use."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from report_cases import DOCUMENTS, QUESTIONS, begin_run, make_release, write_rows

import benchwright
from benchwright.benchmarks.metrics import METRICS, Metric, Score, each
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.registry import register
from benchwright.benchmarks.reports.metrics.scale import Asked
from benchwright.benchmarks.reports.metrics.truth import rate_metrics, read_scored
from benchwright.benchmarks.runs.run import PREDICTIONS, RUN
from benchwright.benchmarks.runs.store import PredictionStore
from benchwright.benchmarks.types import Question
from benchwright.scripts.score_metric import main

GROUPS = 12
Row = tuple[str, str, float | None, str | None]


@dataclass(frozen=True)
class Rated:
    """A release with two runs."""

    root: Path

    def run(self, *arguments: str) -> Result:
        """The command, on the first run unless another is named."""
        roots = ("--releases", str(self.root / "releases"), "--runs", str(self.root / "runs"))
        return CliRunner().invoke(main, [*(arguments or ("mine",)), "--release", str(self.root / "release"), *roots])

    def json(self, *arguments: str) -> dict[str, Any]:
        """What it wrote."""
        result = self.run("mine", *arguments, "--output", str(self.root / "out"))
        assert result.exit_code == 0, result.output
        return json.loads((self.root / "out" / "score-metric.json").read_text())

    def human(self, lines: Sequence[dict[str, Any]]) -> str:
        """A file of verdicts."""
        path = self.root / "human.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return str(path)


def rows(right: Sequence[int], faithful: Sequence[float], retrieved: Sequence[int]) -> list[Row]:
    """Scores of two wordings of each group."""
    found: list[Row] = []
    for place, values in enumerate(zip(right, faithful, retrieved, strict=True)):
        for name, value in zip(("correct", "faithfulness", "retrieved"), values, strict=True):
            found.append((f"g{place // 2}-{place % 2}", name, float(value), None))
    return found


RIGHT = [1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
FAITHFUL = [0.9] * 10 + [0.2] + [0.9] * 6 + [0.1] * 7
RETRIEVED = [1] * 12 + [0] * 12


@pytest.fixture(scope="module")
def rated(tmp_path_factory: pytest.TempPathFactory) -> Rated:
    root = tmp_path_factory.mktemp("rated")
    questions = [
        replace(QUESTIONS[0], id=f"g{group}-{wording}", group=f"g{group}", documents=(), evidence=())
        for group in range(GROUPS)
        for wording in range(2)
    ]
    release = make_release(root / "release", questions, DOCUMENTS)
    for name, scores in (
        ("mine", rows(RIGHT, FAITHFUL, RETRIEVED)),
        ("other", rows(RIGHT, [0.0] * 12 + FAITHFUL[12:], RETRIEVED)),
    ):
        folder = root / "runs" / "small" / "1.0.0" / name
        begin_run(release, folder, len(questions), name=name)
        store = PredictionStore(folder / PREDICTIONS)
        for question in questions:
            store.append(Prediction(question.id, "Oslo"))
        store.close()
        write_rows(folder, scores)
    return Rated(root)


@pytest.fixture
def mine(rated: Rated, monkeypatch: pytest.MonkeyPatch) -> Rated:
    """Runs are named as on a command line."""
    monkeypatch.chdir(rated.root / "runs" / "small" / "1.0.0")
    return rated


def test_precision_and_recall_against_the_truth(mine: Rated) -> None:
    """Ten answers are right, of which nine are called right; of fourteen wrong ones seven are."""
    found = mine.json("faithfulness")
    assert (found["truth"]["answers"], found["truth"]["right"], found["truth"]["groups"]) == (24, 10, 12)
    said = found["metrics"]["faithfulness"]["verdicts"]
    counts = [said[f"{truth}_called_{called}"] for truth in ("right", "wrong") for called in ("right", "wrong")]
    assert counts == [9, 1, 7, 7]
    assert said["precision"]["value"] == 9 / 16
    assert said["recall"]["value"] == 0.9
    half = 1.96 * (9 / 16 * 7 / 16 / 24) ** 0.5
    assert said["published"][:2] == pytest.approx([9 / 16 - half, 9 / 16 + half], abs=1e-4)
    assert said["precision"]["low"] < said["published"][0], "answers of one group count together"


def test_thresholds_are_parameters(mine: Rated) -> None:
    usual = mine.json("faithfulness")["metrics"]["faithfulness"]["concordance"]
    assert (usual["above"], usual["below"]) == ([0.7], [0.3])
    assert (usual["right"]["count"], usual["right"]["total"]) == (9, 16)
    assert (usual["wrong"]["count"], usual["wrong"]["total"]) == (7, 8)
    other = mine.json("faithfulness", "--above", "faithfulness=0.95", "--below", "faithfulness=0.15")
    said = other["metrics"]["faithfulness"]["concordance"]
    assert (said["right"]["value"], said["wrong"]["total"]) == (None, 7)
    low = mine.json("faithfulness", "--threshold", "faithfulness=0.15")["metrics"]["faithfulness"]["verdicts"]
    assert (low["recall"]["value"], low["threshold"]) == (1, 0.15)


def test_a_metric_of_which_lower_is_better(tmp_path: Path) -> None:
    """Doubt, the rest of faithfulness to 1: every verdict is the same."""
    doubt = Metric(
        "doubt",
        "how unsure",
        "1 - faithfulness",
        "none",
        frozenset({"answer", "pairs"}),
        each(_none),
        higher_is_better=False,
    )
    register(METRICS, "doubt", doubt)
    questions = [replace(QUESTIONS[0], id=f"g{place // 2}-{place % 2}", group=f"g{place // 2}") for place in range(24)]
    begin_run(release := make_release(tmp_path / "release", questions, DOCUMENTS), tmp_path / "run", 24)
    doubts: list[Row] = [(row[0], "doubt", 1 - (row[2] or 0), None) for row in rows(RIGHT, FAITHFUL, RETRIEVED)[1::3]]
    write_rows(tmp_path / "run", [*rows(RIGHT, FAITHFUL, RETRIEVED), *doubts])
    found = rate_metrics(read_scored(release, tmp_path / "run"), Asked(("faithfulness", "doubt")))
    one, other = found.metrics["faithfulness"], found.metrics["doubt"]
    assert one.verdicts is not None and other.verdicts is not None
    assert (one.verdicts.precision, one.verdicts.recall) == (other.verdicts.precision, other.verdicts.recall)
    assert other.concordance.above == pytest.approx((0.3,))
    assert other.concordance.right == one.concordance.right
    assert one.pairs == other.pairs
    assert found.joint[0].concordance.wrong == one.concordance.wrong


def _none(question: Question, prediction: Prediction) -> Score:
    return Score(None)


def test_another_truth_and_two_metrics_at_once(mine: Rated) -> None:
    found = mine.json("correct", "faithfulness", "--truth", "retrieved")
    assert found["truth"]["metric"] == "retrieved"
    assert found["metrics"]["correct"]["verdicts"]["precision"]["value"] == 1
    (joint,) = found["joint"]
    assert joint["metrics"] == ["correct", "faithfulness"]
    assert (joint["concordance"]["right"]["count"], joint["concordance"]["right"]["total"]) == (9, 9)


def test_verdicts_of_people_are_compared_and_not_used(mine: Rated) -> None:
    """They are the truth, and stand beside the run's own `correct`; the run's files stay as they are."""
    before = {path: path.read_bytes() for path in Path("mine").iterdir() if "score-metric" not in path.name}
    said = [{"id": f"g{group}-0", "metric": "correct", "value": int(group < 4)} for group in range(GROUPS)]
    found = mine.json("--human", mine.human([{**line, "judge": {"kind": "human", "name": "Ann"}} for line in said]))
    assert found["truth"]["source"] == "human.jsonl"
    assert (found["truth"]["answers"], found["truth"]["right"]) == (12, 4)
    assert list(found["metrics"]) == ["correct", "faithfulness"]
    pair = found["metrics"]["correct"]["said"]
    assert (pair["second"], pair["confusion"]) == ("Ann (human)", [[6, 0], [2, 4]])
    assert pair["kappa"]["value"] == pytest.approx((10 / 12 - (6 * 8 + 6 * 4) / 144) / (1 - (6 * 8 + 6 * 4) / 144))
    assert {path: path.read_bytes() for path in before} == before


def test_people_who_say_the_same_metric_only(mine: Rated) -> None:
    """Grades of faithfulness: the truth stays the run's `correct`."""
    lines = [{"id": f"g{group}-1", "metric": "faithfulness", "value": group / 12} for group in range(GROUPS)]
    found = mine.json("--human", mine.human(lines))
    assert found["truth"]["source"] == "run"
    said = found["metrics"]["faithfulness"]["said"]
    assert (said["answers"], said["grades"], said["kappa"]) == (12, [], None)
    assert said["spearman"]["value"] < 0


def test_several_judges_are_refused_unless_asked(mine: Rated) -> None:
    lines = [
        {
            "id": f"g{group}-0",
            "metric": "correct",
            "value": int(group < limit),
            "judge": {"kind": "human", "name": name},
        }
        for name, limit in (("Ann", 4), ("Bo", 6))
        for group in range(GROUPS)
    ]
    path = mine.human(lines)
    refused = mine.run("mine", "--human", path)
    assert refused.exit_code == 2
    assert "several judges said correct in human.jsonl: Ann (human) (12), Bo (human) (12)" in refused.output
    assert mine.json("--human", path, "--judge", "Bo")["truth"]["right"] == 6
    mixed = mine.json("--human", path, "--mix-judges")
    truth = mixed["truth"]
    assert (truth["right"], truth["answers"], truth["divided"]) == (4, 10, 2), "two judges say both of two answers"
    assert mixed["agreement"]["correct"]["pairs"][0]["same"]["count"] == 10
    assert "nobody called 'Cy' judged in human.jsonl" in mine.run("mine", "--human", path, "--judge", "Cy").output


def test_a_baseline_is_tested_on_shared_questions(mine: Rated) -> None:
    found = mine.json("faithfulness", "--baseline", "other")["baseline"]
    by_part = {each["retrieval"]: each for each in found["differences"] if each["metric"] == "faithfulness"}
    assert (found["run"], found["by"], list(by_part)) == ("other", "retrieved", ["all", "right", "wrong"])
    right = by_part["right"]
    assert (right["questions"], right["paired"]["clusters"]) == (12, 6)
    assert right["paired"]["value"] == pytest.approx((11 * 0.9 + 0.2) / 12)
    assert right["run"]["mean"] - right["baseline"]["mean"] == pytest.approx(right["paired"]["value"])
    assert by_part["wrong"]["paired"]["value"] == 0 and not by_part["wrong"]["paired"]["separated"]


def test_the_page_and_the_terminal(mine: Rated) -> None:
    result = mine.run("mine", "--output", str(mine.root / "page"))
    assert result.output.splitlines()[0] == str(mine.root / "page" / "score-metric.html")
    assert "faithfulness calls 7 of 14 wrong answers right, and 1 of 10 right ones wrong." in result.output
    page = (mine.root / "page" / "score-metric.html").read_text()
    assert "<script" not in page and "56.2 %" in page
    for title in ("Taken for a verdict", "Taken for an order", "High and low scores", "Right and wrong retrieval"):
        assert f">{title}</h2>" in page


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("nobody",), 1, "there is no run 'nobody'"),
        (("mine", "roug"), 2, "no metric 'roug': did you mean rouge_l?"),
        (("mine", "--model", "judge=x", "--base-url", "http://127.0.0.1:9/v1"), 2, "no metric is named that the model is to judge"),
        (("mine", "rouge_l", "--model", "judge=x", "--base-url", "http://127.0.0.1:9/v1"), 2, "rouge_l: no model judges that; name a metric that a model"),
        (("mine", "gpt_ranking_faithfulness"), 2, "metric 'gpt_ranking_faithfulness' compares pairs: it cannot score a run, but a release"),
        (("mine", "--coin", "1"), 2, "--coin breaks the ties of a release's pairs, and mine is a run: leave it out"),
        (("mine", "faithfulness", "--estimate"), 2, "--estimate is about calls of a model: name one with --model NAME"),
        (("mine", "correct"), 2, "correct is the truth here: rate other metrics, or name another with --truth"),
        (("mine", "--truth", "semantic_match"), 2, "semantic_match is judged by a model: name one with --model judge=NAME"),
        (("mine", "--threshold", "faithfulness"), 2, "faithfulness is no limit: write METRIC=NUMBER"),
        (("mine", "--threshold", "faithfulness=nan"), 2, "faithfulness=nan is no limit"),
        (("mine", "--threshold", "faithfulness=7"), 2, "faithfulness goes from 0 to 1"),
        (("mine", "--above", "mrr=0.5"), 2, "mrr is not rated here, but faithfulness, correct"),
        (("mine", "--condition", "gold"), 2, "mine was not asked in the condition 'gold': there is own"),
        (("mine", "--judge", "Ann"), 2, "--judge names one of a file's judges: add --human FILE"),
        (("mine", "--human", "nowhere.jsonl"), 1, "there is no file of judgments nowhere.jsonl"),
    ],
)  # fmt: skip
def test_bad_use_is_one_line(mine: Rated, arguments: tuple[str, ...], code: int, message: str) -> None:
    result = mine.run(*arguments)
    assert (result.exit_code, message in result.output, result.output.count("\n")) == (code, True, 1), result.output


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"id": "nobody-1", "metric": "correct", "value": 1}, "no question 'nobody-1' in the run mine"),
        ({"id": "g0-0", "metric": "corect", "value": 1}, "no metric 'corect'"),
        ({"id": "g0-0", "metric": "correct", "value": 1, "repeat": 3}, "repeat 3, of which the run has no answer"),
        ({"id": "g0-0", "metric": "correct", "value": 4}, "says correct 4 of 'g0-0', and correct goes from 0 to 1"),
        ({"id": "g0-0", "metric": "correct", "value": None}, "has no verdict on an answer"),
        ({"id": "g0-0", "metric": "correct", "value": 1, "candidate": "b"}, "of one candidate of several (1)"),
    ],
)
def test_verdicts_that_fit_nothing(mine: Rated, line: dict[str, Any], message: str) -> None:
    result = mine.run("mine", "--human", mine.human([line]))
    assert result.exit_code == 1
    assert message in result.output and result.output.count("\n") == 1


def test_a_run_of_another_release(mine: Rated, tmp_path: Path) -> None:
    settings = json.loads((mine.root / "runs" / "small" / "1.0.0" / "other" / RUN).read_text())
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / RUN).write_text(json.dumps({**settings, "content_hash": "f" * 64}))
    write_rows(folder, rows(RIGHT, FAITHFUL, RETRIEVED))
    result = mine.run("mine", "--baseline", str(folder))
    assert result.exit_code == 1
    assert "content ffffffffffff…" in result.output and mine_hash(mine) in result.output


def test_from_python_with_the_release_named(mine: Rated, tmp_path: Path) -> None:
    """As a reference and as it is; what is no run says so as the command does."""
    release = mine.root / "release"
    by_name = benchwright.score_metric("mine", "faithfulness", release=release, baseline="other")
    assert by_name == benchwright.score_metric(
        "mine", "faithfulness", release=benchwright.load_release(release), baseline="other"
    )
    assert by_name.metrics["faithfulness"].answers == 2 * GROUPS and by_name.baseline is not None
    with pytest.raises(benchwright.BenchwrightError, match=r"is not a run: it has no run\.json"):
        benchwright.score_metric(tmp_path, release=release)


def mine_hash(rated: Rated) -> str:
    """The beginning of the release's content hash."""
    return json.loads((rated.root / "runs" / "small" / "1.0.0" / "mine" / RUN).read_text())["content_hash"][:12]


def test_scores_on_another_scale_are_refused(mine: Rated, tmp_path: Path) -> None:
    """A judge elsewhere gave grades where a share was meant."""
    (tmp_path / RUN).write_text((mine.root / "runs" / "small" / "1.0.0" / "mine" / RUN).read_text())
    write_rows(tmp_path, rows(RIGHT, [1 + 4 * value for value in FAITHFUL], RETRIEVED))
    result = mine.run(str(tmp_path))
    assert result.exit_code == 2
    assert "goes from 1.4 to 4.6, and not from 0 to 1: name other metrics" in result.output
    lacking = mine.json("faithfulness", "--baseline", str(tmp_path))["baseline"]["lacking"]
    assert lacking == {"faithfulness": "in the baseline it goes from 1.4 to 4.6, and not from 0 to 1"}


def test_scores_that_tell_nothing(mine: Rated, tmp_path: Path) -> None:
    """All right, all wrong, constant, nothing scored, one group: figures that cannot be are left out, none is made up."""
    settings = (mine.root / "runs" / "small" / "1.0.0" / "mine" / RUN).read_text()
    cases: dict[str, list[Row]] = {
        "right": rows([1] * 24, FAITHFUL, RETRIEVED),
        "wrong": rows([0] * 24, [0.5] * 24, [0] * 24),
        "one": rows(RIGHT[:2], FAITHFUL[:2], RETRIEVED[:2]),
    }
    for name, scores in cases.items():
        folder = tmp_path / name
        folder.mkdir()
        (folder / RUN).write_text(settings)
        write_rows(folder, scores)
        result = mine.run(str(folder))
        assert result.exit_code == 0, result.output
        if name == "wrong":
            assert "faithfulness calls 0 of 24 wrong answers right, and met no right one." in " ".join(
                result.output.split()
            )
    found = json.loads((tmp_path / "wrong" / "score-metric.json").read_text())["metrics"]["faithfulness"]
    assert (found["pairs"], found["pearson"], found["verdicts"]["kappa"]) == (None, None, None)
    assert found["verdicts"]["precision"]["value"] is None
    one = json.loads((tmp_path / "one" / "score-metric.json").read_text())["metrics"]["faithfulness"]["verdicts"]
    assert (one["precision"]["value"], one["precision"]["low"]) == (1, None)
    write_rows(tmp_path / "one", [("g0-0", "correct", None, "no answer"), ("g0-0", "faithfulness", 1.0, None)])
    assert "correct, the truth, is known of no answer of one" in mine.run(str(tmp_path / "one")).output
