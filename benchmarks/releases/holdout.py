"""How a build is split into a public and a private release: the share, and the secret from which the rest follows."""

import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.naming import check_name
from benchwright.benchmarks.releases.commitments import SECRET_BYTES, derive
from benchwright.benchmarks.releases.manifest import MANIFEST, read_manifest


@dataclass(frozen=True)
class Holdout:
    """How a build is split."""

    name: str
    """The name of the public release."""
    share: float
    """The share of the semantic groups of `test` that is held out, above 0; 1: all, as in a round."""
    secret: bytes = field(repr=False)

    @property
    def private_name(self) -> str:
        """The name of the private release."""
        return private_name(self.name)

    def seed(self, parameter: str = "seed") -> int:
        """A seed of 256 bits that only the secret gives."""
        return int.from_bytes(derive(self.secret, parameter), "big")


def private_name(name: str) -> str:
    """The name of the private half of a release.

    Raises:
        BenchwrightError: it would be too long.
    """
    return check_name(f"{name}-private")


def check_share(share: float) -> float:
    """The share itself, if it is one that can be held out.

    Raises:
        UsageError: it is not above 0, or above 1.
    """
    if not 0 < share <= 1:
        raise UsageError(f"--holdout {share:g} is not possible: give a share between 0 and 1, such as 0.5; or 1: all")
    return share


def open_holdout(root: Path, name: str, version: str, share: float) -> Holdout:
    """How a version is split: with the secret of its private half, where that is there already, else with a new one.

    Raises:
        BenchwrightError: what is there is not the private half, or only the public half is there.
    """
    public, private = root / name / version, root / private_name(name) / version
    if (private / MANIFEST).is_file():
        section = read_manifest(private).holdout or {}
        if section.get("public") != name:
            raise BenchwrightError(f"{private} is not the private half of {name}: choose another --name or --releases")
        return Holdout(name, share, _secret(section.get("secret"), private))
    if (public / MANIFEST).is_file() and read_manifest(public).holdout:
        raise BenchwrightError(
            f"{public} is there without its private half, whose secret it takes to build it again: put {private.name} "
            f"of {private.parent.name} back into {root}, or build the next version with --as-version"
        )
    return Holdout(name, share, secrets.token_bytes(SECRET_BYTES))


def _secret(text: Any, folder: Path) -> bytes:
    try:
        secret = bytes.fromhex(text)
    except (TypeError, ValueError):
        secret = b""
    if len(secret) != SECRET_BYTES:
        raise BenchwrightError(f"{folder / MANIFEST} holds no secret of {SECRET_BYTES} bytes: it was changed")
    return secret
