"""Two questions in one sentence are read one after the other; a question that has commas and asks one thing is left whole."""

import pytest

from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.systems.reader.extract import UNKNOWN, read_passages
from benchwright.benchmarks.systems.reader.two_questions import split_question

TEXT = (
    "Halden bridge carries the road from Tarrow to Velmar; it was opened on 12 July 2023. "
    "The bridge is 522 metres long, and its two pylons are 177 metres tall."
)
SPLIT = {
    "When was the Halden bridge opened, and how long is it?": (
        "When was the Halden bridge opened?",
        "How long is Halden?",
    ),
    "How long is the Halden bridge, and how tall are its two pylons?": (
        "How long is the Halden bridge?",
        "How tall are Halden's two pylons?",
    ),
    "Who founded the Norrin Club, and in which year did Ada Moor join it?": (
        "Who founded the Norrin Club?",
        "In which year did Ada Moor join it?",
    ),
}


@pytest.mark.parametrize("question", SPLIT)
def test_a_pronoun_becomes_the_name(question: str) -> None:
    assert split_question(question) == SPLIT[question]


@pytest.mark.parametrize(
    "question",
    [
        "When was the Halden bridge opened?",
        "In Tarrow, and only there, who is the mayor?",
        "Who leads Ada, Ben, and Cy?",
        "Name the towns, and the rivers.",
        "",
    ],
)
def test_one_question_stays_one(question: str) -> None:
    assert split_question(question) is None


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When was the Halden bridge opened, and how tall are its two pylons?", "12 July 2023; 177 metres"),
        ("When was the Halden bridge opened, and who is its mayor?", "12 July 2023"),
        ("Who rules Zembla, and when was it founded?", UNKNOWN),
    ],
)
def test_both_are_answered_as_far_as_they_are_known(question: str, answer: str) -> None:
    assert read_passages(question, [Passage("d", "Halden bridge", 0, len(TEXT), TEXT)]) == answer
