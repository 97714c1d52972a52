"""The next version of a release with something added, such as labels that people gave or texts that were joined."""

import shutil
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.naming import check_version, version_key
from benchwright.benchmarks.releases.configs import find_config
from benchwright.benchmarks.releases.manifest import CARD, Manifest, list_files
from benchwright.benchmarks.releases.offsets import (
    HOLD_TEXTS,
    PARAMETER,
    WHOLE,
    WHOLE_HASH,
    Joining,
    Texts,
    shipped_again,
)
from benchwright.benchmarks.releases.readable_figures import CHECK, FILE
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.staging import publish, staging
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.schemas import QUESTIONS

Rows = Iterable[Mapping[str, Any]] | pa.RecordBatch
RenderCard = Callable[[Manifest, Path], str]
"""Makes the card from the manifest and the folder."""


def derive(
    parent: Release,
    version: str,
    add: Mapping[str, Mapping[str, Rows]],
    root: Path,
    *,
    render_card: RenderCard,
    texts: Texts | None = None,
) -> Release:
    """Makes ROOT/NAME/VERSION: the parent's rows, byte for byte, and what is added. Its manifest names the parent.

    Of a release of offsets with all of its documents, each given as a whole, the content hash is that of the release
    which it was taken from; see `offsets.py`. Where that is there already, it stays.

    Every file of the parent is compared with its manifest, and the content hash is computed anew over all rows, so that
    nothing is taken on trust. The version goes to its place in one step, or not at all.

    Args:
        parent: the release that something is added to.
        version: the new version, higher than the parent's.
        add: config → split → rows, of configs that the parent has not.
        root: the folder of releases.
        render_card: makes the card.
        texts: of a release of offsets, given a document's id: its text or the whole document, or None where it is not
            there. It is asked more than once for the same.

    Raises:
        BenchwrightError: the version is not higher, a config is there already or is not known, rows name what is not
            there, a text is not the one that the release tells the hash of, the whole is not what the release was
            taken from, or the parent is not what its manifest says.
    """
    manifest = parent.manifest
    _check(parent, version, add, texts is not None)
    joining = None if texts is None else Joining(parent, texts)
    with staging(root, manifest.name, version) as folder:
        known = [find_config(name, manifest.builder) for name in add]
        writer = ReleaseWriter(folder, [config for config in known if config is not None], manifest.canary)
        try:
            without = () if joining is None else HOLD_TEXTS
            _copy(parent, folder, without)
            _take_in(parent, writer, without)
            if joining is not None:
                _join(joining, writer)
            for config, splits in add.items():
                for split, rows in splits.items():
                    writer.rows(config, rows, split)
        except BaseException:
            writer.abandon()
            raise
        made = writer.finish(**_facts(manifest, version))
        if joining is not None and joining.is_exact and not joining.missing and not add:
            _check_whole(manifest, made)
        writer.seal(made, render_card(made, folder))
        target = root / manifest.name / version
        publish((folder, target))
    return Release.load(target)


def _check(parent: Release, version: str, add: Mapping[str, Mapping[str, Rows]], has_texts: bool) -> None:
    manifest = parent.manifest
    name = f"{manifest.name} {manifest.version}"
    if version_key(check_version(version)) <= version_key(manifest.version):
        raise BenchwrightError(f"{version} does not come after {name}: choose a higher version")
    if not add and not has_texts:
        raise BenchwrightError(f"nothing is added to {name}: a new version would be the same")
    for config in add:
        if config in manifest.splits:
            raise BenchwrightError(f"{name} holds the config {config} already: a version only adds to its parent")


def _facts(manifest: Manifest, version: str) -> dict[str, Any]:
    """What the new manifest takes over, and where it comes from."""
    parent = {"name": manifest.name, "version": manifest.version, "content_hash": manifest.content_hash}
    same = ("name", "builder", "builder_version", "parameters", "seed", "canary", "holdout")
    return {**{name: getattr(manifest, name) for name in same}, "version": version, "parent": parent}


def _copy(parent: Release, folder: Path, without: Collection[str]) -> None:
    """Copies the parent's files but the card and those of some configs, once each is what the manifest says."""
    there = list_files(parent.folder, parent.manifest.files)
    claimed = {path: dict(facts) for path, facts in parent.manifest.files.items()}
    if there != claimed:
        wrong = min(path for path in there.keys() | claimed.keys() if there.get(path) != claimed.get(path))
        raise BenchwrightError(f"{parent.folder / wrong} is not what the manifest says: prove it with verify-benchmark")
    for path in there:
        if path != CARD and not (without and (path == FILE or path.partition("/")[0] in without)):
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(parent.folder / path, target)


def _take_in(parent: Release, writer: ReleaseWriter, without: Collection[str]) -> None:
    manifest = parent.manifest
    writer.checks, writer.texts = dict(manifest.checks), {sort: dict(who) for sort, who in manifest.texts.items()}
    writer.sources, writer.models = list(manifest.sources), list(manifest.models)
    writer.with_columns(*QUESTIONS.optional & set(parent.schema(QUESTIONS.name).names))
    for config in manifest.splits:
        if config not in without:
            writer.inherit(parent, config)
    writer.inherit_templates(parent)


def _join(joining: Joining, writer: ReleaseWriter) -> None:
    writer.checks.pop(CHECK, None)  # of documents that had no text
    writer.sources = [shipped_again(source) for source in writer.sources]
    joining.write(writer)
    if not joining.missing:
        writer.checks.pop(WHOLE_HASH, None)
        if PARAMETER in joining.parent.manifest.parameters:
            writer.parameters[PARAMETER] = WHOLE


def _check_whole(parent: Manifest, made: Manifest) -> None:
    """Raises BenchwrightError where the release is not the one that its parent's rows were taken from."""
    told = parent.checks.get(WHOLE_HASH)
    if told is not None and told != made.content_hash:
        raise BenchwrightError(
            f"with its texts {parent.name} {parent.version} has the content hash {made.content_hash[:16]}…, and it was "
            f"taken from a release that has {str(told)[:16]}…: its rows were changed, or version "
            f"{parent.builder_version} of its builder made other titles; prove it with verify-benchmark --rebuild"
        )
