"""A sample of questions: whole groups, spread over what they are of, the same for the same seed."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from built import Said

from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_questions
from benchwright.benchmarks.releases.sample import sample_questions
from benchwright.benchmarks.reports.report import make_report
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.score_system import score_system
from benchwright.benchmarks.types import Question


def groups_of(template: str, number: int, forms: str = "ssssllll", **more: object) -> list[Question]:
    """So many groups, each with a question for each letter of `forms`."""
    return [
        Question(
            id=f"{template}-{group}-{place}",
            question="?",
            group=f"{template}-{group}",
            form={"s": "short", "l": "long"}[form],
            template=template,
            **{"hops": 1, "answerability": "answerable", **more},
        )
        for group in range(number)
        for place, form in enumerate(forms)
    ]


QUESTIONS = [*groups_of("a", 30), *groups_of("b", 10, hops=2), *groups_of("c", 20), *groups_of("d", 1)]


def asked(questions: list[Question]) -> Counter[int]:
    """How many groups of a form are asked in how many wordings."""
    return Counter(Counter((each.group, each.form) for each in questions).values())


def test_whole_groups_are_drawn_with_two_wordings_a_form() -> None:
    drawn = sample_questions(QUESTIONS, 50)
    assert (len(drawn), asked(drawn)) == (48, {2: 24})
    assert drawn == [question for question in QUESTIONS if question in drawn]
    three = sample_questions(QUESTIONS, 50, wordings=3)
    assert (len(three), asked(three)) == (48, {3: 16})
    assert asked(sample_questions(QUESTIONS, 50, wordings=1)) == {1: 50}
    assert asked(sample_questions(QUESTIONS, None, wordings=1)) == {1: 2 * 61}


@pytest.mark.parametrize(
    ("limit", "questions", "wordings"), [(243, 240, 2), (244, 244, 2), (365, 244, 2), (366, 366, 3)]
)
def test_as_many_wordings_are_asked_as_fit_for_all_groups(limit: int, questions: int, wordings: int) -> None:
    drawn = sample_questions(QUESTIONS, limit)
    assert len(drawn) == questions and set(asked(drawn)) == {wordings}


def test_all_are_asked_where_all_fit() -> None:
    for limit in (None, len(QUESTIONS), 10**6):
        assert sample_questions(QUESTIONS, limit) == QUESTIONS
    assert sample_questions([], 5) == []


def test_a_limit_below_the_size_of_a_group_asks_a_part_of_one() -> None:
    one, two, three = (sample_questions(QUESTIONS, limit) for limit in (1, 2, 3))
    assert (len(one), len(two), len(three)) == (1, 2, 3)
    assert len({question.group for question in three}) == 1
    assert {question.form for question in two} == {"short", "long"}


def test_a_larger_sample_holds_every_smaller_one() -> None:
    smaller: set[str] = set()
    for limit in range(1, len(QUESTIONS) + 1, 7):
        larger = {question.id for question in sample_questions(QUESTIONS, limit)}
        assert smaller <= larger and len(larger) <= limit
        smaller = larger


def test_groups_are_spread_in_proportion_over_hops_and_templates() -> None:
    for seed in range(20):
        groups = {question.group: question for question in sample_questions(QUESTIONS, 122, seed=seed)}  # a half: 30.5
        hops = Counter(question.hops for question in groups.values())
        templates = Counter(question.template for question in groups.values())
        assert len(groups) == 30
        assert 24 <= hops[1] <= 26 and 4 <= hops[2] <= 6
        assert 13 <= templates["a"] <= 16 and 9 <= templates["c"] <= 11


def test_every_group_has_the_same_chance() -> None:
    drawn = Counter(question.group for seed in range(400) for question in sample_questions(QUESTIONS, 61, 1, seed))
    assert len(drawn) == 61 and sum(drawn.values()) == 400 * 2 * 30
    assert 0.35 < drawn["d-0"] / 800 < 0.65 and 0.35 < drawn["a-3"] / 800 < 0.65  # 30 of 61


def test_a_seed_gives_its_sample_whatever_the_order_of_questions() -> None:
    first = sample_questions(QUESTIONS, 40)
    assert {question.id for question in sample_questions(QUESTIONS[::-1], 40)} == {question.id for question in first}
    assert {question.id for question in sample_questions(QUESTIONS, 40, seed=1)} != {question.id for question in first}


def test_single_questions_are_drawn_where_no_two_share_a_group() -> None:
    alone = [replace(question, group=None) for question in QUESTIONS]
    drawn = sample_questions(alone, 10)
    expected = sorted(alone, key=lambda question: rank(0, question.id))[:10]
    assert {question.id for question in drawn} == {question.id for question in expected}
    assert [question.id for question in drawn] == [q.id for q in alone if q in drawn]


@pytest.fixture
def aurp(standard_aurp: Said) -> Release:
    """Aurp in its standard size."""
    return standard_aurp.release


def test_five_hundred_questions_of_aurp(aurp: Release) -> None:
    questions = load_questions(aurp, "test")
    drawn = sample_questions(questions, 500)
    assert len({question.group for question in drawn}) == 125 and asked(drawn) == {2: 250}
    for column in ("hops", "answerability"):
        there, here = (Counter(getattr(each, column) for each in some) for some in (questions, drawn))
        for value, number in here.items():
            assert number / 500 == pytest.approx(there[value] / len(questions), abs=0.02)


def test_luck_is_not_robust(aurp: Release, tmp_path: Path) -> None:
    """A system that is 2 % right by luck: with single questions drawn its refined R was 1.0, and groups were robust."""

    def lucky(question: str) -> str:
        return answers[question] if rank("luck", question)[0] < 6 else "I don't know"

    answers = {question.question: "; ".join(question.answers) for question in load_questions(aurp, "test")}
    scored = score_system(aurp, lucky, output=tmp_path, name="lucky", options=Options(limit=500, metrics=("correct",)))
    report = make_report(aurp, scored.folder)
    assert 0.01 < (report.metrics["correct"].value or 0) < 0.04
    assert report.groups.asked is not None
    assert (report.groups.asked.total, report.groups.asked.twice, report.groups.asked.judged_twice) == (125, 125, 125)
    assert report.groups.all is not None and report.groups.all["robust"] == report.groups.all["once"] == 0
    for form in report.grammar.forms.values():
        assert (form.refined_accuracy.value, form.lowest_refined_accuracy) == (0.5, 0.5)
        assert form.groups["robust"] == 0 and form.groups["total"] == 125
