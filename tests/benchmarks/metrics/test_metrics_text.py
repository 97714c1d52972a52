"""Exact match, token F1 and ROUGE-L."""

import random
from collections.abc import Callable

import pytest

from benchwright.benchmarks.metrics.base import Score
from benchwright.benchmarks.metrics.exact_match import exact_match
from benchwright.benchmarks.metrics.overlap import accepted_forms, squad_tokens
from benchwright.benchmarks.metrics.rouge_l import rouge_l
from benchwright.benchmarks.metrics.token_f1 import token_f1
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question

ASKED = Question(
    "q", "Who?", answers=("The Red Fox", "a Cat"), aliases=(("Fox",), ("Kitten", "Tom")), answer_type="set"
)
ONE = Question("q", "Who?", answers=("the red fox",), answer_type="one")


def test_accepted_forms_put_each_alias_beside_the_first_forms() -> None:
    assert list(accepted_forms(ASKED)) == [
        "The Red Fox, a Cat",
        "Fox, a Cat",
        "The Red Fox, Kitten",
        "The Red Fox, Tom",
    ]


def test_tokens_are_squads() -> None:
    assert squad_tokens("The  U.S.A.'s a-b, and an Ant!") == ["usas", "ab", "and", "ant"]


@pytest.mark.parametrize(
    ("answer", "match", "f1", "rouge"),
    [
        ("The Red Fox, a Cat", 1.0, 1.0, 1.0),
        ("fox cat!", 1.0, 1.0, 4 / 5),
        ("red cat", 0.0, 4 / 5, 4 / 7),
        ("a dog", 0.0, 0.0, 2 / 5),
        ("", 0.0, 0.0, 0.0),
    ],
)
def test_values(answer: str, match: float, f1: float, rouge: float) -> None:
    prediction = Prediction("q", answer)
    assert exact_match(ASKED, prediction).value == match
    assert token_f1(ASKED, prediction).value == pytest.approx(f1)
    assert rouge_l(ASKED, prediction).value == pytest.approx(rouge)


def test_a_word_counts_as_often_as_it_stands() -> None:
    assert token_f1(ONE, Prediction("q", "red red red fox")).value == pytest.approx(2 * 2 / 6)


@pytest.mark.parametrize("metric", [exact_match, token_f1, rouge_l])
def test_what_is_unscored(metric: Callable[[Question, Prediction], Score]) -> None:
    assert metric(Question("q", "Who?"), Prediction("q", "x")).reason == "the question has no gold answer"
    assert metric(ONE, Prediction("q", None, error="timeout")).reason == "the system gave no answer"
    assert metric(ONE, Prediction("q", None, abstained=True)).value == 0.0


def test_rouge_l_is_that_of_rouge_score() -> None:
    scorer = pytest.importorskip(
        "rouge_score.rouge_scorer", reason="rouge-score is a peer for tests alone"
    ).RougeScorer(["rougeL"])
    words = ["Fox,", "cat", "the", "3.5", "über", "red's", "don't_do", "A-B", "naïve", "end."]
    source = random.Random(5)
    for _ in range(500):
        text, reference = (" ".join(source.choices(words, k=source.randrange(12))) for _ in range(2))
        score = rouge_l(Question("q", "?", answers=(reference,)), Prediction("q", text))
        assert score.value == pytest.approx(scorer.score(reference, text)["rougeL"].fmeasure, abs=1e-12)


def test_the_best_of_many_forms_is_that_of_all_of_them() -> None:
    """Forms that cannot win are left out: to the last bit the value is that of the best one alone."""
    words = ["fox", "red", "cat", "the", "a", "Oslo", "7", "oslo,"]
    source, seen = random.Random(6), set()
    for _ in range(2_000):
        forms = [" ".join(source.choices(words, k=source.randrange(5))) for _ in range(source.randrange(1, 9))]
        said = Prediction("q", " ".join(source.choices([*words, "dog"], k=source.randrange(6))))
        together = Question("q", "?", answers=(forms[0],), aliases=(tuple(forms[1:]),))
        for metric in (exact_match, token_f1, rouge_l):
            alone = [metric(Question("q", "?", answers=(form,)), said).value or 0.0 for form in forms]
            assert metric(together, said).value == max(alone), (metric, forms, said)
            seen.add(max(alone))
    assert len(seen) > 10
