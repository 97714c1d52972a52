"""What a model's own knowledge adds to the coverage of the documents (Li et al. 2024, second version, Table 4).

Database accuracy (equation 1) counts a group as covered once one of its wordings is right, by whatever knowledge. It is
computed again without the *open* groups: those that the model answers alone, without any document. Groups are tagged
within one form, as all figures of the paper, and counted where two wordings or more were judged in both conditions.
"""

from dataclasses import dataclass

from benchwright.benchmarks.predictions import CLOSED, OWN
from benchwright.benchmarks.reports.blocks import Block, Cell, Column, Table, Text, foreign, missing, soft
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.format import count, figure, of
from benchwright.benchmarks.reports.grammar_figures import tag_group
from benchwright.benchmarks.reports.section import per_run
from benchwright.benchmarks.reports.share import Share, share

NO_FORM = "(no form)"


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


@per_run
def leakage_figures(run: RunData) -> Leakage | None:
    """Table 4; None of a run that was not asked without documents."""
    if run.shown != OWN or CLOSED not in run.condition.names:
        return None
    own, closed = (run.first_values("correct", condition) for condition in (OWN, CLOSED))
    if not closed:
        return Leakage("not available because no answer was judged without documents")
    groups: dict[tuple[str, str], list[tuple[bool, bool]]] = {}
    for place, value in own.items():
        group = run.questions.group.at(place)
        if group is not None and place in closed:
            key = run.questions.form.at(place) or NO_FORM, group
            groups.setdefault(key, []).append((value > 0.5, closed[place] > 0.5))
    found = []
    for form in dict.fromkeys(form for form, _ in groups):
        tags = [
            (tag_group([mine for mine, _ in answers]), tag_group([alone for _, alone in answers]))
            for (its, _), answers in groups.items()
            if its == form and len(answers) > 1
        ]
        if tags:
            found.append(_form(form, [(mine != "gap", alone != "gap") for mine, alone in tags]))
    if not found:
        return Leakage("not available because no group has two wordings that were judged with and without documents")
    return Leakage(None, tuple(found))


def _form(form: str, groups: list[tuple[bool, bool]]) -> FormLeakage:
    """Of whether each group is covered, and whether the model alone answers it."""
    rest = [covered for covered, is_open in groups if not is_open]
    return FormLeakage(
        form=form,
        with_open=share(sum(covered for covered, _ in groups), len(groups)),
        without_open=share(sum(rest), len(rest), "the model alone answers a wording of every group"),
        open_groups=len(groups) - len(rest),
    )


def leakage_blocks(run: RunData) -> list[Block]:
    """The table, or why there is none."""
    found = leakage_figures(run)
    if found is None:
        return []
    if found.reason:
        return [missing(found.reason)]
    columns, rows = [Column("")], list[tuple[Cell, ...]]()
    for each in found.forms:
        columns += [Column(foreign(each.form, 40)), Column("of")]
    for label, name in (("With open groups", "with_open"), ("Without open groups", "without_open")):
        cells: list[Cell] = [label]
        for each in found.forms:
            its: Share = getattr(each, name)
            cells += [figure(its.value), soft(of(its) if its.value is not None else its.reason or "")]
        rows.append(tuple(cells))
    said = (
        "Open groups are those of which the model answers a wording rightly without any document: "
        + ", ".join(f"{count(each.open_groups)} of {each.form}" for each in found.forms)
        + ". The rest is what the documents cover; what it knows by chance is open, too."
    )
    caption = ("Table 4 of the paper, for this run", soft(" – database accuracy (eq. 1), by groups"))
    return [Table(caption, tuple(columns), tuple(rows), "fit"), Text(foreign(said, 600), "small")]
