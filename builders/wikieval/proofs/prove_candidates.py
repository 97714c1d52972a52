"""What is wrong with the candidates of a pair, as far as words can tell: that the worse one is worse.

By rule, the answer's facts stand in the source and those that were put in their place do not, what was left out is not
in the incomplete answer, and the wider context is the first one with sentences that state nothing that is asked for.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.benchmarks.grounding.evidence import plain, states
from benchwright.builders.wiki.questions.dates import find_dates

GROUNDED = "answers whose facts their source states"
SWAPPED = "ungrounded answers whose facts their source does not state"
INCOMPLETE = "incomplete answers that leave a fact out"
WIDENED = "second contexts that are the first one with other sentences"
SOURCE = "pairs whose first context is their document"
HOW = ("rule", "model")
CANDIDATES = ("question", "answer", "ungrounded_answer", "poor_answer", "context_v2")
_LEAST = ("question", "answer")
"""What a pair has at least."""
PROVENANCE = "provenance"

Row = Mapping[str, Any]
Provenance = Mapping[str, Mapping[str, Any]]
"""Column → how it was made."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What `questions` and the corpus say of the question of a pair."""

    question: str
    documents: tuple[str, ...]
    text: str | None
    """Of its document; None where the release has no such document."""
    source: str


def read_provenance(row: Row) -> tuple[Mapping[str, Mapping[str, Any]], str]:
    """Column → how it was made, of a row of `pairs`; and what is wrong with it, nothing where it is right."""
    try:
        made = json.loads(row.get(PROVENANCE) or "")
    except ValueError:
        return {}, "its provenance is no JSON"
    if not isinstance(made, dict) or not all(isinstance(each, dict) for each in made.values()):
        return {}, "its provenance is no table of columns"
    for column in CANDIDATES:
        value = row[column]
        there = bool("".join(value or ()).strip())
        if there != (column in made):
            return {}, f"{column} is {'there' if there else 'empty'}, and its provenance says otherwise"
        if not there and column in _LEAST:
            return {}, f"it has no {column}"
    told = made.get("context_v2", {})
    if told and not isinstance(told.get("added"), list):
        return {}, "what was added to context_v2 is not told"
    is_from = are_rows(told.get("from"), ("from",)) and len(told["from"]) == len(told["added"])
    if told.get("how") == "rule" and not is_from:
        return {}, "where each sentence that was added to context_v2 is from is not told"
    for column, how in made.items():
        if column not in CANDIDATES:
            return {}, f"its provenance tells of {column!r}, which pairs do not have"
        if how.get("how") not in HOW:
            return {}, f"how {column} was made is {how.get('how')!r}, and not one of {', '.join(HOW)}"
    return made, ""


def pair_problems(
    row: Row, made: Mapping[str, Mapping[str, Any]], asked: Asked | None, proved: Counter[str]
) -> Iterator[str]:
    """What is wrong with a pair.

    Args:
        row: of `pairs`.
        made: its provenance.
        asked: its question; None where the release has none.
        proved: counts what was found right.
    """
    yield from _source_problems(row, asked)
    proved[SOURCE] += 1
    source = plain(" ".join(row["context_v1"] or ()))
    values, problem = _facts(made)
    if problem:
        yield problem
        return
    if values:
        yield from _answer_problems(row, source, values)
        proved[GROUNDED] += 1
    if is_by_rule(made, "ungrounded_answer"):
        yield from _swap_problems(row, source, list(values.values()), made["ungrounded_answer"].get("swapped"))
        proved[SWAPPED] += 1
    if is_by_rule(made, "poor_answer"):
        yield from _left_out_problems(row, values, made["poor_answer"])
        proved[INCOMPLETE] += 1
    if "context_v2" in made:
        told = made["context_v2"]
        yield from _context_problems(row, source, list(values.values()), told.get("added"), told.get("sentences"))
        proved[WIDENED] += 1


def _source_problems(row: Row, asked: Asked | None) -> Iterator[str]:
    if asked is None:
        yield "there is no question with its id"
        return
    if asked.question != row["question"]:
        yield "its question is not the one that questions have"
    if len(asked.documents) != 1:
        yield f"its question has {len(asked.documents)} documents, and not one"
    elif asked.text is None:
        yield f"its document {asked.documents[0]} is not in the corpus"
    else:
        if list(row["context_v1"] or ()) != [asked.text]:
            yield "context_v1 is not the text of its document"
        if row["source"] != asked.source:
            yield f"its source is {row['source']!r}, and its document's is {asked.source!r}"


def _facts(made: Mapping[str, Mapping[str, Any]]) -> tuple[dict[str, str], str]:
    """What asks for each fact → its value; and what is wrong. An answer by a model has no facts."""
    if not is_by_rule(made, "answer"):
        return {}, ""
    facts = made["answer"].get("facts")
    if not are_rows(facts, ("question", "value")) or not facts:
        return {}, "its provenance does not tell the facts of its answer"
    if is_by_rule(made, "question") and made["question"].get("facts") != facts:
        return {}, "its question and its answer are said to be of other facts"
    return {fact["question"]: fact["value"] for fact in facts}, ""


def _answer_problems(row: Row, source: str, values: Mapping[str, str]) -> Iterator[str]:
    for value in values.values():
        if not states([plain(row["answer"])], [value]):
            yield f"its answer does not state {value!r}"
        if not states([source], [value]):
            yield f"its source does not state {value!r}"


def _swap_problems(row: Row, source: str, values: Sequence[str], swapped: Any) -> Iterator[str]:
    is_told = are_rows(swapped, ("from", "to")) and bool(swapped)
    if not is_told or (values and [each["from"] for each in swapped] != values):  # a model's answer tells no values
        yield "what is swapped is not what its answer states"
        return
    for each in swapped:
        if is_same(each["to"], each["from"]):
            yield f"{each['to']!r} is {each['from']!r} in other words, and was put in its place"
        if states([source], [each["to"]]):
            yield f"its source states {each['to']!r}, which stands in the ungrounded answer for {each['from']!r}"
    if row["ungrounded_answer"] not in _swaps(row["answer"], [(each["from"], each["to"]) for each in swapped]):
        yield "the ungrounded answer is not the answer with its facts swapped"


def _swaps(answer: str, pairs: Sequence[tuple[str, str]]) -> set[str]:
    """An answer with each value swapped at one of the places where it stands, for each way to do so."""
    marks = {f"\0{number}\0": to for number, (_, to) in enumerate(pairs)}
    found = {answer}
    for mark, (value, _) in zip(marks, pairs, strict=True):
        found = {
            text[: match.start()] + mark + text[match.end() :]
            for text in found
            for match in re.finditer(re.escape(value), text)
        }
    for mark, to in marks.items():
        found = {text.replace(mark, to) for text in found}
    return found - {answer}


def _left_out_problems(row: Row, values: Mapping[str, str], detail: Mapping[str, Any]) -> Iterator[str]:
    left, kept = detail.get("left_out"), detail.get("kept")
    if not values:  # the answer is a model's
        if not isinstance(left, str) or not states([plain(row["answer"])], [left]):
            yield "what its incomplete answer is said to leave out is not in its answer"
        elif states([plain(row["poor_answer"])], [left]):
            yield f"its incomplete answer states {left!r}, which it is said to leave out"
        return
    if not isinstance(left, list) or not isinstance(kept, list) or not left or {*left, *kept} != {*values}:
        yield "what its incomplete answer leaves out and keeps is not what is asked"
        return
    said = [plain(row["poor_answer"])]
    for question in left:
        if states(said, [values[question]]):
            yield f"its incomplete answer states {values[question]!r}, which it is said to leave out"
    for question in kept:
        if question in left or not states(said, [values[question]]):
            yield f"its incomplete answer does not state {values[question]!r}, which it is said to keep"


def _context_problems(row: Row, source: str, values: Sequence[str], added: Any, number: Any) -> Iterator[str]:
    texts = list(row["context_v2"])
    if not added:
        yield "what was added to context_v2 is not told"
        return
    if number != len(texts):
        yield f"context_v2 has {len(texts)} sentences, and is said to have {number!r:.40}"
    if 0 in added:
        yield "context_v2 begins with a sentence that was added"
    if all(type(place) is int and 0 <= place < len(texts) for place in added) and len({*added}) == len(added):
        new = [texts[place] for place in added]
        rest = plain(" ".join(text for place, text in enumerate(texts) if place not in set(added)))
    else:
        yield "what was added to context_v2 is not in it"
        return
    if rest != source:
        yield "context_v2 without what was added is not context_v1"
    for text in new:
        if not plain(text) or plain(text) in source:
            yield f"{text!r:.80} was added to context_v2, and context_v1 has it"
        elif value := next((value for value in values if states([plain(text)], [value])), None):
            yield f"{text!r:.80} was added to context_v2, and states {value!r}"


def is_same(value: str, other: str) -> bool:
    """Whether two values are one: in their words, as dates in other words, or as numbers with other separators."""
    if plain(value) == plain(other):
        return True
    days, others = ([(one.first, one.last) for one in find_dates(text)] for text in (value, other))
    if days or others:
        return days == others
    return _with_bare_figures(value) == _with_bare_figures(other)


_FIGURE = re.compile(r"(?<![\w.,])\d[\d,\u202f]*(?:\.\d+)?(?![\w])")


def _with_bare_figures(text: str) -> str:
    return plain(_FIGURE.sub(lambda match: re.sub(r"[,\u202f]", "", match[0]), text))


def is_by_rule(made: Mapping[str, Mapping[str, Any]], column: str) -> bool:
    """Whether a column is there, and by rule."""
    return column in made and made[column]["how"] == "rule"


def are_rows(value: Any, keys: Sequence[str]) -> bool:
    """Whether a value of a provenance is a list of objects with texts of these keys."""
    return isinstance(value, list) and all(
        isinstance(each, dict) and all(isinstance(each.get(key), str) and each[key] for key in keys) for each in value
    )
