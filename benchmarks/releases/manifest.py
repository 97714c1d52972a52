"""What a release says of itself: `manifest.json`."""

import dataclasses
import functools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.hashing import file_sha256
from benchwright.benchmarks.releases.manifest_values import check_values
from benchwright.benchmarks.releases.plain_files import check_file
from benchwright.benchmarks.validation import in_one_line

FORMAT = 1
"""The newest format of a release that this program reads and the one that it writes."""
MANIFEST = "manifest.json"
CARD = "README.md"
MAX_BYTES = 4_000_000
"""A manifest of more bytes is neither written nor read."""
MAX_DEPTH = 30
"""Lists and objects within each other that a manifest may have."""
_AGAIN = "build or download the release again"
_TEXTS = ("SQL templates", "wordings", "questions", "documents")
"""Sorts of text in the order in which they are named; others come after them."""
_UNREAD = ("SQL templates",)
"""Sorts of text that no system reads."""


@dataclass(frozen=True)
class Manifest:
    """What a release says of itself. This file is the only place that reads or writes it."""

    name: str
    version: str
    builder: str
    builder_version: str
    parameters: Mapping[str, Any]
    seed: int | None
    """Null where it is secret."""
    sources: Sequence[Mapping[str, Any]]
    """Per source: uri (no credentials, no absolute path), revision, sha256, licence, and what of it is shipped."""
    canary: str
    rows: Mapping[str, int]
    """Config → rows, over all its splits."""
    splits: Mapping[str, Mapping[str, int]]
    """Config → split → rows, in stored order."""
    checks: Mapping[str, Any]
    """What the build proved and what it left out, with counts."""
    content_hash: str
    files: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Path → `sha256` and `bytes`, of every file but the manifest."""
    models: Sequence[Mapping[str, Any]] = ()
    holdout: Mapping[str, Any] | None = None
    """Of a public release with held-out questions: share, questions, groups, commitment (how it is computed), private
    (the name of the other half). Of the private one: share, public and public_content_hash (the other half), secret."""
    parent: Mapping[str, str] | None = None
    """Name, version and content_hash of the release that this one was derived from."""
    texts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Sort of text, such as `wordings` or `documents` → who wrote them → how many: `rule`; `model`; `given` (people or
    a program of theirs, in a file); `fallback` (a rule, since the model gave nothing that could be used)."""
    format: int = FORMAT

    __pydantic_config__ = ConfigDict(strict=True, extra="forbid")

    @property
    def built_in_texts(self) -> list[str]:
        """The sorts of text of which rules wrote all or some: such a benchmark is for trying things out."""
        by_rule = {sort for sort, who in self.texts.items() if who.get("rule", 0) + who.get("fallback", 0) > 0}
        return [sort for sort in in_order_of_texts(by_rule) if sort not in _UNREAD]

    def to_json(self) -> str:
        """The text of `manifest.json`."""
        return json.dumps(dataclasses.asdict(self), ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def in_order_of_texts(sorts: Iterable[str]) -> list[str]:
    """Sorts of text as they are named."""
    places = {sort: place for place, sort in enumerate(_TEXTS)}
    return sorted(sorts, key=lambda sort: (places.get(sort, len(places)), sort))


def is_private(manifest: Manifest) -> bool:
    """Whether a release is the private half: whoever has it has the held-out answers, and the secret."""
    return bool((manifest.holdout or {}).get("secret"))


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a release's folder, of which every field is what it must be; see `manifest_values`.

    Raises:
        BenchwrightError: there is none, it cannot be read, is not as it must be, or a newer program wrote it.
    """
    path = folder / MANIFEST
    try:
        text = _read_text(path, folder)
        data = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
        _check_depth(data)
    except FileNotFoundError:
        raise BenchwrightError(f"{folder} is not a release: it has no {MANIFEST}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise BenchwrightError(f"{path} cannot be read: {error}; {_AGAIN}") from None
    written = data.get("format") if isinstance(data, dict) else None
    if not isinstance(written, int) or isinstance(written, bool) or written < 1:
        raise BenchwrightError(f"{path} has no format number: it is not the manifest of a release")
    if written > FORMAT:
        raise BenchwrightError(
            f"{path} has format {written!s:.20}, this program reads up to {FORMAT}: install a newer benchwright"
        )
    missing = [name for name in _required() if name not in data]
    if missing:
        raise BenchwrightError(f"{path} lacks {', '.join(missing)}: {_AGAIN}")
    try:
        manifest = _adapter().validate_json(text)
        check_values(vars(manifest))
    except ValidationError as error:
        known = {"": [item.name for item in dataclasses.fields(Manifest)]}
        what = in_one_line(error, known)
        raise BenchwrightError(f"{path} is not as it must be: {what:.500}; {_AGAIN}") from None
    except BenchwrightError as error:
        raise BenchwrightError(f"{path} is not as it must be: {error}; {_AGAIN}") from None
    return manifest


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Writes the manifest of a release's folder.

    Raises:
        BenchwrightError: a field is not what it must be, so that nobody could read it.
    """
    try:
        check_values(vars(manifest))
    except BenchwrightError as error:
        raise BenchwrightError(f"the release cannot be written, for nobody could read it: {error}") from None
    text = manifest.to_json().encode()
    if len(text) > MAX_BYTES:
        raise BenchwrightError(f"{MANIFEST} would have {len(text):,} bytes, and {MAX_BYTES:,} at most are read")
    (folder / MANIFEST).write_bytes(text)


def _read_text(path: Path, folder: Path) -> str:
    check_file(path, folder)
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ValueError(f"it has more than {MAX_BYTES:,} bytes")
    return data.decode()


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of the file: a name that is there twice would be read one way here and another way elsewhere."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"it has {next(name for name in names if names.count(name) > 1)!r:.80} twice")
    return found


def _refuse_constant(text: str) -> None:
    raise ValueError(f"{text} is not JSON")


def _check_depth(data: Any) -> None:
    level = [data]
    for _ in range(MAX_DEPTH):
        level = [
            item
            for one in level
            if isinstance(one, dict | list)
            for item in (one.values() if isinstance(one, dict) else one)
        ]
        if not level:
            return
    raise ValueError(f"it is nested more than {MAX_DEPTH} deep")


def list_files(folder: Path, named: Mapping[str, Mapping[str, Any]] | None = None) -> dict[str, dict[str, Any]]:
    """Path → `sha256` and `bytes` of every file of a folder but the manifest and what is hidden, such as `.git`.

    Args:
        folder: of a release.
        named: what a manifest says of its files. One that it does not name, or with another size, is not read and has
            `bytes` alone: it may be a terabyte of holes.
    """
    found = {path.relative_to(folder): path for path in sorted(folder.rglob("*")) if path.is_file()}
    listed: dict[str, dict[str, Any]] = {}
    for name, path in found.items():
        if name == Path(MANIFEST) or any(part.startswith(".") for part in name.parts):
            continue
        size = path.stat().st_size
        is_read = named is None or named.get(name.as_posix(), {}).get("bytes") == size
        listed[name.as_posix()] = {**({"sha256": file_sha256(path)} if is_read else {}), "bytes": size}
    return listed


@functools.cache
def _adapter() -> TypeAdapter[Manifest]:
    return TypeAdapter(Manifest)


def _required() -> list[str]:
    return [
        item.name
        for item in dataclasses.fields(Manifest)
        if item.default is dataclasses.MISSING and item.default_factory is dataclasses.MISSING
    ]
