"""Published SQuAD-style files: what is read of them, what is left out and why, what repair mends."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.telequad.published import Published, Span, read_published

CONTEXT = "The AMF pages the UE. The timer T1 is 10 ms; the timer T2 is 20 ms."


def _answer(text: str, start: Any, **more: Any) -> dict[str, Any]:
    return {"text": text, "answer_start": start, **more}


def _read(folder: Path, *questions: dict[str, Any], repair: bool = False) -> Published:
    article = {
        "docid": "D1",
        "source": "a body",
        "title": "A specification",
        "paragraphs": [{"context": CONTEXT, "page": 4, "qas": list(questions)}],
    }
    path = folder / "full.json"
    path.write_text(json.dumps({"version": "4", "data": [article]}), "utf-8")
    return read_published(path, repair=repair)


def test_impossible_is_honoured_where_answers_are_there_and_extra_keys_are_kept(tmp_path: Path) -> None:
    given = _answer("AMF", 4, answer_end=7, contributor="c1")
    (asked, impossible), faults = (
        (
            found := _read(
                tmp_path,
                {"id": "a", "type": "short", "question": "Who?", "answers": [given], "is_impossible": "False"},
                {"id": "b", "question": "Why?", "answers": [given], "is_impossible": True},
            )
        ).questions,
        found.faults,
    )
    assert (asked.answers, asked.spans, asked.is_impossible) == (("AMF",), (Span("AMF", 4, 7),), False)
    assert asked.metadata == {
        "type": "short",
        "paragraph.page": 4,
        "article.docid": "D1",
        "article.source": "a body",
        "answers": [{"text": "AMF", "contributor": "c1"}],
    }
    assert (impossible.answers, impossible.spans, impossible.is_impossible) == ((), (), True)
    assert impossible.metadata["answers_of_an_impossible_question"] == [given]
    assert faults.counts == {}


QUESTIONS = (
    {"id": "a", "question": "Who pages?", "answers": [_answer("AMF", 5), _answer("The AMF", 0), _answer("AMF", 4)]},
    {"id": "b", "question": "who  PAGES?", "answers": [_answer("AMF", 4)]},
    {"id": "c", "question": "How long is T1?", "answers": [_answer("10 ms", 3)]},
    {"id": "d", "question": "What is T?", "answers": [_answer("timer", 1)]},
    {"id": "e", "question": "What is it?", "answers": []},
    {"id": "a", "question": "What is T2?", "answers": [_answer("20 ms", CONTEXT.index("20"), answer_end=64)]},
    {"id": "f", "answers": [_answer("AMF", 4)]},
    {"id": "g", "question": "What lasts 20 ms?", "answers": [_answer("T2", str(CONTEXT.index("T2")), answer_end=1)]},
)


def test_what_cannot_be_trusted_is_left_out_counted_and_named(tmp_path: Path) -> None:
    found = _read(tmp_path, *QUESTIONS)
    assert [(each.id, each.answers) for each in found.questions] == [("a", ("The AMF", "AMF")), ("g", ("T2",))]
    assert dict(found.faults.left_out) == {
        "asked before of the same context": 1,
        "no answer stands where it is said to": 2,
        "no answer, and not said to be impossible": 1,
        "an id that another question has": 1,
        "no question or no context": 1,
    }
    assert found.faults.noted == {
        "answers that do not stand where they are said to, beside others that do": 1,
        "answers whose answer_end is not the offset after their last character": 2,
    }
    assert "asked before of the same context (1; full.json, question 2)" in found.faults.told()


def test_repair_mends_an_offset_only_where_the_text_occurs_once(tmp_path: Path) -> None:
    found = _read(tmp_path, *QUESTIONS, repair=True)
    assert [each.id for each in found.questions] == ["a", "c", "g"]
    assert found.questions[1].spans == (Span("10 ms", CONTEXT.index("10 ms"), CONTEXT.index("10 ms") + 5),)
    assert found.faults.noted["offsets mended: the answer stands once in its context"] == 2
    assert found.faults.left_out["no answer stands where it is said to"] == 1


def test_parts_of_another_shape_are_named_and_the_others_read(tmp_path: Path) -> None:
    good = {"context": CONTEXT, "qas": [{"id": "a", "question": "Who?", "answers": [_answer("AMF", 4)]}]}
    data = [{"title": "A", "paragraphs": [good, {"context": "x"}]}, {"title": "B"}]
    path = tmp_path / "dev.json"
    path.write_text(json.dumps({"data": data}), "utf-8-sig")
    found = read_published(path)
    assert [each.id for each in found.questions] == ["a"]
    assert found.faults.told() == [
        "parts that are not of SQuAD's shape (2; dev.json, article 1, paragraph 2 has no list of questions, qas, "
        "dev.json, article 2 has no list of paragraphs)"
    ]


def test_questions_about_tables_have_a_span_only_where_the_answer_stands_once(tmp_path: Path) -> None:
    rows = [
        {
            "question": "T1?",
            "answer": "10 ms",
            "context": CONTEXT,
            "table_name": "Timers",
            "question_type": "extraction",
        },
        {
            "question": "Both?",
            "answer": 30,
            "context": CONTEXT,
            "section_number": "5.1",
            "question_type": "aggregation",
        },
        {"question": "Which?", "answer": "timer", "context": CONTEXT},
    ]
    path = tmp_path / "tables.json"
    path.write_text(json.dumps(rows), "utf-8")
    first, second, third = read_published(path).questions
    assert (first.id, first.title, first.spans[0].text) == ("tables.json#1", "Timers", "10 ms")
    assert first.metadata == {"table_name": "Timers", "question_type": "extraction"}
    assert (second.answers, second.spans, third.spans) == (("30",), (), ())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"[]", "is no published file"),
        (b'{"data": [', "line 1 is no JSON"),
        ('{"data": "\u00e9"}'.encode("cp1252"), "in Windows-1252"),
        (b'[{"question": "x", "answer": "y"}]', r"no question of .* can be scored: no question or no context \(1;"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(tmp_path: Path, text: bytes, said: str) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(text)
    with pytest.raises(BenchwrightError, match=said):
        read_published(path)
