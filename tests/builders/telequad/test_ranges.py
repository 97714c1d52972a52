"""Values that sentences state: ranges, defaults, limits, numbers of things; ASN.1."""

from pathlib import Path

import pytest
from asking_specifications import check, specification

from benchwright.builders.telequad.questions.ranges import ranges

STATED = [
    ("The value of the Start frame IE shall be in the range 0 to 4095.", "values", "the Start frame IE", "0 to 4095"),
    ("The Power IE is in the range from -10 to 30 dBm.", "values", "the Power IE", "-10 to 30 dBm"),
    ("The QoS level ranges from 1 to 9 inclusive.", "values", "the QoS level", "1 to 9"),
    ("T310 must be between 200 ms and 2000 ms.", "values", "T310", "200 ms and 2000 ms"),
    ("The Port field is an unsigned integer from 0 to 65535.", "values", "the Port field", "0 to 65535"),
    ("Valid values for T310 are 1 to 16.", "values", "T310", "1 to 16"),
    ("The allowed range of the MTU is 1280–9000 octets.", "values", "the MTU", "1280–9000 octets"),
    ("The default value of T310 is 1000 ms.", "default", "T310", "1000 ms"),
    ("The default for the MaxAge parameter is 30 seconds.", "default", "the MaxAge parameter", "30 seconds"),
    ("SETTINGS_MAX_FRAME_SIZE defaults to 16384.", "default", "SETTINGS_MAX_FRAME_SIZE", "16384"),
    ("By default, the T5 timer is 5 minutes.", "default", "the T5 timer", "5 minutes"),
    ("The size of an LCP frame shall not exceed 512 octets.", "most", "the size of an LCP frame", "512 octets"),
    ("The round trip of T101 shall be at most 20 ms.", "most", "the round trip of T101", "20 ms"),
    ("The power of class S1 shall be at least 5 dBm.", "least", "the power of class S1", "5 dBm"),
    ("An LCP frame lasts 20 ms and has 16 slots.", "lasts", "an LCP frame", "20 ms"),
    ("The length of the Cause IE is 2 octets.", "value", "the length of the Cause IE", "2 octets"),
    ("The maximum size of an LCP frame is 1 500 octets.", "value", "the maximum size of an LCP frame", "1 500 octets"),
    ("The LCP port number is 0x1F.", "value", "the LCP port number", "0x1F"),
    ("An ANC may serve up to 64 stations.", "many", "an ANC", "64"),
    ("The LCP header contains 12 octets.", "count", "the LCP header", "12"),
    ("The LCP header is 8 octets long.", "value", "the length of the LCP header", "8 octets"),
    ("The T5 interval is 30 seconds long.", "value", "the duration of the T5 interval", "30 seconds"),
    ("A BTTP packet MUST NOT exceed 1200 octets.", "most", "a BTTP packet", "1200 octets"),
    ("The RTO SHOULD be at least 1 second.", "least", "the RTO", "1 second"),
    (
        "The rate of the UART7 can be set to values from 300 to 9600 baud.",
        "values",
        "the rate of the UART7",
        "300 to 9600 baud",
    ),
    (
        "The VCC supply shall be between 10.8 V and 13.2 V. It is measured.",
        "values",
        "the VCC supply",
        "10.8 V and 13.2 V",
    ),
    ("The T1 timer shall be in the range 1 to 8, as specified in clause 5.2.", "values", "the T1 timer", "1 to 8"),
]
UNSTATED = [
    "The default value is 5.",
    "It shall be in the range 1 to 8.",
    "This timer is in the range 1 to 8.",
    "The specified T1 timer shall be in the range 1 to 8.",
    "The length of the T1 field is 2 octets if the flag is set.",
    "The length of the T1 field is 2 or 4 octets.",
    "The length of the T1 field is 2 octets unless it is 4.",
    "The default value of T310 is 1000 ms for class S1.",
    "If the flag is set, the length of the T1 field is 2 octets.",
    "The value of the X1 counter is between 232-1 and 5.",
    "Version 2 of the LCP is 10 years old.",
    "The maximum value is 7.",
    "The LCP is specified in 34 clauses of 2030.",
    "NOTE: The length of the Cause IE is 2 octets.",
    "The value of the T1 field is 1, 2 or 3.",
]


@pytest.mark.parametrize(("sentence", "sort", "thing", "value"), STATED, ids=[case[0][:50] for case in STATED])
def test_what_is_stated(tmp_path: Path, sentence: str, sort: str, thing: str, value: str) -> None:
    given = specification(tmp_path, f"# 4 Values\n\n{sentence}\n")
    asked, *others = ranges(given)
    check(asked, given)
    span = asked.answers[0]
    if sort == "values" and " to " not in value:
        assert asked.aliases == (value.replace(" and ", " to ").replace("–", " to "),)
    assert (asked.asks if sort != "value" else sort, asked.entity) == (sort, thing)
    assert given.sections[asked.context].text[span.start : span.end] == value
    assert not others


@pytest.mark.parametrize("sentence", UNSTATED, ids=[sentence[:50] for sentence in UNSTATED])
def test_what_is_not_stated_plainly(tmp_path: Path, sentence: str) -> None:
    assert [*ranges(specification(tmp_path, f"# 4 Values\n\n{sentence}\n"))] == []


def test_its_length_is_of_what_the_sentence_before_is_about(tmp_path: Path) -> None:
    text = "# 6 Messages\n\nThe LINK REQUEST message is sent by the station. Its type is 0x12 and its length is 8 to 10 octets.\n"
    given = specification(tmp_path, text + "\nThe message that follows is long. Its length is 5 octets.\n")
    found = {}
    for asked in ranges(given):
        check(asked, given)
        section = given.sections[asked.context].text
        found[asked.entity] = section[asked.answers[0].start : asked.answers[0].end]
        assert section[asked.stated[0].span.start :].startswith("The LINK REQUEST message is sent")
    assert found == {
        "the type of the LINK REQUEST message": "0x12",
        "the length of the LINK REQUEST message": "8 to 10 octets",
    }


def test_a_thing_without_a_name_is_asked_of_its_clause(tmp_path: Path) -> None:
    (asked,) = ranges(specification(tmp_path, "# 4 Frames\n\nA frame lasts 20 ms.\n"))
    assert (
        asked.wordings["interrogative"][0]
        == 'How long does a frame last according to the section "Frames" of ZZZ 1.234?'
    )
    twice = "# 4 General\n\nA frame lasts 20 ms.\n\n# 5 General\n\nA slot lasts 1 ms.\n"
    assert [*ranges(specification(tmp_path, twice))] == []


def test_a_value_stated_twice_is_asked_once_and_two_values_not_at_all(tmp_path: Path) -> None:
    text = "# 4 One\n\nT310 defaults to 10 s.\n\n# 5 Two\n\nThe default value of T310 is {value}.\n"
    given = specification(tmp_path, text.replace("{value}", "10 s"))
    (asked,) = ranges(given)
    assert [each.section for each in asked.stated] == [0, 1]
    assert [*ranges(specification(tmp_path, text.replace("{value}", "12 s")))] == []


def test_a_default_under_the_name_of_an_option(tmp_path: Path) -> None:
    given = specification(
        tmp_path, "# net.retry\n\nDefault: 3\n\n# Retries\n\nDefault: 4\n\n# net.git\n\nDefault: false\n"
    )
    (asked,) = ranges(given)
    check(asked, given)
    assert asked.wordings["short"][0] == "ZZZ 1.234: default value of net.retry"


def test_a_modal_in_capitals_is_not_shouted(tmp_path: Path) -> None:
    (asked,) = ranges(specification(tmp_path, "# 4 Streams\n\nAn LCP endpoint MUST keep at most 16 open streams.\n"))
    assert asked.wordings["interrogative"][0] == (
        "How many open streams must an LCP endpoint keep at most according to ZZZ 1.234?"
    )


def test_asn1(tmp_path: Path) -> None:
    code = "ChannelNumber ::= INTEGER (1..240)  -- of a cell\n\nmaxRetries    INTEGER ::= 6\n\nCause ::= ENUMERATED { a }\n"
    given = specification(tmp_path, f"# A.2 Types\n\n```\n{code}```\n")
    found = {}
    for asked in ranges(given):
        check(asked, given)
        found[asked.entity] = given.sections[0].text[asked.answers[0].start : asked.answers[0].end]
    assert found == {"the ASN.1 type ChannelNumber": "1..240", "the value of the ASN.1 constant maxRetries": "6"}
