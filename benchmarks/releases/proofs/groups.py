"""All questions of a semantic group have the same answers."""

from collections.abc import Mapping
from typing import Any

from benchwright.benchmarks.hashing import short_hash
from benchwright.benchmarks.releases.proofs.base import CheckRow, Material, Proof


def _rows(material: Material) -> CheckRow:
    answers: dict[str, str] = {}
    last: tuple[str | None, list[str] | None] | None = None

    def check(split: str, row: Mapping[str, Any]) -> None:
        nonlocal last
        if row["group"] is None or last == (row["group"], row["answers"]):
            return
        last = row["group"], row["answers"]
        own = short_hash(sorted(row["answers"] or []))
        if answers.setdefault(row["group"], own) != own:
            text = f"question {row['id']} has other answers than the questions before it of its group {row['group']}"
            material.found.problem("group", text)

    return check


PROOF = Proof("groups", "all questions of a semantic group have the same answers", 60, _rows, is_of_rows=True)
