"""A .docx as the ZIP file it is: opened with limits, so that a small file cannot fill the memory."""

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lxml import etree

from benchwright.benchmarks.errors import BenchwrightError

PART_LIMIT = 200_000_000
"""Bytes that one part of a document may have unpacked."""
RATIO_LIMIT = 250
"""Times that a part of more than RATIO_FROM bytes may be as large unpacked as packed."""
RATIO_FROM = 20_000_000
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


@contextmanager
def open_package(path: Path) -> Iterator[zipfile.ZipFile]:
    """The parts of a document.

    Raises:
        BenchwrightError: it is no ZIP file, encrypted, cut off, or larger unpacked than a document can be.
    """
    with path.open("rb") as file:
        start = file.read(8)
    if start == _COMPOUND:
        raise BenchwrightError(
            "it is encrypted, or a .doc under another name: save it from Word as .docx without a password"
        )
    try:
        with zipfile.ZipFile(path) as package:
            yield package
    except zipfile.BadZipFile as error:
        raise BenchwrightError(f"it is damaged or cut off ({error}): get the file anew") from None


def read_part(package: zipfile.ZipFile, name: str) -> etree._Element:
    """One XML part.

    Raises:
        BenchwrightError: it is not there, too large, or no XML.
    """
    try:
        found = package.getinfo(name)
    except KeyError:
        raise BenchwrightError(f"it has no part {name}: it is no Word document") from None
    if found.flag_bits & 1:
        raise BenchwrightError("it is encrypted: save it without a password")
    ratio = found.file_size / max(found.compress_size, 1)
    if found.file_size > PART_LIMIT or (found.file_size > RATIO_FROM and ratio > RATIO_LIMIT):
        raise BenchwrightError(
            f"its part {name} would be {found.file_size:,} bytes unpacked from {found.compress_size:,}: it is not read"
        )
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        with package.open(found) as part:
            tree = etree.parse(part, parser)
    except etree.XMLSyntaxError as error:
        raise BenchwrightError(f"its part {name} is not readable XML: {error.msg}") from None
    except (OSError, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise BenchwrightError(f"its part {name} cannot be unpacked: {error}") from None
    except Exception as error:
        if type(error).__module__ == "zlib":
            raise BenchwrightError(f"its part {name} is damaged: get the file anew") from None
        raise
    if tree.docinfo.internalDTD is not None:
        raise BenchwrightError(f"its part {name} declares entities, which Word never does: it is not read")
    return tree.getroot()
