"""How much a submission may hold. Sizes are looked at before anything is downloaded, and again while it is read."""

import os
from collections.abc import Mapping
from pathlib import Path

from benchwright.benchmarks.leaderboards.layout import (
    FORMATS,
    HELDOUT,
    JUDGMENTS,
    PREDICTIONS,
    REPORT,
    RUN,
    SYSTEM,
)
from benchwright.benchmarks.leaderboards.refusal import RefusedError, quoted

_MB = 1_000_000
MOST_BYTES: Mapping[str, int] = {
    SYSTEM: 100_000,
    RUN: _MB,
    REPORT: 50 * _MB,
    JUDGMENTS: 500 * _MB,
    **{f"{part}{ending}": 1_000 * _MB for part in (PREDICTIONS, HELDOUT) for ending in FORMATS},
}
"""Each file that a submission may have → its bytes at the most."""
NEEDED = (SYSTEM, RUN, REPORT)
"""Beside the predictions, in one of their formats."""
MOST_UNFOLDED = 4_000 * _MB
"""Bytes of predictions as lines of JSON."""
MOST_REPEATS = 50
MOST_METRICS = 60
"""Metrics of a report that are computed again."""
LARGEST_CUT_OFF = 1_000
LONGEST_LINE = 8 * _MB
"""Of a prediction as JSON: what a run keeps of one is less."""


def check_sizes(sizes: Mapping[str, int]) -> None:
    """Looks at the names and bytes of a submission's files, before any is read.

    Args:
        sizes: name within the submission's folder → bytes.

    Raises:
        RefusedError: a file does not belong there, is too large or empty, or one is missing.
    """
    found: list[str] = []
    for name, size in sorted(sizes.items()):
        most = MOST_BYTES.get(name)
        if most is None:
            found.append(f"{quoted(name)} does not belong to a submission: it has {', '.join(_usual())} alone")
        elif size > most:
            found.append(f"{name} has {size:,} bytes, and may have {most:,}")
        elif size <= 0:
            found.append(f"{name} is empty")
    for name in NEEDED:
        if name not in sizes:
            found.append(f"{name} is missing: make the submission with submit-system")
    for part in (PREDICTIONS, HELDOUT):
        there = [f"{part}{ending}" for ending in FORMATS if f"{part}{ending}" in sizes]
        if len(there) > 1:
            found.append(f"{' and '.join(there)} are both there: hand in one of them")
        elif not there and part == PREDICTIONS:
            found.append(f"{part}{FORMATS[0]} is missing: make the submission with submit-system")
    if found:
        raise RefusedError(*found[:10])


def check_files(folder: Path) -> None:
    """Looks at what was downloaded: files alone, those that may be there, none too large.

    Raises:
        RefusedError: something is a link, a pipe, a device or a folder, or as `check_sizes`.
    """
    sizes = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_symlink() or not (entry.is_file(follow_symlinks=False) or entry.name.startswith(".")):
                raise RefusedError(f"{quoted(entry.name)} is no file: a submission holds files alone")
            if not entry.name.startswith("."):
                sizes[entry.name] = entry.stat(follow_symlinks=False).st_size
    check_sizes(sizes)


def predictions_file(folder: Path, part: str) -> Path | None:
    """The file with the predictions of a part; None where there is none."""
    return next((path for ending in FORMATS if (path := folder / f"{part}{ending}").is_file()), None)


def _usual() -> list[str]:
    names = [name for name in MOST_BYTES if not name.endswith(FORMATS)]
    return [*names, *(f"{part}{FORMATS[0]}" for part in (PREDICTIONS, HELDOUT)), JUDGMENTS]
