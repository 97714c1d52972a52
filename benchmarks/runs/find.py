"""The run that a command line means: a folder, or NAME[/VERSION]/SYSTEM."""

import re
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.naming import version_key
from benchwright.benchmarks.runs.run import RUN

_VERSION = re.compile(r"\d+\.\d+\.\d+")


def find_run(reference: str, root: Path) -> Path:
    """The folder of a run: one with a run.json, else NAME/VERSION/SYSTEM or (newest version) NAME/SYSTEM in `root`.

    Raises:
        BenchwrightError: there is none of these.
    """
    for folder in (Path(reference), root / reference):
        if (folder / RUN).is_file():
            return folder
    name, _, system = reference.partition("/")
    if system and "/" not in system:
        versions = [
            path.parent.parent
            for path in (root / name).glob(f"*/{system}/{RUN}")
            if _VERSION.fullmatch(path.parent.parent.name)
        ]
        if versions:
            return max(versions, key=lambda path: version_key(path.name)) / system
    if Path(reference).is_dir():
        raise BenchwrightError(f"{reference} is not a run: it has no {RUN}")
    raise BenchwrightError(
        f"there is no run {reference!r} in {root}: name a folder or NAME[/VERSION]/SYSTEM, or make it with score-system"
    )
