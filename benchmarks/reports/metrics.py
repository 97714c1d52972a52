"""Metrics with intervals and denominators, over all questions of the headline and by slice; and outcomes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.metrics import find_metric
from benchwright.benchmarks.metrics.answers.judge import ABSTAINED
from benchwright.benchmarks.reports.columns import Bools, Ints, Questions, RunData
from benchwright.benchmarks.reports.prediction_facts import PredictionFacts
from benchwright.benchmarks.statistics.intervals import Sample, bootstrap_means

DIMENSIONS = ("form", "kind", "hops", "subset")
NO_VALUE = "(none)"
_SLICES_SHOWN = 40
_ABSTAINING = ("said to abstain", ABSTAINED.reason)
"""Reasons of `correct` that say that the system abstained."""
OUTCOMES = ("correct", "wrong", "abstained", "unscored")
UNKNOWN = "unknown"
NO_QUESTIONS = "the run has no questions"


@dataclass(frozen=True)
class Attempts:
    """The outcome of each answer of the condition shown, as parallel arrays."""

    question: Ints
    repeat: Ints
    outcome: Ints
    """Place in OUTCOMES."""
    abstained: Bools
    """Also of unanswerable questions, whose outcome is unscored."""

    @property
    def first(self) -> Ints:
        """The places of each question's first repeat."""
        order = np.lexsort((self.repeat, self.question))
        _, places = np.unique(self.question[order], return_index=True)
        return order[places]

    @property
    def names(self) -> dict[int, str]:
        """Question → the outcome of its first repeat."""
        places = self.first
        return {
            question: OUTCOMES[outcome]
            for question, outcome in zip(self.question[places].tolist(), self.outcome[places].tolist(), strict=True)
        }


def read_attempts(run: RunData, facts: PredictionFacts) -> Attempts:
    """The outcomes that `correct` says, in the condition shown."""
    scores = run.scores
    rows = scores.rows("correct", run.condition)
    question, repeat, value = scores.question[rows], scores.repeat[rows], scores.value[rows]
    said = np.zeros(len(rows), dtype=bool)
    for name in _ABSTAINING:
        said |= scores.reason.where(name)[rows]
    if facts.abstained:
        said |= np.array([pair in facts.abstained for pair in zip(question.tolist(), repeat.tolist(), strict=True)])
    unscored = np.isnan(value)
    right = ~unscored & (np.nan_to_num(value) > 0.5)
    outcome = np.select([unscored, right, said], [3, 0, 2], default=1)
    return Attempts(question, repeat, outcome, said & ~right)


def metric_section(run: RunData, condition: str, wanted: Bools) -> dict[str, Any]:
    """Of each metric, over the wanted questions: value, interval, scored, total, reasons, judges, sense and range."""
    scores, found, samples = run.scores, {}, []
    for name in sorted(scores.metric.names, key=_metric_order):
        rows = scores.rows(name, condition)
        rows = rows[wanted[scores.question[rows]]]
        value = scores.value[rows]
        is_scored = ~np.isnan(value)
        found[name] = {
            "value": None,
            "low": None,
            "high": None,
            "scored": int(is_scored.sum()),
            "total": len(rows),
            "reasons": _tally(scores.reason.names, scores.reason.codes[rows[~is_scored]]),
            "judges": _tally(scores.judge.names, scores.judge.codes[rows], none=None),
            **_kind_of_figure(name),
        }
        samples.append(Sample(value[is_scored], run.questions.clusters[scores.question[rows[is_scored]]]))
    for entry, interval in zip(found.values(), bootstrap_means(samples), strict=True):
        if interval is not None:
            entry |= {"value": interval.value, "low": interval.low, "high": interval.high}
    return found


def _metric_order(name: str) -> tuple[int, str, int]:
    """`correct` first, then by name, cut-offs as numbers."""
    base, _, cut = name.partition("@")
    return int(name != "correct"), base, int(cut) if cut.isdecimal() else 0


def _tally(names: tuple[str, ...], codes: Ints, none: str | None = "no reason given") -> dict[str, int]:
    """How often each name stands there, the most frequent first."""
    values, counts = np.unique(codes, return_counts=True)
    named = [(names[code] if code >= 0 else none, int(count)) for code, count in zip(values, counts, strict=True)]
    return {
        name: count for name, count in sorted(named, key=lambda pair: (-pair[1], pair[0] or "")) if name is not None
    }


def _kind_of_figure(name: str) -> dict[str, Any]:
    """As the metric says; a judgment that no metric of ours makes counts as a share that is better when higher."""
    try:
        metric = find_metric(name)
    except BenchwrightError:
        return {"higher_is_better": True, "range": [0.0, 1.0]}
    return {"higher_is_better": metric.higher_is_better, "range": [float(limit) for limit in metric.range]}


def slice_section(run: RunData, attempts: Attempts, limit: int = _SLICES_SHOWN) -> dict[str, Any]:
    """The metrics and outcomes of the headline's questions by form, kind, hops and subset."""
    return {name: _dimension(run, attempts, name, limit) for name in DIMENSIONS}


def _dimension(run: RunData, attempts: Attempts, name: str, limit: int) -> dict[str, Any]:
    column, headline = run.questions.columns[name], run.questions.headline
    if column.is_empty:
        nothing = f"the release's questions have no {name}" if run.questions.ids else NO_QUESTIONS
        return {"values": [], "omitted": 0, "reason": f"not available because {nothing}"}
    codes = np.where(headline, column.codes, -2)
    values, counts = np.unique(codes[codes >= -1], return_counts=True)
    kept = values[np.argsort(-counts, kind="stable")][:limit]
    if name == "hops":
        kept = sorted(kept, key=lambda code: int(column.names[code]) if code >= 0 else 10**9)
    found = []
    for code in kept:
        wanted = codes == code
        found.append(
            {
                "value": column.names[code] if code >= 0 else NO_VALUE,
                "questions": int(wanted.sum()),
                "groups": _groups_in(run.questions, wanted),
                "metrics": metric_section(run, run.condition, wanted),
                "outcomes": outcome_counts(attempts, wanted),
            }
        )
    return {"values": found, "omitted": len(values) - len(kept), "reason": None}


def _groups_in(questions: Questions, wanted: Bools) -> int:
    return len(np.unique(questions.clusters[wanted]))


def outcome_counts(attempts: Attempts, wanted: Bools) -> dict[str, int]:
    """How many answers to the wanted questions are correct, wrong, abstained and unscored."""
    counts = np.bincount(attempts.outcome[wanted[attempts.question]], minlength=len(OUTCOMES))
    return {name: int(count) for name, count in zip(OUTCOMES, counts, strict=True)} | {"total": int(counts.sum())}


def share(count: int, total: int, reason: str) -> dict[str, Any]:
    """A share with what it is of; of nothing there is none, and the reason says why."""
    found: dict[str, Any] = {"value": count / total if total else None, "count": count, "total": total}
    return found if total else found | {"reason": reason}


def outcome_section(run: RunData, attempts: Attempts) -> dict[str, Any]:
    """Outcomes per answerability; the wrong-answer rate; precision and recall of abstaining.

    Abstaining is right on known gaps and on unanswerable questions, and nowhere else.
    """
    column, headline = run.questions.columns["answerability"], run.questions.headline
    kinds = {name: column.where(name) for name in ("answerable", "gap", "unanswerable")}
    kinds[UNKNOWN] = column.codes < 0
    silent = (kinds["gap"] | kinds["unanswerable"])[attempts.question]
    known = bool(len(attempts.question)) and not column.is_empty
    unstated = "the release does not say which questions are answerable"
    why = NO_QUESTIONS if not run.questions.ids else unstated if column.is_empty else None
    right = int((attempts.abstained & silent).sum())
    nothing = why or "the run has no known gap and no unanswerable question"
    return {
        "headline": outcome_counts(attempts, headline),
        "by_answerability": {
            name: counts for name, mask in kinds.items() if (counts := outcome_counts(attempts, mask))["total"]
        },
        "wrong_answer_rate": _wrong_answer_rate(run, attempts, headline),
        "abstention": {
            "precision": share(
                right, int(attempts.abstained.sum()) if known else 0, why or "the system never abstained"
            ),
            "recall": share(right, int(silent.sum()) if known else 0, nothing),
        },
    }


def _wrong_answer_rate(run: RunData, attempts: Attempts, wanted: Bools) -> dict[str, Any]:
    """Wrong answers, of the scored ones to the headline's questions."""
    rows = wanted[attempts.question] & (attempts.outcome != OUTCOMES.index("unscored"))
    wrong = (attempts.outcome[rows] == OUTCOMES.index("wrong")).astype(float)
    interval = bootstrap_means([Sample(wrong, run.questions.clusters[attempts.question[rows]])])[0]
    found = share(int(wrong.sum()), len(wrong), "no answer was judged by `correct`")
    ends = (None, None) if interval is None else (interval.low, interval.high)
    return found | {"low": ends[0], "high": ends[1]}


def condition_section(run: RunData) -> dict[str, Any]:
    """The headline's metrics in each condition that was run."""
    return {
        name: {"metrics": metric_section(run, name, run.questions.headline)}
        for name in sorted(run.scores.condition.names)
    }


def evidence_metric(names: Mapping[str, Any] | tuple[str, ...]) -> str | None:
    """The evidence recall with the largest cut-off among the metrics."""
    return largest_cut_off(names, "evidence_recall")


def largest_cut_off(names: Mapping[str, Any] | tuple[str, ...], base: str) -> str | None:
    """The metric `base@k` with the largest k."""
    cuts = [int(cut) for name in names for start, _, cut in [name.partition("@")] if start == base and cut.isdecimal()]
    return f"{base}@{max(cuts)}" if cuts else None


def attribution_section(run: RunData, attempts: Attempts) -> dict[str, Any]:
    """Of wrong answers in the headline, whether the contexts held the evidence: retrieval's failure, or the reader's.

    Observational: it follows from what happened, and no module was replaced.
    """
    found: dict[str, Any] = {"kind": "observational", "metric": evidence_metric(run.scores.metric.names)}
    if found["metric"] is None:
        return found | {"reason": "not available because no evidence recall was scored"}
    rows = run.scores.rows(found["metric"], run.condition)
    recall = dict(
        zip(
            zip(run.scores.question[rows].tolist(), run.scores.repeat[rows].tolist(), strict=True),
            run.scores.value[rows].tolist(),
            strict=True,
        )
    )
    headline, counts = run.questions.headline, {}
    for name in ("correct", "wrong", "abstained"):
        held = np.array(
            [
                recall.get((question, repeat), np.nan)
                for question, repeat, outcome in zip(
                    attempts.question.tolist(), attempts.repeat.tolist(), attempts.outcome.tolist(), strict=True
                )
                if outcome == OUTCOMES.index(name) and headline[question]
            ]
        )
        counts[name] = {
            "evidence_missing": int((held == 0).sum()),
            "evidence_in_part": int(((held > 0) & (held < 1)).sum()),
            "evidence_held": int((held >= 1).sum()),
            "unscored": int(np.isnan(held).sum()),
            "total": len(held),
        }
    wrong = counts["wrong"]
    judged = wrong["total"] - wrong["unscored"]
    nothing = "there is no wrong answer" if not wrong["total"] else "no wrong answer's question has evidence"
    return found | {
        "reason": None if judged else f"not available because {nothing}",
        "outcomes": counts,
        "retrieval": share(wrong["evidence_missing"], judged, nothing),
        "in_part": share(wrong["evidence_in_part"], judged, nothing),
        "reader": share(wrong["evidence_held"], judged, nothing),
    }
