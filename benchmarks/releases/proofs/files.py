"""The bytes of every file are those that the manifest names, and there is no other file."""

from benchwright.benchmarks.releases.manifest import MANIFEST, list_files
from benchwright.benchmarks.releases.proofs.base import Material, Proof


def check(material: Material) -> None:
    """Compares SHA-256 and size of each file."""
    found, files = material.found, material.release.manifest.files
    there = list_files(material.release.folder, files)
    for path, facts in files.items():
        if path not in there:
            found.problem("file", f"{path} is missing")
        elif there[path] != dict(facts):
            found.problem("file", f"{path} has changed: its bytes are not those that the manifest names")
        else:
            found.proved["files"] += 1
    for path in there.keys() - files.keys():
        found.problem("file", f"{path} is not in {MANIFEST}")


PROOF = Proof("files", "every file is the one that the manifest names, and there is no other", 10, whole=check)
