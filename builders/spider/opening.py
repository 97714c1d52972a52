"""The database that a build reads and a proof asks: a copy, with fictitious names where names are closed."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchwright.benchmarks.grounding.database import open_database
from benchwright.benchmarks.hashing import file_sha256
from benchwright.benchmarks.releases.manifest import Manifest
from benchwright.builders.spider.closed import close_names
from benchwright.builders.spider.fictitious import Closed
from benchwright.builders.spider.source import copy_with_keys, find_database, write_own
from benchwright.builders.sql.reflection import reflect

OWN = "companies"
_MOST_TOLD = 10

log = logging.getLogger("benchwright")


@dataclass(frozen=True)
class Source:
    """The copy that is read, and what the manifest says of the original."""

    name: str
    path: Path
    record: Mapping[str, Any]
    guessed: Sequence[str] = ()


def open_source(place: str, folder: Path, licence: str) -> Source:
    """Copies the database of a path, or writes our own.

    Args:
        place: as `find_database` takes it; nothing: our own.
        folder: where the copy goes.
        licence: of the database that is given.

    Raises:
        UsageError: there is none, or there are several.
        BenchwrightError: it cannot be read.
    """
    path = folder / "copy.sqlite"
    if not place:
        write_own(path)
        return Source(OWN, path, {"uri": f"sqlite:///{OWN}.sqlite", "revision": None, "sha256": None,
                                   "licence": "cc-by-4.0"})  # fmt: skip
    original = find_database(place)
    copied = copy_with_keys(original, path)
    if copied.guessed:
        more = f" and {len(copied.guessed) - _MOST_TOLD} more" if len(copied.guessed) > _MOST_TOLD else ""
        log.warning(
            "keys that %s does not declare are taken from names and values: %s%s",
            original.name,
            ", ".join(copied.guessed[:_MOST_TOLD]),
            more,
        )
    if copied.other_encoding:
        log.warning("%d texts of %s are not UTF-8 and are read as Latin-1", copied.other_encoding, original.name)
    record = {"uri": f"sqlite:///{original.name}", "revision": None, "sha256": file_sha256(original),
              "licence": licence or None}  # fmt: skip
    return Source(original.stem, path, record, copied.guessed)


def close_copy(path: Path, seed: int) -> Closed:
    """Replaces the names in a copy."""
    with open_database(f"sqlite:///{path}") as database:
        schema = reflect(database)
    return close_names(path, schema, seed)


def as_asked(manifest: Manifest, original: Path, folder: Path) -> Path | None:
    """The copy that a release was asked of, made again from the original; None where its names stayed as they are, or
    the file that is given is not, byte for byte, the original.

    Args:
        manifest: of the release.
        original: the database that is given.
        folder: where the copy goes.

    Raises:
        BenchwrightError: the database cannot be read.
    """
    is_closed = manifest.parameters.get("names") == "closed"
    if not is_closed or file_sha256(original) not in [source.get("sha256") for source in manifest.sources]:
        return None
    path = folder / "copy.sqlite"
    copy_with_keys(original, path)
    close_copy(path, manifest.seed or 0)
    return path
