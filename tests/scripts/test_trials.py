"""Trial corpora: each case can be read, and asks something of its schema in a form that there is."""

from collections import Counter

import pytest
from support import in_full

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.sql import parse_template
from benchwright.builders.sql.wording.by_rule import FORMS
from benchwright.scripts.measure.trials.statement_checks import statement_verdicts
from benchwright.scripts.measure.trials.statements import Case, cases, fill
from benchwright.scripts.measure.trials.verdicts import upper_bound
from benchwright.scripts.measure.trials.wording_checks import wording_verdicts
from benchwright.scripts.measure.trials.wordings import trial_schema, wording_cases


def test_each_wordings_sql_is_a_template_of_its_schema() -> None:
    cases = wording_cases()
    assert len(cases) >= 400
    for case in cases:
        schema = trial_schema(case.schema)
        template = parse_template(case.sql, schema.names, schema.dialect)
        assert case.form in FORMS and template.plain and template.placeholders, case.id
        if case.is_good:
            assert all(case.wording.count(item.text) == 1 for item in template.placeholders), case.id


def test_no_wording_is_there_twice_for_a_template_and_form() -> None:
    cases = wording_cases()
    assert len({(case.schema, case.sql, case.form, case.wording) for case in cases}) == len(cases)


@pytest.mark.parametrize("part", ["fresh", "last"])
def test_a_part_for_new_texts_holds_enough_of_each_fault(part: str) -> None:
    counts = Counter(case.fault for case in wording_cases() if case.part == part)
    assert counts.pop("") >= 160 and counts.total() >= 160
    assert len(counts) == 21 and min(counts.values()) >= 5


@pytest.mark.parametrize("every", [3, *in_full(1)])
def test_how_often_the_rules_err_on_the_part_they_were_mended_over(every: int) -> None:
    found = wording_verdicts(None, [case for case in wording_cases() if case.part == "before"][::every])
    wrong, good = ([one for one in found if one.is_good is is_good] for is_good in (False, True))
    assert sum(one.is_error for one in wrong) <= 0.02 * len(wrong)
    assert sum(one.is_error for one in good) <= 0.05 * len(good)


def test_the_upper_bound_is_wilsons() -> None:
    assert (round(upper_bound(0, 200), 4), round(upper_bound(4, 200), 4)) == (0.0188, 0.0503)


@pytest.mark.parametrize(("part", "good", "wrong"), [("before", 201, 211), ("fresh", 195, 320), ("last", 175, 235)])
def test_every_statement_can_be_filled(part: str, good: int, wrong: int) -> None:
    found = list(cases(part))
    assert len({case.id for case in found}) == len(found)
    assert (sum(case.is_good for case in found), sum(not case.is_good for case in found)) == (good, wrong)
    for case in found:
        filled = fill(case)
        assert "{" not in filled.text
        assert len(filled.plan.facts) == len(set(case.facts))


@pytest.mark.parametrize("part", ["fresh", "last"])
def test_a_part_of_statements_for_new_texts_holds_enough_of_each_fault(part: str) -> None:
    counts = Counter(case.fault for case in cases(part) if not case.is_good)
    assert len(counts) == 23 and min(counts.values()) >= 5


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


@pytest.mark.parametrize("every", [3, *in_full(1)])
def test_how_often_the_rules_of_documents_err_on_the_part_they_were_mended_over(every: int) -> None:
    found = statement_verdicts(None, list(cases("before"))[::every])
    wrong, good = ([one for one in found if one.is_good is is_good] for is_good in (False, True))
    assert sum(one.is_error for one in wrong) == 0
    assert sum(one.is_error for one in good) <= 0.02 * len(good)
