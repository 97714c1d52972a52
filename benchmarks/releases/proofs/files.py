"""The bytes of every file are those that the manifest names, and there is no other file, hidden or not."""

import re
from collections.abc import Iterator
from pathlib import Path

from benchwright.benchmarks.releases.manifest import MANIFEST, list_files
from benchwright.benchmarks.releases.proofs.base import Material, Proof

_OTHERS = re.compile(r"\.git(/.*)?|\.gitattributes|\.cache/huggingface/.*|(.*/)?\.DS_Store")
"""Hidden files that the Hub, Git or a desktop put there; none of them is ever read."""
_KNOWN = re.compile(
    r"README\.md|(baselines|readable)\.json|[a-z][a-z0-9_]*/[^/]+\.parquet|templates/[^/]+\.(json|rejected\.jsonl|schema\.toml)|"
    r"proposals/refused\.jsonl|database/[^/]+\.sqlite"
)
"""Files that some proof reads, or that a report of the build is in."""
_SHOWN = 5


def check(material: Material) -> None:
    """Compares SHA-256 and size of each file."""
    found, folder, files = material.found, material.release.folder, material.release.manifest.files
    there = list_files(folder, files)
    for path, facts in files.items():
        if path not in there:
            found.problem("file", f"{path} is missing")
        elif there[path] != dict(facts):
            found.problem("file", f"{path} has changed: its bytes are not those that the manifest names")
        else:
            found.proved["files"] += 1
    for path in sorted([*(there.keys() - files.keys()), *_hidden(folder)]):
        found.problem("file", f"{path} is not in {MANIFEST}")
    unknown = [path for path in files if not _KNOWN.fullmatch(path)]
    if unknown:
        more = ", …" if len(unknown) > _SHOWN else ""
        reason = (
            f"no proof knows what they are for, only that they are as they were: {', '.join(unknown[:_SHOWN])}{more}"
        )
        found.leave("files of another kind", len(unknown), reason)


def _hidden(folder: Path) -> Iterator[str]:
    """Files that are hidden, or in a hidden folder, and that nobody but the one who made the release can have put."""
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if any(part.startswith(".") for part in name.split("/")) and not _OTHERS.fullmatch(name) and not path.is_dir():
            yield name


PROOF = Proof("files", "every file is the one that the manifest names, and there is no other", 10, whole=check)
