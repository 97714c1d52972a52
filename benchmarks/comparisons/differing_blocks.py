"""The groups on which systems differ, as blocks: question and gold above, each system's answer beside the other's."""

from collections.abc import Iterator

from benchwright.benchmarks.comparisons.compared import CORRECT
from benchwright.benchmarks.comparisons.comparison import Comparison
from benchwright.benchmarks.comparisons.differing import Differing, DifferingGroup, DifferingQuestion, SaidOf
from benchwright.benchmarks.reports.answers.shown_blocks import contexts_shown, evidence_shown
from benchwright.benchmarks.reports.blocks import (
    Block,
    Definition,
    Definitions,
    Details,
    Inline,
    Panel,
    Range,
    SideBySide,
    Span,
    Text,
    cut,
    foreign,
    missing,
    soft,
)
from benchwright.benchmarks.reports.format import NONE, amount, count, hops, number_of


def differing_blocks(comparison: Comparison) -> Iterator[Block]:
    """Each group folded, the first open."""
    differing = comparison.differing
    if not differing.differ:
        yield missing("the systems do equally in every group that all have a score of")
        return
    yield Text(tuple(_counted(differing)))
    if differing.left_out:
        yield Text(_which(comparison), "soft")
    yield Text(
        f"Below are {count(len(differing.shown))} of them: in turn groups that one system and that another does best "
        "on, from different templates, each with the questions that they differ on most.",
        "soft",
    )
    scale = comparison.leading.range
    for place, group in enumerate(differing.shown):
        yield _folded(differing, group, scale, is_open=not place)


def _which(comparison: Comparison) -> str:
    """Which of many systems are shown."""
    differing, number = comparison.differing, len(comparison.differing.runs)
    best = tuple(system.run for system in comparison.leading.systems[:number])
    who = f"the best {number} systems" if differing.runs == best else f"the best {number - 1} systems and the baseline"
    return f"Shown are {who}, not the other {count(differing.left_out)}."


def _counted(differing: Differing) -> Iterator[str | Span]:
    yield f"In {count(differing.differ)} of {number_of(differing.groups, 'group')} the systems differ"
    yield f" by {differing.metric}: "
    for place, (name, number) in enumerate(zip(differing.runs, differing.better, strict=True)):
        yield ", " if place else ""
        yield foreign(name, 60)
        yield f" alone does best in {count(number)}"
    yield "."


def _folded(differing: Differing, group: DifferingGroup, scale: Range, *, is_open: bool) -> Details:
    asked = group.questions[0].question if group.questions else group.group
    means: list[str | Span] = []
    for name, mean in zip(differing.runs, group.means, strict=True):
        means += [soft(", " if means else " – "), foreign(name, 40), soft(f" {amount(mean, scale)}")]
    told = ", ".join(
        part
        for part in (
            f"{number_of(group.questions_total, 'wording')}",
            hops(group.hops) if group.hops else "",
            group.kind or "",
        )
        if part
    )
    gold: Inline = Span(cut("; ".join(group.gold), 400), "strong", foreign=True) if group.gold else NONE
    items = [Definition("Gold", gold)]
    for number, item in enumerate(group.evidence, start=1):
        name = f"Evidence {number}" if len(group.evidence) > 1 else "Evidence"
        items.append(Definition(name, evidence_shown(item)))
    blocks: list[Block] = [Text(foreign(told, 200), "small"), Definitions(tuple(items))]
    for question in group.questions:
        blocks += _question(question, differing.metric, scale)
    more = group.questions_total - len(group.questions)
    if more > 0:
        blocks.append(Text(f"{number_of(more, 'more wording')} of this group are not shown.", "small"))
    return Details((foreign(asked, 160), *means), tuple(blocks), is_open)


def _question(question: DifferingQuestion, metric: str, scale: Range) -> list[Block]:
    form = (foreign(f" ({question.form})", 40),) if question.form else ()
    panels = tuple(Panel(foreign(answer.run, 60), tuple(_answer(answer, metric, scale))) for answer in question.answers)
    return [Text((foreign(question.question, 600), *form), "heading"), SideBySide(panels)]


def _answer(answer: SaidOf, metric: str, scale: Range) -> Iterator[Block]:
    said = answer.said
    if metric == CORRECT and answer.value in (0.0, 1.0):
        mark = Span("correct", "pill", "good") if answer.value else Span("not correct", "pill", "bad")
    else:
        mark = Span(amount(answer.value, scale), "pill", "quiet")
    yield Text((mark, " ", foreign(said.answer, 700) if said.answer else soft("no answer")))
    if said.error:
        yield Text(("error: ", foreign(said.error, 300)), "small")
    yield from contexts_shown(said, folded=True)
