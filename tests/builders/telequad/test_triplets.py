"""Triplets: which texts are taken as negatives, and which never are."""

from collections.abc import Sequence

import pytest

from benchwright.benchmarks.types import Evidence, Question
from benchwright.builders.telequad.triplets.contains import Answer, Said
from benchwright.builders.telequad.triplets.mine import (
    ALIKE,
    LONG,
    NAMESAKE,
    NO_POSITIVE,
    SAYS_IT,
    TOO_FEW,
    TripletMiner,
    is_near_duplicate,
)
from benchwright.builders.telequad.triplets.passages import Passage

SAID = [
    ("10 seconds", "It expires after 10 s."),
    ("10 s", "It expires after ten seconds."),
    ("10 s", "It is 10s."),
    ("2 minutes", "It is 120 seconds."),
    ("10 000", "at most 10,000 octets"),
    ("three", "3 attempts"),
    ("channel registries", "the Channel Registry"),
    ("re-synchronisation", "the resynchronization procedure"),
    ("CHANNEL DENIAL", "a channel denial message"),
    ("colour", "its colors"),
    ("≥", "where x ≥ y"),
    ("2030-11-05", "on 5 November 2030"),
    ("a logical entity that grants channels to stations and keeps their limits", "A logical entity of the network that "
     "grants channels to stations, and keeps the limits."),
    ("信号", "这是信号站"),
    ("quay at which a vessel is entered in the register", "It names the quay at which the vessel is entered in the register."),
    ("fixed or mobile radio unit that is not an anchor", "A station is a fixed or mobile radio unit. An anchor is fixed."),
    ("2 octets", "Information element: Cause; Length (octets): 2"),
    ("100 to 900 ms", "Timer: T101; Minimum: 100; Maximum: 900; Unit: ms"),
    ("10 s", "Timer: T101; Value (s): 10"),
]  # fmt: skip
NOT_SAID = [
    ("1", "5.1 General: 10 octets, 21 of them"),
    ("10 s", "It is 10 minutes and 100 octets."),
    ("anchor", "the anchorage"),
    ("0x4D", "0x4E"),
    ("T301", "T302 and T3010"),
    ("a logical entity that grants channels to stations and keeps their limits", "An entity grants channels."),
    ("A1", "A2 1"),
    ("2 octets", "Information element: Cause; Length (octets): 3; Clause: 2.1"),
    ("0x4D", "0x4E and 0xDA, clause 4"),
]


@pytest.mark.parametrize("expected, cases", [(True, SAID), (False, NOT_SAID)])
def test_what_says_an_answer(expected: bool, cases: Sequence[tuple[str, str]]) -> None:
    assert [(answer, text) for answer, text in cases if Answer((answer,)).is_in(Said(text)) is not expected] == []


def test_an_alias_is_an_answer() -> None:
    assert Answer(("AMF", "Access and Mobility Management Function")).is_in(
        Said("The access and mobility management function pages.")
    )


def test_near_duplicates_share_nearly_all_runs_of_words() -> None:
    text = "The station shall send a LINK REQUEST message to the anchor and start timer T101 at once, then wait for it."
    assert is_near_duplicate(Said(text), Said(text.replace("at once", "At  Once")))
    assert is_near_duplicate(Said(text + " See clause five of it, and also the one after."), Said(text)) is False
    assert is_near_duplicate(Said(text), Said(text.replace("LINK REQUEST", "POWER"))) is False
    assert is_near_duplicate(Said("Void."), Said("void"))


def _section(clause: str, text: str, file: str = "a") -> Passage:
    return Passage(f"{file}#{clause}", text, file, clause, clause.rpartition(".")[0])


def _row(clause: str, number: int, text: str, file: str = "a") -> Passage:
    return Passage(f"{file}#{clause}/{number}", text, file, clause, clause.rpartition(".")[0], f"{clause}/t")


TIMERS = _section("8.1", "8.1 Timers\n\nTimer | Value\nT101 | 10 s\nT102 | 20 s\nT103 | 10 s\nT104 | 40 s")
ROWS = [
    _row("8.1", number, f"Timers. Timer: T10{number}; Value: {value}")
    for number, value in enumerate(("10 s", "20 s", "ten seconds", "40 s"), 1)
]
SECTIONS = [
    TIMERS,
    _section("8.2", "8.2 Counters\n\nThe counter N101 is reset when T101 is stopped."),
    _section("8.3", "8.3 Restart\n\nThe value of timer T101 is 10 seconds."),
    _section("9", "9 Value\n\nThe value of a timer is coded in octets."),
    _section("10", "10 Annexes\n\nThere are none."),
]
OTHER = [
    _section("3", "3 Timers\n\nThe timer T101 has the value 30 s.", "b"),
    _section("4", "4 Value\n\nA timer has a value.", "b"),
]


def _about(answer: str, *stated: tuple[Passage, str, int], entity: str = "T101", group: str = "g") -> list[Question]:
    evidence = tuple(
        Evidence(passage.id, passage.text.index(words), passage.text.index(words) + len(words), fact)
        for passage, words, fact in stated
    )
    return [
        Question(
            f"{group}-{form}",
            wording,
            (answer,),
            ((),),
            "one",
            "answerable",
            group=group,
            entity=entity,
            documents=tuple(dict.fromkeys(each.document for each in evidence)),
            evidence=evidence,
        )
        for form, wording in (("short", f"{entity} value, LCS 1"), ("long", f"What is the value of {entity} in LCS 1?"))
    ]


def _mined(
    negatives: int, questions: list[Question], *documents: list[Passage]
) -> tuple[TripletMiner, list[dict[str, str]]]:
    miner = TripletMiner(negatives)
    rows = [row for number, each in enumerate(documents) for row in miner.add(each, [] if number else questions)]
    return miner, [*rows, *miner.finish()]


def test_rows_sisters_and_neighbours_in_turn() -> None:
    questions = _about("10 s", (TIMERS, "10 s", 0), (ROWS[0], "10 s", 0))
    miner, rows = _mined(6, questions, [*SECTIONS, *ROWS], OTHER)
    assert [row["anchor"] for row in rows] == ["T101 value, LCS 1", "What is the value of T101 in LCS 1?"]
    assert {row["positive"] for row in rows} == {ROWS[0].text}
    found = [[row[f"negative_{number}"] for number in range(1, 7)] for row in rows]
    assert found[0] == found[1]
    assert found[0] == [ROWS[1].text, SECTIONS[1].text, OTHER[1].text, ROWS[3].text, SECTIONS[3].text, SECTIONS[4].text]
    assert miner.sorts == {"same_table": 4, "sister": 2, "same_document": 4, "same_split": 2}
    assert miner.passed_over == {SAYS_IT: 2, NAMESAKE: 1}
    assert miner.checks()["triplets_left_out"] == {}


def test_of_two_hops_no_negative_states_either_fact() -> None:
    start = _section("5.1", "5.1 Start\n\nOn power-up the station shall wait as long as table 8.1 gives for T102.")
    again = _section(
        "5.2", "5.2 Again\n\nUpon power-up, the station shall wait as long as the table gives for T102 too."
    )
    told = _section("5.4", "5.4 Overview\n\nAt power-up timer T102 starts.")
    more = _section("5.3", "5.3 End\n\nThe station stops.")
    questions = _about("20 s", (start, start.text[11:], 0), (TIMERS, "T102 | 20 s", 1), entity="power-up")
    miner, rows = _mined(5, questions, [start, again, told, more, *SECTIONS])
    assert len(rows) == 2 and rows[0]["positive"] == TIMERS.text
    assert not {again.text, start.text, told.text} & set(rows[0].values())
    assert miner.passed_over[SAYS_IT] == 2


def test_what_is_nearly_the_positive_or_its_own_row_is_no_negative() -> None:
    text = "The station shall send a LINK REQUEST message to the anchor and start timer {} at once. Then it shall wait "
    text += "until the anchor grants a channel, and shall not send anything else in the meantime."
    first, twin = _section("5.1", text.format("T101")), _section("5.2", text.format("T102"))
    row = _row("5.1", 1, "Message: LINK REQUEST")
    miner, rows = _mined(1, _about("T101", (first, "T101", 0), entity="LINK REQUEST"), [first, twin, row, SECTIONS[4]])
    assert {row["negative_1"] for row in rows} == {SECTIONS[4].text}
    assert miner.passed_over == {ALIKE: 2}


def test_a_group_without_enough_negatives_or_without_a_text_is_counted() -> None:
    computed = Question("c", "How many timers?", ("4",), ((),), "one", "answerable", documents=(TIMERS.id,))
    impossible = Question("d", "How old?", (), (), "none", "unanswerable")
    questions = [*_about("10 s", (TIMERS, "10 s", 0)), computed, impossible]
    miner, rows = _mined(2, questions, [TIMERS, SECTIONS[2], SECTIONS[4]])
    assert rows == []
    assert miner.left_out == {TOO_FEW: 1, NO_POSITIVE: 1}


def test_what_answers_another_question_of_the_same_words_is_no_negative() -> None:
    first, second = _section("1", "The AMF has 5 slots."), _section("2", "The MME has 7 slots.")
    questions = [
        *_about("5", (first, "5", 0), entity="slots"),
        *_about("7", (second, "7", 0), entity="slots", group="h"),
    ]
    _, rows = _mined(1, questions, [first, second, SECTIONS[4]])
    assert [(row["positive"], row["negative_1"]) for row in rows] == [
        *[(first.text, SECTIONS[4].text)] * 2,
        *[(second.text, SECTIONS[4].text)] * 2,
    ]


def test_texts_that_no_retriever_reads_to_the_end_are_in_no_triplet() -> None:
    huge = _section("8.9", "8.9 Values of timers\n\n" + "The value of a timer is coded. " * 700)
    miner, rows = _mined(1, _about("10 s", (TIMERS, "10 s", 0)), [TIMERS, huge, SECTIONS[4]])
    assert ({row["negative_1"] for row in rows}, miner.passed_over) == ({SECTIONS[4].text}, {LONG: 1})
    own = _section("8.8", huge.text + "It is T999.")
    miner, rows = _mined(1, _about("T999", (own, "T999", 0)), [own, SECTIONS[4]])
    assert (rows, miner.left_out) == ([], {LONG: 1})


def test_documents_are_taken_together_up_to_a_size() -> None:
    miner = TripletMiner(1, together=len(TIMERS.text) + 10)
    questions = _about("10 s", (TIMERS, "10 s", 0))
    assert list(miner.add([TIMERS], questions)) == []
    assert len(list(miner.add([SECTIONS[4]], []))) == 2
    assert list(miner.finish()) == []
