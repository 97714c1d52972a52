"""No text of a Word document is lost in silence: what stands apart from its paragraphs is read or said."""

import zipfile
from pathlib import Path

import docx
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from benchwright.builders.documents.folder import read_document
from benchwright.builders.documents.tree import Document, Paragraph, Part, Table

COMPATIBILITY = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
OTHERS = {
    "word/footnotes.xml": f"<w:footnotes {nsdecls('w')}>"
    '<w:footnote w:id="-1" w:type="separator"><w:p/></w:footnote>'
    + "".join(
        f'<w:footnote w:id="{number}"><w:p><w:r><w:t>note {number}</w:t></w:r></w:p></w:footnote>'
        for number in range(1, 6)
    )
    + "</w:footnotes>",
    "word/header1.xml": f"<w:hdr {nsdecls('w')}><w:p><w:r><w:t>Head</w:t></w:r></w:p></w:hdr>",
    "word/footer1.xml": f"<w:ftr {nsdecls('w')}><w:p/></w:ftr>",
}


def run(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


def paragraph(inner: str, style: str = "") -> str:
    said = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{said}{inner}</w:p>"


def note(number: int) -> str:
    return f'<w:r><w:footnoteReference w:id="{number}"/></w:r>'


def box(inner: str) -> str:
    return f"<w:pict><w:shape><w:textbox><w:txbxContent>{inner}</w:txbxContent></w:textbox></w:shape></w:pict>"


def table(*rows: str, more: str = "") -> str:
    return "<w:tbl>" + "".join(f"<w:tr>{more}{row}</w:tr>" for row in rows) + "</w:tbl>"


def cell(inner: str) -> str:
    return f"<w:tc><w:p>{inner}</w:p></w:tc>"


def read(path: Path, *blocks: str) -> Document:
    """What is read of a document with these blocks."""
    document = docx.Document()
    for block in blocks:
        name, rest = block.split(">", 1) if not block.startswith("<w:p/>") else ("<w:p", "</w:p>")
        document.element[0].insert(-1, parse_xml(f"{name} {nsdecls('w')} {COMPATIBILITY}>{rest}"))
    document.save(str(path))
    with zipfile.ZipFile(path, "a") as package:
        for name, text in OTHERS.items():
            package.writestr(name, text)
    found = read_document(path, path.name)
    assert isinstance(found, Document), found
    return found


def parts(document: Document) -> list[Part]:
    return [part for clause in document.walk() for part in clause.parts]


def texts(document: Document) -> list[str]:
    return [part.text for part in parts(document) if not isinstance(part, Table)]


def test_footnotes_of_headings_cells_and_captions(tmp_path: Path) -> None:
    document = read(
        tmp_path / "a.docx",
        paragraph(run("1\tScope") + note(1), "Heading1"),
        paragraph(run("Table 1: Lamps") + note(2), "Caption"),
        table(cell(run("red") + note(3)) + cell(run("green")), cell(run("x")) + cell("")),
        paragraph(f"<w:del>{note(4)}</w:del>" + run("After")),
    )
    (clause,) = document.clauses
    assert clause.heading == "1 Scope"
    footnote, caption_note, lamps, after = clause.parts
    assert (footnote, caption_note) == (
        Paragraph("note 1", "footnote", "footnote 1"),
        Paragraph("note 2", "footnote", "footnote 2"),
    )
    assert isinstance(lamps, Table) and isinstance(after, Paragraph)
    assert (lamps.caption, lamps.notes, after.text) == ("Table 1: Lamps", ("note 3",), "After")
    assert document.unread == (
        "tracked deletions: 1",
        "footnotes that no paragraph refers to: 2",
        "running heads and feet of pages: 1",
    )


def test_text_boxes_follow_the_paragraph_that_holds_them(tmp_path: Path) -> None:
    two = "<w:drawing><w:group>" + "".join(
        f"<w:txbxContent>{paragraph(run(text))}</w:txbxContent>" for text in ("first", "second")
    )
    choice = f"<mc:AlternateContent><mc:Choice>{two}</w:group></w:drawing></mc:Choice>"
    both = f"{choice}<mc:Fallback>{box(paragraph(run('first')))}</mc:Fallback></mc:AlternateContent>"
    inner = table(cell(run("a")) + cell(run("b")), cell(run("c")) + cell(run("d")))
    document = read(
        tmp_path / "b.docx",
        paragraph(run("1\tScope") + f"<w:r>{both}</w:r>", "Heading1"),
        paragraph(run("Text.") + f"<w:r>{box(inner)}</w:r>"),
        table(cell(run("x") + f"<w:r>{box(paragraph(run('in a cell')))}</w:r>") + cell(run("y"))),
    )
    assert document.clauses[0].heading == "1 Scope"
    first, second, text, boxed, last = parts(document)
    assert [part.text for part in (first, second, text) if isinstance(part, Paragraph)] == ["first", "second", "Text."]
    assert isinstance(boxed, Table) and isinstance(last, Table)
    assert [[each.text for each in row] for row in boxed.rows] == [["a", "b"], ["c", "d"]]
    assert last.rows[0][0].text == "x\nin a cell"
    assert document.unread == (
        "footnotes that no paragraph refers to: 5",
        "running heads and feet of pages: 1",
    )


def test_controls_changes_and_frames(tmp_path: Path) -> None:
    def control(inner: str, more: str = "") -> str:
        return f"<w:sdt><w:sdtPr>{more}</w:sdtPr><w:sdtContent>{inner}</w:sdtContent></w:sdt>"

    prompt = "<w:showingPlcHdr/>"
    document = read(
        tmp_path / "c.docx",
        paragraph(run("Owner: ") + control(run("Ann"))),
        paragraph(run("Date:") + control(run("click to fill in"), prompt)),
        table(cell(run("a")) + control(cell(run("b")))),
        table(cell(run("gone")) + cell(run("gone")), more="<w:trPr><w:del/></w:trPr>"),
        table(f"<w:tc>{paragraph(run('in a frame'))}{paragraph('<w:ins>' + run('too') + '</w:ins>')}</w:tc>"),
        paragraph(f"<w:moveFrom>{run('moved')}</w:moveFrom><w:moveTo>{run('here')}</w:moveTo>"),
    )
    lamps, *rest = [part for part in parts(document) if isinstance(part, Table)]
    assert [each.text for each in lamps.rows[0]] == ["a", "b"] and rest == []
    assert texts(document) == ["Owner: Ann", "Date:", "in a frame", "too", "here"]
    assert document.unread == (
        "content controls that nobody filled in: 1",
        "rows that a tracked change deletes: 1",
        "tracked deletions: 1",
        "footnotes that no paragraph refers to: 5",
        "running heads and feet of pages: 1",
    )


def test_text_where_it_is_not_looked_for_is_counted(tmp_path: Path) -> None:
    hidden = "<w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p><w:r><w:t>lost</w:t></w:r></w:p></w:tc>"
    above = '<w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr><w:p><w:r><w:t>kept</w:t></w:r></w:p></w:tc>'
    document = read(tmp_path / "d.docx", table(above + cell(run("x")), hidden + cell(run("y"))))
    assert document.unread[0] == "characters that stand where text is not looked for: 4"
