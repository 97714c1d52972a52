"""Published SQuAD-style files as they stand: TeleQuAD's extractive and tabular shapes, SQuAD 1.1 and 2.0.

What cannot be trusted is left out of what is scored, counted and named: repeated questions, and answers that do not
stand where they are said to.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.documents.json_files import read_json
from benchwright.builders.documents.squad_files import articles_of, squad_questions
from benchwright.builders.telequad.faults import Faults

REPEATED_ID = "an id that another question has"
REPEATED = "asked before of the same context"
NO_TEXT = "no question or no context"
NO_ANSWERS = "no answer, and not said to be impossible"
MISPLACED = "no answer stands where it is said to"
SOME_MISPLACED = "answers that do not stand where they are said to, beside others that do"
WRONG_END = "answers whose answer_end is not the offset after their last character"
MENDED = "offsets mended: the answer stands once in its context"
NOT_UNICODE = "halves of characters, which no file can hold"
MALFORMED = "parts that are not of SQuAD's shape"
_READ = frozenset({"id", "question", "answers", "is_impossible"})
_FLAT = frozenset({"id", "question", "answer", "context", "title", "is_impossible"})


@dataclass(frozen=True, slots=True)
class Span:
    """An answer, and where it stands in its context: Python code points, end exclusive."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PublishedQuestion:
    """A question with its context as it was published."""

    id: str
    question: str
    context: str
    title: str
    answers: tuple[str, ...]
    """Each once, in their order; none of an impossible question, whatever the file holds."""
    spans: tuple[Span, ...]
    """Where they stand; none where the file is a table's, whose answers may be computed."""
    is_impossible: bool
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """The other keys of the question, its paragraph (`paragraph.KEY`) and its article (`article.KEY`)."""


@dataclass(frozen=True)
class Published:
    """What a file holds."""

    questions: tuple[PublishedQuestion, ...]
    faults: Faults


def is_published(path: Path) -> bool:
    """Whether a file is called as a SQuAD-style one."""
    return path.is_file() and path.suffix.lower() == ".json"


def read_published(path: Path, *, repair: bool = False) -> Published:
    """The questions of a file that can be scored, and what is wrong with the others.

    Args:
        path: JSON of SQuAD's nested shape, or a list of objects with question, answer and context.
        repair: mends the offset of an answer that stands exactly once in its context.

    Raises:
        BenchwrightError: it is neither, or no question of it can be scored.
    """
    found, faults = read_json(path), Faults()
    articles, rows = articles_of(found), _flat_rows(found)
    if articles is None and rows is None:
        raise BenchwrightError(
            f"{path} is no published file: it must have data, a list of articles with paragraphs (SQuAD), or be a list "
            "of objects with question, answer and context"
        )
    read = (
        _nested(articles, path.name, faults, repair) if articles is not None else _flat(rows or (), path.name, faults)
    )
    kept = tuple(_each_once(read, faults))
    if not kept:
        why = f": {'; '.join(faults.told())}" if faults.counts else ""
        raise BenchwrightError(f"no question of {path} can be scored{why}")
    return Published(kept, faults)


def _nested(
    articles: Sequence[Any], name: str, faults: Faults, repair: bool
) -> Iterator[tuple[str, PublishedQuestion]]:
    for each in squad_questions(articles, name, lambda where: faults.note(MALFORMED, where)):
        question, place = each.question, f"{name}, question {each.number}"
        text, context = _text(question.get("question")), each.paragraph.get("context")
        if text is None or not isinstance(context, str) or not context.strip():
            faults.leave_out(NO_TEXT, place)
            continue
        kept = {key: value for key, value in question.items() if key not in _READ}
        kept |= {f"paragraph.{key}": value for key, value in each.paragraph.items() if key not in ("context", "qas")}
        kept |= {f"article.{key}": value for key, value in each.article.items() if key not in ("title", "paragraphs")}
        given = question.get("answers")
        given = [given] if isinstance(given, dict) else given if isinstance(given, list) else []
        if each.is_impossible:
            if given:
                kept["answers_of_an_impossible_question"] = given
            spans: tuple[Span, ...] = ()
        else:
            if not given:
                faults.leave_out(NO_ANSWERS, place)
                continue
            spans = tuple(_spans(given, context, place, faults, repair))
            if not spans:
                faults.leave_out(MISPLACED, place)
                continue
            if extra := [_others(answer) for answer in given if isinstance(answer, dict) and _others(answer)]:
                kept["answers"] = extra
        answers = tuple(dict.fromkeys(span.text for span in spans))
        title = str(each.article.get("title") or "")
        named = str(question.get("id") or f"{name}#{each.number}")
        yield place, PublishedQuestion(named, text, context, title, answers, spans, each.is_impossible, kept)


def _others(answer: Mapping[str, Any]) -> dict[str, Any]:
    """What an answer says beside its text and place, with the text: `contributor`."""
    more = {key: value for key, value in answer.items() if key not in ("text", "answer_start", "answer_end")}
    return {"text": answer.get("text"), **more} if more else {}


def _spans(given: Sequence[Any], context: str, place: str, faults: Faults, repair: bool) -> Iterator[Span]:
    """The answers that stand where they are said to, or may be mended."""
    lost = 0
    found: list[Span] = []
    for answer in given:
        text = answer.get("text") if isinstance(answer, dict) else None
        if not isinstance(text, str) or not text.strip():
            lost += 1
            continue
        start, end = _offset(answer.get("answer_start")), _offset(answer.get("answer_end"))
        if start is None or context[start : start + len(text)] != text:
            first = context.find(text)
            if not repair or first < 0 or context.find(text, first + 1) >= 0:
                lost += 1
                continue
            faults.note(MENDED, place)
            start = first
        elif end is not None and end != start + len(text):
            faults.note(WRONG_END, place)
        found.append(Span(text, start, start + len(text)))
    if lost and found:
        faults.note(SOME_MISPLACED, place, lost)
    yield from dict.fromkeys(found)


def _offset(value: Any) -> int | None:
    """A place; as a text of figures too."""
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 12:
        return int(value)
    return value if type(value) is int and value >= 0 else None


def _flat_rows(found: Any) -> Sequence[Any] | None:
    """The objects of a list, or of the one list that an object holds; None where they are no questions."""
    if isinstance(found, dict):
        lists = [value for value in found.values() if isinstance(value, list)]
        found = lists[0] if len(lists) == 1 else None
    is_one = (
        isinstance(found, list) and found and isinstance(found[0], dict) and {"question", "answer"} <= set(found[0])
    )
    return found if is_one else None


def _flat(rows: Sequence[Any], name: str, faults: Faults) -> Iterator[tuple[str, PublishedQuestion]]:
    """Questions about tables: an answer may be computed, and has a span only where it stands once in its context."""
    for number, row in enumerate(rows, 1):
        place = f"{name}, question {number}"
        if not isinstance(row, dict):
            faults.note(MALFORMED, place)
            continue
        text, context = _text(row.get("question")), row.get("context")
        if text is None or not isinstance(context, str) or not context.strip():
            faults.leave_out(NO_TEXT, place)
            continue
        said = row.get("is_impossible")
        impossible = said.strip().lower() == "true" if isinstance(said, str) else bool(said)
        given = row.get("answer")
        listed = given if isinstance(given, list) else [given]
        known = [str(each).strip() for each in listed if each is not None and not isinstance(each, dict | list)]
        answers = tuple(dict.fromkeys(filter(None, known)))
        kept = {key: value for key, value in row.items() if key not in _FLAT}
        if impossible:
            kept |= {"answers_of_an_impossible_question": list(answers)} if answers else {}
            answers = ()
        elif not answers:
            faults.leave_out(NO_ANSWERS, place)
            continue
        places = [(each, context.find(each)) for each in answers]
        spans = tuple(
            Span(each, at, at + len(each)) for each, at in places if at >= 0 and context.find(each, at + 1) < 0
        )
        named, title = str(row.get("id") or f"{name}#{number}"), str(row.get("title") or row.get("table_name") or "")
        yield place, PublishedQuestion(named, text, context, title, answers, spans, impossible, kept)


def _text(value: Any) -> str | None:
    return value.strip() if isinstance(value, str) and value.strip() else None


def _each_once(read: Iterator[tuple[str, PublishedQuestion]], faults: Faults) -> Iterator[PublishedQuestion]:
    ids: set[str] = set()
    asked: set[tuple[str, str]] = set()
    for place, question in read:
        wording = " ".join(question.question.casefold().split()), question.context
        if not _is_unicode(question):
            faults.leave_out(NOT_UNICODE, place)
        elif wording in asked:
            faults.leave_out(REPEATED, place)
        elif question.id in ids:
            faults.leave_out(REPEATED_ID, place)
        else:
            ids.add(question.id)
            asked.add(wording)
            yield question


def _is_unicode(question: PublishedQuestion) -> bool:
    """Whether it can be written: JSON may have halves of surrogate pairs."""
    texts = (question.id, question.question, question.context, question.title, *question.answers)
    try:
        "".join((*texts, json.dumps(question.metadata, ensure_ascii=False, default=str))).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
