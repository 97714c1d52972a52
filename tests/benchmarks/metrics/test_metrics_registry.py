"""Metrics are found by module and by entry point."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from benchwright.benchmarks import registry
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.metrics import (
    Metric,
    Need,
    Score,
    default_metrics,
    find_metric,
    judgment_names,
    may_be_judged,
    metric_names,
)
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question

NAMES = [
    "answer_correctness",
    "answer_similarity",
    "context_relevance",
    "correct",
    "evidence_mrr@k",
    "evidence_recall@k",
    "exact_match",
    "factual_correctness",
    "faithfulness",
    "hit@k",
    "mrr",
    "ndcg@k",
    "precision@k",
    "recall@k",
    "rouge_l",
    "token_f1",
]
METRICS = Path(__file__).parents[3] / "benchmarks" / "metrics"
FULL = Question("q", "?", answers=("x",), documents=("d",), answer_type="one")


def test_the_names_of_the_design() -> None:
    assert set(NAMES) <= set(metric_names())


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
    ("name", "source"),
    [
        ("faithfulness", ("Es et al. 2024", "section 3", "Roychowdhury et al. 2024", "A.1", "equation 3")),
        ("answer_relevance", ("Es et al. 2024", "equation 1", "Roychowdhury et al. 2024", "A.2", "equation 4")),
        ("context_relevance", ("Es et al. 2024", "equation 2", "Roychowdhury et al. 2024", "A.3", "equation 5")),
        ("answer_similarity", ("Roychowdhury et al. 2024", "A.4", "equation 6")),
        ("factual_correctness", ("Roychowdhury et al. 2024", "A.5", "equation 7")),
        ("answer_correctness", ("Roychowdhury et al. 2024", "A.5", "equation 8")),
        ("gpt_score_faithfulness", ("Es et al. 2024", "section 5", "GPT Score")),
        ("gpt_ranking_faithfulness", ("Es et al. 2024", "section 5", "GPT Ranking")),
        ("selfcheck", ("Li et al. 2024", "section 4.1", "Manakul et al. 2023")),
        ("ragas_fact", ("Li et al. 2024", "section 4.1", "Es et al. 2024")),
        ("semantic_match", ("Li et al. 2024", "appendix G")),
        ("nugget_recall", ("Pradeep et al. 2024",)),
        ("nugget_recall_weighted", ("Pradeep et al. 2024",)),
        ("citation_precision", ("Thakur et al. 2025",)),
        ("citation_recall", ("Thakur et al. 2025",)),
    ],
)
def test_metrics_of_papers_say_where_their_formula_stands(name: str, source: Sequence[str]) -> None:
    metric = find_metric(name)
    assert not [each for each in source if each not in metric.citation], metric.citation
    assert metric.formula and (METRICS / f"{name}.py").is_file(), "each has a file of its own"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("recall@k", "metric 'recall@k' needs a cut-off: write recall@10, for example."),
        ("recal@5", "no metric 'recal@5': did you mean recall@k?"),
        ("recall@0", "no metric 'recall@0': did you mean recall@k?"),
        ("recall", "no metric 'recall': did you mean recall@k?"),
        ("correct@5", "no metric 'correct@5': did you mean correct?"),
        ("zzz", "no metric 'zzz': there are answer_correctness, answer_relevance, answer_similarity, "),
    ],
)
def test_unknown_names(name: str, message: str) -> None:
    with pytest.raises(BenchwrightError) as error:
        find_metric(name)
    assert str(error.value).startswith(message)


PLUGINS = {
    "politeness.py": """
from benchwright.benchmarks.metrics import Metric, Score, each

METRIC = Metric("politeness", "how polite", "1 if it thanks", "nobody", frozenset({"answer"}),
                rule=each(lambda question, prediction: Score(float("thank" in (prediction.answer or "")))))
""",
    "words_at.py": """
from benchwright.benchmarks.metrics import Metric, MetricAt, Score, each

def at(k):
    return Metric(f"words@{k}", "at least k words", "1 if so", "nobody", frozenset({"answer"}), order=1,
                  rule=each(lambda question, prediction: Score(float(len((prediction.answer or "").split()) >= k))))

METRIC = MetricAt("words", at)
""",
}
POINTS = """[benchwright.metrics]
politeness = politeness
words@k = words_at:METRIC
gone = nothing_here:METRIC
empty = colorsys
seven = politeness:Score
mrr = politeness:METRIC
"""


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Metrics of another package: two that are good, and four that are not."""
    for name, text in PLUGINS.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "manners-1.dist-info").mkdir()
    (tmp_path / "manners-1.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: manners\nVersion: 1\n")
    (tmp_path / "manners-1.dist-info/entry_points.txt").write_text(POINTS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "_states", {})
    registry._entry_points.cache_clear()
    yield
    registry._entry_points.cache_clear()
    for name in ("politeness", "words_at"):
        sys.modules.pop(name, None)


@pytest.mark.usefixtures("plugins")
def test_metrics_of_another_package(caplog: pytest.LogCaptureFixture) -> None:
    assert find_metric("politeness").score(FULL, Prediction("q", "thank you")) == Score(1.0)
    assert find_metric("words@3").score(FULL, Prediction("q", "thank you")) == Score(0.0)
    assert find_metric("mrr").citation.startswith("Voorhees")
    assert default_metrics({"answer"}, 4) == ["words@4", "politeness"]
    left_out = [record.getMessage() for record in caplog.records]
    assert len(left_out) == 4 and all(message.startswith("warning: metric ") for message in left_out)
    assert any("'gone' (nothing_here:METRIC of package manners) is left out: " in message for message in left_out)
    assert any("'empty'" in message and "the module colorsys has no METRIC" in message for message in left_out)
    assert any("'seven'" in message and "it is of type type, not Metric" in message for message in left_out)
    assert any(
        "'mrr' (politeness:METRIC of package manners) is left out: there is another of that name" in message
        for message in left_out
    )
    with pytest.raises(
        BenchwrightError, match=r"^no metric 'gone': nothing_here:METRIC of package manners cannot be used: "
    ):
        find_metric("gone")


def test_what_is_scored_where_nothing_is_named() -> None:
    full: set[Need] = {"answer", "answers", "contexts", "documents", "evidence"}
    by_answer = ["correct", "exact_match", "token_f1", "rouge_l"]
    by_documents = ["hit@5", "recall@5", "precision@5", "mrr", "ndcg@5"]
    assert default_metrics(full, 5) == [*by_answer, "evidence_recall@5", "evidence_mrr@5", *by_documents]
    assert default_metrics({"answer", "contexts", "documents"}, 5) == by_documents
    assert default_metrics({"answer", "contexts"}, 5) == []
    assert default_metrics([*full, "judge"], 5)[-2:] == ["truthfulness", "relevance"]
    assert default_metrics(full, 7, "ndcg@7")[:2] == ["ndcg@7", "correct"]
    assert default_metrics(full, 5, "relevance")[:2] == ["relevance", "correct"], "its twin by rule"
    assert default_metrics({"answer", "answers", "contexts", "evidence"}, 5, "relevance") == [
        *by_answer,
        "evidence_recall@5",
        "evidence_mrr@5",
    ]
    assert default_metrics(full, 5, "no_such_metric") == default_metrics(full, 5)
    with_squad = default_metrics({"answer", "answers"}, 5, configs=["corpus", "squad"])
    assert with_squad == ["correct", "exact_match", "token_f1", "rouge_l", "squad_exact_match", "squad_f1"]


def test_a_metric_needs_a_way_to_score() -> None:
    with pytest.raises(ValueError, match=r"^the metric x has neither a rule nor a judge$"):
        Metric("x", "", "", "", frozenset())


def test_names_that_judgments_may_have() -> None:
    assert all(may_be_judged(name) for name in ("correct", "recall@7", "faithfulness", "retrieved"))
    assert not any(may_be_judged(name) for name in ("corect", "faithfulnes", "recall"))
    assert {"faithfulness", "correct", "recall@k"} <= set(judgment_names())


def test_metrics_import_nothing_heavy() -> None:
    code = (
        "import sys, benchwright.benchmarks.metrics as metrics; metrics.default_metrics({'answer'}, 5);"
        "print({'scipy', 'pandas', 'pyarrow', 'datasets'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"
