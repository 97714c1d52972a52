"""Whether the evidence of a question is what it claims: spans of documents that state its answers."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

DERIVED = frozenset({"count", "comparison", "filter", "list", "ranking", "sum", "average", "yes_no"})
"""Kinds whose answer follows from the facts that their evidence states, and is itself no part of them: how many
projects a client has, or which ones."""


def evidence_problem(row: Mapping[str, Any], texts: Mapping[str, str | None]) -> Iterator[str]:
    """What is wrong with the evidence of a row of `questions`.

    Every span must lie in one of the row's documents and hold text, and every document must have one; no fact may be
    left out; for every answer, some span must hold it or one of its aliases, whatever the case and the white space, but
    for kinds whose answers follow from several facts.
    Where facts are numbered, some fact must hold a single answer in each of its spans, for these are alternatives.

    Args:
        row: a row of the config `questions`.
        texts: document id → text, None where it is not known; no document that is not among these is looked at.
    """
    spans: list[str] = []
    of_fact: dict[int, list[str]] = {}
    for item in row["evidence"] or []:
        document, start, end = item["document"], item["start"], item["end"]
        if document not in (row["documents"] or []):
            yield f"its evidence is in {document}, which is none of its documents"
            continue
        text = texts.get(document)
        if text is None:
            continue
        if outside := span_problem(item, len(text)):
            yield outside
            continue
        spans.append(plain(text[start:end]))
        of_fact.setdefault(item["fact"] or 0, []).append(spans[-1])
        if not spans[-1]:
            yield f"its evidence {document}[{start}:{end}] holds no text"
    if row["evidence"]:
        yield from _left_out(row, texts)
    if spans and row.get("kind") not in DERIVED:
        for answer, others in zip(row["answers"] or [], row["aliases"] or [], strict=False):
            forms = [answer, *(others or [])]
            if not states(spans, forms):
                yield f"no evidence states the answer {answer[:80]!r}: {' / '.join(spans)[:120]!r}"
            elif len(of_fact) > 1 and len(row["answers"]) == 1 and not _is_fact_of(of_fact, forms):
                yield f"no evidence states the answer {answer[:80]!r} in each span of a fact: they are alternatives"


def _is_fact_of(of_fact: Mapping[int, Sequence[str]], forms: Sequence[str]) -> bool:
    """Whether every span of some fact holds one of the forms of an answer."""
    return any(all(states([span], forms) for span in spans) for spans in of_fact.values())


def _left_out(row: Mapping[str, Any], texts: Mapping[str, str | None]) -> Iterator[str]:
    """The documents and the facts of which a row with evidence has none."""
    named = {item["document"] for item in row["evidence"]}
    for document in row["documents"] or []:
        if document in texts and document not in named:
            yield f"it names {document}, and none of its evidence is there"
    numbers = {item["fact"] or 0 for item in row["evidence"]}
    for number in range(min(max(numbers), len(numbers))):
        if number not in numbers:
            yield f"it has no evidence of fact {number}, and of fact {max(numbers)}"


def span_problem(item: Mapping[str, Any], length: int | None) -> str | None:
    """What is wrong with the offsets of a span in a document of so many characters; None where nothing is, or where its
    length is not known."""
    document, start, end = item["document"], item["start"], item["end"]
    if length is None:
        return None if 0 <= start < end else f"its evidence {document}[{start}:{end}] is no span"
    if 0 <= start < end <= length:
        return None
    return f"its evidence {document}[{start}:{end}] is outside the document, which has {length} characters"


def states(spans: Sequence[str], forms: Sequence[str]) -> bool:
    """Whether one of the plain spans holds one of the forms of an answer as whole words."""
    return any(_holds(span, form) for text in forms if (form := plain(text)) for span in spans)


def _holds(span: str, form: str) -> bool:
    """Whether a plain text holds another as whole words."""
    return form == span or (form in span and re.search(rf"(?<!\w){re.escape(form)}(?!\w)", span) is not None)


def plain(text: str) -> str:
    """A text without differences of case, of white space and of Unicode form."""
    return _plain_of_short(text) if len(text) <= 100 else _plain(text)


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


_plain_of_short = lru_cache(maxsize=4096)(_plain)
"""Wordings of one question have the same evidence and the same answers."""
