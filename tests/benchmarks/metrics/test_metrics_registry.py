"""Metrics are found by module and by entry point."""

import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata

import pytest

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.metrics import Metric, Score, all_metrics, find_metric, registry
from benchwright.benchmarks.metrics.base import plain
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question

NAMES = [
    "correct",
    "evidence_recall@k",
    "exact_match",
    "hit@k",
    "mrr",
    "ndcg@k",
    "precision@k",
    "recall@k",
    "rouge_l",
    "token_f1",
]
LENGTH = Metric(
    "length", "words", "words", "nobody", frozenset({"answer"}), plain(lambda question, prediction: Score(4.0))
)
FULL = Question("q", "?", answers=("x",), documents=("d",), answer_type="one")


def test_the_names_of_the_design() -> None:
    assert set(NAMES) <= set(all_metrics())


@pytest.mark.parametrize("name", [name.replace("@k", "@5") for name in NAMES])
def test_every_metric_says_what_it_is_and_never_gives_nan(name: str) -> None:
    metric = find_metric(name)
    assert metric.name == name and metric.needs
    assert all(len(text) > 10 for text in (metric.meaning, metric.formula, metric.citation))
    for question in (FULL, Question("q", "?")):
        for prediction in (
            Prediction("q", "x"),
            Prediction("q", None, error="e"),
            Prediction("q", None, abstained=True),
        ):
            score = metric.score(question, prediction)
            assert (score.value is None and score.reason) or 0 <= (score.value or 0) <= 1
    assert not metric.score(Question("q", "?"), Prediction("q", "x")).is_scored


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("recall@k", "metric 'recall@k' needs a cut-off: write recall@10, for example."),
        ("recal@5", "no metric 'recal@5': there are "),
        ("recall@0", "no metric 'recall@0': there are "),
        ("recall", "no metric 'recall': there are correct, evidence_recall@k, "),
        ("correct@5", "no metric 'correct@5': there are "),
    ],
)
def test_unknown_names(name: str, message: str) -> None:
    with pytest.raises(BenchwrightError) as error:
        find_metric(name)
    assert str(error.value).startswith(message)


@pytest.fixture
def points(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[metadata.EntryPoint]]:
    found: list[metadata.EntryPoint] = []
    monkeypatch.setattr(
        registry.metadata, "entry_points", lambda group: found if group == "benchwright.metrics" else []
    )
    all_metrics.cache_clear()
    yield found
    all_metrics.cache_clear()


def test_a_metric_of_another_package(points: list[metadata.EntryPoint], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "their_metrics", type(sys)("their_metrics"))
    sys.modules["their_metrics"].LENGTH = LENGTH  # pyright: ignore[reportAttributeAccessIssue]
    points.append(metadata.EntryPoint("length", "their_metrics:LENGTH", "benchwright.metrics"))
    assert find_metric("length").score(FULL, Prediction("q", "x")) == Score(4.0)


def test_a_metric_that_cannot_be_loaded(points: list[metadata.EntryPoint]) -> None:
    points.append(metadata.EntryPoint("length", "no_such_module:X", "benchwright.metrics"))
    with pytest.raises(
        BenchwrightError, match=r"metric 'length' \(no_such_module:X of package unknown\) cannot be loaded: No module"
    ):
        find_metric("length")


def test_a_name_that_is_taken(points: list[metadata.EntryPoint]) -> None:
    points.append(metadata.EntryPoint("mrr", "benchwright.benchmarks.metrics.mrr:METRIC", "benchwright.metrics"))
    with pytest.raises(
        BenchwrightError, match="metric 'mrr' of another package is already one of ours: rename its entry point"
    ):
        find_metric("mrr")


def test_metrics_import_nothing_heavy() -> None:
    code = (
        "import sys, benchwright.benchmarks.metrics as metrics; metrics.all_metrics();"
        "print({'scipy', 'pandas', 'pyarrow', 'datasets'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"
