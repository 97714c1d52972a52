"""Two hops: a clause tells of a thing and refers to the clause that states a fact about it."""

from pathlib import Path

import pytest
from asking_specifications import check, specification

from benchwright.builders.telequad.questions.references import references

START = """# 5 Procedures

## 5.1 Access

In the LINK REQUEST message, specified in clause 6.2, the station shall set the Number IE to 1.

The station shall send the LINK REQUEST message to the anchor, start timer T1 and enter the BUSY state.

## 5.2 Rejection

The anchor shall refuse the request. The Cause IE, coded as in clause 7.1, shall be set to:

- #0 (cell full), if the anchor serves 64 stations; or
- #1 (no service), if no channel is free.

# 6 Messages

## 6.1 Types

Table 6.1-1: Types

| Type | Message |
|------|---------|
| 0x12 | LINK REQUEST |
| 0x13 | LINK REJECT |

## 6.2 LINK REQUEST

The LINK REQUEST message asks for a link. Its message type is 0x12 and its length is 8 to 10 octets.

The Battery IE shall be present if the station has no mains supply, and absent otherwise.

| Information element | Clause | Length |
|------|------|------|
| Number | 7.2 | 4 |
| Battery | 7.3 | 2 |

# 7 Information elements

## 7.1 Cause

| Value | Name | Meaning |
|------|------|------|
| 0 | cell full | no further link can be served |
| 1 | no service | no channel is free for the service |

## 7.2 Number

The Number information element names a station.

## 7.3 Battery

The Battery information element tells of a charge. Its identifier is 0x71 and its length is 2 octets.

The value of the Battery IE shall be in the range 0 to 100 percent.
"""
MESSAGE = "the message that the station shall send to the anchor when it starts timer T1"
BATTERY = "the information element that shall be present if the station has no mains supply"
FULL = "the value that shall be set if the anchor serves 64 stations"
ALL = {
    f"the message type of {MESSAGE}": ("0x12", "6.2", 2),
    f"the length of {MESSAGE}": ("8 to 10 octets", "6.2", 1),
    f"the meaning of {FULL}": ("no further link can be served", "7.1", 1),
    f"the identifier of {BATTERY}": ("0x71", "7.3", 1),
    f"the range of values of {BATTERY}": ("0 to 100 percent", "7.3", 1),
}


def found(folder: Path, text: str) -> dict[str, tuple[str, str, int]]:
    """Question → its answer, the number of the clause that states it, and the places that do."""
    given = specification(folder, text)
    questions = {}
    for asked in references(given):
        check(asked, given)
        first, second = asked.stated[:2]
        assert (asked.hops, first.fact, first.section != second.section) == (2, 0, True)
        assert {each.fact for each in asked.stated[1:]} == {1}
        answer = given.sections[asked.context].text[asked.answers[0].start : asked.answers[0].end]
        assert answer not in given.sections[first.section].text
        words = asked.wordings["interrogative"][0].removeprefix("According to ZZZ 1.234, what is ").rstrip("?")
        questions[words] = (answer, asked.metadata["refers_to"], len(asked.stated) - 1)
    return questions


def test_what_is_asked(tmp_path: Path) -> None:
    assert found(tmp_path, START) == ALL


@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        ("specified in clause 6.2", "specified in clause 6.9", MESSAGE),
        (", specified in clause 6.2,", "", MESSAGE),
        ("asks for a link.", "asks for a link and starts T1.", MESSAGE),
        ("The anchor shall refuse", "The type is 0x12, in 8 to 10 octets. The anchor shall refuse", ""),
        ("set the Number IE to 1.", "set the type to 0x12.", f"the message type of {MESSAGE}"),
        ("to the anchor, start timer T1 and enter the BUSY state.", "to the anchor.", MESSAGE),
        (", coded as in clause 7.1,", "", FULL),
        ("no further link can be served", "the anchor already serves 64 stations", FULL),
        ("| 7.3 |", "| 7.2 |", BATTERY),
        ("is 0x71", "is shown", f"the identifier of {BATTERY}"),
        ("## 6.2 LINK REQUEST", "## 6.2 The request", MESSAGE),
    ],
)
def test_what_is_not_asked(tmp_path: Path, old: str, new: str, left: str) -> None:
    questions = found(tmp_path, START.replace(old, new))
    assert set(questions) == {each for each in ALL if not left or left not in each}


def test_two_things_that_are_told_of_alike_are_not_asked(tmp_path: Path) -> None:
    more = "The station shall send the LINK REJECT message to the anchor and start timer T1.\n"
    questions = found(tmp_path, START.replace("## 5.2", f"{more}\n## 5.2"))
    assert not any(MESSAGE in each for each in questions)
