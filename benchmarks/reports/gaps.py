"""Coverage: which groups the corpus can answer, which the system answered, and gaps that were answered by luck."""

from typing import Any

import numpy as np

from benchwright.benchmarks.reports.columns import Questions, RunData
from benchwright.benchmarks.reports.grammar_figures import known_coverage
from benchwright.benchmarks.reports.groups import Group, collect, unavailable
from benchwright.benchmarks.reports.metrics import share

GUESSES_SHOWN = 200


def coverage_section(run: RunData, correct: dict[int, bool]) -> dict[str, Any]:
    """True coverage where the release knows it, beside the share of groups with any right answer; and lucky guesses."""
    questions = run.questions
    reason = unavailable(questions, correct)
    groups = collect(questions, correct)
    competent = sum(group.tag != "gap" for group in groups)
    found: dict[str, Any] = {"reason": reason}
    if not reason:
        found["competent"] = share(competent, len(groups), "no group was judged")
        found["true"] = _true_coverage(run, [int(group.members[0]) for group in groups])
    return found | {"gaps": lucky_guesses(questions, correct)}


def _true_coverage(run: RunData, firsts: list[int]) -> dict[str, Any]:
    """Groups whose answer the corpus states, of those that have an answer."""
    column = run.questions.columns["answerability"]
    if not run.release.manifest.rows.get("corpus"):
        return share(0, 0, "the release has no documents: which answers a system's own state is not known")
    names = {place: column.names[column.codes[place]] if column.codes[place] >= 0 else None for place in firsts}
    known = {"answerable": True, "gap": False}
    coverage = known_coverage({str(place): known.get(name or "") for place, name in names.items()})
    return share(coverage.count, coverage.total, "the release does not say which questions are answerable")


def lucky_guesses(questions: Questions, correct: dict[int, bool]) -> dict[str, Any]:
    """Known gaps that were answered rightly though no document states the answer, compared with chance.

    Chance is 1 / (different gold answers of the template): what picking one of them at random would get right. `shown`
    has an entry for each group, with its first question that was guessed.
    """
    column, templates = questions.columns["answerability"], questions.columns["template"]
    gaps = np.flatnonzero(column.where("gap"))
    judged = [int(place) for place in gaps if int(place) in correct]
    right = [place for place in judged if correct[place]]
    guessed = [
        group for group in collect(questions, {place: correct[place] for place in judged}) if any(group.outcomes)
    ]
    chances = {place: _chance(questions, int(templates.codes[place])) for place in judged}
    known = [chance for chance in chances.values() if chance is not None]
    reason = None if judged else "the run has no known gap that was judged"
    if judged and not known:
        reason = "the release's questions have no templates: chance is not known"
    return {
        "correct": share(len(right), len(judged), "the run has no known gap that was judged"),
        "expected_by_chance": share_of_sum(sum(known), len(known), reason),
        "groups": len(guessed),
        "total_groups": len({int(questions.clusters[place]) for place in judged}),
        "shown": [_guess(group, chances) for group in guessed[:GUESSES_SHOWN]],
        "omitted": max(0, len(guessed) - GUESSES_SHOWN),
        "reason": None if judged else reason,
    }


def _guess(group: Group, chances: dict[int, float | None]) -> dict[str, Any]:
    place = group.members[group.outcomes.index(True)]
    return {
        "question": place,
        "chance": chances[place],
        "correct": sum(group.outcomes),
        "total": len(group.outcomes),
    }


def share_of_sum(total: float, count: int, reason: str | None) -> dict[str, Any]:
    """A mean of chances with how many there are; none of nothing."""
    found: dict[str, Any] = {"value": total / count if count else None, "count": total, "total": count}
    return found if count else found | {"reason": reason}


def _chance(questions: Questions, template: int) -> float | None:
    answers = questions.distinct_answers.get(template)
    return 1 / answers if answers else None
