"""Whether a judge is steady, and what sways it: judged again, by the length of answers, by whose answers they are."""

import itertools
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from model_clients import KEY
from report_cases import DOCUMENTS, QUESTIONS, make_release, make_run

from benchwright.benchmarks.errors import StopError, UsageError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.money.costs import Estimated
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.metrics.judge_checks import (
    ASKED_ONCE,
    FEW_GROUPS,
    ONE_LENGTH,
    ONE_SYSTEM,
    OTHER_JUDGE,
    LengthEffect,
    family_of,
    length_effect,
    relation_of,
)
from benchwright.benchmarks.reports.metrics.scale import Asked
from benchwright.benchmarks.reports.metrics.truth import MetricRatings, rate_metrics, read_scored
from benchwright.benchmarks.runs.run import JUDGMENTS
from benchwright.benchmarks.runs.score import score_run
from benchwright.benchmarks.runs.score_named import score_named
from benchwright.scripts.score_metric import main
from benchwright.scripts.servers.openai.server import OpenAIServer

GROUPS, METRIC = 20, "semantic_match"


class Wavering:
    """A judge that says Correct of an answer that is marked so, and says something else of some when asked again."""

    def __init__(self) -> None:
        self.asked = Counter[str]()

    def __call__(self, body: Mapping[str, Any]) -> Mapping[str, str]:
        text = body["messages"][-1]["content"]
        self.asked[text] += 1
        is_right = "(good)" in text
        if "(wavering)" in text and self.asked[text] == 2:
            is_right = not is_right
        return {"reason": "as it is marked", "verdict": "Correct" if is_right else "Incorrect"}


@dataclass(frozen=True)
class Judged:
    """A release with runs, and how they are judged."""

    root: Path
    release: Release
    judge: Wavering
    server: OpenAIServer

    def make(self, name: str, answers: Mapping[str, str], model: str | None) -> Path:
        """A run, scored by `correct`."""
        folder = self.root / "runs/small/1.0.0" / name
        predictions = [Prediction(key, answer or None, abstained=not answer) for key, answer in answers.items()]
        settings = {"k": 2, **({"model": model} if model else {})}
        make_run(self.release, folder, predictions, (), name=name, settings=settings)
        score_run(self.release, folder, metrics=("correct",))
        return folder

    def client(self, **settings: Any) -> Client:
        endpoint = Endpoint("acme/judge-7b", self.server.url, KEY, None)
        return Client(ModelSettings({"judge": endpoint}, cache=self.root / "kept.sqlite", **settings))

    def score(self, folder: Path, times: int = 1, **settings: Any) -> None:
        with self.client(**settings) as client:
            score_named(self.release, folder, (METRIC,), client, repeat_judge=times)

    def rate(self, folder: Path, baseline: Path | None = None) -> MetricRatings:
        other = None if baseline is None else read_scored(self.release, baseline)
        return rate_metrics(read_scored(self.release, folder), Asked((METRIC,)), other)


def ids() -> Iterator[tuple[int, str]]:
    """Two wordings of each group."""
    return ((group, f"g{group}-{wording}") for group, wording in itertools.product(range(GROUPS), range(2)))


@pytest.fixture
def judged(tmp_path: Path) -> Iterator[Judged]:
    questions = [
        replace(QUESTIONS[0], id=key, question=f"Where is {key}?", group=f"g{group}", documents=(), evidence=())
        for group, key in ids()
    ]
    release = make_release(tmp_path / "release", questions, DOCUMENTS)
    judge = Wavering()
    with OpenAIServer(judge) as server:
        yield Judged(tmp_path, release, judge, server)


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / JUDGMENTS).read_text().splitlines()]


def test_a_judge_judges_again_where_it_was_stopped_and_the_first_time_counts(judged: Judged) -> None:
    """Of 40 answers the judge wavers on 8, on the second of three looks."""
    marks = {key: " (wavering)" if group < 4 else "" for group, key in ids()}
    folder = judged.make("mine", {key: f"Oslo (good){marks[key]}" for _, key in ids()}, None)
    judged.score(folder)
    assert (judged.server.calls, len(lines(folder))) == (40, 40)
    assert judged.rate(folder).judge_checks[METRIC].not_observed["steadiness"] == ASKED_ONCE
    with judged.client(estimate=True) as client:
        with pytest.raises(Estimated):
            score_named(judged.release, folder, (METRIC,), client, repeat_judge=3)
        assert client.expected_ledger.calls == 80, "what is judged already is not paid for again"
    with pytest.raises(StopError):
        judged.score(folder, 3, max_calls=5, at_once=1)
    assert len(lines(folder)) == 45
    judged.score(folder, 3)
    judged.score(folder, 3)
    assert judged.server.calls == len(lines(folder)) == 120, "nothing is asked twice"
    assert Counter(line.get("judge_repeat", 0) for line in lines(folder)) == {0: 40, 1: 40, 2: 40}
    found = judged.rate(folder)
    verdicts = found.metrics[METRIC].verdicts
    assert verdicts is not None and verdicts.recall.count == 40, "the first time counts"
    steadiness = found.judge_checks[METRIC].steadiness
    assert steadiness is not None and "steadiness" not in found.judge_checks[METRIC].not_observed
    again = steadiness.again
    assert (again.times, again.answers, again.same.count, again.same_verdict.count) == (3, 40, 32, 32)
    assert again.means == (1.0, 0.8, 1.0)
    assert again.deviation == pytest.approx((8 / 40 * 1 / 3) ** 0.5), "1, 0, 1 has a variance of 1/3"
    assert steadiness.error == pytest.approx((8 / 40 * 1 / 3 / 40) ** 0.5)
    assert steadiness.share is not None and 0.5 < steadiness.share <= 1, "groups and wordings do not vary"


def test_answers_that_need_no_call_say_nothing_of_a_judge(judged: Judged) -> None:
    folder = judged.make("mine", {key: "" if group < 15 else "Oslo (wavering)" for group, key in ids()}, None)
    judged.score(folder, 2)
    assert judged.server.calls == 20 and len(lines(folder)) == 80
    steadiness = judged.rate(folder).judge_checks[METRIC].steadiness
    assert steadiness is not None and (steadiness.again.answers, steadiness.again.same.count) == (10, 0)


def test_only_a_model_can_judge_again(judged: Judged) -> None:
    folder = judged.make("mine", {"g0-0": "Oslo"}, None)
    with pytest.raises(UsageError, match="--repeat-judge is about a model that judges: name one with --model judge="):
        score_named(judged.release, folder, ("rouge_l",), None, repeat_judge=2)


def test_a_judge_that_likes_length_and_its_own_answers(judged: Judged) -> None:
    """Wrong answers in the judge's words are called right where they are long; those of another system never are."""
    wordy = " It is so, as everybody there knows and says."
    mine = {
        key: "Oslo (good)" if group < 8 else f"Perth (good){wordy}" if group < 16 else "Perth" for group, key in ids()
    }
    folder = judged.make("mine", mine, "Acme/Judge-70B")
    other = judged.make("other", {key: "Oslo (good)" if group < 8 else "Perth" for group, key in ids()}, "quill-2")
    judged.score(folder)
    alone = judged.rate(folder).judge_checks[METRIC]
    assert (alone.judge, alone.own.relation) == ("acme/judge-7b", "family")
    assert alone.own.called_right is not None and (
        alone.own.called_right.count == 16 and alone.own.called_right.total == 24
    )
    assert alone.not_observed["self-preference"] == ONE_SYSTEM
    assert alone.length is not None and alone.length.low > 0
    assert judged.rate(folder, other).judge_checks[METRIC].not_observed["self-preference"] == OTHER_JUDGE
    judged.score(other)
    own = judged.rate(folder, other).judge_checks[METRIC].own
    assert own.tells and own.baseline_relation == "other" and own.baseline_called_right is not None
    assert (own.baseline_called_right.count, own.baseline_called_right.total) == (0, 24)
    assert own.difference == pytest.approx(16 / 24) and own.low is not None and own.low > 0
    there = judged.rate(other).judge_checks[METRIC]
    assert there.own.relation == "other" and there.length is None and there.not_observed["length"] == ONE_LENGTH


def test_the_command_says_it_on_page_and_terminal(judged: Judged) -> None:
    marks = {key: " (wavering)" if group < 4 else "" for group, key in ids()}
    folder = judged.make("mine", {key: f"Oslo (good){marks[key]}" for _, key in ids()}, "judge-7b")
    models = ("--model", "judge=judge-7b", "--base-url", judged.server.url, "--cache", str(judged.root / "c.sqlite"))
    place = ("--release", str(judged.root / "release"), "--repeat-judge", "2")
    said = CliRunner().invoke(main, [str(folder), METRIC, *place, *models], env={"OPENAI_API_KEY": KEY})
    assert said.exit_code == 0, said.output
    told = " ".join(said.stderr.split())
    assert "semantic_match, steadiness: judged 2 times, it said the same of 80.0 %" in told
    assert "changed its verdict on 8" in told and "it judges answers of its own model" in told
    assert "not observed of its judge: position" in told
    page = (folder / "score-metric.html").read_text()
    assert "What is observed of the model that judges" in page and "answers of a run are judged one at a time" in page
    found = json.loads((folder / "score-metric.json").read_text())["judge_checks"][METRIC]
    assert found["own"]["relation"] == "same" and found["steadiness"]["again"]["times"] == 2
    rules = CliRunner().invoke(main, [str(folder), "rouge_l", "--release", str(judged.root / "release")])
    assert rules.exit_code == 0 and json.loads((folder / "score-metric.json").read_text())["judge_checks"] == {}


@pytest.mark.parametrize(
    ("one", "other", "relation"),
    [
        ("gpt-4o", "gpt-4o", "same"),
        ("openai/gpt-4o", "gpt-4o-2024-08-06", "same"),
        ("gpt-4o", "openai/GPT-4.1-mini", "family"),
        ("o3-mini", "gpt-4o", "family"),
        ("Qwen/Qwen2.5-7B-Instruct", "qwen3:8b", "family"),
        ("mixtral-8x7b", "mistral-large-latest", "family"),
        ("claude-sonnet-4", "gpt-4o", "other"),
        ("gpt-4o", None, "unknown"),
    ],
)
def test_models_are_related_by_their_names(one: str, other: str | None, relation: str) -> None:
    assert relation_of(one, () if other is None else (other,)) == relation


def test_a_family_is_what_a_name_begins_with() -> None:
    assert [family_of(name) for name in ("meta-llama/Llama-3.1-8B", "llama3", "7b", "ChatGPT-4o-latest")] == [
        "llama", "llama", "7b", "gpt",
    ]  # fmt: skip


WORDS = np.tile([1.0, 2, 4, 8], 5)
CLUSTERS = np.arange(20) // 2
RIGHT = np.repeat([1, 0], [12, 8])


def test_the_slope_is_within_the_same_truth() -> None:
    """Right answers score 0.5 more, and each doubling of words 0.1: of that the truth takes nothing."""
    scores = 0.1 * np.log2(WORDS) + 0.5 * RIGHT
    found = length_effect(scores, WORDS, RIGHT, CLUSTERS)
    assert isinstance(found, LengthEffect)
    assert (found.slope, found.low, found.high) == pytest.approx((0.1, 0.1, 0.1))
    assert (found.answers, found.groups) == (20, 10)


def test_what_truth_explains_is_no_effect_of_length() -> None:
    """Right answers are longer and score more; among answers of one truth length changes nothing on average."""
    words, scores = WORDS * np.where(RIGHT, 16, 1), RIGHT + np.tile([0.1, -0.1, -0.1, 0.1], 5)
    found = length_effect(scores, words, RIGHT, CLUSTERS)
    assert isinstance(found, LengthEffect) and found.low < found.slope < found.high
    assert found.slope == pytest.approx(0, abs=1e-12)


def test_a_slope_worked_out_by_hand() -> None:
    """Lengths -1.5, -0.5, 0.5, 1.5 about their mean, five times; scores 0, 0, 0, 1: the slope is 1.5 / 5.

    Each answer a cluster of its own: what each adds is its length times its rest, over what is left without it.
    """
    scores = np.tile([0.0, 0, 0, 1], 5)
    found = length_effect(scores, WORDS, np.ones(20, dtype=bool), np.arange(20))
    assert isinstance(found, LengthEffect) and found.slope == pytest.approx(0.3)
    lengths, rests = (-1.5, -0.5, 0.5, 1.5), (0.2, -0.1, -0.4, 0.3)
    sums = [length * rest / (1 - length**2 / 25) for length, rest in zip(lengths, rests, strict=True)]
    error = (19 / 20 * 5 * sum(each**2 for each in sums)) ** 0.5 / 25
    assert 2.0 * error < found.high - found.slope < 2.4 * error
    assert found.slope - found.low == pytest.approx(found.high - found.slope)


def test_where_no_slope_can_be_told() -> None:
    assert length_effect(np.ones(20), WORDS, RIGHT, CLUSTERS) == ONE_LENGTH
    assert length_effect(WORDS, np.ones(20), RIGHT, CLUSTERS) == ONE_LENGTH
    assert length_effect(np.array([]), np.array([]), np.array([]), np.array([])) == ONE_LENGTH
    assert length_effect(WORDS % 3, WORDS, RIGHT, CLUSTERS % 9) == FEW_GROUPS
    one_tells_most = np.where(np.arange(20) == 0, 2.0**20, WORDS)
    assert length_effect(WORDS % 3, one_tells_most, np.ones(20, dtype=bool), CLUSTERS) == FEW_GROUPS
