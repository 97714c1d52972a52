"""Releases and files of strangers through the commands: each ends with its line, in bounded time and memory, and writes
nothing where it must not.
"""

import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from built import Built, company_release
from hostile_files import DATA, PREDICTIONS, REPLIES, SCHEMAS, SETTINGS, TEMPLATES
from hostile_releases import DATABASES, QUERIES, QUESTIONS, RELEASES, WRONG, Make, manifest, sql
from hub_cases import make_release
from support import COMPANY, Run, in_full, make_sqlite

MEMORY = 4_000_000_000
"""Bytes of addresses that a command may have; its libraries take half of them."""
SECONDS = 120
"""What only a hang passes."""
VERIFY = ("verify-benchmark", "{release}")
SCORE = ("score-system", "{release}", "keyword", "--limit", "3", "-q")
DRY = ("publish-benchmark", "{release}", "--dry-run")
PREDICTED = ("score-system", "{release}", "{here}/p.jsonl", "-q")
JUDGED = ("score-system", "{release}", "keyword", "--judgments", "{here}/p.jsonl", "-q")
REPLAYED = (
    "score-system", "{release}", "closed-book", "--model", "m", "--replay", "--cache", "{here}/replies.sqlite", "-q"
)  # fmt: skip
GRAMMAR = ("build-benchmark", "grammar", "--set", "database={here}/data", "-q")
NOT_LISTED = "is not what the manifest says: build the release again, or verify it with verify-benchmark"


@dataclass(frozen=True)
class Case:
    """Something hostile: how it is made in a folder, and the command that meets it."""

    make: Make
    command: tuple[str, ...]
    line: str
    """What a line of what it writes matches; where it fails, one that begins with `error:` or `wrong:`."""
    code: int = 1
    of_database: bool = False
    """Whether it is made of a release with a database."""


UNDERSTOOD = ("build-benchmark", "grammar", "--set", "database={company}", "--set", "schema={here}/given", "-q")
TEMPLATED = ("build-benchmark", "grammar", "--set", "database={company}", "--set", "templates={here}/given", "-q")
OURS = re.compile(r"runs/|here/replies\.sqlite-")
"""Where commands write."""


def _cases() -> dict[str, Case]:
    unknown = Case(manifest(builder="evil"), VERIFY, r"not checked: .* \(the builder evil is not installed: ", 0)
    found = {"builder_unknown verify": unknown}
    for command in (VERIFY, SCORE, DRY):
        found |= {f"{name} {command[0]}": Case(make, command, line) for name, (make, line) in RELEASES.items()}
        of_rows = {name: (make, NOT_LISTED if command is DRY else line) for name, (make, line) in QUESTIONS.items()}
        found |= {f"{name} {command[0]}": Case(make, command, line) for name, (make, line) in of_rows.items()}
    for table, command, code in (
        (WRONG, VERIFY, 1),
        (PREDICTIONS, PREDICTED, 1),
        (REPLIES, REPLAYED, 1),
        (SETTINGS, VERIFY, 2),
        (DATA, GRAMMAR, 1),
        (SCHEMAS, UNDERSTOOD, 1),
        (TEMPLATES, TEMPLATED, 1),
    ):
        found |= {f"{name} {command[0]}": Case(make, command, line, code) for name, (make, line) in table.items()}
    judged = {f"{name} as judgments": Case(make, JUDGED, "") for name, (make, _) in PREDICTIONS.items()}
    databases = {name: Case(make, VERIFY, line, of_database=True) for name, (make, line) in DATABASES.items()}
    queries = {
        name: Case(sql(query), VERIFY, "wrong: sql: question ", of_database=True) for name, query in QUERIES.items()
    }
    return found | judged | databases | queries


CASES = _cases()
IN_FULL = {name for name in RELEASES if name not in ("name_abs", "manifest_deep", "dir_symlink", "fifo")}
"""What `verify-benchmark` alone refuses in a run of every day, and the other commands with `--full`."""


def _every_day(name: str) -> bool:
    kind, command = name.split()[0], CASES[name].command
    if command in (SCORE, DRY):
        return kind not in IN_FULL
    return command is not JUDGED or kind in ("p_deep", "p_nul", "p_pipe", "p_unknown_ids")


@pytest.mark.parametrize("name", [*filter(_every_day, CASES), *in_full(*(n for n in CASES if not _every_day(n)))])
def test_it_ends_with_its_line(name: str, run: Run, built: Built, tmp_path: Path) -> None:
    case = CASES[name]
    folder = tmp_path / "folder"  # what is written beside it is seen too
    here = folder / "here"
    here.mkdir(parents=True)
    release = here / "release"
    lights = built.folder("lights-of-towers", make_release) / "lights" / "1.0.0"
    shutil.copytree(company_release(built, ship="all").folder if case.of_database else lights, release)
    case.make(release if case.command in (VERIFY, SCORE, DRY) and case.code != 2 else here)
    company = tmp_path / "company.sqlite"
    if any("{company}" in part for part in case.command):
        make_sqlite(company, COMPANY)
    arguments = [part.format(release=release, here=here, company=company) for part in case.command]
    if case.code == 2:
        shutil.move(here / "benchwright.toml", folder)
    before = _files(tmp_path)
    said = run(*arguments, limits={"AS": MEMORY, "FSIZE": 500_000_000}, timeout=SECONDS, folder=folder)
    assert said.returncode == case.code, said
    assert "Traceback" not in said.stderr
    lines = (said.stdout + said.stderr).splitlines()
    told = [line for line in lines if case.code == 0 or line.startswith(("error: ", "wrong: "))]
    assert any(re.search(case.line, line) for line in told), lines
    assert said.stderr.count("\n") <= 1
    assert max(map(len, lines)) < 1_500
    assert all(line.isprintable() for line in lines)
    written = {path for path in _files(tmp_path) - before if not path.is_relative_to(tmp_path / "hf")}
    assert [path for path in written if not OURS.match(str(path.relative_to(folder)))] == []


def _files(folder: Path) -> set[Path]:
    return {Path(at, name) for at, _, names in os.walk(folder) for name in names}


def test_there_are_enough() -> None:
    assert len({name.split()[0] for name in CASES}) >= 150


@pytest.mark.parametrize("command", [VERIFY, SCORE, DRY], ids=lambda command: command[0])
def test_what_is_right_passes_within_the_same_limits(command: tuple[str, ...], run: Run, tmp_path: Path) -> None:
    release = make_release(tmp_path / "made").folder
    said = run(*(part.format(release=release) for part in command), limits={"AS": MEMORY}, timeout=SECONDS)
    assert said.returncode == 0, said
