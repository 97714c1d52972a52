"""Names of releases and runs, versions, and tags of languages."""

import re

from benchwright.benchmarks.errors import BenchwrightError

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?")
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


def check_language(tag: str) -> str:
    """The tag of a language, as BCP 47 writes it: `en`, `pt-BR`, `zh-Hant`.

    Raises:
        BenchwrightError: it is none.
    """
    if not _LANGUAGE.fullmatch(tag):
        raise BenchwrightError(f"{tag!r} is not the tag of a language: use one such as en, de or pt-BR")
    return tag


def version_key(version: str) -> tuple[int, ...]:
    """What versions are ordered by."""
    return tuple(int(part) for part in version.split("."))
