"""Texts laid out as RFCs are, with pages and without: heads and feet, contents, headings, cut lines, drawings."""

from pathlib import Path

import pytest

from benchwright.builders.documents.folder import read_document
from benchwright.builders.documents.tree import Code, Document, Paragraph

FOOT = "Miller & Sand                Standards Track                    [Page {}]\n\f\n"
HEAD = "RFC 9999                    Lamps of Harbours                   May 2020\n\n\n"
TOP = """

Harbour Engineering Group                                       A. Miller
Request for Comments: 9999                                        B. Sand
Category: Standards Track                                        May 2020


                    Lamps of Harbours and the Ferries
                          That See Them

Abstract

   This document describes self-
   contained lamps.

"""
CONTENTS = """Table of Contents

   1. Introduction ....................................................2
      1.1. Requirements Notation with a Title that is so Long that
           it Goes On .................................................2
   2. Lamps ...........................................................2
   Appendix A. Colours ................................................3

"""
CONTENTS_WITHOUT_PAGES = """Table of Contents

   1.  Introduction
     1.1.  Requirements Notation with a Title that is so Long that
           it Goes On
   2.  Lamps
   Appendix A.  Colours

"""
FIRST = """1.  Introduction

   All lamps of a harbour are
"""
SECOND = """   seen by ferries.

   o  red lamps,
      which turn;

1.1.  Requirements Notation with a Title that is so Long that
      it Goes On

   The key words are as in Section 2 of [RFC2119].  See Section 1.1.

2.  Lamps

   lamp      = colour SP range
   colour    = "red" / "green"

   +-------+-------+
   | lamp  | range |
   +-------+-------+

"""
THIRD = """   1.  A list item is no heading.

Appendix A.  Colours

   Red.

Authors' Addresses

   A. Miller
"""
PAGED = TOP + FOOT.format(1) + HEAD + CONTENTS + FIRST + "\n\n" + FOOT.format(2) + HEAD + SECOND
PAGED += FOOT.format(3) + HEAD + THIRD
WHOLE = TOP + CONTENTS_WITHOUT_PAGES + FIRST + SECOND + THIRD


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        (PAGED, ("running heads and feet of pages: 6", "lines of the table of contents: 6")),
        (WHOLE, ("lines of the table of contents: 6",)),
        (PAGED.replace("\n", "\r\n"), ("running heads and feet of pages: 6", "lines of the table of contents: 6")),
    ],
)
def test_an_rfc(tmp_path: Path, text: str, unread: tuple[str, ...]) -> None:
    (tmp_path / "a.txt").write_bytes(text.encode())
    document = read_document(tmp_path / "a.txt", "a.txt")
    assert isinstance(document, Document)
    assert document.title == "Lamps of Harbours and the Ferries That See Them"
    assert document.unread == unread
    said = {clause.heading: list(clause.parts) for clause in document.walk()}
    assert [(clause.number, clause.title, clause.level) for clause in document.walk()][1:] == [
        ("", "Abstract", 1),
        ("1", "Introduction", 1),
        ("1.1", "Requirements Notation with a Title that is so Long that it Goes On", 2),
        ("2", "Lamps", 1),
        ("A", "Colours", 1),
        ("", "Authors' Addresses", 1),
    ]
    texts = {title: [part.text for part in parts if isinstance(part, Paragraph)] for title, parts in said.items()}
    assert texts["Abstract"] == ["This document describes self-contained lamps."]
    assert texts["1. Introduction"] == [
        "All lamps of a harbour are seen by ferries.",
        "o red lamps, which turn;",
    ]
    assert texts["2. Lamps"] == ["1. A list item is no heading."]
    assert [part.text for part in said["2. Lamps"] if isinstance(part, Code)] == [
        'lamp      = colour SP range\ncolour    = "red" / "green"',
        "+-------+-------+\n| lamp  | range |\n+-------+-------+",
    ]
