"""No id is there twice, in any config, and every config has as many rows as the manifest says."""

from array import array
from collections import Counter
from collections.abc import Iterator

import numpy as np

from benchwright.benchmarks.hashing import short_hash
from benchwright.benchmarks.releases.proofs.base import Material, Proof
from benchwright.benchmarks.releases.proofs.documents import check_count
from benchwright.benchmarks.schemas import DEFAULT_CONFIG, in_order


def check(material: Material) -> None:
    """Looks at the ids of every config but those that follow from `questions`."""
    for config in in_order({DEFAULT_CONFIG, "corpus", *material.release.manifest.splits} - {"queries", "qrels"}):
        _check(material, config)


def _check(material: Material, config: str) -> None:
    """Whether ids repeat, with eight bytes a row."""
    release, found = material.release, material.found
    schema = release.config(config)
    if schema.id is None:
        check_count(
            release, config, sum(1 for split in material.splits(config) for _ in material.rows(config, split)), found
        )
        return
    hashes = array("Q")
    for value in _ids(material, config, schema.id):
        hashes.append(int(short_hash([value]), 16))
    check_count(release, config, len(hashes), found)
    values, repeats = np.unique(np.frombuffer(hashes, dtype=np.uint64), return_counts=True) if hashes else ([], [])
    doubled = {int(value) for value, repeat in zip(values, repeats, strict=True) if repeat > 1}
    if not doubled:
        if config == DEFAULT_CONFIG:
            found.proved["unique ids"] += len(hashes)
        return
    what = "question" if config == DEFAULT_CONFIG else "document" if config == "corpus" else f"{config}:"
    suspects = [value for value in _ids(material, config, schema.id) if int(short_hash([value]), 16) in doubled]
    repeats = Counter(suspects)
    for value in suspects:
        if repeats[value] > 1:
            found.problem("id", f"{what} {value} is there more than once")


def _ids(material: Material, config: str, column: str) -> Iterator[str]:
    for split in material.splits(config):
        for row in material.rows(config, split, [column]):
            yield row[column] or ""


PROOF = Proof("ids", "no id is there twice", 90, whole=check, is_of_rows=True)
