"""Wald's interval of a share, which papers print: it has no width at 0 and 1, and takes no notice of clusters."""

import math

Z = 1.959963984540054
"""Of the standard normal distribution, for 95 %."""


def wald_z(share: float, total: int) -> tuple[float, float]:
    """Wald's z-interval of a share of so many independent outcomes, with 95 %, cut to 0 and 1.

    share ± 1.96 √(share (1 - share) / total) (Brown, Cai and DasGupta 2001, Statistical Science 16, who show what it
    lacks). GRAMMAR's Table 1 has it. Reports print it beside an interval by cluster, never alone.
    """
    half = Z * math.sqrt(share * (1 - share) / total)
    return max(0.0, share - half), min(1.0, share + half)
