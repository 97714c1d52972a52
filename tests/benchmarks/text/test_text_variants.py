"""One form for the variants of a word."""

import pytest

from benchwright.benchmarks.text.folding import words
from benchwright.benchmarks.text.variants import american, falls_in, roman_value, variant, variants


@pytest.mark.parametrize(
    "same",
    [
        ("colour", "color", "colours"),
        ("organised", "organized", "organizes"),
        ("theatre", "theater"),
        ("travelled", "traveled"),
        ("encyclopaedia", "encyclopedia"),
        ("transpiration", "transpiring"),
        ("acidity", "acidic"),
        ("written", "wrote", "writes"),
        ("fourteenth", "14", "xiv"),
        ("twentieth", "twenty", "20", "xx"),
        ("1,000", "1000"),
    ],
)
def test_variants_share_one_form(same: tuple[str, ...]) -> None:
    assert len({variant(word) for word in same}) == 1


@pytest.mark.parametrize("other", [("king", "kings cross"), ("1958", "1959"), ("xiv", "xvi"), ("norway", "normal")])
def test_other_words_do_not(other: tuple[str, str]) -> None:
    assert variant(other[0]) != variant(other[1])


def test_american_spelling() -> None:
    assert [american(word) for word in ("harbour", "hour", "centre", "catalogue", "haemoglobin", "noise")] == [
        "harbor", "hour", "center", "catalog", "hemoglobin", "noise",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("numeral", "value"),
    [("xlii", 42), ("xiv", 14), ("iv", 4), ("lii", 52), ("l", 50), ("mix", None), ("", None), ("iix", None)],
)
def test_roman_numerals(numeral: str, value: int | None) -> None:
    assert roman_value(numeral) == value


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("the thirty-five men", ["the", "35", "man"]),
        ("on the 14th of may", ["on", "the", "14", "of", "may"]),
        ("world war i", ["world", "war", "1"]),
        ("i like it", ["i", "like", "it"]),
        ("the 1950s", ["the", "195_"]),
        ("in the fifteenth century", ["in", "the", "14__"]),
        ("twenty 20", ["20", "20"]),
        ("", []),
    ],
)
def test_words_that_are_one(text: str, forms: list[str]) -> None:
    assert [form for form, _, _ in variants(words(text))] == forms


def test_years_fall_in_their_decade_and_century() -> None:
    assert falls_in("1958", "195_") and falls_in("1450", "14__") and falls_in("140_", "14__")
    assert not falls_in("1961", "195_") and not falls_in("1500", "14__") and not falls_in("195", "195_")
