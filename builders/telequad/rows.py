"""What is asked of a specification as rows of a release: questions in their wordings, and SQuAD's own columns."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from benchwright.benchmarks.hashing import group_id, question_id, rank, template_id
from benchwright.benchmarks.types import FORMS_NOT_IN_SQUAD, NO_ANSWER, Evidence, Question
from benchwright.builders.documents.sections import Span
from benchwright.builders.telequad.passages import BUILDER, Passages
from benchwright.builders.telequad.published import Span as TextSpan
from benchwright.builders.telequad.published_rows import squad_row
from benchwright.builders.telequad.questions.asked import Asked, Specification, Stated

LOOKUP, UNANSWERABLE = "lookup", "unanswerable"
CONTEXT, FILE, CLAUSE, ASKS = "context", "file", "clause", "asks"
"""Keys of a question's metadata: the corpus document that is its context, the file that is from, its clause, and what
is asked of the thing."""


@dataclass(frozen=True)
class Wordings:
    """Which wordings of a semantic group are asked."""

    forms: tuple[str, ...]
    each: int
    """The most of a form."""
    seed: int

    def of(self, group: str, asked: Asked) -> Iterator[tuple[str, str]]:
        """Form and wording, in the order of the forms and of the pattern; drawn where there are more."""
        for form in self.forms:
            there = asked.wordings.get(form, ())
            drawn = sorted(there, key=lambda text: rank(self.seed, "telequad wordings", group, form, text))[: self.each]
            yield from ((form, text) for text in there if text in drawn)


def group_of(specification: Specification, asked: Asked) -> str:
    """The id of a semantic group: of its document, its pattern, and what it asks about, as its first wording says."""
    first = next(iter(next(iter(asked.wordings.values()), ())), "")
    return group_id(BUILDER, template_of(asked.pattern, asked.asks), [specification.name, asked.entity, first])


def template_of(pattern: str, asks: str) -> str:
    """The id of a template: of a pattern and of what is asked."""
    return template_id(f"{BUILDER} {pattern} {asks.casefold()}".rstrip())


def question_rows(
    specification: Specification, passages: Passages, group: str, asked: Asked, wordings: Wordings
) -> Iterator[tuple[Question, dict[str, Any] | None]]:
    """Each wording of a semantic group, with its row of the config `squad`.

    A question of two hops has none: one context would not tell what it is about.
    """
    context = passages.sections[asked.context]
    text = context.body
    answers = [TextSpan(text[each.start : each.end], each.start, each.end) for each in asked.answers]
    forms = tuple(dict.fromkeys([*(each.text for each in answers), *asked.aliases]))
    beside = [form for form in forms if form not in {each.text for each in answers}]
    evidence = tuple(dict.fromkeys(_evidence(asked, passages)))
    metadata = {
        **asked.metadata,
        **({ASKS: asked.asks} if asked.asks else {}),
        CONTEXT: context.id,
        FILE: specification.name,
        CLAUSE: context.metadata["clause"],
        **({NO_ANSWER: asked.no_answer} if asked.no_answer else {}),
        **({FORMS_NOT_IN_SQUAD: beside} if beside else {}),
    }
    for form, wording in wordings.of(group, asked):
        question = Question(
            question_id(group, form, wording),
            wording,
            answers=forms[:1],
            aliases=(forms[1:],) if forms else (),
            answer_type="one" if forms else "none",
            answerability="answerable" if forms else "unanswerable",
            group=group,
            form=form,
            template=template_of(asked.pattern, asked.asks),
            entity=asked.entity,
            kind=LOOKUP if forms else UNANSWERABLE,
            hops=asked.hops,
            subset=asked.pattern,
            documents=tuple(dict.fromkeys(each.document for each in evidence)),
            evidence=evidence,
            metadata=metadata,
        )
        title = specification.called.strip('"')
        yield question, squad_row(question.id, title, text, wording, answers) if asked.hops == 1 else None


def _evidence(asked: Asked, passages: Passages) -> Iterator[Evidence]:
    """Where each fact stands: in its section, and where that is within one row of a table, in the row's document."""
    if not asked.answers:
        return
    numbers = {fact: number for number, fact in enumerate(sorted({each.fact for each in asked.stated}))}
    for each in asked.stated:
        section = passages.sections[each.section]
        yield Evidence(section.id, each.span.start, each.span.end, numbers[each.fact])
    for each in asked.stated:
        for row in passages.rows[each.section]:
            if row.span.start <= each.span.start and each.span.end <= row.span.end:
                yield Evidence(row.document.id, row.stated.start, row.stated.end, numbers[each.fact])


def wrong_with(specification: Specification, asked: Asked) -> str | None:
    """Why a group cannot be asked as its pattern gives it; None where nothing is wrong."""
    text = specification.sections[asked.context].text
    said = [_text(text, span) for span in asked.answers]
    if None in said or any(not each or each != each.strip() for each in said if each is not None):
        return "an answer that is no span of its section"
    if len({" ".join(each.split()).casefold() for each in said if each}) > 1:
        return "answers of other words"
    if said and not any(_covers(each, asked) for each in asked.stated):
        return "evidence without the answer"
    if any(_text(specification.sections[each.section].text, each.span) is None for each in asked.stated):
        return "evidence that is no span of its section"
    return None if any(asked.wordings.values()) else "no wording"


def _covers(stated: Stated, asked: Asked) -> bool:
    return stated.section == asked.context and any(
        stated.span.start <= each.start and each.end <= stated.span.end for each in asked.answers
    )


def _text(text: str, span: Span) -> str | None:
    return text[span.start : span.end] if 0 <= span.start < span.end <= len(text) else None
