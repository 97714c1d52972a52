"""The judgment of answers beside people's verdicts: tables of hard answers and of ordinary ones to open questions."""

from collections import Counter

import pytest
from click.testing import CliRunner

from benchwright.scripts.measure.agreement import CASES, TABLES, Agreement, agreement, main, read_cases

HARD, ORDINARY = (read_cases(CASES / name) for name in TABLES)


def test_the_tables_are_many_answers_to_many_questions() -> None:
    assert Counter(case["written"] for case in HARD) == {"before": 250, "after": 250}
    assert Counter(case["written"] for case in ORDINARY) == {"before": 450, "while": 450, "after": 750}
    assert len({case["question"] for case in HARD}) == 481 and len({case["question"] for case in ORDINARY}) == 329
    for table in (HARD, ORDINARY):
        assert 0.25 < sum(case["outcome"] != "correct" for case in table) / len(table) < 0.45


@pytest.mark.parametrize(
    ("table", "written", "expected"),
    [
        (HARD, "before", Agreement(250, undecided=7, right_refused=1, wrong_accepted=10, wrong=100)),
        (HARD, "after", Agreement(250, undecided=7, right_refused=13, wrong_accepted=13, wrong=100)),
        (ORDINARY, "before", Agreement(450, undecided=15, right_refused=7, wrong_accepted=6, wrong=121)),
        (ORDINARY, "while", Agreement(450, undecided=26, right_refused=11, wrong_accepted=2, wrong=120)),
        (ORDINARY, "after", Agreement(750, undecided=37, right_refused=17, wrong_accepted=6, wrong=204)),
    ],
    ids=["hard before", "hard after", "ordinary before", "ordinary while", "ordinary after"],
)
def test_how_far_the_rules_say_what_people_say(
    table: list[dict[str, object]], written: str, expected: Agreement
) -> None:
    """A change of any figure is a change of what users are told: better ones are pinned anew."""
    assert agreement(case for case in table if case["written"] == written) == expected


def test_the_program_prints_each_miss() -> None:
    result = CliRunner().invoke(main, ["--quick", "--misses"], catch_exceptions=False)
    assert "hard_answers:    100 cases" in result.output and "kind near-miss" in result.output
    assert "wrong by people, correct (names the gold answer and no other value)" in result.output
