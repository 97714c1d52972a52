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
    return _of_file("kinds.toml", "kinds")


@cache
def blind() -> tuple[Kind, ...]:
    """The kinds by somebody who had not seen the rules, none of which any threshold has seen."""
    return _of_file("blind.toml", "kinds")


@cache
def others() -> tuple[Kind, ...]:
    """Pipelines whose fault is none of the modules."""
    return _of_file("blind.toml", "others")


@cache
def blind_again() -> tuple[Kind, ...]:
    """A second set of such kinds."""
    return _of_file("blind_again.toml", "kinds")


@cache
def others_again() -> tuple[Kind, ...]:
    """Pipelines of the second set whose fault is none of the modules."""
    return _of_file("blind_again.toml", "others")


def _of_file(name: str, key: str) -> tuple[Kind, ...]:
    table = tomllib.loads(Path(__file__).with_name(name).read_text("utf-8"))
    return tuple(
        Kind(each["name"], tuple(each["own"]), tuple(each["full"]), tuple(each["strengths"])) for each in table[key]
    )


@cache
def held_out() -> frozenset[str]:
    """The half of the kinds that no threshold has seen."""
    ordered = sorted(kinds(), key=lambda kind: hashlib.sha256(f"{_SALT}: {kind.name}".encode()).hexdigest())
    return frozenset(kind.name for kind in ordered[len(ordered) // 2 :])
