"""What questions call a document."""

import pytest

from benchwright.builders.documents.tree import Cell, Clause, Code, Document, Paragraph, Table
from benchwright.builders.telequad.questions.called import distinct, names_of

CASES = [
    ("LCS 21.104 V4.1.0 (2030-11)", ("LCS 21.104", "LCS 21.104 V4.1.0", '"LCS 21.104 V4.1.0 (2030-11)"')),
    ("3GPP TS 23.501 V18.5.0 (2024-03)", ("3GPP TS 23.501", "3GPP TS 23.501 V18.5.0")),
    ("ETSI EN 300 401 V2.1.1 (2017-01)", ("ETSI EN 300 401", "ETSI EN 300 401 V2.1.1")),
    ("RFC 7540 - Hypertext Transfer Protocol", ("RFC 7540", '"RFC 7540 - Hypertext Transfer Protocol"')),
    ("ISO/IEC 27001:2022 Information security", ("ISO/IEC 27001", "ISO/IEC 27001:2022")),
    ("Recommendation ITU-T G.711", ("Recommendation ITU-T G.711",)),
    ("IEEE Std 802.11-2020", ("IEEE Std 802.11",)),
    ("The Python Tutorial.", ('"The Python Tutorial"',)),
    ("Python 3.11 in ten minutes", ('"Python 3.11 in ten minutes"',)),
    ("README", ()),
    ("Untitled", ()),
    ("A title " * 20, ()),
    ('A "quoted" title', ("\"A 'quoted' title\"",)),
]


@pytest.mark.parametrize(("title", "expected"), CASES, ids=[case[0][:30] for case in CASES])
def test_by_title(title: str, expected: tuple[str, ...]) -> None:
    names = names_of(Document("folder/made.docx", title, ()))
    assert names[: len(expected)] == expected
    assert names[-2:] == ('"made"', '"folder/made.docx"')
    if not expected:
        assert len(names) == 2


def test_by_title_page() -> None:
    front = Clause("", "", "", 0, (Code("Group   A. Author\nRequest for Comments: 7540   May 2015", "line 1"),), (), "")
    assert names_of(Document("a.txt", "Some Protocol", (front,)))[0] == "RFC 7540"
    front = Clause("", "", "", 0, (Paragraph("LCS 21.104 V4.1.0", "paragraph", "paragraph 1"),), (), "")
    assert names_of(Document("a.docx", "Link control", (front,)))[0] == "LCS 21.104"
    frame = Table("", ((Cell("3GPP TS 23.501 V18.5.0 (2024-03)\nTechnical Specification"),),), (), "table 1")
    assert names_of(Document("a.docx", "MCC", (Clause("", "", "", 0, (frame,), (), ""),)))[0] == "3GPP TS 23.501"
    front = Clause("", "", "", 0, (Paragraph("Some Protocol draft-lamp-some-protocol-03", "paragraph", ""),), (), "")
    assert names_of(Document("a.txt", "Some Protocol", (front,)))[:2] == (
        "draft-lamp-some-protocol",
        "draft-lamp-some-protocol-03",
    )
    later = Clause("1", "Scope", "1 Scope", 1, (Paragraph("LCS 21.104 V4.1.0", "paragraph", "paragraph 1"),), (), "")
    assert names_of(Document("a.docx", "Link control", (later,)))[0] == '"Link control"'


def test_no_two_documents_share_a_name() -> None:
    names = {
        "a": ("LCS 1.100", "LCS 1.100 V1.0", '"a"'),
        "b": ("LCS 1.100", "LCS 1.100 V2.0", '"b"'),
        "c": ('"Guide"', '"c"'),
        "d": ('"guide"', '"d"'),
        "e": ('"Manual"', '"e"'),
    }
    assert distinct(names) == {"a": "LCS 1.100 V1.0", "b": "LCS 1.100 V2.0", "c": '"c"', "d": '"d"', "e": '"Manual"'}
