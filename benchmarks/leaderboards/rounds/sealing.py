"""Commitments of a round: a hash that says nothing before its salt or nonce is told, and binds everything after.

What an edition's organisers commit to, and what a team does, is the SHA-256 of a compact JSON array (UTF-8, no spaces),
whose first element names the scheme, so that neither can pass as the other. With nothing but Python:

    import hashlib, json

    def digest(*parts):
        return hashlib.sha256(json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()

    digest("benchwright round edition 1", nonce, round, code_sha256, version_of_benchwright,
           content_hash_of_the_public_half, content_hash_of_the_private_half, sha256_of_the_secret)
    digest("benchwright round team 1", salt, round, team, sha256_of_round_json, {file: sha256, … in order of names})

A content hash covers documents, questions, answers, salts and the database (`hashing.py`). A team's hash names the team
and the terms: copied from a rival it opens to nothing, and with other terms of the round neither.
"""

import hashlib
import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

EDITION, TEAM = "benchwright round edition 1", "benchwright round team 1"
NONCE_BYTES = 32
_HEX = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Sealed:
    """What the organisers commit to."""

    code_sha256: str
    benchwright: str
    """Its version."""
    public_content_hash: str
    private_content_hash: str
    secret_sha256: str


def digest(*parts: object) -> str:
    """SHA-256 of the parts as one compact JSON array, in hexadecimal digits."""
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def edition_commitment(name: str, sealed: Sealed, nonce: bytes) -> str:
    """The organisers' commitment to an edition; see the top of this file."""
    return digest(
        EDITION,
        nonce.hex(),
        name,
        sealed.code_sha256,
        sealed.benchwright,
        sealed.public_content_hash,
        sealed.private_content_hash,
        sealed.secret_sha256,
    )


@dataclass(frozen=True)
class Opening:
    """What a team's commitment is made of: secret until the round is closed."""

    round: str
    team: str
    """A user of the Hub."""
    round_sha256: str
    """Of `round.json`: the terms that the team saw."""
    files: Mapping[str, str]
    """Name → SHA-256 of what is handed in."""
    salt: str = field(repr=False)
    """64 hexadecimal digits."""
    format: int = 1

    @property
    def commitment(self) -> str:
        """What is public before the round is closed."""
        files = dict(sorted(self.files.items()))
        return digest(TEAM, self.salt, self.round, self.team, self.round_sha256, files)


def new_salt() -> str:
    """256 bits that nobody can guess."""
    return secrets.token_hex(NONCE_BYTES)


def is_digest(text: object) -> bool:
    """Whether a value is 64 hexadecimal digits."""
    return isinstance(text, str) and _HEX.fullmatch(text) is not None


def sha256_of(data: bytes) -> str:
    """SHA-256 in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()
