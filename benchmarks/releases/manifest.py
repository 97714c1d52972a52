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
from benchwright.benchmarks.validation import in_one_line

FORMAT = 1
"""The newest format of a release that this program reads and the one that it writes."""
MANIFEST = "manifest.json"
CARD = "README.md"
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
    """The manifest of a release's folder.

    Raises:
        BenchwrightError: there is none, it cannot be read, or a newer program wrote it.
    """
    path = folder / MANIFEST
    try:
        text = path.read_text(encoding="utf-8")
        data = json.loads(text)
    except FileNotFoundError:
        raise BenchwrightError(f"{folder} is not a release: it has no {MANIFEST}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise BenchwrightError(f"{path} cannot be read: {error}; build or download the release again") from None
    written = data.get("format") if isinstance(data, dict) else None
    if not isinstance(written, int) or isinstance(written, bool) or written < 1:
        raise BenchwrightError(f"{path} has no format number: it is not the manifest of a release")
    if written > FORMAT:
        raise BenchwrightError(
            f"{path} has format {written}, this program reads up to {FORMAT}: install a newer benchwright"
        )
    missing = [name for name in _required() if name not in data]
    if missing:
        raise BenchwrightError(f"{path} lacks {', '.join(missing)}: build or download the release again")
    try:
        return _adapter().validate_json(text)
    except ValidationError as error:
        known = {"": [item.name for item in dataclasses.fields(Manifest)]}
        what = in_one_line(error, known)
        raise BenchwrightError(f"{path} is not as it must be: {what}; build or download the release again") from None


def list_files(folder: Path) -> dict[str, dict[str, Any]]:
    """Path → `sha256` and `bytes` of every file of a folder but the manifest and what is hidden, such as `.git`."""
    found = {path.relative_to(folder): path for path in sorted(folder.rglob("*")) if path.is_file()}
    return {
        name.as_posix(): {"sha256": file_sha256(path), "bytes": path.stat().st_size}
        for name, path in found.items()
        if name != Path(MANIFEST) and not any(part.startswith(".") for part in name.parts)
    }


@functools.cache
def _adapter() -> TypeAdapter[Manifest]:
    return TypeAdapter(Manifest)


def _required() -> list[str]:
    return [
        item.name
        for item in dataclasses.fields(Manifest)
        if item.default is dataclasses.MISSING and item.default_factory is dataclasses.MISSING
    ]
