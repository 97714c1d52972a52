"""Old .doc files: by LibreOffice where it is installed, else with a clear message."""

import os
import shutil
import subprocess
from pathlib import Path

import docx
import pytest

from benchwright.builders.documents import word97
from benchwright.builders.documents.folder import read_document
from benchwright.builders.documents.tree import Document, Unread


def reason(path: Path) -> str:
    found = read_document(path, path.name)
    assert isinstance(found, Unread)
    return found.reason


def program(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """A program called soffice that does this; nothing else is on the path."""
    place = folder / "programs"
    place.mkdir()
    (place / "soffice").write_text(f"#!/bin/sh\n{script}\n")
    (place / "soffice").chmod(0o755)
    monkeypatch.setenv("PATH", str(place))


def test_without_libreoffice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.doc").write_bytes(b"old")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert reason(tmp_path / "a.doc") == (
        "a .doc needs LibreOffice, which is not installed: install it, or save it as .docx"
    )


def test_libreoffice_cannot_read_it_or_takes_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.doc").write_bytes(b"old")
    program(tmp_path, monkeypatch, 'echo "$$" >"$0.pid"; [ ! -e "$0.slow" ] || read line <"$0.slow"')
    assert reason(tmp_path / "a.doc") == "LibreOffice could not read it: save it as .docx"
    os.mkfifo(tmp_path / "programs" / "soffice.slow")
    monkeypatch.setattr(word97, "LONGEST", 0.3)
    assert reason(tmp_path / "a.doc") == "LibreOffice had not read it after 0.3 seconds: save it as .docx"
    ended = int((tmp_path / "programs" / "soffice.pid").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(ended, 0)


@pytest.mark.full
@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
def test_a_real_conversion(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_heading("1\tScope", 1)
    document.add_paragraph("All lamps.")
    document.save(str(tmp_path / "a.docx"))
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    command = ["soffice", profile, "--headless", "--convert-to", "doc:MS Word 97", "--outdir", str(tmp_path)]
    subprocess.run([*command, str(tmp_path / "a.docx")], check=True, capture_output=True)
    found = read_document(tmp_path / "a.doc", "a.doc")
    assert isinstance(found, Document)
    assert [(clause.number, len(clause.parts)) for clause in found.walk()] == [("1", 1)]
