"""Old .doc files, made to .docx by LibreOffice where it is installed."""

import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.documents.docx import read_docx
from benchwright.builders.documents.tree import Document

LONGEST = 300
"""Seconds that one document may take."""


def read_word97(path: Path, name: str) -> Document:
    """The tree of a .doc.

    Raises:
        BenchwrightError: LibreOffice is not installed, or cannot read the file.
    """
    program = shutil.which("soffice") or shutil.which("libreoffice")
    if program is None:
        raise BenchwrightError("a .doc needs LibreOffice, which is not installed: install it, or save it as .docx")
    with tempfile.TemporaryDirectory() as folder:
        command = [program, f"-env:UserInstallation={Path(folder, 'profile').as_uri()}", "--headless"]
        command += ["--convert-to", "docx", "--outdir", folder, str(path.resolve())]
        _run(command, program)
        made = Path(folder, f"{path.stem}.docx")
        if not made.exists():
            raise BenchwrightError("LibreOffice could not read it: save it as .docx")
        return read_docx(made, name)


def _run(command: list[str], program: str) -> None:
    """Runs it, and ends all that it started where it takes too long: the program is a script that starts another."""
    try:
        started = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise BenchwrightError(f"{program} cannot be started ({error.strerror}): save it as .docx") from None
    try:
        started.wait(LONGEST)
    except subprocess.TimeoutExpired:
        raise BenchwrightError(f"LibreOffice had not read it after {LONGEST} seconds: save it as .docx") from None
    finally:
        if started.poll() is None:
            os.killpg(started.pid, signal.SIGKILL)
            started.wait()
