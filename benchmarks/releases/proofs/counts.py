"""The counts of the manifest are those of the rows, the files of templates and the documents."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.benchmarks.catalogue import BUILDERS, Spec, load_spec
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.registry import find, names
from benchwright.benchmarks.releases.manifest import MANIFEST, is_private
from benchwright.benchmarks.releases.proofs.base import Material, Proof
from benchwright.benchmarks.releases.readable_figures import CHECK as READ
from benchwright.benchmarks.releases.recount import (
    COUNTERS,
    QUESTION_COLUMNS,
    Half,
    OtherCounts,
    QuestionCounts,
    counted_again,
)
from benchwright.benchmarks.releases.release import HELDOUT
from benchwright.benchmarks.releases.rows import read_metadata
from benchwright.benchmarks.schemas import DEFAULT_CONFIG

_WHAT = "counts of the manifest"


def check(material: Material) -> None:
    """Compares rows and splits, then what the builder's spec says how to count."""
    _check_splits(material)
    manifest, found = material.release.manifest, material.found
    claimed = len(manifest.checks.keys() - {READ}) + len(manifest.texts)
    spec, reason = _spec(manifest.builder, manifest.builder_version)
    if spec is None:
        if claimed:
            found.leave(_WHAT, claimed, reason)
        return
    half = _count(material)
    for name, value in manifest.checks.items():
        again = counted_again(name, value, spec.checks, half)
        if is_private(manifest) and _counts_rows(spec.checks.get(name, {}).get("counter")):
            again = again if spec.checks[name].get("public") == "counted" else None
        if (again is None or "counters" in spec.checks[name]) and name not in found.counted:
            found.told.add(name)
        _compare(material, f"checks.{name}", value, again)
    for sort, who in manifest.texts.items():
        if sort in spec.texts and not (is_private(manifest) and _counts_rows(spec.texts[sort])):
            total = COUNTERS[spec.texts[sort]](half, None) if spec.texts[sort] in COUNTERS else None
            _compare(material, f"texts.{sort}, together,", sum(who.values()), total)


def _counts_rows(counter: object) -> bool:
    """Whether a counter counts questions: a private half says of how many the whole build was, unless counted anew."""
    return isinstance(counter, str) and counter.startswith(("questions", "groups"))


def _compare(material: Material, name: str, claimed: Any, again: Any) -> None:
    if again is None:
        return
    if json.dumps(claimed, sort_keys=True) == json.dumps(again, sort_keys=True):
        material.found.proved[_WHAT] += 1
    else:
        material.found.problem(
            "count",
            f"{MANIFEST} says that {name} is {_shown(claimed, again)}, and counted it is {_shown(again, claimed)}",
        )


def _shown(value: Any, other: Any) -> str:
    """A value, of one with entries those that the other has not the same."""
    if isinstance(value, Mapping) and isinstance(other, Mapping):
        value = {key: item for key, item in value.items() if key not in other or other[key] != item}
    return f"{value!r:.120}"


def _check_splits(material: Material) -> None:
    """Whether splits and configs have the rows that the manifest says, and no others are there."""
    release, found = material.release, material.found
    manifest = release.manifest
    for config, splits in manifest.splits.items():
        for split, claimed in splits.items():
            rows = sum(map(_rows, release.shards(config, split)))
            if rows == claimed:
                found.proved["splits"] += 1
            else:
                found.problem("rows", f"{config} has {rows} rows of the split {split}, {MANIFEST} says {claimed}")
    for config, claimed in manifest.rows.items():
        rows = sum(manifest.splits.get(config, {}).values())
        if rows != claimed:
            found.problem("rows", f"{MANIFEST} says that {config} has {claimed} rows, and its splits have {rows}")
    known = {
        path.relative_to(release.folder).as_posix()
        for config, splits in manifest.splits.items()
        for split in splits
        for path in release.shards(config, split)
    }
    for path in manifest.files:
        if path.endswith(".parquet") and path not in known:
            found.problem("file", f"{path} holds rows of no config and split that {MANIFEST} names")


def _rows(path: Path) -> int:
    """The rows of a file, as its footer has it: other proofs read each of them."""
    try:
        return pq.read_metadata(path).num_rows
    except (pa.ArrowException, OSError) as error:
        raise BenchwrightError(f"{path} cannot be read: {error!s:.200}") from None


def _spec(builder: str, version: str) -> tuple[Spec | None, str]:
    """The spec that says how the counts of a builder's release are counted, or why there is none that does."""
    if builder not in names(BUILDERS):
        return None, f"the builder {builder} is not installed: install the package that it comes from"
    try:
        installed = find(BUILDERS, builder).VERSION
        spec = load_spec(builder)
    except BenchwrightError as error:  # it is there and does not load
        return None, str(error)
    if installed != version:
        return None, f"version {version} of the builder {builder} counted them, and {installed} is installed"
    return spec, ""


def _count(material: Material) -> Half:
    release = material.release
    everything, gold = QuestionCounts(), QuestionCounts()
    for split in material.splits(DEFAULT_CONFIG):
        for batch in release.batches(DEFAULT_CONFIG, split, QUESTION_COLUMNS):
            everything.add(batch, split)
            if split != HELDOUT:
                gold.add(batch, split)
    return Half(everything, gold, _others(material))


def _others(material: Material) -> OtherCounts:
    found = OtherCounts()
    for content in material.release.templates().values():
        for key, value in content.items():
            if not isinstance(value, Mapping):
                continue
            count = sum(len(texts) for texts in value.values() if isinstance(texts, list))
            if key == "sql_templates":
                found.sql_templates += count
            elif key.startswith("text_templates_"):
                found.wordings[key.removeprefix("text_templates_")] += count
    for row in material.rows("corpus", "corpus", ["metadata"]):
        found.documents += 1
        found.documents_per_subset[str(read_metadata(row["metadata"]).get("subset", ""))] += 1
    return found


PROOF = Proof("counts", "the counts of the manifest are those of its rows and files", 96, whole=check)
