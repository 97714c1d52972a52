"""What to fix first: the largest causes over wrong and abstained answers, what helps, and the way to their answers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from benchwright.benchmarks.reports.answers.outcomes import (
    NO_QUESTIONS,
    NONE_ANSWERABLE,
    NOT_JUDGED,
    AttemptOutcomes,
    attempt_outcomes,
)
from benchwright.benchmarks.reports.answers.shown_texts import question_texts
from benchwright.benchmarks.reports.blocks import (
    Block,
    Finding,
    Inline,
    Link,
    Listing,
    Span,
    Text,
    cut,
    foreign,
    missing,
    soft,
    strong,
)
from benchwright.benchmarks.reports.columns import Bools, Ints, RunData
from benchwright.benchmarks.reports.failures.causes import (
    AttemptCauses,
    CauseTexts,
    ContextBasis,
    attempt_causes,
    cause_texts,
    code_of,
    reason_texts,
)
from benchwright.benchmarks.reports.failures.concentration import SliceExcess, find_excesses
from benchwright.benchmarks.reports.format import count, hops, interval, number_of, percent, reasons
from benchwright.benchmarks.reports.metrics.figures import NO_REASON
from benchwright.benchmarks.reports.prediction_facts import read_predictions
from benchwright.benchmarks.reports.section import Content, ReportSection, per_run
from benchwright.benchmarks.reports.sections.cost import error_figures
from benchwright.benchmarks.statistics.intervals import THIS_BENCHMARK, Sample, Target
from benchwright.benchmarks.statistics.shares import clustered_share

SHOWN = 3
LEAST_LOST = 20
LEAST_GROUPS = 10
"""Fewer lost answers, or of fewer groups, carry no advice."""
LEAST_OF_CAUSE = 5
"""Groups that a cause must have for advice."""
_MUCH = 0.1
"""From this share of questions without an answer on, that is said first."""
_KINDS = 3
_NUMBERS = ("", "", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_UNSEEN = ("unseen-abstained", "unseen-wrong")


@dataclass(frozen=True, slots=True)
class Cause:
    """A cause of lost answers."""

    key: str
    name: str
    says: str
    """What they have in common; follows "203 of 405 lost answers"."""
    count: int
    groups: int
    """Semantic groups that have such an answer."""
    share: float
    """Of the lost answers."""
    low: float | None
    """Of the 95 % interval by semantic group; none where too few are lost, or all by one cause."""
    high: float | None
    share_of_all: float
    """Of all judged answers to the headline's questions: as much could be won at most."""
    advice: str | None
    """None where the data do not carry any."""
    reasons: Mapping[str, int]
    """What `correct` said of them → how many, the most frequent first."""
    slices: tuple[SliceExcess, ...] = ()
    """Where it is most, tested; of the largest causes."""
    target: Target = THIS_BENCHMARK
    """What the interval speaks of."""


@dataclass(frozen=True, slots=True)
class Beside:
    """Answers that are not right and are no lost ones."""

    key: str
    name: str
    count: int
    total: int
    """Of so many: failed and not judged ones of all answers, made-up ones of those to questions without an answer."""


@dataclass(frozen=True, slots=True)
class CauseFigures:
    """Wrong or abstained answers to questions that the documents can answer, each with one cause."""

    lost: int
    groups: int
    judged: int
    metric: str | None
    """By what is said whether the contexts held what was needed."""
    causes: tuple[Cause, ...]
    """The largest first."""
    beside: tuple[Beside, ...]
    unseen: Mapping[str, int]
    """Why it is not known what the contexts of lost answers held → how many."""
    reason: str | None
    """Why there is no advice."""
    missing: str | None
    """Which fact is missing to say more, and what to hand in."""


@per_run
def cause_figures(run: RunData) -> CauseFigures:
    """The causes with their numbers, intervals and advice."""
    outcomes, found = attempt_outcomes(run), attempt_causes(run)
    clusters = run.questions.clusters[outcomes.question]
    lost, groups = int(found.lost.sum()), len(np.unique(clusters[found.lost]))
    judged = outcomes.is_scored & run.questions.headline[outcomes.question]
    reason = None
    if not judged.any():
        reason = _why_none(run, outcomes)
    elif not lost:
        reason = "no answer was lost"
    elif lost < LEAST_LOST or groups < LEAST_GROUPS:
        few = "1 answer was lost" if lost == 1 else f"{lost:,} answers were lost"
        reason = f"{few}, of {number_of(groups, 'group')}: too few to say what is behind them"
    causes = _causes(run, found, clusters, int(judged.sum()), has_advice=reason is None)
    if reason is None:
        causes = _with_slices(run, found, judged, causes)
    return CauseFigures(
        lost=lost,
        groups=groups,
        judged=int(judged.sum()),
        metric=found.basis.metric if found.basis else None,
        causes=causes,
        beside=tuple(_beside(run, found)),
        unseen=found.unseen,
        reason=reason,
        missing=_missing(run, found, causes),
    )


def _why_none(run: RunData, outcomes: AttemptOutcomes) -> str:
    """Why no answer may have been lost."""
    if not run.questions.ids:
        return NO_QUESTIONS
    return NONE_ANSWERABLE if outcomes.is_scored.any() else NOT_JUDGED


def _causes(run: RunData, found: AttemptCauses, clusters: Ints, judged: int, *, has_advice: bool) -> tuple[Cause, ...]:
    texts = [each for each in cause_texts() if each.is_lost]
    codes = found.code[found.lost]
    there = [code for code in range(len(texts)) if (codes == code).any()]
    samples = [Sample((codes == code).astype(float), clusters[found.lost]) for code in there]
    verdicts, has_interval = _reasons(run)[found.lost], has_advice and len(there) > 1
    causes = []
    for code, limits in zip(there, map(clustered_share, samples), strict=True):
        mine, said = codes == code, texts[code]
        groups = len(np.unique(clusters[found.lost][mine]))
        names, counts = np.unique(verdicts[mine], return_counts=True)
        ordered = sorted(zip(names.tolist(), counts.tolist(), strict=True), key=lambda pair: (-pair[1], pair[0]))
        causes.append(
            Cause(
                key=said.key,
                name=said.name,
                says=_says(said, found.basis),
                count=int(mine.sum()),
                groups=groups,
                share=float(mine.mean()),
                low=limits.low if limits and has_interval else None,
                high=limits.high if limits and has_interval else None,
                share_of_all=int(mine.sum()) / judged,
                advice=said.advice or None if has_advice and groups >= LEAST_OF_CAUSE else None,
                reasons=dict(ordered),
            )
        )
    return tuple(sorted(causes, key=lambda cause: -cause.count))


def _says(said: CauseTexts, basis: ContextBasis | None) -> str:
    if basis is None:
        return said.says
    number = _NUMBERS[basis.k] if basis.k < len(_NUMBERS) else str(basis.k)
    first = "the first context" if basis.k == 1 else f"the first {number} contexts"
    return (said.documents if basis.kind == "documents" and said.documents else said.says).format(first=first)


def _reasons(run: RunData) -> np.ndarray:
    """What `correct` said of each attempt."""
    rows = run.rows("correct", run.shown)
    names = np.array([*(cut(name, 200) for name in run.reasons.names), NO_REASON], dtype=object)
    return names[run.reasons.codes[rows, run.metrics.index("correct")]] if len(rows) else names[:0]


def _with_slices(run: RunData, found: AttemptCauses, judged: Bools, causes: tuple[Cause, ...]) -> tuple[Cause, ...]:
    """The largest causes with the slices in which they are most; those with advice alone."""
    largest = [cause for cause in causes[:SHOWN] if cause.advice]
    code = found.code[judged]
    by_cause = [(code == code_of(cause.key)) & found.lost[judged] for cause in largest]
    slices = find_excesses(run, attempt_outcomes(run).question[judged], by_cause)
    steps = {each.key: each.steps for each in cause_texts()}
    there = {}
    for cause, excesses in zip(largest, slices, strict=True):
        several = any(each.dimension in ("hops", "facts") and each.value != "1" for each in excesses)
        advice = steps[cause.key] if several and steps[cause.key] else cause.advice
        there[cause.key] = replace(cause, slices=excesses, advice=advice)
    return tuple(there.get(cause.key, cause) for cause in causes)


def _beside(run: RunData, found: AttemptCauses) -> Iterator[Beside]:
    outcomes = attempt_outcomes(run)
    failed = found.code == code_of("failed")
    silent = ~run.questions.headline[outcomes.question] & ~failed
    totals = {"failed": len(found.code), "unjudged": len(found.code), "made-up": int(silent.sum())}
    for texts in cause_texts():
        number = int((found.code == code_of(texts.key)).sum())
        if not texts.is_lost and number:
            yield Beside(texts.key, texts.name, number, totals[texts.key])


def _missing(run: RunData, found: AttemptCauses, causes: tuple[Cause, ...]) -> str | None:
    """What would have to be handed in to know more, where something is."""
    number = sum(cause.count for cause in causes if cause.key in _UNSEEN)
    if not number:
        return None
    facts = read_predictions(run)
    if found.basis is None and len(facts.unshown) == len(facts.first):
        return (
            "the system handed in no contexts, so that a search that fails and a reader that fails look the same: "
            "hand in what it answered from, as the contexts of each answer"
        )
    if not any(run.questions.gold_documents):
        return (
            "the release's questions name neither evidence nor documents, so that nobody can say whether the contexts "
            "held the answer"
        )
    if found.basis is None:
        return (
            "no evidence recall was scored, so that nobody can say whether the contexts held the answer: score without "
            "--metric, or with --metric evidence_recall@5"
        )
    return f"of {number:,} lost answers it is not known what their contexts held: {reasons(found.unseen)}"


def compute(run: RunData) -> Content:
    """The largest causes, the others in a line each, and what stands beside them."""
    figures = cause_figures(run)
    blocks: list[Block] = [*_failing(run, figures), *_lead(figures)]
    blocks += [_finding(run, figures, cause) for cause in figures.causes[:SHOWN]]
    lines = [_line(cause) for cause in figures.causes[SHOWN:]]
    if lines:
        blocks += [Text("Other causes", "heading"), Listing(tuple(lines))]
    if figures.beside:
        blocks += [Text("Not counted as lost", "heading"), Listing(tuple(map(_beside_line, figures.beside)))]
    if figures.missing:
        blocks.append(Text(("To learn more: ", foreign(figures.missing, 600), "."), "notice"))
    return Content(blocks, tuple(_brief(run, figures)))


def _failing(run: RunData, figures: CauseFigures) -> Iterator[Text]:
    """That the system fails, where it does so often that nothing else matters before."""
    failed = next((each for each in figures.beside if each.key == "failed"), None)
    kinds = error_figures(run).kinds
    if failed is None or failed.count < _MUCH * failed.total:
        return
    said: list[Span | str] = [strong(f"{count(failed.count)} of {count(failed.total)} questions have no answer. ")]
    if kinds:
        said += ["The system failed, most often with ", Span(cut(kinds[0].message, 200), "code", foreign=True), ". "]
    yield Text((*said, "Mend this first."), "notice")


def _lead(figures: CauseFigures) -> Iterator[Text]:
    if figures.reason and not figures.lost:
        yield missing(f"causes are not available because {figures.reason}")
        return
    lost = f"{count(figures.lost)} of {count(figures.judged)} judged answers were lost: wrong or abstained, though "
    yield Text(f"{lost}the documents state the answer. Each of them has one cause.", "soft")
    if figures.reason:
        yield Text((f"{figures.reason}. Read them.",), "missing")


def _finding(run: RunData, figures: CauseFigures, cause: Cause) -> Finding:
    notes: list[Inline] = []
    if cause.key in ("misread", "unseen-wrong"):
        notes += _kinds(cause)
    notes += [_slice(run, cause, excess) for excess in cause.slices]
    name = "it" if cause.count == 1 else f"these {count(cause.count)}"
    return Finding(
        count=cause.count,
        total=figures.lost,
        of="lost answers",
        share=cause.share,
        low=cause.low,
        high=cause.high,
        text=cause.says,
        notes=tuple(notes),
        advice=cause.advice or "",
        link=Link(f"Look at {name}", (("cause", cause.key),)),
    )


def _kinds(cause: Cause) -> Iterator[Inline]:
    """What misread answers do: the most frequent of their reasons."""
    for reason, number in list(cause.reasons.items())[:_KINDS]:
        texts = reason_texts().get(reason)
        said: tuple[str | Span, ...] = ("“", foreign(reason, 120), "”")
        if texts is not None:
            said = (texts.says, soft(f" ({texts.hint})") if texts.hint else "")
        yield (f"{count(number)} ", *said)


def _slice(run: RunData, cause: Cause, excess: SliceExcess) -> Inline:
    shares = f"{percent(excess.share)}, {interval(excess.low, excess.high)}"
    return (
        "More often with ",
        *_named(run, excess),
        ": ",
        Link(count(excess.count), (("cause", cause.key), (excess.dimension, excess.value))),
        f" of {count(excess.total)} answers ({shares}); of the others {percent(excess.share_of_rest)}.",
    )


def _named(run: RunData, excess: SliceExcess) -> tuple[str | Span, ...]:
    """A slice in words; a template by a question of its own."""
    if excess.dimension == "hops":
        return (f"questions of {hops(excess.value)}",)
    if excess.dimension == "facts":
        return (f"questions that need {excess.value} {'fact' if excess.value == '1' else 'facts'}",)
    if excess.dimension == "template":
        place = int(np.flatnonzero(run.questions.template.where(excess.value))[0])
        texts = question_texts(run, [place]).get(place)
        if texts is not None:
            return "questions such as “", foreign(texts.question, 120), "”"
    return f"questions of the {excess.dimension} ", foreign(excess.value, 60)


def _line(cause: Cause) -> Inline:
    link = Link(count(cause.count), (("cause", cause.key),))
    return link, f" ({_share(cause)}) {cause.says}.", *((f" {cause.advice}",) if cause.advice else ())


def _share(cause: Cause) -> str:
    return percent(cause.share) if cause.low is None else f"{percent(cause.share)}, {interval(cause.low, cause.high)}"


def _beside_line(each: Beside) -> Inline:
    says = {
        "failed": f" of {count(each.total)} questions have no answer: the system failed, or was not asked.",
        "unjudged": f" of {count(each.total)} answers could not be judged.",
        "made-up": (
            f" of {count(each.total)} questions whose answer no document states were answered all the same: tell the "
            "reader to say that it does not know."
        ),
    }
    return Link(count(each.count), (("cause", each.key),)), says[each.key]


def _brief(run: RunData, figures: CauseFigures) -> Iterator[Block]:
    """What a terminal shows: the largest causes with what to do."""
    yield from _failing(run, figures)
    if figures.causes:
        items = []
        for cause in figures.causes[:SHOWN]:
            said = f"{count(cause.count)} of {count(figures.lost)} lost answers {cause.says} ({_share(cause)})."
            items.append(said + (f" {cause.advice}" if cause.advice else ""))
        yield Text("What to fix", "heading")
        yield Listing(tuple(items))
    if figures.reason and figures.lost:
        yield Text(f"{figures.reason}.")
    if figures.missing:
        yield Text(("To learn more: ", foreign(figures.missing, 600), "."))


SECTION = ReportSection("causes", "What to fix", compute, order=12)
