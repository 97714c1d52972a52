"""How figures are written in blocks: percentages, counts, p-values, intervals."""

from collections.abc import Mapping

from benchwright.benchmarks.reports.blocks import Range
from benchwright.benchmarks.reports.share import Share

NONE = "–"
SHARE: Range = (0.0, 1.0)


def percent(value: float | None, digits: int = 1) -> str:
    """A share as a percentage."""
    return NONE if value is None else f"{100 * value:.{digits}f} %"


def amount(value: float | None, scale: Range = SHARE) -> str:
    """A value: a percentage, or a figure on a scale of its own."""
    return percent(value) if scale == SHARE else figure(value, 2)


def interval(low: float | None, high: float | None, scale: Range = SHARE) -> str:
    """An interval: in per cent, or on a scale of its own."""
    if low is None or high is None:
        return NONE
    return f"{low:.2f} to {high:.2f}" if scale != SHARE else f"{100 * low:.1f} to {100 * high:.1f}"


def figure(value: float | None, digits: int = 4) -> str:
    """A figure with so many digits after the point."""
    return NONE if value is None else f"{value:.{digits}f}"


def minus(text: str) -> str:
    """A text of figures with a minus sign for a hyphen."""
    return text.replace("-", "−")


def signed(value: float | None) -> str:
    """A difference of shares in percentage points, with its sign."""
    return NONE if value is None else minus(f"{100 * value:+.1f}")


def count(value: float | None) -> str:
    """A whole number with thousands set apart; what is not known is said to be so."""
    return "unknown" if value is None else f"{value:,.0f}"


def number_of(value: int, noun: str) -> str:
    """A count of things whose plural ends in -s."""
    return f"{value:,} {noun}{'' if value == 1 else 's'}"


def of(share: Share) -> str:
    """The count of a share and what it is of."""
    counted = f"{share.count:,.1f}" if isinstance(share.count, float) else f"{share.count:,}"
    return f"{counted} of {share.total:,}"


def p_value(value: float | None) -> str:
    """A p-value."""
    return NONE if value is None else "< 0.001" if value < 0.001 else f"{value:.3f}"


def seconds(value: float | None) -> str:
    """A time in seconds or minutes."""
    if value is None:
        return "unknown"
    return f"{value / 60:,.1f} min" if value >= 120 else f"{value:.2f} s" if value >= 0.1 else f"{1000 * value:.1f} ms"


def money(value: float | None) -> str:
    """A cost in US dollars."""
    return "unknown" if value is None else f"${value:,.2f}" if value >= 0.01 else f"${value:.5f}"


def reasons(tally: Mapping[str, int], shown: int = 3) -> str:
    """Reasons with their counts, the most frequent first."""
    first = [f"{reason[:120]} ({number:,})" for reason, number in list(tally.items())[:shown]]
    more = len(tally) - shown
    return "; ".join([*first, f"{more:,} more reasons"] if more > 0 else first)


def sentence(text: str) -> str:
    """A text that begins with a capital letter."""
    return text[:1].upper() + text[1:]


def hops(number: int | str) -> str:
    """How many facts are combined."""
    return f"{number} {'hop' if str(number) == '1' else 'hops'}"
