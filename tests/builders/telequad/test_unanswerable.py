"""Questions without an answer: made names, facts that are not there, false premises."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from asking_specifications import specification

from benchwright.benchmarks.types import FALSE_PREMISE, MADE_NAME, NULL
from benchwright.builders.telequad.questions.asked import Asked
from benchwright.builders.telequad.questions.unanswerable import unanswerable

TIMERS = (
    "The station shall send the LINK REQUEST message to the anchor and start timer T101.\n\n"
    "The anchor shall send the CHANNEL INQUIRY message to the registry and start timer T102.\n\n"
    "The anchor shall send the POWER COMMAND message to the station and start timer T104.\n\n"
)
SENDERS = {
    "LINK REQUEST": "anchor",
    "CHANNEL INQUIRY": "registry",
    "POWER COMMAND": "station",
    "T101": "anchor",
    "T102": "registry",
    "T104": "station",
}
LISTED = "# 3.2 Abbreviations\n\n- FER: Frame Error Ratio\n- LCP: Link Control Protocol\n- SCL: Sea Clutter\n- PTS: Pilot Tone\n"


def asked_in(folder: Path, text: str) -> Iterator[Asked]:
    return unanswerable(specification(folder, f"# 5 Procedures\n\n{text}\n"))


def made(folder: Path, text: str) -> list[str]:
    return [asked.entity for asked in asked_in(folder, text) if asked.no_answer == MADE_NAME]


def test_premises_are_turned_round(tmp_path: Path) -> None:
    found = {}
    for asked in asked_in(tmp_path, TIMERS):
        assert (asked.answers, asked.stated, asked.aliases) == ((), (), ())
        if asked.no_answer == FALSE_PREMISE:
            found[asked.entity] = asked.wordings["interrogative"][1]
    expected = {
        name: f"When shall the {who} {f'start timer {name}' if name[0] == 'T' else f'send the {name} message'}, "
        "according to ZZZ 1.234?"
        for name, who in SENDERS.items()
    }
    assert found == expected


@pytest.mark.parametrize(
    ("more", "left"),
    [
        ("If no answer arrives, the anchor sends the LINK REQUEST message on behalf of the station.", "LINK REQUEST"),
        ("The POWER COMMAND message can be relayed by a station.", "POWER COMMAND"),
        ("While it waits, the registry restarts nothing but timer T102.", "T102"),
    ],
)
def test_what_another_sentence_may_bear_out_is_not_asked(tmp_path: Path, more: str, left: str) -> None:
    premises = [asked.entity for asked in asked_in(tmp_path, TIMERS + more) if asked.no_answer == FALSE_PREMISE]
    assert set(SENDERS) - set(premises) == {left}


def test_made_names_have_the_shape_of_the_others(tmp_path: Path) -> None:
    assert made(tmp_path, TIMERS) == ["T105", "T106", "LINK INQUIRY", "CHANNEL COMMAND"]
    assert made(tmp_path, f"{TIMERS}\n{LISTED}")[-2:] == ["LCL", "SCS"]


@pytest.mark.parametrize(
    ("more", "names"),
    [
        ("T105 is reserved.", ["T106", "T107", "LINK INQUIRY", "CHANNEL COMMAND"]),
        ("The LinkInquiry type is left out.", ["T105", "T106", "CHANNEL COMMAND", "POWER REQUEST"]),
    ],
)
def test_names_that_stand_anywhere_are_not_made(tmp_path: Path, more: str, names: list[str]) -> None:
    assert made(tmp_path, TIMERS + more) == names


def test_too_few_names_make_none(tmp_path: Path) -> None:
    assert made(tmp_path, "The station shall send the LINK REQUEST message to the anchor and start timer T101.") == []


def test_the_context_is_where_one_would_look(tmp_path: Path) -> None:
    table = "# 8 Timers\n\n| Timer | Value |\n|---|---|\n| T101 | 5 s |\n| T102 | 6 s |\n| T104 | 7 s |\n"
    uses = "# 5 Procedures\n\nTimer T101 runs after timer T102.\n"
    more = "# 9 More\n\nTimer T104 and timer T101 run.\n"
    given = specification(tmp_path, f"{uses}\n{table}\n{more}")
    assert [(asked.entity, asked.context) for asked in unanswerable(given)] == [("T105", 1), ("T106", 1)]


TABLE = """# 8 Timers

Table 8-1: Timers

| Timer | Default value | Name | Cause | Used |
|---|---|---|---|---|
| T101 | 5 | access | LINK REQUEST sent | ✔ |
| T102 | | access | POWER COMMAND sent | |
| T104 | 7 | - | ALARM sent | ✔ |
| T105 | 8 | alarm | | ✔ |

The value of the Start frame IE shall be in the range 0 to 4095.

The value of the Cell IE shall be in the range 0 to 7.

The default value of the Cell IE is 1.

"""
DEFAULT = "What is the default value of the Start frame IE according to ZZZ 1.234?"
EMPTY = 'What is the default value of timer T102 according to the table "Timers" of ZZZ 1.234?'
DASH = 'What is the name of timer T104 according to the table "Timers" of ZZZ 1.234?'
NO_CAUSE = 'What is the cause of timer T105 according to the table "Timers" of ZZZ 1.234?'


@pytest.mark.parametrize(
    ("more", "left"),
    [
        ("", set()),
        ("T102 has a default value of its own.", {EMPTY}),
        ("The cause of T105 is its power on. T104 has no name.", {NO_CAUSE, DASH}),
        ("By default, the StartFrame is 1.", {DEFAULT}),
        ("Any other IE has the default value 0.", {DEFAULT}),
        ("```\nstartFrame StartFrame DEFAULT 0\n```", {DEFAULT}),
    ],
)
def test_facts_that_are_not_there(tmp_path: Path, more: str, left: set[str]) -> None:
    given = specification(tmp_path, TABLE + more)
    found = {asked.wordings["interrogative"][0] for asked in unanswerable(given) if asked.no_answer == NULL}
    assert found == {DEFAULT, EMPTY, DASH, NO_CAUSE} - left
