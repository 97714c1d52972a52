"""Pairs as rows of a release: passages as its corpus, their questions, and the config `pairs` with how all was made.

The columns of `pairs` are those of the published WikiEval, with an id, that of the question, and `provenance`.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from benchwright.benchmarks.hashing import group_id, question_id
from benchwright.benchmarks.types import Document, Evidence, Question
from benchwright.builders.wikieval.material import Made, MadeContext, PairParts, Passage
from benchwright.builders.wikieval.sources.introductions import span_stating

NAME = "wikieval"
_TEMPLATE = "passage"
"""Stands in ids where other builders have a template."""


def document_id(passage: Passage) -> str:
    """The corpus id of a passage: of a page its own id; of a section of documents a hash of where it stands."""
    page = passage.metadata.get("id")
    return f"page-{page}" if isinstance(page, int) else f"passage-{group_id(NAME, passage.source, [passage.text])}"


def as_document(passage: Passage) -> Document:
    """A passage with what names it."""
    return Document(document_id(passage), passage.title, passage.text, {"source": passage.source, **passage.metadata})


def id_of(parts: PairParts) -> str:
    """The id of a pair and of its question."""
    return question_id(_group(parts), _form(parts), parts.question.text)


def as_question(parts: PairParts) -> Question:
    """The question of a pair, with the facts that its answer states; of a model's, the answer as a whole."""
    document = document_id(parts.passage)
    facts = parts.answer.detail.get("facts", ())
    values = [str(fact["value"]) for fact in facts]
    spans = [span_stating(parts.passage.text, str(fact["value"]), str(fact["question"])) for fact in facts]
    is_found = bool(spans) and None not in spans
    return Question(
        id=id_of(parts),
        question=parts.question.text,
        answers=tuple(values) if is_found else (parts.answer.text,),
        aliases=tuple(map(_aliases, values)) if is_found else ((),),
        answer_type="set" if is_found and len(values) > 1 else "one",
        answerability="answerable",
        group=_group(parts),
        form=_form(parts),
        entity=parts.passage.title,
        kind="lookup",
        hops=len(values) if is_found else 1,
        documents=(document,),
        evidence=tuple(
            Evidence(document, *span, fact) for fact, span in enumerate(spans if is_found else ()) if span is not None
        ),
        metadata={"by": parts.question.how},
    )


def _aliases(value: str) -> tuple[str, ...]:
    """Other forms of a value: "Tarrow and Velmar" of "from Tarrow to Velmar"."""
    match = re.fullmatch(r"(?:from|between) (?P<first>.+?) (?:to|and) (?P<second>.+)", value)
    return (f"{match['first']} and {match['second']}",) if match else ()


def as_pair(parts: PairParts) -> dict[str, Any]:
    """A row of `pairs`. A candidate that could not be made is empty."""
    return {
        "id": id_of(parts),
        "question": parts.question.text,
        "source": parts.passage.source,
        "answer": parts.answer.text,
        "ungrounded_answer": parts.ungrounded.text if parts.ungrounded else "",
        "poor_answer": parts.poor.text if parts.poor else "",
        "context_v1": [parts.passage.text],
        "context_v2": list(parts.context_v2.texts) if parts.context_v2 else [],
        "provenance": json.dumps(_provenance(parts), ensure_ascii=False, sort_keys=True),
    }


def counts_of(pairs: Sequence[PairParts]) -> dict[str, int]:
    """Dimension → pairs that have both of its candidates."""
    return {
        "faithfulness": sum(parts.ungrounded is not None for parts in pairs),
        "answer_relevance": sum(parts.poor is not None for parts in pairs),
        "context_relevance": sum(parts.context_v2 is not None for parts in pairs),
    }


def _form(parts: PairParts) -> str:
    """The linguistic form of a question; nothing of what a model asked without a question mark."""
    return "interrogative" if parts.question.text.endswith("?") else ""


def _group(parts: PairParts) -> str:
    return group_id(NAME, _TEMPLATE, [document_id(parts.passage), parts.question.text])


def _provenance(parts: PairParts) -> dict[str, Any]:
    """Column → how it was made, and what makes the preference known."""
    made: Mapping[str, Made | MadeContext | None] = {
        "question": parts.question,
        "answer": parts.answer,
        "ungrounded_answer": parts.ungrounded,
        "poor_answer": parts.poor,
        "context_v2": parts.context_v2,
    }
    return {column: {"how": one.how, **one.detail} for column, one in made.items() if one is not None}
