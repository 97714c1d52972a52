"""Reading one line of a predictions file."""

import json

import pytest

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.predictions import Context, Prediction, StepUsage, Usage, parse_prediction

FULL = {
    "id": "q1",
    "answer": "Banking",
    "abstained": False,
    "condition": "oracle",
    "repeat": 2,
    "samples": ["a", "b"],
    "contexts": [{"id": "d", "start": 0, "end": 900, "text": "t", "score": 1}, "plain text"],
    "usage": {
        "input_tokens": 3,
        "output_tokens": 4,
        "calls": 1,
        "retrievals": 2,
        "steps": [
            {"step": "decision", "role": "decision", "input_tokens": 3, "calls": 1, "cost": 0, "more": "left out"}
        ],
    },
    "cost": 1,
    "latency": 0.8,
    "error": None,
    "comment": "left out",
}


def test_every_field() -> None:
    assert parse_prediction(json.dumps(FULL), number=1) == Prediction(
        id="q1",
        answer="Banking",
        condition="oracle",
        repeat=2,
        samples=("a", "b"),
        contexts=(Context(id="d", start=0, end=900, text="t", score=1.0), Context(text="plain text")),
        usage=Usage(3, 4, 1, 2, (StepUsage("decision", "decision", 3, 0, 1, 0.0),)),
        cost=1.0,
        latency=0.8,
    )


def test_id_and_answer_are_enough() -> None:
    prediction = parse_prediction('{"id": "q", "answer": ""}', number=1)
    assert prediction == Prediction("q", "")
    assert prediction.key == ("q", "own", 0) and prediction.retrievals == 0
    assert parse_prediction('{"id": "q", "answer": "x", "contexts": [{"text": "t"}]}', number=1).retrievals == 1


@pytest.mark.parametrize("rest", ['"abstained": true', '"error": "timeout"', '"abstained": true, "answer": null'])
def test_an_answer_may_be_missing_where_it_is_said_why(rest: str) -> None:
    assert parse_prediction(f'{{"id": "q", {rest}}}', number=1).answer is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            '{"id": "q", "answ',
            "not JSON (Unterminated string starting at at character 13): the line may be cut off; "
            "write it anew or delete it.",
        ),
        ("", "not JSON (Expecting value at character 1): the line may be cut off; write it anew or delete it."),
        ("[1]", "must be one JSON object with 'id' and 'answer', and is another value."),
        ('{"answer": "x"}', "no 'id': every prediction needs 'id' and 'answer' (or 'abstained': true, or an 'error')."),
        ('{"id": "q"}', "no 'answer': every prediction needs 'id' and 'answer' (or 'abstained': true, or an 'error')."),
        (
            '{"id": "q", "answer": null}',
            "no 'answer': every prediction needs 'id' and 'answer' (or 'abstained': true, or an 'error').",
        ),
        ('{"id": [7], "answer": "x"}', "'id' must be a string, and is [7]: correct the line."),
        ('{"id": "q", "answer": ["x"]}', "'answer' must be a string, and is [\"x\"]: correct the line."),
        (
            '{"id": "q", "answer": "x", "abstained": "no"}',
            "'abstained' must be true or false, and is \"no\": correct the line.",
        ),
        ('{"id": "q", "answer": "x", "repeat": 1.5}', "'repeat' must be a whole number, and is 1.5: correct the line."),
        (
            '{"id": "q", "answer": "x", "repeat": true}',
            "'repeat' must be a whole number, and is true: correct the line.",
        ),
        (
            '{"id": "q", "answer": "x", "repeat": -1}',
            "'repeat' must be a whole number from 0, and is -1: correct the line.",
        ),
        ('{"id": "q", "answer": "x", "cost": "1"}', "'cost' must be a number, and is \"1\": correct the line."),
        (
            '{"id": "q", "answer": "x", "samples": [1]}',
            "'samples' must be a list of strings, and is [1]: correct the line.",
        ),
        ('{"id": "q", "answer": "x", "contexts": {}}', "'contexts' must be a list, and is {}: correct the line."),
    ],
)
def test_messages(line: str, message: str) -> None:
    with pytest.raises(BenchwrightError) as error:
        parse_prediction(line, number=12, source="mine.jsonl")
    assert str(error.value) == f"mine.jsonl, line 12: {message}"


@pytest.mark.parametrize(
    ("context", "message"),
    [
        ("3", 'must be an object or a text: write it as {"id": …, "text": …}.'),
        ("{}", "has none of 'id', 'uri' and 'text': give one of them."),
    ],
)
def test_messages_of_contexts(context: str, message: str) -> None:
    with pytest.raises(BenchwrightError) as error:
        parse_prediction(f'{{"id": "q", "answer": "x", "contexts": ["t", {context}]}}', number=3)
    assert str(error.value) == f"predictions, line 3, context 2 {message}"


def test_offsets_in_the_wrong_order() -> None:
    with pytest.raises(
        BenchwrightError, match=r"line 3, context 1: 'end' \(2\) comes before 'start' \(5\): correct the offsets."
    ):
        parse_prediction('{"id": "q", "answer": "x", "contexts": [{"id": "d", "start": 5, "end": 2}]}', number=3)


def test_nesting_without_end() -> None:
    with pytest.raises(BenchwrightError, match="line 1: "):
        parse_prediction('{"id": ' + "[" * 100_000, number=1)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            '{"id": "q", "answer": "x", "condition": null, "repeat": null, "abstained": null, "contexts": null, '
            '"samples": null, "usage": null, "cost": null, "latency": null}',
            Prediction("q", "x"),
        ),
        (
            '{"id": "q", "answer": "x", "usage": {"calls": 2, "input_tokens": null}, '
            '"contexts": [{"id": "d", "text": null, "score": null}]}',
            Prediction("q", "x", usage=Usage(calls=2), contexts=(Context("d"),)),
        ),
        (
            '{"id": "q", "answer": "x", "contexts": [{"id": "d", "document": 7}]}',
            Prediction("q", "x", contexts=(Context("d"),)),
        ),
        ('{"id": "q", "answer": "a\\ud800b \\u2028"}', Prediction("q", "a?b \u2028")),
        ('  {"id": "q", "answer": "x", "latency": 3} \n', Prediction("q", "x", latency=3.0)),
        ('{"id": 7, "answer": "x", "cost": NaN, "latency": Infinity}', Prediction("7", "x")),
        ('{"id": "q", "answer": "x", "contexts": [{"id": 7}]}', Prediction("q", "x", contexts=(Context("7"),))),
    ],
)
def test_what_is_taken_as_it_is_meant(line: str, expected: Prediction) -> None:
    assert parse_prediction(line, number=1) == expected
    assert parse_prediction(line.encode(), number=1) == expected


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ('"usage": [1]', ": 'usage' must be an object, and is [1]: correct the line."),
        ('"usage": {"calls": -2}', ", usage: 'calls' must be a whole number from 0, and is -2: correct the line."),
        ('"usage": {"calls": "2"}', ", usage: 'calls' must be a whole number, and is \"2\": correct the line."),
        (
            '"usage": {"steps": [{"calls": 1}]}',
            ', usage: \'steps\' must be a list of objects with "step" and whole numbers from 0, and is [{"calls": 1}]: '
            "correct the line.",
        ),
        ('"latency": "soon"', ": 'latency' must be a number, and is \"soon\": correct the line."),
        ('"latency": true', ": 'latency' must be a number, and is true: correct the line."),
        ('"samples": "a"', ": 'samples' must be a list, and is \"a\": correct the line."),
        (
            '"contexts": ["t", {"id": {}, "text": "' + "x" * 50 + '"}]',
            ", context 2: 'id' must be a string, and is {}: correct the line.",
        ),
        (
            '"contexts": [{"text": "t", "start": -1}]',
            ", context 1: 'start' must be a whole number from 0, and is -1: correct the line.",
        ),
        (
            '"error": {"a": "' + "x" * 50 + '"}',
            ': \'error\' must be a string, and is {"a": "' + "x" * 30 + "...: correct the line.",
        ),
    ],
)
def test_messages_of_other_fields(fields: str, message: str) -> None:
    with pytest.raises(BenchwrightError) as error:
        parse_prediction(f'{{"id": "q", "answer": "x", {fields}}}', number=3)
    assert str(error.value) == f"predictions, line 3{message}"
