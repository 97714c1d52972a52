"""The cutoff of a benchmark: a date, or a model whose cutoff is known."""

import tomllib
from datetime import UTC, date, datetime
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

from benchwright.benchmarks.errors import UsageError


@cache
def known_cutoffs() -> dict[str, tuple[date, str]]:
    """Model → the first day that its training data do not hold, and the source of that."""
    text = (files("benchwright.builders.wikipedia") / "cutoffs.toml").read_text(encoding="utf-8")
    return {name: (entry["cutoff"], entry["source"]) for name, entry in tomllib.loads(text).items()}


def read_cutoff(text: str) -> tuple[date, str | None]:
    """The cutoff that a text means, and, of a model, the source.

    Args:
        text: a date as 2021-10-01, or the name of a model.

    Raises:
        UsageError: it is neither, or in the future.
    """
    known = known_cutoffs()
    if text.lower() in known:
        return known[text.lower()]
    try:
        found = date.fromisoformat(text)
    except ValueError:
        near = get_close_matches(text.lower(), known, 1)
        hint = f"did you mean {near[0]}?" if near else f"models that are known: {', '.join(known)}"
        raise UsageError(f"cutoff={text} is neither a date, such as 2021-10-01, nor a known model: {hint}") from None
    return _check_past(found, "cutoff"), None


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
