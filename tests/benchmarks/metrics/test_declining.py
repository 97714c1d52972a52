"""Answers to questions that have none: which of them say so."""

import pytest

from benchwright.benchmarks.metrics.answers.declining import declines
from benchwright.benchmarks.metrics.correct import DECLINED, UNANSWERABLE, correct
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question

ASKED = "Who is the director of the project Quay Wall of the client Halden Marine?"
DECLINING = (
    "I don't know.",
    "N/A",
    "There is no project called Quay Wall.",
    "No such project exists in the database.",
    "Quay Wall was not made for Halden Marine; its client is Corvane.",
    "Halden Marine isn't the client of Quay Wall.",
    "Quay Wall is a project of Corvane, not Halden Marine. Its director is Ada Moor.",
    "The question rests on a false premise.",
    "That assumption is incorrect: Quay Wall belongs to Corvane.",
    "No director is listed.",
    "It has no director.",
    "The director of Quay Wall is not recorded.",
)
ANSWERING = (
    "Ada Moor",
    "The director is Ada Moor.",
    "It is Ada Moor, not Ben Tal.",
    "Ada Moor, who has never missed a day.",
    "Is it not Ada Moor?",
    "",
    "word " * 50_000,
)


@pytest.mark.parametrize(("answer", "says_so"), [(a, True) for a in DECLINING] + [(a, False) for a in ANSWERING])
def test_what_says_that_there_is_no_answer(answer: str, says_so: bool) -> None:
    assert declines(answer, ASKED) is says_so
    question = Question("q", ASKED, answerability="unanswerable")
    assert correct(question, Prediction("q", answer)) == (DECLINED if says_so else UNANSWERABLE)
