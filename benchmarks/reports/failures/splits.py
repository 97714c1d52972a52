"""Where losses begin: the place along a scale, or the form of a question, from which on answers are lost."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.reports.columns import Bools, Floats, Ints
from benchwright.benchmarks.reports.format import percent

GAP = 0.3
"""By how much the share of lost answers must differ between both sides."""
NEAR = 0.3
"""The share that may be lost on the better side, at the most."""
SURE = 4.0
"""Standard errors that the difference must be."""
_LEAST = 15
"""Answers on either side, at least."""
_HELD = 0.6
"""Of lost answers, so many must be on the far side."""
_TRIED = 40
"""Places that are tried."""


@dataclass(frozen=True)
class Split:
    """Beyond a place, answers are lost."""

    at: float
    near: float
    """Share that is lost up to there."""
    far: float
    is_far: Bools
    strength: float
    """The difference in standard errors."""

    def says(self, what: str, of: str) -> str:
        """In words."""
        place = f"{self.at:,.0f} {of}" if self.at > 1 or of == "contexts" else f"{percent(self.at)} {of}"
        side = ("after", "up to") if self.is_after else ("in", "after")
        rest = f"of what stands {side[1]} there {percent(self.near)}"
        return f"of {what} {side[0]} the first {place}, {percent(self.far)} is lost, {rest}"

    @property
    def is_after(self) -> bool:
        """Losses lie after the place, and not before it."""
        return self._after

    _after: bool = True


def best_split(values: Floats, is_lost: Bools, clusters: Ints) -> Split | None:
    """The place that parts lost answers from others best, on whichever side they are; None where none does clearly.

    Answers of one group, its wordings and repeats, are mostly lost together: how sure a place is, groups decide.
    """
    if is_lost.sum() < _LEAST or len(values) < 2 * _LEAST:
        return None
    best: Split | None = None
    places = np.unique(np.quantile(values, np.linspace(0.02, 0.98, _TRIED), method="lower"))
    for at in places.tolist():
        beyond = values > at
        for is_after, far in ((True, beyond), (False, ~beyond)):
            found = _split(at, far, is_lost, clusters, is_after=is_after)
            if found is not None and (best is None or found.strength > best.strength):
                best = found
    return best


def _split(at: float, far: Bools, is_lost: Bools, clusters: Ints, *, is_after: bool) -> Split | None:
    number, rest = int(far.sum()), int((~far).sum())
    if min(number, rest) < _LEAST:
        return None
    there, here = float(is_lost[far].mean()), float(is_lost[~far].mean())
    pooled = float(is_lost.mean())
    groups_far, groups_near = len(np.unique(clusters[far])), len(np.unique(clusters[~far]))
    error = np.sqrt(pooled * (1 - pooled) * (1 / groups_far + 1 / groups_near))
    if there - here < GAP or here > NEAR or error == 0 or (there - here) / error < SURE:
        return None
    if is_lost[far].sum() < _HELD * is_lost.sum():
        return None
    return Split(at, here, there, far, (there - here) / error, is_after)


@dataclass(frozen=True, slots=True)
class WorseForm:
    """A form of questions whose answers are lost while the same groups' others are not."""

    form: str
    lost: float
    others: float

    def says(self, what: str) -> str:
        """In words."""
        others = f"in {percent(self.others)} of the same questions in other forms"
        return f"{what} in {percent(self.lost)} of questions of the form {self.form}, and {others}"


def worse_form(forms: Sequence[str | None], clusters: Ints, is_lost: Bools) -> WorseForm | None:
    """The form in which answers are lost more often than in others, compared within groups (McNemar's test)."""
    names = sorted({form for form in forms if form is not None})
    if len(names) < 2 or not is_lost.any():
        return None
    of = np.array([names.index(form) if form is not None else -1 for form in forms])
    best: WorseForm | None = None
    for number, name in enumerate(names):
        pairs = []
        for cluster in np.unique(clusters[is_lost]).tolist():
            mine, others = (
                is_lost[(clusters == cluster) & (of == number)],
                is_lost[(clusters == cluster) & (of != number) & (of >= 0)],
            )
            if len(mine) and len(others):
                pairs.append(float(mine.mean() - others.mean()))
        gaps = np.array(pairs)
        if len(gaps) < _LEAST:
            continue
        lost, rest = float(is_lost[of == number].mean()), float(is_lost[(of != number) & (of >= 0)].mean())
        error = np.sqrt((gaps**2).sum())
        if lost - rest < GAP / 1.5 or rest > NEAR or rest > lost / 3 or error == 0 or gaps.sum() / error < SURE:
            continue
        if best is None or lost - rest > best.lost - best.others:
            best = WorseForm(name, lost, rest)
    return best
