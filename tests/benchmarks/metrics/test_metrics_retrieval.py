"""Retrieval metrics: equal to trec_eval's, and evidence recall by text."""

import random

import numpy as np
import pytest

from benchwright.benchmarks.metrics import evidence_recall, find_metric
from benchwright.benchmarks.metrics.base import ReleaseData
from benchwright.benchmarks.predictions import Context, Prediction, Usage
from benchwright.benchmarks.types import Document, Evidence, Question

CUT_OFFS = (1, 3, 10, 200)
THEIRS = {
    "mrr": "recip_rank",
    **{f"ndcg@{k}": f"ndcg_cut_{k}" for k in CUT_OFFS},
    **{f"recall@{k}": f"recall_{k}" for k in CUT_OFFS},
    **{f"precision@{k}": f"P_{k}" for k in CUT_OFFS},
    **{f"hit@{k}": f"success_{k}" for k in CUT_OFFS},
}
"""Our names → trec_eval's."""


def random_runs(seed: int) -> tuple[list[Question], list[Prediction]]:
    """Questions with up to 60 gold documents, and up to 350 contexts for each."""
    source = random.Random(seed)
    questions, predictions = [], []
    for number in range(300):
        gold = source.sample(range(400), source.choice([1, 1, 2, 5, 60]))
        found = source.sample(range(400), source.choice([0, 1, 2, 10, 100, 350]))
        questions.append(Question(f"q{number}", "?", documents=tuple(f"d{each}" for each in gold)))
        contexts = tuple(Context(id=f"d{each}") for each in found)
        predictions.append(Prediction(f"q{number}", "x", contexts=contexts, usage=Usage(retrievals=1)))
    return questions, predictions


def test_equal_to_pytrec_eval() -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="pytrec-eval-terrier is a peer for tests alone")
    questions, predictions = random_runs(7)
    wanted = {"recip_rank"} | {f"{name}.1,3,10,200" for name in ("ndcg_cut", "recall", "P", "success")}
    qrels = {each.id: dict.fromkeys(each.documents, 1) for each in questions}
    run = {
        each.id: {str(context.id): float(-place) for place, context in enumerate(each.contexts)} for each in predictions
    }
    theirs = pytrec_eval.RelevanceEvaluator(qrels, wanted).evaluate(run)
    for name, other in THEIRS.items():
        rule = find_metric(name).rule
        assert rule is not None
        values = [score.value or 0.0 for score in rule(ReleaseData(questions))(questions, predictions)]
        expected = [theirs.get(each.id, {}).get(other, 0.0) for each in questions]
        np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12, err_msg=name)


def test_no_questions() -> None:
    for name in THEIRS:
        rule = find_metric(name).rule
        assert rule is not None and list(rule(ReleaseData())([], [])) == []


ASKED = Question("q", "?", documents=("a", "b"))


@pytest.mark.parametrize(
    ("contexts", "values"),
    [
        ([], {"hit@1": 0, "recall@3": 0, "precision@3": 0, "mrr": 0, "ndcg@3": 0}),
        (["a"], {"hit@1": 1, "recall@3": 0.5, "precision@3": 1 / 3, "mrr": 1, "ndcg@3": 1 / (1 + 1 / np.log2(3))}),
        (["x", "x", "a"], {"hit@1": 0, "hit@2": 1, "recall@2": 0.5, "precision@2": 0.5, "mrr": 0.5}),
        (["x", None, "b", "b", "a"], {"hit@3": 1, "recall@3": 0.5, "recall@4": 1, "mrr": 1 / 3, "precision@10": 0.2}),
        ([f"x{n}" for n in range(400)] + ["a"], {"hit@10": 0, "mrr": 1 / 401, "recall@500": 0.5}),
    ],
)
def test_of_predictions(contexts: list[str | None], values: dict[str, float]) -> None:
    found = tuple(Context(id=each, text="t") for each in contexts)
    prediction = Prediction("q", "x", contexts=found, usage=Usage(retrievals=1))
    for name, value in values.items():
        assert find_metric(name).score(ASKED, prediction).value == pytest.approx(value), name


@pytest.mark.parametrize("usage", [Usage(), Usage(input_tokens=3), Usage(retrievals=0)])
@pytest.mark.parametrize(
    "name", ["hit@1", "recall@3", "precision@3", "mrr", "ndcg@3", "evidence_recall@3", "evidence_mrr@3"]
)
def test_what_is_not_shown_is_not_zero(name: str, usage: Usage) -> None:
    asked = Question("q", "?", documents=("a",), evidence=(Evidence("a", 0, 3),))
    score = find_metric(name).score(asked, Prediction("q", "x", usage=usage))
    assert (score.value, score.reason) == (None, "handed in no contexts")
    found_nothing = find_metric(name).score(asked, Prediction("q", "x", usage=Usage(retrievals=2)))
    assert (found_nothing.value, found_nothing.reason) == (0.0, None)
    assert "no gold" in str(find_metric("mrr").score(Question("q", "?"), Prediction("q", "x")).reason)


def test_the_matched_document_goes_before_the_own_id() -> None:
    prediction = Prediction("q", "x", contexts=(Context(id="chunk-7", document="a"),))
    assert find_metric("mrr").score(ASKED, prediction).value == 1.0
    score = find_metric("mrr").score(Question("q", "?"), prediction)
    assert (score.value, score.reason) == (None, "the question has no gold documents")


TEXT = "Sky Bridge began on 1 September 2022. Its “client” is TechCorp – since 2021."
CORPUS = {"a": Document("a", "Sky Bridge", TEXT), "b": Document("b", "Copy", "TechCorp is the client.")}
FACTS = Question("q", "?", evidence=(Evidence("a", 0, 37), Evidence("a", 38, 76, fact=1), Evidence("b", 0, 23, fact=1)))


@pytest.mark.parametrize(
    ("contexts", "value"),
    [
        ([], 0.0),
        ([Context(id="a", start=0, end=76)], 1.0),
        ([Context(id="a", start=0, end=36)], 0.0),
        ([Context(id="a", start=1, end=76)], 0.5),
        ([Context(id="a")], 1.0),
        ([Context(id="mine", text=TEXT)], 1.0),
        ([Context(text="sky  bridge began\non 1 SEPTEMBER 2022.")], 0.5),
        ([Context(text='Its "client" is **TechCorp** - since 2021.')], 0.5),
        ([Context(id="b"), Context(text="… Sky Bridge began on 1 September 2022. …")], 1.0),
        ([Context(text="nothing"), Context(id="a")], 0.0),
        ([Context(id="a", start=0, end=10, text="Sky Bridge")], 0.0),
        ([Context(id="x", document="a", start=0, end=50)], 0.5),
    ],
)
def test_evidence_recall(contexts: list[Context], value: float) -> None:
    k = 1 if contexts and contexts[0].text == "nothing" else 10
    rule = evidence_recall.at(k).rule
    assert rule is not None
    score = rule(ReleaseData((FACTS,), CORPUS))
    prediction = Prediction("q", "x", contexts=tuple(contexts), usage=Usage(retrievals=1))
    assert score([FACTS], [prediction])[0].value == value


@pytest.mark.parametrize(
    ("contexts", "value"),
    [
        ([], 0.0),
        ([Context(id="a", start=0, end=76)], 1.0),
        ([Context(id="a", start=0, end=37), Context(id="x"), Context(id="b")], 1 / 3),
        ([Context(id="x"), Context(id="a"), Context(id="b")], 0.5),
        ([Context(id="a", start=0, end=37), Context(id="a", start=0, end=40)], 0.0),
        ([*[Context(id="x")] * 4, Context(id="a")], 0.2),
        ([*[Context(id="x")] * 5, Context(id="a")], 0.0),
    ],
)
def test_how_far_up_all_that_is_needed_is_stated(contexts: list[Context], value: float) -> None:
    rule = find_metric("evidence_mrr@5").rule
    assert rule is not None
    prediction = Prediction("q", "x", contexts=tuple(contexts), usage=Usage(retrievals=1))
    assert rule(ReleaseData((FACTS,), CORPUS))([FACTS], [prediction])[0].value == value


def test_a_batch_has_the_values_of_its_questions_alone() -> None:
    draw = random.Random(5)
    names = [f"d{number}" for number in range(40)]
    questions, predictions = [], []
    for number in range(300):
        gold = tuple(draw.sample(names, number % 13))
        ranked = [Context(id=name) for name in draw.sample(names, number % 17)]
        questions.append(Question(f"q{number}", "?", documents=gold))
        predictions.append(Prediction(f"q{number}", "x", contexts=tuple(ranked)))
    for name in ("hit@3", "recall@5", "precision@5", "mrr", "ndcg@7"):
        metric = find_metric(name)
        assert metric.rule is not None
        together = list(metric.rule(ReleaseData())(questions, predictions))
        alone = [metric.score(*pair) for pair in zip(questions, predictions, strict=True)]
        assert together == alone and len({score.value for score in alone}) > 2, name


def test_evidence_recall_unscored() -> None:
    with_text = Prediction("q", "x", contexts=(Context(text="x"),))
    metric = find_metric("evidence_recall@5")
    assert metric.score(Question("q", "?"), with_text).reason == "the question has no evidence"
    assert metric.score(FACTS, with_text).reason == "the corpus does not hold document 'a' of the evidence"
    assert metric.score(FACTS, Prediction("q", "x", contexts=(Context(id="a", start=0, end=99),))).value == 1.0
