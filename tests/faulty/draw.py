"""Which kinds of faults thresholds are fixed on, and which they are tried on: drawn from the names alone.

Drawn twice: after rules were mended that the first draw's other half had shown to be wrong. See
`benchmarks/facts/faults.md`.
"""

import hashlib
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_SALT = "benchwright faults, second draw"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of faults, as `kinds.toml` has it."""

    name: str
    own: tuple[str, ...]
    full: tuple[str, ...]
    strengths: tuple[float, ...]


@cache
def kinds() -> tuple[Kind, ...]:
    """All kinds, in the order of the file."""
    table = tomllib.loads(Path(__file__).with_name("kinds.toml").read_text("utf-8"))
    return tuple(
        Kind(each["name"], tuple(each["own"]), tuple(each["full"]), tuple(each["strengths"])) for each in table["kinds"]
    )


@cache
def held_out() -> frozenset[str]:
    """The half of the kinds that no threshold has seen."""
    ordered = sorted(kinds(), key=lambda kind: hashlib.sha256(f"{_SALT}: {kind.name}".encode()).hexdigest())
    return frozenset(kind.name for kind in ordered[len(ordered) // 2 :])
