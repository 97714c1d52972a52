"""Which cells are held out: every group that needs one is, in strata that resemble the whole, and it can be proved."""

import json
import random
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from holdouts import SECRET, SHARE, load_halves, reseal_cells, rows
from support import Run

from benchwright.benchmarks.releases.cells import EVERYTHING, GroupStratum, Needs
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release

PROVED = "open semantic groups that need no held-out cell"


def cells_of(private: Release) -> dict[str, dict[str, Any]]:
    return {row["group"]: row for row in rows(private, "cells", "cells")}


def test_what_is_open_needs_no_drawn_cell_and_what_is_held_out_does(halves: tuple[Release, Release]) -> None:
    public, private = halves
    needs = cells_of(private)
    drawn = {cell for row in needs.values() for cell in row["drawn"]}
    shown = {row["group"] for split in ("test", "dev") for row in rows(public, split)}
    held = {row["group"] for split in ("test", "dev") for row in rows(private, split)}
    assert shown | held == set(needs) and not shown & held
    assert {group for group, row in needs.items() if drawn & set(row["cells"])} == held
    for split in ("test", "dev"):
        open_ones, kept = ({row["group"] for row in rows(half, split)} for half in halves)
        assert open_ones and kept
    assert {row["answerability"] for row in rows(private, "test")} == {"answerable", "gap"}


def test_nothing_public_names_a_held_out_cell(halves: tuple[Release, Release]) -> None:
    public, private = halves
    named = {fact for split in ("test", "dev") for row in rows(private, split) for fact in facts(row)}
    told = {fact for split in ("test", "dev") for row in rows(public, split) for fact in facts(row)}
    drawn = {cell for row in cells_of(private).values() for cell in row["drawn"]}
    assert len(drawn & named) > 30
    assert not drawn & told
    assert "cells" not in public.manifest.splits
    assert all(list(json.loads(row["metadata"])) == ["commitment"] for row in rows(public, "heldout"))


def facts(row: dict[str, Any]) -> list[str]:
    return json.loads(row["metadata"])["facts"]


def test_what_is_held_out_resembles_the_whole(halves: tuple[Release, Release]) -> None:
    public, private = halves
    counts = [
        Counter(
            (row["hops"], row["answerability"]) for row in {row["group"]: row for row in rows(half, "test")}.values()
        )
        for half in (public, private)
    ]
    whole = counts[0] + counts[1]
    assert abs(counts[1].total() / whole.total() - SHARE) < 0.01
    for (hops, kind), count in whole.items():
        if kind == "answerable" or hops == 1:
            assert abs(counts[1][hops, kind] / count - SHARE) < 0.12 + 1.5 / count, (hops, kind)
    given_away = (public.manifest.holdout or {})["groups_given_away"]
    gaps, held = (sum(count for (_, kind), count in of.items() if kind == "gap") for of in (whole, counts[1]))
    assert given_away > 10 and abs((held + given_away) / (gaps + given_away) - SHARE) < 0.12


def test_no_held_out_group_is_a_known_gap_for_the_sake_of_a_fact_of_which_an_open_one_says_so(
    halves: tuple[Release, Release],
) -> None:
    public, private = halves

    def silent(row: dict[str, Any]) -> set[str]:
        told = json.loads(row["metadata"])
        return {told["facts"][number] for number in told.get("not_stated", ())}

    open_ones = {name for split in ("test", "dev") for row in rows(public, split) for name in silent(row)}
    held = {name for row in rows(private, "test") for name in silent(row)}
    assert len(open_ones) > 20 and len(held) > 10
    assert not open_ones & held


def made_up(count: int = 3_000, seed: int = 1) -> tuple[list[list[str]], list[GroupStratum]]:
    draw = random.Random(seed)
    cells, strata = [], []
    for number in range(count):
        hops = draw.choice((1, 1, 2, 3))
        cells.append([f"{draw.choice('ab')} {int(draw.random() ** 2 * 2_000)}" for _ in range(hops)])
        strata.append(GroupStratum(number, hops, draw.random() < 0.1 * hops, draw.random() < 0.8))
    return cells, strata


@pytest.mark.parametrize("share", [0.01, 0.1, 0.3, 0.6, 0.95])
def test_the_share_comes_out(share: float) -> None:
    cells, strata = made_up()
    needs = Needs(SECRET)
    needs.add(range(1_000), cells[:1_000])
    needs.add(range(1_000, len(cells)), cells[1_000:])
    drawn = needs.draw(strata, share)
    held = [bool(drawn.groups[one.number]) for one in strata if one.counts]
    assert abs(sum(held) / len(held) - share) < 0.01
    for hops in (1, 2, 3):
        of = [bool(drawn.groups[one.number]) for one in strata if one.counts and one.hops == hops]
        assert abs(sum(of) / len(of) - share) < 0.12


def test_another_secret_draws_others_and_the_values_have_no_part_in_it() -> None:
    cells, strata = made_up()
    found = []
    for secret in (SECRET, bytes(32)):
        needs = Needs(secret)
        needs.add(range(len(cells)), cells)
        found.append(needs.draw(strata, 0.3).groups)
    assert 0.15 < (found[0] & found[1]).sum() / found[0].sum() < 0.6


def test_what_reads_everything_is_never_open() -> None:
    needs = Needs(SECRET)
    needs.add([0, 1, 2, 3], [["a"], ["b", EVERYTHING], [], ["c"]])
    drawn = needs.draw([GroupStratum(number, 1, False, True) for number in range(4)], 0.01)
    assert drawn.groups.tolist() == [False, True, False, False]


@pytest.fixture
def copies(halves: tuple[Release, Release], tmp_path: Path) -> tuple[Release, Release]:
    """Both halves, to spoil."""
    root = Path(shutil.copytree(halves[0].folder.parent.parent, tmp_path / "copies"))
    return load_halves(root)


def test_the_private_half_proves_it(halves: tuple[Release, Release], copies: tuple[Release, Release]) -> None:
    public, private = halves
    groups = {row["group"] for split in ("test", "dev") for row in rows(public, split)}
    assert verify_release(private).proved[PROVED] == len(groups)
    named: list[str] = []

    def draw(table: list[dict[str, Any]]) -> None:
        drawn = {cell for row in table for cell in row["drawn"]}
        place = next(i for i, row in enumerate(table) if row["group"] in groups and row["cells"])
        cell = table[place]["cells"][-1]
        assert cell not in drawn
        for row in table:
            if cell in row["cells"]:
                row["drawn"].append(cell)
                named.append(row["group"])

    spoilt = reseal_cells(copies[1], draw)
    problems = verify_release(spoilt).problems
    shown = [group for group in named if group in groups]
    assert {f"cells: group {group} is open, and needs a held-out cell" for group in shown} <= set(problems)


def test_a_group_of_which_nothing_is_said_is_named(copies: tuple[Release, Release]) -> None:
    removed: list[str] = []
    spoilt = reseal_cells(copies[1], lambda table: removed.append(table.pop(0)["group"]))
    assert f"cells: group {removed[0]}: nothing says which cells it needs" in verify_release(spoilt).problems


def test_rows_of_a_database_and_what_they_share_a_name_with_are_held_out_together(run: Run, company: Path) -> None:
    settings = ["--set", "database=company.sqlite", "--set", "documents=none"]
    built = run("build-benchmark", "grammar", "--holdout", "0.3", *settings)
    assert built.returncode == 0, built
    public, private = (
        Release.load(company.parent / "releases" / name / "1.0.0") for name in ("grammar", "grammar-private")
    )
    needs = cells_of(private)
    drawn = {cell for row in needs.values() for cell in row["drawn"]}
    told = [row["cells"] for row in needs.values() if row["cells"]]
    assert drawn and all(cell.startswith("what is called ") for cells in told for cell in cells)
    open_ones = {row["group"] for row in rows(public, "test")}
    assert not [group for group in open_ones if drawn & set(needs[group]["cells"])]
    assert verify_release(private, f"sqlite:///{company}").proved[PROVED] == len(open_ones)
