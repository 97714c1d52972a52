"""What a passage states plainly of its subject: what is asked for, and what is not because it may be misread."""

import re
from collections import Counter

import pytest

from benchwright.builders.wikieval.material import Passage
from benchwright.builders.wikieval.rules.by_rule import pair_by_rule
from benchwright.builders.wikieval.rules.facts import Fact
from benchwright.builders.wikieval.rules.questions import find_facts
from benchwright.builders.wikieval.rules.swaps import swap


def passage(title: str, text: str) -> Passage:
    return Passage(title, text, "https://wiki.example/page")


BRIDGE = passage(
    "Orlen bridge",
    "Orlen bridge carries the road from Tarn to Velm across the Sarne; it was opened on 7 February 2023. "
    "The bridge is 1,344 metres long and 29 metres wide, and its two pylons are 87 metres tall.",
)
SHIP = passage(
    "Marrow ship",
    "Marrow ship is a research ship that was launched at Velm on 2 August 2022 and named by Ada Moor. "
    "She is 130 metres long, has berths for 36 people and reaches a speed of 15 knots.",
)
FILM = passage(
    "The Tin Harbour",
    "The Tin Harbour is a drama film directed by Bertil Quist and Ada Moor. It stars Ben Tal and Ilse Varn. "
    "The film grossed $12.4 million worldwide.",
)
PLAYER = passage(
    "Ilse Varn",
    "Ilse Varn (born 3 May 1970) is a Danish footballer who plays as a goalkeeper for Orlen United.",
)
OFFICER = passage(
    "Bertil Quist",
    "Bertil Quist (3 May 1900 – 2 June 1980) was a Swedish judge and writer. He served as President of the Court of "
    "Orlen from 1951 to 1963.",
)
STORM = passage(
    "Orlen storm",
    "Orlen storm was a storm that crossed the coast between Tarn and Velm on 17 February 2023. Gusts reached 154 "
    "kilometres an hour, 22 people were hurt, and 34,289 households were left without power.",
)


RACE = passage(
    "2022 Tarn 250",
    "The 2022 Tarn 250, also known as the Harbour Race, was the eighth stock car race of the 2022 Orlen Series, and the "
    "fourth of the year. It was held in Tarn.",
)


@pytest.mark.parametrize(
    ("of", "question", "value", "statement"),
    [
        (
            RACE,
            "Which race of the 2022 Orlen Series was the 2022 Tarn 250?",
            "eighth",
            "The 2022 Tarn 250 was the eighth race of the 2022 Orlen Series.",
        ),
        (BRIDGE, "How long is the Orlen bridge?", "1,344 metres", "The Orlen bridge is 1,344 metres long."),
        (BRIDGE, "How wide is the Orlen bridge?", "29 metres", "The Orlen bridge is 29 metres wide."),
        (
            BRIDGE,
            "How tall are the two pylons of the Orlen bridge?",
            "87 metres",
            "The two pylons of the Orlen bridge are 87 metres tall.",
        ),
        (BRIDGE, "Which river does the Orlen bridge cross?", "Sarne", "The Orlen bridge crosses the Sarne."),
        (SHIP, "Who named the Marrow ship?", "Ada Moor", "Ada Moor named the Marrow ship."),
        (SHIP, "Where was the Marrow ship launched?", "Velm", "The Marrow ship was launched at Velm."),
        (SHIP, "What speed does the Marrow ship reach?", "15 knots", "The Marrow ship reaches a speed of 15 knots."),
        (
            FILM,
            "Who directed the film The Tin Harbour?",
            "Bertil Quist and Ada Moor",
            "Bertil Quist and Ada Moor directed the film The Tin Harbour.",
        ),
        (
            FILM,
            "Who stars in the film The Tin Harbour?",
            "Ben Tal and Ilse Varn",
            "Ben Tal and Ilse Varn star in the film The Tin Harbour.",
        ),
        (
            FILM,
            "How much did the film The Tin Harbour gross worldwide?",
            "$12.4 million",
            "The film The Tin Harbour grossed $12.4 million worldwide.",
        ),
        (PLAYER, "Which position does Ilse Varn play in?", "goalkeeper", "Ilse Varn plays as a goalkeeper."),
        (PLAYER, "Which team does Ilse Varn play for?", "Orlen United", "Ilse Varn plays for Orlen United."),
        (
            OFFICER,
            "What was the profession of Bertil Quist?",
            "judge and writer",
            "Bertil Quist was a judge and writer.",
        ),
        (
            OFFICER,
            "From when to when did Bertil Quist serve as President of the Court of Orlen?",
            "from 1951 to 1963",
            "Bertil Quist served as President of the Court of Orlen from 1951 to 1963.",
        ),
        (
            STORM,
            "How many households were left without power during the Orlen storm?",
            "34,289",
            "34,289 households were left without power during the Orlen storm.",
        ),
    ],
)
def test_what_a_sentence_says_of_its_subject_is_asked_for(
    of: Passage, question: str, value: str, statement: str
) -> None:
    facts = {fact.question: fact for fact in find_facts(of)[0]}
    assert (facts[question].value, facts[question].statement) == (value, statement)


def questions(text: str, title: str = "Orlen bridge") -> set[str]:
    return {fact.question for fact in find_facts(passage(title, text))[0]}


@pytest.mark.parametrize(
    "text",
    [
        "It was built by a man who has 3 ships.",
        "It was built where the river has 3 arms.",
        "It is planned to have 3 arches.",
        "It has 3 other arches.",
        "The tower has 3 arches.",
    ],
)
def test_what_is_said_of_something_else_or_is_not_sure_is_not_asked(text: str) -> None:
    assert questions(f"Orlen bridge is a bridge in Tarn. {text}") == {"Where is the Orlen bridge?"}


def test_a_figure_that_is_told_twice_in_two_ways_is_not_asked() -> None:
    assert questions("Orlen bridge is a bridge in Tarn. It has 3 arches. It has 4 arches.") == {
        "Where is the Orlen bridge?"
    }


def test_a_second_part_speaks_of_the_subject_as_the_text_does() -> None:
    nexts = {fact.asked_next for of in (SHIP, OFFICER, PLAYER) for fact in find_facts(of)[0]}
    assert {"who named it?", "what was his profession?", "which position does Varn play in?"} <= nexts


def fact(kind: str, value: str, pool: str = "", statement: str = "") -> Fact:
    said = statement or f"It is {value}."
    return Fact("Who or what is it?", "Who or what is {s}?", value, kind, said, said, "", pool)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "pattern"),
    [
        (fact("number", "1,344 metres"), r"(?:\d,\d{3}|\d{3}) metres"),
        (fact("number", "12.4 tonnes"), r"\d+\.\d tonnes"),
        (fact("number", "75 per cent"), r"\d\d per cent"),
        (fact("date", "from 1951 to 1963", "span"), r"from 19[45]\d to 19[5-7]\d"),
        (fact("place", "between Tarn and Velm", "way"), r"between \w+ and \w+"),
        (fact("person", "Bertil Quist and Ada Moor"), r"\w+ [\w-]+ and \w+ [\w-]+"),
        (fact("name", "Sarne", "river", "It crosses the Sarne."), r"(?!the )[A-Z]\w+"),
        (fact("name", "actor", "profession", "He is an actor."), r"[aeiou].*"),
        (fact("place", "Denmark"), r"[A-Z]\w+"),
    ],
)
def test_another_value_is_written_as_the_one_whose_place_it_takes(one: Fact, pattern: str) -> None:
    for seed in range(12):
        values = swap([one], f"{one.statement} It ended in 1970.", seed)
        assert values is not None and re.fullmatch(pattern, values[0]) and values[0] != one.value


def test_facts_that_were_asked_least_are_asked_first() -> None:
    before = Counter[str]()
    asked = [pair_by_rule(BRIDGE, seed, asked_before=before)[0] for seed in range(4)]
    assert all(len(pair.question.detail["facts"]) == 2 for pair in asked if pair)
    assert sum(before.values()) == 8 and max(before.values()) <= 2


def test_the_parts_of_a_question_do_not_say_the_same_word_again() -> None:
    for seed in range(10):
        pair, _ = pair_by_rule(STORM, seed)
        assert pair is not None and pair.question.text.count("coast") <= 1


def test_a_name_does_not_say_a_place_twice() -> None:
    of = passage(
        "Orlen ship",
        "Orlen ship is a research ship that was launched at Orlen on 2 August 2022. She is 130 metres long.",
    )
    found = {fact.question for fact in find_facts(of, ["Orlen ship (project)"])[0]}
    assert {"When was the Orlen ship launched?", "How long is the Orlen ship?"} <= found
