"""Files that cannot be read are named with their reason, and the others go on."""

import os
import zipfile
from pathlib import Path

import docx
import pytest

from benchwright.benchmarks.errors import UsageError
from benchwright.builders.documents.folder import LARGEST, READERS, read_documents
from benchwright.builders.documents.tree import Document, Paragraph, Unread

TYPES = '<Relationships xmlns="r"><Relationship Type="x/officeDocument" Target="word/document.xml"/></Relationships>'


def package(path: Path, text: str | bytes, **others: str) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("_rels/.rels", TYPES)
        file.writestr("word/document.xml", text)
        for name, other in others.items():
            file.writestr(name, other)


def document_xml(body: str) -> str:
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    return f'<w:document xmlns:w="{space}"><w:body>{body}</w:body></w:document>'


def write_all(folder: Path) -> None:
    """A folder of what goes wrong, and good files between."""
    whole = docx.Document()
    whole.add_heading("1\tScope", 1)
    whole.add_paragraph("Good.")
    whole.save(str(folder / "good.docx"))
    data = (folder / "good.docx").read_bytes()
    (folder / "truncated.docx").write_bytes(data[: len(data) // 2])
    (folder / "encrypted.docx").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    for suffix in READERS:
        (folder / f"empty{suffix}").write_bytes(b"")
    package(folder / "bomb.docx", b"<a>" + b" " * 30_000_000 + b"</a>")
    lie(folder / "liar.docx")
    deep = "<w:sdt><w:sdtContent>" * 3_000 + "</w:sdtContent></w:sdt>" * 3_000
    package(folder / "deep.docx", document_xml(deep))
    package(folder / "notxml.docx", "<a><b></a>")
    laughs = '<!DOCTYPE a [<!ENTITY a "x"><!ENTITY b "&a;&a;">]>'
    package(folder / "entities.docx", laughs + document_xml("<w:p><w:r><w:t>&b;</w:t></w:r></w:p>"))
    package(
        folder / "macros.docm",
        document_xml("<w:p><w:r><w:t>Macros.</w:t></w:r></w:p>"),
        **{"word/vbaProject.bin": "Sub AutoOpen()"},
    )
    package(
        folder / "notes.docx",
        document_xml('<w:p><w:r><w:t>Said.</w:t><w:footnoteReference w:id="2"/></w:r></w:p>'),
        **{
            "word/footnotes.xml": document_xml("")
            .replace(
                "<w:body>",
                '<w:footnote w:id="0" w:type="separator"/><w:footnote w:id="2"><w:p><w:r><w:t>Once.</w:t></w:r></w:p></w:footnote>',
            )
            .replace("</w:body>", '<w:footnote w:id="3"><w:p/></w:footnote>')
        },
    )
    package(folder / "nothing.docx", document_xml(""))
    (folder / "zip.docx").write_bytes(b"")
    with zipfile.ZipFile(folder / "zip.docx", "w") as file:
        file.writestr("a.txt", "no document")
    (folder / "table.xlsx").write_bytes(b"PK")
    (folder / "zeros.txt").write_bytes(bytes(90))
    (folder / "latin.txt").write_bytes("1. Küste\n\n   Grün.\n".encode("cp1252"))
    (folder / "bad.pdf").write_bytes(b"%PDF-1.7\nnothing")
    scan(folder / "scan.pdf")
    scan(folder / "locked.pdf", "password")
    (folder / "~$good.docx").write_bytes(b"lock")


def lie(path: Path) -> None:
    """A document whose directory says that its text is 90 bytes long, and it is 1 MB."""
    package(path, b"<a>" + b" " * 1_000_000 + b"</a>")
    data = bytearray(path.read_bytes())
    at = data.index(b"PK\x01\x02", data.index(b"PK\x01\x02") + 4)
    data[at + 24 : at + 28] = (90).to_bytes(4, "little")
    path.write_bytes(bytes(data))


def scan(path: Path, password: str = "") -> None:
    """A PDF of one page without text."""
    from pypdf import PdfWriter

    writer = PdfWriter()
    writer.add_blank_page(200, 200)
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    writer.write(path)


REASONS = {
    "truncated.docx": "it is damaged or cut off (File is not a zip file): get the file anew",
    "encrypted.docx": "it is encrypted, or a .doc under another name: save it from Word as .docx without a password",
    **{f"empty{suffix}": "the file is empty" for suffix in READERS},
    "bomb.docx": "its part word/document.xml would be 30,000,007 bytes unpacked from",
    "liar.docx": "it is damaged or cut off (Bad CRC-32 for file 'word/document.xml'): get the file anew",
    "deep.docx": "its part word/document.xml is not readable XML: Excessive depth in document: 256",
    "notxml.docx": "its part word/document.xml is not readable XML: Opening and ending tag mismatch",
    "entities.docx": "its part word/document.xml declares entities, which Word never does: it is not read",
    "nothing.docx": "it has no text",
    "zip.docx": "it has no part _rels/.rels: it is no Word document",
    "table.xlsx": "there is no reader for .xlsx",
    "zeros.txt": "it is no text: it has zero bytes",
    "bad.pdf": "it is damaged or no PDF:",
    "scan.pdf": "it has no text, only pictures of pages: recognise its text (OCR) first",
    "locked.pdf": "it is encrypted: save it without a password",
}


def test_what_cannot_be_read_is_named_and_the_others_go_on(tmp_path: Path) -> None:
    write_all(tmp_path)
    told: list[tuple[str, int, int]] = []
    found = list(read_documents(tmp_path, lambda *what: told.append(what)))
    reasons = {each.name: each.reason for each in found if isinstance(each, Unread)}
    assert reasons.keys() == REASONS.keys()
    assert [name for name, reason in REASONS.items() if not reasons[name].startswith(reason)] == []
    read = {each.name: each for each in found if isinstance(each, Document)}
    assert sorted(read) == ["good.docx", "latin.txt", "macros.docm", "notes.docx"]
    assert read["macros.docm"].unread == ("macros, neither read nor run: 1",)
    assert read["latin.txt"].clauses[0].title == "Küste"
    assert read["notes.docx"].clauses[0].parts == (
        Paragraph("Said.", "paragraph", "paragraph 1"),
        Paragraph("Once.", "footnote", "footnote 2"),
    )
    assert read["notes.docx"].unread == ("footnotes that no paragraph refers to: 1",)
    assert told[-1] == ("documents", 28, 28)


def test_no_files(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has no files"):
        list(read_documents(tmp_path))
    with pytest.raises(UsageError, match="is not there"):
        list(read_documents(tmp_path / "none"))


def test_what_is_no_file_of_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "in").mkdir(parents=True)
    (folder / "a folder.docx").mkdir()
    (tmp_path / "secret.txt").write_text("1. Secret\n\n   Text.\n", "utf-8")
    (folder / "in" / "good.txt").write_text("1. Good\n\n   Text.\n", "utf-8")
    (folder / "leads out.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "leads to nothing.txt").symlink_to(tmp_path / "none.txt")
    (folder / "links to a folder").symlink_to(folder / "in")
    (folder / "stays.txt").symlink_to(folder / "in" / "good.txt")
    os.mkfifo(folder / "pipe.txt")
    for name in ("long.txt", "long.md", "long.html"):
        with (folder / name).open("wb") as file:
            file.truncate(LARGEST + 1)
    found = {each.name: each.reason if isinstance(each, Unread) else "read" for each in read_documents(folder)}
    assert found == {
        "a folder.docx": "it is a folder",
        "in/good.txt": "read",
        "leads out.txt": "it is a link that leads out of the folder: put the file itself there",
        "leads to nothing.txt": "it is a link to a file that is not there",
        "links to a folder": "it is a link to a folder, which is not followed",
        "long.html": "it has 200,000,001 bytes, and more than 200,000,000 are not read: split it",
        "long.md": "it has 200,000,001 bytes, and more than 200,000,000 are not read: split it",
        "long.txt": "it has 200,000,001 bytes, and more than 200,000,000 are not read: split it",
        "pipe.txt": "it is no ordinary file",
        "stays.txt": "read",
    }
