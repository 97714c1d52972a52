"""A release of offsets: everything of a release but its documents' texts, which others may not pass on.

Of a document it tells the SHA-256 and the length of its text. The contexts of the config `squad` are null, and its
column `document` names whose text they are; the config `triplet_documents` has ids of documents where `triplets` has
their texts. Its manifest holds the content hash of the release that all of this was taken from: whoever joins the texts
again gets that release, and can prove it.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.hashing import short_hash
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import read_metadata
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.schemas import CORPUS, QRELS, QUERIES, QUESTIONS, SQUAD, TRIPLET_DOCUMENTS, TRIPLETS
from benchwright.benchmarks.types import Document

PARAMETER, OFFSETS, WHOLE = "text", "offsets", "whole"
"""The parameter of a builder that makes releases of offsets, and its values."""
WHOLE_HASH = "whole_content_hash"
"""The check of a manifest that tells the content hash of the release with its texts."""
JOIN = "build-benchmark --from RELEASE --documents DIR"
"""What whoever has the documents of a release of offsets does."""
_SHIPPED, _ONCE_JOINED = "rows_shipped", "rows_shipped_with_texts"
"""What a source says of its rows, and what it will say of them once texts are joined."""
SHA256, LENGTH = "text_sha256", "text_length"
"""What the metadata of a document without text holds."""
FILE, CLAUSE = "file", "clause"
"""What it holds too where the builder tells it: which file the text is from, and which part of that it is."""
HOLD_TEXTS = frozenset({CORPUS.name, SQUAD.name, TRIPLETS.name, TRIPLET_DOCUMENTS.name})
"""The configs that hold documents' texts, or say whose texts belong there."""
_MAY_STAY = (QUESTIONS.name, QUERIES.name, QRELS.name)

Told = Callable[[Document], Document]
"""Makes a document's title and metadata what may be told without its text."""
Texts = Callable[[str], str | Document | None]
"""Given a document's id: its text, the whole document, or None where it is not there."""


def text_facts(text: str) -> dict[str, Any]:
    """What a release of offsets tells of a text: its SHA-256 in UTF-8, and its length in characters."""
    return {SHA256: hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(), LENGTH: len(text)}


def is_of_offsets(release: Release) -> bool:
    """Whether a release was made without its documents' texts, to be joined with them by whoever has them."""
    return WHOLE_HASH in release.manifest.checks


def without_texts(whole: Release, writer: ReleaseWriter, told: Told) -> None:
    """Writes a release's rows again, without the texts of its documents.

    Args:
        whole: the release with texts. It need not be sealed.
        writer: of the release of offsets.
        told: see `Told`.

    Raises:
        BenchwrightError: a config may hold texts that nobody would find again: a text of `squad` or `triplets` is no
            document, or there are other configs or templates.
    """
    unknown = {*(whole.manifest.splits.keys() - HOLD_TEXTS - {*_MAY_STAY}), *whole.templates()}
    if unknown:
        raise BenchwrightError(f"a release of offsets cannot have {min(unknown)}, which may hold documents' texts")
    writer.checks |= {**whole.manifest.checks, WHOLE_HASH: whole.manifest.content_hash}
    writer.texts |= {sort: dict(who) for sort, who in whole.manifest.texts.items()}
    writer.sources += map(_not_shipped, whole.manifest.sources)
    writer.models += whole.manifest.models
    writer.parameters |= whole.manifest.parameters
    writer.with_columns(*QUESTIONS.optional & set(whole.schema(QUESTIONS.name).names))
    for split in whole.manifest.splits.get(QUESTIONS.name, {}):
        for batch in whole.batches(QUESTIONS.name, split):
            writer.questions(batch, split)
    known = _Known()
    writer.documents(_bare(known, _documents(whole), told))
    for config, bare in ((SQUAD.name, known.squad), (TRIPLETS.name, known.triplet)):
        for split in whole.manifest.splits.get(config, {}):
            target = TRIPLET_DOCUMENTS.name if config == TRIPLETS.name else config
            writer.rows(target, (bare(row) for row in _rows(whole, config, split)), split)


def _bare(known: "_Known", documents: Iterable[Document], told: Told) -> Iterator[Document]:
    for document in documents:
        shown = told(document)
        known.take(document, shown.title)
        metadata = {**shown.metadata, **(text_facts(document.text) if document.text is not None else {})}
        yield replace(shown, text=None, metadata=metadata)


@dataclass
class _Known:
    """Which document has a text: of each only a hash is held."""

    _ids: dict[str, str] = field(default_factory=dict)
    _titles: dict[str, str] = field(default_factory=dict)
    """Of documents whose title is told otherwise: the id → how."""

    def take(self, document: Document, title: str) -> None:
        for key in (short_hash([document.body]), short_hash([document.title, document.body])):
            self._ids.setdefault(key, document.id)
        if title != document.title:
            self._titles[document.id] = title

    def squad(self, row: Mapping[str, Any]) -> dict[str, Any]:
        named = self._ids.get(short_hash([row["title"] or "", row["context"]]))
        document = named or self._find(row["context"], SQUAD.name)
        title = self._titles.get(document, row["title"]) if named else row["title"]
        return {**row, "title": title, "context": None, "document": document}

    def triplet(self, row: Mapping[str, Any]) -> dict[str, Any]:
        return {
            name: text if name == "anchor" or text is None else self._find(text, TRIPLETS.name)
            for name, text in row.items()
        }

    def _find(self, text: str, config: str) -> str:
        found = self._ids.get(short_hash([text]))
        if found is None:
            raise BenchwrightError(
                f"a text of the config {config} is no document of the corpus, so that it cannot be left out: "
                f"build it with --set {PARAMETER}={WHOLE}"
            )
        return found


@dataclass
class Joining:
    """The rows of a release of offsets with the texts that are given."""

    parent: Release
    texts: Texts
    missing: int = 0
    """Documents whose text was not given, once `documents` went by."""
    is_exact: bool = True
    """Whether every document was given as a whole, so that nothing of the release with texts is lacking."""
    _retold: dict[str, str] = field(default_factory=dict)
    """Of documents whose title was told otherwise: the id → how."""

    def write(self, writer: ReleaseWriter) -> None:
        """Writes the configs that hold texts."""
        writer.documents(self._joined())
        for split in self.parent.manifest.splits.get(SQUAD.name, {}):
            writer.rows(SQUAD.name, map(self._squad, _rows(self.parent, SQUAD.name, split)), split)
        for split in self.parent.manifest.splits.get(TRIPLET_DOCUMENTS.name, {}):
            rows = _rows(self.parent, TRIPLET_DOCUMENTS.name, split)
            if self.missing:
                writer.rows(TRIPLET_DOCUMENTS.name, rows, split)
            else:
                writer.rows(TRIPLETS.name, map(self._triplet, rows), split)
        for split in self.parent.manifest.splits.get(TRIPLETS.name, {}):
            writer.rows(TRIPLETS.name, _rows(self.parent, TRIPLETS.name, split), split)

    def _joined(self) -> Iterator[Document]:
        for document in _documents(self.parent):
            given = self.texts(document.id) if document.text is None else document.text
            if given is None:
                self.missing += 1
                yield document
                continue
            check_text(document, given if isinstance(given, str) else given.body)
            if isinstance(given, str):
                self.is_exact &= document.text is not None
                yield replace(document, text=given)
            else:
                if given.title != document.title:
                    self._retold[document.id] = document.title
                yield given

    def _squad(self, row: Mapping[str, Any]) -> dict[str, Any]:
        name = row.get("document")
        given = self.texts(name) if name is not None and row["context"] is None else None
        joined = dict(row)
        if given is not None:
            joined["context"] = given if isinstance(given, str) else given.body
        if isinstance(given, Document) and self._retold.get(given.id) == row["title"]:
            joined["title"] = given.title
        if not self.missing:
            joined.pop("document", None)
        return joined

    def _triplet(self, row: Mapping[str, Any]) -> dict[str, Any]:
        return {name: text if name == "anchor" or text is None else self._text(text) for name, text in row.items()}

    def _text(self, name: str) -> str | None:
        given = self.texts(name)
        return given.text if isinstance(given, Document) else given


def check_text(document: Document, text: str) -> None:
    """Compares a text with the one that a document of a release of offsets had.

    Raises:
        BenchwrightError: it is another.
    """
    found = text_facts(text)
    told = {name: document.metadata.get(name) for name in found}
    if document.text is None and found != told:
        raise BenchwrightError(
            f"the text given for the document {document.id} is not the one that the release was made from: it has "
            f"{found[LENGTH]:,} characters and SHA-256 {found[SHA256][:16]}…, and the release tells {told[LENGTH]} and "
            f"{str(told[SHA256])[:16]}…"
        )


def _not_shipped(source: Mapping[str, Any]) -> dict[str, Any]:
    """A source of whose rows nothing is shipped but short quotes."""
    shipped = source.get(_SHIPPED, "none")
    return dict(source) if shipped == "none" else {**source, _SHIPPED: "none", _ONCE_JOINED: shipped}


def shipped_again(source: Mapping[str, Any]) -> dict[str, Any]:
    """A source of a release of offsets, once texts of it are joined: such a release is published private again."""
    shipped = source.get(_ONCE_JOINED)
    others = {name: value for name, value in source.items() if name != _ONCE_JOINED}
    return others if shipped is None else {**others, _SHIPPED: shipped}


def _documents(release: Release) -> Iterator[Document]:
    for split in release.manifest.splits.get(CORPUS.name, {}):
        for row in _rows(release, CORPUS.name, split):
            yield Document(row["_id"], row["title"] or "", row["text"], read_metadata(row["metadata"]))


def _rows(release: Release, config: str, split: str) -> Iterator[dict[str, Any]]:
    for batch in release.batches(config, split):
        yield from _parts(batch)


def _parts(batch: pa.RecordBatch, size: int = 500) -> Iterator[dict[str, Any]]:
    for first in range(0, len(batch), size):
        yield from batch.slice(first, size).to_pylist()
