"""Attribution: whose failure an answer is.

By conditions where the system was also asked with the gold passages: the decision table, and totals. Else
observational: of wrong answers, whether the contexts held the evidence. It follows from what happened, and no module
was replaced.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from benchwright.benchmarks.metrics.base import NO_CONTEXTS, NO_EVIDENCE
from benchwright.benchmarks.reports.answers.outcomes import OUTCOMES, attempt_outcomes
from benchwright.benchmarks.reports.blocks import Block, Column, Details, Figure, Table, Text, foreign, missing, strong
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.failures.decision_blocks import by_conditions, conditions_brief
from benchwright.benchmarks.reports.failures.decision_figures import (
    ClosedBook,
    DecisionFigures,
    closed_book,
    decided_answers,
    decided_questions,
)
from benchwright.benchmarks.reports.failures.decisions import why_observational
from benchwright.benchmarks.reports.failures.totals import Total, condition_totals
from benchwright.benchmarks.reports.format import count, of, reasons
from benchwright.benchmarks.reports.metrics.figures import NO_REASON, evidence_metric, tally
from benchwright.benchmarks.reports.section import Content, ReportSection, per_run
from benchwright.benchmarks.reports.share import DrawnShare, drawn_share


@dataclass(frozen=True, slots=True)
class EvidenceCounts:
    """Answers of one outcome by how much of their evidence the contexts held."""

    evidence_missing: int
    evidence_in_part: int
    evidence_held: int
    unscored: int
    total: int
    reasons: Mapping[str, int] = field(default_factory=dict)
    """Why those that are unscored are so → how many, the most frequent first."""


@dataclass(frozen=True, slots=True)
class Attribution:
    """Whose failure answers are: as read off from what happened, and by conditions where the run has them."""

    kind: str
    """observational: read off from what happened. by conditions: something was replaced; `answers` and `totals` say
    what came of it."""
    metric: str | None
    """What says whether the contexts held the evidence."""
    reason: str | None
    """Why nothing can be read off."""
    outcomes: Mapping[str, EvidenceCounts] = field(default_factory=dict)
    retrieval: DrawnShare | None = None
    """Wrong answers whose contexts held none of the evidence."""
    in_part: DrawnShare | None = None
    reader: DrawnShare | None = None
    """Wrong answers whose contexts held all of it."""
    why_observational: str | None = None
    """Why nothing was decided by conditions; None where it was."""
    answers: DecisionFigures | None = None
    """The decision table over single answers, run-to-run noise included."""
    questions: DecisionFigures | None = None
    """The same over questions that were asked three times or more in each condition."""
    totals: tuple[Total, ...] = ()
    closed_book: ClosedBook | None = None


@per_run
def attribution_figures(run: RunData) -> Attribution:
    """Evidence in the contexts, by outcome; and the decision table."""
    why = why_observational(run)
    return replace(
        _observed(run),
        kind="observational" if why else "by conditions",
        why_observational=why,
        answers=decided_answers(run),
        questions=decided_questions(run),
        totals=condition_totals(run),
        closed_book=closed_book(run),
    )


def _observed(run: RunData) -> Attribution:
    metric = evidence_metric(run.metrics)
    if metric is None:
        return Attribution("observational", None, "not available because no evidence recall was scored")
    counts = _evidence_counts(run, metric)
    wrong = counts["wrong"]
    judged = wrong.total - wrong.unscored
    nothing = _nothing(counts)
    outcomes, rows = attempt_outcomes(run), run.rows("correct", run.shown)
    is_wrong = run.questions.headline[outcomes.question] & (outcomes.outcome == OUTCOMES.index("wrong"))
    looked = is_wrong & run.is_scored[rows, run.metrics.index(metric)]
    recall = run.values[rows, run.metrics.index(metric)][looked]
    clusters = run.questions.clusters[outcomes.question[looked]]
    return Attribution(
        kind="observational",
        metric=metric,
        reason=None if judged else f"not available because {nothing}",
        outcomes=counts,
        retrieval=drawn_share(recall == 0, clusters, nothing),
        in_part=drawn_share((recall > 0) & (recall < 1), clusters, nothing),
        reader=drawn_share(recall >= 1, clusters, nothing),
    )


def _nothing(counts: Mapping[str, EvidenceCounts]) -> str:
    """Why no wrong answer can be attributed, where none can."""
    wrong, everywhere = counts["wrong"], {reason for each in counts.values() for reason in each.reasons}
    if NO_CONTEXTS.reason in everywhere and all(each.unscored == each.total for each in counts.values()):
        return f"the system {NO_CONTEXTS.reason}"
    if not wrong.total:
        return "there is no wrong answer"
    if wrong.reasons.keys() <= {NO_EVIDENCE.reason}:
        return "no wrong answer's question has evidence"
    return f"no wrong answer shows what was retrieved: {reasons(wrong.reasons)}"


def _evidence_counts(run: RunData, metric: str) -> dict[str, EvidenceCounts]:
    outcomes, column = attempt_outcomes(run), run.metrics.index(metric)
    rows = run.rows("correct", run.shown)
    wanted = run.questions.headline[outcomes.question]
    recall, is_scored = run.values[rows, column], run.is_scored[rows, column]
    found = {}
    for code, name in enumerate(OUTCOMES[:3]):
        mine = wanted & (outcomes.outcome == code)
        scored, unscored = recall[mine & is_scored], mine & ~is_scored
        found[name] = EvidenceCounts(
            evidence_missing=int((scored == 0).sum()),
            evidence_in_part=int(((scored > 0) & (scored < 1)).sum()),
            evidence_held=int((scored >= 1).sum()),
            unscored=int(unscored.sum()),
            total=int(mine.sum()),
            reasons=tally(run.reasons.names, run.reasons.codes[rows[unscored], column], NO_REASON),
        )
    return found


def compute(run: RunData) -> Content:
    """The decision table and the totals where there are any; what can be read off; why that is all."""
    found = attribution_figures(run)
    blocks: list[Block] = [*by_conditions(run)]
    observed: list[Block] = list(_observed_blocks(found))
    if blocks and not found.reason:
        observed = [Details("Read off from what happened: the evidence in the contexts, by outcome", tuple(observed))]
    elif blocks:
        observed = []
    if found.why_observational and run.questions.has_gold:
        why = ("Nothing was decided by conditions: ", foreign(found.why_observational, 300), ".")
        observed.append(Text(why, "small"))
    return Content([*blocks, *observed], tuple(conditions_brief(run)))


def _observed_blocks(found: Attribution) -> Iterator[Block]:
    """Three shares, and the counts by outcome."""
    if found.reason or found.retrieval is None or found.in_part is None or found.reader is None:
        yield missing(found.reason or "")
        return
    how = (strong("Observational"), ": read off from what happened, by ", foreign(found.metric or "", 60))
    asked = f"; no module was replaced. Of {count(found.retrieval.total)} wrong answers whose evidence was looked for:"
    shares = (
        ("Retrieval", found.retrieval, "no context held any of the evidence"),
        ("Retrieval, in part", found.in_part, "some of the facts needed were there"),
        ("Reader", found.reader, "all evidence was there, and the answer is wrong"),
    )
    yield Text((*how, asked))
    for name, each, note in shares:
        yield Figure(name, each.value, each.low, each.high, each.total, note=f"{note}: {of(each)}")
    wrong = found.outcomes["wrong"]
    if wrong.unscored:
        said = f"Of {count(wrong.total)} wrong answers {count(wrong.unscored)} are left out: "
        yield Text((said, foreign(reasons(wrong.reasons), 600), "."), "small")
    columns = tuple(Column(name) for name in ("outcome", "none", "in part", "all", "unscored", "answers"))
    rows = tuple(
        (
            name,
            *map(count, (each.evidence_missing, each.evidence_in_part, each.evidence_held, each.unscored, each.total)),
        )
        for name, each in found.outcomes.items()
    )
    yield Table("Evidence in the contexts, by outcome", columns, rows, "fit")


SECTION = ReportSection("attribution", "Attribution", compute, order=80)
