"""What no file of a release can show: what remains to be trusted, and what would prove it."""

from collections.abc import Iterator

from benchwright.benchmarks.releases.manifest import is_private
from benchwright.benchmarks.releases.proofs.base import Verification
from benchwright.benchmarks.releases.proofs.sources import SOURCES
from benchwright.benchmarks.releases.rebuilt import COUNTED, REBUILT
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.schemas import LABELS


def beyond(release: Release, found: Verification) -> Iterator[str]:
    """What is not proved, a sentence each, given what was."""
    manifest = release.manifest
    private = manifest.holdout["private"] if manifest.holdout is not None and not is_private(manifest) else None
    rebuild = f"whoever has {private} verifies that with --rebuild" if private else "verify it with --rebuild"
    yield (
        f"that {manifest.name} {manifest.version} is the release that its publisher made, and not another that is "
        f"consistent: compare the content hash that they name with {manifest.content_hash}"
    )
    if not found.proved[REBUILT]:
        yield f"that its parameters, seed and builder are those it was made with: {rebuild}"
    if manifest.models or not found.proved[REBUILT]:
        yield from found.limits
    if found.told and not found.proved[COUNTED]:
        yield f"what its builder alone counted ({', '.join(sorted(found.told))}): {rebuild}"
    shipped = [source["uri"] for source in manifest.sources if source.get("rows_shipped", "none") != "none"]
    if shipped and not found.proved[REBUILT] and not found.proved[SOURCES]:
        is_database = bool(release.databases()) or "database" in manifest.parameters
        places = (name for name in ("documents", "source") if manifest.parameters.get(name))
        how = "--database" if is_database else f"--rebuild --set {next(places, 'source')}=…"
        yield f"that the shipped rows are those of {shipped[0]}: verify it with {how}"
    if LABELS.name in manifest.splits:
        yield "that people chose what its labels say: ask those who are named there"
    if manifest.models:
        yield f"that {manifest.models[0]['name']} wrote what it is said to have written"
    if private:
        yield f"the answers that are held out: whoever has {private} verifies them against what was published here"
