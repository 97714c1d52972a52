"""What is wrong with a published file: how often, and where first."""

from collections import Counter
from dataclasses import dataclass, field

_NAMED = 3
"""Places that are named for each fault."""


@dataclass
class Faults:
    """Faults by what they are."""

    left_out: Counter[str] = field(default_factory=Counter)
    """Why questions are not scored → how many."""
    noted: Counter[str] = field(default_factory=Counter)
    """What is wrong with questions that are scored all the same, or with parts that hold none → how often."""
    places: dict[str, list[str]] = field(default_factory=dict)

    @property
    def counts(self) -> dict[str, int]:
        """All of them, as a manifest's checks have them."""
        return {**self.left_out, **self.noted}

    def leave_out(self, fault: str, place: str) -> None:
        """Counts a question that is not scored."""
        self.left_out[fault] += 1
        self._name(fault, place)

    def note(self, fault: str, place: str, count: int = 1) -> None:
        """Counts something that leaves no question out."""
        self.noted[fault] += count
        self._name(fault, place)

    def _name(self, fault: str, place: str) -> None:
        there = self.places.setdefault(fault, [])
        if len(there) < _NAMED and place not in there:
            there.append(place)

    def told(self) -> list[str]:
        """Each fault with how often and its first places."""
        return [f"{fault} ({count:,}; {', '.join(self.places[fault])})" for fault, count in self.counts.items()]
