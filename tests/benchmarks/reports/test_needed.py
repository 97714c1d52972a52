"""How many facts and documents questions need, worked out by hand."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from benchwright.benchmarks.reports.columns import banded
from benchwright.benchmarks.reports.needed import in_order, needed_documents, needed_facts
from benchwright.benchmarks.schemas import EVIDENCE

CASES: list[tuple[str, Sequence[tuple[str, int | None]] | None, int, int]] = [
    ("one fact in one document", [("a", 0)], 1, 1),
    ("no number is fact 0", [("a", None), ("b", 0)], 1, 1),
    ("none", [], 0, 0),
    ("no list", None, 0, 0),
    ("one fact in any of two documents", [("a", 0), ("b", 0)], 1, 1),
    ("two facts, one document states both", [("a", 0), ("a", 1), ("b", 1)], 2, 1),
    ("two facts, apart", [("a", 0), ("b", 1), ("c", 1)], 2, 2),
    ("a triangle", [("a", 0), ("b", 0), ("b", 1), ("c", 1), ("c", 2), ("a", 2)], 3, 2),
    ("nine facts, all apart", [(f"d{number}", number) for number in range(9)], 9, 6),
    (
        "nine facts with thirty alternatives each; one document states five",
        [(f"d{n}-{each}", n) for n in range(9) for each in range(30)] + [("z", n) for n in range(5)],
        9,
        5,
    ),
]


def test_facts_and_documents() -> None:
    evidence = pa.array(
        [
            None if pairs is None else [{"document": d, "start": 0, "end": 1, "fact": fact} for d, fact in pairs]
            for _, pairs, _, _ in CASES
        ],
        pa.list_(EVIDENCE),
    )
    for part, cases in ((evidence, CASES), (evidence.slice(5), CASES[5:])):
        facts = needed_facts(part)
        found = zip((name for name, *_ in cases), facts.tolist(), needed_documents(part, facts).tolist(), strict=True)
        assert list(found) == [(name, wanted, documents) for name, _, wanted, documents in cases]


def test_bands_that_occur_from_few_to_many() -> None:
    column = banded(np.array([7, 1, 0, 4, 5, 6, 3]))
    assert column.names == ("1", "3-5", "6+")
    assert [column.at(place) for place in range(7)] == ["6+", "1", None, "3-5", "3-5", "6+", "3-5"]
    assert in_order("facts", ("6+", "3-5", "1"), [0, -1, 2, 1]) == [2, 1, 0, -1]
    assert in_order("form", ("short", "long"), [1, 0]) == [1, 0]
