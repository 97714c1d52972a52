"""Where the noise of a mean comes from, and what more of each would buy: nested variance components.

A score is of a group, of a wording within it, of a repeat of that wording, and of one look of the judge at that repeat.
Each of the four is a draw, and each adds its variance. How much of each there is says whether more groups, more
wordings or more repeats make the mean surer.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from benchwright.benchmarks.statistics.intervals import Floats, Ints

Level = Literal["groups", "wordings", "repeats", "judge"]
LEVELS: tuple[Level, ...] = ("groups", "wordings", "repeats", "judge")
"""What is drawn, the outermost first."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the variance of one score."""

    levels: tuple[Level, ...]
    """What it is of. Several where they cannot be told apart: of the inner ones there is never more than one draw."""
    variance: float
    """Unbiased: may be below 0 where there is little of it."""
    told_by: int
    """How many units have two draws or more and so say something: groups that of wordings, questions that of repeats,
    answers that of the judge. Of groups, how many there are."""

    @property
    def shown(self) -> float:
        """Without values below 0, which no variance has."""
        return max(0.0, self.variance)


@dataclass(frozen=True, slots=True)
class Design:
    """How much a mean over questions is of: what a part's variance is divided by."""

    groups: float
    """As many groups of equal size as these are worth: N² / Σ n², with n questions in each and N in all."""
    wordings: float
    """Questions a group: N over `groups`."""
    repeats: float
    """Of a question: the harmonic mean."""
    judge: float = 1.0
    """Looks of the judge that a score is the mean of."""

    def divisor(self, level: Level) -> float:
        """How many independent draws of a level the mean is of."""
        return math.prod(getattr(self, name) for name in LEVELS[: LEVELS.index(level) + 1])


def nested_parts(values: Floats, units: Mapping[Level, Ints]) -> tuple[Part, ...] | None:
    """Splits the variance of scores by what was drawn, the outermost first; None of fewer than two groups.

    A unit's draws have means; the variance of these within the unit, less the mean of what their own draws add to it,
    is the part of that level. A part is the mean over the units that have two draws or more, each counting as one.
    Every step is a variance with divisor n - 1 less an unbiased estimate, so that parts are unbiased whatever the sizes
    and also where the variance differs from unit to unit, as that of right and wrong does: the same as the mean
    products of pairs of draws (U-statistics, Hoeffding 1948). With equal sizes they are the analysis of variance's; for
    unequal sizes this is the analysis of unweighted means (Thomas and Hultquist 1978, The Annals of Statistics 6;
    Searle, Casella and McCulloch 1992, Variance Components, chapter 3). A unit of one draw takes the mean part of the
    others. Where no unit of a level has two, the level is one part with the one around it.

    Args:
        values: one a score.
        units: of each level the code of what was drawn, one a score, unique over all outer levels: of `groups` the
            group, of `wordings` the question, of `repeats` the answer. `judge` is not needed: a score is one look.

    Raises:
        ValueError: a value is not finite, or the arrays differ in length.
    """
    outer = [np.asarray(units[level]) for level in LEVELS[:-1]]
    if any(len(codes) != len(values) for codes in outer):
        raise ValueError(f"{len(values)} values and units of {[len(codes) for codes in outer]}: one of each")
    if not np.isfinite(values).all():
        raise ValueError("a value is not finite: leave out what is unscored")
    if len(np.unique(outer[0])) < 2:
        return None
    means, errors = values.astype(float), np.zeros(len(values))
    parts: list[Part] = []
    levels: tuple[Level, ...] = ()
    for place in range(len(LEVELS) - 1, -1, -1):
        levels = (LEVELS[place], *levels)
        parents = outer[place - 1] if place else np.zeros(len(means), dtype=np.int64)
        found = _within(means, errors, parents)
        if found.told_by:
            parts.append(Part(levels, found.variance, found.told_by if place else len(means)))
            levels = ()
        means, errors = found.means, found.errors
        outer = [codes[found.firsts] for codes in outer[:place]]
    return tuple(reversed(parts))


@dataclass(frozen=True, slots=True)
class _Within:
    """One level, summed up in the units around it."""

    firsts: Ints
    """The place of each unit's first draw."""
    means: Floats
    errors: Floats
    """The variance of each unit's mean about what the unit would give with endless draws."""
    variance: float
    """The level's part."""
    told_by: int


def _within(means: Floats, errors: Floats, parents: Ints) -> _Within:
    _, firsts, codes, counts = np.unique(parents, return_index=True, return_inverse=True, return_counts=True)
    size = counts.astype(float)
    centre = np.bincount(codes, weights=means) / size
    inner = np.bincount(codes, weights=errors) / size
    several = counts > 1
    if not several.any():
        return _Within(firsts, centre, inner, 0.0, 0)
    spread = np.bincount(codes, weights=np.square(means - centre[codes]))[several] / (size[several] - 1)
    part = float((spread - inner[several]).mean())
    around = inner + part
    around[several] = spread / size[several]
    return _Within(firsts, centre, around, part, int(several.sum()))


def design_of(units: Mapping[Level, Ints]) -> Design:
    """What a mean over questions is of, each question being the mean of its repeats; `units` as in `nested_parts`."""
    _, answers = np.unique(units["repeats"], return_index=True)
    _, questions, repeats = np.unique(units["wordings"][answers], return_index=True, return_counts=True)
    _, wordings = np.unique(units["groups"][answers][questions], return_counts=True)
    total = float(wordings.sum())
    groups = total**2 / float(np.square(wordings).sum())
    return Design(groups, total / groups, float(len(repeats) / (1 / repeats).sum()))


def projected_errors(parts: Sequence[Part], now: Design, then: Design) -> tuple[float, float]:
    """The standard error of the mean with another design: at least and at most.

    Σ of each part over the draws that the mean is of (the decision study of Brennan 2001, Generalizability Theory,
    chapter 4). The two differ where a part is of several levels: either it is all of the level that the new design
    draws most of, or all of the one that it draws least of.
    """
    least = most = 0.0
    for part in parts:
        before = part.shown / now.divisor(part.levels[-1])
        gains = [then.divisor(level) / now.divisor(level) for level in part.levels]
        least, most = least + before / max(gains), most + before / min(gains)
    return math.sqrt(least), math.sqrt(most)
