"""A release that was derived from another, without what was added: the rows of its parent."""

from collections.abc import Collection
from dataclasses import replace
from itertools import chain, combinations

from benchwright.benchmarks.hashing import ContentHash
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.schemas import BASIC


def added_configs(release: Release, content: ContentHash) -> Collection[str] | None:
    """The configs without which a release has the content hash that it names as its parent's; None: there are none.

    Args:
        release: names its parent.
        content: what its content hash is of.
    """
    manifest = release.manifest
    wanted = (manifest.parent or {}).get("content_hash")
    others = [config for config in manifest.splits if config not in BASIC]
    ways = chain.from_iterable(combinations(others, size) for size in range(1, len(others) + 1))
    return next((way for way in ways if content.hexdigest(without=way) == wanted), None)


def without_configs(release: Release, configs: Collection[str]) -> Release:
    """A release as it was before some configs were added: in the same folder, with the manifest of its parent."""
    manifest = release.manifest
    parent = manifest.parent or {}
    before = replace(
        manifest,
        version=str(parent.get("version")),
        content_hash=str(parent.get("content_hash")),
        parent=None,
        rows={config: number for config, number in manifest.rows.items() if config not in configs},
        splits={config: splits for config, splits in manifest.splits.items() if config not in configs},
        files={path: facts for path, facts in manifest.files.items() if path.partition("/")[0] not in configs},
    )
    return Release(release.folder, before)
