"""PDF files that are written here: pages, headings by bookmarks or numbers, running heads, cut words, columns."""

import sys
from pathlib import Path

import pytest
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from benchwright.builders.documents.folder import read_document
from benchwright.builders.documents.tree import Clause, Document, Paragraph, Unread

Lines = list[str | tuple[int, int, str]]


def write_pdf(path: Path, pages: list[Lines], bookmarks: tuple[tuple[str, int], ...] = ()) -> None:
    """A PDF with these lines on its pages, one below the other or where they say, and bookmarks of pages from 0."""
    writer = PdfWriter()
    name = NameObject
    font = {name("/Type"): name("/Font"), name("/Subtype"): name("/Type1"), name("/BaseFont"): name("/Courier")}
    for lines in pages:
        page = writer.add_blank_page(600, 800)
        placed = [line if isinstance(line, tuple) else (40, 760 - 14 * at, line) for at, line in enumerate(lines)]
        text = "".join(
            f"1 0 0 1 {x} {y} Tm ({said.replace('(', chr(92) + '(').replace(')', chr(92) + ')')}) Tj\n"
            for x, y, said in placed
        )
        content = DecodedStreamObject()
        content.set_data(f"BT /F1 10 Tf\n{text}ET".encode("latin-1"))
        page[name("/Contents")] = writer._add_object(content)
        fonts = DictionaryObject({name("/F1"): writer._add_object(DictionaryObject(font))})
        page[name("/Resources")] = DictionaryObject({name("/Font"): fonts})
    for title, at in bookmarks:
        writer.add_outline_item(title=title, page_number=at)
    writer.write(path)


def read(path: Path) -> Document:
    found = read_document(path, path.name)
    assert isinstance(found, Document), found
    return found


def told(clause: Clause) -> tuple[str, str, int, str, list[str]]:
    texts = [part.text for part in clause.parts if isinstance(part, Paragraph)]
    return clause.number, clause.title, clause.level, clause.place, texts


BODY: list[Lines] = [
    ["Harbour lamps", "Contents", "1 Scope 2", "2 Lamps 2", "2.1 Red lamps", "that turn 3", "Annex A Forms 3"],
    [
        *("Harbour lamps", "1 Scope", "This document is about navi-", "gational lamps and self-", "contained beacons."),
        *("Navigational lamps turn.", "2 Lamps", "o red;", "o green.", "4 CARD32 is a type", "of length."),
    ],
    [
        "Harbour lamps",
        "2.1 Red lamps",
        "that turn",
        "They turn.",
        "Annex A (informative): Forms",
        "A.1 Form one",
        "None.",
    ],
    ["Harbour lamps", "More of it, self-contained.", "Page 4 of 4"],
]


def test_headings_by_numbers_that_follow_each_other(tmp_path: Path) -> None:
    write_pdf(tmp_path / "a.pdf", BODY)
    document = read(tmp_path / "a.pdf")
    assert [told(clause) for clause in document.walk()] == [
        (
            *("1", "Scope", 1, "page 2"),
            ["This document is about navigational lamps and self-contained beacons.", "Navigational lamps turn."],
        ),
        ("2", "Lamps", 1, "page 2", ["o red;", "o green.", "4 CARD32 is a type of length."]),
        ("2.1", "Red lamps", 2, "page 3", ["that turn They turn."]),
        ("A", "Forms", 1, "page 3", []),
        ("A.1", "Form one", 2, "page 3", ["None.", "More of it, self-contained.", "Page 4 of 4"]),
    ]
    assert document.unread == (
        "files whose tables, where there are any, are read as lines: 1",
        "running heads and feet of pages: 4",
        "lines of the table of contents: 6",
        "words that a line's end cuts, put together: 2",
    )
    assert [part.kind for part in document.clauses[1].parts if isinstance(part, Paragraph)] == [
        *("list", "list", "paragraph")
    ]


def test_headings_by_bookmarks(tmp_path: Path) -> None:
    bookmarks = (("Scope", 1), ("2 Lamps", 1), ("2.1 Red lamps that turn", 2), ("Annex A Forms", 2), ("Index", 3))
    write_pdf(tmp_path / "b.pdf", BODY, bookmarks)
    document = read(tmp_path / "b.pdf")
    assert [told(clause)[:4] for clause in document.walk()] == [
        ("1", "Scope", 1, "page 2"),
        ("2", "Lamps", 1, "page 2"),
        ("2.1", "Red lamps that turn", 2, "page 3"),
        ("A", "Forms", 1, "page 3"),
    ]
    assert document.unread[-1] == "headings among the bookmarks that are not on their page: 1"


def test_heads_and_feet_with_numbers(tmp_path: Path) -> None:
    pages: list[Lines] = [
        [f"Chapter {1 + at // 2}: Lamps {at + 7}", "1 Scope" if not at else "Text.", f"Line {at}.", f"{at + 1}/4"]
        for at in range(4)
    ]
    write_pdf(tmp_path / "c.pdf", pages)
    document = read(tmp_path / "c.pdf")
    assert [told(clause) for clause in document.walk()] == [
        ("1", "Scope", 1, "page 1", ["Line 0.", "Text.", "Line 1.", "Text.", "Line 2.", "Text.", "Line 3."])
    ]


def test_columns_read_across_are_said(tmp_path: Path) -> None:
    rows: Lines = []
    for at in range(6):
        rows += [(40, 700 - 14 * at, f"left {at}"), (340, 700 - 14 * at, f"right {at}")]
    columns: Lines = [(x, 700 - 14 * at, f"column {x} {at}") for x in (40, 340) for at in range(6)]
    write_pdf(tmp_path / "d.pdf", [rows, columns, []])
    document = read(tmp_path / "d.pdf")
    assert document.unread == (
        "files whose tables, where there are any, are read as lines: 1",
        "pages of columns or tables that are read line by line: 1",
        "pages without text: 1",
    )
    (clause,) = document.clauses
    assert told(clause)[4][0].startswith("left 0 right 0 left 1")
    assert told(clause)[4][1].startswith("column 40 0 column 40 1")


OBJECTS = (
    "<</Type /Catalog /Pages 2 0 R>>",
    "<</Type /Pages /Kids [3 0 R] /Count 1>>",
    "<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9]>>",
    f"<</Filter /Standard /V 5 /R 6 /Length 256 /P -4 /O <{'00' * 48}> /U <{'00' * 48}> /OE <{'00' * 32}> "
    f"/UE <{'00' * 32}> /Perms <{'00' * 16}> /StmF /StdCF /StrF /StdCF /CF <</StdCF <</CFM /AESV3 /Length 32>>>>>>",
)


def write_encrypted(path: Path) -> None:
    """A PDF that says it is encrypted with AES, which the library does not read by itself."""
    text, places = "%PDF-1.7\n", []
    for number, each in enumerate(OBJECTS, 1):
        places.append(f"{len(text):010} 00000 n \n")
        text += f"{number} 0 obj\n{each}\nendobj\n"
    table = f"xref\n0 5\n0000000000 65535 f \n{''.join(places)}"
    trailer = f"trailer\n<</Size 5 /Root 1 0 R /Encrypt 4 0 R /ID [<00> <00>]>>\nstartxref\n{len(text)}\n%%EOF\n"
    path.write_bytes((text + table + trailer).encode())


def test_encrypted_with_aes(tmp_path: Path) -> None:
    write_encrypted(tmp_path / "e.pdf")
    found = read_document(tmp_path / "e.pdf", "e.pdf")
    assert isinstance(found, Unread) and found.reason.startswith("it is encrypted")


def test_without_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_pdf(tmp_path / "a.pdf", BODY)
    monkeypatch.setitem(sys.modules, "pypdf", None)
    assert read_document(tmp_path / "a.pdf", "a.pdf") == Unread("a.pdf", "PDF files need pypdf: pip install pypdf")


def test_a_damaged_page_and_faults(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write_pdf(tmp_path / "a.pdf", [["1 Scope", "Read."], ["Not read."]])
    writer = PdfWriter(clone_from=tmp_path / "a.pdf")
    writer.pages[1][NameObject("/MediaBox")] = NameObject("/None")
    writer.write(tmp_path / "b.pdf")
    data = (tmp_path / "b.pdf").read_bytes()
    (tmp_path / "b.pdf").write_bytes(data.replace(b"startxref\n", b"startxref\n9"))
    document = read(tmp_path / "b.pdf")
    assert [told(clause)[4] for clause in document.walk()] == [["Read."]]
    assert "pages that cannot be read: 1" in document.unread
    assert not any(line.startswith("pages without text") for line in document.unread)
    assert any(line.startswith("places where the file does not keep to the format") for line in document.unread)
    assert capfd.readouterr() == ("", "")
