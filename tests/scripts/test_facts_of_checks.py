"""`benchmarks/facts/checks.md` is of the trial corpora that there are, and its percentages follow from its counts.

That its counts are what the checks say takes longer: `.ci/run --all` prints them.
"""

import re
from collections import Counter

import pytest
from support import ROOT

from benchwright.scripts.measure.trials.statements import PARTS, cases
from benchwright.scripts.measure.trials.verdicts import upper_bound
from benchwright.scripts.measure.trials.wordings import wording_cases

TEXT = (ROOT / "benchmarks" / "facts" / "checks.md").read_text(encoding="utf-8")
SHARE = r"(\d+) of (\d+): ([\d.]+)%"
ROW = re.compile(rf"^\| (\w+) \| {SHARE} \| ([\d.]+)% \| {SHARE} \| ([\d.]+)% \|$", re.MULTILINE)


def sections() -> dict[str, str]:
    """Title → text."""
    parts = re.split(r"^## (.+)$", TEXT, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.parametrize("title", ["Wordings of SQL templates", "Statements of documents"])
def test_the_table_is_of_the_corpora_and_adds_up(title: str) -> None:
    of_wordings = title.startswith("Wordings")
    corpus = wording_cases() if of_wordings else [case for part in PARTS for case in cases(part)]
    faults = Counter((case.part, case.fault) for case in corpus if not case.is_good)
    good = Counter(case.part for case in corpus if case.is_good)
    section = sections()[title]
    rows = ROW.findall(section)
    assert len(rows) >= 3
    for part, *figures in rows:
        wrong = sum(count for (one, _), count in faults.items() if one == part)
        assert (int(figures[1]), int(figures[5])) == (wrong, good[part]), part
        for errors, of, share, bound in (figures[:4], figures[4:]):
            assert share == f"{100 * int(errors) / int(of):.1f}"
            assert bound == f"{100 * upper_bound(int(errors), int(of)):.1f}"
    names = re.findall(r"\w+", section[section.index("| what is wrong, accepted") :].splitlines()[0])[4:]
    listed = re.findall(r"^\| ([a-z ]+) \|((?: (?:\d+ of \d+)? \|)+)$", section, re.MULTILINE)
    for fault, cells in listed:
        for part, cell in zip(names, cells.strip("|").split("|"), strict=True):
            of = re.search(r"of (\d+)", cell)
            assert faults[part, fault] == (int(of[1]) if of else 0), (part, fault)
