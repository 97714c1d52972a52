"""What a model's own knowledge adds to the coverage of the documents (Li et al. 2024, second version, Table 4).

Database accuracy (equation 1) counts a group as covered once one of its wordings is right, by whatever knowledge. It is
computed again without the *open* groups: those that the model answers alone, without any document. Groups are tagged
within one form, as all figures of the paper, and counted where two wordings or more were judged in both conditions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.predictions import CLOSED, OWN
from benchwright.benchmarks.reports.blocks import Block, Cell, Column, Table, Text, foreign, missing, soft
from benchwright.benchmarks.reports.columns import Questions, RunData
from benchwright.benchmarks.reports.format import count, figure, of
from benchwright.benchmarks.reports.section import per_run
from benchwright.benchmarks.reports.share import Share, share_of

NO_FORM = "(no form)"
NOT_BOTH = "no group has two wordings that were judged with and without documents"


@dataclass(frozen=True, slots=True)
class FormLeakage:
    """Database accuracy of one form's groups, with and without those that the model answers alone."""

    form: str
    with_open: Share
    """Groups with a right wording, of all: "With Open-Domain Queries"."""
    without_open: Share
    """The same of the groups that are gaps without any document: "Without Open-Domain Queries"."""
    open_groups: int
    """Groups of which the model alone answers a wording rightly."""


@dataclass(frozen=True, slots=True)
class Leakage:
    """Table 4 for this run."""

    reason: str | None
    forms: tuple[FormLeakage, ...] = ()


@dataclass(frozen=True, slots=True)
class BothWays:
    """A group of one form, judged with and without documents in the same wordings: two or more."""

    form: str
    group: str
    questions: tuple[int, ...]
    """Places."""
    right: int
    """Of the wordings, with the system's own retrieval."""
    right_alone: int
    """Without any document."""

    @property
    def is_covered(self) -> bool:
        """It is no gap group with retrieval."""
        return self.right > 0

    @property
    def is_open(self) -> bool:
        """The model alone answers a wording rightly."""
        return self.right_alone > 0


@per_run
def leakage_figures(run: RunData) -> Leakage | None:
    """Table 4; None of a run that was not asked without documents."""
    if run.shown != OWN or CLOSED not in run.condition.names:
        return None
    own, closed = (run.first_values("correct", condition) for condition in (OWN, CLOSED))
    if not closed:
        return Leakage("not available because no answer was judged without documents")
    groups = both_ways(run.questions, own, closed)
    if not groups:
        return Leakage(f"not available because {NOT_BOTH}")
    return Leakage(None, leakage_by_form(groups))


def both_ways(questions: Questions, own: Mapping[int, float], closed: Mapping[int, float]) -> list[BothWays]:
    """The groups of which a form has two wordings or more that were judged with and without documents.

    Args:
        questions: those of the run.
        own: question → `correct` with the system's own retrieval.
        closed: the same without documents.
    """
    groups: dict[tuple[str, str], list[int]] = {}
    for place in own:
        group = questions.group.at(place)
        if group is not None and place in closed:
            groups.setdefault((questions.form.at(place) or NO_FORM, group), []).append(place)
    return [
        BothWays(
            form=form,
            group=group,
            questions=tuple(places),
            right=sum(own[place] > 0.5 for place in places),
            right_alone=sum(closed[place] > 0.5 for place in places),
        )
        for (form, group), places in groups.items()
        if len(places) > 1
    ]


def leakage_by_form(groups: Sequence[BothWays]) -> tuple[FormLeakage, ...]:
    """Table 4 of each form, in the order in which they appear."""
    return tuple(
        leakage_of(form, [group for group in groups if group.form == form])
        for form in dict.fromkeys(group.form for group in groups)
    )


def leakage_of(form: str, groups: Sequence[BothWays]) -> FormLeakage:
    """Table 4 of some groups."""
    rest = [group for group in groups if not group.is_open]
    return FormLeakage(
        form=form,
        with_open=share_of([group.is_covered for group in groups]),
        without_open=share_of([group.is_covered for group in rest], "the model alone answers a wording of every group"),
        open_groups=len(groups) - len(rest),
    )


def leakage_blocks(run: RunData) -> list[Block]:
    """The table, or why there is none."""
    found = leakage_figures(run)
    if found is None:
        return []
    if found.reason:
        return [missing(found.reason)]
    said = (
        "Open groups are those of which the model answers a wording rightly without any document: "
        + ", ".join(f"{count(each.open_groups)} of {each.form}" for each in found.forms)
        + ". The rest is what the documents cover; what it knows by chance is open, too."
    )
    return [leakage_table(found.forms), Text(foreign(said, 600), "small")]


def leakage_table(forms: Sequence[FormLeakage]) -> Table:
    """Table 4: a row with open groups and one without, forms beside each other."""
    columns, rows = [Column("")], list[tuple[Cell, ...]]()
    for each in forms:
        columns += [Column(foreign(each.form, 40)), Column("of")]
    for label, name in (("With open groups", "with_open"), ("Without open groups", "without_open")):
        cells: list[Cell] = [label]
        for each in forms:
            its: Share = getattr(each, name)
            cells += [figure(its.value), soft(of(its) if its.value is not None else its.reason or "")]
        rows.append(tuple(cells))
    caption = ("Table 4 of the paper, for this run", soft(" – database accuracy (eq. 1), by groups"))
    return Table(caption, tuple(columns), tuple(rows), "fit")
