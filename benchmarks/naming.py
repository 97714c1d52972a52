"""Names of releases and runs, and versions."""

import re

from benchwright.benchmarks.errors import BenchwrightError

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?")
_VERSION = re.compile(r"(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)")


def check_name(name: str, what: str = "release") -> str:
    """The name of a release or of a run, if it may be one.

    Raises:
        BenchwrightError: it holds anything but lower-case letters, digits, dots, hyphens and underscores.
    """
    if not _NAME.fullmatch(name) or ".." in name or len(name) > 90:
        raise BenchwrightError(
            f"{name!r} cannot be a {what}'s name: use lower-case letters, digits, '.', '_' and '-', such as 'my-data'"
        )
    return name


def check_version(version: str) -> str:
    """A semantic version `MAJOR.MINOR.PATCH`.

    Raises:
        BenchwrightError: it is none.
    """
    if not _VERSION.fullmatch(version):
        raise BenchwrightError(f"{version!r} is not a version: use three numbers, such as 1.0.0")
    return version


def version_key(version: str) -> tuple[int, ...]:
    """What versions are ordered by."""
    return tuple(int(part) for part in version.split("."))
