"""Why an answer is lost whose contexts held the evidence: a reader that fails, or that never saw it."""

from collections.abc import Sequence

import numpy as np

from benchwright.benchmarks.reports.failures.canned_replies import tell_canned
from benchwright.benchmarks.reports.failures.lost_answers import LostAnswers
from benchwright.benchmarks.reports.failures.splits import best_split, worse_form


def tell_readings(case: LostAnswers) -> None:
    """Why an answer is lost whose contexts held the evidence."""
    keys = ("shy", "ignores", "misreads", "copies", "output")
    held = case.places(lambda sign: sign.is_held)
    lost = case.open(*keys)
    found = worse_form([case.forms[place] for place in held], case.clusters[held], np.isin(held, lost))
    if found is not None:
        case.lay([place for place in lost if case.forms[place] == found.form], "reader-wording", found.says("loses it"))
    tell_canned(case)
    _tell_passing(case, held)
    for key in ("shy", "ignores"):
        mine = case.open(key)
        known = [case.gold_right[place] for each in mine if (place := case.signs[each].question) in case.gold_right]
        if known and sum(known) >= 0.7 * len(known):
            case.lay(mine, "passing", "with the gold passages alone the reader gets these right")


def _tell_passing(case: LostAnswers, held: Sequence[int]) -> None:
    lost = case.open("shy", "ignores", "misreads")
    is_lost = np.isin(held, lost)
    found = []
    for name, of in (
        ("contexts", lambda sign: sign.rank),
        ("characters of a context", lambda sign: sign.offset),
        ("of a context", lambda sign: sign.offset_share),
        ("characters of all contexts", lambda sign: sign.depth),
        ("of all contexts", lambda sign: sign.depth_share),
    ):
        values = np.array([of(case.signs[place]) for place in held], dtype=float)
        split = best_split(values, is_lost, case.clusters[held])
        if split is not None:
            found.append((split.strength, name, split))
    if found:
        _, name, split = max(found, key=lambda each: each[0])
        mine = [place for place, on, is_gone in zip(held, split.is_far, is_lost, strict=True) if on and is_gone]
        case.lay(mine, "passing", split.says("evidence", name))
