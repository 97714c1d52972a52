"""Definitions: entries of a clause of terms, clauses of their own, and sentences that define."""

from pathlib import Path

import pytest
from asking_specifications import answers, specification

from benchwright.builders.telequad.questions.definitions import definitions

TERMS = "# 3 Terms and definitions\n\nFor the purposes of this document, the following terms apply:\n\n"
CASES = [
    ("entries", TERMS + "cell: area that an anchor serves.\n\n**access slot**: slot in which a station may send. It is "
     "short.\n", {"cell": "area that an anchor serves", "access slot": "slot in which a station may send"}),
    ("a list of entries", TERMS + "- client: the endpoint that asks;\n- peer – the other endpoint of a link\n",
     {"client": "the endpoint that asks", "peer": "the other endpoint of a link"}),
    ("clauses of their own", "# 3 Terms and definitions\n\n## 3.1 cell\n\narea that an anchor serves\n\n## 3.2 General\n\n"
     "This is prose.\n", {"cell": "area that an anchor serves"}),
    ("lists beside terms", "# 3 Definitions, symbols and abbreviations\n\n## 3.2 Abbreviations\n\nFor the purposes of this "
     "document the following abbreviations apply.\n\n## 3.3 Symbols\n\nsymbols are given in italics here.\n", {}),
    ("sentences", '# 4 Overview\n\nThe frame gap is defined as the time between two frames.\n\nThe term "burst" means a '
     "short transmission. It ends.\n\nA frame is sent.\n",
     {"frame gap": "the time between two frames", "burst": "a short transmission"}),
    ("a clause called Definition", "# 9 Access time\n\n## 9.1 Definition\n\nThe access time is the time from request to "
     "answer.\n", {"access time": "the time from request to answer"}),
    ("elsewhere", "# 4 Overview\n\nThe access time is the time from request to answer.\n\ncell: area of an anchor.\n", {}),
    ("a reference after it", TERMS + "cell: area of an anchor; see Section 4.\n\nlink: relation of two (see clause 5)\n",
     {"cell": "area of an anchor", "link": "relation of two"}),
    ("references", TERMS + "cell: see clause 4.2 of the other document\n\nlink: as defined in ABC 12.345\n", {}),
    ("no terms", TERMS + "NOTE: these are all the terms.\n\nIn this document: words mean what they say.\n\n"
     "Example of a cell: an area of the sea.\n", {}),
    ("two definitions", TERMS + "cell: area that an anchor serves.\n\nCell: room for one prisoner.\n", {}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_is_read(tmp_path: Path, text: str, expected: dict[str, str]) -> None:
    assert answers(definitions, specification(tmp_path, text)) == expected


def test_a_term_of_several_words_stands_in_quotes(tmp_path: Path) -> None:
    (asked,) = definitions(specification(tmp_path, TERMS + "access slot: slot in which a station may send.\n"))
    assert 'What is the definition of "access slot" in ZZZ 1.234?' in asked.wordings["interrogative"]
