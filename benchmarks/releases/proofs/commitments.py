"""Every held-out answer of a private release is the one that its public half is committed to."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.commitments import COMMITTED, commitment
from benchwright.benchmarks.releases.manifest import MANIFEST, is_private
from benchwright.benchmarks.releases.proofs.base import Material, Proof
from benchwright.benchmarks.releases.release import HELDOUT, TEST, Release

_NO_PUBLIC = "the public release is not there: name it with --public RELEASE"


def public_half(private: Release, given: Release | None) -> Release | None:
    """The public release of a private one: the one that is given, else its neighbour ROOT/NAME/VERSION where there is.

    Raises:
        BenchwrightError: the one that is given is not its public half.
    """
    mine = private.manifest
    if not is_private(mine):
        if given is not None:
            raise BenchwrightError(f"{private.folder} is not the private half of a release: leave out --public")
        return None
    found = given or _neighbour(private.folder.resolve(), (mine.holdout or {})["public"])
    if found is None:
        return None
    other = found.manifest
    if (other.holdout or {}).get("private") == mine.name and other.version == mine.version:
        return found
    if given is None:
        return None
    raise BenchwrightError(
        f"{found.folder} is not the public half of {mine.name} {mine.version}: name another --public"
    )


def commitment_problems(private: Release, public: Release) -> Iterator[str | None]:
    """For each question that is in one of the halves: what is wrong with its commitment, or None."""
    committed = {
        row["id"]: (row["question"], json.loads(row["metadata"] or "{}").get("commitment"))
        for batch in public.batches("questions", HELDOUT, ["id", "question", "metadata"])
        for row in batch.to_pylist()
    }
    for batch in private.batches("questions", TEST, [*COMMITTED, "question", "metadata"]):
        for row in batch.to_pylist():
            yield _commitment_problem(row, committed.pop(row["id"], None))
    for name in committed:
        yield f"question {name}: the public release holds it out, and it is not in the private one"


def _commitment_problem(row: Mapping[str, Any], public: tuple[str, str] | None) -> str | None:
    name = f"question {row['id']}"
    if public is None:
        return f"{name}: the public release does not hold it out"
    try:
        salt = bytes.fromhex(json.loads(row["metadata"] or "{}")["salt"])
    except (ValueError, TypeError, KeyError):
        return f"{name}: its metadata has no salt"
    if row["question"] != public[0]:
        return f"{name}: its wording is not that of the public release"
    if len(salt) != 32 or commitment(row, salt) != public[1]:
        return f"{name}: its answer is not the one that the public release is committed to"
    return None


def _neighbour(folder: Path, name: str) -> Release | None:
    place = folder.parent.parent / name / folder.name
    return Release.load(place) if (place / MANIFEST).is_file() else None


def check(material: Material) -> None:
    """Computes every commitment again; nothing where the release is not a private half."""
    release, found = material.release, material.found
    if not is_private(release.manifest):
        return
    if material.public is None:
        found.leave("commitments", release.manifest.splits["questions"][TEST], _NO_PUBLIC)
        return
    for text in commitment_problems(release, material.public):
        if text is None:
            found.proved["commitments"] += 1
        else:
            found.problem("commitment", text)


PROOF = Proof("commitments", "every held-out answer is the one that was committed to", 100, whole=check)
