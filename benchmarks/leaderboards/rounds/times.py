"""When a round is open: times are the Hub's, in UTC, to the second."""

import re
from datetime import UTC, datetime, timedelta
from typing import Literal

from benchwright.benchmarks.errors import BenchwrightError, UsageError

State = Literal["announced", "open", "revealing", "closed", "scored"]
_UNITS = {"d": "days", "h": "hours", "m": "minutes", "s": "seconds"}
_DURATION = re.compile(r"(\d{1,9})([dhms])")
_LONGEST = timedelta(days=400)


def parse_time(text: object, what: str) -> datetime:
    """A moment of ISO 8601 with its offset from UTC.

    Raises:
        BenchwrightError: it is none.
    """
    try:
        found = datetime.fromisoformat(str(text))
        if found.tzinfo is None:
            raise ValueError
        return found.astimezone(UTC)
    except (ValueError, OverflowError):
        raise BenchwrightError(f"{what}: {str(text)[:40]!r} is no time such as 2026-12-24T18:00:00Z") from None


def say_time(moment: datetime) -> str:
    """A moment as `round.json` has it: to the second, rounded up, so that nobody loses a part of one."""
    whole = moment.astimezone(UTC).replace(microsecond=0)
    whole += timedelta(seconds=1) if moment.microsecond else timedelta()
    return whole.strftime("%Y-%m-%dT%H:%M:%SZ")


def after(text: str, start: datetime, option: str) -> datetime:
    """The moment that an option means: a time, or how long after a start: `14d`, `36h`, `90m`, `30s`.

    Raises:
        UsageError: it means none, or one that is not after the start or too far from it.
    """
    duration = _DURATION.fullmatch(text.strip())
    try:
        if duration:
            found = start + timedelta(**{_UNITS[duration[2]]: int(duration[1])})
        else:
            found = parse_time(text.strip(), option)
    except (BenchwrightError, OverflowError):
        raise UsageError(f"{option} {text} is no time: give 14d, 36h, 90m, 30s or 2026-12-24T18:00:00Z") from None
    if not start < found <= start + _LONGEST:
        raise UsageError(f"{option} {text} is {say_time(found)}: it must come after {say_time(start)}, within 400 days")
    return found


def state_at(now: datetime, closes: datetime, revealed_until: datetime) -> State:
    """The state of a round that was opened and not scored. The first moment of a state belongs to it."""
    if now < closes:
        return "open"
    return "revealing" if now < revealed_until else "closed"
