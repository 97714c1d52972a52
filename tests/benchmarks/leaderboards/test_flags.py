"""What readers are told of submissions whose answers look copied; and that honest ones are told nothing of."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from submission_cases import PLACE, PULL

from benchwright.benchmarks.leaderboards.flags import SKETCH, alike, find_flags, is_verbatim, sketch_of
from benchwright.benchmarks.leaderboards.verdict import Verdict
from benchwright.benchmarks.types import Question

QUESTIONS = [
    Question(f"q{n}", f"Question {n}?", (f"Gold {n}",), ((f"G. {n}",),), "one", "gap" if n >= 60 else "answerable")
    for n in range(100)
]
COPIED = {each.id: each.answers[0] for each in QUESTIONS}
HONEST = {each.id: f"I read that it is {'Gold' if n % 3 else 'Tin'} {n}." for n, each in enumerate(QUESTIONS)}


def told(answers: dict[str, str], others: Sequence[Verdict] = (), **versions: dict[str, tuple[str, ...]]) -> list[str]:
    named = {name.removeprefix("v").replace("_", "."): gold for name, gold in versions.items()}
    return list(find_flags(QUESTIONS, answers, sketch_of(QUESTIONS, answers), PLACE, others, named))


def verdict_of(answers: dict[str, str], system: str = "theirs", version: str = "1.0.0") -> Verdict:
    facts = ("c" * 64, "bob", PULL.number, PULL.revision, PULL.submitted, True)
    return Verdict("small", version, system, *facts, sketch=sketch_of(QUESTIONS, answers))


def test_gold_answers_copied_in_full_are_told() -> None:
    assert told(COPIED) == [
        "gives the gold answer letter for letter to 60 of 60 questions that the documents answer",
        "gives the gold answer letter for letter to 40 of 40 known gaps, which no document answers",
    ]
    assert told({**COPIED, "q0": "Gold 1", "q1": "x", "q2": "y", "q3": "z"})[0].startswith("gives the gold answer")
    few = {f"q{n}": "x" for n in range(4)} | {f"q{n}": "y" for n in range(60, 91)}
    assert told({**COPIED, **few}) == []
    assert told(HONEST) == []


@pytest.mark.parametrize(
    ("answer", "expected"),
    [("Ada, Bo", True), ("Ada; Bo", True), ("Ada and Bo.", True), ("Bo, Ada", False), ("Ada", False), (None, False)],
)
def test_a_set_is_copied_where_all_of_it_stands_there_in_its_order(answer: str | None, expected: bool) -> None:
    assert is_verbatim(("Ada", "Bo"), answer) is expected


def test_who_knows_gaps_is_told_of_and_who_says_yes_or_no_is_not() -> None:
    knowing = {f"q{n}": f"Gold {n}" for n in range(60, 70)}
    assert told({**HONEST, **knowing}) == [
        "gives the gold answer letter for letter to 10 of 40 known gaps, which no document answers"
    ]
    assert told({**HONEST, **knowing, "q60": "Tin"}) == []
    asked = [replace(each, answers=("Yes",), answer_type="boolean") for each in QUESTIONS]
    said = {each.id: "Yes" for each in asked}
    assert (
        list(find_flags(asked, said, sketch_of(asked, said), PLACE, (), {"1.0.0": dict.fromkeys(said, ("No",))})) == []
    )


def test_the_answers_of_another_submission_are_told() -> None:
    assert told(HONEST, [verdict_of(HONEST)]) == [
        "100% of its answers that are not the gold ones are those of theirs (bob)"
    ]
    shouted = {name: answer.upper() for name, answer in HONEST.items()}
    assert len(told(shouted, [verdict_of(HONEST)])) == 1
    other = {name: answer.replace("I read", "It says") for name, answer in HONEST.items()}
    assert told(other, [verdict_of(HONEST)]) == []
    half = {**HONEST, **{each.id: other[each.id] for each in QUESTIONS[:50]}}
    assert told(half, [verdict_of(HONEST)]) == []
    assert told(HONEST, [verdict_of(HONEST, PLACE.system), verdict_of(HONEST, version="2.0.0")]) == []


def test_a_flag_is_not_lost_with_the_next_revision() -> None:
    flagged = replace(verdict_of(COPIED, PLACE.system), flags=("gives the gold answer letter for letter", "was late"))
    said = ["of an earlier revision: gives the gold answer letter for letter", "of an earlier revision: was late"]
    assert told(HONEST, [flagged]) == said
    assert told(HONEST, [replace(flagged, flags=tuple(said))]) == said
    assert told(HONEST, [replace(flagged, system="theirs", sketch=())]) == []


def test_right_answers_and_phrases_make_nobody_alike() -> None:
    """Two systems that both know the answers, or that both say that they do not, have copied nothing."""
    assert sketch_of(QUESTIONS, COPIED) == ()
    assert sketch_of(QUESTIONS, {each.id: "I don't know." for each in QUESTIONS}) == ()
    assert told(COPIED | {"q0": "x"}, [verdict_of(COPIED)])[2:] == []


def test_a_sketch_tells_the_share_that_two_have_in_common() -> None:
    many = [replace(QUESTIONS[0], id=f"m{n}") for n in range(4_000)]
    one = {each.id: f"answer {each.id}" for each in many}
    other = one | {each.id: f"another {each.id}" for each in many[:1_000]}
    sketches = sketch_of(many, one), sketch_of(many, other)
    assert [len(each) for each in sketches] == [SKETCH, SKETCH]
    assert alike(*sketches) == pytest.approx(3 / 5, abs=0.1)
    assert alike(sketches[0], sketches[0]) == 1 and alike(sketches[0], ()) is None


def test_gold_answers_of_another_version_are_told() -> None:
    before = {each.id: (f"Old {n}",) for n, each in enumerate(QUESTIONS) if n < 30}
    knows = {**HONEST, **{name: gold[0] for name, gold in before.items()}}
    assert told(knows, v1_0_0=before) == [
        "gives the gold answer of version 1.0.0 to 30 of 30 questions whose answer is another now"
    ]
    assert told(HONEST, v1_0_0=before) == []
    same = {each.id: each.answers for each in QUESTIONS}
    assert told(HONEST, v1_0_0=same) == []
