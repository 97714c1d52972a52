"""Paths, small databases and types that several tests use."""

import os
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest
from command_server import Started

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared" / "data"

Run = Callable[..., subprocess.CompletedProcess[str]]
Start = Callable[..., Started]


def in_full(*cases: object) -> list[Any]:
    """Cases of a table that only `--full` runs; a tuple is the values of one case."""
    return [pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.full) for case in cases]


def make_sqlite(path: Path, script: str) -> Path:
    """A SQLite file made by a script."""
    connection = sqlite3.connect(path)
    connection.executescript(script)
    connection.commit()
    connection.close()
    return path


TOY_FACTS: dict[str, Any] = {
    "name": "toy",
    "version": "1.0.0",
    "builder": "toy",
    "builder_version": "1",
    "parameters": {},
    "seed": 0,
    "canary": "c",
}
"""Of the manifest of a release that a test writes itself."""
COMPANY = """
CREATE TABLE company (company_id INTEGER PRIMARY KEY, name TEXT, headquarters TEXT, industry TEXT);
CREATE TABLE person (person_id INTEGER PRIMARY KEY, name TEXT, nationality TEXT, manager_id INTEGER REFERENCES person (person_id));
CREATE TABLE employment (
  company_id INTEGER REFERENCES company (company_id), person_id INTEGER REFERENCES person (person_id), year_working INTEGER,
  PRIMARY KEY (company_id, person_id));
CREATE TABLE project (
  project_id INTEGER PRIMARY KEY, title TEXT, start_date DATE, client_id INTEGER REFERENCES company (company_id));
INSERT INTO company VALUES (1, 'Halden Marine', 'Oslo', 'Shipping'), (2, 'Brightwater', 'Perth', 'Mining'), (3, 'Corvane', 'Oslo', NULL);
INSERT INTO person VALUES (1, 'Ada Moor', 'Irish', NULL), (2, 'Ben Tal', 'Welsh', 1), (3, 'Cy Orr', 'Scottish', 2);
INSERT INTO employment VALUES (1, 1, 4), (2, 2, 7), (1, 3, 2);
INSERT INTO project VALUES (1, 'Quay Wall', '2022-09-01', 1), (2, 'Tunnel East', '2023-02-15', 2);
"""


def lacking(reason: str) -> NoReturn:
    """Where all servers and browsers are required, as in continuous integration, their absence is a failure."""
    if os.environ.get("BENCHWRIGHT_REQUIRE_SERVERS"):
        pytest.fail(reason)
    pytest.skip(reason)
