"""What a check said of the cases of a trial corpus, and the table of how often it errs."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

Z = 1.959964
"""Of a two-sided interval of 95 %."""


@dataclass(frozen=True)
class Verdict:
    """What a check said of one case."""

    id: str
    part: str
    is_good: bool
    fault: str
    """Of a wrong one."""
    why: str
    """Why it was refused; nothing where it was accepted."""

    @property
    def is_error(self) -> bool:
        """Whether a good one was refused or a wrong one accepted."""
        return self.is_good == bool(self.why)


def upper_bound(errors: int, of: int) -> float:
    """The upper end of Wilson's interval (1927) of 95 % for a share."""
    if not of:
        return 1.0
    share, spread = errors / of, Z * Z / of
    centre = share + spread / 2
    return (centre + Z * (share * (1 - share) / of + spread / (4 * of)) ** 0.5) / (1 + spread)


def table(verdicts: Sequence[Verdict]) -> list[str]:
    """Lines of Markdown: for each part how many wrong ones were accepted and good ones refused."""
    lines = [
        "| part | wrong accepted | at most | good refused | at most |",
        "|---|---|---|---|---|",
    ]
    for part in dict.fromkeys(one.part for one in verdicts):
        cells = [part]
        for is_good in (False, True):
            those = [one for one in verdicts if one.part == part and one.is_good is is_good]
            errors = sum(one.is_error for one in those)
            share = errors / len(those) if those else 0.0
            cells += [f"{errors} of {len(those)}: {share:.1%}", f"{upper_bound(errors, len(those)):.1%}"]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def fault_table(verdicts: Sequence[Verdict]) -> list[str]:
    """Lines of Markdown: for each fault how many of the wrong ones that have it were accepted, by part."""
    wrong = [one for one in verdicts if not one.is_good]
    parts = list(dict.fromkeys(one.part for one in wrong))
    lines = [f"| what is wrong, accepted | {' | '.join(parts)} |", "|---" * (len(parts) + 1) + "|"]
    for fault, _ in sorted(Counter(one.fault for one in wrong).items(), key=lambda x: (-x[1], x[0])):
        cells = [fault]
        for part in parts:
            those = [one for one in wrong if (one.part, one.fault) == (part, fault)]
            cells.append(f"{sum(one.is_error for one in those)} of {len(those)}" if those else "")
        lines.append(f"| {' | '.join(cells)} |")
    return lines
