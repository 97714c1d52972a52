"""The cutoff of a benchmark: a date, or a model whose cutoff is known, by our table or by one of the user's own.

A name means one model: what is not listed, under its own name or as an alias, is never taken for another.
"""

import tomllib
from collections.abc import Mapping
from datetime import UTC, date, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.secrecy import without_secrets

Cutoffs = Mapping[str, tuple[date, str]]
"""Model, in small letters → the first day that its training data do not hold, and the source of that."""
_LONGEST = 300
"""Characters of a source."""
_SHOWN, _ALIKE = 6, 3
"""Names that an error tells, and the letters that they begin with alike."""


@cache
def known_cutoffs() -> Cutoffs:
    """The models of our table."""
    return _read(tomllib.loads((files("benchwright.builders.wikipedia") / "cutoffs.toml").read_text(encoding="utf-8")))


def read_own_cutoffs(path: Path | str) -> Cutoffs:
    """The models of a user's table, which is like ours.

    Raises:
        UsageError: it cannot be read, or an entry has no date, no source, or a name that another has.
    """
    try:
        return _read(tomllib.loads(Path(path).read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"cutoffs={path} cannot be read: {getattr(error, 'strerror', None) or 'it is no text'}"
        ) from None
    except (tomllib.TOMLDecodeError, UsageError) as error:
        raise UsageError(f"cutoffs={path} is no table of models: {error}") from None


def _read(told: Mapping[str, Any]) -> Cutoffs:
    found: dict[str, tuple[date, str]] = {}
    for name, entry in told.items():
        if not isinstance(entry, dict) or set(entry) - {"cutoff", "source", "aliases"}:
            raise UsageError(f"[{name}] must hold cutoff, source and, if it has other names, aliases")
        day, source, aliases = entry.get("cutoff"), entry.get("source"), entry.get("aliases", [])
        if not isinstance(day, date) or isinstance(day, datetime):
            raise UsageError(f"[{name}] has no date: write cutoff = 2024-01-01")
        if not isinstance(source, str) or not source.strip() or not source.isprintable() or len(source) > _LONGEST:
            raise UsageError(f"[{name}] needs a source of one line, at most {_LONGEST} characters")
        if without_secrets(source) != source:
            raise UsageError(f"[{name}] has a source that would show a password or a token")
        if not isinstance(aliases, list) or not all(isinstance(one, str) for one in aliases):
            raise UsageError(f"[{name}] has aliases that are no list of names")
        for one in (name, *aliases):
            if one.lower() in found:
                raise UsageError(f"{one} is listed twice")
            found[one.lower()] = _check_past(day, f"[{name}] cutoff"), source
    return found


def read_cutoff(text: str, own: Cutoffs | None = None) -> tuple[date, str | None]:
    """The cutoff that a text means, and, of a model, the source.

    Args:
        text: a date as 2021-10-01, or the exact name of a model, in any case.
        own: the models of a user's table, which go before ours.

    Raises:
        UsageError: it is neither, or in the future.
    """
    known = {**known_cutoffs(), **(own or {})}
    if text.lower() in known:
        return known[text.lower()]
    try:
        found = date.fromisoformat(text)
    except ValueError:
        begins = {name: _alike(name, text.lower()) for name in known}
        like = sorted((name for name in known if begins[name] >= _ALIKE), key=lambda name: (-begins[name], name))[
            :_SHOWN
        ]
        shown = f", such as {', '.join(like)}" if like else ""
        raise UsageError(
            f"cutoff={text} is neither a date, such as 2021-10-01, nor one of the models that are known by their exact "
            f"names{shown}: give the date, or a table of your own with --set cutoffs=FILE"
        ) from None
    return _check_past(found, "cutoff"), None


def _alike(one: str, other: str) -> int:
    """With how many letters two names begin alike."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def read_until(text: str, cutoff: date) -> date | None:
    """The day before which pages must have been created; None where nothing is said.

    Raises:
        UsageError: it is no date, in the future, or not after the cutoff.
    """
    if not text:
        return None
    try:
        found = _check_past(date.fromisoformat(text), "until")
    except ValueError:
        raise UsageError(f"until={text} is no date: give one such as 2022-10-01") from None
    if found <= cutoff:
        raise UsageError(f"until={text} is not after the cutoff {cutoff.isoformat()}: give a later date")
    return found


def _check_past(day: date, name: str) -> date:
    """The day, if it is not in the future. Raises UsageError otherwise."""
    if day > datetime.now(UTC).date():
        raise UsageError(f"{name}={day.isoformat()} is in the future: nothing was written then; give a past date")
    return day
