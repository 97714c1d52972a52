"""Abbreviations: lists, tables, columns of characters, and words with their initials in brackets."""

from pathlib import Path

import pytest
from asking_specifications import answers, specification

from benchwright.builders.telequad.questions.abbreviations import abbreviations

LISTED = "# 3 Abbreviations\n\nThe following apply:\n\n"
CASES = [
    ("a list", LISTED + "- QUX: Quay Unit Exchange\n- eNB: evolved Node B.\n", ".md",
     {"QUX": "Quay Unit Exchange", "eNB": "evolved Node B"}),
    ("a table", LISTED + "| Short | Full |\n|---|---|\n| PT | Pilot Tone |\n| QP | - |\n", ".md", {"PT": "Pilot Tone"}),
    ("columns", "1.  Acronyms\n\n   RTT    Round Trip Time\n   MTU    Maximum Transmission Unit\n   LONG   an entry that\n"
     "          goes on\n", ".txt", {"RTT": "Round Trip Time", "MTU": "Maximum Transmission Unit"}),
    ("initials in brackets", "# 1 Scope\n\nThe frame error ratio (FER) and the Quality of Service (QoS) are kept. "
     "Each station has a maximum transmission unit (MTU), and a point-to-point protocol (PPP).\n", ".md",
     {"FER": "frame error ratio", "MTU": "maximum transmission unit", "PPP": "point-to-point protocol"}),
    ("no initials", "# 1 Scope\n\nThe station (STA) sends the header (see 5.2), the list (NOTE) and many units (UTC). "
     "It is kept by the (IE).\n", ".md", {}),
    ("two meanings", LISTED + "- CR: Channel Registry\n- CR: Carriage Return\n- AB: Access Burst\n", ".md",
     {"AB": "Access Burst"}),
    ("one of them in the text", LISTED + "- CR: Channel Registry\n\n# 4 Text\n\nThe carriage return (CR) ends a line.",
     ".md", {}),
    ("no meaning", LISTED + "- CR: see clause 4\n- AB: void\n- NOTE 1: letters differ\n", ".md", {}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "ending", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_is_read(tmp_path: Path, text: str, ending: str, expected: dict[str, str]) -> None:
    assert answers(abbreviations, specification(tmp_path, text, ending)) == expected


def test_a_meaning_that_stands_twice_is_stated_twice(tmp_path: Path) -> None:
    text = "# 1 Scope\n\nThe round trip time (RTT) is measured.\n\n" + LISTED + "- RTT: Round Trip Time\n"
    given = specification(tmp_path, text)
    (asked,) = abbreviations(given)
    assert given.sections[asked.context].clause.title == "Abbreviations"
    assert [given.sections[each.section].text[each.span.start : each.span.end] for each in asked.stated] == [
        "RTT: Round Trip Time",
        "round trip time (RTT)",
    ]
    assert {each.fact for each in asked.stated} == {0}
