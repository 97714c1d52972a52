"""Verdicts on numbered things: a reply that leaves one out, or judges one twice, does not fit and is asked for anew."""

from collections.abc import Sequence


def refuse_other_numbers(numbers: Sequence[int], count: int, what: str) -> None:
    """Refuses the numbers of verdicts that are not 1 to `count`, each once, in whatever order.

    Args:
        numbers: of the verdicts, as they came.
        count: how many things there are.
        what: what is judged, in the plural: for the message.

    Raises:
        ValueError: one is missing, doubled, or of nothing.
    """
    found = sorted(numbers)
    if found != list(range(1, count + 1)):
        raise ValueError(f"there are {count} {what}, and verdicts on {', '.join(map(str, found)) or 'none'}")
