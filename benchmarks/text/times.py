"""Times of day in figures: 15:00, 3:00 pm, 3 p.m."""

import re
from dataclasses import dataclass

_CLOCK = re.compile(
    r"(?<![\d:.])(?P<hour>\d{1,2})(?::(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d)(?:\.\d+)?)?)?(?![\d:])"
    r"(?:\s*(?P<half>[ap])\.?m\b\.?)?"
)


@dataclass(frozen=True, slots=True)
class TimeOfDay:
    """A time of day as a text states it."""

    hour: int
    minute: int
    second: int | None
    """None where it is not stated."""

    def is_same(self, other: "TimeOfDay") -> bool:
        """Whether two may be the same; seconds that one of them leaves out make no difference."""
        seconds = {self.second, other.second} - {None}
        return (self.hour, self.minute) == (other.hour, other.minute) and len(seconds) < 2


def find_times(lowered: str) -> list[TimeOfDay]:
    """The times of day of a lowered text; a figure alone is none."""
    found = []
    for match in _CLOCK.finditer(lowered):
        if match["minute"] is None and match["half"] is None:
            continue
        hour = int(match["hour"])
        if match["half"]:
            if not 1 <= hour <= 12:
                continue
            hour = hour % 12 + (12 if match["half"] == "p" else 0)
        if hour < 24:
            second = int(match["second"]) if match["second"] else None
            found.append(TimeOfDay(hour, int(match["minute"] or 0), second))
    return found
