"""How many wrong statements the checks of documents accept, and how many good ones they refuse, on the trial corpus."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.responses import ReplyError
from benchwright.benchmarks.statistics.intervals import Sample
from benchwright.benchmarks.statistics.shares import clustered_share
from benchwright.builders.aurp.documents_checker import CHECKER, compared, read_by_model
from benchwright.builders.aurp.trial_statements import HALVES, Case, cases, fill
from benchwright.builders.aurp.trial_verdicts import problems_by_rule
from benchwright.scripts.measure.trials.verdicts import Verdict

RULES = "rules"


@dataclass(frozen=True)
class Count:
    """What one check made of one half of the corpus."""

    half: str
    check: str
    wrong: int
    accepted: int
    """Of the wrong ones."""
    good: int
    refused: int
    """Of the good ones."""
    faults: tuple[tuple[str, int], ...] = ()
    """Of the wrong ones that were accepted, by fault."""


def counted(client: Client | None = None) -> Iterator[Count]:
    """What rules make of each half, and with a checker what rules and the model together make of it."""
    for half in HALVES:
        found = list(cases(half))
        refused = {case.id for case in found if problems_by_rule(case)}
        if found:
            yield _count(half, RULES, found, refused)
        if found and client is not None:
            more = _refused_by_model(client, [case for case in found if case.id not in refused])
            yield _count(half, "rules and a model", found, refused | more)


def statement_verdicts(client: Client | None = None) -> list[Verdict]:
    """What rules say of each case, and where the client has a checker, what it says of those that rules accept."""
    found = [case for half in HALVES for case in cases(half)]
    reasons = {case.id: "; ".join(sort for sort, _ in problems_by_rule(case)) for case in found}
    if client is not None and client.has(CHECKER):
        accepted = [case for case in found if not reasons[case.id]]
        reasons |= dict.fromkeys(_refused_by_model(client, accepted), "the checker reads something else")
    return [Verdict(case.id, case.half, case.is_good, case.fault, reasons[case.id]) for case in found]


def upper(part: int, whole: int) -> float:
    """The upper end of Wilson's interval, 95 % from both sides, of a share of independent cases."""
    cases_apart = np.arange(whole)
    interval = clustered_share(Sample((cases_apart < part).astype(np.float64), cases_apart))
    return interval.high if interval else 1.0


def table(counts: Iterable[Count]) -> str:
    """The counts as a table in Markdown."""
    lines = [
        "| half | checked by | wrong, accepted | at most (95 %) | good, refused | at most (95 %) |",
        "|---|---|---|---|---|---|",
    ]
    for one in counts:
        lines.append(
            f"| {one.half} | {one.check} | {one.accepted} of {one.wrong} | {upper(one.accepted, one.wrong):.1%} "
            f"| {one.refused} of {one.good} | {upper(one.refused, one.good):.1%} |"
        )
    return "\n".join(lines)


def _count(half: str, check: str, found: list[Case], refused: set[str]) -> Count:
    wrong = [case for case in found if not case.is_good]
    accepted = [case for case in wrong if case.id not in refused]
    faults: dict[str, int] = {}
    for case in accepted:
        faults[case.fault] = faults.get(case.fault, 0) + 1
    turned_down = sum(case.is_good and case.id in refused for case in found)
    return Count(
        half, check, len(wrong), len(accepted), len(found) - len(wrong), turned_down, tuple(sorted(faults.items()))
    )


def _refused_by_model(client: Client, found: list[Case]) -> set[str]:
    """Of the cases that rules accept those in which the model reads something else; no reading refuses, too."""

    async def ask(case: Case) -> bool:
        filled = fill(case)
        return bool(list(compared(filled.plan, await read_by_model(client, filled.plan, filled.text))))

    return {case.id for case, verdict in client.each(found, ask) if isinstance(verdict, ReplyError) or verdict}


if __name__ == "__main__":
    print(table(counted()))  # noqa: T201
