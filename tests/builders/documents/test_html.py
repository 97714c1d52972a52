"""Pages and Markdown of others: lists in lists, tables in tables, `pre` in cells, line breaks, encodings, depth."""

from pathlib import Path

import pytest

from benchwright.builders.documents.folder import read_document
from benchwright.builders.documents.tree import Code, Document, Paragraph, Part, Table, Unread


def read(folder: Path, text: str | bytes, name: str = "a.html") -> Document:
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    found = read_document(folder / name, name)
    assert isinstance(found, Document), found
    return found


def parts(document: Document) -> list[Part]:
    return [part for clause in document.walk() for part in clause.parts]


def texts(document: Document) -> list[str]:
    return [part.text for part in parts(document) if isinstance(part, Paragraph | Code)]


LISTS = """<ol start=3><li>three<ul><li>in it</ul>after<li><p>four</p><p>more</p><li value=9>nine
<ol type=a><li>first<li>second</ol></ol><ul><li>a <pre>b  c
 d</pre> e</ul>"""


def test_lists(tmp_path: Path) -> None:
    document = read(tmp_path, LISTS)
    assert texts(document) == [
        *("3. three", "in it", "after", "4. four", "more", "9. nine", "a. first", "b. second"),
        *("a", "b  c\n d", "e"),
    ]
    kinds = [part.kind for part in parts(document) if isinstance(part, Paragraph)]
    assert kinds == ["list", "list", "list", "list", "paragraph", *["list"] * 5]


CELLS = """<table><tr><th>A<th>B<tr><td>x<br>y<ul><li>1<li>2</ul><td><pre>  if a:

    b</pre><tr><td colspan=999>all<tr><td>t<script>no()</script><td><table><tr><td>p<td>q<tr><td>r<td>s</table></table>"""


def test_cells(tmp_path: Path) -> None:
    document = read(tmp_path, CELLS)
    (table,) = parts(document)
    assert isinstance(table, Table)
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["A", "B"],
        ["x\ny\n1\n2", "  if a:\n\n    b"],
        ["all", "all"],
        ["t", "p | q\nr | s"],
    ]
    assert document.unread == ("tables inside tables, of which the text is in the cell: 1",)


PAGE = """<nav>next</nav><h1>1 Scope <a href=#a>¶</a></h1><p>One<br>two <span>three<script>x</script></span>&nbsp;four
five <img alt=no> <table><tr><td><h2>1.1 In a layout</h2><p>text<td><p>side</table><table><tr><td><pre>framed</pre></table>
<p>Table 1: Lamps<p></p><table><tr><td>a<td>b</table><p>Table 2 shows lamps.<table><tr><td>c<td>d</table>
<b>loose <i>text</i> </b>end<div>in <code>x  y</code></div><textarea>typed</textarea>"""


def test_a_page(tmp_path: Path) -> None:
    document = read(tmp_path, PAGE)
    assert [(clause.number, clause.title) for clause in document.walk()] == [("1", "Scope"), ("1.1", "In a layout")]
    assert texts(document) == [
        *("One\ntwo three\xa0four five", "text", "side", "framed", "Table 2 shows lamps."),
        *("loose text end", "in x y", "typed"),
    ]
    assert [part.caption for part in parts(document) if isinstance(part, Table)] == ["Table 1: Lamps", ""]
    assert document.unread == ("navigation between pages: 1", "pictures: 1")


MARKDOWN = (
    "Lamps\n=====\n\n3. three\n   - in it\n\n4. four\n\n| a | b |\n|---|---|\n| `x|y` | c |\n\n> Said.\n\n    code\n"
)


def test_markdown(tmp_path: Path) -> None:
    document = read(tmp_path, MARKDOWN, "a.md")
    assert document.title == "Lamps"
    assert texts(document) == ["3. three", "in it", "4. four", "Said.", "code"]
    deep = read(tmp_path, "a\n\n" + "\n".join(" " * at + "- a" for at in range(0, 300, 2)), "b.md")
    assert deep.unread == ("parts that are nested more than 100 deep: 1",)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.html", "<p>Grüße</p>".encode()),
        ("a.html", "<p>Grüße</p>".encode("cp1252")),
        ("a.html", '<meta charset="iso-8859-2"><p>Grüße</p>'.encode("iso-8859-2")),
        ("a.html", "<p>Grüße</p>".encode("utf-16")),
        ("a.html", '<?xml version="1.0" encoding="utf-8"?><p>Grüße</p>'.encode()),
        ("a.html", '<meta charset="no such"><p>Grüße</p>'.encode("cp1252")),
        ("a.md", "Grüße".encode("utf-8-sig")),
        ("a.md", "Grüße".encode("utf-16")),
        ("a.txt", "   Grüße".encode("cp1252")),
        ("a.txt", "   Grüße".encode("utf-16")),
    ],
)
def test_encodings(tmp_path: Path, name: str, data: bytes) -> None:
    assert texts(read(tmp_path, data, name)) == ["Grüße"]


def test_entities_and_depth(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret", "utf-8")
    laughs = '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;">'
    outside = f'<!ENTITY c SYSTEM "{(tmp_path / "secret").as_uri()}">]><p>&b; &c;'
    assert texts(read(tmp_path, laughs + outside)) == ["]>", "&b; &c;"]
    (tmp_path / "deep.html").write_text("<div>" * 5_000 + "text", "utf-8")
    found = read_document(tmp_path / "deep.html", "deep.html")
    assert found == Unread("deep.html", "its parts are nested too deeply to be a document's")
