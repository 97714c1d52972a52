"""A release of offsets made whole by whoever has its documents: what `build-benchmark --from RELEASE --documents` does.

The builder reads the documents as it did when the release was made, one at a time; each text is compared with the
SHA-256 that the release tells, and waits in a file until its rows are written.
"""

import json
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from benchwright.benchmarks.catalogue import load_spec
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.hashing import file_sha256
from benchwright.benchmarks.releases.derive import derive
from benchwright.benchmarks.releases.offsets import CLAUSE, FILE, SHA256, is_of_offsets, text_facts
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import read_metadata
from benchwright.benchmarks.schemas import CORPUS
from benchwright.benchmarks.types import Document
from benchwright.builders.base import RenderCard, load_builder

_FILES, _SHOWN, _LONGEST = 50, 12, 100
"""Files that are named, clauses of each, and characters of a name."""


class OtherDocuments(BenchwrightError):
    """The documents that are given are not those that a release was made from."""

    def __init__(self, text: str, lines: Iterable[str]) -> None:
        """
        Args:
            text: what is wrong, in one line.
            lines: what is missing or different, a file each.
        """
        super().__init__(text)
        self.lines = tuple(lines)


def join(
    release: Release,
    folder: Path,
    root: Path,
    render_card: RenderCard,
    *,
    version: str | None = None,
    progress: Callable[[str, int, int], None] = lambda what, done, total: None,
) -> Release:
    """Makes ROOT/NAME/VERSION: a release of offsets with the texts of its documents.

    Args:
        release: the release of offsets.
        folder: where the documents lie.
        root: the folder of releases.
        render_card: makes the card.
        version: of the new one; None: the next minor version.
        progress: told how many documents are read.

    Raises:
        UsageError: the release has its texts, or its builder does not read documents.
        OtherDocuments: documents are missing, or are not those that the release was made from.
        BenchwrightError: the version is there with other content, or the release is not what its manifest says.
    """
    manifest = release.manifest
    name = f"{manifest.name} {manifest.version}"
    if not is_of_offsets(release):
        raise UsageError(f"{name} holds the texts of its documents: there is nothing to join; leave out --documents")
    read = getattr(load_builder(manifest.builder), "documents_of", None)
    if read is None:
        raise UsageError(f"the builder {manifest.builder} reads no documents: join texts of {name} with derive()")
    if not folder.exists():
        raise UsageError(f"{folder} is not there: name the folder of the documents that {name} was made from")
    spec, wanted = load_spec(manifest.builder), _wanted(release)
    with tempfile.TemporaryFile(prefix="benchwright-join-") as file:
        texts = _Texts(file)
        differs = _read(read(release, folder, progress), wanted, texts)
        lines = _told(release, folder, wanted, texts, differs)
        if lines:
            raise OtherDocuments(
                f"{len(wanted) - len(texts.places):,} of {len(wanted):,} documents of {name} are missing in {folder}, "
                "or differ: give the files that it was made from, in those versions; its manifest has their SHA-256",
                lines,
            )
        return derive(
            release,
            version or _next(manifest.version),
            {},
            root,
            render_card=lambda made, where: render_card(made, spec, where),
            texts=texts.read,
        )


def _next(version: str) -> str:
    major, minor, _ = version.split(".")
    return f"{major}.{int(minor) + 1}.0"


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A document of the release."""

    sha256: str
    file: str
    clause: str


@dataclass
class _Texts:
    """Documents that wait in a file."""

    file: IO[bytes]
    places: dict[str, int] = field(default_factory=dict)

    def keep(self, document: Document) -> None:
        self.places[document.id] = self.file.seek(0, 2)
        row = [document.title, document.text, dict(document.metadata)]
        self.file.write(json.dumps(row).encode() + b"\n")

    def read(self, name: str) -> Document | None:
        place = self.places.get(name)
        if place is None:
            return None
        self.file.seek(place)
        title, text, metadata = json.loads(self.file.readline())
        return Document(name, title, text, metadata)


def _wanted(release: Release) -> Mapping[str, _Wanted]:
    """Every document that has no text, by id, in stored order."""
    found: dict[str, _Wanted] = {}
    for split in release.manifest.splits.get(CORPUS.name, {}):
        for batch in release.batches(CORPUS.name, split):
            for name, title, text, metadata in zip(
                *(batch.column(each) for each in ("_id", "title", "text", "metadata")), strict=True
            ):
                if not text.is_valid:
                    told = read_metadata(metadata.as_py())
                    file, clause = (str(told.get(each) or title.as_py()) for each in (FILE, CLAUSE))
                    found[name.as_py()] = _Wanted(str(told.get(SHA256)), file, clause)
    return found


def _read(documents: Iterable[Document], wanted: Mapping[str, _Wanted], texts: _Texts) -> set[str]:
    """Keeps the documents that are wanted. Returns the ids of those that have other texts."""
    differs = set()
    for document in documents:
        known = wanted.get(document.id)
        if known is not None and document.id not in texts.places:
            if text_facts(document.body)[SHA256] == known.sha256:
                texts.keep(document)
            else:
                differs.add(document.id)
    return differs


def _told(release: Release, folder: Path, wanted: Mapping[str, _Wanted], found: _Texts, differs: set[str]) -> list[str]:
    """What is missing or different, a line a file."""
    of_file: dict[str, list[str]] = {}
    for name, each in wanted.items():
        of_file.setdefault(each.file, []).append(name)
    lines = []
    for file, names in sorted(of_file.items()):
        others = [name for name in names if name in differs]
        gone = [name for name in names if name not in differs and name not in found.places]
        if len(gone) == len(names):
            lines.append(f"{file:.{_LONGEST}}: it is not there or cannot be read ({len(names):,} documents)")
        elif others or gone:
            told = [("differs in", others), ("lacks", gone)]
            which = " and ".join(f"{how} {_clauses(wanted, which)}" for how, which in told if which)
            lines.append(f"{file:.{_LONGEST}}: {_why(release, folder, file)}, which {which}")
    return lines if len(lines) <= _FILES else [*lines[:_FILES], f"and {len(lines) - _FILES:,} more files"]


def _why(release: Release, folder: Path, file: str) -> str:
    """What a file is whose texts are others: another version of it, or the same one that is read otherwise."""
    hashes = {source.get("sha256") for source in release.manifest.sources if str(source["uri"]).endswith(file)}
    path = folder / file
    if path.is_file() and path.resolve().is_relative_to(folder.resolve()) and file_sha256(path) in hashes:
        manifest, here = release.manifest, load_builder(release.manifest.builder).VERSION
        return f"the same file, read by version {here} of {manifest.builder} and not by {manifest.builder_version}"
    return "another version of it"


def _clauses(wanted: Mapping[str, _Wanted], names: Iterable[str]) -> str:
    """The parts that documents are of, each once."""
    clauses = list(dict.fromkeys(wanted[name].clause for name in names))
    more = len(clauses) - _SHOWN
    shown = ", ".join(f"{clause:.{_LONGEST}}" for clause in clauses[:_SHOWN]) + (
        f" and {more:,} more" if more > 0 else ""
    )
    return f"{len(clauses):,} {'clause' if len(clauses) == 1 else 'clauses'} ({shown})"
