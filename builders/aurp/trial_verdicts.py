"""What the checks say of the cases of `trial_statements`: the same reading that a model's documents go through."""

from benchwright.builders.aurp.documents import shown_in
from benchwright.builders.aurp.documents_by_model import Written, read_reply
from benchwright.builders.aurp.find_forbidden import Problem
from benchwright.builders.aurp.prove_documents import Checker
from benchwright.builders.aurp.trial_statements import Case, fill, trial_world


def problems_by_rule(case: Case) -> list[Problem]:
    """All that rules find wrong with a case; raises BenchwrightError for one that cannot be filled."""
    filled, world = fill(case), trial_world()
    checker = Checker(world, 1.0, filled.gaps)
    return read_reply(filled.plan, Written(tuple(filled.text.split("\n\n"))), checker, shown_in(world))[1]
