"""The secret of a round: drawn once, kept in a file that only its owner reads, and once more elsewhere before it is
used, so that a lost machine cannot end a round."""

import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.rounds.files import MOST_BYTES, to_bytes
from benchwright.benchmarks.leaderboards.rounds.sealing import NONCE_BYTES, is_digest, sha256_of
from benchwright.benchmarks.records import Strict
from benchwright.benchmarks.releases.commitments import SECRET_BYTES
from benchwright.benchmarks.validation import in_one_line


@dataclass(frozen=True)
class RoundSecret(Strict):
    """What decides an edition, and what opens the organisers' commitment. With the announcement it is all that it takes
    to build the edition again."""

    leaderboard: str
    round: str
    announcement_sha256: str
    """Of what was public before it was drawn."""
    secret: str = field(repr=False)
    """64 hexadecimal digits."""
    nonce: str = field(repr=False)
    format: int = 1

    @property
    def secret_sha256(self) -> str:
        """What the organisers' commitment holds of it."""
        return sha256_of(bytes.fromhex(self.secret))


def draw(leaderboard: str, name: str, announcement_sha256: str) -> RoundSecret:
    """A new secret and nonce, of 256 bits each, from the operating system."""
    return RoundSecret(
        leaderboard, name, announcement_sha256, secrets.token_hex(SECRET_BYTES), secrets.token_hex(NONCE_BYTES)
    )


def secret_path(releases: Path, edition: str) -> Path:
    """Where the secret of an edition lies, beside the folder of releases' editions."""
    return releases / f"{edition}.secret.json"


def keep_secret_file(path: Path, secret: RoundSecret) -> None:
    """Writes the secret where nobody but its owner reads it, and does not return before it is on the disk.

    Raises:
        BenchwrightError: another one is there.
    """
    if path.exists():
        if read_secret_file(path) != secret:
            raise BenchwrightError(f"{path} holds the secret of another round: it is never overwritten; move it away")
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(to_bytes(secret))
            file.flush()
            os.fsync(file.fileno())
        os.link(part, path)  # unlike a rename, never over another one
    except FileExistsError:
        raise BenchwrightError(f"{path} was written by another start meanwhile: start again") from None
    finally:
        part.unlink(missing_ok=True)


def read_secret_file(path: Path) -> RoundSecret | None:
    """The secret in a file; None where there is no file.

    Raises:
        BenchwrightError: it cannot be read.
    """
    try:
        return read_secret(path.read_bytes(), str(path))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BenchwrightError(f"{path} cannot be read: {error.strerror}") from None


def read_secret(data: bytes, name: str) -> RoundSecret:
    """A secret as it is kept.

    Raises:
        BenchwrightError: it is none.
    """
    try:
        found = TypeAdapter(RoundSecret).validate_json(data[: MOST_BYTES + 1])
    except ValidationError as error:
        raise BenchwrightError(f"{name}: {in_one_line(error)}") from None
    if not (is_digest(found.secret) and is_digest(found.nonce)):
        raise BenchwrightError(f"{name} holds no secret and nonce of 256 bits each: it was changed")
    return found
