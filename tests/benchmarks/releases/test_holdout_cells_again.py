"""Which cells a group needs is computed again from its SQL and the database: nobody is trusted with it."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from holdouts import load_halves, reseal_cells, rows
from support import Run

from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release

AGAIN = "semantic groups whose cells are computed again"


@pytest.fixture
def copies(halves: tuple[Release, Release], tmp_path: Path) -> tuple[Release, Release]:
    """Both halves, to spoil."""
    root = Path(shutil.copytree(halves[0].folder.parent.parent, tmp_path / "copies"))
    return load_halves(root)


def forget(row: dict[str, Any]) -> None:
    row["cells"] = row["cells"][1:]


def invent(row: dict[str, Any]) -> None:
    row["cells"].append("client 1, founded_on")


@pytest.mark.parametrize("change", [forget, invent])
def test_a_group_that_is_said_to_need_other_cells_is_named(
    copies: tuple[Release, Release], change: Callable[[dict[str, Any]], None]
) -> None:
    public, private = copies
    shown = {row["group"] for row in rows(public, "test")}
    changed: list[str] = []

    def edit(table: list[dict[str, Any]]) -> None:
        row = next(row for row in table if row["group"] in shown and row["cells"] and not row["drawn"])
        changed.extend([row["group"], ", ".join(row["cells"])])
        change(row)

    found = verify_release(reseal_cells(private, edit))
    assert found.problems == [f"cells: group {changed[0]}: it needs other cells than those that are told: {changed[1]}"]


def test_two_rows_about_one_group_are_named(copies: tuple[Release, Release]) -> None:
    spoilt = reseal_cells(copies[1], lambda table: table.__setitem__(1, table[0]))
    count = spoilt.manifest.rows["cells"]
    assert f"cells: of {count} rows some are about the same group" in verify_release(spoilt).problems


def test_every_group_of_both_halves_is_computed(halves: tuple[Release, Release]) -> None:
    found = verify_release(halves[1])
    assert found.problems == [] and AGAIN not in found.unchecked
    assert found.proved[AGAIN] == halves[1].manifest.rows["cells"]


def test_a_share_that_cannot_be_reached_is_said_with_the_most_that_can_be(run: Run, tmp_path: Path) -> None:
    settings = ["--set", "size=paper", "--set", "forms=short", "--set", "wordings=1"]
    built = run("build-benchmark", "aurp", "--holdout", "0.5", *settings)
    assert built.returncode == 0, built
    public, private = load_halves(tmp_path / "releases")
    share = (public.manifest.holdout or {})["share_held_out"]
    assert share < 0.48
    assert (
        f"{100 * share:.1f} % of the semantic groups of test are held out, where --holdout 0.5 was asked for: the most "
        f"that can be is {100 * share:.1f} %, for the others need nothing that can be held out"
    ) in built.stderr.splitlines()[0]
    found = verify_release(private)
    assert found.problems == []
    assert found.proved[AGAIN] == private.manifest.rows["cells"]


def test_a_share_that_comes_out_is_not_spoken_of(run: Run) -> None:
    settings = ["--set", "size=paper", "--set", "forms=short", "--set", "wordings=1"]
    built = run("build-benchmark", "aurp", "--holdout", "0.2", *settings)
    assert built.returncode == 0, built
    assert "was asked for" not in built.stderr


@pytest.mark.parametrize("ship", ["none", "touched", "all"])
def test_rows_of_somebodys_database(run: Run, company: Path, ship: str) -> None:
    settings = ["--set", "database=company.sqlite", "--set", "documents=none", "--set", f"ship={ship}"]
    built = run("build-benchmark", "grammar", "--holdout", "0.3", *settings)
    assert built.returncode == 0, built
    private = Release.load(company.parent / "releases" / "grammar-private" / "1.0.0")
    count, url = private.manifest.rows["cells"], f"sqlite:///{company}"
    found = verify_release(private, url)
    assert (found.problems, found.proved[AGAIN], found.unchecked[AGAIN]) == ([], count, 0)
    found = verify_release(private)
    is_whole = ship == "all"
    assert (found.problems, found.proved[AGAIN], found.unchecked[AGAIN]) == (
        [],
        count * is_whole,
        count * (not is_whole),
    )
    spoilt = reseal_cells(private, lambda table: next(row for row in table if row["cells"])["cells"].append("other"))
    assert [text for text in verify_release(spoilt, url).problems if "it needs other cells" in text]
