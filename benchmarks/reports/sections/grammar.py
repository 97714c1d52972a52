"""GRAMMAR as published, per form (Li et al. 2024, second version, section 4.3 and Table 3)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from benchwright.benchmarks.reports.blocks import (
    Block,
    Cell,
    Column,
    Table,
    Text,
    foreign,
    missing,
    soft,
    strong,
)
from benchwright.benchmarks.reports.columns import Bools, RunData
from benchwright.benchmarks.reports.failures.leakage import NO_FORM, Leakage, leakage_blocks, leakage_figures
from benchwright.benchmarks.reports.format import count, figure, interval, minus, of, p_value
from benchwright.benchmarks.reports.grammar_figures import FormReport, Row, compare_forms, evaluate
from benchwright.benchmarks.reports.grammar_rows import SOURCES, judged_rows
from benchwright.benchmarks.reports.groups import (
    ONCE,
    TAGS,
    AskedGroups,
    asked_groups,
    by_form,
    may_have_wordings,
    unavailable,
)
from benchwright.benchmarks.reports.section import Content, ReportSection, per_run
from benchwright.benchmarks.reports.share import Share
from benchwright.benchmarks.statistics.intervals import THIS_BENCHMARK, Target

_ALIKE = 1.1
"""Up to this ratio forms count as judged in as many wordings."""


@dataclass(frozen=True, slots=True)
class FormFigures:
    """The published figures of one form, of its groups with two judged wordings or more; they include known gaps."""

    database_accuracy: Share
    """Equation 1."""
    accuracy: Share
    refined_accuracy: Share
    """Equation 2: R."""
    lowest_refined_accuracy: float | None
    """1 / wordings a group: a group counts once a wording is right, so R cannot be lower."""
    gap_share: Share
    """λ of equation 3."""
    retrieval: Share
    refined_retrieval: Share
    groups: Mapping[str, int]
    """Tag → groups; `once`, those of which only one wording was judged, which are left out; and `total`."""
    is_balanced: bool
    retrieval_source: str


@dataclass(frozen=True, slots=True)
class PublishedDifference:
    """Two forms, first minus second; of accuracy also within the groups that both have."""

    first: str
    second: str
    refined_accuracy: float | None
    accuracy: float | None
    within_groups: float | None
    low: float | None
    high: float | None
    p: float | None
    """Uncorrected."""
    groups: int
    target: Target = THIS_BENCHMARK
    """What the interval, of 95 %, speaks of."""


@dataclass(frozen=True, slots=True)
class Table3Row:
    """What is done about errors of the retrieval database and of the language model, and what comes of it."""

    database: str
    model: str
    values: Mapping[str, float | None]
    """By form."""
    reason: str | None


@dataclass(frozen=True, slots=True)
class GrammarFigures:
    """GRAMMAR's figures of a run, unrounded. R ranks no systems."""

    reason: str | None
    questions: int = 0
    is_balanced: bool = False
    """Every group has equally many judged wordings within its form."""
    retrieval_source: str | None = None
    retrieval_judged_by: str | None = None
    forms: Mapping[str, FormFigures] = field(default_factory=dict)
    comparisons: tuple[PublishedDifference, ...] = ()
    table3: tuple[Table3Row, ...] = ()
    leakage: Leakage | None = None
    """Table 4; None where the system was not asked without documents."""
    ranks_systems: bool = False


@per_run
def grammar_figures(run: RunData) -> GrammarFigures:
    """The published figures of the judged questions that have a group."""
    reason = unavailable(run)
    if reason:
        return GrammarFigures(reason)
    judged, how = judged_rows(run)
    rows = list(judged.values())
    if not rows:
        return GrammarFigures("not available because no judged question has a group")
    reports = evaluate(rows)
    source = next((report for report in reports.values() if report.tags), next(iter(reports.values()))).retrieval_source
    asked = {name: asked_groups(run, mask) for name, mask in _forms(run)}
    is_balanced = all(report.is_balanced for report in reports.values())
    return GrammarFigures(
        reason=None,
        questions=len(rows),
        is_balanced=is_balanced,
        retrieval_source=source,
        retrieval_judged_by=SOURCES[source] + (f" ({how})" if source == "documents" else ""),
        forms={form: _form(report, asked[form]) for form, report in reports.items()},
        comparisons=tuple(_published_difference(rows, reports, *pair) for pair in combinations(reports, 2)),
        table3=tuple(_table3(reports, is_balanced)),
        leakage=leakage_figures(run),
    )


def _forms(run: RunData) -> Iterator[tuple[str, Bools]]:
    """Each form with its questions, and the questions that have none."""
    column = run.questions.form
    yield NO_FORM, column.codes < 0
    yield from by_form(run.questions)


def _form(report: FormReport, asked: AskedGroups) -> FormFigures:
    def because(found: Share, reason: str) -> Share:
        return found if found.value is not None else replace(found, reason=asked.reason or reason)

    no_group, no_retrieval = "every group is a gap group", "no retrieval was judged"
    return FormFigures(
        database_accuracy=because(report.database_accuracy, "there is no group"),
        accuracy=because(report.accuracy, "there is no question"),
        refined_accuracy=because(report.refined_accuracy, no_group),
        lowest_refined_accuracy=len(report.tags) / report.accuracy.total if report.tags else None,
        gap_share=because(report.gap_share, "there is no question"),
        retrieval=because(report.retrieval, no_retrieval),
        refined_retrieval=because(report.refined_retrieval, f"{no_group}, or {no_retrieval} in the others"),
        groups={tag: report.count(tag) for tag in TAGS} | {ONCE: report.once, "total": len(report.tags) + report.once},
        is_balanced=report.is_balanced,
        retrieval_source=report.retrieval_source,
    )


def _published_difference(
    rows: Sequence[Row], reports: Mapping[str, FormReport], first: str, second: str
) -> PublishedDifference:
    compared = compare_forms(rows, first, second)
    one, two = (reports[form].accuracy.value for form in (first, second))
    within = compared.within_groups
    return PublishedDifference(
        first=first,
        second=second,
        refined_accuracy=compared.refined_difference,
        accuracy=None if one is None or two is None else one - two,
        within_groups=within.value if within else None,
        low=within.low if within else None,
        high=within.high if within else None,
        p=within.p if within else None,
        groups=compared.shared,
    )


def _table3(reports: Mapping[str, FormReport], is_balanced: bool) -> Iterator[Table3Row]:
    lines = (
        ("Baseline: no action", "No action", "accuracy", True),
        ("Baseline: no action", "Context comparison", "retrieval", True),
        ("Remove gap groups", "No action", "refined_accuracy", True),
        ("Remove gap groups", "Context comparison", "refined_retrieval", True),
        ("Balance gap examples", "No action", "accuracy", is_balanced),
        ("Balance gap examples", "Context comparison", "retrieval", is_balanced),
    )
    why = "not available because the groups have different numbers of wordings"
    for database, model, name, there in lines:
        values = {form: getattr(report, name).value if there else None for form, report in reports.items()}
        yield Table3Row(database, model, values, None if there else why)


def compute(run: RunData) -> Content:
    """The figures per form, Table 3, and two forms compared."""
    found = grammar_figures(run)
    asked = asked_groups(run)
    if found.reason or asked.reason:
        return Content([missing(found.reason or f"not available because {asked.reason}")], ())
    once = {form: entry.groups[ONCE] for form, entry in found.forms.items()}
    left_out = ", ".join(f"{form} {count(number)}" for form, number in once.items() if number)
    balance = "Groups have different numbers of judged wordings within a form: not balanced."
    if found.is_balanced:
        balance = "Every group has equally many judged wordings within its form."
    source = (
        f"Li, Liu and Gao 2024, section 4.3 and Table 3. Groups are tagged within one form; known gaps are included. "
        f"{balance} Retrieval is judged by "
    )
    warning = (
        " Refined accuracy leaves out every group that failed entirely, so a system that answers less can have a "
        "higher R. It compares forms of one system, asked in as many wordings."
    )
    blocks: list[Block] = [
        Text((source, foreign(found.retrieval_judged_by or ""), "."), "soft"),
        Text((strong("R ranks no systems."), warning), "notice"),
        _form_table(found.forms),
        _table3_table(found),
        *leakage_blocks(run),
    ]
    lowest = [entry.lowest_refined_accuracy for entry in found.forms.values() if entry.lowest_refined_accuracy]
    if max(lowest, default=0) > _ALIKE * min(lowest, default=0):
        said = (
            "Forms were judged in different numbers of wordings, on which tags and R depend: “Semantic groups” has the "
        )
        blocks.insert(2, Text(f"{said}tags at an equal number.", "notice"))
    if left_out:
        said = "Left out of a form are groups of which only one of its wordings was judged: "
        blocks.insert(1, Text((said, foreign(left_out, 400), "."), "small"))
    if found.comparisons:
        names = ("R", "accuracy", "within shared groups", "95 % interval, points", "p, uncorrected", "groups")
        caption = ("Two forms compared", soft(" – first minus second, known gaps included"))
        rows = tuple(_comparison(row) for row in found.comparisons)
        blocks.append(Table(caption, (Column("forms"), *(Column(name) for name in names)), rows, "wide"))
    return Content(blocks, _brief(found))


def _form_table(forms: Mapping[str, FormFigures]) -> Table:
    lines = (
        ("Database accuracy (eq. 1)", "database_accuracy"),
        ("Accuracy", "accuracy"),
        ("Refined accuracy R (eq. 2)", "refined_accuracy"),
        ("Lowest R that there can be (1 / wordings a group)", "lowest_refined_accuracy"),
        ("Questions in gap groups (λ, eq. 3)", "gap_share"),
        ("Retrieval (“context comparison”)", "retrieval"),
        ("Refined retrieval", "refined_retrieval"),
    )
    columns, rows = [Column("figure")], []
    for form in forms:
        columns += [Column(foreign(form, 40)), Column("of")]
    for label, name in lines:
        cells: list[Cell] = [label]
        for figures in forms.values():
            found: Share | float | None = getattr(figures, name)
            if not isinstance(found, Share):
                cells += [figure(found), ""]
                continue
            cells += [figure(found.value), soft(found.reason or "" if found.value is None else of(found))]
        rows.append(tuple(cells))
    tags: list[Cell] = ["Groups: robust, non-robust, gap"]
    for figures in forms.values():
        tagged = ", ".join(count(figures.groups[tag]) for tag in reversed(TAGS))
        tags += [tagged, soft(count(figures.groups["total"] - figures.groups[ONCE]))]
    return Table("Per form", tuple(columns), (*rows, tuple(tags)), "wide")


def _table3_table(found: GrammarFigures) -> Table:
    columns = [Column("errors of the database"), Column("errors of the model", "left")]
    columns += [Column(foreign(form, 40)) for form in found.forms]
    rows: list[tuple[Cell, ...]] = []
    for row in found.table3:
        values: list[Cell] = [soft(row.reason)] if row.reason else [figure(value) for value in row.values.values()]
        rows.append((row.database, row.model, *values))
    return Table("Table 3 of the paper, for this run", tuple(columns), tuple(rows), "wide")


def _comparison(row: PublishedDifference) -> tuple[Cell, ...]:
    return (
        (foreign(row.first, 40), " − ", foreign(row.second, 40)),
        minus(figure(row.refined_accuracy)),
        minus(figure(row.accuracy)),
        minus(figure(row.within_groups)),
        minus(interval(row.low, row.high)),
        p_value(row.p),
        count(row.groups),
    )


def _brief(found: GrammarFigures) -> list[Block]:
    names = ("GRAMMAR, as published", "accuracy", "refined R", "retrieval", "gap / non-robust / robust")
    rows = tuple(
        (
            foreign(form, 30),
            figure(entry.accuracy.value),
            figure(entry.refined_accuracy.value),
            figure(entry.retrieval.value),
            " / ".join(f"{entry.groups[tag]:,}" for tag in TAGS),
        )
        for form, entry in found.forms.items()
        if not entry.accuracy.reason
    )
    blocks: list[Block] = [Table("", tuple(Column(name) for name in names), rows, "fit")] if rows else []
    for form, entry in found.forms.items():
        if entry.accuracy.reason:
            why = f": not available because {entry.accuracy.reason}."
            blocks.append(Text(("GRAMMAR, as published, ", foreign(form, 30), why)))
    said = "R leaves out what failed entirely: it compares forms of one system and ranks no systems."
    return [*blocks, Text(said)] if rows else blocks


SECTION = ReportSection("grammar", "GRAMMAR, as published", compute, order=100, applies=may_have_wordings)
