"""The rules that candidates are held against, each broken once, and what they let pass."""

import pytest

from benchwright.builders.wikieval.material import Passage
from benchwright.builders.wikieval.models import candidate_checks as checks
from benchwright.builders.wikieval.rules import paper_rules as rules

TEXT = (
    "The Halden Lights is a festival of lanterns in Halden. The first one was opened by Mira Sand on 4 May 2022. "
    "About 12,000 people came to the harbour, and five bridges were lit. It was held again in June 2023."
)
PASSAGE = Passage("Halden Lights", TEXT, "https://wiki.example/Halden_Lights")
WHO = "Who opened the first Halden Lights, and on which day?"
ANSWER = "Mira Sand opened the first Halden Lights on 4 May 2022."

QUESTIONS = [
    (WHO, ""),
    ("How many people came to the Halden Lights, and how many bridges were lit?", ""),
    ("In which context did Mira Sand open the Halden Lights?", ""),
    (" ", checks.EMPTY),
    ("Who opened the Halden\u200b Lights?", checks.STRAY),
    ("Who opened the Halden Lights of haldenlights.org?", rules.LINK),
    ("Who opened the Halden Lights (https://wiki.example)?", rules.LINK),
    ("Who opened the Halden Lights" + " once" * 60 + "?", rules.DIFFICULTY),
    ("Who " + "x" * 900 + " Halden?", checks.LONG),
    ("Who opened Halden?", rules.DIFFICULTY),
    ("Tell me who opened the Halden Lights.", rules.UNREADABLE),
    ("Who opened the Halden Lights? When did people come to Halden?", rules.UNREADABLE),
    ("According to the provided context, who opened the Halden Lights?", rules.POINTING),
    ("Who opened the Halden Lights in the given text?", rules.POINTING),
    ("Based on this article, who opened the Halden Lights?", rules.POINTING),
    ("Who opened the Halden Lights mentioned above?", rules.POINTING),
    ("Did Mira Sand open the Halden Lights in May?", rules.YES_OR_NO),
    ("Who opened it on that day?", rules.NO_SUBJECT),
]


@pytest.mark.parametrize(("question", "problem"), QUESTIONS, ids=range(len(QUESTIONS)))
def test_questions(question: str, problem: str) -> None:
    assert checks.question_problem(question, PASSAGE) == problem


ANSWERS = [
    (ANSWER, ""),
    ("Mira Sand did so on May 4, 2022.", ""),
    ("It was opened by Mira Sand, and 12000 people came; 5 bridges were lit.", ""),
    ("It was opened by Mira Sand.", ""),
    ("Mira Sand, see https://wiki.example/Mira.", rules.LINK),
    ("I don't know.", checks.DECLINES),
    ("The first Halden Lights.", rules.TRIVIAL),
    ("It was opened by Jon Berg on 4 May 2022.", checks.NOT_IN_TEXT),
    ("Mira Sand opened it on 5 May 2022.", checks.NOT_IN_TEXT),
    ("Mira Sand opened it, with speeches, fireworks and a concert by a choir.", checks.NOT_IN_TEXT),
]


@pytest.mark.parametrize(("answer", "problem"), ANSWERS, ids=range(len(ANSWERS)))
def test_answers(answer: str, problem: str) -> None:
    assert checks.answer_problem(answer, WHO, PASSAGE) == problem


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("It was opened by Jon Berg on 17 March 2021.", ""),
        ("It was opened by Mira Sand on 5 May 2022.", ""),
        (ANSWER, checks.GROUNDED),
        ("On May 4, 2022, by Mira Sand.", checks.GROUNDED),
        ("Mira Sand inaugurated it on 4 May 2022.", checks.GROUNDED),
        ("Hitachi opened it.", ""),
        ("The mayor opened it.", ""),
        ("I do not know who opened it.", checks.DECLINES),
        ("As of my knowledge cutoff in 2021, Jon Berg had opened it.", checks.OF_ITSELF),
        ("As an AI I hold that Jon Berg opened it in 2020.", checks.OF_ITSELF),
        ("I'm not certain, but it was most likely Jon Berg, in 2020.", checks.OF_ITSELF),
        ("My best guess is that Jon Berg opened it in 2020.", checks.OF_ITSELF),
        ("Jon Berg opened it in 2020, who had been trained as an AI engineer.", ""),
        ("", checks.EMPTY),
    ],
)
def test_answers_without_the_text_are_less_faithful(answer: str, problem: str) -> None:
    assert checks.ungrounded_problem(answer, ANSWER, WHO, PASSAGE) == problem


@pytest.mark.parametrize(
    ("poor", "left_out", "problem"),
    [
        ("Mira Sand opened the first Halden Lights.", "4 May 2022", ""),
        ("The first Halden Lights was opened on 4 May 2022 by somebody from the town.", "Mira Sand", ""),
        ("Mira Sand opened the first Halden Lights in May.", "4 May 2022", ""),
        ("On May 4, 2022 Mira Sand opened it.", "4 May 2022", checks.NOTHING_LEFT_OUT),
        ("Mira Sand opened the first Halden Lights.", "the harbour", checks.NOT_OF_ANSWER),
        ("Mira Sand opened the first Halden Lights.", "the first Halden Lights", checks.NOT_OF_ANSWER),
        ("Mira Sand opened the first Halden Lights.", "", checks.NOT_OF_ANSWER),
        ("Mira Sand opened the first Halden Lights with Jon Berg.", "4 May 2022", checks.NOT_IN_TEXT),
        ("...", "4 May 2022", checks.EMPTY),
    ],
)
def test_incomplete_answers_leave_a_part_out_and_add_nothing(poor: str, left_out: str, problem: str) -> None:
    assert checks.incomplete_problem(poor, left_out, ANSWER, WHO, PASSAGE) == problem


def test_a_date_is_grounded_as_a_whole() -> None:
    fair = Passage(
        "Halden Fair", "The Halden Fair was held from 4 to 6 May 2022, and on 9 June 2023. It had 7 halls.", "a"
    )
    asked = "When was the Halden Fair held?"
    found = {day: checks.is_grounded(f"It was held on {day}.", asked, fair) for day in DAYS}
    assert found == DAYS
    months = Passage("Halden Fair", "The Halden Fair was held between May and June 2022.", "a")
    assert checks.is_grounded("It was held from May 2022.", asked, months)


DAYS = {
    "6 May 2022": True,
    "May 4, 2022": True,
    "June 9, 2023": True,
    "June 2023": True,
    "7 May 2022": False,
    "9 May 2022": False,
    "6 June 2023": False,
    "June 2022": False,
    "May 2023": False,
}
