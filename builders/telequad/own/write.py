"""The fictional specifications, each as a .docx file."""

from collections.abc import Sequence
from pathlib import Path

from benchwright.builders.telequad.own.asn1 import annex
from benchwright.builders.telequad.own.data import NAMES, Specification, read_specification
from benchwright.builders.telequad.own.front import architecture, foreword, history, opening, timers
from benchwright.builders.telequad.own.layout import document_bytes
from benchwright.builders.telequad.own.limits import requirements
from benchwright.builders.telequad.own.messages import elements, messages
from benchwright.builders.telequad.own.outline import Section, numbered
from benchwright.builders.telequad.own.procedures import procedures


def specification_sections(specification: Specification) -> tuple[Section, ...]:
    """All clauses and annexes, numbered, their cross-references resolved."""
    return numbered(
        (
            foreword(specification),
            *opening(specification),
            architecture(specification),
            procedures(specification),
            messages(specification),
            elements(specification),
            timers(specification),
            requirements(specification),
            annex(specification),
            history(specification),
        )
    )


def file_name(specification: Specification) -> str:
    """`21104-310.docx` for LCS 21.104 version 3.1.0."""
    number = specification.number.split()[-1].replace(".", "")
    return f"{number}-{specification.version.replace('.', '')}.docx"


def write_specifications(folder: Path, names: Sequence[str] = NAMES) -> list[Path]:
    """Write the specifications of these names into a folder, which is made; files that are there are written again."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name in names:
        specification = read_specification(name)
        front = (
            f"{specification.number} V{specification.version} ({specification.date[:7]})",
            "Technical Specification",
            f"Lantern Coast Standards Council; {specification.group};",
            specification.title,
            f"(Release {specification.version.split('.')[0]})",
        )
        sections = specification_sections(specification)
        path = folder / file_name(specification)
        path.write_bytes(document_bytes(front, sections, specification.date, specification.title))
        written.append(path)
    return written
