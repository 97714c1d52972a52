"""Measures generation: rows a second, cost against size, peak memory, a sample of a billion combinations, a peer.

    python -m benchwright.scripts.measure.generation [--quick]

Every build runs in a process of its own, so that its peak memory is its own. Ratios are of one run on one machine.
"""

import itertools
import json
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

_TEMPLATES = {
    "sql_templates": {
        "('company',)": [
            "SELECT Industry FROM company WHERE Name = '[company.Name]';",
            "SELECT Headquarters FROM company WHERE Name = '[company.Name]';",
        ],
        "('people',)": [
            "SELECT Nationality FROM people WHERE Name = '[people.Name]';",
            "SELECT Graduation_College FROM people WHERE Name = '[people.Name]';",
        ],
        "('company', 'people')": [
            "SELECT e.Year_working FROM employment e JOIN company c ON e.Company_ID = c.Company_ID JOIN people p ON "
            "e.People_ID = p.People_ID WHERE c.Name = '[company.Name]' AND p.Name = '[people.Name]';"
        ],
    }
}
_ALL = ["--set", "groups=0"]
_BILLION = (
    "SELECT p.Age FROM people p JOIN company c ON p.Nationality <> c.Headquarters "
    "WHERE p.Name = '[people.Name]' AND c.Name = '[company.Name]';"
)


@click.command()
@click.option("--quick", is_flag=True, help="Small sizes, to see that the program works.")
def main(quick: bool) -> None:
    """Measure generation and print a table."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        templates = root / "templates.json"
        templates.write_text(json.dumps(_TEMPLATES))
        _print("people", "questions", "seconds", "questions/s", "seconds per 1,000 people", "peak MB")
        for people in (1_000, 10_000) if quick else (1_000, 10_000, 100_000, 1_000_000):
            database = make_database(root / f"{people}.sqlite", people, people // 10)
            rows, seconds, peak = _build(root, database, templates, f"n{people}", _ALL)
            _print(people, rows, seconds, rows / seconds, 1_000 * seconds / people, peak)
        people, companies = (2_000, 500) if quick else (40_000, 25_000)
        wide = make_database(root / "wide.sqlite", people, companies)
        one = root / "one.json"
        one.write_text(json.dumps({"sql_templates": {"": [_BILLION]}, **_texts(_BILLION)}))
        rows, seconds, peak = _build(root, wide, one, "wide", ["--set", "groups=1500"])
        click.echo(
            f"sample of 1,500 groups of {people * companies:,} combinations: {rows:,} questions, "
            f"{seconds:.1f} s, {peak:.0f} MB"
        )
        people = 100 if quick else 1_000
        small = make_database(root / "small.sqlite", people, people // 10)
        rows, seconds, _ = _build(root, small, templates, "small", _ALL)
        queries, peer = _algorithm_1(small)
        click.echo(f"{people:,} people, each combination substituted and executed (Algorithm 1): {queries:,} queries")
        click.echo(f"  {peer:.2f} s, {peer / seconds:.2f} times the whole build, its start included ({seconds:.2f} s)")


def make_database(path: Path, people: int, companies: int) -> Path:
    """A database shaped like Spider's company_employee: one employment for each person."""
    connection = sqlite3.connect(path)
    connection.executescript(
        "CREATE TABLE people (People_ID int PRIMARY KEY, Age int, Name text, Nationality text,"
        " Graduation_College text);"
        "CREATE TABLE company (Company_ID int PRIMARY KEY, Name text, Headquarters text, Industry text);"
        "CREATE TABLE employment (Company_ID int REFERENCES company (Company_ID),"
        " People_ID int REFERENCES people (People_ID), Year_working int, PRIMARY KEY (Company_ID, People_ID));"
    )
    persons = ((i, 20 + i % 50, f"Person {i:07d}", f"Nation {i % 190}", f"College {i % 997}") for i in range(people))
    connection.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?)", persons)
    firms = ((i, f"Company {i:06d}", f"City {i % 499}", f"Industry {i % 41}") for i in range(companies))
    connection.executemany("INSERT INTO company VALUES (?, ?, ?, ?)", firms)
    jobs = ((i % companies, i, 1 + i % 30) for i in range(people))
    connection.executemany("INSERT INTO employment VALUES (?, ?, ?)", jobs)
    connection.commit()
    connection.close()
    return path


def _build(root: Path, database: Path, templates: Path, name: str, more: list[str]) -> tuple[int, float, float]:
    """Questions, seconds from the call of the builder, and peak megabytes of a build."""
    arguments = ["grammar", "--name", name, "--releases", str(root / "out"), "--set", f"database={database}"]
    arguments += ["--set", f"templates={templates}", "-q", *more]
    code = f"from benchwright.scripts.measure.generation import run_build; run_build({arguments!r})"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    found = json.loads(result.stdout.splitlines()[-1])
    return found["rows"], found["seconds"], found["peak"]


def run_build(arguments: list[str]) -> None:
    """Runs a build in this process and prints what it took, as JSON."""
    import benchwright.builders.grammar.build  # noqa: F401
    from benchwright.benchmarks.releases.manifest import read_manifest
    from benchwright.scripts.build_benchmark import main as build_benchmark

    started = time.perf_counter()
    build_benchmark(arguments, standalone_mode=False)
    seconds = time.perf_counter() - started
    folder = Path(arguments[4]) / arguments[2] / "1.0.0"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024
    click.echo(json.dumps({"rows": read_manifest(folder).rows["questions"], "seconds": seconds, "peak": peak}))


def _algorithm_1(database: Path) -> tuple[int, float]:
    """The published algorithm: distinct values, their Cartesian product, and one query for each combination."""
    from benchwright.benchmarks.grounding.sql import IN_SQL

    connection = sqlite3.connect(database)
    started, queries = time.perf_counter(), 0
    for statements in _TEMPLATES["sql_templates"].values():
        for sql in statements:
            names = [(match.group(1), match.group(2)) for match in IN_SQL.finditer(sql)]
            values = [[row[0] for row in connection.execute(f"SELECT DISTINCT {c} FROM {t}")] for t, c in names]
            bound = IN_SQL.sub("?", sql)
            for combination in itertools.product(*values):
                connection.execute(bound, combination).fetchall()
                queries += 1
    return queries, time.perf_counter() - started


def _texts(sql: str) -> dict[str, object]:
    wordings = [f"number {i}: age of [people.Name] seen from [company.Name]" for i in range(10)]
    return {f"text_templates_{form}": {sql: wordings} for form in ("short", "long")}


def _print(*cells: object) -> None:
    shown = [
        f"{cell:,.3f}"
        if isinstance(cell, float) and cell < 10
        else f"{cell:,.0f}"
        if isinstance(cell, int | float)
        else str(cell)
        for cell in cells
    ]
    click.echo(" | ".join(f"{cell:>12}" for cell in shown))


if __name__ == "__main__":
    main()
