"""What rules make of a model's answer where the model gave no worse candidate: facts swapped, a part cut off."""

import pytest

from benchwright.builders.wikieval.material import Passage
from benchwright.builders.wikieval.models.candidate_checks import incomplete_problem, ungrounded_problem
from benchwright.builders.wikieval.models.fallbacks import answer_facts, cut_short, swap_facts

TEXT = (
    "The Halden Lights is a festival of lanterns in Halden. The first one was opened by Mira Sand on 4 May 2022. "
    "About 12,000 people came to the harbour. A second one was held in June 2023. Hall and Sons built its stage for 4.2 "
    "million crowns. Five bridges were lit. The Apollo 11 lantern was the largest."
)
PASSAGE = Passage("Halden Lights", TEXT, "https://wiki.example/Halden_Lights")
WHO = "Who opened the first Halden Lights, and on which day?"
WHEN = "When was the Halden Lights opened, and how many people came?"
CASES = [
    # question, answer, the facts of it, the incomplete answer
    (
        WHO,
        "Mira Sand opened the first Halden Lights on 4 May 2022.",
        ["4 May 2022"],
        "Mira Sand opened the first Halden Lights.",
    ),
    (
        WHO,
        "On May 4, 2022, the lights were opened by Mira Sand.",
        ["May 4, 2022"],
        "The lights were opened by Mira Sand.",
    ),
    (WHO, "It was opened by Mira Sand. That was on 4 May 2022.", ["4 May 2022"], "It was opened by Mira Sand."),
    (WHEN, "It opened on 4 May 2022 and drew 12,000 people.", ["4 May 2022", "12,000"], "It opened on 4 May 2022."),
    (
        "Who built the stage of the Halden Lights, and what did it cost?",
        "The stage was built by Hall and Sons for 4.2 million crowns.",
        ["4.2"],
        "The stage was built by Hall and Sons.",
    ),
    ("How many bridges were lit?", "In Halden five bridges were lit.", ["five"], None),
    ("How many people came?", "About 12,000 people came.", ["12,000"], None),
    ("When was the Halden Lights opened?", "The Halden Lights was opened on 4 May 2022.", ["4 May 2022"], None),
    ("What is the Halden Lights?", "It is a festival of lanterns in Halden.", [], None),
    ("Which lantern was the largest?", "The largest was Apollo 11.", [], None),
    ("Who opened the Halden Lights on 4 May 2022?", "Mira Sand opened it on 4 May 2022.", [], None),
]


@pytest.mark.parametrize(("question", "answer", "facts", "poor"), CASES, ids=range(len(CASES)))
def test_what_rules_make_of_an_answer(question: str, answer: str, facts: list[str], poor: str | None) -> None:
    assert [fact.value for fact in answer_facts(question, answer, PASSAGE)] == facts
    swapped, short = swap_facts(question, answer, PASSAGE, 1), cut_short(question, answer, PASSAGE, 1)
    assert (swapped is not None, short.text if short else None) == (bool(facts), poor)
    if swapped is not None:
        told = swapped.detail["swapped"]
        text = answer
        for each in told:
            text = text.replace(each["from"], each["to"])
        assert ([each["from"] for each in told], text, swapped.how) == (facts, swapped.text, "rule")
        assert ungrounded_problem(swapped.text, answer, question, PASSAGE) == ""
    if short is not None:
        left_out = short.detail["left_out"]
        assert left_out in facts and left_out in answer
        assert incomplete_problem(short.text, left_out, answer, question, PASSAGE) == ""


def test_of_two_sentences_one_is_kept_that_can_stand_alone() -> None:
    alone = "The lights opened on 4 May 2022. About 12,000 people came."
    assert {made.text for seed in range(9) if (made := cut_short(WHEN, alone, PASSAGE, seed))} == {
        "The lights opened on 4 May 2022.",
        "About 12,000 people came.",
    }
    leaning = "The lights opened on 4 May 2022. It drew 12,000 people."
    assert {made.text for seed in range(9) if (made := cut_short(WHEN, leaning, PASSAGE, seed))} == {
        "The lights opened on 4 May 2022."
    }
