"""Pairs and labels of a release as they are read: whose choice counts, by hand, and rows that are not as they should be."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pairs import label, labels, make_release, pair, pairs

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.pairs import Pair, label_pairs, read_pairs

FAITH = "faithfulness"
ONE = Pair("p-orrin", "When was the mill at Orrin built?")


def said(*choices: str, settled: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Labels of one pair: of annotators one after the other, and what was settled."""
    given = [label(ONE.id, FAITH, choice, f"annotator {place}") for place, choice in enumerate(choices)]
    return [*given, *(label(ONE.id, FAITH, choice, None, resolved=True) for choice in settled)]


@pytest.mark.parametrize(
    ("rows", "choice"),
    [
        (said("first"), "first"),
        (said("second", "second"), "second"),
        (said("first", "second"), None),
        (said("first", "second", settled=["second"]), "second"),
        (said("first", "first", settled=["second"]), "second"),
        (said("first", settled=["first", "second"]), None),
        (said(settled=["first", "first"]), "first"),
        (said("first", "first", "second"), "first"),
        (said("first", "second", "tie"), None),
        (said("tie", "tie", "first"), "tie"),
        (said("first", "first", "second", "tie"), None),
        (said("first", "first", "first", "second", "tie"), "first"),
        (said("answer"), "first"),
        (said("ungrounded_answer"), "second"),
        (said(" First "), "first"),
    ],
)
def test_whose_choice_counts(rows: list[dict[str, Any]], choice: str | None) -> None:
    found, left_out = label_pairs([ONE], rows)
    assert [each.choice for each in found] == [choice] and not left_out
    assert found[0].was_resolved == any(row["resolved"] for row in rows)


def test_labels_that_say_nothing_are_counted_and_left_out() -> None:
    rows = [
        label(ONE.id, FAITH, "first", "Ann"),
        label(ONE.id, FAITH, "poor_answer", "Ben"),
        label(ONE.id, FAITH, "A", "Cy"),
        label(ONE.id, FAITH, "", "Di"),
        label(ONE.id, "fluency", "first", "Ann"),
        label(ONE.id, "", "first", "Ann"),
        label("p-nowhere", FAITH, "first", "Ann"),
        label("p-dev", FAITH, "first", "Ann"),
        label(ONE.id, "context relevance", "context_v2", "Ann"),
        label(ONE.id, "context_relevance", "context_v1", "Ann"),
        label(ONE.id, "context_relevance", "second", "Ben"),
    ]
    found, left_out = label_pairs([ONE], rows, elsewhere={"p-dev"})
    assert [(each.dimension, each.choice, dict(each.votes)) for each in found] == [
        ("faithfulness", "first", {"Ann": "first"}),
        ("context_relevance", "second", {"Ben": "second"}),
    ]
    assert left_out == {
        "'poor_answer' is none of first, second, tie, nor of answer and ungrounded_answer": 1,
        "'A' is none of first, second, tie, nor of answer and ungrounded_answer": 1,
        "nothing is none of first, second, tie, nor of answer and ungrounded_answer": 1,
        "of 'fluency', which is none of faithfulness, answer_relevance, context_relevance": 1,
        "of nothing, which is none of faithfulness, answer_relevance, context_relevance": 1,
        "of a pair that the release has not": 1,
        "of an annotator who chose several": 2,
    }


def test_annotators_without_a_name_are_different_people() -> None:
    found, _ = label_pairs([ONE], [label(ONE.id, FAITH, choice, None) for choice in ("first", "second", "first")])
    assert found[0].choice == "first" and len(found[0].votes) == 3


def test_without_labels_the_first_candidate_is_the_better_one(tmp_path: Path) -> None:
    rows = [*pairs(2), pair("Moor", 1900, poor_answer=None, context_v2=[" "])]
    found = read_pairs(make_release(tmp_path, rows, split="train"))
    assert (found.source, found.split) == ("columns", "train")
    assert {each.choice for each in found.labelled} == {"first"}
    numbers = [sum(each.dimension == name for each in found.labelled) for name in
               ("faithfulness", "answer_relevance", "context_relevance")]  # fmt: skip
    assert numbers == [3, 2, 2], "what is empty is no candidate"


def test_a_release_whose_pairs_cannot_be_used_says_why(tmp_path: Path) -> None:
    rows = pairs(2)
    undecided = [label(row["id"], FAITH, choice, choice) for row in rows for choice in ("first", "second")]
    with pytest.raises(BenchwrightError, match=r"undecided 1\.0\.0 has no pair of which people chose one candidate"):
        read_pairs(make_release(tmp_path, rows, undecided, name="undecided"))
    empty = [pair("Moor", 1900, answer="", context_v1=[])]
    with pytest.raises(BenchwrightError, match=r"empty 1\.0\.0 has no pair with both candidates of a dimension"):
        read_pairs(make_release(tmp_path, empty, name="empty"))
    wrong = [label(rows[0]["id"], FAITH, "A")]
    with pytest.raises(BenchwrightError, match=r"\('A' is none of first, second, tie, nor of .*: 1\)"):
        read_pairs(make_release(tmp_path, rows, wrong, name="wrong"))
    release = make_release(tmp_path, rows, labels(rows))
    assert len(read_pairs(release).labelled) == 6
