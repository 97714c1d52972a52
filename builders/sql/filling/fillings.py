"""Fillings of a template, column by column, and what became of those that are none."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa


@dataclass
class FillingCounts:
    """What became of the fillings of a template."""

    kept: int = 0
    null: int = 0
    """Left out: the answer is unknown (NULL or blank), in part or as a whole."""
    several: int = 0
    """Left out: the query has several distinct answers."""
    blank: int = 0
    """Left out: a value to be filled in is blank."""
    unshown: int = 0
    """Left out: a value or the answer is binary, no finite number, no date or far too long: no question can show it."""
    shared: int = 0
    """Left out: several rows are called what is to be filled in, of a table whose other rows are not."""
    unlisted: int = 0
    """Left out: a list is asked for, and the answer has too few or too many elements to be one."""
    undenied: int = 0
    """Left out: yes or no is asked, and the column holds no other value that is plainly not the true one."""
    few: int = 0
    """Left out: too few rows for what is asked, such as the highest of one value."""
    possible: int = 0
    """The combinations of the placeholders' values, existing or not: the Cartesian product."""

    @property
    def empty(self) -> int:
        """Combinations for which the query has no result."""
        left_out = self.null + self.several + self.blank + self.unshown + self.shared + self.unlisted + self.undenied
        left_out += self.few
        return max(0, self.possible - self.kept - left_out)


@dataclass(frozen=True)
class Fillings:
    """Some fillings of a template, column by column: n values for each placeholder, n answers."""

    values: tuple[Sequence[Any], ...]
    """Per placeholder, the values as the database gave them."""
    texts: tuple[pa.Array, ...]
    """Per placeholder, the values as texts."""
    answers: pa.ListArray
    """Per filling, the required elements of the answer."""
    answer_types: Sequence[str]
    sorts: Sequence[str] = ()
    """Per filling, why it has no answer: of NO_ANSWER_SORTS; nothing where all have one."""

    def __len__(self) -> int:
        return len(self.answers)

    def take(self, places: Sequence[int]) -> "Fillings":
        """Some of them, in the order of their places."""
        index = pa.array(places, pa.int64())
        return Fillings(
            tuple([column[place] for place in places] for column in self.values),
            tuple(texts.take(index) for texts in self.texts),
            self.answers.take(index),
            [self.answer_types[place] for place in places],
            [self.sorts[place] for place in places] if self.sorts else (),
        )


def joined(parts: Sequence[Fillings]) -> Fillings:
    """Fillings of one template, of which there is a part at least, as one."""
    return Fillings(
        tuple(
            [value for part in column for value in part]
            for column in zip(*(part.values for part in parts), strict=True)
        ),
        tuple(pa.concat_arrays(texts) for texts in zip(*(part.texts for part in parts), strict=True)),
        pa.concat_arrays([part.answers for part in parts]),
        [kind for part in parts for kind in part.answer_types],
        [sort for part in parts for sort in part.sorts],
    )
