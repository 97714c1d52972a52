"""The checks of documents on the trial corpus of statements: by rule alone, and with a model as checker on top."""

from collections.abc import Sequence

from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.responses import ReplyError
from benchwright.builders.aurp.documents import shown_in
from benchwright.builders.aurp.documents_by_model import Written, read_reply
from benchwright.builders.aurp.documents_checker import CHECKER, compared, read_by_model
from benchwright.builders.aurp.prove_documents import Checker
from benchwright.scripts.measure.trials.statements import PARTS, Case, cases, fill, trial_world
from benchwright.scripts.measure.trials.verdicts import Verdict


def statement_verdicts(client: Client | None = None, found: Sequence[Case] | None = None) -> list[Verdict]:
    """What the checks say of each case.

    Args:
        client: where it has a checker, the model is asked about those that rules accept; None: rules alone decide.
        found: the cases that are checked; None: all.

    Raises:
        StopError: a limit of the run is reached.
    """
    if found is None:
        found = [case for part in PARTS for case in cases(part)]
    reasons = {case.id: "; ".join(_problems_by_rule(case)) for case in found}
    if client is not None and client.has(CHECKER):
        accepted = [case for case in found if not reasons[case.id]]
        reasons |= dict.fromkeys(_refused_by_model(client, accepted), "the checker reads something else")
    return [Verdict(case.id, case.part, case.is_good, case.fault, reasons[case.id]) for case in found]


def _problems_by_rule(case: Case) -> list[str]:
    """The sorts of all that is wrong with a case, by the reading that a model's documents go through."""
    filled, world = fill(case), trial_world()
    checker = Checker(world, 1.0, filled.gaps)
    _, problems = read_reply(filled.plan, Written(tuple(filled.text.split("\n\n"))), checker, shown_in(world))
    return [sort for sort, _ in problems]


def _refused_by_model(client: Client, found: Sequence[Case]) -> set[str]:
    """Of the cases that rules accept those in which the model reads something else; no reading refuses, too."""

    async def ask(case: Case) -> bool:
        filled = fill(case)
        return bool(list(compared(filled.plan, await read_by_model(client, filled.plan, filled.text))))

    return {case.id for case, verdict in client.each(found, ask) if isinstance(verdict, ReplyError) or verdict}
