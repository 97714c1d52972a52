"""Paired differences of means over clusters, and whether chance alone would make them."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.statistics.intervals import Floats, Sample, bootstrap_means, cluster_sums, codes_of

_CELLS = 4_000_000
"""Random cells that are held at once: bounds memory at some 32 MB."""


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """Two values of each cluster compared, first minus second."""

    first: float
    """The mean of the first values."""
    second: float
    value: float
    """The mean of the differences."""
    low: float
    high: float
    effect: float | None
    """Cohen's d of pairs: the mean difference over its standard deviation; None where that is 0."""
    clusters: int
    first_larger: int
    """Clusters in which the first value is larger."""
    second_larger: int
    equal: int
    p: float
    """Two-sided, by sign flips."""


def paired_difference(
    first: Floats, second: Floats, *, seed: int = 0, resamples: int | None = None
) -> PairedDifference | None:
    """Compares two values of each cluster, given in the same order; None of no cluster.

    The interval is the bootstrap's, the p-value that of `paired_sign_flip`. `resamples` are those of the interval.

    Raises:
        ValueError: a value is not finite, or the arrays differ in length.
    """
    places = np.arange(len(first))
    p = paired_sign_flip(first, second, places.tolist(), seed=seed)
    differences = first - second
    interval = bootstrap_means([Sample(differences, places)], seed=seed, resamples=resamples)[0]
    if p is None or interval is None:
        return None
    spread = float(differences.std(ddof=1)) if len(first) > 1 else 0.0
    return PairedDifference(
        first=float(first.mean()),
        second=float(second.mean()),
        value=interval.value,
        low=interval.low,
        high=interval.high,
        effect=float(differences.mean()) / spread if spread > 0 else None,
        clusters=len(first),
        first_larger=int((differences > 0).sum()),
        second_larger=int((differences < 0).sum()),
        equal=int((differences == 0).sum()),
        p=p,
    )


def paired_sign_flip(
    first: Sequence[float] | Floats,
    second: Sequence[float] | Floats,
    clusters: Sequence[Hashable],
    *,
    seed: int = 0,
    resamples: int = 10_000,
) -> float | None:
    """The two-sided p-value that two systems differ on the same questions; None without questions.

    Under the null hypothesis the sign of each cluster's total difference is arbitrary: all signs are tried with up to
    13 differing clusters, else `resamples` random ones, of which the observed counts as one (Phipson and Smyth 2010).
    Fisher's randomisation test for pairs (Good 2005, Permutation, Parametric and Bootstrap Tests, section 3.7), by
    cluster.

    Raises:
        ValueError: a difference is not finite, or the sequences differ in length.
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} values: the test is of pairs")
    if not len(first):
        return None
    differences = cluster_sums(Sample(np.subtract(first, second).astype(float), codes_of(clusters)))[1]
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
