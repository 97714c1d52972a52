"""How many facts a question needs, and how many documents at least state them all: what makes it hard to search for."""

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchwright.benchmarks.arrow import compute as pc

Numbers = npt.NDArray[np.int64]

NEEDED_COLUMNS = ("facts", "documents")
BANDS = ("1", "2", "3-5", "6+")
"""What reports tell apart."""
_LOWEST = np.array([1, 2, 3, 6])
_MANY = 6
"""Documents from which on it is not counted how many there must be."""


def needed_facts(evidence: pa.Array) -> Numbers:
    """Different facts of each question's evidence; 0 where it has none.

    Args:
        evidence: n lists of {document, start, end, fact}.
    """
    rows, items = _flat(evidence)
    if not len(rows):
        return np.zeros(len(evidence), dtype=np.int64)
    pairs = np.unique(np.stack([rows, _facts(items)]), axis=1)
    return np.bincount(pairs[0], minlength=len(evidence)).astype(np.int64)


def needed_documents(evidence: pa.Array, facts: Numbers) -> Numbers:
    """The fewest documents that together state every fact of each question, 6 where there must be six or more.

    Entries of one fact are alternatives, so that a question of two facts needs one document where one states both.

    Args:
        evidence: n lists of {document, start, end, fact}.
        facts: what `needed_facts` found of them.
    """
    needed = np.minimum(facts, 1)
    rows, items = _flat(evidence)
    several = np.flatnonzero(facts > 1)
    if not len(several):
        return needed
    numbers = _facts(items).tolist()
    documents = items.field("document").dictionary_encode().indices.to_pylist()
    bounds = np.searchsorted(rows, np.stack([several, several + 1]))
    known: dict[frozenset[frozenset[int]], int] = {}
    for row, start, end in zip(several.tolist(), *bounds.tolist(), strict=True):
        stated: dict[int, set[int]] = {}
        for number, document in zip(numbers[start:end], documents[start:end], strict=True):
            stated.setdefault(number, set()).add(document)
        choices = frozenset(map(frozenset, stated.values()))
        if choices not in known:
            known[choices] = _fewest(choices)
        needed[row] = known[choices]
    return needed


def bands_of(numbers: Numbers) -> Numbers:
    """Each number's place in BANDS; -1 for 0."""
    return np.searchsorted(_LOWEST, numbers, side="right") - 1


def in_order(name: str, values: Sequence[str], codes: Sequence[int]) -> list[int]:
    """The codes of a column's values in the order in which they are shown: numbers in theirs, none at the end."""
    if name not in ("hops", *NEEDED_COLUMNS):
        return list(codes)
    return sorted(codes, key=lambda code: int(re.split("[-+]", values[code])[0]) if code >= 0 else 10**9)


def lacking(name: str) -> str:
    """What questions without a value of a column are said to be without."""
    return "have no evidence" if name in NEEDED_COLUMNS else f"have no {name}"


def titled(name: str) -> str:
    """What a column is called."""
    return f"{name} needed" if name in NEEDED_COLUMNS else name


def _flat(evidence: pa.Array) -> tuple[Numbers, pa.StructArray]:
    """All entries, and of each the question's place."""
    lengths = pc.fill_null(pc.list_value_length(evidence), 0).to_numpy(zero_copy_only=False)
    return np.repeat(np.arange(len(evidence)), lengths), evidence.flatten()


def _facts(items: pa.StructArray) -> Numbers:
    return pc.fill_null(items.field("fact"), 0).to_numpy(zero_copy_only=False).astype(np.int64)


def _fewest(choices: frozenset[frozenset[int]], most: int = _MANY) -> int:
    """The size of the smallest set that holds one of each of the choices, or `most` where it is not smaller."""
    if not choices or most <= 0:
        return 0
    hardest = min(choices, key=lambda choice: (len(choice), sorted(choice)))
    stated = {frozenset(choice for choice in choices if document in choice) for document in hardest}
    best = most
    for one in stated:
        if not any(one < other for other in stated):
            best = min(best, 1 + _fewest(choices - one, best - 1))
    return best
