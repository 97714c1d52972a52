"""Semantic groups: how many are robust, non-robust and gap, and a picture of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from benchwright.benchmarks.reports.answers.outcomes import judged_questions
from benchwright.benchmarks.reports.answers.shown_texts import question_texts
from benchwright.benchmarks.reports.blocks import (
    Block,
    Cell,
    Chart,
    Column,
    Details,
    Inline,
    Listing,
    Mark,
    Span,
    Table,
    Text,
    Tone,
    foreign,
    missing,
    soft,
    strong,
)
from benchwright.benchmarks.reports.columns import Bools, RunData
from benchwright.benchmarks.reports.format import NONE, count, hops, interval, number_of, percent
from benchwright.benchmarks.reports.grammar_figures import Tag
from benchwright.benchmarks.reports.groups import (
    ONCE,
    AskedGroups,
    Group,
    all_groups,
    asked_groups,
    by_form,
    collect,
    judged_wordings,
    may_have_wordings,
    tag_counts,
    unavailable,
)
from benchwright.benchmarks.reports.noise.equal_wordings import EqualWordings, at_equal_wordings
from benchwright.benchmarks.reports.noise.repeats import includes_run_to_run
from benchwright.benchmarks.reports.section import Content, ReportSection, per_run
from benchwright.benchmarks.reports.sections.consistency import consistency_figures
from benchwright.benchmarks.statistics.wordings import ThinnedTags

CELLS_SHOWN = 2_000
MEANINGS: Mapping[Tag, str] = {
    "robust": "every wording that was asked was answered rightly",
    "non-robust": "some were, others were not",
    "gap": "none was answered rightly",
}
TONES: Mapping[Tag, Tone] = {"robust": "good", "non-robust": "mixed", "gap": "bad"}


@dataclass(frozen=True, slots=True)
class GroupCell:
    """One group in the picture, of which two wordings or more were judged."""

    tag: Tag
    correct: int
    """Of its wordings."""
    total: int
    known_gap: bool


@dataclass(frozen=True, slots=True)
class TemplateRow:
    """The groups of one template."""

    template: str | None
    hops: int | None
    kind: str | None
    counts: Mapping[str, int]
    """Tag → groups; `once`, those of which only one wording was judged; and `total`."""
    cells: tuple[GroupCell, ...]
    """As many as there is room for."""
    example: str | None
    """A wording."""


@dataclass(frozen=True, slots=True)
class GroupTags:
    """How many groups have each tag, over all forms and within each, and the groups by template, fewest hops first.

    A group of which only one wording was judged has no tag: it is counted as `once`.
    """

    reason: str | None
    all: Mapping[str, int] | None = None
    forms: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    rows: tuple[TemplateRow, ...] = ()
    shown: int = 0
    """Cells in `rows`."""
    asked: AskedGroups | None = None
    """How often groups were asked, over all forms."""
    asked_in_forms: Mapping[str, AskedGroups] = field(default_factory=dict)
    at_equal_wordings: EqualWordings | None = None
    """The shares of each tag that may be compared; None where fewer than two groups were judged twice."""


@per_run
def group_tags(run: RunData) -> GroupTags:
    """The tags of the run's groups."""
    reason = unavailable(run)
    if reason:
        return GroupTags(reason)
    groups, correct = all_groups(run), judged_questions(run)
    rows = tuple(_rows(run, groups))
    return GroupTags(
        reason=None,
        all=tag_counts(groups),
        forms={name: tag_counts(collect(run.questions, correct, mask)) for name, mask in by_form(run.questions)},
        rows=tuple(sorted(rows, key=lambda row: row.hops or 0)),
        shown=sum(len(row.cells) for row in rows),
        asked=asked_groups(run),
        asked_in_forms={name: asked_groups(run, mask) for name, mask in by_form(run.questions)},
        at_equal_wordings=at_equal_wordings(run),
    )


def _rows(run: RunData, groups: Sequence[Group]) -> Iterator[TemplateRow]:
    questions = run.questions
    by_template: dict[int, list[Group]] = {}
    for group in groups:
        by_template.setdefault(int(questions.template.codes[group.members[0]]), []).append(group)
    room = max(1, CELLS_SHOWN // max(1, len(by_template)))
    shown = list(by_template.values())[:CELLS_SHOWN]
    texts = question_texts(run, [members[0].members[0] for members in shown])
    gap = questions.answerability.where("gap")
    for members in shown:
        first = members[0].members[0]
        number = questions.hops.at(first)
        yield TemplateRow(
            template=questions.template.at(first),
            hops=None if number is None else int(number),
            kind=questions.kind.at(first),
            counts=tag_counts(members),
            cells=tuple(_cells(members, gap))[:room],
            example=foreign(texts[first].question, 200).text if first in texts else None,
        )


def _cells(groups: Sequence[Group], gap: Bools) -> Iterator[GroupCell]:
    for group in groups:
        if group.tag is not None:
            yield GroupCell(group.tag, sum(group.outcomes), len(group.outcomes), bool(gap[group.members[0]]))


def compute(run: RunData) -> Content:
    """A picture of the groups by hops, and tables by template and by form."""
    figures, groups = group_tags(run), all_groups(run)
    counts = figures.all or tag_counts(())
    if reason := asked_groups(run).reason:
        return Content([missing(figures.reason or f"not available because {reason}")], ())
    blocks: list[Block] = list(_agreement(run, counts))
    said = (
        "One cell is one semantic group: wordings that one executed query answers, over all forms. Neighbours share a "
        "template; those that went best stand first."
    )
    tagged = counts["total"] - counts[ONCE]
    if figures.shown < tagged:
        drawn = f"{count(figures.shown)} of {count(tagged)} groups are drawn"
        said += f" {drawn}, as many of each template as there is room for."
    if counts[ONCE]:
        said += f" {count(counts[ONCE])} more groups are left out: only one of their wordings was judged."
    gap = run.questions.answerability.where("gap")
    known_gaps = [group.tag for group in groups if group.tag and gap[group.members[0]]]
    keys: list[Inline] = [
        (Span("", "key", TONES[tag]), f"{tag}: {meaning}{_also(run, tag)}, {count(counts[tag])}")
        for tag, meaning in MEANINGS.items()
    ]
    unguessed = known_gaps.count("gap")
    known = f"gap that is known: no document states the answer, {count(unguessed)} of the gap groups"
    keys.append((Span("", "key", "known"), known))
    lucky = f"known gap guessed for some wording all the same, {count(len(known_gaps) - unguessed)}"
    keys.append((Span("", "key", "lucky"), lucky))
    blocks += [Text(said), Listing(tuple(keys), "legend")]
    ordered: list[TemplateRow] = []
    for number, members in groupby(figures.rows, key=lambda row: row.hops):
        rows = sorted(members, key=_share_right, reverse=True)
        ordered += rows
        blocks += _panel(number, rows)
    by_template = Details("The same by template, as a table", (_template_table(ordered, counts),))
    equal = [_equal_table(figures.at_equal_wordings)] if figures.at_equal_wordings else []
    return Content([*blocks, by_template, _form_table(figures, counts), *equal], ())


def _agreement(run: RunData, counts: Mapping[str, int]) -> Iterator[Block]:
    """What does not depend on the number of wordings leads; what does says so."""
    both = consistency_figures(run).all
    if both is None or both.pair_agreement is None:
        return
    limits = "" if both.agreement_low is None else f" ({interval(both.agreement_low, both.agreement_high)})"
    robust = f"{count(counts['robust'])} of {count(counts['total'] - counts[ONCE])} groups are robust"
    yield Text(
        (
            strong(f"Two wordings of a group agree in {percent(both.pair_agreement)}{limits}"),
            f", however many were asked. {robust} in {judged_wordings(run)}: the more are asked, the fewer are robust "
            "or gap, so that these counts are compared at an equal number alone.",
        )
    )


def _also(run: RunData, tag: Tag) -> str:
    """What else a tag may mean where each question was asked once."""
    is_included = tag == "non-robust" and includes_run_to_run(run)
    return " (which includes noise from run to run: each was asked once)" if is_included else ""


def _share_right(row: TemplateRow) -> float:
    return sum(cell.correct / cell.total for cell in row.cells) / len(row.cells) if row.cells else 0.0


def _panel(number: int | None, rows: Sequence[TemplateRow]) -> Iterator[Block]:
    """The cells of one number of hops: templates that went best first, and within them the best groups."""
    counts = {tag: sum(row.counts[tag] for row in rows) for tag in MEANINGS}
    said = f"{count(counts['robust'])} robust, {count(counts['non-robust'])} non-robust, {count(counts['gap'])} gap"
    cells = [
        cell
        for row in rows
        for cell in sorted(row.cells, key=lambda each: (-each.correct / each.total, each.known_gap))
    ]
    yield Text(("All templates" if number is None else hops(number), soft(f" – {said}")), "heading")
    of_all = f"{count(len(cells))} groups: of all {count(sum(counts.values()))}"
    label = f"{of_all}, {said}. The table below says it by template."
    marks = [Mark(*look, len(list(same))) for look, same in groupby(cells, key=_look)]
    yield Chart("cells", label, tuple(marks))


def _look(cell: GroupCell) -> tuple[str, Tone]:
    label = f"{cell.correct} of {cell.total} right"
    if cell.known_gap:
        return label, "known" if cell.tag == "gap" else "lucky"
    return label, TONES[cell.tag]


def _counted(counts: Mapping[str, int]) -> dict[str, str]:
    """What tables count groups by, and how it is called: those that were judged once where there are any."""
    once = {ONCE: "judged once"} if counts[ONCE] else {}
    return {**{tag: tag for tag in MEANINGS}, **once, "total": "groups"}


def _template_table(rows: Sequence[TemplateRow], counts: Mapping[str, int]) -> Table:
    counted = _counted(counts)
    columns = (Column("a question of the template"), *(Column(name) for name in ("hops", "kind", *counted.values())))
    return Table("Groups by template", columns, tuple(_template_row(row, counted) for row in rows), "wide")


def _template_row(row: TemplateRow, counted: Iterable[str]) -> tuple[Cell, ...]:
    return (
        NONE if row.example is None else foreign(row.example, 160),
        NONE if row.hops is None else str(row.hops),
        NONE if row.kind is None else foreign(row.kind, 30),
        *(count(row.counts[name]) for name in counted),
    )


def _form_table(figures: GroupTags, counts: Mapping[str, int]) -> Table:
    caption = ("Tags within each form", soft(" – a group's wordings in another form are another group"))
    lines = [("all forms", counts), *figures.forms.items()]
    counted = _counted({ONCE: sum(line[ONCE] for _, line in lines)})
    columns = (Column("form"), *(Column(name) for name in counted.values()))
    rows = tuple((foreign(name, 60), *(count(line[each]) for each in counted)) for name, line in lines)
    return Table(caption, columns, rows, "fit")


def _equal_table(found: EqualWordings) -> Table:
    caption = (
        f"At {number_of(found.wordings, 'wording')} of each group",
        soft(" – what may be compared: the mean over every way to draw as many of those that were judged"),
    )
    names = ("robust", "95 % interval", "non-robust", "gap", "95 % interval", "groups", "with fewer")
    lines = [("all forms", found.all), *found.forms.items()]
    columns = (Column("form"), *(Column(name) for name in names))
    return Table(caption, columns, tuple(_equal_row(name, tags) for name, tags in lines), "fit")


def _equal_row(name: str, tags: ThinnedTags) -> tuple[Cell, ...]:
    return (
        foreign(name, 60),
        percent(tags.robust.value),
        interval(tags.robust.low, tags.robust.high),
        percent(tags.non_robust.value),
        percent(tags.gap.value),
        interval(tags.gap.low, tags.gap.high),
        count(tags.groups),
        count(tags.left_out),
    )


SECTION = ReportSection("groups", "Semantic groups", compute, order=60, applies=may_have_wordings)
