"""A published file's questions as rows of a release: questions, the contexts as documents, and SQuAD's own columns."""

from collections.abc import Iterable, Sequence
from typing import Any

from benchwright.benchmarks.hashing import short_hash
from benchwright.benchmarks.releases.release import TEST
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.types import Document, Evidence, Question
from benchwright.builders.base import Progress
from benchwright.builders.telequad.published import Published, PublishedQuestion, Span
from benchwright.builders.telequad.triplets.write import TripletWriter

BUILDER = "telequad"
NOT_IN_SQUAD = "questions_not_in_squad"


def write_published(
    published: Published,
    writer: ReleaseWriter,
    negatives: int = 0,
    progress: Progress = lambda what, done, total: None,
) -> None:
    """Writes each question, each context once, SQuAD's rows, triplets, and what was left out and why.

    A question of a table whose answer stands nowhere in its context has no place in the config `squad`, and is counted.

    Args:
        published: what was read.
        writer: of the release.
        negatives: of each triplet; 0: none is written.
        progress: told how many of the questions whose triplets are looked for together are done.
    """
    asked = published.questions
    in_squad = [each for each in asked if each.is_impossible or each.spans]
    documents, questions = _documents(asked), [_question(each) for each in asked]
    writer.documents(documents)
    writer.questions(questions)
    writer.rows("squad", (squad_row(each.id, each.title, each.context, each.question, each.spans) for each in in_squad))
    _write_triplets(TripletWriter(writer, negatives, progress), asked, documents, questions)
    faults = published.faults
    writer.checks |= {
        "questions_left_out": dict(faults.left_out),
        "faults_noted": dict(faults.noted),
        "faults_first_places": {name: list(places) for name, places in faults.places.items()},
        NOT_IN_SQUAD: len(asked) - len(in_squad),
    }


def _write_triplets(
    triplets: TripletWriter,
    asked: Sequence[PublishedQuestion],
    documents: Iterable[Document],
    questions: Iterable[Question],
) -> None:
    """An article after the other, whose contexts are each other's sisters."""
    about: dict[str, tuple[list[Document], list[Question]]] = {}
    for document in documents:
        about.setdefault(document.title, ([], []))[0].append(document)
    for each, question in zip(asked, questions, strict=True):
        about[each.title][1].append(question)
    for contexts, found in about.values():
        triplets.add(contexts, found, TEST)
    triplets.finish()


def squad_row(name: str, title: str, context: str, question: str, spans: Sequence[Span]) -> dict[str, Any]:
    """A row of the config `squad`: without spans, one that is unanswerable."""
    answers = {"text": [span.text for span in spans], "answer_start": [span.start for span in spans]}
    return {"id": name, "title": title, "context": context, "question": question, "answers": answers}


def _document_id(question: PublishedQuestion) -> str:
    return short_hash([question.title, question.context])


def _documents(asked: Iterable[PublishedQuestion]) -> list[Document]:
    """Each context once, in their order, with what the file says of where it is from."""
    found: dict[str, Document] = {}
    for each in asked:
        name = _document_id(each)
        if name not in found:
            said = {key: value for key, value in each.metadata.items() if key.startswith(("article.", "paragraph."))}
            found[name] = Document(name, each.title, each.context, said)
    return list(found.values())


def _question(each: PublishedQuestion) -> Question:
    document = _document_id(each)
    first, *others = each.answers or ("",)
    return Question(
        each.id,
        each.question,
        answers=(first,) if each.answers else (),
        aliases=(tuple(others),) if each.answers else (),
        answer_type="one" if each.answers else "none",
        answerability="unanswerable" if each.is_impossible else "answerable",
        group=short_hash([BUILDER, "published", each.id]),
        kind="unanswerable" if each.is_impossible else "lookup",
        documents=() if each.is_impossible else (document,),
        evidence=tuple(Evidence(document, span.start, span.end) for span in each.spans),
        metadata={**each.metadata, "context": document},
    )
