"""How much something takes, from those that were seen: what many more of them may take together."""

import math
from dataclasses import dataclass

_SURE = 3.0
"""Standard errors above the mean: about one sum in a thousand is larger."""
_ROOM = 2.0
"""Added to a largest value that was the only one, times that value; to the largest of four, an eighth."""


@dataclass
class Spread:
    """Values by their weights: of a request, the tokens that were used for each that was expected."""

    count: int = 0
    mean: float = 0.0
    largest: float = 0.0
    _squares: float = 0.0

    def add(self, value: float) -> None:
        """Takes a value that was seen."""
        self.count += 1
        off = value - self.mean
        self.mean += off / self.count
        self._squares += off * (value - self.mean)
        self.largest = max(self.largest, value)

    @property
    def variance(self) -> float:
        """Of one value; 0 where fewer than two were seen."""
        return self._squares / (self.count - 1) if self.count > 1 else 0.0

    def most(self, weights: "Weights") -> float:
        """What some more may take together: each as much as the largest seen with some room, or less where they are
        so many that the largest will not come each time.

        Raises:
            ValueError: nothing was seen.
        """
        if not self.count:
            raise ValueError("nothing was seen")
        room = 1 + _ROOM / self.count**2
        of_largest = self.largest * room * weights.total
        error = math.sqrt(self.variance * (weights.squares + weights.total**2 / self.count))
        above = (self.largest - self.mean) * room * weights.largest
        return min(of_largest, self.mean * room * weights.total + _SURE * error + above)


@dataclass(frozen=True)
class Weights:
    """The sum of some weights, of their squares, and the largest that there has been since they were none."""

    total: float = 0.0
    squares: float = 0.0
    largest: float = 0.0

    def plus(self, weight: float) -> "Weights":
        """With one more."""
        return Weights(self.total + weight, self.squares + weight**2, max(self.largest, weight))

    def minus(self, weight: float) -> "Weights":
        """With one less."""
        total = self.total - weight
        return Weights(total, max(0.0, self.squares - weight**2), self.largest) if total > 0 else Weights()
