"""How figures and foreign texts of a report are written: percentages, counts, p-values, text that does no harm."""

import re
from collections.abc import Mapping
from typing import Any

NONE = "–"
TEXT_LENGTH = 2_000
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")


def readable(text: Any, limit: int = TEXT_LENGTH) -> str:
    """A text of at most so many characters, with � for control characters, lone surrogates and direction overrides."""
    said = str(text)
    kept = said if len(said) <= limit else f"{said[:limit]}… ({len(said) - limit:,} more characters)"
    return _BIDI.sub("\ufffd", _UNSAFE.sub("\ufffd", kept))


def percent(value: float | None, digits: int = 1) -> str:
    """A share as a percentage."""
    return NONE if value is None else f"{100 * value:.{digits}f} %"


def is_share(entry: Mapping[str, Any]) -> bool:
    """Whether an entry's value is a share, from 0 to 1; a metric may have another range."""
    return entry.get("range", [0.0, 1.0]) == [0.0, 1.0]


def amount(entry: Mapping[str, Any]) -> str:
    """The value of a metric's entry: a percentage, or a figure on the metric's own scale."""
    return percent(entry["value"]) if is_share(entry) else figure(entry["value"], 2)


def position(value: float, entry: Mapping[str, Any]) -> float:
    """Where a value lies on its scale, from 0 to 100."""
    low, high = entry.get("range", [0.0, 1.0])
    return 100 * max(0.0, min(1.0, (value - low) / (high - low)))


def interval(entry: Mapping[str, Any] | None) -> str:
    """The interval of an entry with `low` and `high`: in per cent, or on the metric's own scale."""
    if not entry or entry.get("low") is None:
        return NONE
    if not is_share(entry):
        return f"{entry['low']:.2f} to {entry['high']:.2f}"
    return f"{100 * entry['low']:.1f} to {100 * entry['high']:.1f}"


def figure(value: float | None, digits: int = 4) -> str:
    """A figure with so many digits after the point."""
    return NONE if value is None else f"{value:.{digits}f}"


def signed(value: float | None) -> str:
    """A difference of shares in percentage points, with its sign."""
    return NONE if value is None else f"{100 * value:+.1f}".replace("-", "−")


def count(value: float | None) -> str:
    """A whole number with thousands set apart; what is not known is said to be so."""
    return "unknown" if value is None else f"{value:,.0f}"


def of(entry: Mapping[str, Any]) -> str:
    """The count of a share and what it is of."""
    expected = entry["count"]
    return (
        f"{expected:,.1f} of {entry['total']:,}"
        if isinstance(expected, float)
        else f"{expected:,} of {entry['total']:,}"
    )


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
    first = [f"{readable(reason, 120)} ({number:,})" for reason, number in list(tally.items())[:shown]]
    more = len(tally) - shown
    return "; ".join([*first, f"{more:,} more reasons"] if more > 0 else first)


def sentence(text: str) -> str:
    """A text that begins with a capital letter."""
    return text[:1].upper() + text[1:]
