"""`benchmarks/facts/calibration.md` has the rows that are simulated, and what is said of it follows from its figures."""

import re

from guides import GUIDES
from support import ROOT

from benchwright.scripts.measure.simulate_calibration import HEAD, PROMISED, Found, cells, row

TEXT = (ROOT / "benchmarks" / "facts" / "calibration.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in TEXT.splitlines() if line.startswith("| ")]


def figures(name: str, place: int = 0, rows: list[list[str]] = ROWS[1:]) -> list[float]:
    """The figures of a column that there are; of several of one name the one at the place."""
    column = [number for number, head in enumerate(HEAD) if head == name][place]
    return [float(line[column]) for line in rows if line[column]]


def test_the_rows_are_those_that_are_simulated() -> None:
    assert ROWS[0] == list(HEAD)
    described = [row(cell, Found()).strip("|").split("|")[:6] for cell in cells()]
    assert [line[:6] for line in ROWS[1:]] == [[part.strip() for part in line] for line in described]


def test_what_is_said_follows_from_the_table() -> None:
    calibrated, bounds, alone = (
        figures(name) for name in ("calibrated: held, %", "bounds: held, %", "people alone: held, %")
    )
    assert min(*calibrated, *bounds, *alone) >= 100 * PROMISED
    few = figures("textbook: held, %", rows=[line for line in ROWS[1:] if line[0] == "30"])
    wider = [float(bound) > float(labels) for line in ROWS[1:] for bound, labels in ((line[10], line[12]),) if bound]
    text = " ".join(TEXT.split())
    assert f"in {min(calibrated)} % or more of the runs in each of the {len(calibrated)} rows" in text
    assert f"the bounds in {min(bounds)} % or more in each of {len(bounds)}." in text
    assert f"The labels alone did in {min(alone)} % or more." in text
    assert f"held it in {min(few)} to {max(few)} % with 30 labelled groups" in text
    assert f"in {sum(wider)} of {len(wider)} rows" in text
    guide = " ".join((GUIDES / "believe-your-metrics.md").read_text(encoding="utf-8").split())
    assert f"in at least {min(calibrated)} %, and the bounds in at least {min(bounds)} %" in guide
    assert f"of the textbook held it in {min(few):.0f} to {max(few):.0f} % with 30 labelled groups" in guide


def test_a_judge_who_tells_nothing_costs_nothing() -> None:
    useless = [line for line in ROWS[1:] if re.fullmatch("useless|perverse", line[5])]
    pairs = [(float(line[8]), float(line[12])) for line in useless if line[8]]
    assert len(pairs) > 20
    assert all(abs(calibrated - labels) <= 0.3 for calibrated, labels in pairs)
