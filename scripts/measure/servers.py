"""Measures generation from a server against generation from a SQLite file of the same rows, both cold.

    python -m benchwright.scripts.measure.servers postgresql://USER:${PASSWORD}@localhost/EMPTY_DATABASE [--people N]

Every build is a process of its own, timed from its start to its end; the server is asked over its port. The tables are
made in the database that is named, which must not have them, and are dropped at the end.
"""

import sqlite3
import tempfile
from pathlib import Path

import click
from sqlalchemy import Connection, create_engine

from benchwright.benchmarks.grounding.urls import read_url
from benchwright.benchmarks.releases.manifest import read_manifest
from benchwright.scripts.measure.generation import make_database
from benchwright.scripts.measure.own_databases import run_build

_MAKING = (
    "CREATE TABLE people (People_ID int PRIMARY KEY, Age int, Name varchar(40), Nationality varchar(40), "
    "Graduation_College varchar(40))",
    "CREATE TABLE company (Company_ID int PRIMARY KEY, Name varchar(40), Headquarters varchar(40), "
    "Industry varchar(40))",
    "CREATE TABLE employment (Company_ID int, People_ID int, Year_working int, PRIMARY KEY (Company_ID, People_ID), "
    "FOREIGN KEY (Company_ID) REFERENCES company (Company_ID), FOREIGN KEY (People_ID) REFERENCES people (People_ID))",
)
_GROUPS = {"all groups": 0, "3,000 groups": 3_000}
_AT_ONCE = 1_000


@click.command()
@click.argument("url")
@click.option("--people", default=20_000, show_default=True, help="Rows of the largest tables.")
def main(url: str, people: int) -> None:
    """Measure generation from the server at URL, and print a table."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        file = make_database(root / "people.sqlite", people, people // 10)
        engine = create_engine(read_url(url))
        tables = ("employment", "company", "people")
        try:
            with engine.begin() as connection:
                for statement in _MAKING:
                    connection.exec_driver_sql(statement)
                for table in reversed(tables):
                    _copy(file, connection, table)
            for what, groups in _GROUPS.items():
                own, rows = _build(root, f"sqlite:///{file}", f"file-{groups}", groups)
                served, same = _build(root, url, f"server-{groups}", groups)
                click.echo(
                    f"{what}, {people:,} people: {rows:,} questions from SQLite in {own:.1f} s, {same:,} from the "
                    f"server in {served:.1f} s: {own / served:.2f} of SQLite's speed"
                )
        finally:
            with engine.begin() as connection:
                for table in tables:
                    connection.exec_driver_sql(f"DROP TABLE IF EXISTS {table}")
            engine.dispose()


def _copy(file: Path, connection: Connection, table: str) -> None:
    reader = sqlite3.connect(file)
    rows = reader.execute(f"SELECT * FROM {table}")
    marks = ", ".join("%s" for _ in rows.description)
    while part := rows.fetchmany(_AT_ONCE):
        connection.exec_driver_sql(f"INSERT INTO {table} VALUES ({marks})", part)
    reader.close()


def _build(root: Path, place: str, name: str, groups: int) -> tuple[float, int]:
    """Seconds of a build, and how many questions it made."""
    taken = run_build(root, place, "--name", name, "--set", "documents=none", "--set", f"groups={groups}")
    return taken.seconds, read_manifest(root / "releases" / name / "1.0.0").rows["questions"]


if __name__ == "__main__":
    main()
