"""How large a difference must be to be found."""

import math

_Z_TWO_SIDED_05 = 1.959963984540054
"""The 0.975 quantile of the standard normal distribution."""
_Z_POWER_80 = 0.8416212335729143
"""Its 0.8 quantile."""


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


def groups_to_detect(difference: float) -> int:
    """How many semantic groups find such a difference four times in five, whichever groups it is made of.

    The other way round of `minimum_detectable_difference`, rounded up: n = c² · (1 - δ²) / δ².

    Args:
        difference: of two means of values between 0 and 1, larger than 0.
    """
    z = _Z_TWO_SIDED_05 + _Z_POWER_80
    return max(1, math.ceil(z * z * (1 - difference * difference) / (difference * difference) - 1e-9))


def detectable_difference(error: float, *, confidence: float = 0.95, power: float = 0.8) -> float:
    """The smallest true difference that a two-sided test finds with the given power, of a difference's standard error.

    δ = (z₁₋ₐ⸝₂ + z_power) · error with the normal approximation (Cohen 1988, Statistical Power Analysis, section 2.3).
    """
    return _quantiles(confidence, power, sides=2) * error


def clusters_needed(
    error: float, clusters: int, difference: float, *, sides: int = 2, confidence: float = 0.95, power: float = 0.8
) -> int | None:
    """How many clusters of the same kind would find a true difference with the given power; None of a difference of 0.

    The error of a mean shrinks with the root of the number of clusters: n · ((z + z) · error / δ)², rounded up.

    Args:
        error: the standard error that was observed with so many clusters.
        clusters: their number.
        difference: that is to be found, of either sign; for a margin the distance from it.
        sides: 1 for a one-sided test, such as one of non-inferiority.
        confidence: 1 less the level of the test.
        power: how often the difference is found.
    """
    if difference == 0:
        return None
    return max(2, math.ceil(clusters * (_quantiles(confidence, power, sides) * error / difference) ** 2))


def _quantiles(confidence: float, power: float, sides: int) -> float:
    from statistics import NormalDist

    normal = NormalDist()
    return normal.inv_cdf(1 - (1 - confidence) / sides) + normal.inv_cdf(power)


def least_share_found(count: int, *, confidence: float = 0.95, power: float = 0.8) -> float | None:
    """The least true share above one half that the sign test of so many tells from one half with the given power.

    Of a metric that prefers one candidate of each pair it is the least agreement with people that is told from chance.
    Of two metrics that never prefer the same candidate of a pair, the worst case, the least difference of their
    agreements is 2 · share - 1. The test is the exact two-sided one by the binomial distribution (Conover 1999,
    Practical Nonparametric Statistics, section 3.4), and so is its power: how often at least the smallest significant
    number comes up.

    Returns:
        None where no outcome of so few is significant.
    """
    from scipy.special import bdtrc, betaincinv

    numbers = range(count // 2 + 1, count + 1)
    least = next((number for number in numbers if 2 * bdtrc(number - 1, count, 0.5) < 1 - confidence), None)
    return None if least is None else float(betaincinv(least, count - least + 1, power))
