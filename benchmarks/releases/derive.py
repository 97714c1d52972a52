"""The next version of a release with something added, such as labels that people gave or texts that were joined."""

import hashlib
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.naming import check_version, version_key
from benchwright.benchmarks.releases.configs import find_config
from benchwright.benchmarks.releases.manifest import CARD, Manifest, list_files
from benchwright.benchmarks.releases.readable_figures import CHECK, FILE
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import read_metadata
from benchwright.benchmarks.releases.staging import publish, staging
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.schemas import CORPUS, QUESTIONS
from benchwright.benchmarks.types import Document

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
    texts: Callable[[str], str | None] | None = None,
) -> Release:
    """Makes ROOT/NAME/VERSION: the parent's rows, byte for byte, and what is added. Its manifest names the parent.

    Every file of the parent is compared with its manifest, and the content hash is computed anew over all rows, so that
    nothing is taken on trust. The version goes to its place in one step, or not at all.

    Args:
        parent: the release that something is added to.
        version: the new version, higher than the parent's.
        add: config → split → rows, of configs that the parent has not.
        root: the folder of releases.
        render_card: makes the card.
        texts: of a release of offsets, given a document's id: its text, or None where it is not there.

    Raises:
        BenchwrightError: the version is not higher, a config is there already or is not known, rows name what is not
            there, a text is not the one that the release tells the hash of, or the parent is not what its manifest
            says.
    """
    manifest = parent.manifest
    _check(parent, version, add, texts is not None)
    with staging(root, manifest.name, version) as folder:
        known = [find_config(name, manifest.builder) for name in add]
        writer = ReleaseWriter(folder, [config for config in known if config is not None], manifest.canary)
        try:
            _copy(parent, folder, without_corpus=texts is not None)
            _take_in(parent, writer, texts)
            for config, splits in add.items():
                for split, rows in splits.items():
                    writer.rows(config, rows, split)
        except BaseException:
            writer.abandon()
            raise
        made = writer.finish(**_facts(manifest, version))
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


def _copy(parent: Release, folder: Path, *, without_corpus: bool) -> None:
    """Copies the parent's files but the card, once each is what the manifest says."""
    there = list_files(parent.folder, parent.manifest.files)
    claimed = {path: dict(facts) for path, facts in parent.manifest.files.items()}
    if there != claimed:
        wrong = min(path for path in there.keys() | claimed.keys() if there.get(path) != claimed.get(path))
        raise BenchwrightError(f"{parent.folder / wrong} is not what the manifest says: prove it with verify-benchmark")
    for path in there:
        if path != CARD and not (without_corpus and (path == FILE or path.startswith(f"{CORPUS.name}/"))):
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(parent.folder / path, target)


def _take_in(parent: Release, writer: ReleaseWriter, texts: Callable[[str], str | None] | None) -> None:
    manifest = parent.manifest
    writer.checks, writer.texts = dict(manifest.checks), {sort: dict(who) for sort, who in manifest.texts.items()}
    if texts is not None:
        writer.checks.pop(CHECK, None)  # of documents that had no text
    writer.sources, writer.models = list(manifest.sources), list(manifest.models)
    writer.with_columns(*QUESTIONS.optional & set(parent.schema(QUESTIONS.name).names))
    for config in manifest.splits:
        if texts is None or config != CORPUS.name:
            writer.inherit(parent, config)
    writer.inherit_templates(parent)
    if texts is not None:
        writer.documents(_joined(parent, texts))


def _joined(parent: Release, texts: Callable[[str], str | None]) -> Iterator[Document]:
    """The documents with the texts that are given."""
    for split in parent.manifest.splits.get(CORPUS.name, {}):
        for batch in parent.batches(CORPUS.name, split):
            for row in batch.to_pylist():
                metadata = read_metadata(row["metadata"])
                document = Document(row["_id"], row["title"] or "", row["text"], metadata)
                text = texts(document.id) if document.text is None else None
                yield document if text is None else replace(document, text=_same(document, text))


def _same(document: Document, text: str) -> str:
    """A text, if it is the one that the release was made from."""
    told = document.metadata.get("text_sha256"), document.metadata.get("text_length")
    found = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(), len(text)
    if found != told:
        raise BenchwrightError(
            f"the text given for the document {document.id} is not the one that the release was made from: it has "
            f"{found[1]:,} characters and SHA-256 {found[0][:16]}…, and the release tells {told[1]} and "
            f"{str(told[0])[:16]}…"
        )
    return text
