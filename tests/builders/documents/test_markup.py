"""Markdown and HTML: metadata before the text, links in headings, captions that are paragraphs."""

from pathlib import Path

import pytest

from benchwright.builders.documents.folder import read_document
from benchwright.builders.documents.tree import Code, Document, Table


def _read(folder: Path, text: str, ending: str = ".md") -> Document:
    path = folder / f"made{ending}"
    path.write_text(text, encoding="utf-8")
    read = read_document(path, path.name)
    assert isinstance(read, Document), read
    return read


@pytest.mark.parametrize(
    ("text", "title", "headings"),
    [
        ('---\ntitle: "Frame & slot"\nsection: 1\n---\n\n# Scope\n\nText.\n', "Frame & slot", ["", "Scope"]),
        ("---\nsection: 1\n---\n\n# Scope\n\nText.\n", "Scope", ["", "Scope"]),
        ("---\n\n# Scope\n\nText.\n\n---\n", "Scope", ["Scope"]),
        ("# Scope\n\nkey: value\n\n---\n", "Scope", ["Scope"]),
    ],
)
def test_metadata_is_kept_apart(tmp_path: Path, text: str, title: str, headings: list[str]) -> None:
    document = _read(tmp_path, text)
    assert document.title == title
    assert [clause.heading for clause in document.walk()] == headings
    if "section:" in text:
        part = document.clauses[0].parts[0]
        assert isinstance(part, Code) and part.text.endswith("section: 1")


def test_links_to_headings_are_no_part_of_them(tmp_path: Path) -> None:
    text = '<h2>fs.open()<span><a href="#x">#</a></span></h2><p>a</p><h2>Use<a href="#y">¶</a></h2><h2>C#</h2><p>b</p>'
    assert [clause.title for clause in _read(tmp_path, text, ".html").walk()] == ["fs.open()", "Use", "C#"]


@pytest.mark.parametrize(
    ("above", "caption"),
    [
        ("Table 1 — Classes", "Table 1 — Classes"),
        ("Table 4.2-1: Classes", "Table 4.2-1: Classes"),
        ("Table 1 shows the classes.", ""),
        ("The classes:", ""),
    ],
)
def test_a_paragraph_above_a_table_is_its_caption(tmp_path: Path, above: str, caption: str) -> None:
    document = _read(tmp_path, f"# Lamps\n\n{above}\n\n| A | B |\n|---|---|\n| 1 | 2 |\n")
    *before, table = document.clauses[0].parts
    assert isinstance(table, Table)
    assert (table.caption, len(before)) == (caption, 0 if caption else 1)
