"""Tests of metrics on pairs: against chance, between metrics, and metrics that are wrong on purpose."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from built import Built
from pairs import make_release, pairs

from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.metrics import Metric, Score
from benchwright.benchmarks.metrics.base import each
from benchwright.benchmarks.releases.pairs import LabelledPair, LabelledPairs, Pair
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.pairs.agreement import PairRatings, rate_pairs
from benchwright.benchmarks.reports.pairs.blocks import brief, parts_of
from benchwright.benchmarks.reports.pairs.tested import Said, against_chance, between_metrics
from benchwright.benchmarks.runs.pairs.candidates import PairsOfRelease
from benchwright.benchmarks.runs.pairs.scoring import score_candidates
from benchwright.benchmarks.types import Question
from benchwright.cards.report.terminal import terminal_text

PAIRS = 200


def said(name: str, right: list[float], dimension: str = "faithfulness") -> Said:
    clusters = np.arange(len(right), dtype=np.int64)
    return Said(dimension, name, "scores", np.array(right), clusters)  # type: ignore[arg-type]


def test_against_chance_by_hand() -> None:
    """Ten of ten, none of ten and five of ten: the sign test gives 2 / 2 ** 10 twice, and 1."""
    found = against_chance(
        [said("good", [1.0] * 10), said("bad", [0.0] * 10), said("coin", [1.0, 0.0] * 5), said("one", [1.0])]
    )
    assert [(each.name, each.value, each.pairs, each.p) for each in found] == [
        ("good", 1.0, 10, pytest.approx(2 / 1024)),
        ("bad", 0.0, 10, pytest.approx(2 / 1024)),
        ("coin", 0.5, 10, pytest.approx(1.0)),
    ]
    assert [each.p_corrected for each in found] == pytest.approx([6 / 1024, 6 / 1024, 1.0])
    assert [each.beside for each in found] == ["above", "below", "not told from"]


def test_between_metrics_by_hand() -> None:
    """Of nine pairs that both scored, the first alone is right in eight, both in one: McNemar's p is 2 / 2 ** 8."""
    nan = float("nan")
    first = said("first", [1.0] * 9 + [nan, 1.0])
    second = said("second", [0.0] * 8 + [1.0, 1.0, nan])
    elsewhere = said("elsewhere", [1.0] * 9, "answer_relevance")
    ranked = replace(second, name="first", protocol="both orders")
    (only,) = between_metrics([first, second, elsewhere, ranked])[:1]
    assert (only.first, only.second, only.pairs, only.only_first, only.only_second) == ("first", "second", 9, 8, 0)
    assert (only.value, only.p) == (pytest.approx(8 / 9), pytest.approx(2 / 256))
    assert only.low <= only.value <= only.high <= 1
    tests = between_metrics([first, second, elsewhere, ranked])
    assert [(each.first, each.second) for each in tests] == [("first", "second"), ("second", "first")]
    assert tests[0].p_corrected == pytest.approx(4 / 256) and tests[0].is_separated
    assert tests[1].p == 1.0 and not tests[1].is_separated, "they are alike"


def scored_by(name: str, value: object) -> Metric:
    """A metric of answers by a rule."""
    return Metric(name, "of a test", "none", "nobody", frozenset({"answer"}), rule=each(value))  # type: ignore[arg-type]


def _knows(_: Question, prediction: object) -> Score:
    return Score(float("true" in (getattr(prediction, "answer", "") or "")))


def _guesses(_: Question, prediction: object) -> Score:
    return Score(rank("wrong on purpose", getattr(prediction, "answer", ""))[0] / 255)


KNOWING = scored_by("knowing", _knows)
GUESSING = scored_by("guessing", _guesses)
TURNED = replace(KNOWING, name="turned", higher_is_better=False)


@pytest.fixture(scope="session")
def rated(built: Built) -> PairRatings:
    """Two hundred pairs of which people chose the true answer, first or second, held against three metrics."""

    def make(folder: Path) -> None:
        make_release(folder, pairs())

    release = Release.load(built.folder("pairs", make) / "mills/1.0.0")
    rows = [
        Pair(f"p{place}", f"Question {place}?", "source", *(("true {}", "false {}") if place % 2 else
             ("false {}", "true {}")), "", ("c",), ("d",))
        for place in range(PAIRS)
    ]  # fmt: skip
    rows = [
        replace(pair, answer=pair.answer.format(pair.id), ungrounded_answer=pair.ungrounded_answer.format(pair.id))
        for pair in rows
    ]
    labelled = [
        LabelledPair(pair, "faithfulness", "first" if pair.answer.startswith("true") else "second") for pair in rows
    ]
    found = PairsOfRelease(release, LabelledPairs("test", rows, labelled, "labels", {}))
    metrics = [KNOWING, GUESSING, TURNED]
    return rate_pairs(found, metrics, score_candidates(found, metrics, []))


def test_a_metric_that_is_wrong_on_purpose_comes_out_near_chance(rated: PairRatings) -> None:
    cells = {row.name: row.cells["faithfulness"] for row in rated.rows}
    guessing = cells["guessing"]
    assert (cells["knowing"].value, cells["turned"].value) == (1.0, 0.0)
    assert guessing.value is not None and abs(guessing.value - 0.5) < 0.08
    assert guessing.low is not None and guessing.high is not None and guessing.low < 0.5 < guessing.high
    assert {each.name: each.beside for each in rated.chance} == {
        "knowing": "above",
        "guessing": "not told from",
        "turned": "below",
    }


def test_metrics_are_told_apart_on_the_same_pairs(rated: PairRatings) -> None:
    assert [(each.first, each.second, each.is_separated) for each in rated.tests] == [
        ("knowing", "guessing", True),
        ("knowing", "turned", True),
        ("guessing", "turned", True),
    ]
    assert all(each.pairs == PAIRS and each.low < each.value < each.high + 1e-9 for each in rated.tests[:1])
    assert rated.tests[1].value == 1.0


def test_page_and_terminal_say_it(rated: PairRatings) -> None:
    assert [part.id for part in parts_of(rated)][:4] == ["agreement", "chance", "tests", "counts"]
    told = " ".join(terminal_text(brief(rated)).split())
    assert "Not told from chance (0.50): in faithfulness guessing." in told
    assert "Below chance, so that the metric prefers the other candidate: in faithfulness turned." in told
    assert "knowing less guessing" in told and "+1.00 (+0.99 to +1.00) < 0.001" in told
    many = replace(rated, tests=rated.tests * 10)
    told = " ".join(terminal_text(brief(many)).split())
    assert "30 tests between metrics, of which 30 tell two apart: see the page." in told
