"""The frames of wordings.toml."""

import string

import pytest

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.telequad.questions.wordings import FORMS, quoted, worded

FRAMES = read_toml("benchwright.builders.telequad.questions", "wordings.toml")
_SAME = {"for_row": "of_row", "verb_s": "verb"}
"""Placeholders for the same words in another form."""


@pytest.mark.parametrize("name", FRAMES)
def test_frames_keep_to_their_form(name: str) -> None:
    assert set(FRAMES[name]) == set(FORMS)
    fields = [
        {str(_SAME.get(field, field)) for _, field, _, _ in string.Formatter().parse(frame) if field}
        for form in FORMS
        for frame in FRAMES[name][form]
    ]
    assert all("document" in each and len(each) > 1 for each in fields)
    assert len({tuple(sorted(each)) for each in fields}) == 1, "all frames of a table name the same things"
    assert all(len(FRAMES[name][form]) == len(set(FRAMES[name][form])) >= 4 for form in FORMS)
    assert all(frame.endswith("?") and frame.count("?") == 1 for frame in FRAMES[name]["interrogative"])
    assert all(len(frame.split()) >= 30 and frame.endswith((".", "?")) for frame in FRAMES[name]["long"])
    assert all(len(frame.split()) <= 12 for frame in FRAMES[name]["short"])


def test_wordings_are_sentences() -> None:
    filled = worded("definition", document="ZZZ 1.234", term="cell")
    assert filled["short"][0] == "definition of cell in ZZZ 1.234"
    assert filled["interrogative"][0] == "How does ZZZ 1.234 define the term cell?"


def test_what_is_missing_is_named() -> None:
    with pytest.raises(BenchwrightError, match="needs term"):
        worded("definition", document="ZZZ 1.234")
    with pytest.raises(BenchwrightError, match="has no table 'nothing'"):
        worded("nothing", document="ZZZ 1.234")


def test_names_of_several_words_are_quoted() -> None:
    assert [quoted(name) for name in ("T101", "access slot", '"x y"')] == ["T101", '"access slot"', '"x y"']
