"""What negatives are mined for: a semantic group, the text that answers it, and what no negative may say."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from benchwright.benchmarks.grounding.evidence import plain, states
from benchwright.benchmarks.types import Question
from benchwright.builders.telequad.triplets.contains import Answer, Bridge, Said, answer_of, bridge
from benchwright.builders.telequad.triplets.passages import Passage


@dataclass(frozen=True)
class Sought:
    """A semantic group with the text that answers it."""

    anchors: tuple[str, ...]
    positive: Passage
    stating: frozenset[str]
    """Ids of all texts that state what it needs, or what another question needs that is asked in the same words."""
    statements: tuple[Answer | Bridge, ...]
    """What no negative may say: the answer, and of several facts each."""
    entity: Answer | None = None
    """What is asked about, which a negative of another document may not name: its text does not tell which document it
    is of."""


def sought_of(questions: Iterable[Question], passages: Mapping[str, Passage]) -> Iterator[Sought | None]:
    """What to mine for each semantic group with an answer, in the order of their first questions; None for one whose
    answer no text states word for word, such as a number that follows from a table.

    Args:
        questions: those without an answer are passed over.
        passages: the texts by id, those that the questions' evidence names among them.
    """
    groups: dict[str, list[Question]] = {}
    stating: dict[str, set[str]] = {}
    for question in questions:
        if question.answerability == "answerable" and question.answers:
            groups.setdefault(question.group or question.id, []).append(question)
            stating.setdefault(question.question, set()).update(stating_ids(question))
    for group in groups.values():
        anchors = tuple(dict.fromkeys(question.question for question in group))
        positive = positive_of(group[0], passages)
        if positive is None:
            yield None
            continue
        entity = Answer((group[0].entity,)) if group[0].entity else None
        yield Sought(
            anchors,
            positive,
            frozenset().union(*(stating[anchor] for anchor in anchors)),
            statements_of(group[0], passages, Said(positive.text)),
            entity,
        )


def stating_ids(question: Question) -> set[str]:
    """Ids of the texts that state what a question needs."""
    return {*question.documents, *(each.document for each in question.evidence)}


def positive_of(question: Question, passages: Mapping[str, Passage]) -> Passage | None:
    """The text that answers a question: of those whose evidence states the answer a table's row, else the first."""
    forms = answer_of(question.answers, question.aliases).forms
    found = []
    for each in question.evidence:
        passage = passages.get(each.document)
        if passage is not None and states([plain(passage.text[each.start : each.end])], forms):
            found.append(passage)
    return next((passage for passage in found if passage.table), found[0] if found else None)


def statements_of(question: Question, passages: Mapping[str, Passage], positive: Said) -> tuple[Answer | Bridge, ...]:
    """What a text must not say to be a negative: the answer; of a question of several facts also what states each, word
    for word or as it leads from what is asked about to the positive."""
    answer = answer_of(question.answers, question.aliases)
    if len({each.fact for each in question.evidence}) < 2:
        return (answer,)
    spans: dict[int, list[str]] = {}
    for each in question.evidence:
        if each.document in passages:
            spans.setdefault(each.fact, []).append(passages[each.document].text[each.start : each.end])
    told = [text for texts in spans.values() for text in texts]
    bridges = (bridge(question.entity or "", text, positive) for text in dict.fromkeys(told))
    facts = (Answer(tuple(dict.fromkeys(texts))) for texts in spans.values())
    return (answer, *facts, *(each for each in bridges if each is not None))
