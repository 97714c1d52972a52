"""Judgments: several judges of one run, and whose verdicts are taken."""

from pathlib import Path
from typing import Any

import pytest

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.judgments import (
    Judge,
    Judgment,
    chosen_judges,
    judgment_line,
    read_judgments,
    verdicts_of,
)

ANN, BOB = Judge("human", "Ann"), Judge("human", "Bob", "2")
NOBODY = Judge()
FIRST, SECOND = Judge("model", "first", "abc"), Judge("model", "second", "abc")


def judgment(name: str, value: Any, judge: Judge = NOBODY, metric: str = "relevance", **more: Any) -> Judgment:
    return Judgment(name, metric, value, judge=judge, **more)


def read(path: Path, *lines: str) -> list[Judgment]:
    path.write_text("".join(f"{line}\n" for line in lines))
    return read_judgments(path, {"q", "r"}, "the test", lambda name: name == "correct", ["correct"])


def test_a_line_with_everything(tmp_path: Path) -> None:
    line = (
        '{"id": "q", "metric": "correct", "value": "Right", "condition": "gold", "repeat": 2, "candidate": "first", '
        '"judge": {"kind": "human", "name": "Ann", "version": 3}, "judge_repeat": 1, "reason": "so", "trace": {"a": 1}}'
    )
    (found,) = read(tmp_path / "j.jsonl", line)
    assert found == Judgment("q", "correct", "Right", "gold", 2, "first", Judge("human", "Ann", "3"), 1, "so", {"a": 1})
    assert (found.score, found.why, found.prediction) == (1.0, "so", ("q", "gold", 2))
    assert found.key == ("q", "gold", 2, "correct", "first", "human:Ann:3", 1)


def test_what_is_null_or_absent(tmp_path: Path) -> None:
    nothing = '"condition": null, "repeat": null, "judge": null, "reason": null, "trace": null, "judge_repeat": null'
    one, two = read(
        tmp_path / "j.jsonl",
        f'{{"id": "q", "metric": "correct", "value": null, {nothing}}}',
        "",
        '{"id": "r", "metric": "correct", "value": true, "more": 1}',
    )
    assert one == Judgment("q", "correct", None) and one.why == "the judge gave no value"
    assert (two.score, two.why, str(two.judge)) == (1.0, None, "not named")


def test_the_same_judgment_of_two_judges_is_no_second_one(tmp_path: Path) -> None:
    ann = '{"id": "q", "metric": "correct", "value": 1, "judge": {"name": "Ann"}}'
    assert len(read(tmp_path / "j.jsonl", ann, ann.replace("Ann", "Bob"), ann[:-1] + ', "judge_repeat": 1}')) == 3
    with pytest.raises(BenchwrightError, match=r"^j\.jsonl, line 3: a second judgment of correct for 'q': keep one$"):
        read(tmp_path / "j.jsonl", ann, "", ann)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": 7, "metric": "correct", "value": 1}', "'id' must be a text"),
        ('{"id": "q", "metric": "correct"}', "a judgment needs 'id', 'metric' and 'value'"),
        ('{"id": "q", "metric": "correct", "value": NaN}', "'value' must be a number, null or one of "),
        ('{"id": "q", "metric": "correct", "value": 1, "repeat": true}', "'repeat' must be a whole number"),
        ('{"id": "q", "metric": "correct", "value": 1, "reason": 3}', "'reason' must be a text"),
        ('{"id": "q", "metric": "correct", "value": 1, "trace": [1]}', "'trace' must be an object"),
        ('{"id": "q", "metric": "correct", "value": 1, "judge": []}', "'judge' must be an object with kind, name"),
        ('{"id": "q", "metric": "correct", "value": 1', "not JSON: the line may be cut off; write it anew or delete"),
    ],
)
def test_lines_that_are_no_judgments(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(BenchwrightError) as error:
        read(tmp_path / "j.jsonl", line)
    assert str(error.value).startswith(f"j.jsonl, line 1: {message}")


def test_a_line_is_written_without_what_says_nothing() -> None:
    assert judgment_line(judgment("q", None)) == {
        "id": "q", "metric": "relevance", "condition": "own", "repeat": 0, "value": None,
    }  # fmt: skip
    assert judgment_line(judgment("q", 2.0, FIRST, reason="r", trace={"steps": []}))["judge"] == {
        "kind": "model", "name": "first", "version": "abc",
    }  # fmt: skip


def test_whose_verdicts_are_taken() -> None:
    both = [judgment(name, 1.0, judge) for judge in (SECOND, FIRST) for name in ("q", "r")]
    assert chosen_judges(both) == {"relevance": ("model:first:abc",)}
    assert chosen_judges([*both, judgment("s", 1.0, SECOND)]) == {"relevance": ("model:second:abc",)}
    people = [*both, judgment("q", 1.0, ANN), judgment("r", 1.0, BOB)]
    assert chosen_judges(people) == {"relevance": ("human:Ann",)}
    own, before = {("relevance", "model:first:abc")}, {"relevance": ("model:second:abc",)}
    assert chosen_judges(people, own=own, before=before) == {"relevance": ("model:first:abc",)}
    assert chosen_judges(people, before=before) == {"relevance": ("model:second:abc",)}
    given = {("relevance", "human:Bob:2"), ("relevance", "human:Ann")}
    assert chosen_judges(people, given, own) == {"relevance": ("human:Ann", "human:Bob:2")}
    other = judgment("q", 0.0, Judge("rule", "r"), metric="correct")
    assert chosen_judges([*people, other], given)["correct"] == ("rule:r",)


def test_those_who_divided_the_work_are_taken_together() -> None:
    judgments = [judgment("q", 1.0, ANN), judgment("q", 0.0, BOB), judgment("r", 0.0, BOB), judgment("s", 1.0, FIRST)]
    verdicts = verdicts_of(judgments, {"relevance": ("human:Ann", "human:Bob:2")})
    assert {key[0]: str(each["relevance"].judge) for key, each in verdicts.items()} == {
        "q": "human:Ann", "r": "human:Bob:2",
    }  # fmt: skip


def test_a_judge_who_judged_twice_counts_once_and_candidates_are_no_verdicts() -> None:
    judgments = [
        judgment("q", 0.0, ANN, judge_repeat=1),
        judgment("q", 1.0, ANN),
        judgment("r", 1.0, ANN, candidate="second"),
    ]
    verdicts = verdicts_of(judgments, chosen_judges(judgments))
    assert {key: each["relevance"].score for key, each in verdicts.items()} == {("q", "own", 0): 1.0}
