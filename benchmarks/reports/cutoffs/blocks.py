"""A cutoff's figure as tables and texts: what its page and a terminal show beside the drawing."""

from collections.abc import Iterator

from benchwright.benchmarks.judgments import judge_name
from benchwright.benchmarks.reports.blocks import (
    Block,
    Cell,
    Column,
    Definition,
    Definitions,
    Details,
    Inline,
    Span,
    Table,
    Text,
    cut,
    foreign,
    soft,
)
from benchwright.benchmarks.reports.cutoffs.differences import INDEPENDENT, Comparison
from benchwright.benchmarks.reports.cutoffs.figure import BY_RULE, CutoffFigure, Estimate, ModelFigure, Part
from benchwright.benchmarks.reports.cutoffs.runs import GRADES
from benchwright.benchmarks.reports.format import NONE, minus, number_of, p_value, percent, reasons


def notice(figure: CutoffFigure) -> Text | None:
    """What was made by rules and says nothing of a model; None where nothing was."""
    stubs = [model for model in figure.models if model.is_stub]
    said = []
    if any(model.is_built_in for model in stubs):
        said.append("the built-in reader, a program of rules and no language model, answered")
    if any(model.is_graded_by_rule for model in stubs):
        said.append("rules graded, not a judge: right is 5, wrong is 1")
    if figure.built_in_texts:
        said.append(f"rules wrote the {' and '.join(figure.built_in_texts)} of this release")
    if not said:
        return None
    joined = "; ".join(said)
    return Text(f"Built-in: {joined}. For trying things out and comparing, not for judging a real system.", "notice")


def means_tables(figure: CutoffFigure, *, intervals: bool = True) -> list[Table]:
    """Table I of the paper for each model: the mean truthfulness and relevance of each part."""
    return [_means(model, intervals) for model in figure.models]


def _means(model: ModelFigure, intervals: bool) -> Table:
    columns = (Column("Mean", "left"), *(Column(f"{part.part}) {part.symbol}") for part in model.parts))
    rows = [
        *((name, *(_mean(getattr(part, name), intervals) for part in model.parts)) for name in (*GRADES, "sum")),
        ("questions", *(f"{part.scored:,} of {part.questions:,}" for part in model.parts)),
    ]
    said = ", from 1 to 5 each, with intervals of 95 %" if intervals else ", from 1 to 5 each"
    caption = (
        foreign(model.label, 120),
        soft(f": mean truthfulness and relevance{said}; graded "),
        foreign(_graders(model), 120),
    )
    return Table(caption, columns, tuple(rows), "wide")


def _mean(found: Estimate | None, has_interval: bool) -> str:
    if found is None:
        return "unscored"
    return (
        f"{found.value:.2f}"
        if found.low is None or not has_interval
        else f"{found.value:.2f} ({found.low:.2f} to {found.high:.2f})"
    )


def tests_table(figure: CutoffFigure) -> Table:
    """What differs in the sum of both grades."""
    columns = (
        Column("Compared", "left"), Column("Means"), Column("Difference"), Column("95 %"), Column("p (Holm)"),
        Column("Questions"), Column("Articles"), Column("Test", "left"),
    )  # fmt: skip
    rows = tuple(_tested(each) for each in figure.tests)
    return Table("Differences of truthfulness + relevance, from 2 to 10", columns, rows, "wide")


def _tested(each: Comparison) -> tuple[Cell, ...]:
    compared, found = foreign(compared_in_words(each), 200), each.difference
    if found is None:
        return compared, f"not tested: {each.reason}"
    questions = f"{each.questions[0]:,}"
    if each.test == INDEPENDENT:
        questions = f"{each.questions[0]:,} and {each.questions[1]:,}"
    return (
        compared, f"{found.first:.2f}, {found.second:.2f}", minus(f"{found.value:+.2f}"),
        minus(f"{found.low:.2f} to {found.high:.2f}"), p_value(each.p_holm), questions, f"{each.articles:,}", each.test,
    )  # fmt: skip


def compared_in_words(each: Comparison) -> str:
    """What is compared of what: `gpt-4o: a − b`, `c: gpt-4o − gpt-4o-mini`."""
    return f"{each.of}: {each.first} − {each.second}"


def notes(figure: CutoffFigure) -> list[str]:
    """What a reader must know of parts that are missing, sampled or not wholly graded."""
    return [note for model in figure.models for part in model.parts for note in _notes(model, part)]


def _notes(model: ModelFigure, part: Part) -> Iterator[str]:
    where = f"{model.label}, {part.part})"
    if part.reason is not None:
        yield f"{where} unscored: {part.reason}"
    if part.is_sample:
        yield f"{where} a sample: {part.asked:,} of {number_of(part.questions, 'question')} asked"
    if part.scored and part.unscored:
        first = next(iter(part.unscored))
        said = cut(first, 120) if len(part.unscored) == 1 else reasons(part.unscored)
        yield f"{where} {number_of(sum(part.unscored.values()), 'question')} unscored: {said}"
    if part.scored and part.articles < 2:
        yield f"{where} of one article: no interval"


def brief(figure: CutoffFigure) -> list[Block]:
    """What a terminal shows."""
    banner = notice(figure)
    noted = [Text((foreign(note, 400),), "small") for note in notes(figure)]
    tests = [Text(line, "small") for line in _lines(figure)]
    return [*([banner] if banner else []), *means_tables(figure, intervals=False), *tests, *noted, graded(figure)]


def _lines(figure: CutoffFigure) -> Iterator[Inline]:
    for each in figure.tests:
        found = each.difference
        said = f"not tested: {each.reason}"
        if found is not None:
            within = minus(f"{found.value:+.2f} ({found.low:.2f} to {found.high:.2f})")
            said = f"{within}, p {_equals(each.p_holm)}; {each.test}"
        yield (foreign(f"{compared_in_words(each)}: {said}", 400),)


def _equals(value: float | None) -> str:
    said = p_value(value)
    return said if said.startswith("<") else f"= {said}"


def graded(figure: CutoffFigure) -> Text:
    """Who answered and who graded, in a line."""
    said = "; ".join(f"{model.label}: graded {_graders(model)}" for model in figure.models)
    return Text((foreign(f"{said}. {figure.release}."),), "small")


def _graders(model: ModelFigure) -> str:
    return f"by {', '.join(grader(judge) for judge in model.judges)}"


def grader(judge: str) -> str:
    """Who graded, in a word: `rule` where no judge did."""
    return "rule" if judge == BY_RULE else judge_name(judge)


def shares_table(model: ModelFigure) -> Details:
    """How often each sum occurs, in each part."""
    columns = [Column("Sum", "left"), *(Column(f"{part.part}) {part.symbol}") for part in model.parts)]
    rows: list[tuple[Cell, ...]] = []
    for place, number in enumerate(range(2, 11)):
        cells = []
        for part in model.parts:
            share = part.shares[place] if part.shares else None
            within = (
                ""
                if share is None or share.low is None
                else f" ({percent(share.low, 0)[:-2]} to {percent(share.high, 0)})"
            )
            cells.append(NONE if share is None else f"{percent(share.value)}{within}")
        rows.append((str(number), *cells))
    table = Table("Share of questions with each sum of truthfulness and relevance", tuple(columns), tuple(rows), "wide")
    return Details((foreign(model.label, 120), ": every share with its interval"), (table,))


def asked(figure: CutoffFigure) -> Definitions:
    """The benchmark, who answered what, and who graded."""
    items = [Definition("Benchmark", f"{figure.benchmark} {figure.version}, split {figure.split}"),
             Definition("Content hash", Span(figure.content_hash, "code", foreign=True))]  # fmt: skip
    for model in figure.models:
        runs = ", ".join(
            f"{run.name} ({run.system}, condition {run.condition}, read {run.given})" for run in model.runs
        )
        items.append(Definition((foreign(model.label, 200),), (foreign(f"{runs}; graded {_graders(model)}"),)))
    return Definitions(tuple(items))
