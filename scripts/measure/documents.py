"""Measures how fast a Word document with many clauses and tables is read.

python -m benchwright.scripts.measure.documents [--tables 500] [--clauses 4000]
"""

import tempfile
import time
from pathlib import Path

import click
import docx

from benchwright.builders.documents.docx import read_docx
from benchwright.builders.documents.sections import sections
from benchwright.builders.documents.tree import Table


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


@click.command()
@click.option("--tables", default=500, show_default=True)
@click.option("--clauses", default=4_000, show_default=True)
def main(tables: int, clauses: int) -> None:
    """Writes a document, reads it, makes its sections, and prints the seconds."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "large.docx")
        write_document(path, tables, clauses)
        start = time.perf_counter()
        document = read_docx(path, path.name)
        read = time.perf_counter() - start
        made = list(sections(document))
        seconds = time.perf_counter() - start
    count = sum(isinstance(placed.part, Table) for section in made for placed in section.placed)
    click.echo(f"{count:,} tables, {len(made):,} clauses: read in {read:.2f} s, with sections {seconds:.2f} s")


if __name__ == "__main__":
    main()
