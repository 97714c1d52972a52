"""The trial corpus of statements: its cases can be filled, and each says what is wrong with it."""

import pytest

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.aurp.trial_statements import Case, cases, fill


def test_every_case_can_be_filled() -> None:
    found = list(cases("before"))
    assert len({case.id for case in found}) == len(found) >= 10
    for case in found:
        filled = fill(case)
        assert "{" not in filled.text
        assert len(filled.plan.facts) == len(set(case.facts))


@pytest.mark.parametrize(
    ("facts", "text", "expected"),
    [
        (("project.no_column",), "It is so.", "no_column"),
        (("project",), "It is so.", "project is no cell"),
        (("project.start_on.year",), "It is so.", "goes on after start_on"),
        (("project.start_on",), "{project.start_on:hexed}", "no form hexed of a date"),
    ],
)
def test_what_cannot_be_filled_is_named(facts: tuple[str, ...], text: str, expected: str) -> None:
    with pytest.raises((BenchwrightError, KeyError), match=expected):
        fill(Case("x1", "before", facts, text, True))
