"""Traces of judgments as a person reads them, those of metrics that nobody here knows too."""

from typing import Any

import pytest

from benchwright.benchmarks.judgments import Judgment
from benchwright.benchmarks.metrics.traces import Step, read_trace, trace_of

HASH = "0123456789abcdef" * 4


def asked(name: str, output: Any, **others: Any) -> dict[str, Any]:
    return {"step": name, "inputs": "x", "prompt": HASH, "output": output, **others}


def test_verdicts_stand_beside_the_statements_of_the_step_before() -> None:
    steps = [
        asked("statements", {"statements": ["It is tall.", "It is old."]}, raw="{…}", thinking="Two."),
        asked(
            "verdicts",
            {
                "verdicts": [
                    {"statement": 1, "reason": "Said.", "supported": True},
                    {"statement": 2, "reason": "Not.", "supported": False},
                ]
            },
        ),
        {
            "step": "share",
            "output": {"arithmetic": "1 of 2 = 0.5", "rows": [{"statement": "It is tall.", "share": 0.5}]},
        },
    ]
    first, second, last = trace_of(Judgment("q", "m", 0.5, trace={"steps": steps}))
    assert first == Step(
        "asked",
        "statements",
        HASH[:12],
        columns=("statements",),
        rows=(("It is tall.",), ("It is old.",)),
        raw="{…}",
        thinking="Two.",
    )
    assert second.columns == ("statements", "reason", "supported")
    assert second.rows == (("It is tall.", "Said.", "yes"), ("It is old.", "Not.", "no"))
    assert (last.kind, last.arithmetic, last.columns, last.rows) == (
        "derived", "1 of 2 = 0.5", ("statement", "share"), (("It is tall.", "0.5"),)
    )  # fmt: skip


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (asked("grade", {"reason": "Fine.", "truthfulness": 4}),
         Step("asked", "grade", HASH[:12], lines=("reason: Fine.", "truthfulness: 4"))),
        (asked("free", "Consistent."), Step("asked", "free", HASH[:12], lines=("Consistent.",))),
        ({"step": "embed", "output": {"shape": [4, 256]}},
         Step("vectors", "embed", lines=("4 × 256: texts × numbers of a vector",))),
        ({"step": "count", "output": 2}, Step("derived", "count", lines=("2",))),
        ({"step": "mean", "output": 0.123456}, Step("derived", "mean", lines=("0.1235",))),
        ({"step": "list", "output": ["a", "b"]}, Step("derived", "list", columns=("list",), rows=(("a",), ("b",)))),
        ({"step": "two", "output": {"a": ["x", "y"], "b": [1, 2]}},
         Step("derived", "two", columns=("a", "b"), rows=(("x", "1"), ("y", "2")))),
        ({"step": "tp", "output": {"tp": ["x"], "fp": ["y", "z"], "fn": []}},
         Step("derived", "tp", lines=("fn: none",), columns=("", "text"),
              rows=(("tp", "x"), ("fp", "y"), ("fp", "z")))),
        ({"step": "v", "prompt": HASH, "error": "refusal: no", "raw": "No."},
         Step("failed", "v", HASH[:12], raw="No.", error="refusal: no")),
        ({"step": "numbered", "output": [{"check": 1, "says": "a"}, {"check": 2, "says": "b"}]},
         Step("derived", "numbered", columns=("says",), rows=(("a",), ("b",)))),
        ({"step": "cosines", "output": [{"form": "x", "cosine": 1.0}]},
         Step("derived", "cosines", columns=("form", "cosine"), rows=(("x", "1"),))),
        ({"step": "scores", "output": [{"score": 1}]},
         Step("derived", "scores", columns=("score",), rows=(("1",),))),
        ({"step": "uneven", "output": [{"a": 1}, {"b": {"c": None}}]},
         Step("derived", "uneven", columns=("a", "b"), rows=(("1", ""), ("", '{"c": null}')))),
        ("words", Step("derived", "step", lines=("words",))),
        ({"step": 7}, Step("derived", "step")),
    ],
)  # fmt: skip
def test_a_step_of_any_shape_is_read(record: Any, expected: Step) -> None:
    assert read_trace({"steps": [record]}) == (expected,)


def test_what_is_no_trace_of_steps_is_shown_as_it_stands() -> None:
    assert read_trace({}) == ()
    (only,) = read_trace({"sample": "sample-1", "page": 2, "steps": "none"})
    assert only == Step("derived", "trace", lines=("sample: sample-1", "page: 2", "steps: none"))


def test_rows_of_another_number_stay_alone() -> None:
    steps = [asked("statements", ["a", "b"]), asked("verdicts", [{"supported": True}])]
    assert read_trace({"steps": steps})[1].columns == ("supported",)


def verdicts(*numbers: int) -> dict[str, Any]:
    return asked(
        "verdicts", {"verdicts": [{"number": each, "why": f"of {each}", "supported": True} for each in numbers]}
    )


def test_verdicts_in_another_order_stand_beside_what_they_are_on() -> None:
    steps = [asked("statements", {"statements": ["a", "b", "c"]}), verdicts(3, 1, 2)]
    assert read_trace({"steps": steps})[1].rows == (("a", "of 1", "yes"), ("b", "of 2", "yes"), ("c", "of 3", "yes"))
    bare = asked("verdicts", [{"number": 2, "supported": False}, {"number": 1, "supported": True}])
    assert read_trace({"steps": [asked("statements", ["a", "b"]), bare]})[1].rows == (("a", "yes"), ("b", "no"))


@pytest.mark.parametrize(
    ("listed", "judged", "beside"),
    [
        # pieces of a long answer: the first verdicts are on the first piece
        ([["a", "b"], ["c", "d"]], [(1, 2), (2, 1)], [["a", "b"], ["c", "d"]]),
        ([["a", "b"], ["c"]], [(1, 2), (1,)], [["a", "b"], ["c"]]),
        # a statement of the first piece stood in it twice, and none of the second was new: nobody can tell
        ([["a", "a", "b"], ["b", "a"]], [(1, 2)], [None]),
        ([["a", "b"], ["c", "a"]], [(1, 2), (1,)], [None, None]),
        # two verdicts on the same statements
        ([["a", "b"]], [(1, 2), (2, 1)], [["a", "b"], ["a", "b"]]),
    ],
)
def test_of_several_lists_verdicts_stand_beside_their_own(
    listed: list[list[str]], judged: list[tuple[int, ...]], beside: list[list[str] | None]
) -> None:
    steps = [*(asked("statements", {"statements": each}) for each in listed), *(verdicts(*each) for each in judged)]
    found = read_trace({"steps": steps})[len(listed) :]
    assert [[row[0] for row in each.rows] if each.columns[0] == "statements" else None for each in found] == beside
    assert all(row[-2] == f"of {number}" for each in found for number, row in enumerate(each.rows, 1))


def test_a_step_before_what_is_listed_stays_alone() -> None:
    steps = [verdicts(1, 2), asked("statements", {"statements": ["a", "b"]})]
    assert read_trace({"steps": steps})[0].columns == ("why", "supported")
