"""A private half and its public half are of one build: documents, templates, held-out questions and manifests agree."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from benchwright.benchmarks.releases.commitments import PUBLIC_COLUMNS
from benchwright.benchmarks.releases.manifest import is_private
from benchwright.benchmarks.releases.proofs.base import Material, Proof
from benchwright.benchmarks.releases.release import HELDOUT, TEST, Release

_SAME = ("version", "builder", "builder_version", "parameters", "models")


def check(material: Material) -> None:
    """Compares both; nothing where the release is no private half, or its public half is not there."""
    public, found = material.public, material.found
    if public is None or not is_private(material.release.manifest):
        return
    problems = list(_problems(material.release, public))
    for text in problems:
        found.problem("half", text)
    if not problems:
        found.proved["public halves of the same build"] += 1


def _problems(private: Release, public: Release) -> Iterator[str]:
    mine, other = private.manifest, public.manifest
    section, shown = mine.holdout or {}, other.holdout or {}
    if section["public_content_hash"] != other.content_hash:
        yield f"{other.name} has another content hash than {mine.name} names"
    for name in _SAME:
        if getattr(mine, name) != getattr(other, name):
            yield f"{other.name} and {mine.name} have other {name} in their manifests"
    if section["share"] != shown["share"]:
        yield f"{other.name} and {mine.name} name another share that is held out"
    if private.templates() != public.templates():
        yield f"{other.name} has other templates than {mine.name}"
    for name, config, splits, columns in (
        ("documents", "corpus", ("corpus", "corpus"), None),
        ("held-out questions", "questions", (TEST, HELDOUT), sorted(PUBLIC_COLUMNS)),
    ):
        pairs = zip_longest(
            _rows(private, config, splits[0], columns), _rows(public, config, splits[1], columns), fillvalue=None
        )
        number = next((number for number, (one, two) in enumerate(pairs, start=1) if one != two), None)
        if number is not None:
            yield f"{other.name} has other {name} than {mine.name}: row {number} is the first"


def _rows(release: Release, config: str, split: str, columns: Sequence[str] | None) -> Iterator[dict[str, Any]]:
    if split in release.manifest.splits.get(config, {}):
        for batch in release.batches(config, split, columns):
            yield from batch.to_pylist()


PROOF = Proof("halves", "a private half and its public half are of one build", 101, whole=check)
