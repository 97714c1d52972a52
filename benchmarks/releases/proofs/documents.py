"""Every document that a question names is in the corpus."""

from collections.abc import Mapping
from typing import Any

from benchwright.benchmarks.releases.manifest import MANIFEST
from benchwright.benchmarks.releases.proofs.base import CheckRow, Material, Proof, Verification
from benchwright.benchmarks.releases.release import Release


def check_count(release: Release, config: str, count: int, found: Verification) -> None:
    """Compares the number of rows with the manifest's."""
    claimed = release.manifest.rows.get(config)
    if claimed != count:
        found.problem("rows", f"{config} has {count} rows, {MANIFEST} says {claimed}")


def _rows(material: Material) -> CheckRow:
    texts = material.texts

    def check(split: str, row: Mapping[str, Any]) -> None:
        for document in row["documents"] or []:
            if document not in texts:
                material.found.problem("document", f"question {row['id']} names {document}, which is not in the corpus")

    return check


PROOF = Proof("documents", "every document that a question names is in the corpus", 40, _rows, is_of_rows=True)
