"""What a release says of texts that it does not hold, or holds beside their hashes, goes together."""

import re

from benchwright.benchmarks.releases.offsets import JOIN, LENGTH, SHA256, is_of_offsets, text_facts
from benchwright.benchmarks.releases.proofs.base import Material, Proof
from benchwright.benchmarks.releases.rows import read_metadata
from benchwright.benchmarks.schemas import CORPUS, SQUAD, TRIPLET_DOCUMENTS, TRIPLETS

_SHA256 = re.compile(r"[0-9a-f]{64}")
_NOT_HERE = f"not in this release: whoever has the documents joins them with {JOIN}"


def check(material: Material) -> None:
    """Looks at each document that has no text or tells a hash of it, and at the rows that name such documents."""
    if CORPUS.name not in material.release.manifest.splits:
        return
    found, lengths = material.found, {}
    says_none = _says_none(material)
    for row in material.rows(CORPUS.name, CORPUS.name):
        name, told = row["_id"], read_metadata(row["metadata"])
        if row["text"] is None:
            lengths[name] = told.get(LENGTH)
            if not _SHA256.fullmatch(str(told.get(SHA256))) or not _is_length(told.get(LENGTH)):
                found.problem("text", f"the document {name} has no text, nor the SHA-256 and the length of one")
            else:
                found.leave("texts of documents", 1, _NOT_HERE)
            continue
        if says_none:
            found.problem("text", f"the document {name} has a text, and the release is said to hold none")
        if SHA256 in told:
            facts = {name: told[name] for name in (SHA256, LENGTH) if name in told}
            if facts.items() <= text_facts(row["text"]).items():
                found.proved["texts of documents"] += 1
            else:
                found.problem("text", f"the text of the document {name} is not the one whose SHA-256 it tells")
    if lengths or is_of_offsets(material.release):
        _check_squad(material, lengths, says_none)
        _check_triplets(material)
    if says_none and TRIPLETS.name in material.release.manifest.splits:
        found.problem("text", "it has the config triplets, and is said to hold no texts of documents")


def _says_none(material: Material) -> bool:
    """Whether it was built without any text. One that was joined with some of them says so by its parent."""
    manifest = material.release.manifest
    return is_of_offsets(material.release) and manifest.parent is None


def _check_squad(material: Material, lengths: dict[str, object], says_none: bool) -> None:
    for split in material.splits(SQUAD.name):
        for row in material.rows(SQUAD.name, split):
            if row["context"] is not None:
                if says_none:
                    text = f"squad row {row['id']} has a context, and the release is said to hold no texts"
                    material.found.problem("text", text)
                continue
            name, length = row.get("document"), lengths.get(row.get("document") or "")
            if length is None:
                text = f"squad row {row['id']} has no context and names {name}, which is no document without text"
                material.found.problem("text", text)
                continue
            answers = row["answers"] or {}
            for text, start in zip(answers.get("text") or (), answers.get("answer_start") or (), strict=False):
                if not (isinstance(length, int) and 0 <= start <= start + len(text) <= length):
                    outside = f"squad row {row['id']} has an answer at {start}, outside of its context"
                    material.found.problem("text", outside)


def _check_triplets(material: Material) -> None:
    known = {row["_id"] for row in material.rows(CORPUS.name, CORPUS.name, ["_id"])}
    for split in material.splits(TRIPLET_DOCUMENTS.name):
        for row in material.rows(TRIPLET_DOCUMENTS.name, split):
            for column, name in row.items():
                if column != "anchor" and name is not None and name not in known:
                    text = f"triplet_documents names {name} as its {column}, which is not in the corpus"
                    material.found.problem("text", text)


def _is_length(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


PROOF = Proof("offsets", "of a text that is not here, its hash and length are told", 42, whole=check, is_of_rows=True)
