"""What of a source is not asked, or not used of what is asked, with its reasons and the first places of each."""

from collections import Counter
from dataclasses import dataclass, field

_NAMED = 3
"""Places that are named for each reason."""


@dataclass
class LeftOut:
    """What is not asked, or not used of what is asked."""

    rows: Counter[str] = field(default_factory=Counter)
    details: Counter[str] = field(default_factory=Counter)
    places: dict[str, list[str]] = field(default_factory=dict)
    """Reason → the first places."""

    def row(self, reason: str, place: str) -> None:
        """Counts a row."""
        self.rows[reason] += 1
        self._name(reason, place)

    def detail(self, reason: str, place: str, count: int = 1) -> None:
        """Counts something of a row that is asked all the same."""
        self.details[reason] += count
        self._name(reason, place)

    def clear(self) -> None:
        """Counts anew."""
        self.rows.clear()
        self.details.clear()
        self.places.clear()

    def add(self, other: "LeftOut") -> None:
        """Counts what another has."""
        self.rows.update(other.rows)
        self.details.update(other.details)
        for reason, places in other.places.items():
            for place in places:
                self._name(reason, place)

    def _name(self, reason: str, place: str) -> None:
        there = self.places.setdefault(reason, [])
        if len(there) < _NAMED:
            there.append(place)

    def told(self) -> list[str]:
        """Each reason with its first places."""
        found = (*self.rows.most_common(), *self.details.most_common())
        return [f"{reason}: {self._first(reason, count)}" for reason, count in found]

    def _first(self, reason: str, count: int) -> str:
        there = self.places[reason]
        return ", ".join(there) + (f" and {count - len(there):,} more" if count > len(there) else "")
