"""What would be asked is shown before anything is built: an example of each template, its answers, what is left out."""

from pathlib import Path

import pytest
from support import Run, make_sqlite

PEOPLE = "CREATE TABLE person (name TEXT, land TEXT, town TEXT, age INTEGER, nick TEXT); INSERT INTO person VALUES "


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """Forty people of one land but for two, in ten towns, of unknown age."""
    rows = [f"('P{i}', '{'Peru' if i < 2 else 'Chile'}', 'T{i % 10}', NULL, 'N{i}')" for i in range(40)]
    return make_sqlite(tmp_path / "people.sqlite", PEOPLE + ", ".join(rows))


def test_examples_answers_and_what_is_left_out(run: Run, people: Path) -> None:
    shown = run("build-benchmark", "grammar", "--preview", "--set", f"database={people}").stdout
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert lines[0].startswith("80 groups (all that there are) of 2 SQL templates would be asked, in 1,600 questions.")
    assert "person: 2 SQL templates" in lines
    [town] = [line for line in lines if "'s town?" in line]
    number = town.split("'s town?")[0].rpartition("P")[2]
    assert town.endswith(f" T{number[-1]} 40 40 10 10 %")
    left = " ".join(lines[lines.index("Left out, and why") :])
    assert "one answer has more than the share of all that the parameter commonest 1 allows" in left
    assert "no combination of values has an answer that can be asked for 1" in left
    assert sorted(path.name for path in people.parent.iterdir()) == ["people.sqlite"]


def test_where_all_groups_are_wanted(run: Run, people: Path) -> None:
    arguments = ["--set", f"database={people}", "--set", "groups=0", "--set", "commonest=1"]
    shown = run("build-benchmark", "grammar", "--preview", *arguments).stdout
    assert shown.startswith("All groups of 4 SQL templates would be asked.")
    assert " 40        2        95 %" in shown


def test_a_sample_is_called_one(run: Run, people: Path) -> None:
    shown = run("build-benchmark", "grammar", "--preview", "--set", f"database={people}", "--set", "groups=10").stdout
    assert shown.startswith("10 groups (a sample: --set groups=0 asks all) of 2 SQL templates would be asked")
