"""Errors of paired differences over clusters, which stay honest where hardly a cluster shows a difference.

Two systems that answered 40 groups alike have a difference of 0 and a standard error of 0. That is no proof that they
would answer all groups alike: an interval of [0, 0] holds the true difference of no two systems. So intervals are
computed as if there were two more clusters that differ a little, one each way.
"""

from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.statistics.intervals import Floats

_MANY = 10.0
"""So many clusters that differ show how large a difference of a cluster is."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Of all clusters together."""

    clusters: int
    questions: float
    squares: float
    """Σ c² of the numbers c of questions in a cluster."""


@dataclass(frozen=True, slots=True)
class Moments:
    """Sums over clusters of what each adds to a difference, D: arrays of one shape, an element for each pair."""

    total: Floats
    """Σ D."""
    squares: Floats
    """Σ D²."""
    fourths: Floats
    """Σ D⁴."""
    sized: Floats
    """Σ D · c with the cluster's number of questions."""


def spread(moments: Moments, sizes: Sizes) -> Floats:
    """Σ (D - c · d)² about the mean difference d: what clusters differ from it, 0 where only rounding is left."""
    mean = moments.total / sizes.questions
    found = moments.squares - 2 * mean * moments.sized + mean * mean * sizes.squares
    return np.where(found > 1e-9 * moments.squares, found, 0.0)


def standard_error(moments: Moments, sizes: Sizes) -> Floats:
    """Of the mean difference, linearised by cluster (Cochran 1977, Sampling Techniques, section 6.4)."""
    return np.sqrt(sizes.clusters / (sizes.clusters - 1) * spread(moments, sizes)) / sizes.questions


def softened_error(moments: Moments, sizes: Sizes, reach: float, number: float = 2.0) -> Floats:
    """The standard error that intervals are made of: as if some more clusters had differed, to either side alike.

    Agresti and Min 2005 (Statistics in Medicine 24, section 3) add half a pair to each cell of the table of two paired
    shares: of two clusters a half differs by 1 one way, and a half the other. What they do to the variance is done
    here; the middle stays where it is, which the simulations of `scripts/simulate_tests` show to err on neither side
    more often, where theirs, nearer to 0, does. What an added cluster differs by is what clusters were seen to,
    √(Σ D⁴ / Σ D²), where at least ten make up the differences, counted as (Σ D²)² / Σ D⁴; with fewer it is nearer to
    the most that an average cluster can.

    Args:
        moments: of the differences.
        sizes: of the clusters.
        reach: the most that a question's difference can be.
        number: of added clusters.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        typical = np.where(moments.squares > 0, moments.fourths / moments.squares, 0.0)
        seen = np.where(moments.fourths > 0, moments.squares**2 / moments.fourths, 0.0)
    weight = np.minimum(1.0, seen / _MANY)
    size = sizes.questions / sizes.clusters
    added = number / 2 * (weight * typical + (1 - weight) * (size * reach) ** 2)
    return np.sqrt(sizes.clusters / (sizes.clusters - 1) * (spread(moments, sizes) + added)) / sizes.questions
