"""Semantic groups: tags, the picture of them, consistency, and which groups went worst."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchwright.benchmarks.reports.columns import Bools, Ints, Questions
from benchwright.benchmarks.reports.grammar_figures import Tag, tag_group
from benchwright.benchmarks.reports.metrics import OUTCOMES, Attempts
from benchwright.benchmarks.statistics.consistency import pair_consistency, within_cluster_correlation
from benchwright.benchmarks.statistics.intervals import Sample, bootstrap_means

CELLS_SHOWN = 2_000
GROUPS_SHOWN = 12
NO_GROUPS = "not available because the release's questions have no semantic groups"
NOTHING_JUDGED = "not available because no answer was judged by `correct`"
TAGS: tuple[Tag, ...] = ("gap", "non-robust", "robust")


@dataclass(frozen=True)
class Group:
    """One semantic group within a slice."""

    code: int
    """Of the group, or of the question alone where it has none."""
    members: tuple[int, ...]
    """Its questions that were judged."""
    outcomes: tuple[bool, ...]

    @property
    def tag(self) -> Tag:
        """gap, robust or non-robust."""
        return tag_group(self.outcomes)


def judged(attempts: Attempts) -> dict[int, bool]:
    """Question → whether its first answer is right, of those that were judged, in the release's order."""
    places = attempts.first
    places = places[attempts.outcome[places] != OUTCOMES.index("unscored")]
    right = attempts.outcome[places] == OUTCOMES.index("correct")
    return dict(zip(attempts.question[places].tolist(), right.tolist(), strict=True))


def collect(questions: Questions, correct: dict[int, bool], wanted: Bools | None = None) -> list[Group]:
    """The groups of the judged questions that are wanted, in the release's order."""
    found: dict[int, list[int]] = {}
    for place in correct:
        if wanted is None or wanted[place]:
            found.setdefault(int(questions.clusters[place]), []).append(place)
    return [Group(code, tuple(members), tuple(correct[place] for place in members)) for code, members in found.items()]


def unavailable(questions: Questions, correct: dict[int, bool]) -> str | None:
    """Why nothing can be said of groups, if so."""
    return NOTHING_JUDGED if not correct else NO_GROUPS if questions.columns["group"].is_empty else None


def _counts(groups: Iterable[Group]) -> dict[str, int]:
    tags = [group.tag for group in groups]
    return {tag: tags.count(tag) for tag in TAGS} | {"total": len(tags)}


def _forms(questions: Questions) -> list[tuple[str, Bools]]:
    column = questions.columns["form"]
    return [(name, column.codes == code) for code, name in enumerate(column.names)]


def group_section(questions: Questions, correct: dict[int, bool]) -> dict[str, Any]:
    """How many groups are gap, non-robust and robust, over all forms and within each; and the picture's cells."""
    reason = unavailable(questions, correct)
    if reason:
        return {"reason": reason, "all": None, "forms": {}, "rows": [], "shown": 0}
    groups = collect(questions, correct)
    rows = _rows(questions, groups)
    return {
        "reason": None,
        "all": _counts(groups),
        "forms": {name: _counts(collect(questions, correct, mask)) for name, mask in _forms(questions)},
        "rows": rows,
        "shown": sum(len(row["cells"]) for row in rows),
    }


def _rows(questions: Questions, groups: Sequence[Group]) -> list[dict[str, Any]]:
    """The picture: groups by template, fewest hops first, as many of each template as there is room for."""
    template, hops, kind = (questions.columns[name] for name in ("template", "hops", "kind"))
    gap = questions.columns["answerability"].where("gap")
    by_template: dict[int, list[Group]] = {}
    for group in groups:
        by_template.setdefault(int(template.codes[group.members[0]]), []).append(group)
    room = max(1, CELLS_SHOWN // max(1, len(by_template)))
    rows = []
    for code, members in list(by_template.items())[:CELLS_SHOWN]:
        first = members[0].members[0]
        rows.append(
            {
                "template": template.names[code] if code >= 0 else None,
                "question": first,
                "hops": int(hops.names[hops.codes[first]]) if hops.codes[first] >= 0 else None,
                "kind": kind.names[kind.codes[first]] if kind.codes[first] >= 0 else None,
                "counts": _counts(members),
                "cells": [
                    {
                        "tag": group.tag,
                        "correct": sum(group.outcomes),
                        "total": len(group.outcomes),
                        "known_gap": bool(gap[group.members[0]]),
                    }
                    for group in members[:room]
                ],
            }
        )
    return sorted(rows, key=lambda row: row["hops"] or 0)


def consistency_section(questions: Questions, correct: dict[int, bool]) -> dict[str, Any]:
    """Consistency over the headline's questions, over all forms and within each.

    Pair consistency is the chance that two wordings of a group are both right: unbiased, so that it does not depend on
    how many wordings there are. `given_right` divides it by the chance that one is.
    """
    reason = unavailable(questions, correct)
    if reason:
        return {"reason": reason, "all": None, "forms": {}}
    headline = questions.headline
    return {
        "reason": None,
        "all": _consistency(collect(questions, correct, headline)),
        "forms": {name: _consistency(collect(questions, correct, mask & headline)) for name, mask in _forms(questions)},
    }


def _consistency(groups: Sequence[Group]) -> dict[str, Any]:
    several = [group for group in groups if len(group.outcomes) > 1]
    pairs = [pair_consistency(sum(group.outcomes), len(group.outcomes)) or 0.0 for group in several]
    places = np.arange(len(several))
    interval = bootstrap_means([Sample(np.array(pairs, dtype=float), places)])[0]
    single = sum(sum(group.outcomes) / len(group.outcomes) for group in several)
    correlation = within_cluster_correlation([group.outcomes for group in groups])
    found: dict[str, Any] = {
        "pair_consistency": None if interval is None else interval.value,
        "low": None if interval is None else interval.low,
        "high": None if interval is None else interval.high,
        "given_right": sum(pairs) / single if single else None,
        "within_group_correlation": correlation,
        "groups": len(several),
        "total": len(groups),
    }
    reasons = {
        "pair_consistency": None if several else "no group has two wordings that were judged",
        "given_right": None if single else "no wording was answered rightly",
        "within_group_correlation": None
        if correlation is not None
        else "undefined: too few groups, or all outcomes equal",
    }
    return found | {"reasons": {name: reason for name, reason in reasons.items() if reason}}


def worst_groups(questions: Questions, correct: dict[int, bool], limit: int = GROUPS_SHOWN) -> list[Group]:
    """Groups to look at: of the headline's, in turn one that is never right and one that is right for some wordings.

    From numbers of hops in turn and of those from templates in turn, so that neither fills the list; within a template
    those with most wrong answers first.
    """
    groups = collect(questions, correct, questions.headline)
    template, hops = questions.columns["template"].codes, questions.columns["hops"].codes
    ordered = sorted(groups, key=lambda group: sum(group.outcomes) - len(group.outcomes))
    queues = [
        _in_turn(_in_turn([group for group in ordered if group.tag == tag], template), hops)
        for tag in ("gap", "non-robust")
    ]
    found: list[Group] = []
    while len(found) < limit and any(queues):
        found += [queue.pop(0) for queue in queues if queue]
    return found[:limit]


def _in_turn(groups: Sequence[Group], codes: Ints) -> list[Group]:
    """The groups, one of each code in turn, in the order of the codes; those of one code keep theirs."""
    seen: dict[int, int] = {}
    keyed = []
    for group in groups:
        code = int(codes[group.members[0]])
        seen[code] = seen.get(code, 0) + 1
        keyed.append((seen[code], code, group))
    return [group for _, _, group in sorted(keyed, key=lambda entry: entry[:2])]
