"""The content hash is that of the rows, the templates and the databases."""

from benchwright.benchmarks.releases.proofs.base import Material, Proof


def check(material: Material) -> None:
    """Computes it again."""
    if material.release.content_hash() == material.release.manifest.content_hash:
        material.found.proved["content hash"] += 1
    else:
        text = "the rows, templates or databases are not those that the manifest names"
        material.found.problem("content hash", text)


PROOF = Proof("content hash", "rows, templates and databases are those that the manifest names", 110, whole=check)
