"""Whether outcomes of one cluster go together: of counts and outcomes, without a word on what they are."""

from collections.abc import Sequence


def pair_consistency(correct: int, total: int) -> float | None:
    """The chance that two different members of a cluster are both right, unbiased; None with fewer than two members.

    c (c - 1) / (n (n - 1)): the U-statistic of p² (Hoeffding 1948), whose expectation does not depend on n.
    """
    return correct * (correct - 1) / (total * (total - 1)) if total > 1 else None


def pair_agreement(correct: int, total: int) -> float | None:
    """The chance that two different members of a cluster are both right or both wrong; None with fewer than two.

    1 - 2 c (n - c) / (n (n - 1)): the U-statistic of p² + (1 - p)² (Hoeffding 1948), whose expectation does not depend
    on n, as the share of clusters that are all right or all wrong does.
    """
    return 1 - 2 * correct * (total - correct) / (total * (total - 1)) if total > 1 else None


def within_cluster_correlation(clusters: Sequence[Sequence[bool]]) -> float | None:
    """The intraclass correlation of outcomes, by the one-way analysis of variance estimator for unequal clusters.

    ρ = (MSB - MSW) / (MSB + (n₀ - 1) MSW), n₀ = (N - Σ nᵢ² / N) / (k - 1) (Donner 1986, A Review of Inference
    Procedures for the Intraclass Correlation Coefficient, section 2). May fall below 0. None with one cluster, with no
    cluster of two members, or where all outcomes are equal.
    """
    total, size = sum(map(len, clusters)), len(clusters)
    if size < 2 or total <= size:
        return None
    mean = sum(map(sum, clusters)) / total
    between = sum(len(cluster) * (sum(cluster) / len(cluster) - mean) ** 2 for cluster in clusters) / (size - 1)
    within = sum(sum(cluster) * (1 - sum(cluster) / len(cluster)) for cluster in clusters) / (total - size)
    typical = (total - sum(len(cluster) ** 2 for cluster in clusters) / total) / (size - 1)
    divisor = between + (typical - 1) * within
    return (between - within) / divisor if divisor > 0 else None


def disagreement_of_two_members(shares: Sequence[float]) -> float | None:
    """The chance that one try of each of two different members of a cluster come out unlike; None with fewer than two.

    The mean over pairs of p (1 - q) + q (1 - p), which is unbiased where each share is: the tries are of different
    members, and so independent.
    """
    count, total = len(shares), sum(shares)
    if count < 2:
        return None
    same = sum(share * (1 - share) for share in shares)
    return 2 * (total * (count - total) - same) / (count * (count - 1))
