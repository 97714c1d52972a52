"""The decision table and the totals of a run, drawn."""

from collections.abc import Iterator

from benchwright.benchmarks.predictions import CLOSED, WITHOUT_GOLD
from benchwright.benchmarks.reports.blocks import (
    Block,
    Cell,
    Column,
    Details,
    Inline,
    Interval,
    Link,
    Listing,
    Table,
    Text,
    foreign,
    soft,
    strong,
)
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.failures.decision_figures import (
    ClosedBook,
    DecidedShare,
    DecisionFigures,
    closed_book,
    decided_answers,
    decided_questions,
)
from benchwright.benchmarks.reports.failures.decisions import LEAST_REPEATS, why_unknown
from benchwright.benchmarks.reports.failures.totals import Total, condition_totals
from benchwright.benchmarks.reports.format import NONE, count, interval, minus, number_of, percent, sentence, signed


def by_conditions(run: RunData) -> Iterator[Block]:
    """What was decided; nothing of a run that was not asked in several conditions."""
    totals, answers, questions = condition_totals(run), decided_answers(run), decided_questions(run)
    known = closed_book(run)
    if totals:
        yield _totals_table(totals)
    if known is not None:
        yield _closed_text(known)
    if answers is not None:
        yield from _not_known(run)
    if questions is not None:
        repeats = f"asked {LEAST_REPEATS} times or more in each condition"
        yield _decision_table(questions, "questions", f"Whose failure each question is – {repeats}")
        yield from _beside(questions, "questions")
    if answers is None:
        return
    if questions is None:
        caption = "Whose failure each answer is, by conditions"
        yield _decision_table(answers, "answers", caption)
        yield Text(_noise(totals), "notice")
        yield from _beside(answers, "answers")
        return
    single = _decision_table(answers, "answers", "Whose failure each single answer is")
    yield Details("The same of single answers, with their noise from run to run", (single,))


def conditions_brief(run: RunData) -> Iterator[Block]:
    """What a terminal shows: what each decision has."""
    found, noun = decided_questions(run), "questions"
    if found is None:
        found, noun = decided_answers(run), "answers"
    if found is None:
        return
    shown = [each for each in found.decisions if each.share.count]
    columns = (Column("by conditions"), Column(noun), Column("share"), Column("95 % interval"))
    yield Table("", columns, tuple((each.name, *_share_cells(each)) for each in shown), "fit")


def _totals_table(totals: tuple[Total, ...]) -> Table:
    names = ("", "points", "95 % interval", "won", "lost", "questions")
    columns = [Column(name) for name in names]
    columns.insert(3, Column("", drawn=True))
    rows: list[tuple[Cell, ...]] = []
    for each in totals:
        name = strong(each.name) if each.separated else each.name
        rows.append(
            (
                (name, soft(f" – {each.says}")),
                signed(each.value),
                minus(interval(each.low, each.high)),
                Interval(each.value, each.low, each.high, (-1.0, 1.0), reference=0.0),
                count(each.won),
                count(each.lost),
                count(each.questions),
            )
        )
    caption = ("What each part loses or wins", soft(" – paired differences between conditions; bold: not 0"))
    return Table(caption, tuple(columns), tuple(rows), "wide")


def _not_known(run: RunData) -> Iterator[Text]:
    """What the other conditions would have told."""
    tell = {
        CLOSED: "what is right from memory is not known",
        WITHOUT_GOLD: "what right answers owe to the documents is not known",
    }
    for condition, said in tell.items():
        why = why_unknown(run, condition)
        if why is not None:
            yield Text((f"{sentence(said)}: ", foreign(why, 300), "."), "small")


def _closed_text(known: ClosedBook) -> Text:
    range_ = "" if known.low is None else f" ({minus(interval(known.low, known.high))})"
    said = (
        f"Closed book, {percent(known.right)} of {number_of(known.questions, 'question')} are right; each template's "
        f"most frequent answer would be right for {percent(known.by_chance)}: {signed(known.above)} points{range_}. "
    )
    tested = f"{number_of(known.pools, 'part')} tested, each a template or some of much the same chance,"
    if not known.pools:
        pools = "It answers none of them without documents: nothing is known by heart."
    elif not known.pools_above:
        pools = f"Of {tested} none has more right than by chance (Holm): nothing counts as known."
    else:
        pools = (
            f"Of {tested} {count(known.pools_above)} {'has' if known.pools_above == 1 else 'have'} more right than by "
            f"chance (Holm). What is right there counts as known: {number_of(known.from_memory, 'question')}, some "
            f"{count(known.lucky)} of them by luck."
        )
    return Text(said + pools, "small")


def _decision_table(found: DecisionFigures, noun: str, caption: str) -> Table:
    columns = [Column(name) for name in ("", noun, "share", "95 % interval", "abstained")]
    columns.insert(4, Column("", drawn=True))
    rows: list[tuple[Cell, ...]] = []
    for each in found.decisions:
        drawn = Interval(each.share.value, each.share.low, each.share.high)
        name = (strong(each.name), soft(f" – {each.says}"))
        number, *share = _share_cells(each)
        linked = Link(number, (("decision", each.key),)) if noun == "questions" and each.share.count else number
        abstained = count(each.abstained)
        if each.share.value is None:
            name, linked, abstained = (*name, soft(f": {each.share.reason}")), NONE, NONE
        rows.append((name, linked, *share, drawn, abstained))
    return Table(
        (caption, soft(f" – {found.total:,} {noun}, known gaps among them")), tuple(columns), tuple(rows), "wide"
    )


def _share_cells(each: DecidedShare) -> tuple[str, str, str]:
    return count(each.share.count), percent(each.share.value), interval(each.share.low, each.share.high)


def _noise(totals: tuple[Total, ...]) -> str:
    """What single answers cannot say, and how much of it there is at least."""
    lost = next((each for each in totals if each.key == "retrieval"), None)
    seen = ""
    if lost is not None and lost.lost:
        seen = (
            f"{number_of(lost.lost, 'question')} right with its own contexts {'is' if lost.lost == 1 else 'are'} not "
            "right with the gold passages: so much goes the other way. "
        )
    return (
        f"These are single answers, run-to-run noise included. {seen}The totals above are fair all the same; to say "
        f"what a single question fails of, score with --repeat {LEAST_REPEATS} or more."
    )


def _beside(found: DecisionFigures, noun: str) -> Iterator[Block]:
    """What to do about most of what is not right, why something is undetermined, and what was left out."""
    worst = max((each for each in found.decisions if each.advice), key=lambda each: each.share.count)
    if worst.key != "memory" and worst.share.count:
        yield Text((strong(f"Most often {worst.name}. "), worst.advice))
    items: list[Inline] = [
        (f"{count(each.count)} undetermined: ", foreign(each.why, 300), f". To tell: {each.learn}.")
        for each in found.undetermined
    ]
    if found.unjudged:
        items.append(f"{count(found.unjudged)} {noun} left out: without a verdict, or asked too seldom.")
    if items:
        yield Listing(tuple(items))
