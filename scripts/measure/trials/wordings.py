"""The trial corpus of wordings: what is to be asked, in what form, and a wording that asks for it or does not."""

import sqlite3
import tempfile
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import open_database
from benchwright.builders.sql.reflection import reflect
from benchwright.builders.sql.schema import DatabaseSchema

Half = Literal["before", "after"]
"""`before`: written with the checks; `after`: by somebody who had not read them."""
HALVES: tuple[Half, ...] = ("before", "after")
_HERE = resources.files(__package__ or "")


@dataclass(frozen=True)
class WordingCase:
    """A wording of a SQL template, good or wrong."""

    id: str
    half: Half
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
    """Both halves.

    Raises:
        BenchwrightError: a line is no case, or two have an id.
    """
    found: dict[str, WordingCase] = {}
    for half in HALVES:
        text = _HERE.joinpath(f"wordings_{half}.jsonl").read_text(encoding="utf-8")
        for case in map(TypeAdapter(WordingCase).validate_json, text.splitlines()):
            if case.id in found or case.half != half or case.is_good is bool(case.fault):
                raise BenchwrightError(f"the wording {case.id} of the half {half} is there twice, or no case")
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
