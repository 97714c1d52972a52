"""Semantic groups of a run: how often each was asked, what was judged of it, and their tags.

A group of which only one wording was judged has no tag: whether another wording would do as well is not known.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.reports.answers.outcomes import NOT_JUDGED, judged_questions
from benchwright.benchmarks.reports.columns import Bools, Questions, RunData
from benchwright.benchmarks.reports.format import number_of
from benchwright.benchmarks.reports.grammar_figures import Tag, tag_group
from benchwright.benchmarks.reports.section import per_run

NO_GROUPS = "not available because the release's questions have no semantic groups"
NOTHING_JUDGED = f"not available because {NOT_JUDGED}"
ASKED_ONCE = "each group was asked once"
JUDGED_ONCE = "no group has two wordings that were judged"
TAGS: tuple[Tag, ...] = ("gap", "non-robust", "robust")
ONCE = "once"
"""What groups without a tag are counted under."""


@dataclass(frozen=True)
class Group:
    """One semantic group within a slice."""

    code: int
    """Of the group, or of the question alone where it has none."""
    members: tuple[int, ...]
    """Its questions that were judged."""
    outcomes: tuple[bool, ...]
    """Whether each was answered rightly."""

    @property
    def tag(self) -> Tag | None:
        """gap, robust or non-robust; None where only one wording was judged."""
        return tag_group(self.outcomes)


@dataclass(frozen=True, slots=True)
class AskedGroups:
    """How often the groups of a run were asked, over all forms or within one."""

    total: int
    twice: int
    """Asked in two wordings or more."""
    judged_twice: int
    """Of which two wordings or more were judged: only these say anything of robustness and consistency."""

    @property
    def reason(self) -> str | None:
        """Why nothing can be said of robustness and consistency, if so."""
        if self.judged_twice:
            return None
        return JUDGED_ONCE if self.twice else ASKED_ONCE


def asked_groups(run: RunData, wanted: Bools | None = None) -> AskedGroups:
    """How often the groups of the questions that are wanted were asked, and how often that was judged."""
    clusters = run.questions.clusters
    is_judged = np.zeros(len(clusters), dtype=bool)
    is_judged[list(judged_questions(run))] = True
    asked = np.ones(len(clusters), dtype=bool) if wanted is None else wanted
    times, judged = (np.unique(clusters[mask], return_counts=True)[1] for mask in (asked, asked & is_judged))
    return AskedGroups(len(times), int((times > 1).sum()), int((judged > 1).sum()))


def collect(questions: Questions, correct: dict[int, bool], wanted: Bools | None = None) -> list[Group]:
    """The groups of the judged questions that are wanted, in the release's order."""
    found: dict[int, list[int]] = {}
    clusters = questions.clusters.tolist()
    for place in correct:
        if wanted is None or wanted[place]:
            found.setdefault(clusters[place], []).append(place)
    return [Group(code, tuple(members), tuple(correct[place] for place in members)) for code, members in found.items()]


@per_run
def all_groups(run: RunData) -> list[Group]:
    """The groups of all judged questions, over all forms."""
    return collect(run.questions, judged_questions(run))


def unavailable(run: RunData) -> str | None:
    """Why nothing can be said of groups, if so."""
    if not judged_questions(run):
        return NOTHING_JUDGED
    return NO_GROUPS if run.questions.group.is_empty else None


@per_run
def has_wordings(run: RunData) -> bool:
    """Whether a group has several wordings that were judged: else robustness and consistency mean nothing."""
    return not unavailable(run) and asked_groups(run).judged_twice > 0


@per_run
def may_have_wordings(run: RunData) -> bool:
    """Whether a reader would look for robustness and consistency, be it that there is nothing to say."""
    return not unavailable(run) and (asked_groups(run).twice > 0 or run.settings.questions.wordings == 1)


def tag_counts(groups: Iterable[Group]) -> dict[str, int]:
    """How many groups have each tag, of how many only one wording was judged (`once`), and how many there are."""
    tags = [group.tag for group in groups]
    return {tag: tags.count(tag) for tag in TAGS} | {ONCE: tags.count(None), "total": len(tags)}


def judged_wordings(run: RunData) -> str:
    """In how many wordings the run's groups were judged: what shares of groups depend on."""
    numbers = [len(group.outcomes) for group in all_groups(run)]
    least, most = min(numbers, default=0), max(numbers, default=0)
    return number_of(most, "wording") if least == most else f"{least:,} to {most:,} wordings"


def by_form(questions: Questions) -> list[tuple[str, Bools]]:
    """Each form with its questions."""
    column = questions.form
    return [(name, column.codes == code) for code, name in enumerate(column.names)]
