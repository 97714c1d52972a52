"""A release is proved before it exists: whatever builder made the rows, what does not go together is refused."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from lighthouses import lighthouse, questions

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.integrity import Integrity
from benchwright.benchmarks.releases.split_files import batches
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.schemas import CORPUS, QUESTIONS, document_batch, question_batch
from benchwright.benchmarks.types import Document, Evidence, Question

FACTS = {"builder": "lights", "builder_version": "1.0.0", "parameters": {}, "seed": 0, "canary": "none"}
ROCK = questions("Gannet Rock", 31)
DOCUMENT = lighthouse("Gannet Rock", 31)
END = len(DOCUMENT.body)


def finish(folder: Path, rows: list[Question], documents: list[Document]) -> None:
    folder.mkdir()
    writer = ReleaseWriter(folder)
    writer.documents(documents)
    writer.questions(rows)
    writer.finish(name="lights", version="1.0.0", **FACTS)


Break = Callable[[Question], Question]
BROKEN: dict[str, tuple[Break, str]] = {
    "an id twice": (lambda row: replace(row, id=ROCK[1].id), "id: question .* is there more than once"),
    "no text": (lambda row: replace(row, question=""), "question: .* has no id or no text"),
    "evidence beyond its text": (
        lambda row: replace(row, evidence=(Evidence(DOCUMENT.id, END - 3, END + 9),)),
        "evidence: question .*",
    ),
    "evidence that ends before it begins": (
        lambda row: replace(row, evidence=(Evidence(DOCUMENT.id, 9, 9),)),
        "evidence: question .*",
    ),
    "a document that is not there": (
        lambda row: replace(row, documents=("nowhere",), evidence=()),
        "document: question .* 'nowhere'|document: .*nowhere.*",
    ),
    "evidence in a document that the question does not name": (
        lambda row: replace(row, evidence=(Evidence("elsewhere", 0, 4),)),
        "(evidence|document): .*",
    ),
    "another answer in its group": (lambda row: replace(row, answers=("30 metres",), evidence=()), "group: .*"),
    "aliases that are not parallel": (lambda row: replace(row, aliases=((), ())), "answer: .*"),
    "two answers where one is asked for": (
        lambda row: replace(row, answers=("31 metres", "31"), aliases=((), ())),
        "(answer|group): .*",
    ),
    "a gap that a document states": (lambda row: replace(row, answerability="gap"), "answer: .*"),
    "an answerable question without an answer": (
        lambda row: replace(row, answers=(), aliases=(), answer_type="none", evidence=()),
        "(answer|group): .*",
    ),
}


def test_what_goes_together_is_written(tmp_path: Path) -> None:
    finish(tmp_path / "good", ROCK, [DOCUMENT])


def test_what_goes_together_is_not_suspected() -> None:
    """A suspicion that is unfounded costs a second reading of all rows: names of all lengths, in batches of all sizes."""
    watched, number = Integrity(), 0
    names = ["ö" * size + str(size) for size in (1, 3, 7, 8, 9, 15, 16, 40, 63, 64, 127, 128, 130)]
    documents = [lighthouse(name, 20 + size) for size, name in enumerate(names)]
    rows = [row for size, name in enumerate(names) for row in questions(name, 20 + size)]
    for width in (1, 2, 5, len(names)):
        for batch in batches(documents[number : number + width], document_batch):
            watched.see(CORPUS, "corpus", batch)
        number += width
    schema = QUESTIONS.resolve(())
    for batch in batches(rows, lambda part: question_batch(part, schema), 3):
        watched.see(QUESTIONS, "test", batch)
    assert not watched.is_suspicious()


@pytest.mark.parametrize("name", BROKEN)
def test_what_does_not_go_together_is_refused(tmp_path: Path, name: str) -> None:
    change, said = BROKEN[name]
    with pytest.raises(BenchwrightError) as raised:
        finish(tmp_path / "bad", [change(ROCK[0]), ROCK[1]], [DOCUMENT])
    text = str(raised.value)
    assert text.startswith("lights is not built, for its rows do not hold: ") and "\n" not in text
    assert re.search(said, text), text


def test_a_document_twice(tmp_path: Path) -> None:
    with pytest.raises(BenchwrightError, match="is not built, for its rows do not hold: "):
        finish(tmp_path / "bad", ROCK, [DOCUMENT, DOCUMENT])


@pytest.mark.parametrize("day", ["2021-13-01", "yesterday", "2021-10-02/2021-10-01", "2021"])
def test_a_date_that_is_none(tmp_path: Path, day: str) -> None:
    folder = tmp_path / "bad"
    folder.mkdir()
    writer = ReleaseWriter(folder)
    writer.with_columns("fact_date")
    writer.documents([DOCUMENT])
    writer.questions([replace(ROCK[0], fact_date=day)])
    with pytest.raises(BenchwrightError, match="is not built"):
        writer.finish(name="lights", version="1.0.0", **FACTS)
