"""Measures how fast a Word document with many clauses and tables is read, and the memory that a folder of them takes.

python -m benchwright.scripts.measure.documents [--tables 500] [--clauses 4000] [--documents 200]
"""

import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path

import click
import docx

from benchwright.builders.documents.docx import read_docx
from benchwright.builders.documents.folder import read_documents
from benchwright.builders.documents.sections import sections
from benchwright.builders.documents.tree import Table, Unread
from benchwright.builders.telequad.own.write import write_specifications

_FEW = 6
"""Documents after which memory is measured first."""


def write_document(path: Path, tables: int, clauses: int) -> None:
    """A Word document with so many clauses, a table of 12 rows in each of the first ones."""
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    document = docx.Document()
    body = document.element[0]
    cell = "<w:tc><w:p><w:r><w:t>value {0}</w:t></w:r></w:p></w:tc>"
    rows = "".join(f"<w:tr>{''.join(cell.format(place) for place in range(5))}</w:tr>" for _ in range(12))
    for number in range(clauses):
        text = f"{number // 100 + 1}.{number % 100 + 1}"
        heading = f'<w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:r><w:t>{text}</w:t><w:tab/><w:t>Clause</w:t></w:r>'
        body.insert(-1, parse_xml(f"<w:p {nsdecls('w')}>{heading}</w:p>"))
        for _ in range(4):
            said = f"<w:r><w:t>The device shall answer request {number} within 5 s.</w:t></w:r>"
            body.insert(-1, parse_xml(f"<w:p {nsdecls('w')}>{said}</w:p>"))
        if number < tables:
            body.insert(-1, parse_xml(f"<w:tbl {nsdecls('w')}>{rows}</w:tbl>"))
    document.save(str(path))


def write_folder(folder: Path, documents: int) -> None:
    """Copies of the three specifications of `builders/telequad/own`, so many in all."""
    own = folder / "own"
    own.mkdir()
    written = write_specifications(own)
    place = folder / "documents"
    place.mkdir()
    for number in range(documents):
        shutil.copy(written[number % len(written)], place / f"{number:04}.docx")


def peak() -> float:
    """The most memory that this process has held so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def read_folder(folder: Path) -> None:
    """Reads a folder one document at a time, and prints seconds and memory."""
    told: set[str] = set()
    clauses, read, few = 0, 0, 0.0
    start = time.perf_counter()
    for number, document in enumerate(
        read_documents(folder / "documents", lambda what, done, total: told.add(what)), 1
    ):
        if isinstance(document, Unread):
            raise SystemExit(f"{document.name}: {document.reason}")
        clauses += sum(1 for _ in sections(document))
        few = few or (peak() if number == _FEW else 0.0)
        read = number
    seconds = time.perf_counter() - start
    click.echo(f"{read:,} documents, {clauses:,} clauses: read in {seconds:.1f} s, {len(told)} progress bar")
    click.echo(f"peak memory: {few:,.0f} MB after {_FEW} documents, {peak():,.0f} MB after {read:,}")


@click.command()
@click.option("--tables", default=500, show_default=True)
@click.option("--clauses", default=4_000, show_default=True)
@click.option("--documents", default=200, show_default=True, help="of the folder that is read one at a time")
def main(tables: int, clauses: int, documents: int) -> None:
    """Reads a folder of documents, then writes and reads a large one, and prints seconds and memory."""
    with tempfile.TemporaryDirectory() as folder:
        write_folder(Path(folder), documents)
        read_folder(Path(folder))
        path = Path(folder, "large.docx")
        write_document(path, tables, clauses)
        start, used = time.perf_counter(), time.process_time()
        document = read_docx(path, path.name)
        read, used = time.perf_counter() - start, time.process_time() - used
        made = list(sections(document))
        seconds = time.perf_counter() - start
    count = sum(isinstance(placed.part, Table) for section in made for placed in section.placed)
    click.echo(f"{count:,} tables, {len(made):,} clauses: read in {read:.2f} s, {used:.2f} s of them a core's")
    click.echo(f"with sections {seconds:.2f} s")


if __name__ == "__main__":
    main()
