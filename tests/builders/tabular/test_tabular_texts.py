"""A corpus of documents beside questions: each format as `builders/documents` reads it."""

import logging
from pathlib import Path

import docx
import pytest

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_documents, load_questions
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card


def build(folder: Path, corpus: Path, documents: str = "") -> Release:
    (folder / "q.csv").write_text(f"question,answer,doc_ids\nHow high?,5 m,{documents}\n", "utf-8")
    settings = {"source": str(folder / "q.csv"), "corpus": str(corpus)}
    return build_release("tabular", settings, render_card, output=folder / "releases", name="mine")[0]


def test_documents_of_several_formats(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = tmp_path / "manuals"
    (folder / "deep").mkdir(parents=True)
    manual = docx.Document()
    manual.add_heading("1\tLamps", 1)
    manual.add_heading("1.1\tHeight", 2)
    manual.add_paragraph("A lamp hangs at 5 m.")
    manual.save(str(folder / "deep" / "lamps.docx"))
    (folder / "b.html").write_text("<title>Beacons</title><p>Red.<table><tr><td>a<td>b</table>", "utf-8")
    (folder / "c.txt").write_text("As  it stands.\n", "utf-8")
    (folder / "d.docx").write_bytes(b"PK")
    with caplog.at_level(logging.WARNING, "benchwright"):
        release = build(tmp_path, folder, "deep/lamps.docx")
    assert [(each.id, each.title, each.text) for each in load_documents(release).values()] == [
        ("b.html", "Beacons", "Red.\n\na | b"),
        ("c.txt", "c", "As  it stands.\n"),
        ("deep/lamps.docx", "1 Lamps", "1 Lamps\n\n1.1 Height\n\nA lamp hangs at 5 m."),
    ]
    assert [each.documents for each in load_questions(release, "test")] == [("deep/lamps.docx",)]
    assert release.manifest.checks["details_left_out"] == {"documents that could not be read": 1}
    assert "d.docx is not read: it is damaged or cut off" in caplog.text
    assert [each["uri"] for each in release.manifest.sources] == [
        *("csv:q.csv", "text:b.html", "text:c.txt", "text:d.docx", "text:deep/lamps.docx")
    ]


def test_one_document_and_none_that_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "one.md").write_text("# One", "utf-8")
    (tmp_path / "bad.docx").write_bytes(b"")
    assert list(load_documents(build(tmp_path, tmp_path / "one.md"))) == ["one.md"]
    with pytest.raises(BenchwrightError, match=r"can be read; the first is bad\.docx: the file is empty"):
        build(tmp_path, tmp_path / "bad.docx")
