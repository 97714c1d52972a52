"""Where sentences end, for each of those who split."""

import pytest

from benchwright.benchmarks.metrics.answers import cues
from benchwright.benchmarks.text.sentences import PROSE, Splitter, ending_dot, stretch_at
from benchwright.builders.wiki.questions.subjects import split_sentences

TEXT = 'The bridge (built 1932.) is old. "It stands!" 12 men made it.  Dr. Hale paid;\n  so what? e.g. he did.'


def split(splitter: Splitter, text: str) -> list[str]:
    return [text[start:end] for start, end in splitter.spans(text)]


def test_prose_is_cut_before_capitals_and_figures_and_at_line_breaks() -> None:
    assert split(PROSE, TEXT) == [
        "The bridge (built 1932.) is old.",
        '"It stands!"',
        "12 men made it.",
        "Dr.",
        "Hale paid;",
        "so what? e.g. he did.",
    ]


@pytest.mark.parametrize(
    ("splitter", "expected"),
    [
        (Splitter(), ["One: two. three; (four.) five"]),
        (Splitter(begins=""), ["One: two.", "three; (four.)", "five"]),
        (Splitter(begins="", closing=""), ["One: two.", "three; (four.) five"]),
        (Splitter(begins="", marks="[.!?:]"), ["One:", "two.", "three; (four.)", "five"]),
        (Splitter(always=";"), ["One: two. three;", "(four.) five"]),
        (Splitter(marks=ending_dot(["TWO".lower()]), begins=""), ["One: two. three; (four.)", "five"]),
    ],
)
def test_what_users_differ_in_is_a_parameter(splitter: Splitter, expected: list[str]) -> None:
    assert split(splitter, "One: two. three; (four.) five") == expected


def test_sentences_leave_no_gap_where_a_place_is_looked_up() -> None:
    text = "One.  Two three.\n\nFour"
    starts = PROSE.starts(text)
    assert starts == (0, 6, 18)
    assert [stretch_at(starts, len(text), at) for at in (0, 5, 6, 17, 18, 21)] == [
        (0, 6), (0, 6), (6, 18), (6, 18), (18, 22), (18, 22),
    ]  # fmt: skip
    assert (PROSE.starts(""), PROSE.spans(" \n ")) == ((0,), [])


def test_answers_are_cut_at_semicolons_and_not_after_abbreviations() -> None:
    lowered = 'it is dr. smith, e.g. "him." yes; see no. 4... 5 p.m. it was'
    assert [lowered[slice(*stretch_at(cues.sentence_starts(lowered), len(lowered), at))] for at in (0, 30, 35, 50)] == [
        'it is dr. smith, e.g. "him." ', "yes; ", "see no. 4... ", "5 p.m. it was",
    ]  # fmt: skip


def test_articles_are_cut_where_a_quote_closes_and_not_after_initials() -> None:
    text = 'J. R. Hall of the U.S. Navy led the 2. Bundesliga in Feb. 2020.He won "vs." Then St. Pauli won.[3] End'
    assert [text[start:end] for start, end in split_sentences(text)] == [
        "J. R. Hall of the U.S. Navy led the 2. Bundesliga in Feb. 2020.",
        'He won "vs."',
        "Then St. Pauli won.[3] End",
    ]
