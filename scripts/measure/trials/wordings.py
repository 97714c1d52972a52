"""The trial corpus of wordings: what is to be asked, in what form, and a wording that asks for it or does not."""

import sqlite3
import tempfile
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Literal, get_args

from pydantic import TypeAdapter

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import open_database
from benchwright.builders.sql.reflection import reflect
from benchwright.builders.sql.schema import DatabaseSchema

Part = Literal["before", "after", "kept", "fresh", "last"]
"""What checks had seen of them when they were mended; `benchmarks/facts/checks.md` tells them."""
PARTS: tuple[Part, ...] = get_args(Part)
_HERE = resources.files(__package__ or "")


@dataclass(frozen=True)
class WordingCase:
    """A wording of a SQL template, good or wrong."""

    id: str
    part: Part
    schema: str
    """The stem of a file of `schemas`."""
    sql: str
    form: str
    """One of the six forms; what a length or a sign at the end makes of it counts, too."""
    wording: str
    is_good: bool
    """Whether somebody who reads the wording alone would look up what the SQL template selects, whatever fills it."""
    fault: str = ""
    """Of a wrong one what is wrong, in a few words that others of the kind share."""


def wording_cases() -> tuple[WordingCase, ...]:
    """All parts.

    Raises:
        BenchwrightError: a line is no case, or two have an id.
    """
    found: dict[str, WordingCase] = {}
    for part in PARTS:
        file = _HERE.joinpath(f"wordings_{part}.jsonl")
        text = file.read_text(encoding="utf-8") if file.is_file() else ""
        for case in map(TypeAdapter(WordingCase).validate_json, text.splitlines()):
            if case.id in found or case.part != part or case.is_good is bool(case.fault):
                raise BenchwrightError(f"the wording {case.id} of the part {part} is there twice, or no case")
            found[case.id] = case
    return tuple(found.values())


@cache
def trial_schema(name: str) -> DatabaseSchema:
    """The schema of a name, read from an empty database.

    Raises:
        BenchwrightError: there is none.
    """
    file = _HERE / "schemas" / f"{name}.sql"
    if not file.is_file():
        raise BenchwrightError(f"there is no schema {name!r}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.sqlite"
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(file.read_text(encoding="utf-8"))
        with open_database(f"sqlite:///{path}") as database:
            return reflect(database)
