"""Sums of what clusters add when their signs are flipped at random: Fisher's randomisation test for pairs, by cluster.

Under the null hypothesis that two systems are alike, a cluster's difference could as well have had the other sign.
"""

import math
from collections.abc import Iterator
from typing import Literal

import numpy as np
import numpy.typing as npt

from benchwright.benchmarks.statistics.intervals import Floats

Reals = npt.NDArray[np.floating]
Alternative = Literal["two-sided", "greater", "less"]

ALL_SIGNS = 13
"""So many clusters have all their signs tried."""
_CELLS = 4_000_000
"""Signs that are held at once: bounds memory at some 32 MB."""
_SCALES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 20, 60)
"""Parts of 1 in which sums of grades are looked for as whole numbers."""
_GRID = 4_000_000
"""The most cosines that an exact distribution may cost."""
_LEAST = 1e-14
"""Smaller p-values are lost in the rounding of an exact distribution: they are given as this."""
_OCTETS = (1 - 2 * ((np.arange(256)[:, None] >> np.arange(8)) & 1)).astype(np.int8)


def sign_blocks(size: int, number: int, dtype: npt.DTypeLike, *, seed: int) -> Iterator[Reals]:
    """Arrays (flips, size) of 1 and -1: every flip where the clusters are few, up to turning all, else random ones.

    Args:
        size: clusters.
        number: of random flips; where all are tried there are 2 to the power of size - 1.
        dtype: of the arrays, float32 or float64.
        seed: of PCG64.
    """
    if size <= ALL_SIGNS:
        yield (1 - 2 * ((np.arange(2 ** max(size - 1, 0))[:, None] >> np.arange(size)) & 1)).astype(dtype)
        return
    generator = np.random.Generator(np.random.PCG64(seed))
    octets, table = (size + 7) // 8, _OCTETS.astype(dtype)
    step = max(1, _CELLS // size)
    for start in range(0, number, step):
        rows = min(step, number - start)
        drawn = generator.integers(0, 256, size=(rows, octets), dtype=np.uint8)
        yield table[drawn].reshape(rows, 8 * octets)[:, :size]


def sign_flip_p(
    differences: Floats, alternative: Alternative = "two-sided", *, seed: int = 0, resamples: int = 10_000
) -> float:
    """The p-value of the sum of what clusters differ by, under random signs.

    Fisher's randomisation test for pairs (Good 2005, Permutation, Parametric and Bootstrap Tests, section 3.7). The
    distribution is exact where the differences are multiples of a common part, as sums of right and wrong answers are
    (from its characteristic function, Pagano and Tritchler 1983, Journal of the American Statistical Association 78;
    with answers that are right or wrong and clusters of one it is the exact test of McNemar), and where up to 13
    clusters differ; else `resamples` flips are drawn, of which the observed one counts as one more (Phipson and Smyth
    2010, Statistical Applications in Genetics and Molecular Biology 9).

    Args:
        differences: a sum for each cluster.
        alternative: "greater" where only a large sum speaks against chance, "less" where only a small one does.
        seed: of the flips that are drawn.
        resamples: how many are.
    """
    differences = differences[differences != 0]
    if not len(differences):
        return 1.0
    observed = float(differences.sum()) * (-1 if alternative == "less" else 1)
    two_sided = alternative == "two-sided"
    observed = abs(observed) if two_sided else observed
    exact = _exact_tail(differences, observed)
    if exact is not None:
        return max(_LEAST, min(1.0, 2 * exact if two_sided else exact))
    limit = observed - 1e-9 * float(np.abs(differences).sum())
    if len(differences) <= ALL_SIGNS:
        half = np.concatenate([signs @ differences for signs in sign_blocks(len(differences), 0, float, seed=seed)])
        flipped = np.concatenate([half, -half])
    else:
        flipped = _drawn(differences, resamples, seed)
    above = int(((np.abs(flipped) if two_sided else flipped) >= limit).sum())
    return above / len(flipped) if len(differences) <= ALL_SIGNS else (above + 1) / (resamples + 1)


def _drawn(differences: Floats, resamples: int, seed: int) -> Floats:
    """Sums under random signs; what eight clusters can add up to is looked up, for all their signs at once."""
    octets = (len(differences) + 7) // 8
    padded = np.zeros(8 * octets)
    padded[: len(differences)] = differences
    sums = padded.reshape(octets, 8) @ _OCTETS.T.astype(float)
    generator = np.random.Generator(np.random.PCG64(seed))
    found = np.zeros(resamples)
    for of_eight in sums:
        found += of_eight[generator.integers(0, 256, size=resamples, dtype=np.uint8)]
    return found


def _exact_tail(differences: Floats, observed: float) -> float | None:
    """The chance of a sum of at least the observed one; None where that is dear or there is no common part."""
    for scale in _SCALES:
        units = np.abs(differences) * scale
        whole = np.rint(units)
        # grades of repeats come in single precision
        if np.abs(units - whole).max() < 1e-6 * scale:
            break
    else:
        return None
    kinds, numbers = np.unique(whole[whole > 0].astype(np.int64), return_counts=True)
    total = int(kinds @ numbers)
    if not total or (total + 1) * len(kinds) > _GRID:
        return None
    # the sum is total - 2 W, where W adds up what has the minus sign: of 0 to total
    angles = math.pi * np.arange(total // 2 + 1) / (total + 1)
    size = np.ones(len(angles))
    for kind, number in zip(kinds.tolist(), numbers.tolist(), strict=True):
        size *= np.cos(angles * kind) ** number
    chances = np.fft.irfft(size * np.exp(-1j * angles * total), n=total + 1)
    most = (total - round(observed * scale)) // 2
    return float(chances[: most + 1].sum())
