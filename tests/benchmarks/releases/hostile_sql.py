"""A small database, and what is said of a query in it: for the tests of SQL and databases of strangers."""

import sqlite3
from pathlib import Path

from benchwright.benchmarks.grounding.checking import CheckingDatabase
from benchwright.benchmarks.grounding.execution import difference

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"


def make(path: Path, script: str = "") -> Path:
    connection = sqlite3.connect(path)
    connection.executescript(
        f"CREATE TABLE t (name TEXT, size INTEGER); INSERT INTO t VALUES ('a', 1), ('b', 2); {script}"
    )
    connection.close()
    return path


def wrong(database: CheckingDatabase, sql: str) -> str:
    found = difference(database, sql, ["a"], [])
    assert found is not None
    assert "\n" not in found
    assert len(found) < 600
    return found
