"""Measures the commands on databases of one's own, cold: the start, a sample of a large file, 200 tables, all rows.

    python -m benchwright.scripts.measure.own_databases [--quick]

Each line tells what a command took, what share of its limit that is, and how often SQLite could have read the largest
file meanwhile: a yardstick of the same run on the same machine. The files need 800 MB of disk.
"""

import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import click

from benchwright.benchmarks.releases.manifest import read_manifest
from benchwright.scripts.measure.generation import make_database

_BYTES_A_BLOCK = 512
"""Of what the system counts as written."""
_SMALL = "CREATE TABLE town (name TEXT, river TEXT); INSERT INTO town VALUES ('Aue', 'Elm'), ('Ems', 'Po')"


@dataclass(frozen=True)
class Taken:
    """What a command took."""

    seconds: float
    busy: float
    """Seconds of a processor: where others work on the machine too, this is what counts."""
    peak: float
    """Megabytes of memory."""
    written: float
    """Megabytes that went to the disk."""


@click.command()
@click.option("--quick", is_flag=True, help="Small sizes, to see that the program works.")
def main(quick: bool) -> None:
    """Measure the commands and print a line for each."""
    people, tables, rows = (20_000, 10, 2_000) if quick else (4_500_000, 200, 100_000)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        large = make_database(root / "large.sqlite", people, people // 10)
        size = large.stat().st_size / 1e6
        once = _read_once(large)
        click.echo(f"SQLite reads a file of {size:,.0f} MB in {once:.2f} s")
        small = root / "small.sqlite"
        with sqlite3.connect(small) as connection:
            connection.executescript(_SMALL)
        _show("build of a small database", _build(root, small), 1.5, once)
        sample = ["--set", "groups=2000"]
        _show(f"2,000 groups of {size:,.0f} MB", _build(root, large, *sample), 30, once)
        _show(f"--preview of {size:,.0f} MB", run_build(root, large, "--preview", *sample), 30, once)
        large.unlink()
        many = _many_tables(root / "many.sqlite", tables)
        draft = run_build(root, many, "--draft-schema", str(root / "many.toml"))
        _show(f"{tables} tables read and enumerated", draft, 30, once)
        database = make_database(root / "rows.sqlite", rows, rows // 10)
        taken = _build(root, database, "--set", "groups=0", "--set", "hops=1")
        questions = read_manifest(root / "releases" / "rows" / "1.0.0").rows["questions"]
        _show(f"all {questions:,} questions of {rows:,} people", taken, questions / 500_000, once)


def _show(what: str, taken: Taken, limit: float, once: float) -> None:
    click.echo(
        f"{what}: {taken.seconds:.2f} s, {taken.seconds / limit:.2f} of the limit of {limit:.1f} s, "
        f"{taken.busy:.2f} s of a processor, {taken.seconds / once:.1f} readings; "
        f"{taken.peak:,.0f} MB of memory, {taken.written:,.0f} MB written"
    )


def _build(root: Path, database: Path, *more: str) -> Taken:
    return run_build(root, database, "--name", database.stem, *more)


def run_build(root: Path, database: Path | str, *more: str) -> Taken:
    """Runs `build-benchmark grammar` in a process of its own, from its start to its end.

    Args:
        root: a folder, in which `releases` is the root of releases.
        database: what `--set database=` takes.
        more: further arguments.

    Raises:
        ClickException: the command fails.
    """
    command = [sys.executable, "-m", "benchwright", "build-benchmark", "grammar", "--releases", str(root / "releases")]
    started = time.perf_counter()
    process = subprocess.Popen(
        [*command, "--set", f"database={database}", "-q", *more], stdout=subprocess.DEVNULL, cwd=root
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    if status:
        raise click.ClickException(f"the command ended with {os.waitstatus_to_exitcode(status)}")
    return Taken(
        seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1_024, usage.ru_oublock * _BYTES_A_BLOCK / 1e6
    )


def _read_once(path: Path) -> float:
    """Seconds in which SQLite reads every row of a file."""
    connection = sqlite3.connect(path)
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    started = time.perf_counter()
    for name in names:
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({name})")]
        connection.execute(f"SELECT {', '.join(f'MAX({column})' for column in columns)} FROM {name}").fetchall()
    connection.close()
    return time.perf_counter() - started


def _many_tables(path: Path, count: int) -> Path:
    """Many tables of a hundred rows, each with keys to up to three others."""
    connection, drawn = sqlite3.connect(path), random.Random(0)
    for number in range(count):
        others = sorted({int(drawn.random() * number) for _ in range(3)}) if number else []
        keys = "".join(f", kind{other}_id INTEGER REFERENCES kind{other} (id)" for other in others)
        connection.execute(
            f"CREATE TABLE kind{number} (id INTEGER PRIMARY KEY, name TEXT, colour TEXT, weight REAL, city TEXT{keys})"
        )
        rows = (
            (
                i,
                f"Thing {number} {i}",
                f"colour {i % 50}",
                i / 7,
                f"City {i % 40}",
                *(int(drawn.random() * 100) for _ in others),
            )
            for i in range(100)
        )
        marks = ", ".join("?" * (5 + len(others)))
        connection.executemany(f"INSERT INTO kind{number} VALUES ({marks})", rows)
    connection.commit()
    connection.close()
    return path


if __name__ == "__main__":
    main()
