"""Proving the two halves of a release with held-out questions: nothing leaks, and no answer was changed."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.commitments import COMMITTED, commitment
from benchwright.benchmarks.releases.holdout import SHOWN, is_private, is_seed
from benchwright.benchmarks.releases.manifest import MANIFEST
from benchwright.benchmarks.releases.release import HELDOUT, TEST, Release

_COMMITMENT = re.compile(r'\{"commitment":"[0-9a-f]{64}"\}')


def leaks(release: Release) -> Iterator[str]:
    """What a public release with held-out questions holds, and must not hold; nothing for any other release."""
    manifest = release.manifest
    if manifest.holdout is None or is_private(manifest):
        return
    seeds = {"seed": manifest.seed, **{name: value for name, value in manifest.parameters.items() if is_seed(name)}}
    for name, value in seeds.items():
        if value is not None:
            yield f"{MANIFEST} tells the {name}, from which the held-out answers can be made again"
    for path in release.databases():
        yield f"database/{path.name} answers the held-out questions"
    if manifest.splits.get("qrels", {}).get(HELDOUT):
        yield f"there are qrels of the split {HELDOUT}"


def row_leak(row: Mapping[str, Any]) -> str | None:
    """What a held-out question of a public release tells, or lacks; None where it is as it must be."""
    told = [name for name, value in row.items() if name not in SHOWN and name != "metadata" and value not in (None, [])]
    if told:
        return f"it is held out, and its {', '.join(told)} can be read"
    if not _COMMITMENT.fullmatch(row["metadata"] or ""):
        return "it is held out, and its metadata is not a commitment alone"
    return None


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
