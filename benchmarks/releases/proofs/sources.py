"""The database that is given is, byte for byte, the one that the manifest names as a source."""

from benchwright.benchmarks.hashing import file_sha256
from benchwright.benchmarks.releases.proofs.base import Material, Proof

SOURCES = "source databases by their bytes"
_COMPARED = "what is compared is what the queries return"


def check(material: Material) -> None:
    """Compares SHA-256, where a database is given. Another file may hold the same rows: that is said, not wrong."""
    given, found = material.given, material.found
    if given is None:
        return
    path = material.databases[0].path
    sha256 = given.sha256 or (file_sha256(path) if path is not None else None)
    named = [source.get("sha256") for source in material.release.manifest.sources]
    if sha256 is None:
        found.leave(SOURCES, 1, f"the one that is given is a server's: {_COMPARED}")
    elif sha256 in named:
        found.proved[SOURCES] += 1
    elif not any(named):
        found.leave(SOURCES, 1, f"the manifest names no SHA-256 of one: {_COMPARED}")
    else:
        found.leave(SOURCES, 1, f"the file that is given is not the one that the manifest names: {_COMPARED}")


PROOF = Proof("sources", "the database that is given is the one that the release was built from", 15, whole=check)
