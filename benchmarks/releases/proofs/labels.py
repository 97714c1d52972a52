"""What people chose of pairs can be read: each label is of a dimension and a choice that there are, and said once."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from benchwright.benchmarks.releases.pairs import COLUMNS, choice_of, dimension_of
from benchwright.benchmarks.releases.proofs.base import Material, Proof
from benchwright.benchmarks.schemas import LABELS, PAIRS

READ = "labels that can be read"


def check(material: Material) -> None:
    """Looks at each label beside its pair."""
    found = material.found
    if LABELS.name not in material.release.manifest.splits:
        return
    candidates = {row["id"]: _candidates(row) for row in _rows(material, PAIRS.name)}
    said: Counter[tuple[object, ...]] = Counter()
    for row in _rows(material, LABELS.name):
        problem = _problem(row, candidates.get(row["pair_id"]))
        if problem:
            found.problem("label", f"of pair {row['pair_id']}: {problem}")
            continue
        found.proved[READ] += 1
        if row["annotator"]:
            key = (row["pair_id"], dimension_of(row["dimension"]), row["annotator"].casefold(), bool(row["resolved"]))
            said[key] += 1
            if said[key] == 2:
                text = f"of pair {row['pair_id']}: {row['annotator']} chose more than once in {row['dimension']}"
                found.problem("label", text)


def _rows(material: Material, config: str) -> Iterator[Mapping[str, Any]]:
    for split in material.splits(config):
        yield from material.rows(config, split)


def _candidates(row: Mapping[str, Any]) -> frozenset[str]:
    """The columns that have something to choose."""
    columns = {column for both in COLUMNS.values() for column in both}
    return frozenset(column for column in columns if "".join(row[column] or ()).strip())


def _problem(row: Mapping[str, Any], candidates: frozenset[str] | None) -> str:
    """What is wrong with a label; nothing where it can be read. That its pair is there is proved elsewhere."""
    dimension = dimension_of(row["dimension"])
    if dimension is None:
        return f"{row['dimension']!r:.40} is no dimension: these are {', '.join(COLUMNS)}"
    if choice_of(dimension, row["choice"]) is None:
        return f"{row['choice']!r:.40} is no choice in {dimension}"
    if candidates is not None and (lacking := sorted({*COLUMNS[dimension]} - candidates)):
        return f"there is nothing to choose in {dimension}, as it has no {lacking[0]}"
    return ""


PROOF = Proof("labels", "labels can be read, and nobody chose twice", 94, whole=check)
