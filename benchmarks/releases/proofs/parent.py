"""A release that something was added to holds the rows of the one before, and that one is what it names."""

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.naming import version_key
from benchwright.benchmarks.releases.derived import added_configs
from benchwright.benchmarks.releases.manifest import MANIFEST, Manifest
from benchwright.benchmarks.releases.offsets import SHA256
from benchwright.benchmarks.releases.proofs.base import Material, Proof
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import read_metadata
from benchwright.benchmarks.schemas import CORPUS

KEPT = "rows of the release that it was derived from"
_SAME = ("name", "builder", "builder_version", "parameters", "seed", "canary", "checks", "texts", "sources", "models")
_JOINED = "texts were joined to them: prove the one that it was derived from"


def check(material: Material) -> None:
    """Compares the content hash without what was added with the parent's, and the manifest with the parent's own."""
    manifest, found = material.release.manifest, material.found
    if manifest.parent is None:
        return
    name, version = str(manifest.parent.get("name")), str(manifest.parent.get("version"))
    if name != manifest.name or version_key(version) >= version_key(manifest.version):
        found.problem("parent", f"{manifest.name} {manifest.version} cannot be derived from {name} {version}")
        return
    added = added_configs(material.release, material.release.hash_content())
    if added is not None:
        found.proved[KEPT] += sum(number for config, number in manifest.rows.items() if config not in added)
    elif any(SHA256 in read_metadata(row["metadata"]) for row in material.rows(CORPUS.name, CORPUS.name, ["metadata"])):
        found.leave(KEPT, sum(manifest.rows.values()), _JOINED)
        return
    else:
        found.problem("parent", f"its rows are not those of {name} {version}, whose content hash it names")
    before = _neighbour(material.release, version)
    if before is None:
        return
    if before.content_hash != manifest.parent.get("content_hash"):
        found.problem("parent", f"{name} {version} has another content hash than {MANIFEST} names")
    for field in _SAME:
        if getattr(before, field) != getattr(manifest, field):
            found.problem("parent", f"{MANIFEST} has another {field} than that of {name} {version}")


def _neighbour(release: Release, version: str) -> Manifest | None:
    """The manifest of the parent, where it lies beside."""
    folder = release.folder.parent / version
    try:
        return Release.load(folder).manifest if (folder / MANIFEST).is_file() else None
    except BenchwrightError:
        return None


PROOF = Proof("parent", "the rows of a derived release are those of its parent", 109, whole=check)
