"""Intervals and tests over semantic groups.

Wordings of one group are not independent: what is drawn, flipped and counted here are groups. Random numbers come from
numpy's PCG64 with a fixed seed, so that a report can be computed again; nothing here enters a release.
"""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_CELLS = 4_000_000
"""Random cells that are held at once: bounds memory at some 32 MB."""
_Z_TWO_SIDED_05 = 1.959963984540054
"""The 0.975 quantile of the standard normal distribution."""
_Z_POWER_80 = 0.8416212335729143
"""Its 0.8 quantile."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and its interval."""

    value: float
    low: float
    high: float


def _sums(values: Sequence[float], groups: Sequence[Hashable]) -> tuple[Floats, Floats]:
    """Sum and number of values of each group, in the order of first appearance."""
    if len(values) != len(groups):
        raise ValueError(f"{len(values)} values and {len(groups)} groups: each value needs its group")
    index: dict[Hashable, int] = {}
    codes = np.fromiter((index.setdefault(group, len(index)) for group in groups), dtype=np.int64, count=len(groups))
    array = np.asarray(values, dtype=float)
    if not np.isfinite(array).all():
        raise ValueError("a value is not finite: leave out what is unscored")
    sums = np.bincount(codes, weights=array, minlength=len(index)).astype(float)
    return sums, np.bincount(codes, minlength=len(index)).astype(float)


def bootstrap_mean(
    values: Sequence[float],
    groups: Sequence[Hashable],
    *,
    seed: int = 0,
    resamples: int = 10_000,
    confidence: float = 0.95,
) -> Interval | None:
    """The mean of values with a percentile interval from drawing whole groups with replacement; None without values.

    The cluster bootstrap (Field and Welsh 2007, Bootstrapping Clustered Data, section 2.1; percentiles: Efron and
    Tibshirani 1993, section 13.3). With one group the interval is the mean alone.

    Raises:
        ValueError: a value is not finite, or the two sequences differ in length.
    """
    sums, counts = _sums(values, groups)
    size = len(sums)
    if not size:
        return None
    mean = float(sums.sum() / counts.sum())
    generator = np.random.Generator(np.random.PCG64(seed))
    means = np.empty(resamples)
    step = max(1, _CELLS // size)
    for first in range(0, resamples, step):
        rows = min(step, resamples - first)
        drawn = generator.integers(0, size, size=(rows, size))
        means[first : first + rows] = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.quantile(means, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(mean, float(low), float(high))


def paired_sign_flip(
    first: Sequence[float],
    second: Sequence[float],
    groups: Sequence[Hashable],
    *,
    seed: int = 0,
    resamples: int = 10_000,
) -> float | None:
    """The two-sided p-value that two systems differ on the same questions; None without questions.

    Under the null hypothesis the sign of each group's total difference is arbitrary: all signs are tried with up to 13
    differing groups, else `resamples` random ones, of which the observed counts as one (Phipson and Smyth 2010).
    Fisher's randomisation test for pairs (Good 2005, Permutation, Parametric and Bootstrap Tests, section 3.7), by
    group.

    Raises:
        ValueError: a difference is not finite, or the sequences differ in length.
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} values: the test is of pairs")
    if not len(first):
        return None
    differences, _ = _sums(np.subtract(first, second).tolist(), groups)
    differences = differences[differences != 0]
    size = len(differences)
    observed = abs(differences.sum())
    limit = observed - 1e-9 * max(1.0, observed)
    if size <= 13:
        signs = 1 - 2 * ((np.arange(2**size)[:, None] >> np.arange(size)) & 1)
        return float((np.abs(signs @ differences) >= limit).mean())
    generator = np.random.Generator(np.random.PCG64(seed))
    extreme, step = 0, max(1, 8 * _CELLS // (size + 7))
    for start in range(0, resamples, step):
        rows = min(step, resamples - start)
        octets = generator.integers(0, 256, size=(rows, (size + 7) // 8), dtype=np.uint8)
        flipped = np.unpackbits(octets, axis=1, count=size).astype(np.float32) @ differences.astype(np.float32)
        extreme += int(
            (np.abs(differences.sum() - 2 * flipped.astype(float)) >= limit - 1e-5 * np.abs(differences).sum()).sum()
        )
    return (extreme + 1) / (resamples + 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values corrected for their number, in the same order: the step-down procedure of Holm 1979, capped at 1."""
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    corrected, largest = [0.0] * len(p_values), 0.0
    for rank, index in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[index]))
        corrected[index] = largest
    return corrected


def minimum_detectable_difference(groups: int) -> float:
    """The smallest true difference between two systems that a test of so many semantic groups finds four times in five.

    For a paired comparison of means over groups, two-sided at 0.05 with power 0.8 and the normal approximation,
    δ = (z₀.₉₇₅ + z₀.₈) · σ / √n (Cohen 1988, Statistical Power Analysis, section 2.3, for pairs). A difference of two
    values between 0 and 1 has a variance of at most 1 - δ²: the worst case, in which every group differs by 1, one way
    or the other. So δ = c / √(n + c²) with c = z₀.₉₇₅ + z₀.₈ ≈ 2.802: 0.26 for 108 groups, 0.028 for 10,000.

    Raises:
        ValueError: fewer than one group.
    """
    if groups < 1:
        raise ValueError(f"{groups} groups: at least one is needed")
    z = _Z_TWO_SIDED_05 + _Z_POWER_80
    return z / math.sqrt(groups + z * z)
