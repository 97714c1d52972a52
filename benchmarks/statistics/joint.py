"""Several systems on the same questions compared with each other at once.

Of 50 systems that are all alike, 1,225 pairs can be compared, and at 0.05 each some sixty would be found different by
chance. Here the level holds for all pairs together.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchwright.benchmarks.progress import Progress, silent
from benchwright.benchmarks.statistics.discordance import Moments, Sizes, softened_error, spread, standard_error
from benchwright.benchmarks.statistics.intervals import THIS_BENCHMARK, Floats, Ints, Target
from benchwright.benchmarks.statistics.paired import reach_of
from benchwright.benchmarks.statistics.signs import ALL_SIGNS, Reals, sign_blocks, sign_flip_p

_COLUMNS, _ROWS, _CELLS = 64, 4096, 65_536
"""Systems whose questions are added up at once, clusters that are multiplied, and flipped sums whose pairs are looked
at: as much as lies near a processor."""
_ROUNDING = 1e-4
"""A statistic that is smaller than another by less than this share is as large."""


@dataclass(frozen=True, slots=True)
class JointComparison:
    """All pairs of systems compared; pairs are in the order (0, 1), (0, 2), …, (1, 2), …"""

    means: Floats
    """Of each system, every question counting as one."""
    pairs: Ints
    """(pairs, 2): the places i < j of the systems."""
    differences: Floats
    """The first's mean minus the second's."""
    errors: Floats
    """Their standard errors by cluster."""
    p: Floats
    """Adjusted for all pairs; of two systems that of `sign_flip_p`."""
    low: Floats
    """Simultaneous intervals: all of them hold their difference at once as often as the confidence says."""
    high: Floats
    separated: npt.NDArray[np.bool_]
    """The adjusted p is below 1 - confidence, and the interval leaves out 0."""
    ranks: Ints
    """(systems, 2): the best and the worst rank that the separated pairs leave open to each system, from 1."""
    clusters: int
    critical: float
    """How many errors the intervals reach to either side; infinite where the clusters are too few."""
    target: Target = THIS_BENCHMARK
    """What intervals, tests and ranks speak of."""


def compare_jointly(
    values: Reals,
    clusters: Ints,
    *,
    limits: tuple[float, float] | None = (0.0, 1.0),
    higher_is_better: bool = True,
    confidence: float = 0.95,
    seed: int = 0,
    resamples: int = 10_000,
    progress: Progress = silent,
) -> JointComparison | None:
    """Compares all pairs of systems; None of fewer than two systems or two clusters, which cannot tell.

    The largest studentised difference of all pairs, under sign flips of whole clusters that are the same for all
    systems, is what each pair's is held against (single-step max-T: Westfall and Young 1993, Resampling-Based Multiple
    Testing, section 2.3), and the standard error is that of each flip (Romano and Wolf 2005, Econometrica 73). A flip
    does not change the sum of squares Q of a pair's differences over clusters, so that t is a growing function of
    |S| / √Q alone, and a pair of the flipped sums costs a subtraction and a product.

    Intervals come from flips of what clusters differ from the mean difference, hence hold the level too where systems
    do differ, with the error of `softened_error`. The further out the critical value, the more a difference that is
    small by luck goes with an error that is: half its square are added, as two are half the square of 1.96. Even so all
    intervals hold at once in fewer than 95 % of simulations where hundreds of systems, truly different, are right in
    90 % of 100 groups or fewer, though no more pairs are falsely separated (`benchmarks/facts/separation.md`). They
    reach no less far than Student's t. Ranks are those that the separated pairs leave open (Al Mohamad, Goeman and van
    Zwet 2022, Biometrics 78). A system whose clusters are all the same as another's is never separated from it. Where a
    pair's clusters differ all alike, and not by 0, the standard error is 0 and sign flips alone decide.

    Args:
        values: (questions, systems), no question without a score of all.
        clusters: of each question.
        limits: the least and the largest that a value can be; None where it has none.
        higher_is_better: which way ranks go.
        confidence: of the intervals all together; 1 - confidence is the level of `separated`.
        seed: of the flips.
        resamples: how many are drawn; with up to 13 clusters all are tried.
        progress: is told of the flips.

    Raises:
        ValueError: a value is not finite or outside the limits, or values and clusters differ in number.
    """
    if values.ndim != 2 or len(values) != len(clusters):
        raise ValueError(f"values of shape {values.shape} and {len(clusters)} clusters: a row for each question")
    reach = reach_of(limits, values)
    _, codes, counts = np.unique(clusters, return_inverse=True, return_counts=True)
    systems = values.shape[1]
    if len(counts) < 2 or systems < 2:
        return None
    sums = _cluster_totals(values, codes, len(counts))
    sizes = Sizes(len(counts), float(len(values)), float(counts @ counts.astype(float)))
    alike = _alike(sums)
    kept, place = np.unique(alike, return_inverse=True)
    distinct = sums if len(kept) == systems else sums[:, kept]
    moments = _moments(distinct, counts.astype(float), reach)
    null, centred = _largest(distinct, counts, moments, sizes, seed, resamples, progress)
    first, second = np.triu_indices(systems, 1)
    one, two = place[first], place[second]
    of_pairs = Moments(
        moments.total[one, two], moments.squares[one, two], moments.fourths[one, two], moments.sized[one, two]
    )
    p = _adjusted(_over(np.abs(of_pairs.total), of_pairs.squares), null, len(counts))
    if len(kept) == 2:
        alone = sign_flip_p(distinct[:, 0] - distinct[:, 1], "two-sided", seed=seed, resamples=resamples)
        p = np.where(one != two, alone, p)
    critical = _critical(centred, len(counts), confidence)
    differences = of_pairs.total / sizes.questions
    low, high = _intervals(of_pairs, sizes, reach, critical, clipped=limits is not None)
    separated = (p < 1 - confidence) & ((low > 0) | (high < 0))
    better = separated & ((differences > 0) == higher_is_better)
    return JointComparison(
        means=sums.sum(axis=0) / sizes.questions,
        pairs=np.stack([first, second], axis=1),
        differences=differences,
        errors=standard_error(of_pairs, sizes),
        p=p,
        low=low,
        high=high,
        separated=separated,
        ranks=_ranks(first, second, separated, better, systems),
        clusters=len(counts),
        critical=critical,
    )


def _cluster_totals(values: Reals, codes: Ints, clusters: int) -> Floats:
    """(clusters, systems): the sum of each cluster's values."""
    totals = np.empty((clusters, values.shape[1]))
    order = np.argsort(codes, kind="stable")
    starts = np.searchsorted(codes[order], np.arange(clusters))
    for start in range(0, values.shape[1], _COLUMNS):
        part = slice(start, start + _COLUMNS)
        np.add.reduceat(values[order, part], starts, axis=0, dtype=float, out=totals[:, part])
    return totals


def _alike(sums: Floats) -> Ints:
    """Of each system the first one whose clusters are all the same."""
    seen: dict[int, list[int]] = {}
    found = np.arange(sums.shape[1])
    for system in range(sums.shape[1]):
        column = sums[:, system] + 0.0
        others = seen.setdefault(hash(column.tobytes()), [])
        same = next((other for other in others if np.array_equal(column, sums[:, other])), None)
        found[system] = system if same is None else same
        if same is None:
            others.append(system)
    return found


def _moments(sums: Floats, counts: Floats, reach: float) -> Moments:
    """Of all ordered pairs (systems, systems), by products of matrices in blocks of clusters."""
    systems = sums.shape[1]
    second, fourth, skew = (np.zeros((systems, systems)) for _ in range(3))
    total, sized = sums.sum(axis=0), counts @ sums
    for start in range(0, len(sums), _ROWS):
        # what all systems have in common does not count, and rounds less where it is gone
        block = sums[start : start + _ROWS]
        block = block - block.mean(axis=1, keepdims=True)
        squares = block * block
        second += block.T @ block
        fourth += squares.T @ squares
        skew += (squares * block).T @ block
    own, own_fourth = np.diag(second), np.diag(fourth)
    squares = own[:, None] + own - 2 * second
    fourths = own_fourth[:, None] + own_fourth - 4 * (skew + skew.T) + 6 * fourth
    # differences of nearly equal sums are lost in rounding: such pairs are added up one by one
    for one, two in np.argwhere(np.triu(squares < 1e-7 * (own[:, None] + own), 1)):
        rests = sums[:, one] - sums[:, two]
        rests[np.abs(rests) < 1e-12 * counts * max(1.0, reach)] = 0.0
        squares[one, two] = squares[two, one] = float(rests @ rests)
        fourths[one, two] = fourths[two, one] = float((rests**4).sum())
    np.fill_diagonal(squares, 0.0)
    # the fourth powers of D lie between what equal clusters and a single one would have
    fourths = np.clip(fourths, squares**2 / len(sums), squares**2)
    return Moments(total[:, None] - total, squares, fourths, sized[:, None] - sized)


def _over(sums: Floats, squares: Floats) -> Floats:
    """|S| / √Q, 0 where a pair has no spread."""
    return np.where(squares > 0, sums / np.sqrt(np.where(squares > 0, squares, 1.0)), 0.0)


def _largest(
    sums: Floats, counts: Ints, moments: Moments, sizes: Sizes, seed: int, resamples: int, progress: Progress
) -> tuple[Floats, Floats]:
    """The largest |S| / √Q of all pairs in each flip: of the differences, and of what they differ from their means."""
    dtype = _precision(sums, moments)
    left, numbers = sums.astype(dtype, copy=False), counts.astype(dtype)
    of_null = _over(np.ones_like(moments.squares), moments.squares).astype(dtype)
    rests = spread(moments, sizes)
    of_centred = _over(np.ones_like(rests), rests).astype(dtype)
    means = (sums.sum(axis=0) / sizes.questions).astype(dtype)
    null, centred, done = [], [], 0
    for signs in sign_blocks(len(sums), resamples, dtype, seed=seed):
        flipped, sized = signs @ left, signs @ numbers
        for part in _parts(len(signs), max(1, _CELLS // len(means))):
            one = np.ascontiguousarray(flipped[part].T)
            null.append(_maxima(one, of_null))
            one -= means[:, None] * sized[part]
            centred.append(_maxima(one, of_centred))
        done += len(signs)
        progress("flips", done, resamples)
    return np.concatenate(null), np.concatenate(centred)


def _precision(sums: Floats, moments: Moments) -> type[np.floating]:
    """Half the space does where sums of whole numbers are exact in it, or where no two systems are nearly the same."""
    if float(np.abs(sums).sum(axis=0).max()) < 2**23 and bool((sums == np.rint(sums)).all()):
        return np.float32
    largest = max(float(column @ column) for column in sums.T)
    least = float(moments.squares.min(where=moments.squares > 0, initial=math.inf))
    return np.float32 if least > 0.01 * largest else np.float64


def _parts(number: int, size: int) -> Iterator[slice]:
    for start in range(0, number, size):
        yield slice(start, start + size)


def _maxima(flipped: Reals, weights: Reals) -> Floats:
    """Of flipped sums (systems, flips), the largest weighted difference of two systems in each flip."""
    best = np.zeros(flipped.shape[1], dtype=flipped.dtype)
    room = np.empty_like(flipped)
    for place in range(len(flipped) - 1):
        rest = room[place + 1 :]
        np.subtract(flipped[place + 1 :], flipped[place], out=rest)
        np.abs(rest, out=rest)
        rest *= weights[place, place + 1 :, None]
        np.maximum(best, rest.max(axis=0), out=best)
    return best.astype(float)


def _adjusted(observed: Floats, largest: Floats, clusters: int) -> Floats:
    """The share of flips, the observed one among them, whose largest statistic is at least as large."""
    ordered = np.sort(largest)
    above = len(ordered) - np.searchsorted(ordered, observed * (1 - _ROUNDING), side="left")
    if clusters <= ALL_SIGNS:
        return above / len(ordered)
    return (above + 1) / (len(ordered) + 1)


def _critical(largest: Floats, clusters: int, confidence: float) -> float:
    """How many errors intervals reach: the flips' quantile of t, and no fewer than Student's."""
    from scipy.special import stdtrit

    place = min(len(largest), math.ceil(confidence * (len(largest) + 1)))
    ratio = float(np.sort(largest)[place - 1]) ** 2
    if ratio >= clusters * (1 - _ROUNDING):
        return math.inf
    return max(
        math.sqrt(ratio * (clusters - 1) / (clusters - ratio)), float(stdtrit(clusters - 1, (1 + confidence) / 2))
    )


def _intervals(
    moments: Moments, sizes: Sizes, reach: float, critical: float, *, clipped: bool
) -> tuple[Floats, Floats]:
    number = max(2.0, min(sizes.clusters, critical * critical / 2))
    error, value = softened_error(moments, sizes, reach, number), moments.total / sizes.questions
    half = np.where(error > 0, critical * np.where(error > 0, error, 1.0), 0.0)
    return (
        (np.maximum(value - half, -reach), np.minimum(value + half, reach)) if clipped else (value - half, value + half)
    )


def _ranks(
    first: Ints, second: Ints, separated: npt.NDArray[np.bool_], better: npt.NDArray[np.bool_], systems: int
) -> Ints:
    """(systems, 2), given which pairs are separated and in which of them the first is the better one."""
    worse = separated & ~better
    above = np.bincount(second[better], minlength=systems) + np.bincount(first[worse], minlength=systems)
    below = np.bincount(first[better], minlength=systems) + np.bincount(second[worse], minlength=systems)
    return np.stack([1 + above, systems - below], axis=1)
