"""Semantic groups of a run: what was judged of each, and their tags."""

from collections.abc import Iterable
from dataclasses import dataclass

from benchwright.benchmarks.reports.columns import Bools, Questions, RunData
from benchwright.benchmarks.reports.grammar_figures import Tag, tag_group
from benchwright.benchmarks.reports.outcomes import NOT_JUDGED, judged_questions
from benchwright.benchmarks.reports.section import per_run

NO_GROUPS = "not available because the release's questions have no semantic groups"
NOTHING_JUDGED = f"not available because {NOT_JUDGED}"
TAGS: tuple[Tag, ...] = ("gap", "non-robust", "robust")


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
    def tag(self) -> Tag:
        """gap, robust or non-robust."""
        return tag_group(self.outcomes)


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
    return not unavailable(run) and any(len(group.members) > 1 for group in all_groups(run))


def tag_counts(groups: Iterable[Group]) -> dict[str, int]:
    """How many groups have each tag, and how many there are."""
    tags = [group.tag for group in groups]
    return {tag: tags.count(tag) for tag in TAGS} | {"total": len(tags)}


def by_form(questions: Questions) -> list[tuple[str, Bools]]:
    """Each form with its questions."""
    column = questions.form
    return [(name, column.codes == code) for code, name in enumerate(column.names)]
