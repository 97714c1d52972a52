"""The page on intervals: its table has every row of the program, and says what the page and the README say of it."""

import re

from support import ROOT

from benchwright.scripts.measure.simulate_intervals import EFFECTS, SIMULATIONS, line, rows, settings

PAGE = (ROOT / "cards" / "guides" / "intervals.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in re.findall(r"^\| *[\d,]+ \|.*$", PAGE, re.M)]
HERE, NEW, HERE_OF_NEW = 4, 6, 8


def held(column: int) -> list[float]:
    """The figures of a column where there is an interval."""
    return [float(row[column]) for row in ROWS if row[column] != "–"]


def test_every_setting_is_there() -> None:
    expected = [(f"{each.size.groups:,}", each.size.label, each.label, f"{100 * each.share:g}") for each in settings()]
    assert [tuple(row[:4]) for row in ROWS] == expected
    assert "4,000 simulated runs for each of 4 kinds of effects" in PAGE


def test_a_row_comes_out_again() -> None:
    """The row of 20 groups of one question each, 90 % right, drawn anew as often as it was."""
    setting = next(each for each in settings() if (each.size.groups, each.label, each.share) == (20, "1", 0.9))
    [(_, kinds)] = rows([setting], SIMULATIONS)
    assert f"\n{line(setting, kinds, SIMULATIONS)}\n" in PAGE


def test_intervals_hold_what_they_claim() -> None:
    here, new = min(held(HERE)), min(held(NEW))
    assert min(here, new) >= 93 and len(held(NEW)) > 50
    assert f"this benchmark, from 2 groups on: {here:.1f} %; 0 of" in PAGE
    assert f"new ones, from 20 templates and 50 entities on: {new:.1f} %; 0 of" in PAGE
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f"in at least {here:.1f} %, for" in readme and f"in at least {new:.1f} % where" in readme
    assert f"{SIMULATIONS:,} simulated runs of each of {len(ROWS) * len(EFFECTS)} settings" in readme
    assert f"which holds those in as few as {min(held(HERE_OF_NEW)):.0f} % of runs" in PAGE
