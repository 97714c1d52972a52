"""What differs in a cutoff's figure, tested by article: between its parts, and between models on the same questions."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from benchwright.benchmarks.judgments import judge_name
from benchwright.benchmarks.metrics.steps.article_grades import HIGHEST, LOWEST
from benchwright.benchmarks.statistics.differences import Difference, independent_mean_difference
from benchwright.benchmarks.statistics.intervals import Sample, codes_of
from benchwright.benchmarks.statistics.paired import compare_pair
from benchwright.benchmarks.statistics.tests import holm

NOTHING = "nothing"
"""What is read closed book."""
_LIMITS = (2.0 * LOWEST, 2.0 * HIGHEST)
"""Of the sum of both grades."""
PAIRED, INDEPENDENT = "sign flips by article", "permutation of articles"


@dataclass(frozen=True)
class Graded:
    """The grades of a part's answers by one model."""

    grades: Mapping[str, tuple[float, float]]
    """Question → truthfulness and relevance."""
    articles: Mapping[str, str]
    """Question → its article."""
    judges: Mapping[str, str]
    """Question → who graded."""
    unscored: Mapping[str, str]
    """Question that was asked and lacks a grade → why."""
    given: str
    """What was read."""
    reason: str | None = None
    """Why there is nothing at all."""

    def only(self, wanted: Collection[str], *, without: bool = False) -> "Graded":
        """Some of the questions, or all others."""
        return replace(self, grades={key: each for key, each in self.grades.items() if (key in wanted) != without})


@dataclass(frozen=True)
class Comparison:
    """Two means of the sum of both grades compared, first minus second."""

    first: str
    """A part, or a model's name."""
    second: str
    of: str
    """The model whose parts are compared, or the part on which models are."""
    test: str
    """PAIRED or INDEPENDENT."""
    questions: tuple[int, int]
    """Of either side: of pairs, the same number twice."""
    articles: int
    difference: Difference | None
    p_holm: float | None
    """Corrected for all tests of the figure."""
    reason: str | None = None
    """Why it is not tested."""


def compare_all(
    models: Sequence[str], graded: Mapping[tuple[int, str], Graded], recent: Collection[str]
) -> list[Comparison]:
    """All tests of a figure, corrected together.

    Args:
        models: their names.
        graded: place of the model and letter of the part → its grades.
        recent: the questions of part c, which are left out of b where b is compared with c.
    """
    found = [*_between_parts(models, graded, recent), *_between_models(models, graded)]
    corrected = iter(holm([each.difference.p for each in found if each.difference is not None]))
    return [each if each.difference is None else replace(each, p_holm=next(corrected)) for each in found]


def _between_parts(
    models: Sequence[str], graded: Mapping[tuple[int, str], Graded], recent: Collection[str]
) -> Iterator[Comparison]:
    for place, name in enumerate(models):
        a, b, c, d = (graded[place, letter] for letter in "abcd")
        yield _independent("a", "b", name, a, b)
        yield _independent("a", "c", name, a, c)
        yield _independent("b without c", "c", name, b.only(recent, without=True), c)
        yield _paired("d", "c", name, d, c)


def _between_models(models: Sequence[str], graded: Mapping[tuple[int, str], Graded]) -> Iterator[Comparison]:
    for first, second in combinations(range(len(models)), 2):
        for letter in "abcd":
            yield _paired(models[first], models[second], letter, graded[first, letter], graded[second, letter])


def _independent(first: str, second: str, of: str, one: Graded, other: Graded) -> Comparison:
    keys = [list(one.grades), list(other.grades)]
    codes = codes_of([*(one.articles[key] for key in keys[0]), *(other.articles[key] for key in keys[1])])
    values = np.array([*(sum(one.grades[key]) for key in keys[0]), *(sum(other.grades[key]) for key in keys[1])])
    cut = len(keys[0])
    why = _why_not(one, other, keys[0], keys[1])
    found = None
    if why is None:
        found = independent_mean_difference(
            Sample(values[:cut], codes[:cut]), Sample(values[cut:], codes[cut:]), limits=_LIMITS
        )
        why = None if found is not None else "one side is of a single article"
    return Comparison(first, second, of, INDEPENDENT, (cut, len(keys[1])), len(set(codes.tolist())), found, None, why)


def _paired(first: str, second: str, of: str, one: Graded, other: Graded) -> Comparison:
    keys = [key for key in one.grades if key in other.grades]
    codes = codes_of([one.articles[key] for key in keys])
    why, found = _why_not(one, other, keys, keys), None
    if why is None:
        values = [np.array([sum(side.grades[key]) for key in keys], dtype=float) for side in (one, other)]
        pair = compare_pair(values[0], values[1], codes, limits=_LIMITS)
        if pair is not None:
            found = Difference(pair.first, pair.second, pair.value, pair.low, pair.high, pair.p, pair.clusters)
        why = None if found is not None else "all questions are of a single article"
    return Comparison(first, second, of, PAIRED, (len(keys), len(keys)), len(set(codes.tolist())), found, None, why)


def _why_not(one: Graded, other: Graded, first: Sequence[str], second: Sequence[str]) -> str | None:
    """Why two sides cannot be compared; None where they can."""
    if not one.grades or not other.grades:
        return "nothing is scored on one side"
    if not first or not second:
        return "no question has both"
    if one.given != other.given and NOTHING not in (one.given, other.given):
        return f"one side read {one.given}, the other {other.given}"
    judges = {one.judges[key] for key in first}, {other.judges[key] for key in second}
    if judges[0] != judges[1]:
        named = (", ".join(sorted({judge_name(judge) for judge in each})) for each in judges)
        return f"graded by different judges: {' and '.join(named)}"
    return None
