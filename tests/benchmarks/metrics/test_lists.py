"""Answers to questions for a list, scored as sets; each case is worked out by hand."""

import pytest

from benchwright.benchmarks.metrics import default_metrics, find_metric
from benchwright.benchmarks.metrics.base import ReleaseData, Score
from benchwright.benchmarks.metrics.correct import correct
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question

STAFF = Question(
    "staff",
    "Which employees work in the Sales department?",
    answers=("Alice Smith", "Bob Jones", "Carla Diaz"),
    aliases=((), ("Robert Jones",), ()),
    answer_type="set",
)
YEARS = Question(
    "years", "In which years did the club win the title?", answers=("1998", "2001", "2004"), answer_type="set"
)
COLOURS = Question(
    "colours", "Which colours does it come in?", answers=("red", "dark blue", "green"), answer_type="set"
)
UNITS = Question(
    "units", "Which units are there?", answers=("Research and Development", "Sales", "Logistics"), answer_type="set"
)
TOWNS = Question("towns", "Which towns have a hub?", answers=("Paris, France", "Rome, Italy"), answer_type="set")
DATES = Question("dates", "On which days was it held?", answers=("4 May 1990", "5 June 1991"), answer_type="set")
PRICES = Question("prices", "What are the prices?", answers=("10.50", "20"), answer_type="set")

CASES: list[tuple[Question, str, tuple[int, int] | None, int]] = [
    # of a question an answer; how many of how many that it names belong to the list; how many of the list it names
    (STAFF, "Alice Smith, Bob Jones and Carla Diaz.", (3, 3), 3),
    (STAFF, "Alice Smith and Bob Jones.", (2, 2), 2),
    (STAFF, "Alice Smith, Robert Jones and Carla Diaz.", (3, 3), 3),
    (STAFF, "Alice Smith, Bob Jones, Carla Diaz and Dora Evans.", (3, 4), 3),
    (STAFF, "The employees in the Sales department are Alice Smith, Dora Evans and Bob Jones.", (2, 3), 2),
    (STAFF, "- Alice Smith\n- Bob Jones\n- Frank Zappa\n", (2, 3), 2),
    (STAFF, "1. **Alice Smith** – account manager, Berlin\n2. **Bob Jones** – clerk\n3. **Carla Diaz**", (3, 3), 3),
    (STAFF, "* Alice Smith\n  - since 2010\n  - in Berlin\n* Zoe Young\n  - since 2011", (1, 2), 1),
    (STAFF, '["Alice Smith", "Bob Jones", "Eve Adams"]', (2, 3), 2),
    (
        STAFF,
        '```json\n{"employees": [{"name": "Alice Smith", "age": 3}, {"name": "Zed Null", "age": 4}]}\n```',
        (1, 2),
        1,
    ),
    (STAFF, '{"Alice Smith": true, "Bob Jones": true, "Zoe Young": false}', (2, 2), 2),
    (STAFF, "| No | Name |\n|---|---|\n| 1 | Alice Smith |\n| 2 | Bob Jones |\n| 3 | Xena Warrior |", (2, 3), 2),
    (STAFF, "Name\tCity\nAlice Smith\tOslo\nBob Jones\tRome\nZoe Young\tRome", (2, 3), 2),
    (STAFF, "Xena Warrior, Conan Barb", (0, 2), 0),
    (STAFF, "The employees are Xena Warrior and Conan Barb.", (0, 2), 0),
    (STAFF, "Alice Smith and Bob Jones, but not Carla Diaz.", (2, 2), 2),
    (STAFF, "In Berlin, Alice Smith and Bob Jones work in Sales, while Zoe Young works in Marketing.", (2, 2), 2),
    (STAFF, "Alice Smith works there. So does Bob Jones. Carla Diaz does too.", (3, 3), 3),
    (STAFF, "Not in Sales:\n- Carla Diaz\n\nIn Sales:\n- Alice Smith\n- Bob Jones", (2, 2), 2),
    (STAFF, "Ms. A. Smith; Mr. B. Jones; C. Diaz; D. Evans", (3, 4), 3),
    (STAFF, "alice smith, bob jones, dora evans", (2, 3), 2),
    (STAFF, "Alice Smith, Alice Smith, Alice Smith", (1, 1), 1),
    (STAFF, "They are mostly from the north of the country.", None, 0),
    (STAFF, "None of these.", None, 0),
    (STAFF, "I don't know.", None, 0),
    (STAFF, "", None, 0),
    (STAFF, "[" * 5_000 + "]" * 5_000, None, 0),
    (YEARS, "1998, 2001 and 2010", (2, 3), 2),
    (YEARS, "- 1998\n- 2001\n- 2004", (3, 3), 3),
    (YEARS, "[1998, 2001, 2004, 2005]", (3, 4), 3),
    (YEARS, "The club won the title in 1998, 2001 and 2004.", (3, 3), 3),
    (COLOURS, "red, dark blue, green and yellow", (3, 4), 3),
    (COLOURS, "It comes in red, green, and yellow.", (2, 3), 2),
    (COLOURS, "yellow, red and green", (2, 3), 2),
    (UNITS, "Research and Development, Sales and Marketing", (2, 3), 2),
    (TOWNS, "Paris, France; Rome, Italy; Oslo, Norway", (2, 3), 2),
    (TOWNS, "Paris\nRome\nOslo", (2, 3), 2),
    (DATES, "May 4, 1990; June 5, 1991; and July 1, 1992", (2, 3), 2),
    (PRICES, "$10.50, $20 and $30", (2, 3), 2),
]


def score(name: str, question: Question, answer: str | None, *, abstained: bool = False) -> Score:
    return find_metric(name).score(question, Prediction(question.id, answer, abstained=abstained))


@pytest.mark.parametrize(("question", "answer", "belong", "named"), CASES, ids=[case[1][:30] for case in CASES])
def test_lists_are_scored_as_sets(question: Question, answer: str, belong: tuple[int, int] | None, named: int) -> None:
    precision = score("list_precision", question, answer).value
    assert precision == (None if belong is None else pytest.approx(belong[0] / belong[1]))
    assert score("list_recall", question, answer).value == pytest.approx(named / len(question.answers))
    assert score("list_complete", question, answer).value == float(named == len(question.answers))


def test_the_reasons_name_what_is_missing_and_what_is_there_besides() -> None:
    answer = "Alice Smith, Bob Jones, Dora Evans, Eve Adams, Finn Berg and Gil Moss."
    besides = "2 of 6 elements named belong to the list; besides: Dora Evans, Eve Adams, Finn Berg and 1 more"
    assert score("list_precision", STAFF, answer).reason == besides
    assert score("list_recall", STAFF, answer).reason == "2 of 3 elements of the list named; missing: Carla Diaz"
    assert score("list_complete", STAFF, answer).reason == "missing: Carla Diaz"


def test_without_a_list_or_an_answer_they_are_unscored() -> None:
    one = Question("one", "Who leads it?", answers=("Alice Smith",), answer_type="one")
    nobody = Question("nobody", "Who?", answers=("Alice Smith",), answer_type="set", answerability="unanswerable")
    for name in ("list_precision", "list_recall", "list_complete"):
        assert score(name, one, "Alice Smith") == Score(None, "the answer is no list")
        assert score(name, nobody, "Alice Smith").reason == "the question is unanswerable"
        assert score(name, Question("empty", "?"), "Alice Smith").reason == "the question has no gold answer"
        assert score(name, STAFF, None).reason == "the system gave no answer"
    assert score("list_precision", STAFF, None, abstained=True).reason == "the answer names no element"
    assert score("list_recall", STAFF, None, abstained=True).value == 0


def test_the_values_of_a_template_are_told_apart_from_the_elements() -> None:
    other = Question("o", "Who works in Law?", answers=("Dora Evans",), answer_type="one", template="t")
    staff = Question("s", STAFF.question, answers=STAFF.answers, answer_type="set", template="t")
    answer = "Alice Smith works there together with Bob Jones, and so does Dora Evans."
    rule = find_metric("list_precision").rule
    assert rule is not None
    found = rule(ReleaseData((staff, other)))([staff], [Prediction("s", answer)])[0]
    assert found.value == pytest.approx(2 / 3) and "besides: Dora Evans" in (found.reason or "")
    assert correct(staff, Prediction("s", "Alice Smith, Bob Jones and Carla Diaz")).value == 1


def test_a_part_of_a_name_is_left_to_a_judge() -> None:
    question = Question("p", "Who signed?", answers=("Alice Maria Smith", "Bob Jones"), answer_type="set")
    for name in ("list_precision", "list_recall", "list_complete"):
        assert score(name, question, "Maria, Bob Jones") == Score(None, "needs a judge")


def test_long_answers_are_read() -> None:
    words = "They told of many things that nobody had asked about. " * 5_000 + "Alice Smith, Bob Jones and Zoe Young."
    assert score("list_recall", STAFF, words).value == pytest.approx(2 / 3)
    assert score("list_precision", STAFF, words).value == pytest.approx(2 / 3)
    beyond = score("list_recall", STAFF, "word " * 90_000 + "Alice Smith")
    assert beyond.value == 0 and (beyond.reason or "").endswith("the first 400,000 of 450,011 characters were read")


def test_they_are_scored_by_default_only_where_there_are_lists() -> None:
    names = {"list_precision", "list_recall", "list_complete"}
    assert not names & set(default_metrics({"answer", "answers"}, 5))
    assert names <= set(default_metrics({"answer", "answers", "lists"}, 5))
