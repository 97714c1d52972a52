"""Systems that are alike are rarely separated: a few simulations here, the whole table in the repository."""

import math
from pathlib import Path

import pytest

from benchwright.scripts.measure.simulate_tests import Cell, simulate_joint, simulate_pair, write_tables

KEPT = Path(__file__).parents[3] / "benchmarks" / "facts" / "separation.md"
SYSTEMS, PAIRS = "falsely separated", "one-sided too high"


def kept(column: str) -> list[dict[str, str]]:
    """The rows of the table that has a column."""
    rows: list[list[str]] = []
    for line in KEPT.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if column in cells:
            rows = [cells]
        elif rows and line.startswith("|") and "--:" not in line:
            rows.append(cells)
        elif rows and not line:
            break
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]


def test_the_program_prints_such_tables() -> None:
    lines = list(write_tables(0.0, (40,), (3,)))
    headers = [line for line in lines if line.startswith("| groups")]
    assert headers == [line for line in KEPT.read_text("utf-8").splitlines() if line.startswith("| groups")]
    assert [line.split(" | ")[3] for line in lines if line.startswith("| 40 | 1")] == ["20"] * 6
    assert sum(line.startswith("| 40 | 3 | ") for line in lines) == 6


def at_most(percent: float, simulations: int) -> float:
    """What of a true share of so many percent is seen in simulations, but for one time in a thousand."""
    return percent + 3.1 * math.sqrt(percent * (100 - percent) / simulations)


@pytest.mark.parametrize("share", [0.5, 0.9])
def test_systems_that_are_alike_are_not_separated(share: float) -> None:
    found = simulate_joint(Cell(40, 20, share, is_mixed=True, simulations=60, flips=199))
    assert 100 * found.false <= at_most(5, 60) and 100 * (1 - found.held) <= at_most(5, 60)
    same = simulate_joint(Cell(40, 20, share, is_mixed=False, simulations=60, flips=199))
    assert 100 * same.false <= at_most(5, 60)
    assert same.fixed is not None and same.fixed > 0.15, "with fixed errors they would be"


def test_a_row_of_the_table_is_what_the_program_finds() -> None:
    row = next(row for row in kept(PAIRS) if (row["groups"], row["wordings"], row["share"]) == ("10", "1", "0.5"))
    found = simulate_pair(10, 0.5, 1, 4_000)
    shown = [found.held, found.above, found.far_above, found.rejected, found.rejected_t, found.false]
    assert row["simulations"] == "4,000" and list(row.values())[4:] == [f"{100 * each:.1f}" for each in shown]


def test_the_table_that_is_kept_says_so() -> None:
    rows = kept(SYSTEMS)
    assert {(row["groups"], row["systems"]) for row in rows} == {
        (groups, systems) for groups in ("40", "100", "2,000") for systems in ("50", "500")
    }
    assert len(rows) == 36 and {row["share"] for row in rows} == {"0.5", "0.9", "0.99"}
    for row in rows:
        assert float(row[SYSTEMS]) <= at_most(5, int(row["simulations"].replace(",", ""))), row
    assert max(float(row[SYSTEMS]) for row in rows) == 5.7, "as README.md says"
    assert max(float(row["with fixed errors"]) for row in rows if row["systems"] == "50") == 51.4
    pairs = kept(PAIRS)
    assert len(pairs) == 36
    for row in pairs:
        simulations = int(row["simulations"].replace(",", ""))
        assert float(row["interval holds"]) >= 94.5 and float(row["separated"]) <= at_most(5, simulations), row
        assert float(row["one-sided of 97.5 % too high"]) <= 3.6, row
