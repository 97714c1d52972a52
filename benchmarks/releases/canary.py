"""The canary: a line that filters of training data look for, and that shows where a benchmark got into a training set.

It stands wherever a crawler meets the data: on the card, in the footer of every Parquet file and first in every file of
templates, which is the one text of a release beside the card. It is no column: the rows and the content hash are what
they are without it.
"""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchwright.benchmarks.releases.release import Release

KEY = "canary"
"""Where it stands in a footer and in a file of templates."""


def canary_line(canary: str) -> str:
    """The line of a release with this GUID; nothing where it has none."""
    return f"benchwright canary {canary}" if canary else ""


def marked(release: "Release") -> frozenset[str]:
    """Where the canary stands, of `parquet` and `templates`: in every file of that sort, and there is one."""
    line = canary_line(release.manifest.canary)
    shards = [
        path
        for config, splits in release.manifest.splits.items()
        for split in splits
        for path in release.shards(config, split)
    ]
    texts = sorted((release.folder / "templates").glob("*.json"))
    found = {"parquet": [_in_footer(path) == line for path in shards], "templates": [_is_first(p, line) for p in texts]}
    return frozenset(sort for sort, each in found.items() if line and each and all(each))


def _in_footer(path: Path) -> str:
    import pyarrow.parquet as pq

    return ((pq.read_metadata(path).metadata or {}).get(KEY.encode()) or b"").decode(errors="replace")


def _is_first(path: Path, line: str) -> bool:
    with path.open(encoding="utf-8", errors="replace") as file:
        return f'"{KEY}": "{line}"' in file.read(len(line) + 50)
